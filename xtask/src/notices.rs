//! Licences of what others wrote and an artefact contains: one text for what people download.
//!
//! `cargo tree` names the crates, their sources hold the texts. Equal texts stand once, with
//! everything that they are about.

use crate::process::{Failure, Outcome, at};
use crate::workspace::Workspace;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the text.
pub(crate) const FILE: &str = "THIRD-PARTY.txt";

const HEAD: &str = "\
Notices for software that hindscope contains
============================================

Each text below stands under the names and versions that it is about. Where authors leave the
choice, MIT is chosen; where a package brings no text, that of the licence it names stands here.
";

/// It is in every artefact, and no crate of the tree.
const STANDARD_LIBRARY: &str = "Rust standard library (MIT OR Apache-2.0)";

/// Between two notices.
const RULE: &str = "\n--------------------------------------------------------------------------\n";

/// What names of files with licences begin with.
const LICENCES: [&str; 5] = ["COPYING", "LICENCE", "LICENSE", "NOTICE", "UNLICENSE"];

/// Writes the notices for packages of the workspace as wasm into the folder of an artefact.
///
/// # Errors
///
/// Fails when cargo cannot list the crates, when a source cannot be read, and for a package whose
/// licence is unknown.
pub(crate) fn write(workspace: &Workspace, packages: &[&str], folder: &Path) -> Outcome {
    let path = folder.join(FILE);
    fs::write(&path, text(workspace, packages)?).map_err(at(&path))
}

fn text(workspace: &Workspace, packages: &[&str]) -> Outcome<String> {
    let apache = read(&workspace.path("LICENSE-APACHE"))?;
    let mit = read(&workspace.path("LICENSE-MIT"))?;
    let parts = crates(workspace, packages)?;
    // By the text without its line breaks: the text as it is, and whose it is.
    let mut texts: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut add = |text: String, title: &str| {
        let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
        texts.entry(key).or_insert((text, BTreeSet::new())).1.insert(title.to_owned());
    };
    add(apache.clone(), STANDARD_LIBRARY);
    for part in &parts {
        let files = part.files()?;
        for file in &files {
            add(read(file)?, &part.title);
        }
        if files.is_empty() {
            add(part.named_licence(&apache, &mit)?, &part.title);
        }
    }
    let sections = texts.into_values().map(|(text, titles)| {
        let lines: Vec<_> = text.lines().map(str::trim_end).collect();
        let titles: Vec<_> = titles.into_iter().collect();
        format!("{RULE}\n{}\n\n{}\n", titles.join("\n"), lines.join("\n").trim_matches('\n'))
    });
    let sections: BTreeSet<String> = sections.collect();
    Ok(HEAD.to_owned() + &sections.into_iter().collect::<String>())
}

/// Crates of others that packages are built with as wasm, in every version.
fn crates(workspace: &Workspace, packages: &[&str]) -> Outcome<Vec<Part>> {
    let mut named = BTreeSet::new();
    for package in packages {
        let tree = workspace
            .run_cargo()
            .args(["tree", "--locked", "--package", package, "--edges", "normal"])
            .args(["--target", "wasm32-unknown-unknown", "--prefix", "none", "--format", "{p}"])
            .read()?;
        named.extend(tree.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.trim_start_matches('v').to_owned()))
        }));
    }
    let facts =
        workspace.run_cargo().args(["metadata", "--locked", "--format-version", "1"]).read()?;
    let facts = json(&facts)?;
    let text = |package: &Value, name: &str| package[name].as_str().unwrap_or_default().to_owned();
    let is_named = |package: &&Value| {
        !package["source"].is_null()
            && named.contains(&(text(package, "name"), text(package, "version")))
    };
    let found = facts["packages"].as_array().into_iter().flatten().filter(is_named);
    Ok(found
        .map(|package| {
            let manifest = PathBuf::from(text(package, "manifest_path"));
            Part::of(package, manifest.parent().unwrap_or(&manifest).to_owned())
        })
        .collect())
}

/// Something that others wrote.
struct Part {
    /// Name, version and licence.
    title: String,
    licence: String,
    authors: String,
    folder: PathBuf,
}

