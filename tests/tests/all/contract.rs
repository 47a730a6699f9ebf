//! One vocabulary, three spellings: Rust, TypeScript and WIT have the same codes, words and
//! members, where somebody writes them. What TypeScript declares of the core's data is made: `declarations.rs`.
//!
//! The three are read as text. They are written in a plain way, and a test that needed a parser
//! for each would be the larger risk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use hindscope::ErrorCode;
use hindscope_tests::root;

mod names;

use crate::{declarations, sources};
use names::{EVERYWHERE, MEMORY, OPTIONS, WORDS};

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rust() -> String {
    let text = |file: &PathBuf| fs::read_to_string(file).expect("sources are text");
    sources::files("core/src", &[".rs"]).iter().map(text).collect()
}

/// Folders of what programs import from the npm package.
const NPM: [&str; 5] = [
    "core/js/npm",
    "core/js/npm/contract",
    "core/js/npm/history",
    "core/js/npm/loop",
    "core/js/npm/memory",
];

/// All declarations of the npm package, of however many files.
fn types() -> String {
    NPM.map(|folder| together(folder, ".d.ts")).concat()
}

fn wit() -> String {
    together("wit", ".wit")
}

/// The files of a folder with this ending, sorted by name.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut files: Vec<String> = fs::read_dir(root().join(folder))
        .expect("the folder can be listed")
        .map(|entry| entry.expect("the folder can be listed").file_name().to_string_lossy().into())
        .filter(|name: &String| name.ends_with(ending))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} has no *{ending}");
    files
}

fn together(folder: &str, ending: &str) -> String {
    files(folder, ending).iter().map(|file| text(file)).collect()
}

/// Where `head` stands, followed by braces and not by the rest of a longer name.
fn declaration(text: &str, head: &str) -> Option<usize> {
    let mut places = text.match_indices(head).map(|(at, _)| at);
    places.find(|at| text[at + head.len()..].starts_with([' ', '<']))
}

/// What stands between the braces of a declaration.
fn body<'a>(text: &'a str, head: &str) -> Option<&'a str> {
    let rest = &text[declaration(text, head)? + head.len()..];
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
    // What serde does not know is spelled by the faces.
    let attributes = attributes(all, &head);
    let is_snake = attributes.contains("Serialize") && !attributes.contains("camelCase");
    let skips_none = attributes.contains("skip_serializing_none");
    let mut members = Members::new();
    let (mut renamed, mut skipped) = (None, false);
    for line in body.lines().map(str::trim) {
        if line.starts_with("#[serde(") {
            skipped |= line.contains("skip_serializing_if");
            renamed = line
                .split_once("rename = \"")
                .and_then(|(_, rest)| rest.split_once('"'))
                .map(|(name, _)| name.to_owned());
        } else if let Some((name, kind)) =
            line.strip_prefix("pub ").and_then(|rest| rest.split_once(": "))
        {
            skipped |= skips_none && kind.starts_with("Option<");
            let name = renamed
                .take()
                .unwrap_or_else(|| if is_snake { name.to_owned() } else { camel(name) });
            members.push((name, std::mem::take(&mut skipped)));
        }
    }
    members
}

/// The attributes right above a declaration.
fn attributes<'a>(all: &'a str, head: &str) -> &'a str {
    let before = &all[..declaration(all, head).expect("it was found before")];
    &before[before.rfind("\n\n").unwrap_or(0)..]
}

/// What TypeScript calls a type of Rust.
fn in_typescript(name: &str) -> &str {
    declarations::LONGER.iter().find(|(rust, _)| *rust == name).map_or(name, |(_, own)| own)
}

