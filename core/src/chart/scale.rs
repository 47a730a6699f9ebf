//! Places in pixels.

/// Maps values to pixels along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChartScale {
    /// Values at the two ends.
    pub values: [f64; 2],
    /// Pixels at the two ends.
    pub pixels: [f64; 2],
}

impl ChartScale {
    /// Where a value stands.
    pub fn at(&self, value: f64) -> f64 {
        let ([low, high], [from, to]) = (self.values, self.pixels);
        if high <= low {
            return f64::midpoint(from, to);
        }
        from + (value - low) / (high - low) * (to - from)
    }

    /// The value that stands at a place.
    pub fn value_at(&self, pixel: f64) -> f64 {
        let ([low, high], [from, to]) = (self.values, self.pixels);
        low + (pixel - from) / (to - from) * (high - low)
    }

    /// Pixels of a unit.
    pub fn step(&self) -> f64 {
        let ([low, high], [from, to]) = (self.values, self.pixels);
        (to - from).abs() / (high - low).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fall_where_they_should() {
        let lane = ChartScale { values: [0.0, 1.0], pixels: [110.0, 10.0] };
        assert!((lane.at(0.5) - 60.0).abs() < 1e-9);
        assert!((lane.value_at(60.0) - 0.5).abs() < 1e-9);
        assert!((lane.step() - 100.0).abs() < 1e-9);
    }
}
