//! A matcher that takes time in proportion to text and expression.
//!
//! All ways through an expression are walked at once, one character after the other, so there is
//! nothing to go back to. What looks ahead or behind is walked first, from where it ends to where it
//! begins, and answers with the places where it holds. Which characters an atom stands for is asked
//! of the other engine. References back cannot be walked this way.

use std::collections::BTreeMap;

/// Instructions of one expression, its repetitions written out.
const MAX_STEPS: usize = 20_000;

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

#[derive(Clone, Debug)]
enum Atom {
    Char(char),
    /// Those of ASCII, and the expression for the rest.
    Class(Box<[bool; 128]>, Box<regress::Regex>),
}

impl Atom {
    fn matches(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::Class(ascii, others) => match ascii.get(c as usize) {
                Some(is_in) => *is_in,
                None => others.find(c.encode_utf8(&mut [0; 4])).is_some(),
            },
        }
    }
}

type Program = Vec<Step>;

#[derive(Clone, Copy, Debug)]
enum Step {
    Atom(usize),
    Split(usize, usize),
    Start,
    End,
    /// A boundary of a word, or none.
    Boundary(bool),
    Look(usize),
    Done,
}

#[derive(Clone, Debug)]
enum Node {
    Atom(usize),
    All(Vec<Node>),
    Any(Vec<Node>),
    Repeat(Box<Node>, usize, Option<usize>),
    Plain(Step),
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
            Node::Repeat(node, _, most) => {
                Self::of(node, is_repeated || most.is_none_or(|most| most > 1), risk);
            }
            Node::Atom(_) | Node::Plain(_) => {}
        }
    }
}

impl Steady {
    /// Reads an expression that the other engine has read with the same flags. `None` if it cannot
    /// be walked.
    pub(crate) fn new(pattern: &str, flags: &str) -> Option<(Self, Risk)> {
        let mut reader = Reader {
            rest: pattern,
            flags,
            atoms: Vec::new(),
            known: BTreeMap::new(),
            looks: Vec::new(),
            risk: Risk::default(),
        };
        let node = reader.any()?;
        if !reader.rest.is_empty() {
            return None;
        }
        Risk::of(&node, false, &mut reader.risk);
        let main = program(&node, false)?;
        let steps = main.len() + reader.looks.iter().map(|look| look.program.len()).sum::<usize>();
        let steady = Self { main, looks: reader.looks, atoms: reader.atoms };
        (steps <= MAX_STEPS).then_some((steady, reader.risk))
    }

    /// Whether it matches anywhere.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let mut held: Vec<Vec<bool>> = Vec::new();
        for look in &self.looks {
            let mut places = vec![false; text.len() + 1];
            self.walk(&look.program, text, look.is_ahead, &held, Some(&mut places));
            if look.is_negated {
                for place in &mut places {
                    *place = !*place;
                }
            }
            held.push(places);
        }
        self.walk(&self.main, text, false, &held, None)
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
    ) -> bool {
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
                        Some(Step::Start) => at == 0,
                        Some(Step::End) => at == text.len(),
                        Some(Step::Boundary(is_wanted)) => is_boundary(text, at) == *is_wanted,
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
                    None => return true,
                }
            }
            let Some(c) = (if is_back { chars.next_back() } else { chars.next() }) else {
                return false;
            };
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

fn is_boundary(text: &str, at: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    is_word(before) != is_word(text.as_bytes().get(at))
}

/// The steps of an expression, read from its end if it is walked back. `None` if it is too long.
fn program(node: &Node, is_back: bool) -> Option<Program> {
    let mut steps = Vec::new();
    write(node, is_back, &mut steps)?;
    steps.push(Step::Done);
    Some(steps)
}

fn write(node: &Node, is_back: bool, steps: &mut Program) -> Option<()> {
    if steps.len() > MAX_STEPS {
        return None;
    }
    match node {
        Node::Atom(atom) => steps.push(Step::Atom(*atom)),
        Node::Plain(step) => steps.push(*step),
        Node::All(nodes) if is_back => {
            nodes.iter().rev().try_for_each(|node| write(node, is_back, steps))?;
        }
        Node::All(nodes) => nodes.iter().try_for_each(|node| write(node, is_back, steps))?,
        Node::Any(nodes) => {
            let mut ends = Vec::new();
            for (i, node) in nodes.iter().enumerate() {
                if i + 1 == nodes.len() {
                    write(node, is_back, steps)?;
                    continue;
                }
                let split = reserve(steps);
                write(node, is_back, steps)?;
                ends.push(reserve(steps));
                fill(steps, split, split + 1, steps.len());
            }
            for end in ends {
                fill(steps, end, steps.len(), steps.len());
            }
        }
        Node::Repeat(node, least, most) => {
            for _ in 0..*least {
                let len = steps.len();
                write(node, is_back, steps)?;
                if steps.len() == len {
                    break;
                }
            }
            match most {
                None => {
                    let split = reserve(steps);
                    write(node, is_back, steps)?;
                    let again = reserve(steps);
                    fill(steps, again, split, split);
                    fill(steps, split, split + 1, steps.len());
                }
                Some(most) => {
                    let mut splits = Vec::new();
                    for _ in *least..*most {
                        splits.push(reserve(steps));
                        write(node, is_back, steps)?;
                    }
                    for split in splits {
                        fill(steps, split, split + 1, steps.len());
                    }
                }
            }
        }
    }
    Some(())
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

struct Reader<'a> {
    rest: &'a str,
    flags: &'a str,
    atoms: Vec<Atom>,
    known: BTreeMap<&'a str, usize>,
    looks: Vec<Look>,
    /// Of what looks around.
    risk: Risk,
}

