//! Types of the core as TypeScript declares them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use super::rust::{Data, Member, Shape, Sources, camel};
use super::{ADDED, BASES, GIVEN, LONGER, WRITTEN};

/// The longest line.
const WIDTH: usize = 120;

/// Writes declarations, file by file: each type stands in one of them.
pub(crate) struct Writer<'a> {
    sources: &'a Sources,
    /// Types of options, with what holds where a member is left out.
    options: &'a BTreeMap<&'a str, Value>,
    /// Types with the files that declare them.
    declared: Vec<(&'a Data, String)>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(sources: &'a Sources, options: &'a BTreeMap<&'a str, Value>) -> Self {
        Self { sources, options, declared: Vec::new() }
    }

    /// The declarations of some types and of all that they name and no file has declared yet.
    pub(crate) fn file(&mut self, path: &str, about: &str, roots: &[&str]) -> String {
        let mut file = File { path, text: String::new(), imported: BTreeSet::new() };
        for root in roots {
            let data = self.sources.find(root, None);
            self.declare(data.unwrap_or_else(|| panic!("no type {root}")), None, &mut file);
        }
        let mut head = comment(&format!("{about}\n\n@module"), "");
        let mut files: Vec<&String> = file.imported.iter().map(|(from, _)| from).collect();
        files.dedup();
        for from in files {
            let names = file.imported.iter().filter(|(file, _)| file == from);
            let names = names.map(|(_, name)| &**name).collect::<Vec<_>>().join(", ");
            let from = relative(path, from);
            writeln!(head, "import type {{ {names} }} from '{from}.js';").expect("it is a text");
        }
        head + &file.text
    }

    /// Declares a type. `variant` has the tag, the word and the base of one that an enum holds.
    fn declare(&mut self, data: &'a Data, variant: Option<[&str; 3]>, file: &mut File<'_>) {
        let name = name_of(data);
        if let Some((declared, _)) = self.declared.iter().find(|(one, _)| name_of(one) == name) {
            assert!(
                std::ptr::eq(*declared, data),
                "two types are {name}: give one a longer name in LONGER"
            );
            return;
        }
        self.declared.push((data, file.path.to_owned()));
        let mut after = Vec::new();
        let text = match &data.shape {
            Shape::Members(members) => self.interface(data, &name, members, variant, &mut after),
            Shape::Words(words) => {
                let meanings = words.iter().map(|(word, docs)| format!("- `{word}`: {docs}"));
                let docs = format!("{}\n\n{}", data.docs, meanings.collect::<Vec<_>>().join("\n"));
                let quoted: Vec<_> = words.iter().map(|(word, _)| format!("'{word}'")).collect();
                let line = format!("export type {name} = {};\n", quoted.join(" | "));
                let lines = format!("export type {name} =\n  | {};\n", quoted.join("\n  | "));
                let text = if line.trim_end().chars().count() <= WIDTH { line } else { lines };
                comment(&self.prose(&docs, data, None), "") + &text
            }
            Shape::Alias(kind) => {
                let kind = self.kind(kind, data, &mut after);
                let docs = comment(&self.prose(&data.docs, data, None), "");
                format!("{docs}export type {name} = {kind};\n")
            }
            Shape::Tagged { tag, variants } => {
                let (_, base, path) =
                    BASES.iter().find(|(of, ..)| *of == data.name).expect("each has one");
                file.imported.insert(((*path).to_owned(), (*base).to_owned()));
                for (word, kind) in variants {
                    let mut held = Vec::new();
                    self.kind(kind, data, &mut held);
                    for held in held {
                        self.declare(held, Some([tag, word, base]), file);
                    }
                }
                return;
            }
        };
        file.text.push('\n');
        file.text.push_str(&text);
        let added = ADDED.iter().filter(|added| added.to == data.name);
        let needs = added.filter_map(|added| added.needs);
        file.imported.extend(needs.map(|[from, name]| (from.to_owned(), name.to_owned())));
        for data in after {
            self.declare(data, None, file);
            let place = self.declared.iter().find(|(declared, _)| std::ptr::eq(*declared, data));
            if let Some((_, path)) = place.filter(|(_, path)| path != file.path) {
                file.imported.insert((path.clone(), name_of(data)));
            }
        }
    }

    fn interface(
        &self,
        data: &'a Data,
        name: &str,
        members: &[Member],
        variant: Option<[&str; 3]>,
        named: &mut Vec<&'a Data>,
    ) -> String {
        let usual = self.options.get(&*data.name);
        let mut extended = Vec::new();
        let mut body = String::new();
        if let Some([tag, word, base]) = variant {
            extended.push(base.to_owned());
            body += &declared(tag, &format!("'{word}'"), "Which answer this is.");
        }
        for member in members {
            let Member { field, name, .. } = member;
            let place = format!("{}.{field}", data.name);
            assert!(
                !member.is_written_by_hand,
                "{place} is written by a function: declare it by hand"
            );
            let can_lack = member.is_optional || usual.is_some();
            let kind = if can_lack { unwrapped(&member.kind) } else { &member.kind };
            let kind = self.kind(kind, data, named);
            if member.is_flat {
                extended.push(kind);
                continue;
            }
            let docs = self.prose(&member.docs, data, Some(member));
            assert!(docs.ends_with(['.', ')']), "{place}: {docs:?} is no sentence");
            let Some(usual) = usual else {
                let mark = if can_lack { "?" } else { "" };
                body += &declared(&format!("{name}{mark}"), &kind, &docs);
                continue;
            };
            let given = GIVEN.iter().find(|(of, ..)| *of == place);
            let (name, kind) = given.map_or((&**name, &*kind), |(_, name, kind)| (*name, *kind));
            let readonly = if kind.ends_with("[]") { "readonly " } else { "" };
            let docs = format!("{docs}{}", default(&usual[&member.name]));
            body += &declared(&format!("{name}?"), &format!("{readonly}{kind} | null"), &docs);
        }
        for added in ADDED.iter().filter(|added| added.to == data.name) {
            body += &declared(added.member, added.kind, added.docs);
        }
        let extends = match &extended[..] {
            [] => String::new(),
            some => format!(" extends {}", some.join(", ")),
        };
        let docs = comment(&self.prose(&data.docs, data, None), "");
        format!("{docs}export interface {name}{extends} {{\n{body}}}\n")
    }

    /// A type as a member has it; `named` gets those of the core.
    fn kind(&self, kind: &syn::Type, from: &Data, named: &mut Vec<&'a Data>) -> String {
        let path = match kind {
            syn::Type::Reference(reference) => return self.kind(&reference.elem, from, named),
            syn::Type::Slice(list) => return list_of(&self.kind(&list.elem, from, named)),
            syn::Type::Array(list) => return list_of(&self.kind(&list.elem, from, named)),
            syn::Type::Path(path) => path,
            _ => panic!("{}: a type that is not known here", from.name),
        };
        let last = path.path.segments.last().expect("a path has a name");
        let inner = arguments(last);
        let last = last.ident.to_string();
        let mut inside = |at: usize| self.kind(inner[at], from, named);
        match &*last {
            "bool" => "boolean".to_owned(),
            "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" | "f64" => "number".to_owned(),
            "String" | "str" | "char" => "string".to_owned(),
            "Option" => format!("{} | null", inside(0)),
            "Vec" => list_of(&inside(0)),
            "Box" | "Arc" | "Cow" => inside(0),
            "BTreeMap" => format!("Record<string, {}>", inside(1)),
            "Map" => "Record<string, unknown>".to_owned(),
            "Value" => "unknown".to_owned(),
            name => {
                let stands_for = || WRITTEN.iter().find(|(own, _)| *own == name);
                let found = self.sources.find(name, Some(from));
                let found = found.or_else(|| self.sources.find(stands_for()?.1, Some(from)));
                let data = found.unwrap_or_else(|| panic!("{}: no type {name}", from.name));
                if let Shape::Alias(kind) = &data.shape
                    && self.kind(kind, data, &mut Vec::new()) == "number"
                {
                    return "number".to_owned();
                }
                named.push(data);
                name_of(data)
            }
        }
    }

    /// Comments of Rust as comments of TypeScript: names are those of TypeScript, and links lead to what is
    /// declared. What only readers of the repository can look up is left out.
    fn prose(&self, docs: &str, data: &Data, of: Option<&Member>) -> String {
        let mut text = docs.to_owned();
        while let Some(start) = text.find(" (docs/spec/") {
            let end = start + text[start..].find(')').expect("it ends");
            text.replace_range(start..=end, "");
        }
        assert!(!text.contains("docs/spec"), "{}: {docs:?} cites what no package has", data.name);
        let mut out = String::new();
        let mut rest = &*text;
        while let Some((before, after)) = rest.split_once('`') {
            let (code, after) = after.split_once('`').expect("code ends");
            let (before, after, is_link) = match (before.strip_suffix('['), after.strip_prefix(']'))
            {
                (Some(before), Some(after)) => (before, after, true),
                _ => (before, after, false),
            };
            rest = after;
            if let Some(target) = after.strip_prefix('(').filter(|_| is_link) {
                let (target, after) = target.split_once(')').expect("a target ends");
                // That of a function may end with parentheses of its own.
                rest = if target.ends_with('(') { after.trim_start_matches(')') } else { after };
            }
            out += before;
            out += &self.code(code, is_link, data, of);
        }
        out += rest;
        out
    }

    /// What stands in backticks. Where a member names itself, it is the name in a record.
    fn code(&self, code: &str, is_link: bool, data: &Data, of: Option<&Member>) -> String {
        let (name, member) = code.split_once("::").map_or((code, None), |(a, b)| (a, Some(b)));
        if is_link {
            // What is no type is a function or a class. The reference is not made if a link leads nowhere.
            let found = self.sources.find(name, Some(data));
            let name = found.map_or_else(|| camel(name.trim_end_matches("()")), name_of);
            let member = member.map_or_else(String::new, |member| format!(".{}", camel(member)));
            return format!("{{@link {name}{member}}}");
        }
        let is_rust = member.is_some() || ["None", "Some"].contains(&code);
        assert!(!is_rust, "{}: `{code}` is Rust", data.name);
        let Shape::Members(members) = &data.shape else { return format!("`{code}`") };
        let others =
            || members.iter().filter(|member| of.is_none_or(|of| of.field != member.field));
        let named =
            |word| others().find(|other| other.field == word).map_or(word, |other| &*other.name);
        format!("`{}`", code.split(' ').map(named).collect::<Vec<_>>().join(" "))
    }
}

