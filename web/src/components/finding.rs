//! One finding: how much it matters, its rule, its place, what was found and what to do.

use std::fmt::Write as _;

use leptos::prelude::*;

use super::{CopyButton, LevelMark, RecordText};
use crate::format;
use crate::platform;
use crate::protocol::{FindingRow, count};
use crate::route::{self, Place, View, run_place};

/// A finding with links to where it belongs.
#[component]
pub(crate) fn FindingItem(
    finding: FindingRow,
    /// Its iteration and file are what the reader is looking at.
    #[prop(optional)]
    is_here: bool,
    /// The rule and the evidence are shown without being asked for.
    #[prop(optional)]
    is_open: bool,
) -> impl IntoView {
    let copied = markdown(&finding);
    let iteration = finding.run.clone().filter(|_| !is_here).map(|run| {
        let href = route::write(&run_place(&run, finding.iteration));
        let text = match finding.iteration {
            Some(number) => format!("{}, iteration {number}", run.name()),
            None => run.name(),
        };
        view! { <a class="finding-run" href=href><RecordText text/></a> }
    });
    let place = place(&finding);
    let place = (!place.is_empty()).then(|| {
        let text = view! { <RecordText text=place/> };
        match finding.path.clone().filter(|_| !is_here) {
            Some(path) => {
                let to = Place::of_source(View::Open, &path);
                view! { <a class="place" href=route::write(&to)>{text}</a> }.into_any()
            }
            None => view! { <span class="place">{text}</span> }.into_any(),
        }
    });
    view! {
        <article class="finding">
            <div class="finding-head">
                <LevelMark level=finding.level/>
                <code class="rule">{finding.rule.clone()}</code>
                {iteration}
                {place}
                <span class="finding-copy"><CopyButton text=move |()| copied.clone() what="finding"/></span>
            </div>
            <p class="finding-message"><RecordText text=finding.message.clone()/></p>
            {thresholds(&finding)}
            {finding.hint.clone().map(|hint| view! { <p class="hint"><RecordText text=hint/></p> })}
            <Grounds finding is_open/>
        </article>
    }
}

/// Why it is a finding, and the iterations that it is drawn from.
#[component]
fn Grounds(finding: FindingRow, is_open: bool) -> impl IntoView {
    let is_why = RwSignal::new(is_open);
    let is_shown = RwSignal::new(is_open);
    let why = why(&finding.rule);
    let all = finding.evidence_count;
    let links: Option<Vec<_>> = finding.run.as_ref().filter(|_| all > 0).map(|run| {
        let link = |number: &i64| (*number, route::write(&run_place(run, Some(*number))));
        finding.evidence.iter().map(link).collect()
    });
    let has_evidence = links.is_some();
    let more = all.saturating_sub(count(finding.evidence.len()));
    view! {
        <div class="finding-more">
            <Show when=move || has_evidence && !is_shown.get()>
                <button class="small" aria-expanded="false" on:click=move |_| is_shown.set(true)>
                    "Show evidence"
                </button>
            </Show>
            <Show when=move || !is_why.get()>
                <button class="small" aria-expanded="false" on:click=move |_| is_why.set(true)>
                    "Why"
                </button>
            </Show>
        </div>
        {move || is_why.get().then(|| view! { <p class="finding-why">"Rule: "{why}</p> })}
        {move || links.clone().filter(|_| is_shown.get()).map(|links| view! {
            <p class="finding-evidence">
                "Evidence: "
                {links
                    .into_iter()
                    .map(|(number, href)| view! { <a href=href>{number.to_string()}</a>" " })
                    .collect::<Vec<_>>()}
                {(more > 0).then(|| format!("and {} more", platform::whole(more)))}
            </p>
        })}
    }
}

/// What a rule says.
pub(crate) fn why(rule: &str) -> &'static str {
    hindscope::rule_text(rule).unwrap_or_default()
}

