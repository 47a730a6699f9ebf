//! Histories that the app brings along, so that the first look needs no file and no request.

use crate::browser::FileHandle;
use crate::protocol::FileItem;

/// A sample as it is offered.
pub(crate) struct Sample {
    /// Its name in an address.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
}

/// In the order in which they are offered.
pub(crate) const SAMPLES: [Sample; 3] = [
    Sample {
        name: "improving",
        title: "Coding agent",
        about: "Three loops with rewards, diffs and lessons. One of them gets stuck.",
    },
    Sample {
        name: "stuck",
        title: "Stuck run",
        about: "Fourteen attempts: errors come back, lessons are dropped, and it goes in circles.",
    },
    Sample {
        name: "tasks",
        title: "Household tasks",
        about: "Twelve tasks over five trials, in the form Reflexion writes.",
    },
];

macro_rules! sample {
    ($path:literal) => {
        ($path, include_bytes!(concat!("../samples/", $path)))
    };
}

const IMPROVING: [(&str, &[u8]); 1] = [sample!("improving.jsonl")];

const STUCK: [(&str, &[u8]); 1] = [sample!("stuck.jsonl")];

const TASKS: [(&str, &[u8]); 5] = [
    sample!("tasks/env_results_trial_0.json"),
    sample!("tasks/env_results_trial_1.json"),
    sample!("tasks/env_results_trial_2.json"),
    sample!("tasks/env_results_trial_3.json"),
    sample!("tasks/env_results_trial_4.json"),
];

/// The files of a sample; none for a name that is not known.
pub(crate) fn files(name: &str) -> Vec<FileItem> {
    let files: &[(&str, &[u8])] = match name {
        "improving" => &IMPROVING,
        "stuck" => &STUCK,
        "tasks" => &TASKS,
        _ => &[],
    };
    files
        .iter()
        .map(|(path, bytes)| match FileHandle::of_bytes(path, bytes) {
            Ok(handle) => FileItem::readable((*path).to_owned(), handle),
            Err(reason) => FileItem::unreadable((*path).to_owned(), reason),
        })
        .collect()
}
