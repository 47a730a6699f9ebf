//! Makes a page built by Trunk fit its own content policy.
//!
//! Trunk starts the page with an inline script, and a policy without `'unsafe-inline'` refuses
//! those. The script moves to a file beside `index.html`, named by its content. After that nothing
//! inline may be left, and the policy itself must be there and strict: whoever weakens either
//! hears about it when building. At last the service worker gets the list of what it keeps ([`offline`]).

mod html;
mod offline;

use crate::process::{Failure, Outcome, at};
use crate::stamp::hex;
use html::{Tag, tags};
use std::fs;
use std::hash::{DefaultHasher, Hash as _};
use std::path::Path;

const INDEX: &str = "index.html";

/// What Trunk's start script fires when the page runs, and nobody else would.
const START_EVENT: &str = "TrunkApplicationStarted";

/// Script types a browser does not run, so that the policy does not mind them.
const DATA_TYPES: &[&str] = &["application/json", "application/ld+json", "text/plain"];

/// Seals the page that Trunk wrote into a folder.
pub(crate) fn page(dir: &Path) -> Outcome {
    let index = dir.join(INDEX);
    let text = fs::read_to_string(&index).map_err(at(&index))?;
    let sealed = seal(&text).map_err(|problem| Failure::new(format!("{INDEX}: {problem}")))?;
    let start = dir.join(&sealed.start_name);
    fs::write(&start, sealed.start_script).map_err(at(&start))?;
    let html = offline::with_reader(dir, &sealed.html)?;
    fs::write(&index, html).map_err(at(&index))
}

/// Lists for the service worker what it keeps, once all of that is there.
pub(crate) fn list(dir: &Path) -> Outcome {
    let index = dir.join(INDEX);
    let text = fs::read_to_string(&index).map_err(at(&index))?;
    let html = offline::list(dir, &text)?;
    fs::write(&index, html).map_err(at(&index))
}

/// A page without inline scripts, and the file its start script became.
#[derive(Debug)]
struct Sealed {
    html: String,
    start_name: String,
    start_script: String,
}

fn seal(html: &str) -> Result<Sealed, String> {
    check_policy(html)?;
    let mut start = None;
    for tag in tags(html) {
        check_handlers(html, &tag)?;
        if tag.name != "script" || tag.attribute("src").is_some() || is_data(&tag) {
            continue;
        }
        let body = html[tag.end..tag.body_end].trim();
        if !body.contains(START_EVENT) {
            return Err(format!(
                "line {} holds an inline script, which the content policy refuses: move it to a file",
                line_of(html, tag.start)
            ));
        }
        if start.replace((tag, body)).is_some() {
            return Err("there are two of Trunk's start scripts".to_owned());
        }
    }
    let Some((tag, body)) = start else {
        return Err(format!(
            "Trunk's start script (the one that fires {START_EVENT}) is not there: does this \
             version of Trunk write another one?"
        ));
    };
    // Names in the script are relative to the script now, no longer to the page. In one folder
    // that is the same, with an absolute public URL it would be the root of the host.
    if body.contains("'/") || body.contains("\"/") {
        return Err("the start script has absolute addresses: public_url must be \"./\"".to_owned());
    }

    let mut hash = DefaultHasher::new();
    body.hash(&mut hash);
    let start_name = format!("start-{}.js", hex(&hash));
    let close =
        html[tag.body_end..].find('>').map_or(html.len(), |offset| tag.body_end + offset + 1);
    let html = format!(
        "{}<script type=\"module\" src=\"./{start_name}\"></script>{}",
        &html[..tag.start],
        &html[close..]
    );
    Ok(Sealed { html, start_name, start_script: format!("{body}\n") })
}

fn is_data(tag: &Tag) -> bool {
    tag.attribute("type")
        .is_some_and(|kind| DATA_TYPES.contains(&kind.to_ascii_lowercase().as_str()))
}

fn check_handlers(html: &str, tag: &Tag) -> Result<(), String> {
    let handler = tag.attributes().find(|(name, value)| {
        name.starts_with("on") || value.trim_start().to_ascii_lowercase().starts_with("javascript:")
    });
    match handler {
        Some((name, _)) => Err(format!(
            "line {} holds a script in the attribute `{name}`, which the content policy refuses",
            line_of(html, tag.start)
        )),
        None => Ok(()),
    }
}

