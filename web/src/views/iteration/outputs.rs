//! What was done in an iteration and what came of it: actions, errors, output, counters, texts.

use std::fmt::Write as _;

use hindscope::{Action, Check, Details, ErrorDetails, RecordedWindow, Usage};
use leptos::prelude::*;

use crate::components::{CopyButton, Diff, Fold, LongText, RecordText};
use crate::format::{self, noun};
use crate::text::without_terminal_codes;
use crate::views::iteration::reflection::NamedBlock;
use crate::views::run::provenance::{counters as named_counts, rows};

/// Actions in order. Those that the reflection blames say so.
#[component]
pub(crate) fn Actions(actions: Vec<Action>) -> impl IntoView {
    if actions.is_empty() {
        return None;
    }
    let failing = actions.iter().filter(|action| action.is_credited).count();
    let mut note = actions.len().to_string();
    if failing > 0 {
        let _ = write!(note, ", {failing} marked failing");
    }
    Some(view! {
        <Fold title="Actions" note>
            <ol class="actions" start="0">
                {actions
                    .clone()
                    .into_iter()
                    .enumerate()
                    .map(|(at, action)| view! { <ActionItem at action/> })
                    .collect::<Vec<_>>()}
            </ol>
        </Fold>
    })
}

#[component]
fn ActionItem(at: usize, action: Action) -> impl IntoView {
    let counts = match (action.additions, action.deletions) {
        (None, None) => None,
        (added, deleted) => {
            let mut text = String::new();
            if let Some(added) = added {
                let _ = write!(text, "+{added} ");
            }
            if let Some(deleted) = deleted {
                let _ = write!(text, "\u{2212}{deleted}");
            }
            Some(text)
        }
    };
    view! {
        <li class="action" class:failing=action.is_credited>
            <div class="action-head">
                <span class="index">{at}</span>
                <code class="kind"><RecordText text=action.kind/></code>
                {action.path.map(|path| view! { <code class="file"><RecordText text=path/></code> })}
                {action.tool.map(|tool| view! { <code class="file"><RecordText text=tool/></code> })}
                {action.success.map(|worked| {
                    let (tone, word) = if worked { ("pass", "worked") } else { ("fail", "failed") };
                    view! { <b class=tone>{word}</b> }
                })}
                {action.time.map(|text| view! { <span class="quiet"><RecordText text/></span> })}
                {counts.map(|counts| view! { <span class="diff-counts">{counts}</span> })}
                {action.is_credited.then(|| view! { <b class="failing-word">"failing"</b> })}
            </div>
            {(!action.description.is_empty())
                .then(|| view! { <LongText text=action.description/> })}
            {action.command.map(|command| view! {
                <div class="command"><span aria-hidden="true">"$ "</span><RecordText text=command/></div>
            })}
            {action.reasoning.map(|text| view! { <NamedBlock name="Reasoning" text/> })}
            {action.expected.map(|text| view! { <NamedBlock name="Expected" text/> })}
            {action.params.map(|text| view! { <Code name="Parameters" text/> })}
            {action.diff.map(|text| view! { <Diff text/> })}
            {action.output.map(|text| view! { <Code name="Output" text/> })}
        </li>
    }
}

/// A text under its name, spaces and all.
#[component]
fn Code(name: &'static str, text: String) -> impl IntoView {
    view! {
        <div class="named">
            <h4>{name}</h4>
            <LongText text is_code=true/>
        </div>
    }
}