fn type_members(all: &str, name: &str) -> Members {
    let name = in_typescript(name);
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
    let (rust, wit) = (rust(), wit());
    for name in EVERYWHERE {
        let in_rust = rust_members(&rust, name);
        assert!(!in_rust.is_empty(), "no members of {name} in Rust");
        let in_wit: BTreeMap<_, _> = wit_members(&wit, name).into_iter().collect();
        let expected: BTreeMap<_, _> = in_rust
            .iter()
            // WIT has no absent lists.
            .map(|(member, optional)| (kebab(member), *optional && !is_list(&rust, name, member)))
            .collect();
        assert_eq!(in_wit, expected, "{name}: WIT and Rust");
    }
    // Its series are typed arrays in JavaScript, so they are declared by hand.
    let sorted = |members: Members| members.into_iter().collect::<BTreeSet<_>>();
    let columns = "RunColumns";
    assert_eq!(sorted(type_members(&types(), columns)), sorted(rust_members(&rust, columns)));
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
fn options_are_the_same() {
    let (rust, types, wit) = (rust(), types(), wit());
    let named = |members: Members| -> BTreeMap<String, bool> {
        members.into_iter().map(|(name, optional)| (camel(&name), optional)).collect()
    };
    let absent = |members: Members| -> BTreeMap<String, bool> {
        named(members).into_keys().map(|member| (member, true)).collect()
    };
    for name in OPTIONS {
        let expected = absent(rust_members(&rust, name));
        assert!(!expected.is_empty(), "no members of {name} in Rust");
        assert_eq!(expected, named(wit_members(&wit, name)), "{name}: WIT and Rust");
    }
    // A caller of a component says all of it.
    let keys = |members: Members| members.into_iter().map(|(name, _)| camel(&name));
    let pace = keys(rust_members(&rust, "Pace"));
    assert!(keys(wit_members(&wit, "Pace")).eq(pace), "Pace: WIT and Rust");
    // Its type depends on the kind of record, so it is declared by hand. JavaScript has dates of its own.
    let given: BTreeMap<_, _> = type_members(&types, "ValidateOptions")
        .into_iter()
        .map(|(name, is_optional)| (if name == "now" { "nowMs".into() } else { name }, is_optional))
        .collect();
    assert_eq!(given, absent(rust_members(&rust, "ValidateOptions")), "ValidateOptions");
}

#[test]
fn a_memory_is_the_same() {
    let (rust, types) = (rust(), types());
    for (name, own) in MEMORY {
        // The package's clock, and arguments of their own.
        let is_extra = |member: &str| ["now", "task", "loop", "query"].contains(&member);
        let names = |members: Members| -> BTreeSet<String> {
            members.into_iter().map(|(name, _)| name).filter(|name| !is_extra(name)).collect()
        };
        let expected = names(rust_members(&rust, name));
        assert!(!expected.is_empty(), "no members of {name}");
        if own.starts_with(char::is_lowercase) {
            // Calls of other things may have the name, too.
            let head = format!("{own}(");
            let has_all = |line: &str| expected.iter().all(|m| line.contains(&format!("{m}?: ")));
            let mut calls = types.lines().filter(|line| line.trim().starts_with(&head));
            assert!(calls.any(has_all), "no {own} has all of {expected:?}");
            continue;
        }
        assert_eq!(names(type_members(&types, own)), expected, "{own}");
    }
    // How it is read and written, to a component: as Rust has it.
    let wit = wit();
    for name in ["FolderNames", "MemoryFinding", "MemoryRead", "MemoryWrite"] {
        let names = |members: Members| -> BTreeSet<String> {
            members.into_iter().map(|(member, _)| kebab(&camel(&member))).collect()
        };
        assert_eq!(names(wit_members(&wit, name)), names(rust_fields(&rust, name)), "{name}: WIT");
    }
}

#[test]
fn validation_is_the_same() {
    // Its findings are always listed, in both.
    let expected: Members =
        ["valid", "usable", "findings"].map(|name| (name.to_owned(), false)).to_vec();
    assert_eq!(rust_members(&rust(), "Validation"), expected);
    assert_eq!(wit_members(&wit(), "Validation"), expected);
}

/// Words of an enum, or of one that `labels!` makes.
fn rust_words(all: &str, name: &str) -> Vec<String> {
    let word = |line: &str| {
        let (_, word) = line.trim().strip_suffix("\",")?.split_once(" = \"")?;
        Some(word.replace('_', "-"))
    };
    let made = |head: String| {
        all.match_indices(&format!("{head} {{")).find_map(|(start, _)| {
            let words: Vec<_> = body(&all[start..], &head)?.lines().filter_map(word).collect();
            // A variant of some other enum may have the name, too; it has no words.
            (!words.is_empty()).then_some(words)
        })
    };
    let of_several = || made(format!("\n    pub {name}"));
    if let Some(made) = made(format!("\n    {name}")).or_else(of_several) {
        return made;
    }
    body(all, &format!("pub enum {name}"))
        .unwrap_or_else(|| panic!("no enum {name}"))
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with(['/', '#']) && !line.is_empty())
        .map(|line| kebab(line.trim_end_matches(',')))
        .collect()
}

