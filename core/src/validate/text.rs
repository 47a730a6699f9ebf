//! Text to a tree: problems of the text itself become findings, problems of the values in it get
//! their places.

use crate::sort::StableSort as _;

use super::labels::cut;
use crate::json::places::offsets_of;
use crate::json::scan::Scan;
use crate::json::tree::{Kind, Repair, Tree, Unreadable};
use crate::model::finding::{Finding, Severity};
use crate::source::Chunk;
use crate::source::framing::Content;
use crate::source::position::{Position, Ruler};

/// A text that deviates is parsed up to this, in bytes: a parsed value takes many times the space
/// of its text.
pub(crate) const MAX_TREE_LEN: usize = 32 << 20;

/// Reads a text with tolerance, and reports its problems. Nothing: it is no value.
pub(crate) fn read(
    chunk: &Chunk<'_>,
    content: Content,
    findings: &mut Vec<Finding>,
) -> Option<Tree> {
    let mut ruler = chunk.ruler();
    let text = chunk.text;
    if chunk.is_lossy() {
        findings.push(lossy(text, &mut ruler));
    }
    let is_cut = content == Content::CutValue;
    let tree = match tree_of(text, is_cut) {
        Ok(tree) => {
            findings.extend(tree.repairs.iter().map(|repair| of_repair(&mut ruler, repair)));
            Some(tree)
        }
        Err(unreadable) => {
            findings.push(of_unreadable(&mut ruler, content, &unreadable));
            None
        }
    };
    findings.stable_sort_by_key(|f| f.offset);
    tree
}

fn tree_of(text: &str, may_close: bool) -> Result<Tree, Box<Unreadable>> {
    if text.len() > MAX_TREE_LEN {
        let limit = MAX_TREE_LEN >> 20;
        return Err(Box::new(Unreadable {
            rule: "size/record",
            at: 0,
            expected: format!("at most {limit} MiB"),
            found: format!("{} bytes", text.len()),
            message: format!(
                "more than {limit} MiB, the limit for a record that has to be parsed as a whole"
            ),
        }));
    }
    let tree = Tree::read(text, may_close)?;
    let rest = text.get(tree.end..).unwrap_or_default();
    match rest.trim_start().chars().next() {
        None => Ok(tree),
        Some(c) => Err(Box::new(Unreadable {
            rule: "json/syntax",
            at: text.len() - rest.trim_start().len(),
            expected: "the end of the text".to_owned(),
            found: format!("`{}`", c.escape_debug()),
            message: format!("expected the end of the text, found `{}`", c.escape_debug()),
        })),
    }
}

/// Whether something was repaired that JSON itself does not allow.
pub(crate) fn is_broken(findings: &[Finding]) -> bool {
    findings.iter().any(|f| {
        (f.rule.starts_with("json/")
            && f.rule != "json/duplicate-key"
            && f.rule != "json/lone-surrogate")
            || f.rule == "text/invalid-utf8"
    })
}

/// A finding, and the pointer of the value where it stands.
pub(crate) type At = (String, Finding);

/// Gives findings about values their places in a text, and puts them in its order.
///
/// What a repair already spoke of is not reported a second time: `NaN` became null, and no reader wrote
/// that null.
pub(crate) fn place(chunk: &Chunk<'_>, tree: &Tree, about: Vec<At>) -> Vec<Finding> {
    let mut wanted: Vec<&str> = about.iter().map(|(at, _)| at.as_str()).collect();
    wanted.stable_sort_by(Ord::cmp);
    wanted.dedup();
    let nodes = tree.nodes_at(&wanted);
    let lexemes = nodes.iter().flatten().filter_map(|node| match &node.kind {
        Kind::Number(lexeme) => Some((node.start, lexeme.as_str())),
        _ => None,
    });
    let mut lexemes: Vec<(usize, &str)> = lexemes.collect();
    lexemes.stable_sort_by_key(|lexeme| lexeme.0);
    let not_finite = tree.repairs.iter().filter(|r| r.rule == "json/non-finite");
    let mut replaced: Vec<usize> = not_finite.map(|r| r.at).collect();
    replaced.stable_sort_by(Ord::cmp);
    let start_of = |at: &str| {
        let node = wanted.binary_search(&at).ok().and_then(|place| nodes[place]);
        node.map_or_else(|| tree.offset_of(at), |node| node.start)
    };
    let starts: Vec<usize> = about.iter().map(|(at, _)| start_of(at)).collect();
    let about = starts.into_iter().zip(about.into_iter().map(|(_, finding)| finding));
    let about = about.filter(|(start, f)| {
        !(replaced.binary_search(start).is_ok()
            && (f.rule.starts_with("strict/") || f.rule.starts_with("lenient/")))
    });
    placed_in_order(chunk, about.collect(), |start| {
        let place = lexemes.binary_search_by_key(&start, |lexeme| lexeme.0);
        place.ok().map(|place| lexemes[place].1)
    })
}

