//! The interface `histories`.

mod exporter;
mod history;
mod loaded_run;

pub(crate) use history::History;

use crate::Component;
use crate::cross::{Cross, labels, rows};
use crate::wit::histories::{
    Added, BaseProvenance, Encoding, FindingGroup, FormatInfo, Framing, GroupView, Guest,
    IterationView, More, Origin, RunColumns, RunView, SourceState, SourceView, Span, StoredDeltas,
};

labels!(hindscope::More => More { Wanted, Enough });
labels!(hindscope::Origin => Origin { Reported, Derived, None });
labels!(hindscope::SourceState => SourceState { Reading, Read, Raw, Refused });
labels!(hindscope::Framing => Framing { Json, JsonArray, Jsonl, Yaml, Csv, Markdown, Text });
labels!(hindscope::Encoding => Encoding { Utf8, Utf16le, Utf16be });
labels!(hindscope::BaseProvenance => BaseProvenance { Declared, Evidence, Assumed });

rows! {
    FindingGroup { rule, severity, pointer, count, first }
    FormatInfo { id, title, gives, known_by, found_at }
    SourceView {
        id, path, format, why, framing, encoding, bytes, digest, state, reason, kept, repaired,
        skipped,
    }
    Added { sources, kept, repaired, skipped, refused, bytes }
    Span { record, source, path, start, end, line, column }
    GroupView {
        id, label, format, runs, judged, reflections, numbers, solved_after, attempted,
    }
    RunView {
        id, group, key, task, format, outcome, outcome_detail, outcome_note, status, start_ms, end_ms, counter,
        max_iterations, aliases, lessons, reward, iterations, base, base_provenance,
        first_success, first_success_number, best, best_number, last, reward_origin, reward_rule, reflections, findings,
        trend, omega, omega_provenance,
    }
    StoredDeltas { reward_change, error_count_change, is_improvement }
    IterationView {
        ordinal, number, outcome, outcome_detail, time_ms, reward, delta, delta_gap, errors,
        error_delta, is_improvement, stored, record, part, merged, reflections, findings,
    }
    RunColumns<'_> { numbers, rewards, deltas, errors, outcomes, times_ms }
}

impl Guest for Component {
    type History = History;
    type LoadedRun = loaded_run::LoadedRun;
    type Exporter = exporter::Exporter;

    fn formats() -> Vec<FormatInfo> {
        hindscope::formats().cross()
    }
}