fn check_policy(html: &str) -> Result<(), String> {
    let is_policy = |tag: &Tag| {
        tag.name == "meta"
            && tag
                .attribute("http-equiv")
                .is_some_and(|value| value.eq_ignore_ascii_case("content-security-policy"))
    };
    let policy = tags(html)
        .iter()
        .find(|tag| is_policy(tag))
        .and_then(|tag| tag.attribute("content").map(str::to_owned))
        .ok_or("there is no <meta http-equiv=\"Content-Security-Policy\">")?;
    let directive = |wanted: &str| {
        policy
            .split(';')
            .map(str::split_whitespace)
            .find_map(|mut words| (words.next() == Some(wanted)).then(|| words.collect::<Vec<_>>()))
    };
    let scripts = directive("script-src")
        .or_else(|| directive("default-src"))
        .ok_or("the content policy has neither script-src nor default-src")?;
    for open in ["'unsafe-inline'", "'unsafe-eval'", "*", "data:", "https:", "http:"] {
        if scripts.contains(&open) {
            return Err(format!("the content policy lets scripts in by {open}"));
        }
    }
    let connections = directive("connect-src")
        .or_else(|| directive("default-src"))
        .ok_or("the content policy does not limit connections")?;
    match connections.iter().find(|source| !matches!(**source, "'self'" | "'none'")) {
        Some(other) => Err(format!(
            "the content policy allows connections to {other}, not to the page itself only"
        )),
        None => Ok(()),
    }
}

fn line_of(html: &str, offset: usize) -> usize {
    html[..offset].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src \
        'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self' blob:\">";
    const START: &str = "<script type=\"module\">\nimport init from './web-1.js';\nconst wasm = \
        await init({ module_or_path: './web-1_bg.wasm' });\ndispatchEvent(new \
        CustomEvent(\"TrunkApplicationStarted\", {detail: {wasm}}));\n</script>";

    fn page(head: &str) -> String {
        format!("<!doctype html>\n<html><head>\n{POLICY}\n{head}\n</head><body></body></html>\n")
    }

    #[test]
    fn the_start_script_becomes_a_file_named_by_its_content() {
        let sealed = seal(&page(START)).expect("a page as Trunk builds it");
        let tag = format!("<script type=\"module\" src=\"./{}\"></script>", sealed.start_name);
        assert_eq!(sealed.html, page(&tag));
        assert!(sealed.start_script.starts_with("import init from './web-1.js';"));
        assert!(sealed.start_script.ends_with("{detail: {wasm}}));\n"));

        let other = seal(&page(&START.replace("web-1", "web-2"))).expect("another build");
        assert_ne!(other.start_name, sealed.start_name);
    }

    #[test]
    fn scripts_from_files_and_data_stay() {
        let head = format!(
            "<script src=\"./a.js\"></script><script type=\"application/json\">{{}}</script>\
             <!-- <script>old()</script> -->{START}"
        );
        let sealed = seal(&page(&head)).expect("nothing else is inline");
        assert!(sealed.html.contains("<script src=\"./a.js\"></script>"));
        assert!(sealed.html.contains("<!-- <script>old()</script> -->"));
    }

    #[test]
    fn other_inline_scripts_are_refused_with_their_line() {
        let problem =
            seal(&page(&format!("{START}\n<script>more()</script>"))).expect_err("inline");
        assert!(problem.starts_with("line 9 "), "{problem}");
        let problem = seal(&page(&format!("{START}<p onclick=\"go()\">"))).expect_err("handler");
        assert!(problem.contains("`onclick`"), "{problem}");
        let problem =
            seal(&page(&format!("{START}<a href=' JavaScript:go()'>"))).expect_err("address");
        assert!(problem.contains("`href`"), "{problem}");
    }

    #[test]
    fn a_page_without_a_start_script_is_refused() {
        assert!(seal(&page("")).expect_err("none").contains(START_EVENT));
    }

    #[test]
    fn absolute_addresses_are_refused() {
        let problem = seal(&page(&START.replace("'./", "'/"))).expect_err("absolute");
        assert!(problem.contains("public_url"), "{problem}");
    }

    #[test]
    fn a_weak_or_missing_policy_is_refused() {
        let html = page(START);
        for (from, to, word) in [
            (POLICY, "", "there is no"),
            ("'wasm-unsafe-eval'", "'unsafe-inline'", "'unsafe-inline'"),
            ("connect-src 'self'", "connect-src 'self' https:", "https:"),
        ] {
            let problem = seal(&html.replace(from, to)).expect_err(word);
            assert!(problem.contains(word), "{problem}");
        }
    }
}
