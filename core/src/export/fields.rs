//! The parts of the model as a bundle has them.

use crate::format::hindscope_bundle::{COVERAGE, NOTES, Other, TESTS};
use crate::json::verbatim::{MAX_DEPTH, compact};
use crate::json::write::{Object, integer, list, number, quoted};
use crate::model::datetime::is_date_time;
use crate::model::details::{
    Action, Check, Counter, Details, ErrorDetails, NamedReward, NamedText, RecordedWindow,
    Reflection, Retrieved, SubStep, Usage,
};
use crate::model::outcome::Outcome;
use crate::model::reward::Origin;
use crate::model::run_details::{Declared, RunDetails};
use crate::model::view::{IterationView, RewardView, RunView, StoredDeltas};

pub(crate) fn outcome(outcome: Outcome, detail: Option<&str>, is_reported: bool) -> String {
    let origin = if is_reported { Origin::Reported } else { Origin::Derived };
    Object::new()
        .text("value", Some(outcome.as_str()))
        .text("detail", detail)
        .text("origin", Some(origin.as_str()))
        .end()
}

pub(crate) fn reward(reward: &RewardView) -> String {
    if reward.origin == Origin::None {
        return String::new();
    }
    Object::new()
        .number("value", Some(crate::model::reward::rounded(reward.value)))
        .text("raw", reward.raw.as_deref())
        .text("scale", Some(reward.scale.as_str()))
        .text("origin", Some(reward.origin.as_str()))
        .text("rule", reward.rule.as_deref())
        .end()
}

/// A time under `name` if it is one, else under `text_name`.
pub(crate) fn time(object: &mut Object, name: &str, text_name: &str, text: Option<&str>) {
    let is_valid = text.is_some_and(is_date_time);
    object.text(if is_valid { name } else { text_name }, text);
}

/// Named counts as an object; of two of one name the first counts.
fn counters<'a>(counters: impl Iterator<Item = &'a Counter>) -> String {
    let mut object = Object::new();
    let mut seen = Vec::new();
    for Counter { name, value } in counters {
        if !seen.contains(&name) {
            seen.push(name);
            object.number(name, Some(*value));
        }
    }
    object.end()
}

fn named_texts<'a>(texts: impl Iterator<Item = &'a NamedText>) -> String {
    let one =
        |t: &NamedText| Object::new().text("name", Some(&t.name)).text("text", Some(&t.text)).end();
    list(texts.map(one))
}

pub(crate) fn reflection(reflection: &Reflection, is_seen: bool, number: Option<i64>) -> String {
    let mut object = Object::new();
    // A blank text, which no window can hold, is left out.
    object
        .text("text", Some(reflection.text.as_str()).filter(|_| is_seen))
        .text("kind", reflection.kind.as_deref())
        .texts("insights", &reflection.insights)
        .texts("lessons", &reflection.lessons)
        .text("root_cause", reflection.root_cause.as_deref())
        .text("category", reflection.category.as_deref())
        .text("reasoning", reflection.reasoning.as_deref())
        .integers("failing_actions", &reflection.failing_actions)
        .number("confidence", reflection.confidence)
        .integers("related", &reflection.related)
        .text("effectiveness", reflection.effectiveness.as_deref())
        .text("trigger", reflection.trigger.as_deref());
    time(&mut object, "time", "time_text", reflection.time.as_deref());
    object.integer("number", number).end()
}

/// What a check gave; `duration` is the member for its milliseconds.
pub(super) fn check(check: &Check, duration: &str) -> String {
    Object::new()
        .text("tool", Some(&check.tool))
        .text("status", Some(&check.status))
        .integer("exit_code", check.exit_code)
        .text("stdout", check.stdout.as_deref())
        .text("stderr", check.stderr.as_deref())
        .number(duration, check.duration_ms)
        .end()
}

/// An error; `stack` is the member for its trace.
pub(super) fn error(error: &ErrorDetails, stack: &str) -> String {
    Object::new()
        .text("type", Some(&error.kind))
        .text("message", Some(&error.message))
        .text("file", error.file.as_deref())
        .integer("line", error.line)
        .integer("column", error.column)
        .text("severity", error.severity.as_deref())
        .text("rule", error.rule.as_deref())
        .text(stack, error.stack.as_deref())
        .end()
}