fn type_words(all: &str, name: &str) -> Vec<String> {
    let name = in_typescript(name);
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
    let (rust, wit) = (rust(), wit());
    for name in WORDS {
        let words = rust_words(&rust, name);
        assert!(!words.is_empty(), "no words of {name} in Rust");
        assert_eq!(wit_words(&wit, name), words, "{name}: WIT and Rust");
    }
}

#[test]
fn codes_of_outcomes_are_their_positions() {
    let words = rust_words(&rust(), "Outcome");
    let api = text("core/js/npm/history/api.mjs");
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
    assert_eq!(wit_words(&wit(), "ErrorCode"), codes, "WIT");

    let faces = type_words(&types(), "FaceErrorCode");
    let module = text("core/js/npm/error.mjs");
    let line = module.lines().find(|line| line.contains("FACE_CODES")).expect("it lists them");
    assert_eq!(quoted(line), faces, "error.mjs");
    assert!(faces.iter().all(|face| !codes.contains(&face.as_str())), "a code twice");
}

/// The loop: members and cases have the names of the core, and each step has its spelling.
#[test]
fn the_loop_is_the_same() {
    let (rust, wit) = (rust(), wit());
    let named = |members: Members| -> BTreeMap<String, bool> { members.into_iter().collect() };
    // Its structs spell as Rust does where snapshots keep them.
    let in_rust = |name| rust_fields(&rust, name).into_iter().collect::<BTreeMap<_, _>>();
    for name in ["BudgetLeft", "Coerced", "Coercion", "Failure", "Reply", "Step"] {
        let mut expected = in_rust(name);
        // A view of the state is asked for.
        expected.remove("view");
        assert_eq!(named(wit_members(&wit, name)), expected, "{name}");
    }
    for name in ["FailureKind", "LoopErrorType", "LoopErrorCode"] {
        // `Failed` is spelled as its class in JavaScript. Words of WIT have hyphens.
        let words = rust_words(&rust, name).join(" ").replace("ReflectionFailedError", "failed");
        let words = words.replace('_', "-");
        assert_eq!(wit_words(&wit, name).join(" "), words, "{name}");
    }
    for (name, of_rust) in [("step-kind", "StepKind"), ("call", "Call"), ("answer", "Answer")] {
        let cases = cases(body(&wit, &format!("variant {name}")).expect("it is there"));
        let expected = cases_of_rust(&rust, of_rust);
        assert!(expected.len() > 2, "{of_rust}");
        assert_eq!(cases, expected, "{name}");
    }
    let steps = [
        "resolve_schema",
        "generate",
        "evaluate_llm",
        "evaluate_custom",
        "correct",
        "wait",
        "done",
        "failed",
    ];
    let spelled: Vec<_> = steps.map(|step| step.replace('_', "-")).into();
    assert_eq!(cases_of_rust(&rust, "StepKind"), spelled);
    // What a step of a kind carries.
    for kind in ["ResolveSchema", "Generate", "EvaluateLlm", "EvaluateCustom", "Correct"] {
        let fields = body(body(&rust, "pub enum StepKind").expect("it is there"), kind);
        let expected: BTreeSet<_> = fields
            .expect("it has fields")
            .lines()
            .filter_map(|line| line.trim().split_once(": "))
            .map(|(field, _)| kebab(field))
            .collect();
        let own: BTreeSet<_> =
            wit_members(&wit, &format!("{kind}Step")).into_iter().map(|(name, _)| name).collect();
        assert_eq!(own, expected, "{kind}");
    }
}

