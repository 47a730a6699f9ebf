//! Reads an expression that the other engine has read, into a tree.

use std::collections::BTreeMap;
use std::ops::Range;

/// An expression, read.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) node: Node,
    pub(crate) atoms: Vec<Atom>,
    /// Groups that capture, from 1, and the whole, which is 0.
    pub(crate) groups: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Atom {
    Char(char),
    /// Those of ASCII, and the expression for the rest.
    Class(Box<[bool; 128]>, Box<regress::Regex>),
}

impl Atom {
    pub(crate) fn matches(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::Class(ascii, others) => match ascii.get(c as usize) {
                Some(is_in) => *is_in,
                None => others.find(c.encode_utf8(&mut [0; 4])).is_some(),
            },
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// By its number in [`Read::atoms`].
    Atom(usize),
    All(Vec<Node>),
    Any(Vec<Node>),
    Repeat(Box<Node>, Times),
    Assert(Assertion),
    Group(usize, Box<Node>),
    /// What one of these groups has matched, with letters of either case.
    Back(Vec<usize>, bool),
    Look {
        node: Box<Node>,
        is_ahead: bool,
        is_negated: bool,
    },
}

/// How often something is repeated.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    pub(crate) least: usize,
    pub(crate) most: Option<usize>,
    pub(crate) is_lazy: bool,
    /// Groups inside.
    pub(crate) groups: Range<usize>,
}

/// What holds at a place of a text, or does not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Assertion {
    Start,
    End,
    LineStart,
    LineEnd,
    /// A boundary of a word, or none. Letters of either case are a few more than those of ASCII.
    Boundary {
        is_wanted: bool,
        is_folded: bool,
    },
}

impl Assertion {
    pub(crate) fn holds(self, text: &str, at: usize) -> bool {
        let before = || text.get(..at).and_then(|text| text.chars().next_back());
        let after = || text.get(at..).and_then(|text| text.chars().next());
        let ends = |c: char| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        match self {
            Self::Start => at == 0,
            Self::End => at == text.len(),
            Self::LineStart => before().is_none_or(ends),
            Self::LineEnd => after().is_none_or(ends),
            Self::Boundary { is_wanted, is_folded } => {
                let is_word = |c: char| {
                    c.is_ascii_alphanumeric()
                        || c == '_'
                        || (is_folded && matches!(c, '\u{17f}' | '\u{212a}'))
                };
                (before().is_some_and(is_word) != after().is_some_and(is_word)) == is_wanted
            }
        }
    }
}

/// Reads an expression with the flags that the other engine has read it with. `None` for what is
/// not known here.
pub(crate) fn read(pattern: &str, flags: &str) -> Option<Read> {
    let names = groups(pattern);
    let mut reader = Reader {
        rest: pattern,
        is_unicode: flags.contains('u'),
        mode: Mode::default(),
        atoms: Vec::new(),
        known: BTreeMap::new(),
        names,
        groups: 1,
    };
    let node = reader.any()?;
    reader.rest.is_empty().then_some(Read { node, atoms: reader.atoms, groups: reader.groups })
}

/// Groups that capture, in their order, with the names of those that have one.
fn groups(pattern: &str) -> Vec<Option<&str>> {
    let mut found = Vec::new();
    let mut rest = pattern;
    let mut is_class = false;
    while let Some(c) = rest.chars().next() {
        let next = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\\' => {
                let escaped = next.chars().next().map_or(0, char::len_utf8);
                rest = next.get(escaped..).unwrap_or_default();
                continue;
            }
            '[' => is_class = true,
            ']' => is_class = false,
            '(' if !is_class && !next.starts_with('?') => found.push(None),
            '(' if !is_class => {
                let name = next.strip_prefix("?<").filter(|name| !name.starts_with(['=', '!']));
                if let Some(name) = name {
                    found.push(name.split_once('>').map(|(name, _)| name));
                }
            }
            _ => {}
        }
        rest = next;
    }
    found
}

/// What `(?ims:` and `(?-ims:` turn on and off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Mode {
    has_either_case: bool,
    has_lines: bool,
    has_dot_all: bool,
}

