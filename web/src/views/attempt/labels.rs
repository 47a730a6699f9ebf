//! What a replay says, and where it goes: pure functions.

use std::fmt::Write as _;

use crate::format::duration;
use crate::platform;
use crate::protocol::{ActionBody, ActionsBody, AttemptRow, ReplayState};
use crate::visible_text::plain;

/// Milliseconds since the attempt began; before it, where clocks disagree.
pub(super) fn offset(ms: f64) -> String {
    let sign = if ms < 0.0 { "\u{2212}" } else { "+" };
    let length = if ms.abs() < 0.5 { "0 s".to_owned() } else { duration(ms.abs()) };
    format!("{sign}{length}")
}

/// Whether an action worked: a class, a mark and a word, as its record says.
pub(super) fn said(success: Option<bool>) -> (&'static str, &'static str, &'static str) {
    match success {
        Some(true) => ("pass", "=", "worked"),
        Some(false) => ("fail", "\u{2260}", "failed"),
        None => ("muted", "?", "not recorded"),
    }
}

/// How the actions went, as far as they were read.
pub(super) fn counts(list: &ActionsBody) -> String {
    let unsaid = list.read.saturating_sub(list.worked + list.failed);
    let mut text = state(&ReplayState {
        worked: list.worked,
        failed: list.failed,
        unsaid,
        ..ReplayState::default()
    });
    if list.read < list.total {
        let (read, total) = (platform::whole(list.read), platform::whole(list.total));
        text = format!("{text} so far ({read} of {total} read)");
    }
    format!("In all: {text}")
}

/// Counts of a state in words. What nobody says is named, so that the parts add up.
pub(super) fn state(state: &ReplayState) -> String {
    let whole = platform::whole;
    let mut parts =
        vec![format!("{} worked", whole(state.worked)), format!("{} failed", whole(state.failed))];
    if state.unsaid > 0 {
        parts.push(format!("{} not recorded", whole(state.unsaid)));
    }
    parts.join(", ")
}

/// What is said aloud after a step.
pub(super) fn sentence(one: &ActionBody) -> String {
    let action = &one.action;
    let (.., word) = said(action.success);
    let mut text = format!(
        "Action {} of {}: {}, {word}.",
        platform::whole(one.at + 1),
        platform::whole(one.total),
        plain(&action.kind),
    );
    if one.error.is_some() {
        text.push_str(" With an error.");
    }
    if let Some(elapsed) = one.state.elapsed {
        let _ = write!(text, " {} elapsed.", duration(elapsed.max(0.0)));
    }
    let _ = write!(text, " So far {}.", state(&one.state));
    text
}

/// The next position with trouble, or the one before.
pub(super) fn trouble(troubles: &[u32], now: u32, is_forward: bool) -> Option<u32> {
    if is_forward {
        let at = troubles.partition_point(|at| *at <= now);
        troubles.get(at).copied()
    } else {
        let at = troubles.partition_point(|at| *at < now);
        troubles.get(at.checked_sub(1)?).copied()
    }
}

/// A stretch of a line that is 100 long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) from: f64,
    pub(super) width: f64,
}