/// Public fields in the spelling of WIT, each with whether it may be absent.
fn rust_fields(all: &str, name: &str) -> Members {
    let body = body(all, &format!("pub struct {name}")).unwrap_or_else(|| panic!("no {name}"));
    body.lines()
        .filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(": "))
        .map(|(field, kind)| (kebab(field.trim_start_matches("r#")), kind.starts_with("Option<")))
        .collect()
}

/// Cases of a variant of WIT.
fn cases(body: &str) -> Vec<String> {
    body.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("///") && !line.is_empty())
        .map(|line| line.split(['(', ',']).next().unwrap_or_default().to_owned())
        .collect()
}

/// Cases of an enum of Rust whose fields stand on lines of their own.
fn cases_of_rust(all: &str, name: &str) -> Vec<String> {
    body(all, &format!("pub enum {name}"))
        .unwrap_or_else(|| panic!("no enum {name}"))
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| kebab(line.split([' ', '(', ',', '{']).next().unwrap_or_default()))
        .collect()
}

/// Every code that the package's scripts throw is one that its types know.
#[test]
fn scripts_throw_known_codes_only() {
    let types = types();
    let mut known: BTreeSet<String> = type_words(&types, "CoreErrorCode").into_iter().collect();
    known.extend(type_words(&types, "FaceErrorCode"));
    let mut throwing = 0;
    for file in NPM.iter().flat_map(|folder| files(folder, ".mjs")) {
        let script = text(&file);
        throwing += usize::from(script.contains("new HindscopeError("));
        for (_, rest) in script
            .match_indices("new HindscopeError(")
            .map(|(at, head)| (at, &script[at + head.len()..]))
        {
            let Some(code) = rest.strip_prefix('\'').and_then(|rest| rest.split('\'').next())
            else {
                // `no-such-${what}`: the ids of sources, records, runs and iterations. What a store
                // throws keeps its code.
                let is_known = rest.starts_with("`no-such-${what}`")
                    || (["/memory.mjs", "/store.mjs"].iter().any(|name| file.ends_with(name))
                        && rest.starts_with("code, "));
                assert!(is_known, "{file}: {}", &rest[..40]);
                continue;
            };
            assert!(known.contains(code), "{file} throws {code}");
        }
    }
    assert!(throwing >= 5, "only {throwing} scripts throw");
}

/// What disks and browsers say becomes codes that are known.
#[test]
fn stores_have_known_codes() {
    let known = type_words(&types(), "FaceErrorCode");
    let script = text("core/js/npm/memory/store.mjs");
    let table = body(&script, "const CODES =").expect("a table");
    let codes = quoted(table);
    assert!(codes.len() >= 10, "{codes:?}");
    for code in codes {
        assert!(known.contains(&code) || code == "path-refused", "{code}");
    }
}

/// The package carries the version of the workspace, and WIT the same.
#[test]
fn versions_are_the_same() {
    let version = env!("CARGO_PKG_VERSION");
    let package: serde_json::Value =
        serde_json::from_str(&text("core/js/npm/package.json")).expect("it is JSON");
    assert_eq!(package["version"], version);
    for file in files("wit", ".wit") {
        let package = format!("package hindscope:reflections@{version};");
        assert!(text(&file).contains(&package), "{file} does not say `{package}`");
    }
}

/// The contract is read by people who have nothing else.
#[test]
fn wit_says_what_everything_is() {
    for file in files("wit", ".wit") {
        let wit = text(&file);
        let mut before = "";
        let mut is_use = false;
        for line in wit.lines().map(str::trim) {
            is_use |= line.starts_with("use ");
            let is_item = !is_use
                && !["", "}", "///", "package", "export", "include"]
                    .contains(&line.split(' ').next().unwrap_or(""));
            assert!(!is_item || before.starts_with("///"), "{file}: nothing says what `{line}` is");
            is_use &= !line.ends_with(';');
            before = line;
        }
    }
}
