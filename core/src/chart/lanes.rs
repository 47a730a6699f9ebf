//! What stands in the lanes of a chart beside the line.

use super::brush::{Brush, Ink, Side, Stroke};
use super::columns::value;
use super::labels::{Taken, round_step, width};
use super::outcome::{ink_of, mark, strip_of};
use super::scene::{ChartScene, LABELS, LEFT, crisp, float};
use crate::model::outcome::Outcome;

/// Slots narrower than this have strips of colour in place of marks.
const MARK_SLOT: f64 = 11.0;
/// Slots wider than this have the value written at each point.
const VALUE_SLOT: f64 = 38.0;
/// Middle of the letters above the lanes.
const LETTERS: f64 = 11.0;

impl ChartScene {
    /// Draws all of it.
    pub fn draw(&self, brush: &mut impl Brush) {
        self.draw_grid(brush);
        self.draw_holes(brush);
        self.draw_axis(brush);
        self.draw_line(brush);
        self.draw_points(brush);
        self.draw_deltas(brush);
        self.draw_outcomes(brush);
    }

    fn draw_grid(&self, brush: &mut impl Brush) {
        let [from, to] = self.x.pixels;
        if let Some(lane) = &self.reward {
            for (share, alpha) in
                [(0.0, 0.55), (0.25, 0.18), (0.5, 0.35), (0.75, 0.18), (1.0, 0.35)]
            {
                let y = crisp(lane.at(share));
                brush.line(&[(from, y), (to, y)], Stroke::solid(Ink::Line, 1.0).faint(alpha));
                if alpha > 0.2 {
                    let text = if self.look.is_points {
                        format!("{:.0}", share * 100.0)
                    } else {
                        format!("{share:.1}")
                    };
                    brush.text(&text, (from - 8.0, y), Side::Right, Ink::Muted);
                }
            }
        }
        if let Some(lane) = &self.delta {
            let y = crisp(lane.at(0.0));
            brush.line(&[(from, y), (to, y)], Stroke::solid(Ink::Line, 1.0).faint(0.7));
            brush.text("change", (from - 8.0, y), Side::Right, Ink::Muted);
            for end in lane.values {
                let edge = lane.at(end);
                let y = if end < 0.0 { edge - 4.0 } else { edge + 4.0 };
                brush.text(&self.delta_text(end), (from - 8.0, y), Side::Right, Ink::Muted);
                let stroke = Stroke::solid(Ink::Line, 1.0).faint(0.18);
                brush.line(&[(from, crisp(edge)), (to, crisp(edge))], stroke);
            }
        }
        brush.text("outcome", (from - 8.0, self.outcome), Side::Right, Ink::Muted);
    }

    fn delta_text(&self, delta: f64) -> String {
        let sign = if delta < 0.0 { '\u{2212}' } else { '+' };
        let size = delta.abs();
        if self.look.is_points {
            format!("{sign}{:.1}", size * 100.0)
        } else {
            format!("{sign}{size:.2}")
        }
    }

    /// Numbers as written, and the breaks between them.
    fn draw_axis(&self, brush: &mut impl Brush) {
        let ([from, to], slot) = (self.x.pixels, self.slot_width());
        let bottom = self.height - LABELS;
        let y = bottom + LABELS / 2.0 + 2.0;
        let mut taken = Taken::default();
        let [low, high] = self.x.values;
        let mut column = f64::NEG_INFINITY;
        for (position, jump) in self.axis.jumps().iter().enumerate() {
            let place = float(self.axis.slot_of_jump(position));
            if place < low || place > high {
                continue;
            }
            let x = crisp(self.x.at(place));
            if x - column < 2.0 {
                continue;
            }
            column = x;
            let stroke = Stroke::solid(Ink::Line, 1.0).dashed(&[2.0, 3.0]).faint(0.8);
            brush.line(&[(x, self.lanes_top()), (x, bottom - 5.0)], stroke);
            // The axis itself breaks: two strokes across it.
            for shift in [-2.0, 2.0] {
                let ends = [(x + shift - 2.0, bottom + 2.0), (x + shift + 2.0, bottom - 5.0)];
                brush.line(&ends, Stroke::solid(Ink::Partial, 1.0));
            }
            let text = format!("{} missing", jump.missing);
            let middle = x.clamp(from, to - width(&text) / 2.0);
            if taken.take(&text, middle, y) {
                brush.text(&text, (middle, y), Side::Middle, Ink::Partial);
            } else if taken.take("\u{2026}", x, y) {
                brush.text("\u{2026}", (x, y), Side::Middle, Ink::Partial);
            }
        }
        brush.text("iteration", (LEFT - 8.0, y), Side::Right, Ink::Muted);
        for item in self.ticks(slot) {
            let (x, text) = (self.x_of(item), self.columns.numbers[item].to_string());
            let middle = x.min(self.look.width - width(&text) / 2.0);
            if taken.take(&text, middle, y) {
                let tick = [(crisp(x), bottom - 1.0), (crisp(x), bottom + 3.0)];
                brush.line(&tick, Stroke::solid(Ink::Line, 1.0));
                brush.text(&text, (middle, y), Side::Middle, Ink::Muted);
            }
        }
    }