/// Errors as the evaluator reported them.
#[component]
pub(crate) fn Errors(errors: Vec<ErrorDetails>) -> impl IntoView {
    if errors.is_empty() {
        return None;
    }
    let note = errors.len().to_string();
    Some(view! {
        <Fold title="Errors" note>
            <ul class="errors">
                {errors
                    .clone()
                    .into_iter()
                    .map(|error| {
                        let place = place(&error);
                        let rule = error.rule.clone();
                        let severity = error.severity.clone().filter(|word| word != "error");
                        view! {
                            <li class="error">
                                <div class="error-head">
                                    <code class="kind"><RecordText text=error.kind/></code>
                                    {severity.map(|text| view! { <span class="quiet"><RecordText text/></span> })}
                                    {place.map(|text| view! { <code class="file"><RecordText text/></code> })}
                                    {rule.map(|text| view! { <span class="quiet"><RecordText text/></span> })}
                                </div>
                                <LongText text=error.message/>
                                {error.stack.map(|text| view! { <LongText text is_code=true/> })}
                            </li>
                        }
                    })
                    .collect::<Vec<_>>()}
            </ul>
        </Fold>
    })
}

/// `file:line:column`, as far as it is known.
fn place(error: &ErrorDetails) -> Option<String> {
    let mut place = error.file.clone()?;
    for part in [error.line, error.column] {
        let Some(part) = part else { break };
        let _ = write!(place, ":{part}");
    }
    Some(place)
}

/// Results of tools with their output.
#[component]
pub(crate) fn Checks(checks: Vec<Check>) -> impl IntoView {
    if checks.is_empty() {
        return None;
    }
    let note = checks.len().to_string();
    Some(view! {
        <Fold title="Output" note>
            <ul class="checks">
                {checks
                    .clone()
                    .into_iter()
                    .map(|check| view! { <CheckItem check/> })
                    .collect::<Vec<_>>()}
            </ul>
        </Fold>
    })
}

#[component]
fn CheckItem(check: Check) -> impl IntoView {
    let tone = match check.status.as_str() {
        "pass" => "pass",
        "fail" | "error" => "fail",
        _ => "muted",
    };
    let exit = check.exit_code.map(|code| format!("exit {code}"));
    let took = check.duration_ms.map(duration);
    let outputs = [("stdout", check.stdout), ("stderr", check.stderr)]
        .into_iter()
        .filter_map(|(name, text)| text.filter(|text| !text.is_empty()).map(|text| (name, text)))
        .map(|(name, text)| view! { <Output name text/> })
        .collect::<Vec<_>>();
    view! {
        <li class="check">
            <div class="check-head">
                <code class="kind"><RecordText text=check.tool/></code>
                <b class=tone><RecordText text=check.status/></b>
                <span class="quiet">{exit}</span>
                <span class="quiet">{took}</span>
            </div>
            {outputs}
        </li>
    }
}

#[component]
fn Output(name: &'static str, text: String) -> impl IntoView {
    let lines = text.lines().count();
    let (plain, codes) = without_terminal_codes(&text);
    let shown = RwSignal::new(plain.into_owned());
    let has_codes = RwSignal::new(false);
    let copied = text.clone();
    view! {
        <div class="output">
            <div class="output-head">
                <span class="output-name">{name}</span>
                <span class="quiet">
                    {format!("{lines} {}", noun(lines as u64, "line"))}
                </span>
                {(codes > 0)
                    .then(|| {
                        let text = text.clone();
                        view! {
                            <button
                                class="small"
                                aria-pressed=move || has_codes.get().to_string()
                                on:click=move |_| {
                                    has_codes.update(|has| *has = !*has);
                                    shown.set(if has_codes.get_untracked() {
                                        text.clone()
                                    } else {
                                        without_terminal_codes(&text).0.into_owned()
                                    });
                                }
                            >
                                {format!("{codes} terminal {}", noun(codes as u64, "code"))}
                            </button>
                        }
                    })}
                <CopyButton text=move |()| copied.clone() what=name/>
            </div>
            {move || view! { <LongText text=shown.get() is_code=true/> }}
        </div>
    }
}

/// A duration in milliseconds, for reading.
fn duration(milliseconds: f64) -> String {
    if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", milliseconds / 1000.0)
    }
}

