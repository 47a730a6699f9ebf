//! How much was unpacked, and when it is too much.

use super::{Refusal, RefusalKind, UnpackLimits};

/// How many times as many entries an export may have.
const EXPORT_FACTOR: u32 = 10;
/// Up to this many times `ratio_after`, all entries together may have any ratio.
const ARCHIVE_FACTOR: u64 = 4;

#[derive(Clone, Debug)]
pub(super) struct Meter {
    limits: UnpackLimits,
    /// Bytes of the archive that were used, and bytes made of them.
    packed: u64,
    made: u64,
    /// The same when the current entry began.
    packed_before: u64,
    made_before: u64,
}

impl Meter {
    pub(super) fn new(limits: UnpackLimits) -> Self {
        Self { limits, packed: 0, made: 0, packed_before: 0, made_before: 0 }
    }

    pub(super) fn max_entries(&self) -> u32 {
        self.limits.entries
    }

    /// The same for an export, whose entries are there as they are: they make nothing larger than the file,
    /// but each takes room in what opens it.
    pub(super) fn max_exported_entries(&self) -> u32 {
        self.limits.entries.saturating_mul(EXPORT_FACTOR)
    }

    pub(super) fn begin(&mut self) {
        self.packed_before = self.packed;
        self.made_before = self.made;
    }

    pub(super) fn used(&mut self, packed: usize) {
        self.packed = self.packed.saturating_add(packed as u64);
    }

    pub(super) fn made(&mut self, unpacked: usize) {
        self.made = self.made.saturating_add(unpacked as u64);
    }

    /// Whether nothing of the archive may be unpacked any more.
    pub(super) fn is_spent(&self) -> bool {
        self.made > self.limits.total || self.is_dense()
    }

    /// Whether the entries together are above the ratio, as many that are just below a limit would be.
    fn is_dense(&self) -> bool {
        let UnpackLimits { ratio, ratio_after, .. } = self.limits;
        is_above(self.made, self.packed, ratio, ratio_after.saturating_mul(ARCHIVE_FACTOR))
    }

    /// Why the current entry has to stop here, if it has to.
    pub(super) fn stop(&self) -> Option<Refusal> {
        let UnpackLimits { total, ratio, ratio_after, .. } = self.limits;
        let made = self.made - self.made_before;
        let packed = self.packed - self.packed_before;
        let above = |what, packed, made| {
            format!(
                "{what}{} unpacked to more than {}, above the ratio limit of {ratio} to 1: this may be a decompression bomb",
                size(packed),
                size(made),
            )
        };
        let reason = if self.made > total {
            format!("the archive unpacks to more than {}, which is the limit", size(total))
        } else if is_above(made, packed, ratio, ratio_after) {
            above("", packed.max(1), made)
        } else if self.is_dense() {
            above("of the archive, ", self.packed, self.made)
        } else {
            return None;
        };
        Some(Refusal { kind: RefusalKind::Bomb, reason })
    }
}

fn is_above(made: u64, packed: u64, ratio: u64, after: u64) -> bool {
    made > after && made / packed.max(1) >= ratio.max(1)
}

/// A number of bytes, for people.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["GiB", "MiB", "KiB"];
    let fitting = UNITS.iter().enumerate().find(|(at, _)| bytes >= 1 << (30 - 10 * at));
    match fitting {
        Some((at, unit)) => format!("{} {unit}", bytes >> (30 - 10 * at)),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_what_grows_without_end() {
        let mut meter = Meter::new(UnpackLimits::default());
        meter.begin();
        meter.used(1000);
        meter.made(64 << 20);
        assert_eq!(meter.stop(), None, "64 MiB may have any ratio");
        meter.made(1);
        let refusal = meter.stop().expect("67,109 to 1");
        assert_eq!(refusal.kind, RefusalKind::Bomb);
        assert!(refusal.reason.contains("1000 to 1"), "{}", refusal.reason);
        meter.used(100 << 10);
        assert_eq!(meter.stop(), None, "650 to 1");
        meter.begin();
        assert_eq!(meter.stop(), None, "each entry for itself");
    }

    #[test]
    fn entries_together_are_not_above_the_ratio() {
        let mut meter = Meter::new(UnpackLimits::default());
        for _ in 0..4 {
            meter.begin();
            meter.used(1000);
            meter.made(64 << 20);
            assert_eq!(
                meter.stop(),
                None,
                "64 MiB of each, 256 MiB of the archive may have any ratio"
            );
        }
        meter.begin();
        meter.made(1);
        assert!(meter.stop().is_some_and(|r| r.reason.starts_with("of the archive, 3 KiB")));
        assert!(meter.is_spent(), "nothing more is unpacked");
        meter.used(1 << 20);
        assert_eq!(meter.stop(), None, "256 to 1");
    }

    #[test]
    fn stops_at_the_limit_of_the_archive() {
        let mut meter = Meter::new(UnpackLimits { total: 10, ..UnpackLimits::default() });
        meter.made(10);
        assert_eq!(meter.stop(), None);
        meter.begin();
        meter.made(1);
        assert!(meter.stop().is_some_and(|r| r.reason.contains("10 bytes")) && meter.is_spent());
    }

    #[test]
    fn sizes_for_people() {
        assert_eq!(size(16 << 30), "16 GiB");
        assert_eq!(size((64 << 20) + 1), "64 MiB");
        assert_eq!((size(2048), size(3)), ("2 KiB".to_owned(), "3 bytes".to_owned()));
    }
}
