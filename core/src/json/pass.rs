//! The one pass: bytes of a record, along a table, to what columns need and to deviations.
//!
//! A deviation costs a few numbers and nothing else: the pass notes it and goes on. Nothing is built for a
//! record that is only being opened. Text that is not plain JSON, and an object in which a member stands
//! twice, are left to [`super::tree`], which repairs and reports.

use super::names::Names;
use super::numeric;
use super::scan::{NotPlain, Scan, Text};
use super::shape::{Known, NodeId, ROOT, Table, Type};
use super::{tree, write};
use crate::model::datetime::{self, Form, Time};

/// Takes what the values of a record say.
pub(crate) trait Sink {
    /// Where a value goes.
    type Slot: Copy;

    fn text(&mut self, slot: Self::Slot, text: Text<'_>);
    fn time(&mut self, slot: Self::Slot, time: Time);
    /// A number, with its lexeme if it is written as a JSON number.
    fn number(&mut self, slot: Self::Slot, value: f64, lexeme: Option<&str>);
    fn flag(&mut self, slot: Self::Slot, flag: bool);
    /// An object ended, which stands at this place of the list around it.
    fn close(&mut self, slot: Self::Slot, place: u32);
    /// A list of `count` items ended.
    fn list(&mut self, slot: Self::Slot, count: usize);
    /// Whether a fraction is dropped where an integer should stand.
    fn drops_fraction(&self, slot: Self::Slot) -> bool;
    /// Whether a word stands for a number there.
    fn knows_word(&self, slot: Self::Slot, word: &str) -> bool;
}

/// For who wants the deviations alone.
#[derive(Debug)]
pub(crate) struct Nowhere;

impl Sink for Nowhere {
    type Slot = ();

    fn text(&mut self, (): (), _: Text<'_>) {}
    fn time(&mut self, (): (), _: Time) {}
    fn number(&mut self, (): (), _: f64, _: Option<&str>) {}
    fn flag(&mut self, (): (), _: bool) {}
    fn close(&mut self, (): (), _: u32) {}
    fn list(&mut self, (): (), _: usize) {}
    fn drops_fraction(&self, (): ()) -> bool {
        false
    }
    fn knows_word(&self, (): (), _: &str) -> bool {
        false
    }
}

/// Something that a table does not allow. Its values are read from the text when somebody asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Deviation {
    /// Where the value begins; the object, where a member is missing; the name of an unknown member.
    pub(crate) at: u32,
    /// The node of the value, or of the object that a missing or unknown member belongs to.
    pub(crate) node: NodeId,
    pub(crate) what: What,
    /// The places in the lists around it, the outermost one first.
    pub(crate) places: [u32; 2],
}

/// What is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    /// Another type, and how it is read all the same.
    Type(Reading),
    /// None of the words.
    Enum,
    Pattern,
    /// No `date-time`; how it is read as a time all the same.
    Format(Option<Form>),
    Minimum,
    Maximum,
    /// The member at this place of the object is missing.
    Required(u8),
    /// A member that the table does not name.
    Unknown,
}

/// How a value of another type is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reading {
    /// It cannot be read.
    Not,
    NullAsAbsent,
    NumberAsText,
    FractionDropped,
    WordAsNumber,
    TextAsNumber,
    TextAsFlag,
    TextAsList,
}

/// What is remembered of the last record along a table: the order in which the members of its objects stood,
/// since those of one tool keep theirs, whatever the table's is; and where each value stood.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// The member that is expected first in an object, and the one behind a member, by [`Behind`].
    next: Vec<u8>,
    /// Offset of the last value of each node; [`NOWHERE`] if the record has none.
    starts: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

/// What a member is expected behind: the brace of an object's node, or the member of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Behind(usize);

impl Behind {
    fn brace(id: NodeId) -> Self {
        Self(usize::from(id) * 2)
    }

    fn member(id: NodeId) -> Self {
        Self(usize::from(id) * 2 + 1)
    }
}

