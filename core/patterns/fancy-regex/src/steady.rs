//! A matcher that takes time in proportion to text and expression.
//!
//! All ways through an expression are walked at once, one character after the other, so there is
//! nothing to go back to. What looks ahead or behind is walked first, from where it ends to where it
//! begins, and answers with the places where it holds. Which characters an atom stands for is asked
//! of the other engine. References back cannot be walked this way.

use std::collections::BTreeMap;

use crate::read::{Assertion, Atom, Node, Read, Times};

/// Instructions of one expression, its repetitions written out.
const MAX_STEPS: usize = 20_000;
/// Steps that are taken over one text: about a second.
const MAX_WORK: usize = 200_000_000;

/// An expression, ready to be walked.
#[derive(Clone, Debug)]
pub(crate) struct Steady {
    main: Program,
    /// In the order in which they can be answered: inner ones first.
    looks: Vec<Look>,
    atoms: Vec<Atom>,
}

#[derive(Clone, Debug)]
struct Look {
    program: Program,
    is_ahead: bool,
    is_negated: bool,
}

type Program = Vec<Step>;

#[derive(Clone, Copy, Debug)]
enum Step {
    Atom(usize),
    Split(usize, usize),
    Assert(Assertion),
    Look(usize),
    Done,
}

/// What an expression may cost the other engine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Risk {
    /// Repetitions and alternatives.
    branches: usize,
    is_nested: bool,
}

impl Risk {
    /// Whether going back and forth stays cheap on a text of this length.
    pub(crate) const fn is_low(self, len: usize) -> bool {
        self.branches == 0 || (self.branches <= 2 && !self.is_nested && len <= 256)
    }

    fn of(node: &Node, is_repeated: bool, risk: &mut Self) {
        let is_branch = matches!(node, Node::Any(_) | Node::Repeat(..));
        risk.branches += usize::from(is_branch);
        risk.is_nested |= is_branch && is_repeated;
        match node {
            Node::All(nodes) | Node::Any(nodes) => {
                for node in nodes {
                    Self::of(node, is_repeated, risk);
                }
            }
            Node::Repeat(node, times) => {
                Self::of(node, is_repeated || times.most.is_none_or(|most| most > 1), risk);
            }
            Node::Group(_, node) => Self::of(node, is_repeated, risk),
            Node::Look { node, .. } => Self::of(node, false, risk),
            Node::Atom(_) | Node::Assert(_) | Node::Back(..) => {}
        }
    }
}

impl Steady {
    /// `None` if it cannot be walked: it has references back, or too many steps.
    pub(crate) fn new(read: &Read) -> Option<(Self, Risk)> {
        let mut risk = Risk::default();
        Risk::of(&read.node, false, &mut risk);
        let mut writer = Writer::default();
        let main = writer.program(&read.node, false)?;
        let steps = main.len() + writer.looks.iter().map(|look| look.program.len()).sum::<usize>();
        let steady = Self { main, looks: writer.looks, atoms: read.atoms.clone() };
        (steps <= MAX_STEPS).then_some((steady, risk))
    }

    /// Whether it matches anywhere; `None` if that is more work than anybody waits for.
    pub(crate) fn is_match(&self, text: &str) -> Option<bool> {
        let mut work = MAX_WORK;
        let mut held: Vec<Vec<bool>> = Vec::new();
        for look in &self.looks {
            let mut places = vec![false; text.len() + 1];
            self.walk(&look.program, text, look.is_ahead, &held, Some(&mut places), &mut work)?;
            if look.is_negated {
                for place in &mut places {
                    *place = !*place;
                }
            }
            held.push(places);
        }
        self.walk(&self.main, text, false, &held, None, &mut work)
    }

    /// Walks a program from every place of a text, from its end to its start if it is one that looks
    /// ahead. Marks where it is done; without marks it stops there.
    fn walk(
        &self,
        program: &Program,
        text: &str,
        is_back: bool,
        held: &[Vec<bool>],
        mut marks: Option<&mut Vec<bool>>,
        work: &mut usize,
    ) -> Option<bool> {
        let mut now = Steps::new(program.len());
        let mut at = if is_back { text.len() } else { 0 };
        let mut chars = text.chars();
        let mut open = Vec::new();
        loop {
            open.push(0);
            let mut is_done = false;
            while let Some(step) = open.pop() {
                if now.add(step) {
                    let goes_on = match program.get(step) {
                        Some(Step::Split(one, other)) => {
                            open.push(*other);
                            open.push(*one);
                            false
                        }
                        Some(Step::Assert(assertion)) => assertion.holds(text, at),
                        Some(Step::Look(look)) => {
                            held.get(*look).and_then(|places| places.get(at)) == Some(&true)
                        }
                        Some(Step::Atom(_)) | None => false,
                        Some(Step::Done) => {
                            is_done = true;
                            false
                        }
                    };
                    if goes_on {
                        open.push(step + 1);
                    }
                }
            }
            if is_done {
                match marks.as_deref_mut().and_then(|marks| marks.get_mut(at)) {
                    Some(mark) => *mark = true,
                    None => return Some(true),
                }
            }
            let Some(c) = (if is_back { chars.next_back() } else { chars.next() }) else {
                return Some(false);
            };
            *work = work.checked_sub(now.list.len() + 1)?;
            for &step in &now.list {
                if let Some(Step::Atom(atom)) = program.get(step)
                    && self.atoms.get(*atom).is_some_and(|atom| atom.matches(c))
                {
                    open.push(step + 1);
                }
            }
            at = if is_back { at - c.len_utf8() } else { at + c.len_utf8() };
            now.clear();
        }
    }
}