/// Everything else that the record says; what it does not say is not there.
#[component]
pub(crate) fn Rest(details: Details) -> impl IntoView {
    let counters = details.counters.clone();
    let facts = facts(&details);
    let has_facts = !facts.is_empty() || !counters.is_empty();
    let texts = details.texts.clone();
    let (rationale, strategy, task) =
        (details.rationale.clone(), details.strategy.clone(), details.task.clone());
    let has_plan = rationale.is_some() || strategy.is_some() || task.is_some();
    view! {
        {has_plan.then(|| view! {
            <Fold title="Plan">
                {strategy.clone().map(|text| view! { <NamedBlock name="Strategy" text/> })}
                {rationale.clone().map(|text| view! { <NamedBlock name="Rationale" text/> })}
                {task.clone().map(|text| view! { <NamedBlock name="Task" text/> })}
            </Fold>
        })}
        {has_facts.then(|| view! {
            <Fold title="Facts">
                <dl class="counters">
                    {rows(facts.clone())}
                    {named_counts(counters.clone())}
                </dl>
            </Fold>
        })}
        {(!texts.is_empty()).then(|| view! {
            <Fold title="Texts" note=texts.len().to_string() is_closed=true>
                {texts
                    .clone()
                    .into_iter()
                    .map(|named| view! {
                        <div class="named">
                            <h4><RecordText text=named.name/></h4>
                            <LongText text=named.text is_code=true/>
                        </div>
                    })
                    .collect::<Vec<_>>()}
            </Fold>
        })}
    }
}

fn facts(details: &Details) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut add = |name, text: Option<String>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            facts.push((name, text));
        }
    };
    add("Began", details.start.clone());
    add("Ended", details.time.clone());
    add("Took", details.duration_ms.map(duration));
    add("Usage", details.usage.as_ref().map(usage));
    add("Qualified as", Some(details.flags.join(", ")));
    add("Verification", details.verification.clone());
    add("Files", Some(details.files.join(", ")));
    if let Some(window) = &details.window {
        add("Memory after", Some(memory(window)));
    }
    facts
}

/// What an attempt or a run took, as far as the provider said.
pub(crate) fn usage(usage: &Usage) -> String {
    let count = |value: Option<f64>, what: &str| value.map(|value| format!("{value} {what}"));
    [
        count(usage.tokens, "tokens"),
        count(usage.input_tokens, "tokens in"),
        count(usage.output_tokens, "tokens out"),
        count(usage.tool_calls, "tool calls"),
        usage.cost_usd.map(|cost| format!("{cost} US dollars")),
        usage.ms.map(duration),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

/// The window after the record was stored, in the record's own words.
pub(crate) fn memory(window: &RecordedWindow) -> String {
    let mut parts = Vec::new();
    if let Some(after) = &window.after {
        parts.push(if after.is_empty() { "empty".to_owned() } else { format::numbers(after) });
    }
    if let Some(omega) = window.omega {
        parts.push(format!("\u{3a9} {omega}"));
    }
    parts.extend(window.policy.clone());
    if let Some(size) = window.size {
        parts.push(format!("size {size}"));
    }
    if let Some(total) = window.total {
        parts.push(format!("{total} written in all"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_parts_are_left_out() {
        let window = RecordedWindow {
            omega: Some(3),
            after: Some(vec![7, 8, 9]),
            ..RecordedWindow::default()
        };
        assert_eq!(memory(&window), "7–9, Ω 3");
        assert!(facts(&Details::default()).is_empty());
    }

    #[test]
    fn places_end_where_knowledge_does() {
        let mut error = ErrorDetails { file: Some("src/a.rs".into()), ..ErrorDetails::default() };
        assert_eq!(place(&error).as_deref(), Some("src/a.rs"));
        error.column = Some(4);
        assert_eq!(place(&error).as_deref(), Some("src/a.rs"), "a column needs its line");
        error.line = Some(9);
        assert_eq!(place(&error).as_deref(), Some("src/a.rs:9:4"));
        assert_eq!((duration(812.0).as_str(), duration(2400.0).as_str()), ("812 ms", "2.4 s"));
    }
}