impl Order {
    /// Starts with the order of the table.
    fn fit<S: Copy>(&mut self, table: &Table<S>) {
        if self.next.is_empty() {
            self.next.resize(table.nodes.len() * 2, 0);
            self.starts.resize(table.nodes.len(), NOWHERE);
            for node in &table.nodes {
                let Type::Object { first, len, .. } = node.is else { continue };
                for (place, member) in (1..).zip(table.members_of(first, len)) {
                    self.learn(Behind::member(member.node), place);
                }
            }
        }
    }

    /// Where the value of a node stood in the last record.
    pub(crate) fn start_of(&self, node: NodeId) -> Option<usize> {
        self.starts.get(usize::from(node)).filter(|at| **at != NOWHERE).map(|at| *at as usize)
    }

    #[inline]
    fn start(&mut self, node: NodeId, at: usize) {
        if let Some(start) = self.starts.get_mut(usize::from(node)) {
            *start = u32::try_from(at).unwrap_or(NOWHERE);
        }
    }

    #[inline]
    fn expected(&self, behind: Behind) -> usize {
        self.next.get(behind.0).copied().map_or(0, usize::from)
    }

    fn learn(&mut self, behind: Behind, place: usize) {
        if let Some(next) = self.next.get_mut(behind.0) {
            *next = u8::try_from(place).unwrap_or(u8::MAX);
        }
    }
}

/// Walks the bytes of one record. `Err`: it is not plain JSON at that place, or needs a closer look; then
/// what the sink and `deviations` hold is of no use.
///
/// `order` is what was learned from earlier records along the same table.
pub(crate) fn read<S: Sink>(
    text: &str,
    table: &Table<S::Slot>,
    sink: &mut S,
    deviations: &mut Vec<Deviation>,
    order: &mut Order,
) -> Result<(), NotPlain> {
    order.fit(table);
    order.starts.fill(NOWHERE);
    let mut pass = Pass { table, sink, deviations, order, places: [0; 2], lists: 0 };
    let mut scan = Scan::new(text);
    pass.value(&mut scan, ROOT, 0)?;
    scan.skip_space();
    if scan.at() == text.len() { Ok(()) } else { scan.not_plain() }
}

struct Pass<'a, S: Sink> {
    table: &'a Table<S::Slot>,
    sink: &'a mut S,
    deviations: &'a mut Vec<Deviation>,
    order: &'a mut Order,
    places: [u32; 2],
    /// How many lists are open.
    lists: usize,
}

impl<'a, S: Sink> Pass<'a, S> {
    #[inline(never)]
    fn note(&mut self, what: What, node: NodeId, at: usize) {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.deviations.push(Deviation { at, node, what, places: self.places });
    }

    #[inline]
    fn value(&mut self, scan: &mut Scan<'_>, id: NodeId, depth: usize) -> Result<(), NotPlain> {
        scan.skip_space();
        let table = self.table;
        let Some(node) = table.get(id) else { return scan.not_plain() };
        let slot = node.slot;
        let first = scan.peek().unwrap_or_default();
        let at = scan.at();
        self.order.start(id, at);
        match &node.is {
            Type::Text | Type::Lines if first == b'"' => self.sink.text(slot, scan.text()?),
            Type::Choice(words) if first == b'"' => {
                let text = scan.text()?;
                if !words.iter().any(|word| text.is(word)) {
                    self.note(What::Enum, id, at);
                }
                self.sink.text(slot, text);
            }
            Type::Pattern((_, is_match)) if first == b'"' => {
                let text = scan.text()?;
                if !is_match(&text.decode()) {
                    self.note(What::Pattern, id, at);
                }
                self.sink.text(slot, text);
            }
            Type::Time if first == b'"' => {
                let time = datetime::read(&scan.text()?.decode());
                if time.is_none_or(|time| time.form != Form::Full) {
                    self.note(What::Format(time.map(|time| time.form)), id, at);
                }
                if let Some(time) = time {
                    self.sink.time(slot, time);
                }
            }
            Type::Integer(min, max) | Type::Number(min, max)
                if matches!(first, b'-' | b'0'..=b'9') =>
            {
                let (value, lexeme) = scan.value_of_number()?;
                let is_whole = value.fract() == 0.0 || matches!(node.is, Type::Number(..));
                if is_whole && value.is_finite() && *min <= value && value <= *max {
                    self.sink.number(slot, value, Some(lexeme));
                } else {
                    self.odd_number(id, (at, value, lexeme));
                }
            }
            Type::Flag if matches!(first, b't' | b'f') => {
                self.sink.flag(slot, scan.word()? == "true");
            }
            Type::Object { first: members, len, is_open, required } if first == b'{' => {
                let members = table.members_of(*members, *len);
                self.object(scan, id, (members, *is_open, *required), depth)?;
                let list = self.lists.checked_sub(1).and_then(|level| self.places.get(level));
                self.sink.close(slot, list.copied().unwrap_or_default());
            }
            Type::List(item) if first == b'[' => self.list(scan, slot, *item, depth)?,
            Type::Any => scan.skip_unrepeated(depth)?,
            _ => self.mistyped(scan, id, depth)?,
        }
        Ok(())
    }

