//! Which format a source is of, judged by its first records (docs/spec/formats.md,
//! "How a format is recognised").

use crate::format::{COUNT, FormatId};

/// Records that are looked at.
const SAMPLE_LEN: u8 = 20;
/// Of so many of them, a format must fit so many.
const ENOUGH: [u16; 2] = [5, 4];

/// The first records, and how many of them fit each format.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    len: u8,
    /// By position in the table: records whose test it passes.
    fits: [u8; COUNT],
    /// By position in the table: records that were read as it.
    read_as: [u8; COUNT],
}

impl Default for Sample {
    fn default() -> Self {
        Self { len: 0, fits: [0; COUNT], read_as: [0; COUNT] }
    }
}

impl Sample {
    /// Another record: the format that it was read as, and all whose test it passes. A record
    /// that was not tested counts for its format.
    pub(crate) fn add(&mut self, format: FormatId, fitting: &[FormatId]) {
        if !self.wants_more() {
            return;
        }
        self.len += 1;
        self.read_as[format as usize] += 1;
        if !fitting.contains(&format) {
            self.fits[format as usize] += 1;
        }
        for id in fitting {
            self.fits[*id as usize] += 1;
        }
    }

    /// Whether the next record belongs to it.
    pub(crate) fn wants_more(&self) -> bool {
        self.len < SAMPLE_LEN
    }

    /// The first format of the table that fits enough of the sample; else the one that most records
    /// were read as.
    pub(crate) fn format(&self) -> Option<FormatId> {
        if self.len == 0 {
            return None;
        }
        let [of, enough] = ENOUGH;
        let wanted = enough * u16::from(self.len);
        let fits = |id: &FormatId| of * u16::from(self.fits[*id as usize]) >= wanted;
        FormatId::ALL
            .into_iter()
            .find(fits)
            .or_else(|| FormatId::ALL.into_iter().rev().max_by_key(|id| self.read_as[*id as usize]))
    }

    /// Formats later in the table that fit as many records.
    pub(crate) fn rivals(&self, chosen: FormatId) -> impl Iterator<Item = FormatId> {
        let count = self.fits[chosen as usize];
        let is_rival =
            move |id: &FormatId| *id > chosen && count > 0 && self.fits[*id as usize] == count;
        FormatId::ALL.into_iter().filter(is_rival)
    }

    /// The test, and how much of the sample it fits.
    pub(crate) fn why(&self, format: FormatId) -> Option<String> {
        if self.len == 0 {
            return None;
        }
        let count = self.fits[format as usize];
        let known_by = format.row().known_by;
        Some(match self.len {
            1 => format!("its record has {known_by}"),
            len => format!("{count} of its first {len} records have {known_by}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_fifths_decide() {
        let mut sample = Sample::default();
        for _ in 0..4 {
            sample.add(FormatId::EnvResults, &[FormatId::EnvResults]);
        }
        sample.add(FormatId::HookIteration, &[FormatId::HookIteration]);
        assert_eq!(sample.format(), Some(FormatId::EnvResults));
        sample.add(FormatId::HookIteration, &[FormatId::HookIteration]);
        assert_eq!(sample.format(), Some(FormatId::EnvResults), "most records");
        assert_eq!(sample.rivals(FormatId::EnvResults).count(), 0);
    }

    #[test]
    fn rivals_fit_as_many() {
        let mut sample = Sample::default();
        sample.add(FormatId::HookIteration, &[FormatId::HookIteration, FormatId::LoopState]);
        let rivals: Vec<_> = sample.rivals(FormatId::HookIteration).collect();
        assert_eq!(rivals, [FormatId::LoopState]);
    }
}
