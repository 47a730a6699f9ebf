//! What must be true of the tree before anything is published: docs/releasing.md is the checklist.

use crate::build::package::{NPM, VIEWER};
use crate::process::{Failure, Outcome, at};
use crate::workspace::Workspace;
use std::fs;

/// Stands where an address is not decided. The name can never be registered.
const PLACEHOLDER: &str = "example.invalid";

/// What people read once it is published.
const PUBLISHED: [&str; 16] = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
    "README.md",
    "SECURITY.md",
    "core/README.md",
    "core/js/npm/README.md",
    "core/js/npm/package.json",
    "docs/handover.html",
    "docs/releasing.md",
    "docs/spec/formats.md",
    "docs/spec/loop.md",
    "docs/spec/rules.md",
    "web/viewer/README.md",
    "web/viewer/package.json",
    "wit/README.md",
];

/// What texts say as long as nobody can install the packages by their names.
const UNPUBLISHED: &str = "not on npm yet";

/// A picture of the tests that names the version.
const REPORT: &str = "tests/pictures/report.html";

/// `cargo xtask release`: every reason against a release, or none.
pub(crate) fn command(workspace: &Workspace, arguments: &[String]) -> Outcome {
    if let Some(unknown) = arguments.first() {
        let message = format!("`release` does not know `{unknown}`; it takes no arguments");
        return Err(Failure::usage(message));
    }
    let version = workspace.cargo()?.version;
    let mut problems = Vec::new();
    for file in PUBLISHED {
        let text = read(workspace, file)?;
        problems.extend(placeholders(file, &text));
        problems.extend(unpublished(file, &text));
        // A changelog may name earlier versions.
        if file != "CHANGELOG.md" {
            problems.extend(versions(&version, file, &text));
        }
    }
    problems.extend(manifest(&version, &read(workspace, "Cargo.toml")?));
    for package in [NPM, VIEWER] {
        problems.extend(package.wrong_versions(workspace)?);
    }
    problems.extend(changelog(&version, &read(workspace, "CHANGELOG.md")?));
    problems.extend(report(&version, &read(workspace, REPORT)?));
    let wit = workspace.path("wit");
    for entry in fs::read_dir(&wit).map_err(at(&wit))? {
        let path = entry.map_err(at(&wit))?.path();
        if path.extension().is_some_and(|extension| extension == "wit") {
            let text = fs::read_to_string(&path).map_err(at(&path))?;
            problems.extend(contract(&version, &path.display().to_string(), &text));
        }
    }
    let changed = workspace.run("git").args(["status", "--porcelain"]).read()?;
    if !changed.is_empty() {
        problems.push(format!("the tree has changes that are not committed:\n{changed}"));
    }
    if problems.is_empty() {
        println!("release: {version} is ready; docs/releasing.md says what comes next");
        return Ok(());
    }
    let listed: Vec<_> = problems.iter().map(|problem| format!("  - {problem}")).collect();
    Err(Failure::new(format!("{version} is not ready for a release:\n{}", listed.join("\n"))))
}

fn read(workspace: &Workspace, file: &str) -> Outcome<String> {
    let path = workspace.path(file);
    fs::read_to_string(&path).map_err(at(&path))
}

fn placeholders(file: &str, text: &str) -> Vec<String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains(PLACEHOLDER));
    lines
        .map(|(number, _): (u32, _)| {
            format!("{file}:{number} has the placeholder {PLACEHOLDER}: write the real address")
        })
        .collect()
}

/// Where a text says that the packages are not on npm.
fn unpublished(file: &str, text: &str) -> Vec<String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains(UNPUBLISHED));
    lines
        .map(|(number, _): (u32, _)| {
            format!("{file}:{number} says `{UNPUBLISHED}`: remove it before you publish")
        })
        .collect()
}

/// Other versions of the package that a text names, as `hindscope-1.2.0.tgz` or
/// `hindscope:reflections/api@1.2.0`.
fn versions(version: &str, file: &str, text: &str) -> Vec<String> {
    let version = version.split(['-', '+']).next().unwrap_or_default();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mut problems = Vec::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && !":/@.-".contains(c));
        let named = words.filter(|word| word.contains("hindscope"));
        for part in named.flat_map(|word| word.split(['@', '-', '/']).skip(1)) {
            let numbers: Vec<_> = part.split('.').take_while(is_number).collect();
            let said = numbers.join(".");
            if numbers.len() == 3 && said != version {
                problems.push(format!("{file}:{number} names {said}; the workspace has {version}"));
            }
        }
    }
    problems
}

/// Versions stand a second time where packages of the workspace ask for each other. One that is never
/// published is asked for by its path alone.
fn manifest(version: &str, text: &str) -> Vec<String> {
    let ours = text.lines().filter(|line| line.starts_with("hindscope") && line.contains("path ="));
    let wanted = format!("version = \"{version}\"");
    ours.filter(|line| line.contains("version =") && !line.contains(&wanted))
        .map(|line| format!("Cargo.toml: `{line}` is not of version {version}"))
        .collect()
}

