//! Compares what records say of their windows with what the rule gives (docs/spec/rules.md,
//! "Window").
//!
//! The functions take only numbers of iterations, from columns or from records that were read, in
//! ascending order where a function says so. Their findings name no place: the caller adds run and
//! record.

use std::collections::BTreeSet;

use crate::model::finding::{Finding, Severity};

/// The fifo windows before and after iteration `k`. `written` are the numbers of the iterations
/// that wrote a reflection, ascending, one for each reflection.
pub(crate) fn around(k: i64, written: &[i64], omega: u8) -> (Vec<i64>, Vec<i64>) {
    let last = |end: usize| {
        let start = end.saturating_sub(usize::from(omega));
        written.get(start..end).unwrap_or_default().to_vec()
    };
    let before = written.partition_point(|n| *n < k);
    let after = written.partition_point(|n| *n <= k);
    (last(before), last(after))
}

/// `series/window-mismatch` and `series/window-unverifiable`: `stored` is the record's
/// `reflections_in_context`, `omega` its Ω, `open` the numbers of the records that are open, ascending.
pub(crate) fn stored_window(
    k: i64,
    open: &[i64],
    written: &[i64],
    omega: u8,
    stored: &[i64],
) -> Option<Finding> {
    const POINTER: &str = "/memory_metadata/reflections_in_context";
    let (before, after) = around(k, written, omega);
    let set = |numbers: &[i64]| numbers.iter().copied().collect::<BTreeSet<_>>();
    let (stored_set, after_set) = (set(stored), set(&after));
    if stored_set == after_set {
        return None;
    }
    let unseen: Vec<i64> =
        stored_set.iter().copied().filter(|n| *n < k && open.binary_search(n).is_err()).collect();
    if !unseen.is_empty() {
        return Some(
            Finding::new(
                "series/window-unverifiable",
                Severity::Info,
                format!(
                    "The stored window contains {}, but {}. The window cannot be checked.",
                    named(&unseen),
                    absent(&unseen)
                ),
            )
            .pointer(POINTER),
        );
    }
    let contrast = |finding: Finding| finding.contrast(list(&after), list(stored)).pointer(POINTER);
    if stored_set == set(&before) {
        return Some(contrast(Finding::new(
            "series/window-mismatch",
            Severity::Info,
            "The stored window is the one from before this iteration. It was probably stored before it was updated.",
        )));
    }
    let missing: Vec<i64> = after_set.difference(&stored_set).copied().collect();
    let extra: Vec<i64> = stored_set.difference(&after_set).copied().collect();
    let difference = match (&missing[..], &extra[..]) {
        ([], extra) => format!("it should not contain {}", named(extra)),
        (missing, []) => format!("it should contain {}", named(missing)),
        (missing, extra) => {
            format!("it should contain {}, but not {}", named(missing), named(extra))
        }
    };
    Some(contrast(
        Finding::new(
            "series/window-mismatch",
            Severity::Warning,
            format!("The stored window differs from the window computed after iteration {k} with Ω {omega}: {difference}."),
        )
        .hint("The computed window is used."),
    ))
}

/// `series/injected-unknown` and `series/injected-dropped`: `used` is the record's
/// `previous_reflections_used`, `window` the one when iteration `k` began, if the record says
/// enough to know it; `open` is ascending.
pub(crate) fn injected(k: i64, open: &[i64], window: Option<&[i64]>, used: &[i64]) -> Vec<Finding> {
    const POINTER: &str = "/previous_reflections_used";
    let used: BTreeSet<i64> = used.iter().copied().collect();
    let is_open = |n: &i64| open.binary_search(n).is_ok();
    let (mut dropped, unknown): (Vec<i64>, Vec<i64>) = used.into_iter().partition(is_open);
    dropped.retain(|n| window.is_some_and(|window| !window.contains(n)));
    let unknown = (!unknown.is_empty()).then(|| {
        Finding::new(
            "series/injected-unknown",
            Severity::Warning,
            format!("The record says that it used {}, but {}.", named(&unknown), absent(&unknown)),
        )
        .hint("Open the whole folder, or check `previous_reflections_used`.")
        .pointer(POINTER)
    });
    let dropped = (!dropped.is_empty()).then(|| {
        let was = if dropped.len() == 1 { "this was" } else { "these were" };
        Finding::new(
            "series/injected-dropped",
            Severity::Info,
            format!(
                "The record says that it used {}, but {was} not in the window when iteration {k} started.",
                named(&dropped)
            ),
        )
        .contrast(list(window.unwrap_or_default()), list(&dropped))
        .pointer(POINTER)
    });
    unknown.into_iter().chain(dropped).collect()
}

