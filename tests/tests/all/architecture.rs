//! The map in ARCHITECTURE.md is the tree, and the arrows between packages point one way.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hindscope_tests::root;
use serde_json::Value;

use crate::sources::{Source, sources};

/// Nothing of a browser, of a component or of chance may be below the core. The workspace's own
/// stand-ins are none of these.
const FORBIDDEN_IN_CORE: [&str; 7] =
    ["leptos", "js-sys", "web-sys", "wasm-bindgen", "wit-bindgen", "getrandom", "gloo"];

/// Members of the workspace below the core: stand-ins for crates of that name (core/seed,
/// core/patterns), and what is compiled with other settings.
const BELOW_CORE: [&str; 5] =
    ["fancy-regex", "getrandom", "hindscope-compiler", "jsonschema-regex", "regex"];

/// Packages that know the core, and must not know each other.
const FACES: [&str; 3] = ["hindscope-component", "hindscope-js", "hindscope-web"];

/// `cargo metadata` of the workspace, for the target that the core is made for.
fn metadata() -> Value {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1"])
        .args(["--filter-platform", "wasm32-unknown-unknown"])
        .current_dir(root())
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// Packages and what each of them is built with: no dev-dependencies, no build scripts' own.
struct Graph {
    names: BTreeMap<String, String>,
    arrows: BTreeMap<String, Vec<String>>,
    members: BTreeSet<String>,
}

impl Graph {
    fn new(metadata: &Value) -> Self {
        let texts = |value: &Value| value.as_str().expect("a text").to_owned();
        let list = |value: &Value| value.as_array().expect("a list").clone();
        let names = list(&metadata["packages"])
            .iter()
            .map(|package| (texts(&package["id"]), texts(&package["name"])))
            .collect();
        let arrows = list(&metadata["resolve"]["nodes"])
            .iter()
            .map(|node| {
                let normal = list(&node["deps"])
                    .iter()
                    .filter(|dep| list(&dep["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()))
                    .map(|dep| texts(&dep["pkg"]))
                    .collect();
                (texts(&node["id"]), normal)
            })
            .collect();
        let members = list(&metadata["workspace_members"]).iter().map(texts).collect();
        Self { names, arrows, members }
    }

    fn id(&self, name: &str) -> &str {
        self.members
            .iter()
            .find(|id| self.names[*id] == name)
            .unwrap_or_else(|| panic!("{name} is not in the workspace"))
    }

    /// Names of everything that a package is built with, the workspace's own stand-ins left out.
    fn below(&self, name: &str) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut open = vec![self.id(name)];
        while let Some(id) = open.pop() {
            for below in &self.arrows[id] {
                if seen.insert(below.as_str()) {
                    open.push(below);
                }
            }
        }
        seen.into_iter()
            .filter(|id| {
                !(self.members.contains(*id) && BELOW_CORE.contains(&self.names[*id].as_str()))
            })
            .map(|id| self.names[id].as_str())
            .collect()
    }
}

#[test]
fn arrows_point_one_way() {
    let graph = Graph::new(&metadata());
    let core = graph.below("hindscope");
    assert!(core.contains("serde_json"), "the graph is empty: {core:?}");
    for forbidden in FORBIDDEN_IN_CORE {
        assert!(!core.contains(forbidden), "the core is built with {forbidden}");
    }
    for face in FACES {
        let below = graph.below(face);
        assert!(below.contains("hindscope"), "{face} does not use the core");
        for other in FACES.into_iter().filter(|other| *other != face) {
            assert!(!below.contains(other), "{face} knows {other}");
        }
    }
    for member in &graph.members {
        let name = &graph.names[member];
        let below = graph.below(name);
        assert!(!below.contains("hindscope-web"), "{name} knows the page");
        if name == "hindscope" {
            let own: Vec<_> = graph.members.iter().map(|id| &graph.names[id]).collect();
            assert!(
                own.iter().all(|other| !below.contains(other.as_str())),
                "the core knows {own:?}"
            );
        }
    }
}

/// Folders that the map names, each with its depth, two spaces a level.
fn mapped() -> BTreeSet<PathBuf> {
    let text =
        fs::read_to_string(root().join("ARCHITECTURE.md")).expect("there is an ARCHITECTURE.md");
    let map = text.split("```").nth(1).expect("it opens with the map, in a fence");
    let mut folders = BTreeSet::new();
    // The folder at each depth so far.
    let mut path: Vec<String> = Vec::new();
    for line in map.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let name = line.split_whitespace().next().expect("the line is not blank");
        path.truncate(depth);
        let Some(name) = name.strip_suffix('/') else {
            continue;
        };
        path.push(name.to_owned());
        folders.insert(path.iter().collect());
    }
    folders
}

#[test]
fn the_map_is_the_tree() {
    let mapped = mapped();
    assert!(mapped.len() > 10, "only {mapped:?}");
    for folder in &mapped {
        assert!(
            root().join(folder).is_dir(),
            "ARCHITECTURE.md names {}, which is not there",
            folder.display()
        );
    }
    // A folder that shows its inside shows all of it.
    let mut shown: BTreeSet<PathBuf> = BTreeSet::new();
    for folder in &mapped {
        shown.extend(folder.ancestors().map(Path::to_owned));
    }
    let opened: BTreeSet<_> = shown.iter().filter_map(|folder| folder.parent()).collect();
    for parent in opened {
        for folder in folders(&root().join(parent)) {
            let folder = folder.strip_prefix(root()).expect("it lies below").to_owned();
            assert!(shown.contains(&folder), "{} is not in ARCHITECTURE.md", folder.display());
        }
    }
}

/// Folders of a folder, without what is hidden, built or installed.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> = fs::read_dir(folder)
        .expect("the folder can be listed")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.is_dir())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            !name.starts_with('.')
                && !["target", "node_modules", "pkg", "__pycache__"].contains(&&*name)
        })
        .collect();
    folders.sort();
    folders
}

/// Paths of modules that Clippy's bans do not see: a `use` of the whole module, or of its types.
#[test]
fn the_core_reaches_for_nothing() {
    for Source { path, code } in sources("core/src") {
        for module in
            ["std::fs", "std::net", "std::env", "std::process", "std::thread", "std::time"]
        {
            assert!(!code.contains(module), "core/src/{path} names {module}");
        }
    }
}

/// Text from a file reaches the page as text nodes only: nothing there makes elements of strings.
#[test]
fn no_text_becomes_markup() {
    let sources = sources("web/src");
    assert!(sources.len() > 50, "the page has more files than that");
    let banned = [
        "inner_html",
        "outer_html",
        "insert_adjacent_html",
        "create_contextual_fragment",
        "parse_from_string",
        "DomParser",
        "document.write",
        "write_ln",
        "eval(",
        "set_srcdoc",
    ];
    for Source { path, code } in sources {
        for word in banned {
            // Charts that the core drew, read as XML and looked through.
            let is_chart =
                path == "platform/print.rs" && ["parse_from_string", "DomParser"].contains(&word);
            assert!(is_chart || !code.contains(word), "web/src/{path} names {word}");
        }
    }
}