struct Reader<'a> {
    rest: &'a str,
    is_unicode: bool,
    mode: Mode,
    atoms: Vec<Atom>,
    known: BTreeMap<(&'a str, Mode), usize>,
    names: Vec<Option<&'a str>>,
    /// Number of the next group.
    groups: usize,
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
            let first = self.groups;
            let node = self.one()?;
            nodes.push(self.repeated(node, first)?);
        }
        Some(Node::All(nodes))
    }

    fn one(&mut self) -> Option<Node> {
        let is_folded = self.is_unicode && self.mode.has_either_case;
        let has_lines = self.mode.has_lines;
        for (mark, assertion) in [
            ("^", if has_lines { Assertion::LineStart } else { Assertion::Start }),
            ("$", if has_lines { Assertion::LineEnd } else { Assertion::End }),
            ("\\b", Assertion::Boundary { is_wanted: true, is_folded }),
            ("\\B", Assertion::Boundary { is_wanted: false, is_folded }),
        ] {
            if self.skip(mark) {
                return Some(Node::Assert(assertion));
            }
        }
        for (mark, is_ahead, is_negated) in [
            ("(?=", true, false),
            ("(?!", true, true),
            ("(?<=", false, false),
            ("(?<!", false, true),
        ] {
            if self.skip(mark) {
                let node = Box::new(self.closed()?);
                return Some(Node::Look { node, is_ahead, is_negated });
            }
        }
        if self.skip("(?<") {
            self.rest = self.rest.split_once('>')?.1;
            return self.group();
        }
        if self.skip("(?") {
            let (flags, rest) = self.rest.split_once(':')?;
            self.rest = rest;
            let before = self.mode;
            let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
            for (flags, is_on) in [(on, true), (off, false)] {
                for flag in flags.chars() {
                    match flag {
                        'i' => self.mode.has_either_case = is_on,
                        'm' => self.mode.has_lines = is_on,
                        's' => self.mode.has_dot_all = is_on,
                        _ => return None,
                    }
                }
            }
            let node = self.closed();
            self.mode = before;
            return node;
        }
        if self.skip("(") {
            return self.group();
        }
        if let Some(groups) = self.reference() {
            return Some(Node::Back(groups, self.mode.has_either_case));
        }
        let len = atom_len(self.rest, self.is_unicode)?;
        let (atom, rest) = (self.rest.get(..len)?, self.rest.get(len..)?);
        self.rest = rest;
        Some(Node::Atom(self.atom(atom)?))
    }

    fn group(&mut self) -> Option<Node> {
        let number = self.groups;
        self.groups += 1;
        Some(Node::Group(number, Box::new(self.closed()?)))
    }

    fn closed(&mut self) -> Option<Node> {
        let node = self.any()?;
        self.skip(")").then_some(node)
    }

    /// Groups that a reference back names. Without the flag it may be an escape instead.
    fn reference(&mut self) -> Option<Vec<usize>> {
        if let Some(rest) = self.rest.strip_prefix("\\k<")
            && (self.is_unicode || self.names.iter().any(Option::is_some))
        {
            let (name, rest) = rest.split_once('>')?;
            let own = |number: &usize| self.names[number - 1] == Some(name);
            let groups = (1..=self.names.len()).filter(own).collect();
            self.rest = rest;
            return Some(groups);
        }
        let digits = self.rest.strip_prefix('\\').filter(|rest| !rest.starts_with('0'))?;
        let len = digits.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = digits.get(..len)?.parse().ok()?;
        if number > self.names.len() {
            return None;
        }
        self.rest = digits.get(len..)?;
        Some(vec![number])
    }

    fn repeated(&mut self, node: Node, first: usize) -> Option<Node> {
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
        let is_lazy = self.skip("?");
        let groups = first..self.groups;
        Some(Node::Repeat(Box::new(node), Times { least, most, is_lazy, groups }))
    }

    fn atom(&mut self, source: &'a str) -> Option<usize> {
        if let Some(known) = self.known.get(&(source, self.mode)) {
            return Some(*known);
        }
        let mut chars = source.chars();
        let atom = match (chars.next()?, chars.next()) {
            (c, None) if c != '.' && !self.mode.has_either_case => Atom::Char(c),
            _ => {
                let mut flags = String::from(if self.is_unicode { "u" } else { "" });
                flags.push_str(if self.mode.has_either_case { "i" } else { "" });
                flags.push_str(if self.mode.has_dot_all { "s" } else { "" });
                let class =
                    regress::Regex::with_flags(&format!("^{source}$"), flags.as_str()).ok()?;
                let mut ascii = [false; 128];
                for (byte, is_in) in (0_u8..).zip(&mut ascii) {
                    *is_in = class.find(char::from(byte).encode_utf8(&mut [0; 4])).is_some();
                }
                Atom::Class(Box::new(ascii), Box::new(class))
            }
        };
        self.atoms.push(atom);
        self.known.insert((source, self.mode), self.atoms.len() - 1);
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

/// Bytes of the atom that a text begins with. Without the flag `u`, an escape that is not complete stands for its
/// letter: `\p{3}` is `ppp`.
fn atom_len(text: &str, is_unicode: bool) -> Option<usize> {
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
    let are_hexadecimal = |count: usize| {
        let digits = text.get(2..2 + count);
        digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    match escaped {
        'p' | 'P' | 'u' if is_unicode && text.get(2..3) == Some("{") => braced(),
        'u' if !is_unicode && !are_hexadecimal(4) => Some(2),
        // The other engine takes it for something else.
        'x' if !are_hexadecimal(2) => None,
        'c' if !text.get(2..3)?.bytes().all(|letter| letter.is_ascii_alphabetic()) => None,
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
        // Octal, which is read without the flag only, and where no group has that number.
        '0'..='7' => {
            let most = if escaped <= '3' { 3 } else { 2 };
            let digits = text.bytes().skip(1).take(most);
            Some(1 + digits.take_while(|b| matches!(b, b'0'..=b'7')).count())
        }
        other => Some(1 + other.len_utf8()),
    }
}
