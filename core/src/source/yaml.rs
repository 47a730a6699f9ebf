//! YAML documents, within budgets.

use serde_json::Value;
use serde_saphyr::Error;

/// Why a document gives no value.
#[derive(Clone, Debug)]
pub(crate) struct BadYaml {
    pub(crate) rule: &'static str,
    pub(crate) message: String,
    /// Line and column inside the document, from 1.
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Nodes of one document; 32 MiB of text can hold that many.
const MAX_NODES: usize = 20_000_000;

/// Reads one document with the 1.2 core schema: `no`, `on` and dates stay texts.
pub(crate) fn read(text: &str) -> Result<Value, BadYaml> {
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget!(max_nodes: MAX_NODES, max_events: 4 * MAX_NODES),
    };
    serde_saphyr::from_str_with_options::<Value>(text, options).map_err(|error| {
        let message = error.to_string();
        // Limits that are met inside an alias come wrapped; their text is all there is.
        let is_limit = message.contains("budget")
            || matches!(
                error.without_snippet(),
                Error::AliasReplayCounterOverflow { .. }
                    | Error::AliasReplayLimitExceeded { .. }
                    | Error::AliasExpansionLimitExceeded { .. }
                    | Error::AliasReplayStackDepthExceeded { .. }
                    | Error::Budget { .. }
            );
        let location = error.location();
        let part = |n: Option<u64>| n.and_then(|n| u32::try_from(n).ok()).unwrap_or(1).max(1);
        BadYaml {
            rule: if is_limit { "yaml/alias-limit" } else { "yaml/syntax" },
            message: message.lines().next().unwrap_or_default().to_owned(),
            line: part(location.as_ref().map(serde_saphyr::Location::line)),
            column: part(location.as_ref().map(serde_saphyr::Location::column)),
        }
    })
}

/// Offset in the document of where reading stopped.
pub(crate) fn offset(text: &str, bad: &BadYaml) -> usize {
    let line_at: usize = text.split_inclusive('\n').take(bad.line as usize - 1).map(str::len).sum();
    let line = text.get(line_at..).unwrap_or_default();
    line_at + line.chars().take(bad.column as usize - 1).map(char::len_utf8).sum::<usize>()
}