fn action(action: &Action, is_named: bool) -> String {
    let mut object = Object::new();
    object
        .text("type", Some(&action.kind))
        .text("description", Some(&action.description))
        .text("path", action.path.as_deref())
        .text("command", action.command.as_deref())
        .text("tool", action.tool.as_deref());
    if let Some(params) = &action.params {
        // Readers take a JSON string for plain text, so JSON that is a string is quoted once more.
        let json = compact(params, MAX_DEPTH).filter(|json| !json.starts_with('"'));
        object.json("params", &json.unwrap_or_else(|| quoted(params)));
    }
    object
        .text("diff", action.diff.as_deref())
        .integer("additions", action.additions)
        .integer("deletions", action.deletions);
    time(&mut object, "time", "time_text", action.time.as_deref());
    object
        .flag("success", action.success)
        .text("output", action.output.as_deref())
        .text("reasoning", action.reasoning.as_deref())
        .text("expected", action.expected.as_deref())
        .flag("credited", (action.is_credited != is_named).then_some(action.is_credited))
        .end()
}

fn window(window: &RecordedWindow) -> String {
    let after = window.after.as_deref();
    let injected = window.injected.as_deref();
    let is_empty = |list: Option<&[i64]>| list.is_some_and(<[i64]>::is_empty);
    let empty = [("after", after), ("injected", injected)].into_iter().filter(|l| is_empty(l.1));
    let empty: Vec<String> = empty.map(|(name, _)| name.to_owned()).collect();
    Object::new()
        .integer("omega", window.omega)
        .text("policy", window.policy.as_deref())
        .integers("after", after.unwrap_or_default())
        .integer("size", window.size)
        .integer("total", window.total)
        .integers("injected", injected.unwrap_or_default())
        .flag("injected_flag", window.injected_flag)
        .texts("empty", &empty)
        .end()
}

fn stored(stored: &StoredDeltas) -> String {
    Object::new()
        .number("reward_change", stored.reward_change)
        .integer("error_count_change", stored.error_count_change)
        .flag("is_improvement", stored.is_improvement)
        .end()
}

fn usage(usage: &Usage) -> String {
    Object::new()
        .number("tokens", usage.tokens)
        .number("input_tokens", usage.input_tokens)
        .number("output_tokens", usage.output_tokens)
        .number("tool_calls", usage.tool_calls)
        .number("cost_usd", usage.cost_usd)
        .number("ms", usage.ms)
        .end()
}

fn retrieved(retrieved: &Retrieved) -> String {
    Object::new()
        .text("key", Some(&retrieved.key))
        .integer("number", Some(retrieved.number))
        .text("text", Some(&retrieved.text))
        .number("reward", retrieved.reward)
        .number("similarity", retrieved.similarity)
        .text("time", retrieved.time.as_deref())
        .end()
}

fn declared(declared: &Declared) -> String {
    let usage = declared.usage.clone().unwrap_or_default();
    Object::new()
        .integer("best", declared.best)
        .integer("selected", declared.selected)
        .integer("final", declared.last)
        .text("trajectory", declared.trajectory.as_deref())
        .integer("diminishing", declared.diminishing)
        .text("reason", declared.reason.as_deref())
        .number("tokens", usage.tokens)
        .number("cost_usd", usage.cost_usd)
        .number("ms", usage.ms)
        .number("input_tokens", usage.input_tokens)
        .number("output_tokens", usage.output_tokens)
        .number("tool_calls", usage.tool_calls)
        .end()
}

/// What columns and grouping know of an iteration, beside its details.
pub(crate) struct Known<'a> {
    pub(crate) view: &'a IterationView,
    pub(crate) reward: Option<RewardView>,
    /// Its reflections, each with whether a window can hold it.
    pub(crate) reflections: Vec<(Reflection, bool)>,
    /// File name of its leading record.
    pub(crate) source: Option<&'a str>,
    /// Entries of its records, as JSON.
    pub(crate) records: String,
    /// Task of the run: it is not written again.
    pub(crate) task: Option<&'a str>,
    /// What columns say and the other members would not.
    pub(crate) columns: String,
}

