//! Lists in an address: runs that are compared, headings that are closed.

use std::fmt::Write as _;

use super::{IN_LIST, decode, encode};
use crate::protocol::RunAddress;

/// What of an address is a list, or goes with one. Empty means the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    /// `runs`: those that are compared.
    pub(crate) runs: Vec<RunAddress>,
    /// `base`: the one that the others are measured against.
    pub(crate) base: Option<RunAddress>,
    /// `pair`: the two that are shown side by side, and `at`: the place in both.
    pub(crate) pair: Vec<RunAddress>,
    pub(crate) at: Option<i64>,
    /// `align`: by what they lie beside each other.
    pub(crate) align: Option<String>,
    /// `experiments`: labels of groups that are compared, with the first of them; all if there are none.
    pub(crate) experiments: Vec<String>,
    /// `attempts`: how many of each task count.
    pub(crate) attempts: Option<u32>,
    /// `action`: the action of an attempt that is looked at, from 1.
    pub(crate) action: Option<u32>,
    /// `closed`: headings whose runs are folded away.
    pub(crate) closed: Vec<String>,
}

impl Lists {
    /// Takes a part of an address, or says that it knows no such part.
    pub(super) fn read(&mut self, name: &str, raw: &str) -> bool {
        let word = || Some(decode(raw)).filter(|word| !word.is_empty());
        match name {
            "runs" => self.runs = items(raw).map(run).collect(),
            "base" => self.base = items(raw).map(run).next(),
            "pair" => self.pair = items(raw).map(run).collect(),
            "at" => self.at = raw.parse().ok(),
            "align" => self.align = word(),
            "experiments" => self.experiments = items(raw).map(decode).collect(),
            "attempts" => self.attempts = raw.parse().ok().filter(|n| *n > 0),
            "action" => self.action = raw.parse().ok().filter(|at| *at > 0),
            "closed" => self.closed = raw.split(',').map(decode).collect(),
            _ => return false,
        }
        true
    }

    /// The parts of an address, encoded.
    pub(super) fn parts(&self) -> Vec<String> {
        let mut parts = Vec::new();
        let mut list = |name: &str, items: Vec<String>| {
            if !items.is_empty() {
                parts.push(format!("{name}={}", items.join(",")));
            }
        };
        list("runs", self.runs.iter().map(item).collect());
        list("base", self.base.iter().map(item).collect());
        list("pair", self.pair.iter().map(item).collect());
        let number = |value: Option<i64>| value.iter().map(i64::to_string).collect();
        list("at", number(self.at));
        let word = |word: &Option<String>| word.iter().map(|word| encode_item(word)).collect();
        list("align", word(&self.align));
        list("experiments", self.experiments.iter().map(|label| encode_item(label)).collect());
        list("attempts", self.attempts.iter().map(u32::to_string).collect());
        list("action", self.action.iter().map(u32::to_string).collect());
        list("closed", self.closed.iter().map(|title| encode_item(title)).collect());
        parts
    }
}

fn items(raw: &str) -> impl Iterator<Item = &str> {
    raw.split(',').filter(|item| !item.is_empty())
}

/// A run of a list: its key, and its group behind a semicolon where the key is not enough.
fn run(item: &str) -> RunAddress {
    let (key, group) = match item.split_once(';') {
        Some((key, group)) => (key, Some(decode(group))),
        None => (item, None),
    };
    RunAddress::new(decode(key), group)
}

fn item(run: &RunAddress) -> String {
    let mut text = encode_item(&run.key);
    if let Some(group) = &run.group {
        let _ = write!(text, ";{}", encode_item(group));
    }
    text
}

fn encode_item(text: &str) -> String {
    encode(text, IN_LIST)
}

#[cfg(test)]
mod tests {
    use super::super::{read, write};
    use super::*;

    #[test]
    fn lists_survive_both_ways() {
        for hash in [
            "#/compare?runs=a,b;logs%2Fx,c%2Cd&base=a&pair=a,b;logs%2Fx&at=-2&align=end",
            "#/compare?experiments=with%20memory,without&attempts=6",
            "#/runs?outcome=failure&closed=success,%20,",
            "#/run/task-7/attempt/2?action=14",
        ] {
            assert_eq!(write(&read(hash)), hash);
        }
        let place = read("#/compare?runs=a,b;g,c%2Cd");
        let keys: Vec<_> = place.query.lists.runs.iter().map(|run| run.key.as_str()).collect();
        assert_eq!(keys, ["a", "b", "c,d"]);
        assert_eq!(place.query.lists.runs[1].group.as_deref(), Some("g"));
        assert_eq!(read("#/compare?runs=,&at=x&action=0").query.lists, Lists::default());
    }
}
