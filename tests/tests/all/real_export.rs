//! Real runs, exported and opened again: nothing of them gets lost on the way.

use hindscope::{ExportOptions, RunView};
use hindscope_tests::{Input, export, open, read, shared};

#[test]
fn real_histories_come_back() {
    for part in ["aiwg", "loop", "other", "reflexion"] {
        let Some(path) = shared(part) else { continue };
        let files = read(&path).expect("the data can be read");
        let first = open(&files, 1 << 16);
        let text = export(&first, &files, None, &ExportOptions::default()).expect("all of it");
        let carried = vec![Input { name: "all.hindscope.json".into(), bytes: text.into_bytes() }];
        let second = open(&carried, 1 << 16);
        let again = export(&second, &carried, None, &ExportOptions::default()).expect("all of it");
        assert!(again.as_bytes() == carried[0].bytes, "{part}: other bytes");
        let facts = |runs: Vec<RunView>| -> Vec<RunView> {
            // Groups without runs do not come back, so ids of groups may differ.
            runs.into_iter().map(|run| RunView { group: hindscope::GroupId(0), ..run }).collect()
        };
        let (runs, reopened) = (facts(first.runs()), facts(second.runs()));
        assert_eq!(runs.len(), reopened.len(), "{part}");
        for (a, b) in runs.iter().zip(&reopened) {
            assert_eq!(a, b, "{part}");
        }
        eprintln!(
            "{part}: {} files, {} runs, {} findings, {} bytes of bundle",
            files.len(),
            runs.len(),
            first.finding_count(),
            carried[0].bytes.len()
        );
    }
}
