//! What a chart shows, in words.

use std::fmt::Write as _;

use hindscope::{ChartMarks, Origin};

use crate::format::{self, noun};
use crate::platform;
use crate::protocol::{Columns, count};
use crate::visible_text::plain;

/// How the rewards of a chart are written, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tone {
    pub(crate) is_points: bool,
    pub(crate) origin: Origin,
    pub(crate) rule: Option<String>,
    /// Name of the series, if it is not the run's own.
    pub(crate) series: Option<String>,
}

impl Tone {
    pub(crate) fn reward(&self, value: f64) -> String {
        if self.is_points { format::points(value) } else { format::reward(value) }
    }

    pub(crate) fn delta(&self, value: f64) -> String {
        if self.is_points { format::points_delta(value) } else { format::delta(value) }
    }

    /// What the line is called.
    pub(crate) fn title(&self) -> String {
        let name = self.series.as_deref().unwrap_or("Reward");
        match self.origin {
            Origin::Reported => format!("{name}, reported"),
            Origin::Derived => format!("{name}, derived"),
            Origin::None => "Outcomes".to_owned(),
        }
    }

    /// The rule that derived the rewards; `None` where they are not derived.
    pub(crate) fn rule(&self) -> Option<String> {
        self.rule.clone().filter(|_| self.origin == Origin::Derived)
    }
}

/// Letters of an iteration as words.
fn named(marks: &ChartMarks, at: usize) -> Vec<&'static str> {
    let words = [(marks.best, "best"), (marks.selected, "selected"), (marks.last, "final")];
    words.into_iter().filter(|(item, _)| *item == Some(at)).map(|(_, word)| word).collect()
}

/// One iteration in a line.
pub(crate) fn sentence(
    columns: &Columns,
    at: usize,
    tone: &Tone,
    marks: &ChartMarks,
    written: Option<&str>,
) -> Option<String> {
    let mut text = format!("Iteration {}: {}", columns.number(at)?, columns.outcome(at).as_str());
    let named = if tone.origin == Origin::None { Vec::new() } else { named(marks, at) };
    match columns.rewards.get(at) {
        Some(reward) => {
            let what = if tone.origin == Origin::Derived { "derived reward" } else { "reward" };
            let _ = write!(text, ", {what} {}", tone.reward(reward));
            if let Some(written) = written {
                let _ = write!(text, ", written {}", plain(written));
            }
        }
        None if tone.origin != Origin::None => text.push_str(", no reward"),
        None => {}
    }
    if let Some(delta) = columns.deltas.get(at) {
        let _ = write!(text, " ({})", tone.delta(delta));
        if let Some(gap) = columns.gaps.get(at).filter(|gap| *gap > 0.0) {
            let _ = write!(text, ", gap of {gap}");
        }
        if let Some(stored) = columns.stored.get(at) {
            let _ = write!(text, ", file says {}", tone.delta(stored));
        }
    }
    if !named.is_empty() {
        let _ = write!(text, ", {}", named.join(" and "));
    }
    if let Some(errors) = columns.errors.get(at) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let count = errors as u64;
        let _ = write!(text, ", {count} {}", noun(count, "error"));
    }
    if let Some(merged) = columns.merged.get(at).filter(|merged| *merged > 1.0) {
        let _ = write!(text, ", {merged} records");
    }
    if let Some(rule) = tone.rule().filter(|_| columns.rewards.get(at).is_some()) {
        let _ = write!(text, ", by {rule}");
    }
    Some(text)
}

/// Best, selected and final, each with its letter.
pub(crate) fn landmarks(columns: &Columns, marks: &ChartMarks, tone: &Tone) -> Vec<(char, String)> {
    if tone.origin == Origin::None {
        return Vec::new();
    }
    let words =
        [('B', "best", marks.best), ('S', "selected", marks.selected), ('F', "final", marks.last)];
    words
        .into_iter()
        .filter_map(|(letter, word, at)| {
            let at = at?;
            let reward = columns.rewards.get(at);
            let reward = reward.map_or_else(|| "no reward".to_owned(), |value| tone.reward(value));
            Some((letter, format!("{word} {} ({reward})", columns.number(at)?)))
        })
        .collect()
}

/// What taking the final iteration costs.
pub(crate) fn degradation(marks: &ChartMarks, tone: &Tone) -> Option<String> {
    Some(format!("final is {} below selected", tone.reward(marks.degradation?)))
}

/// How many points are drawn of how many; nothing if it is all of them.
pub(crate) fn caption(drawn: usize, shown: usize, all: usize) -> Option<String> {
    let whole = |n: usize| platform::whole(count(n));
    let (d, s, a) = (whole(drawn), whole(shown), whole(all));
    match (drawn < shown, shown < all) {
        (false, false) => None,
        (true, false) => Some(format!("Drawing {d} of {s} points")),
        (true, true) => Some(format!("Drawing {d} of {s} points in sight, {a} in the run")),
        (false, true) => Some(format!("{s} of {a} iterations in sight")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(origin: Origin) -> Tone {
        let rule = (origin == Origin::Derived).then(|| "reward/derive-tests".to_owned());
        Tone { is_points: false, origin, rule, series: None }
    }

    #[test]
    fn says_one_iteration_in_a_line() {
        let columns = Columns {
            numbers: [8.0, 9.0, 11.0].into_iter().collect(),
            rewards: [Some(0.53), None, Some(0.5)].into_iter().collect(),
            deltas: [Some(-0.12), None, Some(-0.03)].into_iter().collect(),
            gaps: [0.0, 0.0, 1.0].into_iter().collect(),
            stored: [Some(0.1), None, None].into_iter().collect(),
            errors: [Some(1.0), None, None].into_iter().collect(),
            merged: [0.0, 2.0, 0.0].into_iter().collect(),
            outcomes: "FPF".to_owned(),
            ..Columns::default()
        };
        let marks =
            ChartMarks { best: Some(0), selected: Some(0), last: Some(2), degradation: Some(0.03) };
        let of = |at, origin| sentence(&columns, at, &tone(origin), &marks, None);
        assert_eq!(
            of(0, Origin::Reported).as_deref(),
            Some(
                "Iteration 8: failure, reward 0.530 (−0.120), file says +0.100, best and selected, 1 error"
            )
        );
        let spelled = sentence(&columns, 0, &tone(Origin::Reported), &marks, Some("53/100"));
        assert!(spelled.is_some_and(|text| text.contains("reward 0.530, written 53/100 (")));
        assert_eq!(
            of(1, Origin::Derived).as_deref(),
            Some("Iteration 9: success, no reward, 2 records")
        );
        assert_eq!(
            of(2, Origin::Derived).as_deref(),
            Some(
                "Iteration 11: failure, derived reward 0.500 (−0.030), gap of 1, final, by reward/derive-tests"
            )
        );
        assert_eq!(of(3, Origin::Reported), None);
        let points = Tone { is_points: true, ..tone(Origin::Reported) };
        assert_eq!(
            landmarks(&columns, &marks, &points),
            [
                ('B', "best 8 (53.0)".into()),
                ('S', "selected 8 (53.0)".into()),
                ('F', "final 11 (50.0)".into())
            ]
        );
        assert_eq!(degradation(&marks, &points).as_deref(), Some("final is 3.0 below selected"));
    }

    #[test]
    fn says_how_much_is_drawn() {
        assert_eq!(caption(14, 14, 14), None);
        assert_eq!(
            caption(1412, 100_000, 100_000).as_deref(),
            Some("Drawing 1,412 of 100,000 points")
        );
        assert_eq!(caption(41, 41, 100).as_deref(), Some("41 of 100 iterations in sight"));
    }
}
