//! Submissions to a judge: which of their rewards make a series.

use super::columns::Series;
use super::parsed_rows::ParsedStepRow;
use crate::format::FormatId;
use crate::format::submission_log::DENSE;
use crate::format::traits::Role;
use crate::model::reward::Origin;

/// The share of tests, if any submission was judged. The log's own verdict stands in for it only
/// where there is none; two such verdicts must not push the shares out of the series.
pub(crate) fn series<'a>(
    format: FormatId,
    mut steps: impl Iterator<Item = &'a ParsedStepRow>,
) -> Option<Series> {
    let is_dense = |step: &ParsedStepRow| step.reward.is_some_and(|r| r.rule == Some(DENSE));
    (format.role() == Role::Submission && steps.any(is_dense))
        .then_some(Series { origin: Origin::Derived, rule: Some(DENSE) })
}
