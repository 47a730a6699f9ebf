//! An attempt as people describe it: what was planned, what came of it, what it leaves to the next one;
//! and its actions, one by one.

use super::join::joined;
use crate::format::role_named;
use crate::format::traits::Role;
use crate::json::numeric;
use crate::model::datetime::moment_ms;
use crate::model::details::{Action, Counter, Details, NamedText, Reflection};
use crate::text::norm;

/// The plan of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanOutline {
    /// What stands before the steps.
    pub approach: String,
    /// Its steps, in order.
    pub steps: Vec<String>,
    /// The plan as somebody wrote it for people, if there is such a file.
    pub written: Option<String>,
}

/// An attempt as people describe it: of each fact what the first of its records says that has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Its records as one; actions only of those that were read.
    pub details: Details,
    /// What was planned.
    pub plan: PlanOutline,
    /// When it began, as written.
    pub start: Option<String>,
    /// When it ended, as written.
    pub end: Option<String>,
    /// Milliseconds that it took, as written or between the two times.
    pub duration_ms: Option<f64>,
    /// Why it ended as it did.
    pub reason: Option<String>,
    /// What worked.
    pub worked: Vec<String>,
    /// What did not.
    pub failed: Vec<String>,
    /// What it says the next attempt should do.
    pub next_time: Vec<String>,
    /// What happened on the way.
    pub milestones: Vec<String>,
    /// Reflections that were written after it; not the suggestions of `next_time`.
    pub reflections: Vec<Reflection>,
    /// Numbers of the attempts whose reflections it was given, where a record says so.
    pub learned_from: Option<Vec<i64>>,
}

impl Outline {
    /// What some records of an attempt say together, the one that leads first.
    ///
    /// # Example: why an attempt ended
    ///
    /// ```
    /// use hindscope::{Details, NamedText, Outline};
    ///
    /// let reason = NamedText { name: "reason".into(), text: "it flickers".into() };
    /// let details = Details { texts: vec![reason], ..Details::default() };
    /// assert_eq!(Outline::of(&[&details]).reason.as_deref(), Some("it flickers"));
    /// ```
    pub fn of(records: &[&Details]) -> Self {
        let Some(details) = joined(records) else { return Self::default() };
        let texts = |name: &str| -> Vec<String> {
            let named = details.texts.iter().filter(|text| text.name == name);
            named.map(|text| text.text.clone()).collect()
        };
        // A reflection has a time of its own: only a record that says when the attempt began says when
        // it ended.
        let timed = records.iter().find(|d| d.start.is_some() && d.time.is_some());
        let start = details.start.clone();
        let end = timed.and_then(|d| d.time.clone());
        let between = || {
            let (from, to) = (moment_ms(start.as_deref()?)?, moment_ms(end.as_deref()?)?);
            (to >= from).then_some(to - from)
        };
        let is_attempt = |d: &&&Details| role_named(&d.format).is_some_and(Role::is_advice);
        let suggested = records.iter().filter(is_attempt).flat_map(|d| &d.reflections);
        let suggested: Vec<&Reflection> = suggested.collect();
        let mut next_time = texts("suggestions_for_next_time");
        for insight in suggested.iter().flat_map(|reflection| &reflection.insights) {
            if !next_time.contains(insight) {
                next_time.push(insight.clone());
            }
        }
        let is_written = |r: &&Reflection| !suggested.iter().any(|s| s.text == r.text);
        Self {
            plan: plan(&details),
            duration_ms: details.duration_ms.or_else(between),
            start: start.clone(),
            end: end.clone(),
            reason: texts("reason").into_iter().next(),
            worked: texts("what_worked"),
            failed: texts("what_didnt_work"),
            milestones: texts("milestones"),
            reflections: details.reflections.iter().filter(is_written).cloned().collect(),
            learned_from: texts("learned_from").first().and_then(|text| {
                let list: Vec<serde_json::Value> = serde_json::from_str(text).ok()?;
                Some(list.iter().filter_map(numeric::integer).collect())
            }),
            next_time,
            details,
        }
    }

    /// A count that a record states, by its name.
    pub fn counter(&self, name: &str) -> Option<f64> {
        Counter::find(&self.details.counters, name)
    }
}

