//! Submissions to a judge: which of their rewards make a series.

use super::columns::Series;
use super::parsed_rows::ParsedStepRow;
use crate::format::FormatId;
use crate::format::submission_log::DENSE;
use crate::format::traits::Role;
use crate::model::reward::Origin;

/// The series of the shares of passed tests, if any submission has such a share. The log's own verdicts
/// only stand in where a share is missing; even two of them must not make a series in its place.
pub(crate) fn series<'a>(
    format: FormatId,
    mut steps: impl Iterator<Item = &'a ParsedStepRow>,
) -> Option<Series> {
    let is_dense = |step: &ParsedStepRow| step.reward.is_some_and(|r| r.rule == Some(DENSE));
    (format.role() == Role::Submission && steps.any(is_dense))
        .then_some(Series { origin: Origin::Derived, rule: Some(DENSE) })
}