    /// Iterations whose number is written: those that divide by a round step, and where counting
    /// begins.
    fn ticks(&self, slot: f64) -> Vec<usize> {
        let [low, high] = self.x.values;
        let first = self.axis.first_at(bound(low.ceil()));
        let end = self.axis.first_at(bound(high.floor() + 1.0));
        let Some(numbers) = self.columns.numbers.get(first..end) else { return Vec::new() };
        let longest = [numbers.first(), numbers.last()]
            .into_iter()
            .flatten()
            .map(|number| width(&number.to_string()))
            .fold(18.0, f64::max);
        let step = round_step((longest + 10.0) / slot);
        let round = numbers.iter().zip(first..).filter(|(number, _)| *number % step == 0);
        let mut ticks: Vec<usize> = round.map(|(_, item)| item).collect();
        // Not where it would push away a rounder one.
        if ticks.first().is_none_or(|round| float(*round - first) * slot >= longest + 10.0)
            && !numbers.is_empty()
        {
            ticks.insert(0, first);
        }
        ticks
    }

    /// Upper edge of the first lane.
    fn lanes_top(&self) -> f64 {
        let lane = self.reward.or(self.delta).map(|lane| lane.pixels[1]);
        lane.unwrap_or(self.outcome - 10.0)
    }

    /// Stretches without a reward.
    fn draw_holes(&self, brush: &mut impl Brush) {
        let Some(lane) = &self.reward else { return };
        let ([from, to], half) = (self.x.pixels, self.slot_width() / 2.0);
        let [low, high] = self.x.values;
        let first = self.axis.first_at(bound(low.floor()));
        let end = self.axis.first_at(bound(high.ceil() + 1.0));
        let mut at = first;
        let mut drawn_to = f64::NEG_INFINITY;
        while at < end {
            if value(&self.columns.rewards, at).is_some() {
                at += 1;
                continue;
            }
            let begun = at;
            while at + 1 < end && value(&self.columns.rewards, at + 1).is_none() {
                at += 1;
            }
            let left = (self.x_of(begun) - half).max(from);
            let right = (self.x_of(at) + half).min(to);
            at += 1;
            let (left, right) = (left.max(drawn_to), right.max(left + 1.0));
            if right - left < 0.5 || left >= to {
                continue;
            }
            drawn_to = right;
            let [zero, one] = lane.pixels;
            let band = [left, one, right - left, zero - one];
            if right - left < 4.0 {
                // Too narrow for hatching to be seen as such.
                brush.rect(band, Ink::Line, 0.3);
                continue;
            }
            brush.hatch(band, Stroke::solid(Ink::Line, 1.0).faint(0.5));
            let (x, y) = (f64::midpoint(left, right), f64::midpoint(zero, one));
            if right - left >= width("no reward") + 4.0 {
                brush.text("no reward", (x, y), Side::Middle, Ink::Muted);
            } else if right - left >= width("reward") - 4.0 {
                brush.text("no", (x, y - 7.0), Side::Middle, Ink::Muted);
                brush.text("reward", (x, y + 7.0), Side::Middle, Ink::Muted);
            }
        }
    }

