//! What a page needs for days without a network: names by content for all that is kept, the list
//! of it in the service worker, and one name for the whole build.

use super::html::tags;
use crate::process::{Failure, Outcome, at};
use crate::stamp::hex;
use std::fs;
use std::hash::{DefaultHasher, Hash as _};
use std::path::Path;

/// Written by wasm-bindgen, with names that say nothing of their content.
const READER: &str = "worker.js";
const READER_WASM: &str = "worker_bg.wasm";
/// The service worker, and what stands in it for the lists.
const SERVICE: &str = "sw.js";
const BUILD: &str = "const BUILD = '';";
const FILES: &str = "const FILES = [];";

/// What is not kept: the page, which the service worker keeps apart, that worker itself, and what the page never
/// asks for.
const APART: [&str; 4] = ["index.html", SERVICE, "viewer.html", "THIRD-PARTY.txt"];

/// Names the reader by its content, and returns the page's text with that name.
pub(super) fn with_reader(dir: &Path, html: &str) -> Outcome<String> {
    let reader = name_reader(dir)?;
    with_meta(html, "hindscope-worker", &format!("./{reader}"))
}

/// Writes what is kept, and the build, into the service worker, and returns the page's text with the build.
pub(super) fn list(dir: &Path, html: &str) -> Outcome<String> {
    let files = files(dir)?;
    let mut hash = DefaultHasher::new();
    html.hash(&mut hash);
    for name in &files {
        let path = dir.join(name);
        name.hash(&mut hash);
        fs::read(&path).map_err(at(&path))?.hash(&mut hash);
    }
    let build = hex(&hash);
    let service = dir.join(SERVICE);
    let script = fs::read_to_string(&service).map_err(at(&service))?;
    let script = listed(&script, &build, &files).map_err(Failure::new)?;
    fs::write(&service, script).map_err(at(&service))?;
    with_meta(html, "hindscope-build", &build)
}

/// Gives the reader's script and wasm a name by their content, and returns the script's.
fn name_reader(dir: &Path) -> Outcome<String> {
    let (script, wasm) = (dir.join(READER), dir.join(READER_WASM));
    let text = fs::read_to_string(&script).map_err(at(&script))?;
    let mut hash = DefaultHasher::new();
    text.hash(&mut hash);
    fs::read(&wasm).map_err(at(&wasm))?.hash(&mut hash);
    let stem = format!("worker-{}", hex(&hash));
    if !text.contains(READER_WASM) {
        return Err(Failure::new(format!("{READER} does not name {READER_WASM}")));
    }
    let (new_script, new_wasm) = (format!("{stem}.js"), format!("{stem}_bg.wasm"));
    let path = dir.join(&new_script);
    fs::write(&path, text.replace(READER_WASM, &new_wasm)).map_err(at(&path))?;
    fs::remove_file(&script).map_err(at(&script))?;
    fs::rename(&wasm, dir.join(new_wasm)).map_err(at(&wasm))?;
    Ok(new_script)
}

/// What is kept, in order.
fn files(dir: &Path) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(at(dir))? {
        let entry = entry.map_err(at(dir))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !APART.contains(&name.as_str()) && entry.path().is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The service worker with its lists.
fn listed(script: &str, build: &str, files: &[String]) -> Result<String, String> {
    for workspace in [BUILD, FILES] {
        if script.matches(workspace).count() != 1 {
            return Err(format!("{SERVICE} has no line `{workspace}`"));
        }
    }
    let list: Vec<String> = files.iter().map(|name| format!("\n  './{name}',")).collect();
    let list = list.concat();
    Ok(script
        .replace(BUILD, &format!("const BUILD = '{build}';"))
        .replace(FILES, &format!("const FILES = [{list}\n];")))
}

/// The page with another content of a `<meta name=…>`.
fn with_meta(html: &str, name: &str, content: &str) -> Outcome<String> {
    let is_it = |tag: &super::Tag| tag.name == "meta" && tag.attribute("name") == Some(name);
    let tag = tags(html)
        .into_iter()
        .find(is_it)
        .ok_or_else(|| Failure::new(format!("index.html: there is no <meta name=\"{name}\">")))?;
    let meta = format!("<meta name=\"{name}\" content=\"{content}\">");
    Ok(format!("{}{meta}{}", &html[..tag.start], &html[tag.end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<head><meta name=\"hindscope-build\" content=\"\"><meta \
                        name=\"hindscope-worker\" content=\"./worker.js\"></head>";

    #[test]
    fn a_build_is_named_by_all_of_its_files() {
        let dir = std::env::temp_dir().join(format!("hindscope-seal-{}", std::process::id()));
        let build = |style: &str| {
            fs::create_dir_all(&dir).expect("temporary folder");
            for (name, text) in [
                (READER, "new URL('worker_bg.wasm', import.meta.url)"),
                (READER_WASM, "\0asm"),
                (SERVICE, "const BUILD = '';\nconst FILES = [];\n"),
                ("a.css", style),
                ("viewer.html", "the whole page once more"),
            ] {
                fs::write(dir.join(name), text).expect("write");
            }
            let html = with_reader(&dir, PAGE).expect("a page as Trunk builds it");
            let html = list(&dir, &html).expect("a page with its reader");
            let service = fs::read_to_string(dir.join(SERVICE)).expect("written");
            let names = files(&dir).expect("listable");
            fs::remove_dir_all(&dir).expect("clean up");
            (html, service, names)
        };
        let (html, service, names) = build("p{}");
        assert_eq!(names.len(), 3);
        assert!(names.iter().all(|name| name != READER && name != READER_WASM), "{names:?}");
        for name in &names {
            assert!(service.contains(&format!("'./{name}',")), "{name} in {service}");
        }
        let build_of = |html: &str| {
            let is_build =
                |tag: &&super::super::Tag| tag.attribute("name") == Some("hindscope-build");
            tags(html).iter().find(is_build)?.attribute("content").map(str::to_owned)
        };
        let name = build_of(&html).expect("a build");
        assert!(service.contains(&format!("const BUILD = '{name}';")), "{service}");
        assert!(html.contains("content=\"./worker-"), "{html}");
        assert_eq!(build("p{}").0, html, "the same files are the same build");
        assert_ne!(build_of(&build("q{}").0), Some(name), "one other file is another build");
    }

    #[test]
    fn a_page_or_service_worker_without_its_places_is_refused() {
        assert!(with_meta("<p>", "hindscope-build", "1").is_err());
        assert!(listed("const BUILD = '';", "1", &[]).expect_err("none").contains("FILES"));
    }
}