/// A set of steps that is cleared at once.
struct Steps {
    list: Vec<usize>,
    has: Vec<bool>,
}

impl Steps {
    fn new(len: usize) -> Self {
        Self { list: Vec::new(), has: vec![false; len] }
    }

    fn add(&mut self, step: usize) -> bool {
        match self.has.get_mut(step) {
            Some(has) if !*has => {
                *has = true;
                self.list.push(step);
                true
            }
            _ => false,
        }
    }

    fn clear(&mut self) {
        for step in self.list.drain(..) {
            if let Some(has) = self.has.get_mut(step) {
                *has = false;
            }
        }
    }
}

#[derive(Default)]
struct Writer {
    looks: Vec<Look>,
    /// Looks that were written, by the address of their node: repetitions are written out.
    known: BTreeMap<*const Node, usize>,
}

impl Writer {
    /// The steps of an expression, read from its end if it is walked back. `None` if it is too long.
    fn program(&mut self, node: &Node, is_back: bool) -> Option<Program> {
        let mut steps = Vec::new();
        self.write(node, is_back, &mut steps)?;
        steps.push(Step::Done);
        Some(steps)
    }

    fn write(&mut self, node: &Node, is_back: bool, steps: &mut Program) -> Option<()> {
        if steps.len() > MAX_STEPS {
            return None;
        }
        match node {
            Node::Atom(atom) => steps.push(Step::Atom(*atom)),
            Node::Assert(assertion) => steps.push(Step::Assert(*assertion)),
            Node::Group(_, node) => self.write(node, is_back, steps)?,
            Node::Back(..) => return None,
            Node::Look { node: inner, is_ahead, is_negated } => {
                let known = self.known.get(&std::ptr::from_ref(node)).copied();
                let look = if let Some(known) = known {
                    known
                } else {
                    let program = self.program(inner, *is_ahead)?;
                    let (is_ahead, is_negated) = (*is_ahead, *is_negated);
                    self.looks.push(Look { program, is_ahead, is_negated });
                    self.known.insert(std::ptr::from_ref(node), self.looks.len() - 1);
                    self.looks.len() - 1
                };
                steps.push(Step::Look(look));
            }
            Node::All(nodes) if is_back => {
                nodes.iter().rev().try_for_each(|node| self.write(node, is_back, steps))?;
            }
            Node::All(nodes) => {
                nodes.iter().try_for_each(|node| self.write(node, is_back, steps))?;
            }
            Node::Any(nodes) => {
                let mut ends = Vec::new();
                for (i, node) in nodes.iter().enumerate() {
                    if i + 1 == nodes.len() {
                        self.write(node, is_back, steps)?;
                        continue;
                    }
                    let split = reserve(steps);
                    self.write(node, is_back, steps)?;
                    ends.push(reserve(steps));
                    fill(steps, split, split + 1, steps.len());
                }
                for end in ends {
                    fill(steps, end, steps.len(), steps.len());
                }
            }
            Node::Repeat(node, times) => self.write_repeated(node, times, is_back, steps)?,
        }
        Some(())
    }

    fn write_repeated(
        &mut self,
        node: &Node,
        times: &Times,
        is_back: bool,
        steps: &mut Program,
    ) -> Option<()> {
        for _ in 0..times.least {
            let len = steps.len();
            self.write(node, is_back, steps)?;
            if steps.len() == len {
                break;
            }
        }
        let Some(most) = times.most else {
            let split = reserve(steps);
            self.write(node, is_back, steps)?;
            let again = reserve(steps);
            fill(steps, again, split, split);
            fill(steps, split, split + 1, steps.len());
            return Some(());
        };
        let mut splits = Vec::new();
        for _ in times.least..most {
            splits.push(reserve(steps));
            self.write(node, is_back, steps)?;
        }
        for split in splits {
            fill(steps, split, split + 1, steps.len());
        }
        Some(())
    }
}

fn reserve(steps: &mut Program) -> usize {
    steps.push(Step::Split(0, 0));
    steps.len() - 1
}

fn fill(steps: &mut Program, at: usize, one: usize, other: usize) {
    if let Some(step) = steps.get_mut(at) {
        *step = Step::Split(one, other);
    }
}

#[cfg(test)]
mod tests;
