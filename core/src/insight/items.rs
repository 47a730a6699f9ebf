//! Lessons as items that can be compared, and the names that stand in them.

use std::collections::BTreeSet;

use crate::model::details::Reflection;
use crate::sketch::word_set;
use crate::text::norm;

/// One lesson of a reflection.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) text: String,
    pub(super) norm: String,
    /// Its distinct words.
    pub(super) words: Vec<u32>,
    /// Whether the record gives it as a lesson or insight; else it is a sentence of the text.
    pub(super) is_declared: bool,
}

impl Item {
    pub(super) fn new(text: &str, is_declared: bool) -> Option<Self> {
        let norm = norm(text);
        let words = word_set(&norm);
        let text = text.trim().to_owned();
        (!norm.is_empty()).then_some(Self { text, norm, words, is_declared })
    }
}

/// Lessons and insights; without either the sentences of the text. Each once.
pub(super) fn items_of(reflection: &Reflection) -> Vec<Item> {
    let mut items: Vec<_> =
        reflection.declared().filter_map(|text| Item::new(text, true)).collect();
    if items.is_empty() {
        items = sentences(&reflection.text).filter_map(|text| Item::new(text, false)).collect();
    }
    let mut seen = BTreeSet::new();
    items.retain(|item| seen.insert(item.norm.clone()));
    items
}

/// Ends at `.`, `!` or `?` before white space, and at the end of a line.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut marks = rest.match_indices(['.', '!', '?']);
            let end = marks.find_map(|(at, mark)| {
                let end = at + mark.len();
                rest.get(end..)?.starts_with(char::is_whitespace).then_some(end)
            });
            let (sentence, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            Some(sentence)
        })
    })
}

/// Shorter identifiers are words.
const NAME_LEN: usize = 4;

/// `names(text)` of `credit/uptake`: what in a text can only mean something in the code.
pub(super) fn names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '/' | '\\' | '-');
    let mut at = 0;
    while let Some(start) = text[at..].find(is_part).map(|n| at + n) {
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |n| start + n);
        let after = text[end..].chars().next();
        let has_ticks = text[..start].ends_with('`') && after == Some('`');
        collect(&text[start..end], after == Some('('), has_ticks, &mut names);
        at = end;
    }
    names
}

/// Names in a stretch without spaces.
fn collect(stretch: &str, is_called: bool, has_ticks: bool, names: &mut BTreeSet<String>) {
    let stretch = stretch.trim_end_matches(['.', ':', '-', '/']);
    let place = stretch.rsplit(['/', '\\']).next().unwrap_or(stretch);
    // `src/a.rs:12` names a.rs.
    let file = place.split(':').next().unwrap_or(place);
    if is_file(file) {
        names.insert(file.to_lowercase());
    }
    for token in stretch.split(['/', '\\', '-']).flat_map(between_colons) {
        let is_last = stretch.ends_with(token);
        let token = token.trim_matches([':', '.']);
        let parts: Vec<_> = token.split([':', '.']).filter(|p| !p.is_empty()).collect();
        keep(token, parts.len() > 1, names);
        for (i, part) in parts.iter().enumerate() {
            let ends = is_last && i + 1 == parts.len();
            keep(part, is_marked(part) || (ends && is_called) || has_ticks, names);
        }
    }
}

/// Cuts at `:` and keeps `::`.
fn between_colons(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let is_single =
            |at: &usize| !text[..*at].ends_with(':') && !text[at + 1..].starts_with(':');
        let cut = text.match_indices(':').map(|(at, _)| at).find(is_single);
        rest = cut.map(|at| &text[at + 1..]);
        Some(cut.map_or(text, |at| &text[..at]))
    })
}

fn keep(token: &str, is_name: bool, names: &mut BTreeSet<String>) {
    let starts = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_name && starts && token.chars().count() >= NAME_LEN {
        names.insert(token.to_owned());
    }
}

/// `insert_key`, `insertKey`.
fn is_marked(token: &str) -> bool {
    let has_inner = token.chars().skip(1).any(char::is_uppercase);
    let has_small = token.chars().any(char::is_lowercase);
    token.trim_matches('_').contains('_') || (has_inner && has_small)
}

/// A name with an extension: letters after a point.
fn is_file(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
            && (1..=5).contains(&extension.len())
            && name.len() >= NAME_LEN
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_lessons_are_cut_into_sentences() {
        let of = |text: &str| {
            let reflection = Reflection { text: text.to_owned(), ..Reflection::default() };
            items_of(&reflection).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        assert_eq!(
            of("Check v1.2 first. Then retry!\nName units"),
            ["Check v1.2 first.", "Then retry!", "Name units"]
        );
        assert_eq!(of(" . ? "), [""; 0]);
    }

    #[test]
    fn names_are_files_and_identifiers() {
        let of = |text: &str| names(text).into_iter().collect::<Vec<_>>();
        assert_eq!(of("Normalise in insert_key() too"), ["insert_key"]);
        assert_eq!(of("see src/Cache.rs:12 and insertKey"), ["Cache.rs", "cache.rs", "insertKey"]);
        assert_eq!(of("call retry( and `wait` but not turn"), ["retry", "wait"]);
        assert_eq!(of("std::mem::take and self.cache"), ["self.cache", "std::mem::take"]);
        assert_eq!(of("Take the mug from the desk, e.g. desk 1. Then 1.2.3"), [""; 0]);
    }
}
