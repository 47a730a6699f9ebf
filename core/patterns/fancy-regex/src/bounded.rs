//! A matcher that goes back to try another way, and gives up after so many steps.
//!
//! For what cannot be walked at once (`steady`): references back, and expressions that are too long
//! when their repetitions are written out. All that it has to remember lies in a list of its own, so
//! a long text is no deep stack.

use std::ops::Range;

use crate::read::{Assertion, Atom, Node, Read, Times};

/// Steps that every text may take, and further ones for each of its bytes.
const MAX_STEPS: usize = 1_000_000;
const MORE_STEPS: usize = 16;
/// Ways back and old values that are remembered at once.
const MAX_FRAMES: usize = 4_000_000;

/// It takes more steps than anybody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// An expression, ready to be tried.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    program: Vec<Op>,
    loops: Vec<Loop>,
    atoms: Vec<Atom>,
    groups: usize,
}

#[derive(Clone, Debug)]
enum Op {
    Atom(usize, bool),
    Assert(Assertion),
    /// The next one first, then this one.
    Split(usize),
    Jump(usize),
    /// Where a group begins or ends.
    Mark(usize),
    Begin(usize),
    Test(usize),
    Enter(usize),
    Back {
        groups: Vec<usize>,
        has_either_case: bool,
        is_back: bool,
    },
    /// What stands behind it holds or does not, and then it goes on at `end`.
    Look {
        is_negated: bool,
        end: usize,
    },
    Done,
}

#[derive(Clone, Debug)]
struct Loop {
    least: usize,
    most: usize,
    is_lazy: bool,
    groups: Range<usize>,
    exit: usize,
    /// Once a required round has taken nothing, the other required rounds can be skipped: nothing in the
    /// loop looks around, and no reference depends on what they take.
    is_plain: bool,
}

impl Bounded {
    pub(crate) fn new(read: &Read) -> Self {
        let mut this = Self {
            program: Vec::new(),
            loops: Vec::new(),
            atoms: read.atoms.clone(),
            groups: read.groups,
        };
        this.write(&read.node, false);
        this.program.push(Op::Done);
        if this.program.iter().any(|op| matches!(op, Op::Back { .. })) {
            this.loops.iter_mut().for_each(|one| one.is_plain = false);
        }
        this
    }