/// An iteration.
pub(crate) fn iteration(known: &Known<'_>, details: &Details) -> String {
    let count = |name: &str| details.counters.iter().find(|c| c.name == name).map(|c| c.value);
    let mut test_counts = Object::new();
    for (name, short) in TESTS {
        test_counts.number(short, count(name));
    }
    let is_other =
        |c: &&Counter| c.name != COVERAGE && !TESTS.iter().any(|(name, _)| *name == c.name);
    let view = known.view;
    let is_reported = details.outcome == Some(view.outcome) && view.outcome != Outcome::Unknown;
    let credited: Vec<i64> =
        details.reflections.iter().flat_map(|r| r.failing_actions.iter().copied()).collect();
    let mut object = Object::new();
    object.integer("number", Some(view.number)).integer("ordinal", Some(view.ordinal.into()));
    time(&mut object, "start", "start_text", details.start.as_deref());
    time(&mut object, "end", "time_text", details.time.as_deref());
    let detail = view.outcome_detail.as_deref().or(details.outcome_detail.as_deref());
    object
        .number("ms", details.duration_ms)
        .json("outcome", &outcome(view.outcome, detail, is_reported))
        .json("reward", &known.reward.as_ref().map(reward).unwrap_or_default())
        .json("breakdown", &counters(details.breakdown.iter()))
        .json("series", &series(details, known.reward.as_ref()))
        .text("verification", details.verification.as_deref())
        .json("tests", &test_counts.end())
        .number("coverage", count(COVERAGE))
        .json("counters", &counters(details.counters.iter().filter(is_other)))
        .list("checks", &details.checks, |one| check(one, "ms"))
        .list("errors", &details.errors, |one| error(one, "stack"));
    let actions = (0..).zip(&details.actions).map(|(i, a)| action(a, credited.contains(&i)));
    object
        .json("actions", &list(actions))
        .texts("files", &details.files)
        .text("rationale", details.rationale.as_deref())
        .text("strategy", details.strategy.as_deref())
        .text("strategy_next", details.strategy_next.as_deref())
        .list("steps", &details.steps, |step: &SubStep| {
            Object::new()
                .integer("number", Some(step.number))
                .json("reward", &step.reward.as_ref().map(reward).unwrap_or_default())
                .end()
        })
        .list("reflections", &known.reflections, |(r, is_seen)| reflection(r, *is_seen, None))
        .json("window", &details.window.as_ref().map(window).unwrap_or_default())
        .json("stored", &details.stored.as_ref().map(stored).unwrap_or_default())
        .json("usage", &details.usage.as_ref().map(usage).unwrap_or_default());
    let (notes, named): (Vec<_>, Vec<_>) = details.texts.iter().partition(|t| t.name == NOTES);
    object
        .json("notes", &list(notes.into_iter().map(|t| quoted(&t.text))))
        .texts("flags", &details.flags)
        .text("source", known.source)
        .json("records", &known.records)
        .text("task", details.task.as_deref().filter(|task| known.task != Some(task)))
        .list("retrieved", details.retrieved.as_deref().unwrap_or_default(), retrieved)
        .flag(
            "retrieved_none",
            details.retrieved.as_ref().and_then(|r| r.is_empty().then_some(true)),
        )
        .json("texts", &named_texts(named.into_iter()))
        .json("columns", &known.columns)
        .end()
}

/// Rewards beside the one that counts; the record's own among them if another one counts.
fn series(details: &Details, chosen: Option<&RewardView>) -> String {
    let mut object = Object::new();
    let mut seen = Vec::new();
    for NamedReward { name, reward: of_name } in &details.series {
        if !seen.contains(&name) {
            seen.push(name);
            object.json(name, &reward(of_name));
        }
    }
    if let Some(own) = &details.reward
        && chosen.is_none_or(|c| c.origin != own.origin || c.rule != own.rule)
    {
        let name = own.rule.clone().unwrap_or_else(|| own.origin.as_str().to_owned());
        if !seen.contains(&&name) {
            object.json(&name, &reward(own));
        }
    }
    object.end()
}

/// What a bundle says of a run before its iterations.
pub(crate) struct KnownRun<'a> {
    pub(crate) id: &'a str,
    pub(crate) view: &'a RunView,
    pub(crate) outcome: String,
    /// Reflections from before the first attempt, with the numbers of theirs.
    pub(crate) earlier: Vec<(&'a Reflection, i64)>,
    pub(crate) records: String,
    pub(crate) iterations: String,
    /// Our own members, as they stand.
    pub(crate) group: Option<&'a str>,
    pub(crate) group_format: Option<&'a str>,
    pub(crate) format: Option<&'a str>,
}

