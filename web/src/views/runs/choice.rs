//! Filter, order and division of the list, as the address has them.

use crate::protocol::{Choice, FindingIs, OUTCOMES};
use crate::route::Query;

/// What an address says about the list of runs.
pub(crate) fn choice(query: &Query) -> Choice {
    let sort = query.sort.as_deref().unwrap_or_default();
    let (name, is_falling) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
    let outcome = query.outcome.as_deref();
    let reward = query.reward.as_deref();
    let by = query.by.as_deref();
    Choice {
        text: query.text.clone().unwrap_or_default(),
        outcome: OUTCOMES.into_iter().find(|one| Some(one.as_str()) == outcome),
        source: query.source.clone(),
        reward: reward.and_then(|name| name.parse().ok()),
        finding: query.finding.as_deref().map(FindingIs::read),
        sort: name.parse().ok(),
        is_falling,
        by: by.and_then(|name| name.parse().ok()),
        closed: query.lists.closed.clone(),
    }
}

/// The same address without any filter; order and division stay.
pub(crate) fn clear(query: &mut Query) {
    query.text = None;
    query.outcome = None;
    query.source = None;
    query.reward = None;
    query.finding = None;
}

#[cfg(test)]
mod tests {
    use hindscope::Outcome;

    use super::*;
    use crate::protocol::{GroupBy, RewardIs, Sort};
    use crate::route::read;

    #[test]
    fn reads_filter_and_order_from_the_address() {
        let got = choice(&read("#/runs?sort=-last&q=env%20x&outcome=failure").query);
        assert_eq!(got.sort, Some(Sort::Last));
        assert!(got.is_falling);
        assert_eq!((got.text.as_str(), got.outcome), ("env x", Some(Outcome::Failure)));
        assert_eq!(choice(&read("#/runs?sort=nonsense&outcome=x").query), Choice::default());
        let got = choice(
            &read("#/runs?reward=low&finding=env%2Fgap&by=task&source=a%2Fb&closed=x,").query,
        );
        assert_eq!((got.reward, got.by), (Some(RewardIs::Low), Some(GroupBy::Task)));
        assert_eq!(got.finding, Some(FindingIs::Rule("env/gap".to_owned())));
        assert_eq!(got.closed, ["x", ""], "runs without a title have a heading, too");
    }

    #[test]
    fn clearing_keeps_the_order() {
        let mut query =
            read("#/runs?sort=run&q=x&reward=low&finding=any&source=a&outcome=failure&by=task")
                .query;
        clear(&mut query);
        assert!(!choice(&query).is_filtered());
        assert_eq!((query.sort.as_deref(), query.by.as_deref()), (Some("run"), Some("task")));
    }
}