    fn list(
        &mut self,
        scan: &mut Scan<'_>,
        slot: S::Slot,
        item: NodeId,
        depth: usize,
    ) -> Result<(), NotPlain> {
        let level = self.lists;
        self.lists += 1;
        let mut count = 0;
        let mut goes_on = scan.open(*b"[]", depth)?;
        while goes_on {
            if let Some(place) = self.places.get_mut(level) {
                *place = u32::try_from(count).unwrap_or(u32::MAX);
            }
            count += 1;
            self.value(scan, item, depth + 1)?;
            goes_on = scan.goes_on(b']')?;
        }
        self.lists = level;
        self.sink.list(slot, count);
        Ok(())
    }

    fn object<'t>(
        &mut self,
        scan: &mut Scan<'t>,
        id: NodeId,
        (members, is_open, required): (&'a [Known], bool, u64),
        depth: usize,
    ) -> Result<(), NotPlain> {
        let start = scan.at();
        let (mut seen, mut behind) = (0_u64, Behind::brace(id));
        // Most objects have none.
        let mut unknown: Option<Names<'t>> = None;
        let mut goes_on = scan.open(*b"{}", depth)?;
        while goes_on {
            scan.skip_space();
            let mut index = self.order.expected(behind);
            if !members.get(index).is_some_and(|member| scan.take_name(&member.quoted)) {
                let (name_at, name) = scan.name()?;
                scan.expect(b':')?;
                let Some(known) = members.iter().position(|member| name.is(&member.name)) else {
                    if !unknown.get_or_insert_default().insert(name.decode()) {
                        return scan.not_plain();
                    }
                    if !is_open {
                        self.note(What::Unknown, id, name_at);
                    }
                    scan.skip_unrepeated(depth + 1)?;
                    goes_on = scan.goes_on(b'}')?;
                    continue;
                };
                self.order.learn(behind, known);
                index = known;
            }
            let bit = 1_u64.checked_shl(u32::try_from(index).unwrap_or(u32::MAX)).unwrap_or(0);
            let Some(member) = members.get(index).filter(|_| seen & bit == 0) else {
                // The last one wins, and people want to know.
                return scan.not_plain();
            };
            seen |= bit;
            behind = Behind::member(member.node);
            self.value(scan, member.node, depth + 1)?;
            goes_on = scan.goes_on(b'}')?;
        }
        let mut missing = required & !seen;
        while missing != 0 {
            let place = u8::try_from(missing.trailing_zeros()).unwrap_or(u8::MAX);
            self.note(What::Required(place), id, start);
            missing &= missing - 1;
        }
        Ok(())
    }

