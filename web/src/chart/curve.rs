//! Runs solved after each attempt: one line per group, over the number of the attempt.

use hindscope::{Brush, ChartScale, GroupView, Ink, Side, StableSort as _, Stroke, round_step};

use super::scale::{float, labels};
use super::{Drawing, Marked};

const LEFT: f64 = 56.0;
const TOP: f64 = 18.0;
const LABELS: f64 = 22.0;
/// The most lines that stay distinct.
const MOST_LINES: usize = 8;

/// One group that has outcomes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CurveLine {
    /// Position among all groups.
    pub(crate) group: usize,
    /// What the line is called in the chart.
    pub(crate) letter: char,
    /// Numbers of its attempts, ascending; those of a missing file are not among them.
    pub(crate) numbers: Vec<i64>,
    pub(crate) solved: Vec<u32>,
    pub(crate) attempted: Vec<u32>,
    pub(crate) runs: u32,
}

/// The groups that can be drawn, the largest first where there are too many.
pub(crate) fn lines(groups: &[GroupView]) -> Vec<CurveLine> {
    let mut with_outcomes: Vec<(usize, &GroupView)> =
        groups.iter().enumerate().filter(|(_, group)| !group.solved_after.is_empty()).collect();
    with_outcomes.stable_sort_by_key(|(at, group)| (std::cmp::Reverse(group.runs), *at));
    with_outcomes.truncate(MOST_LINES);
    with_outcomes.stable_sort_by_key(|(at, _)| *at);
    with_outcomes
        .into_iter()
        .zip('a'..)
        .map(|((at, group), letter)| CurveLine {
            group: at,
            letter,
            numbers: group.numbers.clone(),
            solved: group.solved_after.clone(),
            attempted: group.attempted.clone(),
            runs: group.judged,
        })
        .collect()
}

/// The chart of all lines, at one width.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    width: f64,
    lines: Vec<CurveLine>,
    numbers: Vec<i64>,
    /// Groups of different sizes are compared by their shares.
    is_share: bool,
    x: ChartScale,
    y: ChartScale,
}

impl Curve {
    pub(crate) fn new(lines: &[CurveLine], width: f64) -> Self {
        let numbers = numbers(lines);
        let runs = lines.first().map_or(1, |line| line.runs);
        let is_share = lines.iter().any(|line| line.runs != runs);
        let top = if is_share { 1.0 } else { f64::from(runs.max(1)) };
        let right = if lines.len() > 1 { 62.0 } else { 20.0 };
        Self {
            width,
            x: ChartScale {
                values: [-0.5, float(numbers.len()) - 0.5],
                pixels: [LEFT, (width - right).max(LEFT + 1.0)],
            },
            y: ChartScale { values: [0.0, top], pixels: [Self::HEIGHT - LABELS, TOP] },
            lines: lines.to_vec(),
            numbers,
            is_share,
        }
    }

    fn value(&self, line: &CurveLine, at: usize) -> Option<f64> {
        let (solved, _) = line.at(*self.numbers.get(at)?)?;
        let solved = f64::from(solved);
        Some(if self.is_share { solved / f64::from(line.runs.max(1)) } else { solved })
    }

    fn written(&self, value: f64) -> String {
        if self.is_share { format!("{:.0} %", value * 100.0) } else { format!("{value:.0}") }
    }

    fn draw_grid(&self, brush: &mut dyn Brush) {
        let [from, to] = self.x.pixels;
        for value in ticks(self.y.values[1], self.is_share) {
            let y = self.y.at(value).round() + 0.5;
            brush.line(&[(from, y), (to, y)], Stroke::solid(Ink::Line, 1.0).faint(0.35));
            brush.text(&self.written(value), (from - 6.0, y), Side::Right, Ink::Muted);
        }
        let y = above(Self::HEIGHT - 2.0);
        for at in labels(&self.numbers, self.x.step(), 26.0) {
            let (x, text) = (self.x.at(float(at)), self.numbers[at].to_string());
            brush.text(&text, (x, y), Side::Middle, Ink::Muted);
        }
        brush.text("attempt", (from - 6.0, y), Side::Right, Ink::Muted);
    }

    fn draw_total(&self, brush: &mut dyn Brush) {
        let [from, to] = self.x.pixels;
        let y = self.y.at(self.y.values[1]).round() + 0.5;
        brush.line(&[(from, y), (to, y)], Stroke::solid(Ink::Muted, 1.0).dashed(&[3.0, 3.0]));
        let text = if self.is_share {
            "all runs".to_owned()
        } else {
            format!("all {} runs", self.y.values[1])
        };
        brush.text(&text, (from + 2.0, above(y - 3.0)), Side::Left, Ink::Muted);
    }