    /// Whether it matches anywhere.
    pub(crate) fn is_match(&self, text: &str) -> Result<bool, TooMany> {
        let mut run = Run {
            of: self,
            text,
            marks: vec![None; 2 * self.groups],
            rounds: vec![Round { count: 0, start: usize::MAX }; self.loops.len()],
            frames: Vec::new(),
            steps: MAX_STEPS + MORE_STEPS * text.len(),
        };
        let ends = std::iter::once(text.len());
        for start in text.char_indices().map(|(at, _)| at).chain(ends) {
            if run.run(0, start)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn write(&mut self, node: &Node, is_back: bool) {
        match node {
            Node::Atom(atom) => self.program.push(Op::Atom(*atom, is_back)),
            Node::Assert(assertion) => self.program.push(Op::Assert(*assertion)),
            Node::All(nodes) if is_back => {
                nodes.iter().rev().for_each(|node| self.write(node, is_back));
            }
            Node::All(nodes) => nodes.iter().for_each(|node| self.write(node, is_back)),
            Node::Any(nodes) => {
                let mut jumps = Vec::new();
                for (number, node) in nodes.iter().enumerate() {
                    let split = self.reserve();
                    self.write(node, is_back);
                    if number + 1 < nodes.len() {
                        jumps.push(self.reserve());
                        self.fill(split, Op::Split(self.program.len()));
                    } else {
                        self.fill(split, Op::Jump(split + 1));
                    }
                }
                for jump in jumps {
                    self.fill(jump, Op::Jump(self.program.len()));
                }
            }
            Node::Group(number, node) => {
                self.program.push(Op::Mark(2 * number + usize::from(is_back)));
                self.write(node, is_back);
                self.program.push(Op::Mark(2 * number + usize::from(!is_back)));
            }
            Node::Back(groups, has_either_case) => {
                let (groups, has_either_case) = (groups.clone(), *has_either_case);
                self.program.push(Op::Back { groups, has_either_case, is_back });
            }
            Node::Look { node, is_ahead, is_negated } => {
                let look = self.reserve();
                self.write(node, !is_ahead);
                self.program.push(Op::Done);
                let end = self.program.len();
                self.fill(look, Op::Look { is_negated: *is_negated, end });
            }
            Node::Repeat(node, Times { least, most, is_lazy, groups }) => {
                let number = self.loops.len();
                self.loops.push(Loop {
                    least: *least,
                    most: most.unwrap_or(usize::MAX),
                    is_lazy: *is_lazy,
                    groups: groups.clone(),
                    exit: 0,
                    is_plain: false,
                });
                self.program.push(Op::Begin(number));
                let test = self.program.len();
                self.program.extend([Op::Test(number), Op::Enter(number)]);
                self.write(node, is_back);
                self.program.push(Op::Jump(test));
                let exit = self.program.len();
                let looks = |op: &Op| matches!(op, Op::Assert(_) | Op::Look { .. });
                let is_plain = !self.program.iter().skip(test).any(looks);
                if let Some(own) = self.loops.get_mut(number) {
                    own.exit = exit;
                    own.is_plain = is_plain;
                }
            }
        }
    }

    fn reserve(&mut self) -> usize {
        self.program.push(Op::Done);
        self.program.len() - 1
    }

    fn fill(&mut self, at: usize, op: Op) {
        if let Some(reserved) = self.program.get_mut(at) {
            *reserved = op;
        }
    }
}

/// How far a loop is.
#[derive(Clone, Copy, Debug)]
struct Round {
    count: usize,
    /// Where the last one began.
    start: usize,
}

/// What is taken back on the way back.
#[derive(Clone, Copy, Debug)]
enum Frame {
    Way(usize, usize),
    Mark(usize, Option<usize>),
    Round(usize, Round),
}

struct Run<'a> {
    of: &'a Bounded,
    text: &'a str,
    /// Begin and end of each group.
    marks: Vec<Option<usize>>,
    rounds: Vec<Round>,
    frames: Vec<Frame>,
    /// That are left.
    steps: usize,
}

impl Run<'_> {
    /// From an operation and a place on; where it is done. Calls itself for what looks around only.
    fn run(&mut self, mut op: usize, mut at: usize) -> Result<Option<usize>, TooMany> {
        let base = self.frames.len();
        loop {
            self.spend(1)?;
            let next = match self.of.program.get(op) {
                Some(Op::Done) | None => return Ok(Some(at)),
                Some(Op::Atom(atom, is_back)) => self.atom(*atom, *is_back, at),
                Some(Op::Assert(assertion)) => assertion.holds(self.text, at).then_some(at),
                Some(Op::Split(other)) => {
                    self.frames.push(Frame::Way(*other, at));
                    Some(at)
                }
                Some(Op::Jump(to)) => {
                    op = *to;
                    continue;
                }
                Some(Op::Mark(mark)) => {
                    self.mark(*mark, Some(at));
                    Some(at)
                }
                Some(Op::Begin(number)) => {
                    self.round(*number, Round { count: 0, start: usize::MAX });
                    Some(at)
                }
                Some(Op::Test(number)) => match self.test(*number, op, at) {
                    Some(to) => {
                        op = to;
                        continue;
                    }
                    None => None,
                },
                Some(Op::Enter(number)) => {
                    self.enter(*number, at)?;
                    Some(at)
                }
                Some(Op::Back { groups, has_either_case, is_back }) => {
                    self.back(groups, *has_either_case, *is_back, at)?
                }
                Some(Op::Look { is_negated, end }) => {
                    if self.look(op + 1, at)? == *is_negated {
                        None
                    } else {
                        op = *end;
                        continue;
                    }
                }
            };
            (op, at) = match next {
                Some(at) => (op + 1, at),
                None => match self.go_back(base) {
                    Some(way) => way,
                    None => return Ok(None),
                },
            };
        }
    }

    fn spend(&mut self, steps: usize) -> Result<(), TooMany> {
        self.steps = self.steps.checked_sub(steps).ok_or(TooMany)?;
        if self.frames.len() > MAX_FRAMES { Err(TooMany) } else { Ok(()) }
    }

    /// The last way that was not taken, with everything as it was there.
    fn go_back(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.frames.len() > base {
            match self.frames.pop()? {
                Frame::Way(op, at) => return Some((op, at)),
                Frame::Mark(mark, old) => {
                    if let Some(mark) = self.marks.get_mut(mark) {
                        *mark = old;
                    }
                }
                Frame::Round(number, old) => {
                    if let Some(round) = self.rounds.get_mut(number) {
                        *round = old;
                    }
                }
            }
        }
        None
    }

