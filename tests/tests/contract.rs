//! One vocabulary, three spellings: Rust, TypeScript and WIT have the same codes, words and
//! members.
//!
//! The three are read as text. They are written in a plain way, and a test that needed a parser
//! for each would be the larger risk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use hindscope::ErrorCode;
use hindscope_tests::root;

/// Types whose members are the same in all three. The Rust name, which is also that of TypeScript.
const EVERYWHERE: [&str; 13] = [
    "Entry",
    "Evidence",
    "Finding",
    "GroupView",
    "IterationView",
    "MemoryMetadata",
    "ReflectionRef",
    "RunColumns",
    "RunView",
    "SourceView",
    "Span",
    "StoredDeltas",
    "WindowView",
];

/// Types that cross to the component as JSON text.
const AS_TEXT: [&str; 9] = [
    "Action",
    "Check",
    "Counter",
    "Details",
    "ErrorDetails",
    "NamedText",
    "RecordedWindow",
    "Reflection",
    "RewardView",
];

/// Words, in their order.
const WORDS: [&str; 8] =
    ["Outcome", "Severity", "Verdict", "SourceState", "Origin", "Profile", "Policy", "Layout"];

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rust() -> String {
    let mut all = String::new();
    collect(&root().join("core/src"), &mut all);
    all
}

fn collect(folder: &Path, all: &mut String) {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the core lies there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, all);
        } else {
            all.push_str(&fs::read_to_string(&path).expect("sources are text"));
        }
    }
}

/// All files of types, which index.d.ts hands on.
fn types() -> String {
    let folder = root().join("core/js/npm");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the package lies there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.to_string_lossy().ends_with(".d.ts"))
        .collect();
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).expect("types are text"));
    texts.collect::<Vec<_>>().join("\n")
}

fn wit() -> String {
    text("wit/types.wit")
}

/// What stands between the braces after `head`, which is followed by them and not by the rest of
/// a longer name.
fn body<'a>(text: &'a str, head: &str) -> Option<&'a str> {
    let rest = text
        .match_indices(head)
        .map(|(at, head)| &text[at + head.len()..])
        .find(|rest| rest.starts_with([' ', '<']))?;
    let open = rest.find('{')?;
    let mut depth = 0;
    for (index, c) in rest[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(&rest[open + 1..open + index]),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Members in their order, each with whether it may be absent.
type Members = Vec<(String, bool)>;

/// Members of a struct, as serde spells them: optional is what it may leave out.
fn rust_members(all: &str, name: &str) -> Members {
    let head = format!("pub struct {name}");
    let body = body(all, &head).unwrap_or_else(|| panic!("no struct {name}"));
    let is_snake = !serde_attribute(all, &head).contains("camelCase");
    let mut members = Members::new();
    let (mut renamed, mut skipped) = (None, false);
    for line in body.lines().map(str::trim) {
        if line.starts_with("#[serde(") {
            skipped |= line.contains("skip_serializing_if");
            renamed = line
                .split_once("rename = \"")
                .and_then(|(_, rest)| rest.split_once('"'))
                .map(|(name, _)| name.to_owned());
        } else if let Some((name, _)) =
            line.strip_prefix("pub ").and_then(|rest| rest.split_once(':'))
        {
            let name = renamed
                .take()
                .unwrap_or_else(|| if is_snake { name.to_owned() } else { camel(name) });
            members.push((name, std::mem::take(&mut skipped)));
        }
    }
    members
}

/// The attributes right above a declaration.
fn serde_attribute<'a>(all: &'a str, head: &str) -> &'a str {
    let before = &all[..all.find(head).expect("it was found before")];
    &before[before.rfind("\n\n").unwrap_or(0)..]
}

fn type_members(all: &str, name: &str) -> Members {
    let body = body(all, &format!("export interface {name}"))
        .unwrap_or_else(|| panic!("no interface {name}"));
    body.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with(['*', '/']))
        .filter_map(|line| line.split_once(':'))
        .map(|(name, _)| match name.strip_suffix('?') {
            Some(name) => (name.to_owned(), true),
            None => (name.to_owned(), false),
        })
        .collect()
}

