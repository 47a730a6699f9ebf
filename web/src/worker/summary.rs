//! What the runs shown come to together (`aggregate/*`, `retry/improvement`, `evaluator/trust`).

use hindscope::failure_categories;

use super::answer::{NoAnswer, largest};
use super::desk::Desk;
use super::life::count;
use crate::platform;
use crate::protocol::{CategoriesBody, Choice, SummaryBody};

/// The page hears of categories this often, and may then ask for more.
const SLICE_MS: f64 = 40.0;
/// A run whose records are longer together is left out: it would keep the page waiting.
const RUN_BYTES: u64 = 16 << 20;
/// Groups whose trust is shown.
const TRUSTS: usize = 20;

/// What the runs shown come to together.
pub(crate) fn summary(desk: &mut Desk, choice: &Choice) -> SummaryBody {
    let order = desk.order(choice);
    let groups = if choice.is_filtered() {
        largest(&desk.history.groups_of(&order))
    } else {
        largest(&desk.groups())
    };
    let trusts = groups.rows.iter().filter_map(|group| {
        let trust = desk.history.trust(group.id)?;
        Some((group.label.clone(), trust))
    });
    SummaryBody {
        attempts: desk.history.aggregate_of(&order),
        retries: Some(desk.history.retries_of(&order)),
        trusts: trusts.take(TRUSTS).collect(),
        groups,
    }
}

/// Failure categories of the runs shown from a position on, for as long as a slice lasts.
pub(crate) fn categories(
    desk: &mut Desk,
    choice: &Choice,
    from: u32,
) -> Result<CategoriesBody, NoAnswer> {
    let order = desk.order(choice);
    let options = super::categories::options();
    let begun = platform::now();
    let mut body = CategoriesBody { total: count(order.len()), ..CategoriesBody::default() };
    let mut explanations = Vec::new();
    for &id in order.iter().skip(from as usize) {
        let mut story = desk.history.story(id)?;
        let needs = story.needs_for(&options);
        let spans: Vec<_> =
            needs.iter().filter_map(|record| desk.history.locate(*record).ok()).collect();
        body.looked += 1;
        if spans.iter().map(|span| span.end - span.start).sum::<u64>() > RUN_BYTES {
            body.unread += count(spans.len());
        } else {
            for span in &spans {
                match desk.read(span) {
                    Ok(bytes) => desk.history.tell(&mut story, span.record, &bytes)?,
                    Err(_) => body.unread += 1,
                }
            }
            explanations.push(story.explain(&options));
        }
        if platform::now() - begun > SLICE_MS {
            break;
        }
    }
    body.counts = failure_categories(&explanations);
    Ok(body)
}
