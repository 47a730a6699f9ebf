//! The rewards of a run in the space of a table cell.

use std::fmt::Write as _;

use leptos::prelude::*;

use crate::format;

const WIDTH: f64 = 108.0;
const HEIGHT: f64 = 18.0;
/// Room for the line and the last point.
const EDGE: f64 = 2.5;

/// Rewards from 0 to 1, in order. The line breaks where there is none.
#[component]
pub(crate) fn Spark(rewards: Vec<Option<f64>>, is_derived: bool) -> impl IntoView {
    let Drawn { path, dots } = drawn(&rewards);
    let known = || rewards.iter().copied().flatten();
    let text = match (known().next(), known().next_back()) {
        (Some(first), Some(last)) => {
            format!("from {} to {}", format::reward(first), format::reward(last))
        }
        _ => "no reward".to_owned(),
    };
    let last = dots.last().copied();
    view! {
        <svg
            class="spark"
            class:is-derived=is_derived
            viewBox=format!("0 0 {WIDTH} {HEIGHT}")
            role="img"
            aria-label=text
        >
            <path class="spark-frame" d=format!("M0 {0}H{WIDTH}", HEIGHT - 0.5)></path>
            <path class="spark-line" d=path></path>
            {dots
                .into_iter()
                .map(|(x, y)| {
                    let r = if Some((x, y)) == last { "2.2" } else { "1.4" };
                    view! { <circle cx=x.to_string() cy=y.to_string() r=r></circle> }
                })
                .collect::<Vec<_>>()}
        </svg>
    }
}

/// A line, and the points that no line would show: lone ones, and the last.
#[derive(Debug, PartialEq)]
struct Drawn {
    path: String,
    dots: Vec<(f64, f64)>,
}

#[expect(clippy::cast_precision_loss, reason = "a few dozen values")]
fn drawn(rewards: &[Option<f64>]) -> Drawn {
    let steps = (rewards.len().max(2) - 1) as f64;
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    let place = |at: usize, reward: f64| {
        let x = EDGE + at as f64 / steps * (WIDTH - 2.0 * EDGE);
        let y = HEIGHT - EDGE - reward.clamp(0.0, 1.0) * (HEIGHT - 2.0 * EDGE);
        (tenth(x), tenth(y))
    };
    let mut path = String::new();
    let mut dots = Vec::new();
    let is_known =
        |at: Option<usize>| at.is_some_and(|at| rewards.get(at).is_some_and(Option::is_some));
    for (at, reward) in rewards.iter().enumerate() {
        let Some(reward) = reward else { continue };
        let (x, y) = place(at, *reward);
        let (before, after) = (is_known(at.checked_sub(1)), is_known(Some(at + 1)));
        let _ = write!(path, "{}{x} {y}", if before { "L" } else { "M" });
        if !before && !after {
            dots.push((x, y));
        }
    }
    if let Some(at) = rewards.iter().rposition(Option::is_some)
        && let Some(reward) = rewards[at]
    {
        let last = place(at, reward);
        if dots.last() != Some(&last) {
            dots.push(last);
        }
    }
    Drawn { path, dots }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_and_lone_points_are_seen() {
        let drawn = drawn(&[Some(0.0), Some(1.0), None, Some(0.5), None]);
        assert_eq!(drawn.path, "M2.5 15.5L28.3 2.5M79.8 9");
        assert_eq!(drawn.dots, [(79.8, 9.0)]);
        assert_eq!(super::drawn(&[Some(0.5)]).dots.len(), 1);
        assert!(super::drawn(&[None]).dots.is_empty());
    }
}