    fn draw_points(&self, brush: &mut impl Brush) {
        let Some(lane) = self.reward else { return };
        let slot = self.slot_width();
        let ink = self.line_stroke().ink;
        let mut taken = Taken::default();
        let alone: std::collections::BTreeSet<usize> = self
            .pieces()
            .iter()
            .filter(|piece| piece.len() == 1)
            .filter_map(|piece| self.axis.item(bound(piece[0].0)))
            .collect();
        let items: Vec<usize> = self.visible().collect();
        self.draw_marks(brush, &mut taken, slot < VALUE_SLOT);
        for &item in &items {
            let Some((x, y)) = self.point_of(item) else { continue };
            let is_marked = self.look.marks.has(item);
            if slot < 5.0 && !is_marked && !alone.contains(&item) {
                continue;
            }
            let radius = if slot < 9.0 { 2.0 } else { 3.5 };
            if self.look.is_derived {
                brush.disc((x, y), radius, Ink::Background);
                brush.ring((x, y), radius, Stroke::solid(ink, 1.5));
            } else {
                brush.disc((x, y), radius, ink);
            }
        }
        if slot < VALUE_SLOT {
            return;
        }
        for &item in &items {
            let (Some((x, y)), Some(reward)) =
                (self.point_of(item), value(&self.columns.rewards, item))
            else {
                continue;
            };
            let text = self.reward_text(reward);
            // On the outer side of the bend, and inside the lane.
            let around = [item.checked_sub(1), Some(item + 1)];
            let around: Vec<f64> = around
                .into_iter()
                .flatten()
                .filter_map(|at| value(&self.columns.rewards, at))
                .collect();
            let is_valley = !around.is_empty() && around.iter().all(|other| *other > reward);
            let is_below = is_valley && lane.pixels[0] - y > 20.0;
            let sides = if is_below { [y + 13.0, y - 12.0] } else { [y - 12.0, y + 13.0] };
            if let Some(y) = sides.into_iter().find(|y| taken.take(&text, x, *y)) {
                let ink = if self.look.marks.has(item) { Ink::Text } else { Ink::Muted };
                brush.text(&text, (x, y), Side::Middle, ink);
            }
        }
    }

    /// B, S and F above the lanes, each with a thread down to its point.
    /// Names best, selected and final above the lanes: by words if there is room for all of them, else by letters.
    fn draw_marks(&self, brush: &mut impl Brush, taken: &mut Taken, has_values: bool) {
        let ([from, to], marks) = (self.x.pixels, self.look.marks);
        let mut items: Vec<usize> =
            [marks.best, marks.selected, marks.last].into_iter().flatten().collect();
        items.sort_unstable();
        items.dedup();
        let [low, high] = self.x.values;
        items.retain(|item| (low..=high).contains(&float(self.axis.slot(*item))));
        let inside = |x: f64, text: &str| {
            let half = width(text) / 2.0;
            x.max(from + half - LEFT / 2.0).min(to + 12.0 - half)
        };
        let with_value = |item: usize, name: String| {
            let reward = value(&self.columns.rewards, item).filter(|_| has_values);
            reward.map_or(name.clone(), |reward| format!("{name} {}", self.reward_text(reward)))
        };
        let mut room = taken.clone();
        let has_room = items.iter().all(|&item| {
            let (text, x) = (with_value(item, marks.words(item)), self.x_of(item));
            room.take(&text, inside(x, &text), LETTERS)
        });
        for item in items {
            let Some((x, y)) = self.point_of(item) else { continue };
            let thread = Stroke::solid(Ink::Muted, 1.0).dashed(&[1.0, 3.0]).faint(0.9);
            brush.line(&[(crisp(x), LETTERS + 7.0), (crisp(x), y - 5.0)], thread);
            let name = if has_room { marks.words(item) } else { marks.letters(item) };
            if let Some(text) = [with_value(item, name.clone()), name]
                .into_iter()
                .find(|text| taken.take(text, inside(x, text), LETTERS))
            {
                brush.text(&text, (inside(x, &text), LETTERS), Side::Middle, Ink::Text);
            }
        }
    }