struct File<'a> {
    path: &'a str,
    text: String,
    /// Files with the names of what they declare.
    imported: BTreeSet<(String, String)>,
}

/// A member with its comment.
fn declared(name: &str, kind: &str, docs: &str) -> String {
    format!("{}  {name}: {kind};\n", comment(docs, "  "))
}

/// What holds where a member is left out, as a sentence. Where that is nothing, the comment says what it means.
fn default(usual: &Value) -> String {
    let text = match usual {
        Value::Bool(is_so) => is_so.to_string(),
        Value::String(word) => format!("`{word}`"),
        Value::Number(number) => match number.as_u64() {
            Some(number) => amount(number),
            None => number.to_string().trim_end_matches(".0").to_owned(),
        },
        Value::Array(words) if !words.is_empty() => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            format!("`{}`", words.join("`, `"))
        }
        _ => return String::new(),
    };
    format!(" Default {text}.")
}

/// A number as people write it, which may be one of bytes.
fn amount(number: u64) -> String {
    match number {
        n if n > 0 && n.is_multiple_of(1 << 30) => format!("{} GiB", n >> 30),
        n if n > 0 && n.is_multiple_of(1 << 20) => format!("{} MiB", n >> 20),
        n if n >= 10_000 => format!("{},{:03}", n / 1000, n % 1000),
        n => n.to_string(),
    }
}