    fn draw_line_marks(&self, brush: &mut dyn Brush, position: usize, line: &CurveLine) {
        let (ink, _) = style(position);
        let slot = self.x.step();
        let top = self.y.pixels[1];
        // Labels stand above the line, or all of them below it if it comes near the total. If it also
        // comes near the axis, only the labels near the total stand below it.
        let values: Vec<f64> =
            (0..self.numbers.len()).filter_map(|at| self.value(line, at)).collect();
        let is_near_top = values.iter().any(|value| self.y.at(*value) - top < 16.0);
        let is_near_axis = values.iter().any(|value| self.y.pixels[0] - self.y.at(*value) < 18.0);
        let mut last = None;
        for at in 0..self.numbers.len() {
            let Some(value) = self.value(line, at) else { continue };
            let (x, y) = (self.x.at(float(at)), self.y.at(value));
            last = Some((x, y, value));
            if slot >= 6.0 {
                brush.disc((x, y), 3.0, ink);
            }
            let below = is_near_top && (!is_near_axis || y - top < 16.0);
            if self.lines.len() == 1 && slot >= 27.0 {
                let y = if below { y + 12.0 } else { above(y - 6.0) };
                brush.text(&self.written(value), (x, y), Side::Middle, Ink::Text);
            }
        }
        let Some((x, y, value)) = last else { return };
        if self.lines.len() > 1 {
            let text = format!("{} {}", line.letter, self.written(value));
            // Not on the line of the total.
            let y = if y - top < 6.0 { y + 9.0 } else { y };
            brush.text(&text, (x + 7.0, y), Side::Left, ink);
        } else if slot < 27.0 {
            let y = if y - top < 16.0 { y + 16.0 } else { y - 6.0 };
            let text = self.written(value);
            brush.text(&text, (x + 6.0, above(y)), Side::Right, Ink::Text);
        }
    }
}

impl CurveLine {
    /// Solved runs and own attempts at a number. Between its own numbers nobody tried, and what
    /// was solved stays solved.
    pub(crate) fn at(&self, number: i64) -> Option<(u32, u32)> {
        if *self.numbers.last()? < number {
            return None;
        }
        match self.numbers.binary_search(&number) {
            Ok(at) => Some((*self.solved.get(at)?, self.attempted.get(at).copied().unwrap_or(0))),
            Err(after) => Some((*self.solved.get(after.checked_sub(1)?)?, 0)),
        }
    }
}