fn changelog(version: &str, text: &str) -> Option<String> {
    let heading = text.lines().filter(|line| line.starts_with("## [")).nth(1).unwrap_or_default();
    let is_dated = heading
        .strip_prefix(&format!("## [{version}] - "))
        .is_some_and(|date| date.len() == "2000-01-01".len());
    let newer = text.split("## [").nth(1).is_some_and(|part| part.lines().skip(1).any(is_text));
    if !is_dated {
        return Some(format!(
            "CHANGELOG.md: expected `## [{version}] - YYYY-MM-DD` after `## [Unreleased]`, found `{heading}`"
        ));
    }
    newer.then(|| "CHANGELOG.md: move what stands under `Unreleased` to the version".to_owned())
}

fn report(version: &str, text: &str) -> Option<String> {
    let is_named = text.contains(&format!(">hindscope {version}, created "));
    (!is_named).then(|| format!("{REPORT} does not name {version}: docs/releasing.md says how"))
}

fn is_text(line: &str) -> bool {
    !line.trim().is_empty()
}

fn contract(version: &str, file: &str, text: &str) -> Option<String> {
    let said = text.lines().find(|line| line.starts_with("package "))?;
    (said != format!("package hindscope:reflections@{version};"))
        .then(|| format!("{file} says `{said}`; the workspace has {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_named_with_its_line() {
        let found = placeholders("a.md", "x\nhttps://example.invalid/y\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a.md:2 "), "{}", found[0]);
        assert!(placeholders("a.md", "https://example.org\n").is_empty());
    }

    /// Either every text with a command that installs the packages says so, or none does.
    #[test]
    fn texts_agree_whether_the_packages_are_on_npm() {
        assert_eq!(unpublished("a.md", "x\nThey are not on npm yet.\n").len(), 1);
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = |file: &str| std::fs::read_to_string(root.join(file)).expect(file);
        let installing = ["README.md", "core/js/npm/README.md", "web/viewer/README.md"];
        let said = installing.map(|file| !unpublished(file, &text(file)).is_empty());
        assert!(said.iter().all(|one| *one == said[0]), "{installing:?} {said:?}");
        for file in PUBLISHED
            .iter()
            .filter(|file| file.rsplit_once('.').is_some_and(|(_, end)| end == "md"))
        {
            let is_installing = text(file).contains("npm install hindscope");
            assert!(!is_installing || installing.contains(file), "{file}");
        }
    }

    #[test]
    fn versions_must_agree() {
        let line = "hindscope = { path = \"core\", version = \"1.2.0\" }";
        assert!(manifest("1.2.0", line).is_empty());
        assert_eq!(manifest("1.3.0", line).len(), 1);
        let root = include_str!("../../Cargo.toml");
        assert_eq!(manifest(env!("CARGO_PKG_VERSION"), root), [] as [String; 0]);
        assert_ne!(manifest("0.0.0", root), [] as [String; 0]);
        let picture = include_str!("../../tests/pictures/report.html");
        assert_eq!(report(env!("CARGO_PKG_VERSION"), picture), None);
        assert!(report("0.0.0", picture).is_some());
        assert_eq!(contract("1.2.0", "a.wit", "package hindscope:reflections@1.2.0;\n"), None);
        assert!(contract("1.3.0", "a.wit", "package hindscope:reflections@1.2.0;\n").is_some());
    }

    #[test]
    fn texts_name_no_other_version() {
        let text = "npm install ./hindscope-1.2.0.tgz\n\"hindscope:reflections/api@1.2.0\"\n\
                    hindscope-a-2026-03-10.json of hindscope, Node 20.1.0\n";
        assert_eq!(versions("1.2.0", "a.md", text), [] as [String; 0]);
        assert_eq!(versions("1.2.0-rc.1", "a.md", text), [] as [String; 0]);
        let found = versions("1.3.0", "a.md", text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("a.md:1 ") && found[1].starts_with("a.md:2 "), "{found:?}");
        for text in [include_str!("../../README.md"), include_str!("../../wit/README.md")] {
            assert_eq!(versions(env!("CARGO_PKG_VERSION"), "a.md", text), [] as [String; 0]);
            assert_ne!(versions("0.0.0", "a.md", text), [] as [String; 0]);
        }
    }

    #[test]
    fn the_changelog_has_the_version_and_nothing_newer() {
        let ready = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-02\n\n- A\n";
        assert_eq!(changelog("1.2.0", ready), None);
        assert!(changelog("1.3.0", ready).is_some());
        let newer = "## [Unreleased]\n\n- B\n\n## [1.2.0] - 2026-01-02\n";
        assert!(changelog("1.2.0", newer).is_some_and(|problem| problem.contains("Unreleased")));
        assert!(changelog("1.2.0", "## [Unreleased]\n\n- A\n").is_some());
    }
}