/// The same for a text that is plain JSON.
pub(crate) fn place_in_plain(chunk: &Chunk<'_>, about: Vec<At>) -> Vec<Finding> {
    let pointers: Vec<&str> = about.iter().map(|(at, _)| at.as_str()).collect();
    let starts = offsets_of(chunk.text, &pointers);
    let about = starts.into_iter().zip(about.into_iter().map(|(_, finding)| finding));
    let lexeme = |start| Scan::starting(chunk.text, start).number().ok();
    placed_in_order(chunk, about.collect(), lexeme)
}

/// Findings with the offsets of their values, in the order of the text. `lexeme` gives the number at an
/// offset: one that no double holds is null as a value, and is not null as text.
fn placed_in_order<'t>(
    chunk: &Chunk<'_>,
    mut about: Vec<(usize, Finding)>,
    lexeme: impl Fn(usize) -> Option<&'t str>,
) -> Vec<Finding> {
    about.stable_sort_by(|a, b| (a.0, &a.1.rule).cmp(&(b.0, &b.1.rule)));
    let mut ruler = chunk.ruler();
    about
        .into_iter()
        .map(|(start, mut finding)| {
            if finding.found.as_deref() == Some("null")
                && let Some(lexeme) = lexeme(start)
            {
                let lexeme = cut(lexeme);
                finding.message = finding.message.replace("found null", &format!("found {lexeme}"));
                finding.found = Some(lexeme);
            }
            set_place(&mut finding, ruler.place_of(start));
            finding
        })
        .collect()
}

/// Writes a place into a finding.
pub(crate) fn set_place(finding: &mut Finding, place: Position) {
    finding.line = Some(place.line);
    finding.column = Some(place.column);
    finding.offset = Some(place.offset);
}

fn placed(mut finding: Finding, place: Position) -> Finding {
    set_place(&mut finding, place);
    finding
}

pub(crate) fn lossy(text: &str, ruler: &mut Ruler<'_>) -> Finding {
    let count = text.matches(char::REPLACEMENT_CHARACTER).count();
    let places = if count == 1 { "place" } else { "places" };
    let at = text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0);
    let finding = Finding::new(
        "text/invalid-utf8",
        Severity::Warning,
        format!("Invalid UTF-8 is read as U+FFFD, which occurs in {count} {places}, first here."),
    );
    let finding =
        finding.contrast("UTF-8", "invalid bytes, read as U+FFFD").hint("Save the file as UTF-8.");
    placed(finding, ruler.place_of(at))
}

fn of_unreadable(ruler: &mut Ruler<'_>, content: Content, unreadable: &Unreadable) -> Finding {
    let is_above_limit = matches!(unreadable.rule, "json/too-deep" | "size/record");
    let (rule, severity) = match content {
        _ if is_above_limit => (unreadable.rule, Severity::Error),
        Content::LastLine => ("jsonl/truncated-last-line", Severity::Warning),
        Content::Line => ("jsonl/bad-line", Severity::Error),
        Content::CutValue => ("json/truncated", Severity::Warning),
        _ => (unreadable.rule, Severity::Error),
    };
    let hint = match content {
        Content::LastLine if !is_above_limit => {
            "The program that wrote the file was probably stopped. The record is skipped. Other records are read."
        }
        _ => "The record is skipped. Other records are read.",
    };
    let what = if is_above_limit { "The record is not read: it has" } else { "Not valid JSON:" };
    let message = format!("{what} {}.", unreadable.message);
    let finding = Finding::new(rule, severity, message)
        .contrast(unreadable.expected.as_str(), unreadable.found.as_str())
        .hint(hint);
    placed(finding, ruler.place_of(unreadable.at))
}

fn of_repair(ruler: &mut Ruler<'_>, repair: &Repair) -> Finding {
    // Names are people's; the rest are a few characters of JSON.
    let what = match repair.rule {
        "json/duplicate-key" => cut(&repair.what),
        _ => repair.what.clone(),
    };
    let (message, hint, expected, found) = match repair.rule {
        "json/duplicate-key" => (
            format!("Property `{what}` occurs twice. The last value is used."),
            "Write each property once.",
            "each property once",
            format!("another `{what}`"),
        ),
        "json/non-finite" => (
            format!("{what} is not a JSON number. The value is treated as missing."),
            "Write null, or omit the property.",
            "a JSON value",
            what,
        ),
        "json/trailing-comma" => (
            "There is a comma before the closing bracket. It is ignored.".to_owned(),
            "Remove the comma.",
            "a closing bracket",
            "a comma before it".to_owned(),
        ),
        "json/truncated" => (
            "The text ends inside the record. Everything up to the last complete element is read."
                .to_owned(),
            "The program that wrote the file was probably stopped.",
            "the rest of the record",
            "the end of the text".to_owned(),
        ),
        "json/control-char" => (
            format!("A string contains a raw control character ({what}). The character is kept."),
            "Write it as an escape sequence.",
            "an escape sequence",
            what,
        ),
        _ => (
            format!("{what} is half of a surrogate pair. It is read as U+FFFD."),
            "Write both halves of the pair.",
            "both halves of a surrogate pair",
            what,
        ),
    };
    let finding =
        Finding::new(repair.rule, Severity::Warning, message).contrast(expected, found).hint(hint);
    placed(finding, ruler.place_of(repair.at))
}