fn wit_members(all: &str, name: &str) -> Members {
    let body = body(all, &format!("record {}", kebab(name)))
        .unwrap_or_else(|| panic!("no record {}", kebab(name)));
    body.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("///"))
        .filter_map(|line| line.split_once(':'))
        .map(|(name, kind)| {
            (name.trim_start_matches('%').to_owned(), kind.trim().starts_with("option<"))
        })
        .collect()
}

/// `run_id` and `run-id` as `runId`.
fn camel(name: &str) -> String {
    let mut camel = String::new();
    let mut is_start = false;
    for c in name.chars() {
        match c {
            '_' | '-' => is_start = true,
            c if is_start => {
                camel.push(c.to_ascii_uppercase());
                is_start = false;
            }
            c => camel.push(c),
        }
    }
    camel
}

/// `RunView` and `run_view` as `run-view`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(if c == '_' { '-' } else { c.to_ascii_lowercase() });
    }
    kebab
}

#[test]
fn members_are_the_same() {
    let (rust, types, wit) = (rust(), types(), wit());
    for name in EVERYWHERE.into_iter().chain(AS_TEXT) {
        // Columns are no serde type: the faces build them from slices.
        let in_rust: Members =
            rust_members(&rust, name)
                .into_iter()
                .map(|(member, optional)| {
                    if name == "RunColumns" {
                        (camel(&member), optional)
                    } else {
                        (member, optional)
                    }
                })
                .collect();
        assert!(!in_rust.is_empty(), "no members of {name} in Rust");
        let mut sorted = type_members(&types, name);
        let mut expected = in_rust.clone();
        // RunColumns lists its series in the order of each language's habit.
        sorted.sort();
        expected.sort();
        assert_eq!(sorted, expected, "{name}: TypeScript and Rust");
        if EVERYWHERE.contains(&name) {
            let in_wit: BTreeMap<_, _> = wit_members(&wit, name).into_iter().collect();
            let expected: BTreeMap<_, _> = in_rust
                .iter()
                // WIT has no absent lists.
                .map(|(member, optional)| {
                    (kebab(member), *optional && !is_list(&rust, name, member))
                })
                .collect();
            assert_eq!(in_wit, expected, "{name}: WIT and Rust");
        }
    }
}

fn is_list(rust: &str, name: &str, member: &str) -> bool {
    body(rust, &format!("pub struct {name}"))
        .expect("it was found before")
        .lines()
        .map(str::trim)
        .filter_map(|line| line.strip_prefix("pub ")?.split_once(':'))
        .any(|(field, kind)| camel(field) == member && kind.trim().starts_with("Vec<"))
}

#[test]
fn validation_is_the_same() {
    // Its findings are always listed, in all three.
    let expected: Members =
        ["valid", "verdict", "findings"].map(|name| (name.to_owned(), false)).to_vec();
    assert_eq!(rust_members(&rust(), "Validation"), expected);
    assert_eq!(type_members(&types(), "Validation"), expected);
    assert_eq!(wit_members(&wit(), "Validation"), expected);
}

fn rust_words(all: &str, name: &str) -> Vec<String> {
    body(all, &format!("pub enum {name}"))
        .unwrap_or_else(|| panic!("no enum {name}"))
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with(['/', '#']) && !line.is_empty())
        .map(|line| kebab(line.trim_end_matches(',')))
        .collect()
}

fn type_words(all: &str, name: &str) -> Vec<String> {
    let head = format!("export type {name} =");
    let start = all.find(&head).unwrap_or_else(|| panic!("no type {name}")) + head.len();
    let end = start + all[start..].find(';').expect("it ends");
    quoted(&all[start..end])
}

fn quoted(text: &str) -> Vec<String> {
    text.split('\'').skip(1).step_by(2).map(str::to_owned).collect()
}