impl<'a> Reader<'a> {
    fn skip(&mut self, mark: &str) -> bool {
        self.rest.strip_prefix(mark).map(|rest| self.rest = rest).is_some()
    }

    fn any(&mut self) -> Option<Node> {
        let mut nodes = vec![self.all()?];
        while self.skip("|") {
            nodes.push(self.all()?);
        }
        if nodes.len() == 1 { nodes.pop() } else { Some(Node::Any(nodes)) }
    }

    fn all(&mut self) -> Option<Node> {
        let mut nodes = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let node = self.one()?;
            nodes.push(self.repeated(node)?);
        }
        Some(Node::All(nodes))
    }

    fn one(&mut self) -> Option<Node> {
        for (mark, step) in [
            ("^", Step::Start),
            ("$", Step::End),
            ("\\b", Step::Boundary(true)),
            ("\\B", Step::Boundary(false)),
        ] {
            if self.skip(mark) {
                return Some(Node::Plain(step));
            }
        }
        for (mark, is_ahead, is_negated) in [
            ("(?=", true, false),
            ("(?!", true, true),
            ("(?<=", false, false),
            ("(?<!", false, true),
        ] {
            if self.skip(mark) {
                let node = self.closed()?;
                Risk::of(&node, false, &mut self.risk);
                self.looks.push(Look { program: program(&node, is_ahead)?, is_ahead, is_negated });
                return Some(Node::Plain(Step::Look(self.looks.len() - 1)));
            }
        }
        if self.skip("(?<") {
            self.rest = self.rest.split_once('>')?.1;
            return self.closed();
        }
        if self.skip("(?:") {
            return self.closed();
        }
        // `(?i:` and the like change what letters mean.
        if self.rest.starts_with("(?") {
            return None;
        }
        if self.skip("(") {
            return self.closed();
        }
        let len = atom_len(self.rest)?;
        let (atom, rest) = (self.rest.get(..len)?, self.rest.get(len..)?);
        self.rest = rest;
        Some(Node::Atom(self.atom(atom)?))
    }

    fn closed(&mut self) -> Option<Node> {
        let node = self.any()?;
        self.skip(")").then_some(node)
    }

    fn repeated(&mut self, node: Node) -> Option<Node> {
        let (least, most) = if self.skip("*") {
            (0, None)
        } else if self.skip("+") {
            (1, None)
        } else if self.skip("?") {
            (0, Some(1))
        } else if let Some((least, most, len)) = braces(self.rest) {
            self.rest = self.rest.get(len..)?;
            (least, most)
        } else {
            return Some(node);
        };
        // Lazy or not, it matches the same texts.
        self.skip("?");
        Some(Node::Repeat(Box::new(node), least, most))
    }

    fn atom(&mut self, source: &'a str) -> Option<usize> {
        if let Some(known) = self.known.get(source) {
            return Some(*known);
        }
        let mut chars = source.chars();
        let atom = match (chars.next()?, chars.next()) {
            (c, None) if c != '.' => Atom::Char(c),
            _ => {
                let class = regress::Regex::with_flags(&format!("^{source}$"), self.flags).ok()?;
                let mut ascii = [false; 128];
                for (byte, is_in) in (0_u8..).zip(&mut ascii) {
                    *is_in = class.find(char::from(byte).encode_utf8(&mut [0; 4])).is_some();
                }
                Atom::Class(Box::new(ascii), Box::new(class))
            }
        };
        self.atoms.push(atom);
        self.known.insert(source, self.atoms.len() - 1);
        Some(self.atoms.len() - 1)
    }
}

/// `{2}`, `{2,}` or `{2,3}`: least, most, and its length.
fn braces(text: &str) -> Option<(usize, Option<usize>, usize)> {
    let (inside, _) = text.strip_prefix('{')?.split_once('}')?;
    let number = |digits: &str| {
        let is_one = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_one.then(|| digits.parse().unwrap_or(usize::MAX))
    };
    let (least, most) = match inside.split_once(',') {
        None => (number(inside)?, Some(number(inside)?)),
        Some((least, "")) => (number(least)?, None),
        Some((least, most)) => (number(least)?, Some(number(most)?)),
    };
    Some((least, most, inside.len() + 2))
}

/// Bytes of the atom that a text begins with; `None` for a reference back.
fn atom_len(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first == '[' {
        let mut is_escaped = false;
        for (at, c) in text.char_indices().skip(1) {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                ']' => return Some(at + 1),
                _ => {}
            }
        }
        return None;
    }
    if first != '\\' {
        return Some(first.len_utf8());
    }
    let escaped = text.chars().nth(1)?;
    let braced = || text.find('}').map(|end| end + 1);
    match escaped {
        '1'..='9' | 'k' => None,
        'p' | 'P' | 'u' if text.get(2..3) == Some("{") => braced(),
        'u' => {
            let unit = |at: usize| {
                let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
                u32::from_str_radix(digits, 16).ok()
            };
            match (unit(0)?, unit(6)) {
                (0xD800..=0xDBFF, Some(0xDC00..=0xDFFF)) => Some(12),
                _ => Some(6),
            }
        }
        'x' => Some(4),
        'c' => Some(3),
        // `\01` is an octal escape, which is read without the flag only.
        '0' if text.get(2..3).is_some_and(|next| next.bytes().all(|b| b.is_ascii_digit())) => None,
        other => Some(1 + other.len_utf8()),
    }
}

#[cfg(test)]
mod tests;