    /// A number that its table does not allow.
    #[cold]
    #[inline(never)]
    fn odd_number(&mut self, id: NodeId, (at, value, lexeme): (usize, f64, &str)) {
        let Some(node) = self.table.get(id) else { return };
        let slot = node.slot;
        let (is_integer, min, max) = match &node.is {
            Type::Integer(min, max) => (true, *min, *max),
            Type::Number(min, max) => (false, *min, *max),
            _ => return,
        };
        if !value.is_finite() {
            // No double holds it: it is no number that anybody could use.
            return self.note(What::Type(Reading::NullAsAbsent), id, at);
        }
        let mut is_used = true;
        if is_integer && value.fract() != 0.0 {
            is_used = self.sink.drops_fraction(slot);
            let reading = if is_used { Reading::FractionDropped } else { Reading::Not };
            self.note(What::Type(reading), id, at);
        }
        if value < min {
            self.note(What::Minimum, id, at);
        }
        if value > max {
            self.note(What::Maximum, id, at);
        }
        if is_used {
            self.sink.number(slot, value, Some(lexeme));
        }
    }

    /// A value of another type: read if its meaning is plain, else passed over.
    #[cold]
    #[inline(never)]
    fn mistyped(&mut self, scan: &mut Scan<'_>, id: NodeId, depth: usize) -> Result<(), NotPlain> {
        let at = scan.at();
        let Some(node) = self.table.get(id) else { return scan.not_plain() };
        let slot = node.slot;
        let reading = match (&node.is, scan.peek()) {
            (_, Some(b'n')) => {
                scan.word()?;
                Reading::NullAsAbsent
            }
            (Type::Lines, Some(b'[')) => {
                let lines = lines(scan, depth)?;
                self.sink.text(slot, Text::plain(&lines));
                return Ok(());
            }
            (Type::Text | Type::Lines | Type::Pattern(_), Some(b'-' | b'0'..=b'9')) => {
                let number = tree::number(scan.number()?);
                if number.is_null() {
                    Reading::NullAsAbsent
                } else {
                    self.sink.text(slot, Text::plain(&write::value(&number)));
                    Reading::NumberAsText
                }
            }
            (Type::Integer(..) | Type::Number(..), Some(b'"')) => {
                let text = scan.text()?;
                self.number_of_text(id, &text.decode())
            }
            (Type::Flag, Some(b'"')) => {
                let text = scan.text()?.decode();
                match text.trim().parse() {
                    Ok(flag) => {
                        self.sink.flag(slot, flag);
                        Reading::TextAsFlag
                    }
                    Err(_) => Reading::Not,
                }
            }
            (Type::List(item), Some(b'"')) => {
                let text = scan.text()?;
                match self.table.get(*item) {
                    Some(item) if matches!(item.is, Type::Text) => {
                        self.sink.text(item.slot, text);
                        self.sink.list(slot, 1);
                        Reading::TextAsList
                    }
                    _ => Reading::Not,
                }
            }
            _ => {
                scan.skip_unrepeated(depth)?;
                Reading::Not
            }
        };
        self.note(What::Type(reading), id, at);
        if matches!(node.is, Type::Choice(_)) {
            self.note(What::Enum, id, at);
        }
        Ok(())
    }

    fn number_of_text(&mut self, id: NodeId, text: &str) -> Reading {
        let Some(node) = self.table.get(id) else { return Reading::Not };
        if self.sink.knows_word(node.slot, text) {
            self.sink.text(node.slot, Text::plain(text));
            return Reading::WordAsNumber;
        }
        // An integer must be a bare number. Any other number may be written as a percentage or a ratio.
        let is_count = matches!(node.is, Type::Integer(..));
        match numeric::read(text).filter(|n| n.value.is_finite()) {
            Some(n)
                if !is_count
                    || (n.scale.is_none()
                        && (n.value.fract() == 0.0 || self.sink.drops_fraction(node.slot))) =>
            {
                self.sink.number(node.slot, n.value, None);
                Reading::TextAsNumber
            }
            _ => Reading::Not,
        }
    }
}