    fn mark(&mut self, mark: usize, at: Option<usize>) {
        if let Some(own) = self.marks.get_mut(mark)
            && *own != at
        {
            self.frames.push(Frame::Mark(mark, *own));
            *own = at;
        }
    }

    fn round(&mut self, number: usize, round: Round) {
        if let Some(own) = self.rounds.get_mut(number) {
            self.frames.push(Frame::Round(number, *own));
            *own = round;
        }
    }

    fn char(&self, is_back: bool, at: usize) -> Option<(char, usize)> {
        if is_back {
            let c = self.text.get(..at)?.chars().next_back()?;
            Some((c, at - c.len_utf8()))
        } else {
            let c = self.text.get(at..)?.chars().next()?;
            Some((c, at + c.len_utf8()))
        }
    }

    fn atom(&self, atom: usize, is_back: bool, at: usize) -> Option<usize> {
        let (c, next) = self.char(is_back, at)?;
        self.of.atoms.get(atom)?.matches(c).then_some(next)
    }

    /// Where a loop goes on: with another round, or behind it.
    fn test(&mut self, number: usize, op: usize, at: usize) -> Option<usize> {
        let Loop { least, most, is_lazy, is_plain, exit, .. } = *self.of.loops.get(number)?;
        let Round { mut count, start } = *self.rounds.get(number)?;
        // Only a required round may take nothing; the required rounds that are left may still take something.
        if at == start {
            if count > least {
                return None;
            }
            if is_plain {
                count = least;
                self.round(number, Round { count, start });
            }
        }
        if count < least {
            return Some(op + 1);
        }
        if count >= most {
            return Some(exit);
        }
        let (first, second) = if is_lazy { (exit, op + 1) } else { (op + 1, exit) };
        self.frames.push(Frame::Way(second, at));
        Some(first)
    }

    /// Another round: what groups inside have matched is forgotten.
    fn enter(&mut self, number: usize, at: usize) -> Result<(), TooMany> {
        let round = self.rounds.get(number).copied();
        let (Some(own), Some(Round { count, .. })) = (self.of.loops.get(number), round) else {
            return Ok(());
        };
        self.spend(own.groups.len())?;
        self.round(number, Round { count: count + 1, start: at });
        for mark in 2 * own.groups.start..2 * own.groups.end {
            self.mark(mark, None);
        }
        Ok(())
    }

    /// What a group has matched, once more; a group that has matched nothing takes nothing.
    fn back(
        &mut self,
        groups: &[usize],
        has_either_case: bool,
        is_back: bool,
        at: usize,
    ) -> Result<Option<usize>, TooMany> {
        let mark = |mark: usize| self.marks.get(mark).copied().flatten();
        let found = groups.iter().find_map(|group| Some(mark(2 * group)?..mark(2 * group + 1)?));
        let Some(own) = found.and_then(|range| self.text.get(range)) else { return Ok(Some(at)) };
        self.spend(own.len())?;
        let (mut own, mut at) = (own.chars(), at);
        while let Some(wanted) = if is_back { own.next_back() } else { own.next() } {
            match self.char(is_back, at) {
                Some((c, next))
                    if c == wanted || (has_either_case && is_same_letter(c, wanted)) =>
                {
                    at = next;
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// Whether something holds here. What its groups have matched is kept, its other ways are not.
    fn look(&mut self, op: usize, at: usize) -> Result<bool, TooMany> {
        let base = self.frames.len();
        let holds = self.run(op, at)?.is_some();
        let is_negated = matches!(
            self.of.program.get(op.wrapping_sub(1)),
            Some(Op::Look { is_negated: true, .. })
        );
        if holds && is_negated {
            // Nothing of it is kept.
            while self.go_back(base).is_some() {}
        } else if holds {
            let kept = self.frames.split_off(base);
            self.frames.extend(kept.into_iter().filter(|frame| !matches!(frame, Frame::Way(..))));
        }
        Ok(holds)
    }
}

/// Whether two letters differ in their case only.
fn is_same_letter(one: char, other: char) -> bool {
    one.to_lowercase().eq(other.to_lowercase()) || one.to_uppercase().eq(other.to_uppercase())
}

#[cfg(test)]
mod tests;