/// A run.
pub(crate) fn run(known: &KnownRun<'_>, about: &RunDetails) -> String {
    let mut object = Object::new();
    object
        .text("id", Some(known.id))
        .text("key", Some(&known.view.key))
        .texts("aliases", &about.aliases)
        .text("task", known.view.task.as_deref().or(about.task.as_deref()))
        .texts("criteria", &about.criteria)
        .text("agent", about.agent.as_deref())
        .text("model", about.model.as_deref())
        .text("status", about.status.as_deref())
        .json("outcome", &known.outcome);
    time(&mut object, "start", "start_text", about.start.as_deref());
    time(&mut object, "end", "time_text", about.end.as_deref());
    let limits = Object::new()
        .integer("iterations", about.max_iterations)
        .number("minutes", about.max_minutes)
        .end();
    let omega = about.omega.map(|omega| {
        Object::new().number("value", Some(omega)).text("provenance", Some("recorded")).end()
    });
    let base = Object::new()
        .integer("value", Some(known.view.base.into()))
        .text("provenance", Some(&known.view.base_provenance))
        .end();
    let search = about.search.iter().map(|r| reflection(r, true, None));
    let earlier = known.earlier.iter().map(|(r, number)| reflection(r, true, Some(*number)));
    object
        .json("limits", &limits)
        .integer("counter", about.counter)
        .json("omega", &omega.unwrap_or_default())
        .json("base", &base)
        .texts("lessons", &about.lessons)
        .json("search", &list(search.chain(earlier)))
        .json("declared", &about.declared.as_ref().map(declared).unwrap_or_default())
        .json("reward", &about.reward.as_ref().map(reward).unwrap_or_default())
        .json("records", &known.records)
        .json("iterations", &known.iterations)
        .text("group", known.group)
        .text("group_format", known.group_format)
        .text("format", known.format)
        .text("updated", about.updated.as_deref())
        .json("counters", &counters(about.counters.iter()))
        .texts("tags", &about.tags)
        .texts("related", &about.related)
        .json("texts", &named_texts(about.texts.iter()))
        .end()
}

/// What several records say of one run: the first that says something counts, lists are joined.
pub(crate) fn together<'a>(abouts: impl Iterator<Item = &'a RunDetails>) -> RunDetails {
    fn first<T: Clone>(own: &mut Option<T>, other: Option<&T>) {
        if own.is_none() {
            *own = other.cloned();
        }
    }
    fn join<T: Clone + PartialEq>(own: &mut Vec<T>, other: &[T]) {
        for item in other {
            if !own.contains(item) {
                own.push(item.clone());
            }
        }
    }
    let mut all = RunDetails::default();
    for about in abouts {
        join(&mut all.aliases, &about.aliases);
        first(&mut all.task, about.task.as_ref());
        join(&mut all.criteria, &about.criteria);
        first(&mut all.agent, about.agent.as_ref());
        first(&mut all.model, about.model.as_ref());
        first(&mut all.status, about.status.as_ref());
        first(&mut all.start, about.start.as_ref());
        first(&mut all.end, about.end.as_ref());
        first(&mut all.updated, about.updated.as_ref());
        first(&mut all.max_iterations, about.max_iterations.as_ref());
        first(&mut all.max_minutes, about.max_minutes.as_ref());
        first(&mut all.counter, about.counter.as_ref());
        first(&mut all.omega, about.omega.as_ref());
        join(&mut all.lessons, &about.lessons);
        join(&mut all.search, &about.search);
        first(&mut all.declared, about.declared.as_ref());
        first(&mut all.reward, about.reward.as_ref());
        join(&mut all.counters, &about.counters);
        join(&mut all.tags, &about.tags);
        join(&mut all.related, &about.related);
        join(&mut all.texts, &about.texts);
    }
    all
}

/// Members of `columns`; a value that is not there is called `none`.
pub(crate) fn columns(
    errors: Other<u32>,
    omega: Other<u8>,
    assumed_omega: Other<u8>,
    time_ms: Other<f64>,
) -> String {
    fn json<T>(value: Other<T>, json: impl Fn(T) -> Option<String>) -> String {
        let none = || Some(quoted("none"));
        value.and_then(|value| value.map_or_else(none, json)).unwrap_or_default()
    }
    Object::new()
        .json("errors", &json(errors, |n| Some(integer(n.into()))))
        .json("omega", &json(omega, |n| Some(integer(n.into()))))
        .json("assumed_omega", &json(assumed_omega, |n| Some(integer(n.into()))))
        .json("time_ms", &json(time_ms, number))
        .end()
}