/// `series/total-step`: `total_reflections_generated` of two neighbours, and how many reflections
/// were written after the first of them up to the second.
pub(crate) fn total_step(before: i64, now: i64, written: usize) -> Option<Finding> {
    let expected = before.saturating_add(i64::try_from(written).unwrap_or(i64::MAX));
    (now != expected).then(|| {
        let reflections = if written == 1 { "reflection was" } else { "reflections were" };
        Finding::new(
            "series/total-step",
            Severity::Warning,
            format!(
                "The stated total of reflections is {now}, but it was {before} in the record before, and {written} {reflections} written since then."
            ),
        )
        .contrast(expected.to_string(), now.to_string())
        .pointer("/memory_metadata/total_reflections_generated")
    })
}

/// The reflections of iterations.
fn named(numbers: &[i64]) -> String {
    let s = if numbers.len() == 1 { "" } else { "s" };
    format!("the reflection{s} of iteration{s} {}", list(numbers))
}

/// That their records are missing.
fn absent(numbers: &[i64]) -> &'static str {
    match numbers {
        [_] => "its record is not in the opened files",
        _ => "their records are not in the opened files",
    }
}

fn list(numbers: &[i64]) -> String {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    if numbers.is_empty() { "nothing".to_owned() } else { numbers.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule_of(finding: Option<Finding>) -> Option<(&'static str, Severity)> {
        let rules = [DIFFERS, UNSEEN, STEP];
        let finding = finding?;
        Some((rules.into_iter().find(|rule| *rule == finding.rule)?, finding.severity))
    }

    const DIFFERS: &str = "series/window-mismatch";
    const UNSEEN: &str = "series/window-unverifiable";
    const STEP: &str = "series/total-step";

    #[test]
    fn stored_windows_are_compared_with_both_sides_of_the_update() {
        let all = [1, 2, 3, 4, 5];
        let found = |stored: &[i64]| rule_of(stored_window(5, &all, &all, 3, stored));
        assert_eq!(found(&[3, 4, 5]), None);
        assert_eq!(found(&[5, 4, 3]), None, "order is another rule's");
        assert_eq!(found(&[2, 3, 4]), Some((DIFFERS, Severity::Info)));
        assert_eq!(found(&[2, 3, 4, 5]), Some((DIFFERS, Severity::Warning)));
        assert_eq!(found(&[3, 5]), Some((DIFFERS, Severity::Warning)));
        let finding = stored_window(5, &all, &all, 3, &[2, 3, 4, 5]).expect("it differs");
        let ending = "it should not contain the reflection of iteration 2.";
        assert!(finding.message.ends_with(ending), "{}", finding.message);
        assert_eq!(finding.expected.as_deref(), Some("3, 4, 5"));
    }

    #[test]
    fn what_is_not_open_cannot_be_compared() {
        let open = [4, 5];
        let found = |stored: &[i64]| rule_of(stored_window(5, &open, &open, 3, stored));
        assert_eq!(found(&[3, 4, 5]), Some((UNSEEN, Severity::Info)));
        assert_eq!(found(&[4, 5]), None);
        assert_eq!(found(&[4, 5, 9]), Some((DIFFERS, Severity::Warning)));
        // Open, and without a reflection: nothing is unseen.
        let found = rule_of(stored_window(5, &[3, 4, 5], &open, 3, &[3, 4, 5]));
        assert_eq!(found, Some((DIFFERS, Severity::Warning)));
    }

    #[test]
    fn used_reflections_are_open_and_in_the_window() {
        let rules = |found: Vec<Finding>| found.into_iter().map(|f| f.rule).collect::<Vec<_>>();
        let open = [1, 2, 3, 4];
        assert_eq!(rules(injected(4, &open, Some(&[3]), &[7])), ["series/injected-unknown"]);
        assert_eq!(rules(injected(4, &open, Some(&[3]), &[2])), ["series/injected-dropped"]);
        assert!(injected(4, &open, Some(&[3]), &[3]).is_empty());
        assert!(injected(4, &open, Some(&[3]), &[]).is_empty());
        assert_eq!(injected(4, &open, Some(&[3]), &[7, 2]).len(), 2);
        assert!(injected(4, &open, None, &[2]).is_empty(), "nobody knows the window");
    }

    #[test]
    fn totals_grow_by_what_was_written() {
        assert_eq!(rule_of(total_step(2, 5, 1)), Some((STEP, Severity::Warning)));
        assert_eq!(rule_of(total_step(2, 3, 1)), None);
        assert_eq!(rule_of(total_step(2, 2, 0)), None);
        assert_eq!(rule_of(total_step(3, 2, 1)), Some((STEP, Severity::Warning)));
    }

    #[test]
    fn windows_around_an_iteration() {
        assert_eq!(around(5, &[1, 2, 4, 5, 6], 2), (vec![2, 4], vec![4, 5]));
        assert_eq!(around(3, &[1, 2, 4], 2), (vec![1, 2], vec![1, 2]));
        assert_eq!(around(1, &[1], 0), (vec![], vec![]));
    }
}
