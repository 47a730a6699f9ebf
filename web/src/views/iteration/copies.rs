//! Copies of a reflection, or of a whole iteration: as text, Markdown or JSON.
//!
//! Copies are what the record says, untouched: nothing is folded and nothing labelled in them.

use std::fmt::Write as _;
use std::sync::Arc;

use hindscope::{Details, Reflection};
use leptos::prelude::*;

use crate::components::CopyButton;
use crate::format;
use crate::platform;
use crate::protocol::IterationBody;

/// A reflection in the form that is wanted.
#[component]
pub(crate) fn CopyReflection(number: Option<i64>, reflection: Reflection) -> impl IntoView {
    let (markdown, json) = (reflection.clone(), reflection.clone());
    view! {
        <span class="copies" role="group" aria-label="Copy reflection">
            <CopyButton text=move |()| reflection.text.clone() what="reflection as text"/>
            <CopyButton
                text=move |()| reflection_markdown(number, &markdown)
                what="reflection as Markdown"
                title="Markdown"
            />
            <CopyButton
                text=move |()| platform::json_text(&json).unwrap_or_default()
                what="reflection as JSON"
                title="JSON"
            />
        </span>
    }
}

/// The whole iteration in the form that is wanted.
#[component]
pub(crate) fn CopyIteration(body: Arc<IterationBody>) -> impl IntoView {
    let (markdown, json) = (Arc::clone(&body), Arc::clone(&body));
    view! {
        <span class="copies" role="group" aria-label="Copy iteration">
            <span class="quiet" aria-hidden="true">"copy iteration "</span>
            <CopyButton text=move |()| text(&body) what="iteration as text" title="Text"/>
            <CopyButton
                text=move |()| iteration_markdown(&markdown)
                what="iteration as Markdown"
                title="Markdown"
            />
            <CopyButton text=move |()| iteration_json(&json) what="iteration as JSON" title="JSON"/>
        </span>
    }
}

fn lead(body: &IterationBody) -> Details {
    body.records.first().and_then(|record| record.details.clone()).unwrap_or_default()
}

/// What the rules know, and what the record says.
#[derive(serde::Serialize)]
struct Copied<'a> {
    iteration: &'a hindscope::IterationView,
    details: Details,
    /// At the ends of long texts.
    #[serde(rename = "bytesLeftOut", skip_serializing_if = "is_zero")]
    left_out: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What a copy lacks, where it lacks something.
fn left_out(body: &IterationBody) -> String {
    let bytes = body.shortened;
    if bytes == 0 {
        return String::new();
    }
    format!("\n{bytes} bytes at the ends of long texts are left out.\n")
}

fn iteration_json(body: &IterationBody) -> String {
    let copied = Copied { iteration: &body.view, details: lead(body), left_out: body.shortened };
    platform::json_text(&copied).unwrap_or_default()
}

/// Outcome, reward and change in one line.
fn headline(body: &IterationBody) -> String {
    let view = &body.view;
    let mut line = view.outcome.as_str().to_owned();
    match view.reward {
        Some(reward) => {
            let _ = write!(line, ", reward {} {}", format::reward(reward), body.origin.0.as_str());
        }
        None => line.push_str(", no reward"),
    }
    if let Some(delta) = view.delta {
        let _ = write!(line, ", change {}", format::delta(delta));
    }
    line
}

/// Sections of an iteration: a name, and its text as it was written.
fn sections(details: &Details) -> Vec<(String, String)> {
    let mut sections = Vec::new();
    let mut add = |name: &str, text: Option<&str>| {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            sections.push((name.to_owned(), text.to_owned()));
        }
    };
    for reflection in &details.reflections {
        add("Reflection", Some(&reflection.text));
        add("Root cause", reflection.root_cause.as_deref());
        add("Causal reasoning", reflection.reasoning.as_deref());
        add("Insights", Some(&reflection.insights.join("\n")));
        add("Lessons", Some(&reflection.lessons.join("\n")));
    }
    add("Strategy", details.strategy.as_deref());
    add("Strategy next", details.strategy_next.as_deref());
    add("Rationale", details.rationale.as_deref());
    for (at, action) in details.actions.iter().enumerate() {
        let failing = if action.is_credited { ", marked failing" } else { "" };
        let mut text = [Some(&action.description), action.path.as_ref(), action.command.as_ref()]
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        if let Some(diff) = &action.diff {
            text.push('\n');
            text.push_str(diff);
        }
        add(&format!("Action {at}, {}{failing}", action.kind), Some(&text));
    }
    for error in &details.errors {
        add(&format!("Error, {}", error.kind), Some(&error.message));
    }
    for check in &details.checks {
        let exit = check.exit_code.map(|code| format!(", exit {code}")).unwrap_or_default();
        let outputs = [check.stdout.as_deref(), check.stderr.as_deref()];
        let text = outputs.into_iter().flatten().collect::<Vec<_>>().join("\n");
        add(&format!("{}, {}{exit}", check.tool, check.status), Some(&text));
    }
    sections
}

fn text(body: &IterationBody) -> String {
    let mut text = format!("Iteration {}: {}\n", body.view.number, headline(body));
    for (name, part) in sections(&lead(body)) {
        let _ = write!(text, "\n{name}\n{}\n", part.trim_end());
    }
    text + &left_out(body)
}

fn iteration_markdown(body: &IterationBody) -> String {
    let mut text = format!("## Iteration {}\n\n{}\n", body.view.number, headline(body));
    for (name, part) in sections(&lead(body)) {
        let _ = write!(text, "\n### {}\n\n{}\n", one_line(&name), fenced(&part));
    }
    text + &left_out(body)
}

fn reflection_markdown(number: Option<i64>, reflection: &Reflection) -> String {
    let number = number.map(|number| format!(", iteration {number}")).unwrap_or_default();
    let mut text = format!("### Reflection{number}\n\n{}\n", fenced(&reflection.text));
    for (name, list) in [("Insights", &reflection.insights), ("Lessons", &reflection.lessons)] {
        if !list.is_empty() {
            let _ = write!(text, "\n**{name}**\n\n{}\n", fenced(&list.join("\n")));
        }
    }
    if let Some(cause) = &reflection.root_cause {
        let _ = write!(text, "\n**Root cause**\n\n{}\n", fenced(cause));
    }
    text
}

/// A name out of a record, as a heading can hold it.
fn one_line(name: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let name: String = name.chars().map(plain).collect();
    name.replace(['<', '>', '`', '[', ']', '*', '_', '#', '|', '\\'], " ")
}

/// Text in a fence that is longer than any inside of it, so that nothing in it is markup.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_fence() {
        assert_eq!(fenced("a\n"), "```text\na\n```");
        assert_eq!(fenced("```\n# x\n````"), "`````text\n```\n# x\n````\n`````");
    }

    #[test]
    fn a_reflection_as_markdown() {
        let reflection = Reflection {
            text: "Clear the cache <b>first</b>.".into(),
            lessons: vec!["Look before.".into()],
            ..Reflection::default()
        };
        assert_eq!(
            reflection_markdown(Some(3), &reflection),
            "### Reflection, iteration 3\n\n```text\nClear the cache <b>first</b>.\n```\n\n**Lessons**\n\n```text\nLook before.\n```\n"
        );
    }

    #[test]
    fn names_of_tools_open_no_markup() {
        assert_eq!(one_line("a\n# [x](y)"), "a    x (y)");
    }
}