/// The plan of `attempt.json`, else that of `plan.md`.
fn plan(details: &Details) -> PlanOutline {
    let written = details.texts.iter().find(|text| text.name == "plan").map(|t| t.text.clone());
    let mut plan = details.strategy.as_deref().map(steps_of).unwrap_or_default();
    if plan.steps.is_empty()
        && let Some(own) = written.as_deref().map(steps_of)
    {
        plan.steps = own.steps;
        if plan.approach.is_empty() {
            plan.approach = own.approach;
        }
    }
    PlanOutline { written, ..plan }
}

/// The first list of a text that counts its items from 1, and what stands before it. What follows
/// another heading belongs to something else.
fn steps_of(text: &str) -> PlanOutline {
    let mut approach: Vec<&str> = Vec::new();
    let mut steps: Vec<String> = Vec::new();
    let mut headings = 0;
    for line in text.lines() {
        if line.starts_with('#') {
            headings += 1;
            if headings > 1 {
                break;
            }
            continue;
        }
        if let Some(step) = item(line, steps.len() + 1) {
            steps.push(step.to_owned());
        } else if let Some(last) = steps.last_mut() {
            // Further lines of a step; a blank one ends the list only if no step follows.
            if !line.trim().is_empty() && line.starts_with(char::is_whitespace) {
                last.push('\n');
                last.push_str(line.trim());
            }
        } else if line.trim() != "---" {
            approach.push(line);
        }
    }
    PlanOutline { approach: approach.join("\n").trim().to_owned(), steps, written: None }
}

/// The text of an item that has this number: `2. measure`, `2) measure`.
fn item(line: &str, number: usize) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(&number.to_string())?;
    let text = rest.strip_prefix(['.', ')'])?;
    text.starts_with(char::is_whitespace).then(|| text.trim())
}

/// One action of an attempt, with what its own record says of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogEntry {
    /// The action.
    pub action: Action,
    /// Its error, where the record has one for it alone.
    pub error: Option<String>,
    /// Iteration inside the attempt, as written.
    pub iteration: Option<i64>,
    /// Step of the plan that it belongs to, from 1, as its member `plan_step` says.
    pub plan_step: Option<u32>,
    /// What else the record says.
    pub texts: Vec<NamedText>,
}

impl LogEntry {
    /// The actions of one record. What else the record says, such as an error, is added only if the
    /// record is about a single action.
    pub fn of(details: &Details) -> Vec<Self> {
        let entry = |action: &Action| Self { action: action.clone(), ..Self::default() };
        let [action] = details.actions.as_slice() else {
            return details.actions.iter().map(entry).collect();
        };
        if !role_named(&details.format).is_some_and(Role::is_action) {
            return vec![entry(action)];
        }
        let text = |name: &str| details.texts.iter().find(|text| text.name == name);
        let failed = details.errors.first().map(|error| error.message.clone());
        let is_other = |text: &&NamedText| !matches!(text.name.as_str(), "error" | "plan_step");
        vec![Self {
            error: failed.or_else(|| Some(text("error")?.text.clone())),
            iteration: details.steps.first().map(|step| step.number),
            plan_step: text("plan_step").and_then(|text| text.text.trim().parse().ok()),
            texts: details.texts.iter().filter(is_other).cloned().collect(),
            ..entry(action)
        }]
    }

