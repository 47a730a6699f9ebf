//! Several records of one attempt become one: for each member the first value wins
//! (docs/spec/formats.md, "Several records of one attempt").

use crate::format::role_named;
use crate::format::traits::Role;
use crate::model::details::{Details, Reflection};
use crate::text::norm;

/// The attempt that some records describe together, in order of their weight.
pub(crate) fn joined(records: &[&Details]) -> Option<Details> {
    let (first, others) = records.split_first()?;
    let mut own = (*first).clone();
    // Suggestions belong to the reflection on the attempt, as its insights. They count as a reflection of
    // their own only if the attempt has no other.
    let is_advice = |d: &Details| role_named(&d.format).is_some_and(Role::is_advice);
    let is_said = records.iter().any(|d| !is_advice(d) && !d.reflections.is_empty());
    let mut advice = Vec::new();
    if is_said && is_advice(&own) {
        advice.append(&mut own.reflections);
    }
    for other in others {
        if is_said && is_advice(other) {
            advice.extend(other.reflections.iter().cloned());
            fill(&mut own, &Details { reflections: Vec::new(), ..(*other).clone() });
        } else {
            fill(&mut own, other);
        }
    }
    if let Some(reflection) = own.reflections.first_mut() {
        for insight in advice.into_iter().flat_map(|advice| advice.insights) {
            if !reflection.insights.iter().any(|known| norm(known) == norm(&insight)) {
                reflection.insights.push(insight);
            }
        }
    }
    // Lines of a log are an action each, some with an error: all of the first format that has any.
    own.actions = all(records, |d| &d.actions);
    own.errors = all(records, |d| &d.errors);
    Some(own)
}

/// A list of all records of the first format that has any of it.
fn all<T: Clone>(records: &[&Details], list: fn(&Details) -> &Vec<T>) -> Vec<T> {
    let lead = records.iter().find(|d| !list(d).is_empty());
    let of_format = records.iter().filter(|d| lead.is_some_and(|lead| lead.format == d.format));
    of_format.flat_map(|d| list(d).iter().cloned()).collect()
}

/// Fills what `own` does not know from another record of the same attempt.
fn fill(own: &mut Details, other: &Details) {
    macro_rules! first {
        ($($member:ident),*) => { $(if own.$member.is_none() {
            own.$member.clone_from(&other.$member);
        })* };
    }
    macro_rules! first_list {
        ($($member:ident),*) => { $(if own.$member.is_empty() {
            own.$member.clone_from(&other.$member);
        })* };
    }
    let is_unknown =
        |d: &Details| matches!(d.outcome, None | Some(crate::model::outcome::Outcome::Unknown));
    if is_unknown(own) && !is_unknown(other) {
        own.outcome = other.outcome;
        own.outcome_detail.clone_from(&other.outcome_detail);
    }
    first!(
        key,
        number,
        time,
        start,
        duration_ms,
        task,
        reward,
        verification,
        rationale,
        strategy,
        strategy_next,
        window,
        retrieved,
        stored,
        usage
    );
    first_list!(breakdown, series, steps, counters, checks, files);
    for reflection in &other.reflections {
        if !own.reflections.iter().any(|known| is_same(known, reflection)) {
            own.reflections.push(reflection.clone());
        }
    }
    for flag in &other.flags {
        if !own.flags.contains(flag) {
            own.flags.push(flag.clone());
        }
    }
    for text in &other.texts {
        if !own.texts.contains(text) {
            own.texts.push(text.clone());
        }
    }
}

fn is_same(a: &Reflection, b: &Reflection) -> bool {
    a.text == b.text || norm(&a.text) == norm(&b.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Outcome;

    #[test]
    fn suggestions_are_insights_of_the_reflection() {
        let of = |format: &str, text: &str, insights: &[&str]| Details {
            format: format.to_owned(),
            reflections: vec![Reflection {
                text: text.to_owned(),
                insights: insights.iter().map(|i| (*i).to_owned()).collect(),
                ..Reflection::default()
            }],
            ..Details::default()
        };
        let attempt = of("episodic-attempt", "Quarter it\nLog sizes", &["Quarter it", "Log sizes"]);
        let reflection = of("episodic-reflection", "It was too large.", &["quarter it."]);
        for records in [[&attempt, &reflection], [&reflection, &attempt]] {
            let own = joined(&records).expect("there are two");
            assert_eq!(own.reflections.len(), 1);
            assert_eq!(own.reflections[0].text, "It was too large.");
            assert_eq!(own.reflections[0].insights, ["quarter it.", "Log sizes"]);
        }
        let alone = joined(&[&attempt, &Details::default()]).expect("there are two");
        assert_eq!(alone.reflections, attempt.reflections);
    }

    #[test]
    fn the_first_that_knows_a_member_counts() {
        let reflection = |text: &str| Reflection { text: text.to_owned(), ..Reflection::default() };
        let own = Details {
            rationale: Some("own".to_owned()),
            reflections: vec![reflection("Look first.")],
            ..Details::default()
        };
        let other = Details {
            rationale: Some("other".to_owned()),
            strategy: Some("small steps".to_owned()),
            outcome: Some(Outcome::Failure),
            outcome_detail: Some("timeout".to_owned()),
            reflections: vec![reflection("look first"), reflection("Then act.")],
            ..Details::default()
        };
        let own = joined(&[&own, &other]).expect("there are two");
        assert_eq!(own.rationale.as_deref(), Some("own"));
        assert_eq!(own.strategy.as_deref(), Some("small steps"));
        assert_eq!(own.outcome, Some(Outcome::Failure));
        assert_eq!(own.outcome_detail.as_deref(), Some("timeout"));
        let texts: Vec<_> = own.reflections.iter().map(|r| r.text.as_str()).collect();
        assert_eq!(texts, ["Look first.", "Then act."]);
    }
}