/// The texts and numbers of a list, a line each.
fn lines(scan: &mut Scan<'_>, depth: usize) -> Result<String, NotPlain> {
    let mut lines: Vec<String> = Vec::new();
    scan.items(depth, |scan, depth| {
        scan.skip_space();
        match scan.peek() {
            Some(b'"') => lines.push(scan.text()?.decode().into_owned()),
            Some(b'-' | b'0'..=b'9') => {
                let number = tree::number(scan.number()?);
                lines.extend((!number.is_null()).then(|| write::value(&number)));
            }
            _ => scan.skip_unrepeated(depth)?,
        }
        Ok(())
    })?;
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::shape::{Kind, Member, Shape, may, must};

    const MEMBERS: &[Member<u8>] =
        &[must("a", Kind::Text, 1), must("ab", Kind::Text, 2), may("abc", Kind::Text, 3)];

    /// What stands where.
    #[derive(Default)]
    struct Texts(Vec<(u8, String)>);

    impl Sink for Texts {
        type Slot = u8;

        fn text(&mut self, slot: u8, text: Text<'_>) {
            self.0.push((slot, text.decode().into_owned()));
        }
        fn time(&mut self, _: u8, _: Time) {}
        fn number(&mut self, _: u8, _: f64, _: Option<&str>) {}
        fn flag(&mut self, _: u8, _: bool) {}
        fn close(&mut self, _: u8, _: u32) {}
        fn list(&mut self, _: u8, _: usize) {}
        fn drops_fraction(&self, _: u8) -> bool {
            false
        }
        fn knows_word(&self, _: u8, _: &str) -> bool {
            false
        }
    }

    #[test]
    fn a_number_that_no_double_holds_is_none() {
        const NUMBER: &[Member<u8>] = &[may("n", Kind::Number, 1)];
        let table = Table::of_shape(&Shape { is_open: false, members: NUMBER }, 0);
        for (json, expected) in [
            (r#"{"n":1e400}"#, Some(What::Type(Reading::NullAsAbsent))),
            (r#"{"n":-1e400}"#, Some(What::Type(Reading::NullAsAbsent))),
            (r#"{"n":1e300}"#, None),
        ] {
            let mut deviations = Vec::new();
            let order = &mut Order::default();
            read(json, &table, &mut Texts::default(), &mut deviations, order).expect("plain");
            assert_eq!(deviations.first().map(|d| d.what), expected, "{json}");
        }
    }

    /// What was learned from other records changes nothing but the time that is taken.
    #[test]
    fn members_are_known_in_any_order() {
        let table = Table::of_shape(&Shape { is_open: false, members: MEMBERS }, 0);
        let read = |json: &str, order: &mut Order| {
            let (mut texts, mut deviations) = (Texts::default(), Vec::new());
            let read = read(json, &table, &mut texts, &mut deviations, order);
            let what: Vec<What> = deviations.iter().map(|d| d.what).collect();
            (read.is_ok(), texts.0, what)
        };
        let records = [
            r#"{"a":"1","ab":"2","abc":"3"}"#,
            r#"{"abc":"3","ab":"2","a":"1"}"#,
            r#"{"ab" : "2","a":"1","other":"4"}"#,
            r#"{"\u0061":"1","abc":"3"}"#,
            r#"{"a":"1","ab":"2","a":"1"}"#,
            "{}",
        ];
        for first in records {
            for second in records {
                let mut order = Order::default();
                let _ = read(first, &mut order);
                let learned = read(second, &mut order);
                assert_eq!(learned, read(second, &mut Order::default()), "{second} after {first}");
            }
        }
        let mut order = Order::default();
        let (is_read, texts, deviations) = read(records[2], &mut order);
        assert!(is_read);
        assert_eq!(texts, [(2, "2".to_owned()), (1, "1".to_owned())]);
        assert_eq!(deviations, [What::Unknown]);
        assert_eq!(order.expected(Behind::brace(ROOT)), 1, "the order was learned");
    }
}