    /// Which step of a plan it belongs to, from 1: as its record says, or because it is described in the
    /// same words. Nothing is guessed.
    pub fn step_of(&self, steps: &[String]) -> Option<u32> {
        if let Some(step) = self.plan_step {
            let is_there = step > 0 && usize::try_from(step).is_ok_and(|step| step <= steps.len());
            return is_there.then_some(step);
        }
        let own = [Some(&self.action.description), self.action.reasoning.as_ref()];
        let own: Vec<String> =
            own.into_iter().flatten().map(|text| norm(text)).filter(|t| !t.is_empty()).collect();
        let at = steps.iter().position(|step| own.contains(&norm(step)))?;
        u32::try_from(at + 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::details::{ErrorDetails, SubStep};

    fn text(name: &str, text: &str) -> NamedText {
        NamedText { name: name.to_owned(), text: text.to_owned() }
    }

    fn steps(of: &str) -> Vec<String> {
        steps_of(of).steps
    }

    #[test]
    fn steps_are_the_first_list_that_counts_from_one() {
        let plan = steps_of("Halve the batch.\n1. measure\n2. halve\n   twice\n3. compare");
        assert_eq!(plan.approach, "Halve the batch.");
        assert_eq!(plan.steps, ["measure", "halve\ntwice", "compare"]);
        assert_eq!(steps("# Plan\n\n1. a\n\n2. b\n\n# Taught\n\n3. c"), ["a", "b"]);
        assert_eq!(steps("2. b\n3. c"), Vec::<String>::new());
        assert_eq!(steps("1.5 seconds are too long"), Vec::<String>::new());
        assert_eq!(steps("# Plan\nGo.\n# Taught\n1. c"), Vec::<String>::new());
    }

    #[test]
    fn the_plan_for_people_fills_what_the_record_lacks() {
        let written = text("plan", "# Plan\n\nPoll it.\n\n---\n\n1. Read the pin.\n");
        let details = Details {
            strategy: Some("Poll.".to_owned()),
            texts: vec![written.clone()],
            ..Details::default()
        };
        let plan = Outline::of(&[&details]).plan;
        assert_eq!((plan.approach.as_str(), plan.steps.len()), ("Poll.", 1));
        assert_eq!(plan.written, Some(written.text));
    }

    #[test]
    fn an_end_is_said_by_who_knows_the_beginning() {
        let attempt = Details {
            start: Some("2026-03-05T09:00:00Z".to_owned()),
            time: Some("2026-03-05T09:10:00Z".to_owned()),
            texts: vec![text("learned_from", "[1, 3]")],
            ..Details::default()
        };
        let reflection = Details {
            time: Some("2026-03-05T12:00:00Z".to_owned()),
            reflections: vec![Reflection { text: "Look.".to_owned(), ..Reflection::default() }],
            ..Details::default()
        };
        let outline = Outline::of(&[&attempt, &reflection]);
        assert_eq!(outline.duration_ms, Some(600_000.0));
        assert_eq!((outline.learned_from, outline.reflections.len()), (Some(vec![1, 3]), 1));
        let begun = Details { time: None, ..attempt };
        let outline = Outline::of(&[&begun, &reflection]);
        assert_eq!((outline.end, outline.duration_ms), (None, None));
        assert_eq!(Outline::of(&[]), Outline::default());
    }

    #[test]
    fn suggestions_are_no_reflections() {
        let suggestion = Reflection {
            text: "Use the line".to_owned(),
            insights: vec!["Use the line".to_owned()],
            ..Reflection::default()
        };
        let attempt = Details {
            format: "episodic-attempt".to_owned(),
            reflections: vec![suggestion],
            ..Details::default()
        };
        let ending = Details {
            texts: vec![text("suggestions_for_next_time", "Use the line")],
            ..Details::default()
        };
        let outline = Outline::of(&[&ending, &attempt]);
        assert_eq!(outline.next_time, ["Use the line"]);
        assert!(outline.reflections.is_empty());
    }

    #[test]
    fn an_error_belongs_to_the_only_action_of_its_line() {
        let action = Action { reasoning: Some("Read the PIN.".to_owned()), ..Action::default() };
        let line = Details {
            format: "episodic-actions".to_owned(),
            actions: vec![action.clone()],
            errors: vec![ErrorDetails { message: "no pin".to_owned(), ..ErrorDetails::default() }],
            steps: vec![SubStep { number: 2, reward: None }],
            texts: vec![text("mood", "calm")],
            ..Details::default()
        };
        let [entry] = &LogEntry::of(&line)[..] else { panic!("one") };
        assert_eq!((entry.error.as_deref(), entry.iteration), (Some("no pin"), Some(2)));
        assert_eq!(entry.texts, [text("mood", "calm")]);
        let plan = ["switch".to_owned(), "read the pin".to_owned()];
        assert_eq!(entry.step_of(&plan), Some(2), "the same words");
        let two = Details { actions: vec![action.clone(), action], ..line.clone() };
        assert!(LogEntry::of(&two).iter().all(|entry| entry.error.is_none()));
        let said = Details { texts: vec![text("plan_step", "1")], ..line };
        assert_eq!(LogEntry::of(&said)[0].step_of(&plan), Some(1), "the record's own word");
        let beyond = LogEntry { plan_step: Some(3), ..LogEntry::default() };
        assert_eq!(beyond.step_of(&plan), None);
        assert_eq!(LogEntry::default().step_of(&[String::new()]), None, "nothing is no word");
    }
}
