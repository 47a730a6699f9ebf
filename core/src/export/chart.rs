//! The chart of one run as a picture: SVG with title, legend and caption.

use std::fmt::Write as _;
use std::sync::Arc;

use super::RunChunk;
use crate::chart::svg::{Svg, escaped, opening, pixels};
use crate::chart::{Brush as _, ChartLook, ChartMarks, ChartRange, ChartScene, Ink, Stroke, drawn};
use crate::error::Error;
use crate::model::options::InsightOptions;
use crate::model::reward::Origin;
use crate::model::view::RunView;
use crate::text::whole;

/// Pixels from edge to edge.
const WIDTH: f64 = 960.0;
/// Heights of the lanes of rewards and of changes.
const HEIGHTS: [f64; 2] = [220.0, 64.0];
/// Above the lanes: title and legend.
const HEAD: f64 = 50.0;
/// A line of the caption.
const LINE: f64 = 17.0;
const MARGIN: f64 = 16.0;
/// Characters of a title; longer ones are cut and end in an ellipsis.
const TITLE: usize = 90;

/// One document.
pub(super) fn run(chunk: &RunChunk<'_>) -> Result<String, Error> {
    Ok(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", figure(chunk)?))
}

/// The element `svg`, to stand alone or in a page.
pub(super) fn figure(chunk: &RunChunk<'_>) -> Result<String, Error> {
    let run = chunk.history.run(chunk.run)?;
    let view = run.view();
    let columns = Arc::new(run.chart_columns());
    let axis = Arc::new(columns.axis());
    let marks = columns.marks(&InsightOptions::default());
    let options = chunk.options;
    let at = |number: i64| columns.numbers.iter().position(|other| *other >= number);
    let first = options.first.map_or(Some(0), at).map_or(axis.slots(), |item| axis.slot(item));
    let end = options
        .last
        .and_then(|last| columns.numbers.iter().rposition(|other| *other <= last))
        .map_or(if options.last.is_some() { 0 } else { axis.slots() }, |item| axis.slot(item) + 1);
    let slots = first..end.max(first);
    let range = ChartRange { slots: slots.clone(), columns: 880 };
    let kept = drawn(&axis, &range, &columns.rewards, &columns.deltas, &columns.outcomes, |item| {
        marks.has(item) || columns.is_noted(item)
    });
    let shown = axis.first_at(slots.end) - axis.first_at(slots.start);
    let is_derived = view.reward_origin == Origin::Derived;
    let caption = caption(chunk, &view, &marks, (kept.len(), shown, columns.len()));
    #[expect(clippy::cast_precision_loss, reason = "positions in a list")]
    let look = ChartLook {
        width: WIDTH - MARGIN,
        heights: HEIGHTS,
        slots: [slots.start as f64, slots.end as f64],
        kept,
        marks,
        is_derived,
        is_points: options.points,
    };
    let scene = ChartScene::new(columns, axis, look);
    let lanes = scene.size()[1];
    #[expect(clippy::cast_precision_loss, reason = "lines of a caption")]
    let height = HEAD + lanes + 12.0 + LINE * caption.len() as f64 + 8.0;
    let mut svg = Svg::default();
    let title: String = view.key.chars().take(TITLE).collect();
    let cut = if view.key.chars().nth(TITLE).is_some() { "\u{2026}" } else { "" };
    let name = format!("{title}{cut}");
    svg.text.push_str(&opening([WIDTH, height], &format!("{name}. {}", caption.join(" "))));
    let _ = writeln!(svg.text, "<title>{}</title>", escaped(&name));
    svg.rect([0.0, 0.0, WIDTH, height], Ink::Background, 1.0);
    svg.words(&name, (MARGIN, 24.0), 15, Ink::Text, true);
    legend(&mut svg, &scene, &view);
    let (left, top) = (pixels(MARGIN / 2.0), pixels(HEAD));
    let _ = writeln!(svg.text, "<g transform=\"translate({left} {top})\">");
    scene.draw(&mut svg);
    svg.text.push_str("</g>\n");
    let mut y = HEAD + lanes + 12.0 + LINE / 2.0;
    for line in &caption {
        svg.words(line, (MARGIN, y), 12, Ink::Muted, false);
        y += LINE;
    }
    svg.text.push_str("</svg>\n");
    Ok(svg.text)
}

/// What the line is, with the rule where there is one.
pub(super) fn series(view: &RunView) -> String {
    match (view.reward_origin, view.reward_rule.as_deref()) {
        (Origin::Reported, _) => "reward, reported".to_owned(),
        (Origin::Derived, Some(rule)) => format!("reward, derived by {rule}"),
        (Origin::Derived, None) => "reward, derived".to_owned(),
        (Origin::None, _) => "no reward was recorded".to_owned(),
    }
}

fn legend(svg: &mut Svg, scene: &ChartScene, view: &RunView) {
    let mut x = MARGIN;
    let y = 42.0;
    if scene.reward_lane().is_some() {
        let stroke = scene.line_stroke();
        svg.line(&[(x, y), (x + 26.0, y)], stroke);
        if view.reward_origin == Origin::Derived {
            svg.disc((x + 13.0, y), 3.5, Ink::Background);
            svg.ring((x + 13.0, y), 3.5, Stroke::solid(stroke.ink, 1.5));
        } else {
            svg.disc((x + 13.0, y), 3.5, stroke.ink);
        }
        x += 32.0;
    }
    let words = format!(
        "{}; outcome: P success, ~ partial, F failure, > running, A aborted, - void, ? unknown",
        series(view)
    );
    svg.words(&words, (x, y + 4.0), 12, Ink::Text, false);
}

/// Sentences below the chart.
fn caption(
    chunk: &RunChunk<'_>,
    view: &RunView,
    marks: &ChartMarks,
    (drawn, shown, all): (usize, usize, usize),
) -> Vec<String> {
    let number = |at: Option<usize>| {
        let run = chunk.history.run(chunk.run).ok()?;
        Some((run.numbers().get(at?).copied()?, run.rewards().get(at?).copied()?))
    };
    let text = |reward: f64| match (reward.is_nan(), chunk.options.points) {
        (true, _) => "no reward".to_owned(),
        (false, true) => format!("{:.1} points", reward * 100.0),
        (false, false) => format!("{reward:.3}"),
    };
    let mut lines = Vec::new();
    let named: Vec<String> =
        [("B best", marks.best), ("S selected", marks.selected), ("F final", marks.last)]
            .into_iter()
            .filter_map(|(name, at)| {
                let (number, reward) = number(at)?;
                Some(format!("{name}: {number} ({})", text(reward)))
            })
            .collect();
    if view.reward_origin != Origin::None && !named.is_empty() {
        let mut line = named.join(", ");
        if let Some(cost) = marks.degradation {
            let _ = write!(
                line,
                ". best/degradation: the final one is {} below the selected one",
                text(cost)
            );
        }
        lines.push(format!("{line}."));
    }
    let unit = match (view.reward_origin, chunk.options.points) {
        (Origin::None, _) => "No reward was recorded.",
        (_, true) => "Rewards are points, 0 to 100.",
        (_, false) => "Rewards run from 0 to 1.",
    };
    let count = if drawn < shown {
        format!("Drawing {} of {} points.", whole(drawn), whole(shown))
    } else {
        format!("{} of {} iterations.", whole(shown), whole(all))
    };
    let made = format!(
        "{}{}.",
        super::generator(),
        chunk.options.created.as_deref().map(|at| format!(", {at}")).unwrap_or_default()
    );
    lines.push(format!("{count} {unit} A hatched stretch has no reward. {made}"));
    lines
}
