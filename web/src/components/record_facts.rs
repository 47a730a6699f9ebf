//! What a record says beside its texts: names, numbers, how long it took, what its window holds.

use hindscope::{Counter, RecordedWindow, Usage};
use leptos::prelude::*;

use super::RecordText;
use crate::format;

/// Names and what stands beside them.
pub(crate) fn fact_rows(facts: Vec<(&'static str, String)>) -> Vec<AnyView> {
    let row = |(name, text)| view! { <div><dt>{name}</dt><dd><RecordText text/></dd></div> };
    facts.into_iter().map(row).map(IntoAny::into_any).collect()
}

/// Numbers under the names that records give them.
pub(crate) fn counter_rows(counters: Vec<Counter>) -> Vec<AnyView> {
    let row = |counter: Counter| {
        view! {
            <div><dt><RecordText text=counter.name/></dt><dd>{counter.value.to_string()}</dd></div>
        }
    };
    counters.into_iter().map(row).map(IntoAny::into_any).collect()
}

/// Milliseconds as seconds, unless there are few.
pub(crate) fn seconds(milliseconds: f64) -> String {
    if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", milliseconds / 1000.0)
    }
}

/// What an attempt or a run took, as far as the provider said.
pub(crate) fn usage(usage: &Usage) -> String {
    let count = |value: Option<f64>, what: &str| {
        value.map(|value| format!("{} {what}", format::tokens(value)))
    };
    [
        count(usage.tokens, "tokens"),
        count(usage.input_tokens, "tokens in"),
        count(usage.output_tokens, "tokens out"),
        count(usage.tool_calls, "tool calls"),
        usage.cost_usd.map(|cost| format!("{cost} US dollars")),
        usage.ms.map(seconds),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

/// The window after the record was stored, in the record's own words.
pub(crate) fn memory_after(window: &RecordedWindow) -> String {
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
        assert_eq!(memory_after(&window), "7–9, Ω 3");
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!((seconds(812.0).as_str(), seconds(2400.0).as_str()), ("812 ms", "2.4 s"));
    }
}