impl Part {
    /// From a manifest of cargo.
    fn of(facts: &Value, folder: PathBuf) -> Self {
        let text = |name: &str| facts[name].as_str().unwrap_or_default();
        let title = format!("{} {} ({})", text("name"), text("version"), text("license"));
        let authors = facts["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let authors = authors.collect::<Vec<_>>().join(", ");
        Self { title, licence: text("license").to_owned(), authors, folder }
    }

    /// Files with licences and notices, in order; of several licences to choose from, MIT's.
    fn files(&self) -> Outcome<Vec<PathBuf>> {
        let name =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(at(&self.folder))? {
            let path = entry.map_err(at(&self.folder))?.path();
            if path.is_file() && LICENCES.iter().any(|known| name(&path).starts_with(known)) {
                files.push(path);
            }
        }
        files.sort();
        if self.may_choose_mit() && files.iter().any(|path| name(path).contains("MIT")) {
            files.retain(|path| name(path).contains("MIT") || name(path).starts_with("NOTICE"));
        }
        Ok(files)
    }

    fn may_choose_mit(&self) -> bool {
        !self.licence.contains(" AND ") && self.licence.split([' ', '/']).any(|word| word == "MIT")
    }

    /// The text of the licence that a package names, where it brings none.
    fn named_licence(&self, apache: &str, mit: &str) -> Outcome<String> {
        if self.may_choose_mit() {
            let owner = if self.authors.is_empty() { "the authors" } else { &self.authors };
            let ours = mit.lines().find(|line| line.starts_with("Copyright")).unwrap_or_default();
            return Ok(mit.replacen(ours, &format!("Copyright (c) {owner}"), 1));
        }
        if self.licence == "Apache-2.0" {
            return Ok(apache.to_owned());
        }
        Err(Failure::new(format!(
            "{} brings no text of its licence: add a rule for it to xtask/src/notices.rs",
            self.title
        )))
    }
}

fn read(path: &Path) -> Outcome<String> {
    fs::read(path).map_err(at(path)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn json(text: &str) -> Outcome<Value> {
    serde_json::from_str(text).map_err(|error| Failure::new(format!("no JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crate_is_named_with_a_text() {
        let workspace = Workspace::find().expect("tests run in the workspace");
        let packages = ["hindscope-js", "hindscope-component", "hindscope-web"];
        let text = text(&workspace, &packages).expect("the sources are there");
        for package in packages {
            let tree = workspace
                .run_cargo()
                .args(["tree", "-p", package, "-e", "normal"])
                .args(["--target", "wasm32-unknown-unknown", "--prefix", "depth"])
                .read()
                .expect("cargo prints the tree");
            let mut seen = 0;
            // A crate of our own has its path behind it.
            for line in tree.lines().filter(|line| !line.contains(" (/")) {
                let line = line.trim_start_matches(|c: char| c.is_ascii_digit());
                let mut words = line.split_whitespace();
                let (name, version) = (words.next().unwrap_or_default(), words.next());
                let version = version.and_then(|v| v.strip_prefix('v')).expect("a version");
                assert!(text.contains(&format!("\n{name} {version} (")), "{package}: {name}");
                seen += 1;
            }
            assert!(seen > 50, "{package}: only {seen} lines");
        }
        for section in text.split(RULE).skip(1) {
            assert!(section.len() > 400, "a notice without a text: {section}");
        }
    }

    #[test]
    fn one_licence_is_chosen_of_several() {
        let part = |licence: &str| Part {
            title: "x 1.0.0".to_owned(),
            licence: licence.to_owned(),
            authors: "A. Nyone".to_owned(),
            folder: PathBuf::new(),
        };
        let mit = "MIT License\n\nCopyright (c) us\n\nPermission";
        let text = part("Apache-2.0/MIT").named_licence("apache", mit).expect("MIT");
        assert_eq!(text, "MIT License\n\nCopyright (c) A. Nyone\n\nPermission");
        assert_eq!(part("Apache-2.0").named_licence("apache", mit).expect("Apache"), "apache");
        assert!(part("(MIT OR Apache-2.0) AND Unicode-3.0").named_licence("apache", mit).is_err());
        assert!(part("LGPL-3.0").named_licence("apache", mit).is_err());
    }
}