fn wit_words(all: &str, name: &str) -> Vec<String> {
    body(all, &format!("enum {}", kebab(name)))
        .unwrap_or_else(|| panic!("no enum {}", kebab(name)))
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("///") && !line.is_empty())
        .map(|line| line.trim_start_matches('%').trim_end_matches(',').to_owned())
        .collect()
}

#[test]
fn words_are_the_same() {
    let (rust, types, wit) = (rust(), types(), wit());
    for name in WORDS {
        let words = rust_words(&rust, name);
        assert!(!words.is_empty(), "no words of {name} in Rust");
        // A policy is spelled as the record spells it, and WIT has no underscores.
        let in_types: Vec<_> =
            type_words(&types, name).iter().map(|w| w.replace('_', "-")).collect();
        assert_eq!(in_types, words, "{name}: TypeScript and Rust");
        assert_eq!(wit_words(&wit, name), words, "{name}: WIT and Rust");
    }
    // Scales only occur in details, which cross as text.
    assert_eq!(type_words(&types, "Scale"), rust_words(&rust, "Scale"));
    assert_eq!(wit_words(&wit, "More"), rust_words(&rust, "More"));
}

#[test]
fn codes_of_outcomes_are_their_positions() {
    let words = rust_words(&rust(), "Outcome");
    let api = text("core/js/npm/api.mjs");
    for (what, text) in [("api.mjs", &api), ("the types", &types())] {
        let line = text
            .lines()
            .find(|line| line.starts_with("export const OUTCOMES"))
            .unwrap_or_else(|| panic!("{what} has no OUTCOMES"));
        assert_eq!(quoted(line), words, "{what}");
    }
}

#[test]
fn error_codes_are_the_same() {
    let codes = ErrorCode::ALL.map(ErrorCode::as_str);
    let types = types();
    assert_eq!(type_words(&types, "CoreErrorCode"), codes, "TypeScript");
    assert_eq!(wit_words(&wit(), "ErrorCode"), codes, "WIT");

    let faces = type_words(&types, "FaceErrorCode");
    let module = text("core/js/npm/error.mjs");
    let line = module.lines().find(|line| line.contains("FACE_CODES")).expect("it lists them");
    assert_eq!(quoted(line), faces, "error.mjs");
    assert!(faces.iter().all(|face| !codes.contains(&face.as_str())), "a code twice");
}

/// Every code that the package's scripts throw is one that its types know.
#[test]
fn scripts_throw_known_codes_only() {
    let types = types();
    let mut known: BTreeSet<String> = type_words(&types, "CoreErrorCode").into_iter().collect();
    known.extend(type_words(&types, "FaceErrorCode"));
    let mut throwing = 0;
    for entry in fs::read_dir(root().join("core/js/npm")).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_none_or(|extension| extension != "mjs") {
            continue;
        }
        let script = fs::read_to_string(&path).expect("scripts are text");
        throwing += usize::from(script.contains("new HindscopeError("));
        for (_, rest) in script
            .match_indices("new HindscopeError(")
            .map(|(at, head)| (at, &script[at + head.len()..]))
        {
            let Some(code) = rest.strip_prefix('\'').and_then(|rest| rest.split('\'').next())
            else {
                // `no-such-${what}`: the ids of sources, records, runs and iterations.
                assert!(rest.starts_with("`no-such-${what}`"), "{file}: {}", &rest[..40]);
                continue;
            };
            assert!(known.contains(code), "{file} throws {code}");
        }
    }
    assert!(throwing >= 5, "only {throwing} scripts throw");
}

/// The package carries the version of the workspace, and WIT the same.
#[test]
fn versions_are_the_same() {
    let version = env!("CARGO_PKG_VERSION");
    let package: serde_json::Value =
        serde_json::from_str(&text("core/js/npm/package.json")).expect("it is JSON");
    assert_eq!(package["version"], version);
    for file in ["types.wit", "api.wit", "world.wit"] {
        let wit = text(&format!("wit/{file}"));
        let package = format!("package hindscope:reflections@{version};");
        assert!(wit.contains(&package), "{file} does not say `{package}`");
    }
}