/// A bar for each attempt whose duration is known. The bars show when the attempts were made if all of
/// these say when they began; otherwise they only show how long each took.
pub(super) fn bars(rows: &[AttemptRow]) -> Vec<Option<Bar>> {
    const LEAST: f64 = 1.0;
    let known: Vec<&AttemptRow> = rows.iter().filter(|row| row.duration.is_some()).collect();
    let start = |row: &AttemptRow| row.start.unwrap_or(f64::NAN);
    let has_starts = known.iter().all(|row| row.start.is_some());
    let (from, to) = if has_starts {
        let ends = known.iter().map(|row| start(row) + row.duration.unwrap_or(0.0));
        let starts = known.iter().map(|row| start(row));
        (starts.fold(f64::INFINITY, f64::min), ends.fold(f64::NEG_INFINITY, f64::max))
    } else {
        (0.0, known.iter().filter_map(|row| row.duration).fold(0.0, f64::max))
    };
    let all = to - from;
    let bar = |row: &AttemptRow| {
        let length = row.duration?;
        if all <= 0.0 || !all.is_finite() {
            return Some(Bar { from: 0.0, width: LEAST });
        }
        let width = (length / all * 100.0).max(LEAST);
        let begin = if has_starts { (start(row) - from) / all * 100.0 } else { 0.0 };
        Some(Bar { from: begin.min(100.0 - width).max(0.0), width })
    };
    rows.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindscope::{Action, Outcome};

    fn row(start: Option<f64>, duration: Option<f64>) -> AttemptRow {
        AttemptRow {
            number: 1,
            outcome: Outcome::Failure,
            detail: None,
            reward: None,
            actions: 0,
            counted: None,
            errors: None,
            duration,
            start,
        }
    }

    #[test]
    fn steps_between_troubles() {
        let troubles = [2, 5, 9];
        let next = |now| trouble(&troubles, now, true);
        assert_eq!([next(0), next(2), next(9)], [Some(2), Some(5), None]);
        let before = |now| trouble(&troubles, now, false);
        assert_eq!([before(9), before(3), before(2)], [Some(5), Some(2), None]);
        assert_eq!((trouble(&[], 3, true), trouble(&[], 3, false)), (None, None));
    }

    #[test]
    fn offsets_have_a_sign() {
        let all = [0.0, 240_000.0, -3000.0].map(offset);
        assert_eq!(all, ["+0 s", "+4 m 0 s", "\u{2212}3 s"]);
    }

    #[test]
    fn a_step_says_where_it_led() {
        let mut one = ActionBody {
            at: 1,
            total: 12,
            action: Action {
                kind: "bash\u{202e}".into(),
                success: Some(false),
                ..Action::default()
            },
            error: Some("exit 2".into()),
            state: ReplayState {
                worked: 1,
                failed: 1,
                elapsed: Some(60_000.0),
                ..ReplayState::default()
            },
            ..ActionBody::default()
        };
        let text = sentence(&one);
        assert!(text.starts_with("Action 2 of 12: bash"), "{text}");
        assert!(
            text.ends_with(", failed. With an error. 1 m 0 s elapsed. So far 1 worked, 1 failed."),
            "{text}"
        );
        assert!(!text.contains('\u{202e}'), "what turns text around is named");
        one.state.unsaid = 3;
        assert!(sentence(&one).ends_with("1 failed, 3 not recorded."));
    }

    #[test]
    fn counts_say_that_reading_goes_on() {
        let list =
            ActionsBody { total: 9, read: 4, worked: 3, failed: 1, ..ActionsBody::default() };
        assert_eq!(counts(&list), "In all: 3 worked, 1 failed so far (4 of 9 read)");
        let list = ActionsBody { read: 9, ..list };
        assert_eq!(counts(&list), "In all: 3 worked, 1 failed, 5 not recorded");
    }

    #[test]
    fn bars_stand_where_the_time_was_or_show_how_long() {
        let of = |rows: &[AttemptRow]| -> Vec<_> {
            bars(rows).into_iter().map(|bar| bar.map(|bar| (bar.from, bar.width))).collect()
        };
        let rows =
            [row(Some(0.0), Some(50.0)), row(Some(150.0), Some(50.0)), row(Some(60.0), None)];
        assert_eq!(of(&rows), [Some((0.0, 25.0)), Some((75.0, 25.0)), None]);
        let rows = [row(None, Some(50.0)), row(Some(150.0), Some(100.0))];
        assert_eq!(of(&rows), [Some((0.0, 50.0)), Some((0.0, 100.0))]);
        assert_eq!(of(&[row(Some(5.0), Some(0.0))]), [Some((0.0, 1.0))]);
        let far = [row(Some(0.0), Some(1.0)), row(Some(1e9), Some(1.0))];
        assert_eq!(of(&far)[1], Some((99.0, 1.0)), "it stays on the line");
    }
}