/// What the rule expects at the place, beside what stands there.
fn thresholds(finding: &FindingRow) -> Option<impl IntoView + use<>> {
    let part = |name: &'static str, text: &Option<String>| {
        let text = text.clone()?;
        Some(view! { <div><dt>{name}</dt><dd><RecordText text/></dd></div> })
    };
    (finding.expected.is_some() || finding.found.is_some()).then(|| {
        view! {
            <dl class="finding-contrast">
                {part("Expected", &finding.expected)}
                {part("Found", &finding.found)}
            </dl>
        }
    })
}

/// `path:line:column`, with what is known of it.
pub(crate) fn place(finding: &FindingRow) -> String {
    let mut place = finding.path.clone().unwrap_or_default();
    if let Some(line) = finding.line {
        let _ = write!(place, ":{line}");
        if let Some(column) = finding.column {
            let _ = write!(place, ":{column}");
        }
    } else if let Some(offset) = finding.offset {
        let _ = write!(place, ", byte {offset}");
    }
    if let Some(pointer) = finding.pointer.as_ref().filter(|pointer| !pointer.is_empty()) {
        let _ = write!(place, "  {pointer}");
    }
    place
}

/// The finding as one block for an issue or a chat.
fn markdown(finding: &FindingRow) -> String {
    let place = place(finding);
    let mut text = format!("**{}** `{}`", finding.level.as_str(), finding.rule);
    if !place.is_empty() {
        let _ = write!(text, " at {}", code(&place));
    }
    if let Some(run) = &finding.run {
        let _ = write!(text, "\n\nRun {}", code(&run.key));
        if let Some(number) = finding.iteration.filter(|_| finding.evidence.is_empty()) {
            let _ = write!(text, ", iteration {number}");
        }
        if !finding.evidence.is_empty() {
            let _ = write!(text, ", iterations {}", format::numbers(&finding.evidence));
        }
    }
    let _ = write!(text, "\n\n{}\n", plain(&finding.message));
    if let (Some(expected), Some(found)) = (&finding.expected, &finding.found) {
        let _ = write!(text, "\nExpected {}, found {}.\n", code(expected), code(found));
    }
    let _ = write!(text, "\nRule: {}\n", why(&finding.rule));
    if let Some(hint) = &finding.hint {
        let _ = write!(text, "\n{}\n", plain(hint));
    }
    text
}

/// Text of a file as code of one line, whatever stands in it.
pub(crate) fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let ticks = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(ticks + 1);
    if ticks == 0 { format!("{fence}{text}{fence}") } else { format!("{fence} {text} {fence}") }
}

/// A sentence that quotes a file, for Markdown: on one line, with signs of markup escaped.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => plain.push(' '),
            '<' | '>' | '[' | ']' | '*' | '\\' => plain.extend(['\\', c]),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::RunAddress;

    #[test]
    fn places_say_what_is_known() {
        let mut finding = FindingRow::sample();
        assert_eq!(place(&finding), "a.jsonl:412:88");
        finding.line = None;
        assert_eq!(place(&finding), "a.jsonl, byte 9");
        assert!(markdown(&finding).starts_with("**error** `jsonl/bad-line` at `a.jsonl, byte 9`"));
    }

    #[test]
    fn a_copy_has_the_rule_and_the_iterations() {
        let finding = FindingRow {
            run: Some(RunAddress::new("env_3", None)),
            evidence: vec![6, 7, 8],
            expected: Some("3".to_owned()),
            found: Some("4".to_owned()),
            ..FindingRow::sample()
        };
        assert_eq!(
            markdown(&finding),
            "**error** `jsonl/bad-line` at `a.jsonl:412:88`\n\nRun `env_3`, iterations 6\u{2013}8\n\n\
             Expected a comma.\n\nExpected `3`, found `4`.\n\nRule: A line is not valid JSON. It is \
             skipped, and the other lines are kept.\n"
        );
    }

    #[test]
    fn text_of_files_is_no_markup() {
        assert_eq!(code("a`b``c"), "``` a`b``c ```");
        assert_eq!(plain("<b>\n# x [y](z)"), "\\<b\\> # x \\[y\\](z)");
    }
}
