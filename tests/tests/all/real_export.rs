//! Real runs, exported and opened again: nothing of them gets lost on the way.

use hindscope::{ExportOptions, RunView};
use hindscope_tests::{export, open, read, shared, unpacked};

#[test]
fn real_histories_come_back() {
    for part in ["aiwg", "loop", "other", "reflexion"] {
        let Some(path) = shared(part) else { continue };
        let files = read(&path).expect("the data can be read");
        let first = open(&files, 1 << 16);
        let text = export(&first, &files, None, &ExportOptions::default()).expect("all of it");
        let entries = unpacked(&text);
        let second = open(&entries, 1 << 16);
        let again = export(&second, &entries, None, &ExportOptions::default()).expect("all of it");
        assert!(again == text, "{part}: other bytes");
        let facts = |runs: Vec<RunView>| -> Vec<RunView> {
            // A line that is too long is one of the file.
            let of = |run| RunView { group: hindscope::GroupId(0), findings: 0, ..run };
            runs.into_iter().map(of).collect()
        };
        let (runs, reopened) = (facts(first.runs()), facts(second.runs()));
        assert_eq!(runs.len(), reopened.len(), "{part}");
        for (a, b) in runs.iter().zip(&reopened) {
            assert_eq!(a, b, "{part}");
        }
        eprintln!(
            "{part}: {} files, {} runs, {} findings, {} bytes of export",
            files.len(),
            runs.len(),
            first.finding_count(),
            text.len()
        );
    }
}
