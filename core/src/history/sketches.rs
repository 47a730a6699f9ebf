//! Sketches of reflections as a column, filled once the texts have been read.

use super::arena::{Range, keep};
use crate::sketch::{ReflectionSketch, Sketch};

/// Sketches take no more than this, and no more than the limit of memory leaves. Those of further
/// reflections are not kept, so their texts are read again when they are compared again.
pub(super) const MOST_BYTES: usize = 256 << 20;

/// By place among the hashes of all reflections.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketches {
    /// Stretches of `texts`: the reflection, then its lessons. Empty if the reflection has not been read.
    of: Vec<Range>,
    texts: Vec<Kept>,
    windows: Vec<u32>,
}

/// A [`Sketch`].
#[derive(Clone, Copy, Debug)]
struct Kept {
    /// 0 stands for a blank text.
    same: u64,
    windows: Range,
}

impl Sketches {
    /// Keeps a sketch that is not there, unless all of them would take more than `most` bytes.
    pub(super) fn keep(&mut self, place: usize, sketch: &ReflectionSketch, most: usize) {
        let is_there = self.of.get(place).is_some_and(|of| of.len() > 0);
        if is_there || self.bytes_with(place, sketch) > most {
            return;
        }
        let first = self.texts.len();
        for text in [sketch.text.as_ref()].into_iter().chain(sketch.lessons.iter().map(Some)) {
            let windows = keep(&mut self.windows, text.map_or(&[], |text| &text.windows));
            self.texts.push(Kept { same: text.map_or(0, |text| text.same), windows });
        }
        if self.of.len() <= place {
            self.of.resize(place + 1, Range::NONE);
        }
        if let Some(of) = self.of.get_mut(place) {
            *of = Range::between(first, self.texts.len());
        }
    }

    pub(super) fn get(&self, place: usize) -> Option<ReflectionSketch> {
        let (text, lessons) = self.of.get(place)?.of(&self.texts).split_first()?;
        let sketch = |kept: &Kept| {
            let windows = kept.windows.of(&self.windows).to_vec();
            (kept.same != 0).then_some(Sketch { same: kept.same, windows })
        };
        Some(ReflectionSketch {
            text: sketch(text),
            lessons: lessons.iter().filter_map(sketch).collect(),
        })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.of) + size_of_val(&*self.texts) + size_of_val(&*self.windows)
    }

    /// The same once another sketch is kept.
    fn bytes_with(&self, place: usize, sketch: &ReflectionSketch) -> usize {
        let new = (place + 1).saturating_sub(self.of.len());
        let windows = sketch.text.iter().chain(&sketch.lessons).map(|text| &text.windows[..]);
        self.bytes()
            + new * size_of::<Range>()
            + (1 + sketch.lessons.len()) * size_of::<Kept>()
            + windows.map(size_of_val).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_up_to_a_limit() {
        let lessons = ["Check the expiry field before the refresh of the token".to_owned()];
        let long = (0..90).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
        let long = ReflectionSketch::new(&long, lessons.iter());
        let blank = ReflectionSketch::new(" ", [].iter());
        let mut sketches = Sketches::default();
        sketches.keep(3, &long, MOST_BYTES);
        let bytes = sketches.bytes();
        assert!(bytes < 500, "four bytes for each of 88 and 8 windows: {bytes}");
        sketches.keep(3, &blank, MOST_BYTES);
        assert_eq!(sketches.bytes(), bytes, "it is there");
        sketches.keep(1, &blank, MOST_BYTES);
        sketches.keep(0, &long, bytes);
        assert_eq!(sketches.get(3), Some(long));
        assert_eq!(sketches.get(1), Some(blank));
        assert_eq!((sketches.get(0), sketches.get(2), sketches.get(4)), (None, None, None));
    }
}
