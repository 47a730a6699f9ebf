//! What the chart of a run draws, and the part of it that is in sight.

use std::sync::Arc;

use hindscope::{ChartAxis, ChartColumns, ChartMarks, ChartScene};

/// Heights of the lanes of rewards and of changes, in pixels.
pub(super) const HEIGHTS: [f64; 2] = [150.0, 58.0];
/// Slots that are shown at least.
const LEAST: f64 = 3.0;

/// What is drawn of a run: one series of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) columns: Arc<ChartColumns>,
    pub(crate) axis: Arc<ChartAxis>,
    pub(crate) marks: ChartMarks,
    pub(crate) is_derived: bool,
}

/// Equal only if both share one copy of the columns: comparing a hundred thousand rewards would take a
/// while.
impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.columns, &other.columns) && self.is_derived == other.is_derived
    }
}

/// Slots of the axis that are in sight: the first, and the one behind the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span(pub(crate) f64, pub(crate) f64);

impl Span {
    pub(crate) fn len(self) -> f64 {
        self.1 - self.0
    }

    /// Moved into `0..all` without becoming shorter, as far as there is room.
    pub(crate) fn inside(self, all: f64) -> Self {
        let len = self.len().clamp(LEAST.min(all), all);
        let first = self.0.clamp(0.0, all - len);
        Self(first, first + len)
    }

    /// Larger or smaller, with the slot `still` where it is.
    pub(crate) fn zoomed(self, factor: f64, still: f64, all: f64) -> Self {
        let share = ((still - self.0) / self.len()).clamp(0.0, 1.0);
        let len = (self.len() * factor).clamp(LEAST.min(all), all);
        let first = self.0 + share * (self.len() - len);
        Self(first, first + len).inside(all)
    }

    pub(crate) fn moved(self, by: f64, all: f64) -> Self {
        Self(self.0 + by, self.1 + by).inside(all)
    }
}

/// Left edge and width of the iteration that is looked at; nothing while it is out of sight.
pub(super) fn column(scene: &ChartScene, item: usize) -> Option<(f64, f64)> {
    let (x, [from, to]) = (scene.x_of(item), scene.edges());
    let width = scene.slot_width().max(2.0);
    (x >= from - 1.0 && x <= to + 1.0).then_some((x - width / 2.0, width))
}

/// Left edges and widths of iterations that are in the window, neighbours in one.
pub(super) fn bands(scene: &ChartScene, held: &[u32]) -> Vec<(f64, f64)> {
    let edges =
        stretches(held).into_iter().map(|(from, to)| band(scene, from as usize, to as usize));
    edges.filter(|(left, right)| right > left).map(|(left, right)| (left, right - left)).collect()
}

/// Neighbours as stretches, both ends included.
fn stretches(items: &[u32]) -> Vec<(u32, u32)> {
    let neighbours = items.chunk_by(|a, b| a + 1 == *b);
    neighbours.map(|part| (part[0], part[part.len() - 1])).collect()
}

/// Edges of a stretch of iterations, inside the lanes.
fn band(scene: &ChartScene, from: usize, to: usize) -> (f64, f64) {
    let (half, [left, right]) = (scene.slot_width() / 2.0, scene.edges());
    ((scene.x_of(from) - half).max(left), (scene.x_of(to) + half).min(right))
}

#[cfg(test)]
mod tests {
    use hindscope::ChartLook;

    use super::*;
    use crate::chart::float;

    fn scene(numbers: &[i64], rewards: &[f64]) -> ChartScene {
        let columns = ChartColumns {
            numbers: numbers.to_vec(),
            rewards: rewards.to_vec(),
            ..ChartColumns::default()
        };
        let axis = Arc::new(columns.axis());
        let look = ChartLook {
            width: 600.0,
            heights: HEIGHTS,
            slots: [0.0, float(axis.slots())],
            kept: (0..numbers.len()).collect(),
            marks: ChartMarks::default(),
            is_derived: false,
            is_points: false,
        };
        ChartScene::new(Arc::new(columns), axis, look)
    }

    #[test]
    fn spans_stay_inside_and_keep_what_is_pointed_at() {
        let whole = Span(0.0, 100.0);
        assert_eq!(whole.zoomed(0.5, 25.0, 100.0), Span(12.5, 62.5));
        assert_eq!(whole.zoomed(0.5, 100.0, 100.0), Span(50.0, 100.0));
        assert_eq!(whole.zoomed(2.0, 50.0, 100.0), whole);
        let least = Span(0.0, 4.0).zoomed(0.1, 2.0, 100.0).len();
        assert!((least - LEAST).abs() < 1e-9, "{least}");
        assert_eq!(Span(90.0, 100.0).moved(50.0, 100.0), Span(90.0, 100.0));
        assert_eq!(Span(5.0, 15.0).moved(-50.0, 100.0), Span(0.0, 10.0));
        assert_eq!(Span(0.0, 5.0).inside(2.0), Span(0.0, 2.0));
    }

    #[test]
    fn what_is_looked_at_is_where_it_is_drawn() {
        let scene = scene(&[1, 2, 3, 4], &[0.1, 0.2, 0.3, 0.4]);
        let [from, to] = scene.edges();
        let quarter = (to - from) / 4.0;
        let (left, width) = column(&scene, 1).expect("it is in sight");
        assert!((left - from - quarter).abs() < 1e-9 && (width - quarter).abs() < 1e-9);
        let bands = bands(&scene, &[0, 1, 3]);
        let rounded: Vec<_> =
            bands.iter().map(|(left, width)| ((left - from) / quarter, width / quarter)).collect();
        assert_eq!(rounded, [(0.0, 2.0), (3.0, 1.0)]);
    }

    #[test]
    fn neighbours_are_one_stretch() {
        assert_eq!(stretches(&[1, 2, 3, 7]), [(1, 3), (7, 7)]);
        assert_eq!(stretches(&[]), []);
    }
}
