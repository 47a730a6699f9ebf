//! Input formats: one file each, and the table that lists them.

pub(crate) mod env_results;
pub(crate) mod facts;
pub(crate) mod hook_iteration;
pub(crate) mod programming_log;
pub(crate) mod read;
pub(crate) mod reflection_memory;
pub(crate) mod shape;

use serde::Serialize;
use serde_json::Value;

use crate::history::details::Details;
use shape::Shape;

/// What people should know of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FormatInfo {
    /// Its id, the same everywhere.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What a history gets from it.
    pub gives: &'static str,
}

/// A row of the table.
pub(crate) struct Format {
    pub(crate) info: FormatInfo,
    pub(crate) shape: &'static Shape,
    /// The test on one record, formats.md section 3.
    pub(crate) fits: fn(&Value) -> bool,
    /// Members whose absence explains best why a record is not of the format.
    pub(crate) marks: &'static [&'static str],
    pub(crate) details: fn(&Value, u32) -> Details,
}

/// A format by its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum FormatId {
    ReflectionMemory,
    HookIteration,
    EnvResults,
    ProgrammingLog,
}

/// Tested in this order; the first that fits counts.
const TABLE: [Format; 4] = [
    Format {
        info: FormatInfo {
            id: "reflection-memory",
            title: "Reflection memory record",
            gives: "iterations with rewards, actions, errors, reflections and the recorded window",
        },
        shape: &reflection_memory::SHAPE,
        fits: reflection_memory::fits,
        marks: &["self_reflection", "evaluator_output"],
        details: reflection_memory::details,
    },
    Format {
        info: FormatInfo {
            id: "hook-iteration",
            title: "Iteration file of a post-iteration hook",
            gives: "iterations with outcomes and reflections",
        },
        shape: &hook_iteration::SHAPE,
        fits: hook_iteration::fits,
        marks: &["trial_number", "reflection"],
        details: hook_iteration::details,
    },
    Format {
        info: FormatInfo {
            id: "env-results",
            title: "Reflexion environment results, one file a trial",
            gives: "tasks with outcomes and the memory at each trial",
        },
        shape: &env_results::SHAPE,
        fits: env_results::fits,
        marks: &["memory", "is_success"],
        details: env_results::details,
    },
    Format {
        info: FormatInfo {
            id: "programming-log",
            title: "Reflexion programming log",
            gives: "tasks with attempts, reflections and the hidden tests' verdict",
        },
        shape: &programming_log::SHAPE,
        fits: programming_log::fits,
        marks: &["entry_point", "is_solved"],
        details: programming_log::details,
    },
];

static ROWS: [Format; 4] = TABLE;

impl FormatId {
    const ALL: [Self; 4] =
        [Self::ReflectionMemory, Self::HookIteration, Self::EnvResults, Self::ProgrammingLog];

    pub(crate) fn row(self) -> &'static Format {
        &ROWS[self as usize]
    }

    pub(crate) fn as_str(self) -> &'static str {
        self.row().info.id
    }

    /// Recognises one parsed record by its content.
    pub(crate) fn sniff(value: &Value) -> Option<Self> {
        Self::ALL.into_iter().find(|id| (id.row().fits)(value))
    }
}

/// The formats that can be opened.
pub fn formats() -> &'static [FormatInfo] {
    const INFOS: [FormatInfo; 4] = [TABLE[0].info, TABLE[1].info, TABLE[2].info, TABLE[3].info];
    &INFOS
}

/// The three nearest formats, with the members that each of them misses.
pub(crate) fn nearest(value: &Value) -> String {
    let missing = |format: &Format| {
        format.marks.iter().copied().filter(|m| value.get(m).is_none()).collect::<Vec<_>>()
    };
    let mut rows: Vec<_> = ROWS.iter().map(|f| (f.info.id, missing(f))).collect();
    rows.sort_by_key(|(_, missing)| missing.len());
    rows.truncate(3);
    let text = |(id, missing): &(&str, Vec<&str>)| match missing.as_slice() {
        [] => format!("{id} (its members have other types)"),
        names => format!("{id} (no `{}`)", names.join("`, `")),
    };
    rows.iter().map(text).collect::<Vec<_>>().join(", ")
}
