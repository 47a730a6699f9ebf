//! Charts as they go on paper: the strokes of the canvas as SVG, sharp at any size.

use hindscope::Svg;
use leptos::html::Div;
use leptos::prelude::*;

use super::{Drawing, Marked};
use crate::platform;
use crate::state::App;

/// Width of a chart on paper, in pixels that the printer makes larger or smaller: text of 11 of
/// them is as large as the text around it on A4.
pub(crate) const PRINT_WIDTH: f64 = 720.0;

/// The chart while the page is printed; nothing while it is on a screen.
#[component]
pub(crate) fn PrintChart<D>(
    /// The element `svg`; asked for when the page is printed.
    draw: D,
) -> impl IntoView
where
    D: Fn() -> Option<String> + 'static,
{
    let app = App::get();
    let host = NodeRef::<Div>::new();
    Effect::new(move |_| {
        let is_print = app.print.rows.with(Option::is_some);
        if let Some(host) = host.get() {
            platform::show_svg(&host, is_print.then(&draw).flatten().as_deref());
        }
    });
    view! { <div class="print-chart" node_ref=host></div> }
}

/// A chart as SVG.
pub(super) fn svg(drawing: &impl Drawing, name: &str) -> String {
    let mut svg = Svg::default();
    drawing.draw(&mut svg, Marked::default());
    svg.element(drawing.size(), name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{CompareChart, CompareLine};

    #[test]
    fn printed_lines_stop_where_there_is_no_reward_and_differ_without_colour() {
        let line = |letter, position, rewards: &[Option<f64>]| CompareLine {
            letter,
            position,
            rewards: rewards.to_vec(),
            is_derived: false,
        };
        let gap = [Some(0.1), Some(0.2), None, Some(0.3), Some(0.4)];
        let lines = [line('a', 0, &gap), line('b', 1, &[Some(0.5), Some(0.6)])];
        let chart = CompareChart::new(&lines, vec![1, 2, 3, 4, 5], "attempt", PRINT_WIDTH);
        let text = svg(&chart, "Reward");
        let drawn: Vec<&str> =
            text.lines().filter(|line| line.contains("stroke-width=\"2\"")).collect();
        assert_eq!(drawn.len(), 3, "two pieces of a, one of b: {text}");
        let dashed = |line: &&&str| line.contains("stroke-dasharray");
        assert_eq!(drawn.iter().filter(dashed).count(), 1, "b is dashed");
        for word in [">a 0.400<", ">b 0.600<", ">attempt<", ">0.25<", ">5<"] {
            assert!(text.contains(word), "{word} in {text}");
        }
    }
}