    fn draw_deltas(&self, brush: &mut impl Brush) {
        let Some(lane) = self.delta else { return };
        let slot = self.slot_width();
        let bar = (slot * 0.56).clamp(1.0, 22.0);
        let zero = crisp(lane.at(0.0));
        let mut taken = Taken::default();
        for item in self.visible() {
            let Some(delta) = value(&self.columns.deltas, item) else { continue };
            let (x, y) = (self.x_of(item), lane.at(delta));
            let left = x - bar / 2.0;
            let (top, height) = (y.min(zero), (y - zero).abs().max(1.0));
            if delta > 0.0 {
                brush.rect([left, top, bar, height], Ink::Pass, 1.0);
            } else if delta == 0.0 {
                brush.rect([left, zero - 1.0, bar, 2.0], Ink::Muted, 1.0);
            } else if bar < 4.0 {
                brush.rect([left, top, bar, height], Ink::Fail, 1.0);
            } else {
                // Outlined, so that the sign does not rest on colour.
                let inside = [left + 0.75, zero + 0.75, bar - 1.5, (height - 1.5).max(0.5)];
                brush.outline(inside, Stroke::solid(Ink::Fail, 1.5));
            }
            let spans = value(&self.columns.gaps, item).unwrap_or_default();
            if spans > 0.0 && bar >= 4.0 {
                let ink = if delta > 0.0 { Ink::Background } else { Ink::Fail };
                brush.hatch([left, top, bar, height], Stroke::solid(ink, 1.0));
                let text = format!("gap of {spans:.0}");
                // On the free side of the bar.
                let y = if delta > 0.0 { zero + 9.0 } else { zero - 9.0 };
                if slot >= 20.0 && taken.take(&text, x, y) {
                    brush.text(&text, (x, y), Side::Middle, Ink::Muted);
                }
            }
            if let Some(stored) = value(&self.columns.stored, item) {
                // The file says otherwise: a notch where its bar would have ended.
                let y = crisp(lane.at(stored.clamp(lane.values[0], lane.values[1])));
                let (left, right) = (left - 3.0, left + bar + 3.0);
                brush.line(&[(left, y), (right, y)], Stroke::solid(Ink::Background, 4.0));
                brush.line(&[(left, y), (right, y)], Stroke::solid(Ink::Partial, 2.0));
            }
        }
    }

    fn draw_outcomes(&self, brush: &mut impl Brush) {
        let slot = self.slot_width();
        if slot < MARK_SLOT {
            // Of several in one column of pixels the heaviest is drawn last, and is the tallest.
            let mut items: Vec<(u8, usize)> =
                self.visible().map(|item| (self.outcome_at(item).weight(), item)).collect();
            items.sort_unstable();
            for (_, item) in items {
                let outcome = self.outcome_at(item);
                // Neighbours touch, so that no background shines through.
                let wide = if slot < 3.0 { slot.max(1.0) } else { slot - 1.0 };
                let tall = strip_of(outcome);
                let rect = [self.x_of(item) - wide / 2.0, self.outcome + 8.0 - tall, wide, tall];
                brush.rect(rect, ink_of(outcome), 1.0);
            }
            return;
        }
        for item in self.visible() {
            let outcome = self.outcome_at(item);
            let merged = value(&self.columns.merged, item).filter(|merged| *merged > 1.0);
            let times =
                merged.map(|merged| format!("\u{2009}\u{d7}{merged:.0}")).unwrap_or_default();
            let letter = if slot >= 28.0 { outcome.letter().to_string() } else { String::new() };
            let text = if slot >= 28.0 { letter + &times } else { times };
            let x = self.x_of(item) - if slot >= 28.0 { width(&text) / 2.0 + 1.0 } else { 0.0 };
            mark(brush, outcome, (x, self.outcome));
            if slot >= 28.0 {
                brush.text(&text, (x + 8.0, self.outcome + 0.5), Side::Left, ink_of(outcome));
            } else if merged.is_some() {
                let y = self.outcome + 8.5;
                brush.line(&[(x - 5.0, y), (x + 5.0, y)], Stroke::solid(Ink::Partial, 2.0));
            }
        }
    }

    fn outcome_at(&self, item: usize) -> Outcome {
        self.columns.outcomes.get(item).copied().unwrap_or(Outcome::Unknown)
    }
}

/// A slot, of a place that may lie before the first.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 0, and few")]
fn bound(place: f64) -> usize {
    place.max(0.0) as usize
}
