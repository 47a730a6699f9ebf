//! Whether a run counts its attempts from 0 or from 1 (docs/spec/formats.md,
//! "Base of the numbering").

use super::path::is_alone;
use super::step::Step;
use crate::history::grouping::GroupBuilder;
use crate::model::view::BaseProvenance;

/// Number of the first attempt, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    pub(crate) value: u8,
    pub(crate) provenance: BaseProvenance,
    pub(crate) is_mixed: bool,
}

/// Declared by most formats; collected as evidence for reflection memory and for the reflections
/// of an episodic memory.
pub(super) fn base(
    builder: &GroupBuilder<'_>,
    steps: &[(i64, Step<'_>)],
    declared: Option<u8>,
) -> Base {
    let of = |value, provenance, is_mixed| Base { value, provenance, is_mixed };
    let with_schema = steps.iter().filter(|(_, s)| s.format.is_validated());
    let memory: Vec<(i64, usize)> = with_schema.map(|(n, s)| (*n, s.row)).collect();
    if !memory.is_empty() {
        return of_memory(builder, &memory);
    }
    if let Some(value) = declared {
        return of(value, BaseProvenance::Declared, false);
    }
    let fixed = steps.iter().find_map(|(_, s)| s.format.traits().base);
    let has_zero = steps.iter().any(|(n, _)| *n == 0);
    match (fixed, has_zero) {
        (Some(value), _) => of(value, BaseProvenance::Declared, false),
        (None, true) => of(0, BaseProvenance::Evidence, false),
        (None, false) if steps.is_empty() => of(1, BaseProvenance::Declared, false),
        (None, false) => of(1, BaseProvenance::Assumed, false),
    }
}

fn of_memory(builder: &GroupBuilder<'_>, memory: &[(i64, usize)]) -> Base {
    let table = builder.table;
    let of = |value, provenance, is_mixed| Base { value, provenance, is_mixed };
    if memory.iter().any(|(n, _)| *n == 0) {
        return of(0, BaseProvenance::Evidence, false);
    }
    let file = |row: usize| {
        let named = builder.named(row);
        named.number.filter(|_| named.is_plain && is_alone(table, row))
    };
    let files: Vec<_> = memory.iter().map(|&(n, row)| (n, file(row))).collect();
    let all_files =
        |shift: i64| files.iter().all(|(n, file)| *file == Some(n.saturating_add(shift)));
    let totals: Vec<_> = memory
        .iter()
        .filter_map(|&(n, i)| Some((n, table.more(&table.rows[i]).window_total?)))
        .collect();
    let (smallest, first) = memory[0];
    let claims_past = {
        let row = &table.rows[first];
        table.more(row).has_past || table.more(row).stored.reward.is_some_and(|w| w.value != 0.0)
    };
    let zero = all_files(1)
        || (!totals.is_empty() && totals.iter().all(|(n, total)| *total == n.saturating_add(1)))
        || (smallest == 1 && claims_past);
    let one = all_files(0);
    match (zero, one) {
        (true, false) => of(0, BaseProvenance::Evidence, false),
        (false, true) => of(1, BaseProvenance::Evidence, false),
        (true, true) => of(0, BaseProvenance::Assumed, true),
        (false, false) => of(0, BaseProvenance::Assumed, false),
    }
}