/// The numbers that any line has, ascending.
pub(crate) fn numbers(lines: &[CurveLine]) -> Vec<i64> {
    let mut numbers: Vec<i64> = lines.iter().flat_map(|line| &line.numbers).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

impl Drawing for Curve {
    const HEIGHT: f64 = 208.0;

    fn size(&self) -> [f64; 2] {
        [self.width, Self::HEIGHT]
    }

    fn scales(&self) -> [ChartScale; 2] {
        [self.x, self.y]
    }

    fn lines(&self) -> Vec<(Stroke, Vec<Option<f64>>)> {
        let lines = self.lines.iter().enumerate();
        let values = |line| (0..self.numbers.len()).map(|at| self.value(line, at)).collect();
        lines.map(|(position, line)| (stroke(position), values(line))).collect()
    }

    fn under(&self, brush: &mut dyn Brush, marked: Marked) {
        mark(brush, self.x, [TOP, Self::HEIGHT], marked);
        self.draw_grid(brush);
        self.draw_total(brush);
    }

    fn over(&self, brush: &mut dyn Brush) {
        for (position, line) in self.lines.iter().enumerate() {
            self.draw_line_marks(brush, position, line);
        }
    }
}

/// Colour and dashes of a line: the dashes alone distinguish lines.
pub(super) fn style(position: usize) -> (Ink, &'static [f64]) {
    const STYLES: [(Ink, &[f64]); 8] = [
        (Ink::Accent, &[]),
        (Ink::Derived, &[7.0, 4.0]),
        (Ink::Pass, &[2.0, 3.0]),
        (Ink::Fail, &[9.0, 3.0, 2.0, 3.0]),
        (Ink::Partial, &[4.0, 2.0]),
        (Ink::Text, &[12.0, 4.0]),
        (Ink::Muted, &[1.0, 2.0]),
        (Ink::Accent, &[6.0, 2.0, 1.0, 2.0]),
    ];
    STYLES[position % STYLES.len()]
}

/// How the line at a position is drawn.
pub(super) fn stroke(position: usize) -> Stroke {
    let (ink, dash) = style(position);
    Stroke::solid(ink, 2.0).dashed(dash)
}

/// Marks what the reader points at, over the whole height.
pub(super) fn mark(brush: &mut dyn Brush, x: ChartScale, [top, bottom]: [f64; 2], marked: Marked) {
    for (at, alpha) in [(marked.hovered, 0.08), (marked.selected, 0.14)] {
        if let Some(at) = at {
            let width = x.step().max(2.0);
            let left = x.at(float(at)) - width / 2.0;
            brush.rect([left, top, width, bottom - top], Ink::Accent, alpha);
        }
    }
}

/// The middle line of a text whose lower edge is at a height.
pub(super) fn above(bottom: f64) -> f64 {
    bottom - 6.5
}

/// Where the y axis is labelled: at zero, and at round values up to the top.
fn ticks(top: f64, is_share: bool) -> Vec<f64> {
    if is_share {
        return vec![0.0, 0.25, 0.5, 0.75, 1.0];
    }
    #[expect(clippy::cast_precision_loss, reason = "steps are small")]
    let step = round_step(top / 5.0) as f64;
    let mut ticks = Vec::new();
    let mut value = 0.0;
    // Closer to the top, a label would cover that of the top itself.
    while value <= top - step * 0.4 {
        ticks.push(value);
        value += step;
    }
    ticks.push(top);
    ticks
}

#[cfg(test)]
mod tests {
    use hindscope::GroupId;

    use super::*;

    fn group(label: &str, runs: u32, solved: &[u32], first_number: i64) -> GroupView {
        GroupView {
            id: GroupId(0),
            label: label.to_owned(),
            format: "env-results".to_owned(),
            runs,
            judged: runs,
            reflections: 0,
            solved_after: solved.to_vec(),
            attempted: solved.to_vec(),
            numbers: (first_number..).take(solved.len()).collect(),
        }
    }

    #[test]
    fn groups_without_outcomes_have_no_line() {
        let groups = [group("a", 3, &[], 0), group("b", 4, &[1, 2], 0)];
        let lines = lines(&groups);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].group, lines[0].letter), (1, 'a'));
        assert_eq!(lines[0].at(1), Some((2, 2)));
        assert_eq!(lines[0].at(2), None);
    }

    #[test]
    fn a_missing_file_keeps_the_numbers_of_the_others() {
        let gap = GroupView { numbers: vec![0, 1, 5], ..group("a", 4, &[1, 2, 3], 0) };
        let lines = lines(&[gap, group("b", 4, &[1, 1, 2], 0)]);
        assert_eq!(numbers(&lines), [0, 1, 2, 5]);
        assert_eq!(lines[0].at(5), Some((3, 3)));
        assert_eq!(lines[0].at(2), Some((2, 0)), "solved stays solved, and nobody tried");
        assert_eq!(lines[0].at(6), None);
    }

    #[test]
    fn equal_groups_are_counted_and_unequal_ones_shared() {
        let values = |curve: &Curve| -> Vec<_> {
            curve.lines().into_iter().map(|(_, values)| values).collect()
        };
        let equal = Curve::new(&lines(&[group("a", 4, &[1, 2], 0), group("b", 4, &[3], 0)]), 500.0);
        assert_eq!(values(&equal), [vec![Some(1.0), Some(2.0)], vec![Some(3.0), None]]);
        let unequal = Curve::new(&lines(&[group("a", 4, &[1], 0), group("b", 8, &[4], 1)]), 500.0);
        assert_eq!(values(&unequal), [vec![Some(0.25), None], vec![None, Some(0.5)]]);
    }

    #[test]
    fn the_largest_are_drawn_in_their_own_order() {
        let mut groups: Vec<GroupView> = (0..10).map(|at| group("g", 5 + at, &[1], 0)).collect();
        groups.swap(0, 9);
        let lines = lines(&groups);
        let drawn: Vec<usize> = lines.iter().map(|line| line.group).collect();
        assert_eq!(drawn, [0, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_place_means_the_nearest_attempt() {
        let curve = Curve::new(&lines(&[group("a", 4, &[1, 2, 3], 0)]), 376.0);
        let at = |x: f64| curve.item_at((x, 100.0));
        assert_eq!([56.0, 155.0, 157.0, 355.0].map(at), [0, 0, 1, 2].map(Some));
        assert_eq!([55.0, 356.0].map(at), [None, None], "beside the lanes");
        assert_eq!(curve.item_at((100.0, Curve::HEIGHT)), None, "below them");
    }

    #[test]
    fn ticks_end_at_the_total() {
        assert_eq!(ticks(134.0, false), [0.0, 50.0, 100.0, 134.0]);
        assert_eq!(ticks(3.0, false), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(ticks(1.0, false), [0.0, 1.0]);
    }
}