/// What TypeScript calls a type.
fn name_of(data: &Data) -> String {
    let longer = LONGER.iter().find(|(name, _)| *name == data.name);
    longer.map_or(&*data.name, |(_, own)| own).to_owned()
}

/// What an `Option` holds.
fn unwrapped(kind: &syn::Type) -> &syn::Type {
    let syn::Type::Path(path) = kind else { return kind };
    let option = path.path.segments.last().filter(|last| last.ident == "Option");
    option.and_then(|option| arguments(option).first().copied()).unwrap_or(kind)
}

/// The types between the angle brackets of another one.
fn arguments(of: &syn::PathSegment) -> Vec<&syn::Type> {
    let syn::PathArguments::AngleBracketed(all) = &of.arguments else { return Vec::new() };
    let types = all.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(kind) => Some(kind),
        _ => None,
    });
    types.collect()
}

fn list_of(kind: &str) -> String {
    if kind.contains(" | ") { format!("({kind})[]") } else { format!("{kind}[]") }
}

/// The way from one file to another, both without their endings.
fn relative(from: &str, to: &str) -> String {
    let folder =
        |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let (from, file) = (folder(from), to.rsplit('/').next().unwrap_or(to));
    match folder(to) {
        to if to == from => format!("./{file}"),
        to if to.is_empty() => format!("../{file}"),
        to if from.is_empty() => format!("./{to}/{file}"),
        to => format!("../{to}/{file}"),
    }
}

/// A comment, in as few lines as it needs.
fn comment(text: &str, indent: &str) -> String {
    let width = WIDTH - indent.len() - 3;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        // A list keeps its items, and a paragraph its end; everything else is filled.
        match lines.last_mut() {
            Some(last)
                if !(line.is_empty() || line.starts_with("- ") || String::is_empty(last)) =>
            {
                *last = format!("{last} {line}");
            }
            _ => lines.push(line.to_owned()),
        }
    }
    if let [line] = &lines[..]
        && line.chars().count() + 4 <= width
    {
        return format!("{indent}/** {line} */\n");
    }
    let mut filled: Vec<String> = Vec::new();
    for line in lines {
        let hanging = if line.starts_with("- ") { "  " } else { "" };
        filled.push(String::new());
        for (at, word) in line.split(' ').enumerate() {
            match filled.last_mut() {
                Some(last) if at > 0 && last.chars().count() + word.chars().count() < width => {
                    last.push(' ');
                    last.push_str(word);
                }
                Some(last) if at == 0 => last.push_str(word),
                _ => filled.push(format!("{hanging}{word}")),
            }
        }
    }
    let lines = filled.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n");
    format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
}
