//! What is known of a run as a whole, each with where it comes from.

use hindscope::{Declared, InsightOptions, RunView, Trajectory, TrajectoryClass};
use leptos::prelude::*;

use crate::components::{LongText, RecordText, Steps};
use crate::format::{self, group_label, omega_text};
use crate::platform;
use crate::protocol::{AboutBody, LearnBody, Overview, RunBody, Total, Totals};
use crate::state::Asked;
use crate::views::iteration::learn::StepLink;

/// One fact, with an iteration that it names, the rule it follows, and what the file says instead.
#[derive(Clone, Debug, Default, PartialEq)]
struct Fact {
    name: &'static str,
    step: Option<i64>,
    text: String,
    rule: Option<&'static str>,
    stored: Option<String>,
}

impl Fact {
    fn of(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into(), ..Self::default() }
    }
}

/// Facts in groups; absent ones are left out.
#[component]
pub(crate) fn RunFacts(
    run: Asked<RunBody>,
    about: Asked<AboutBody>,
    learnt: Asked<LearnBody>,
    steps: Steps,
) -> impl IntoView {
    view! {
        {move || run.answer.with(|run| run.as_ref().map(|run| {
            let task = run.row.view.task.clone();
            let said = about.answer.get();
            let overview = learnt.answer.get().and_then(|body| body.part.try_as_overview());
            let mut groups = vec![("This run", own(&run.row.view, &run.row.group, said.as_ref(), overview.as_deref()))];
            if let Some(overview) = overview {
                let declared = said.as_ref().and_then(declared);
                groups.push(("Its trajectory", trajectory(&overview, declared.as_ref())));
                groups.push(("What it took", took(&overview.totals, declared.as_ref())));
            }
            view! {
                <section class="facts" aria-label="Facts">
                    {task.map(|task| view! { <div class="fact-task"><LongText text=task/></div> })}
                    {groups
                        .into_iter()
                        .filter(|(_, facts)| !facts.is_empty())
                        .map(|(title, facts)| view! {
                            <h2 class="facts-title">{title}</h2>
                            <dl>{facts.into_iter().map(|fact| row(fact, steps)).collect_view()}</dl>
                        })
                        .collect_view()}
                </section>
            }
        }))}
    }
}

fn row(fact: Fact, steps: Steps) -> impl IntoView {
    view! {
        <div>
            <dt>{fact.name}</dt>
            <dd>
                {fact.step.map(|number| view! { <StepLink number steps/>" " })}
                <RecordText text=fact.text/>
                {fact.rule.map(|rule| view! { " "<code class="rule">{rule}</code> })}
                {fact.stored.map(|stored| view! {
                    <span class="stored">"file: "<RecordText text=stored/></span>
                })}
            </dd>
        </div>
    }
}

fn own(
    view: &RunView,
    group: &str,
    about: Option<&AboutBody>,
    overview: Option<&Overview>,
) -> Vec<Fact> {
    let title = hindscope::formats().iter().find(|info| info.id == view.format);
    let mut facts = vec![
        Fact::of("Format", title.map_or(view.format.as_str(), |info| info.title)),
        Fact::of("Group", group_label(group)),
    ];
    let says = |get: fn(&hindscope::RunDetails) -> Option<&String>| {
        about.and_then(|about| about.said.iter().find_map(|said| get(&said.says).cloned()))
    };
    let mut add = |name, text: Option<String>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            facts.push(Fact::of(name, text));
        }
    };
    add("Other ids", Some(view.aliases.join(", ")));
    add("Agent", says(|says| says.agent.as_ref()));
    add("Model", says(|says| says.model.as_ref()));
    let totals = overview.map(|overview| &overview.totals);
    let first = totals.and_then(|totals| totals.first_time.as_deref());
    let last = totals.and_then(|totals| totals.last_time.as_deref());
    match says(|says| says.start.as_ref()) {
        Some(start) => add("Started", Some(date(&start))),
        None => add("First attempt", first.map(date)),
    }
    match says(|says| says.end.as_ref()) {
        Some(end) => add("Ended", Some(date(&end))),
        None => add("Last attempt", last.map(date)),
    }
    add("Window \u{3a9}", Some(format!("{}, {}", omega_text(view.omega), view.omega_provenance)));
    add("First number", Some(format!("{}, {}", view.base, view.base_provenance)));
    let origin = match &view.reward_rule {
        Some(rule) => format!("{} by {rule}", view.reward_origin.as_str()),
        None => view.reward_origin.as_str().to_owned(),
    };
    add("Rewards", Some(origin));
    add("Reflections", Some(platform::whole(view.reflections)));
    let limit = view.max_iterations.map(|most| format!("{} of {most} allowed", view.iterations));
    add("Iterations", limit);
    facts
}

/// The first summary that a record of the run declares.
fn declared(about: &AboutBody) -> Option<Declared> {
    about.said.iter().find_map(|said| said.says.declared.clone())
}

/// What the file says, where that is something else.
fn other<T: PartialEq + ToString>(ours: Option<&T>, stored: Option<&T>) -> Option<String> {
    stored.filter(|stored| ours != Some(stored)).map(ToString::to_string)
}

fn trajectory(overview: &Overview, declared: Option<&Declared>) -> Vec<Fact> {
    let trajectory = &overview.trajectory;
    let none = Declared::default();
    let declared = declared.unwrap_or(&none);
    let mut facts = vec![Fact {
        name: "Trajectory",
        text: class(trajectory),
        rule: Some("trajectory/class"),
        stored: declared.trajectory.clone().filter(|stored| *stored != trajectory.class.as_str()),
        ..Fact::default()
    }];
    let mut step =
        |name, step: Option<i64>, reward: Option<f64>, rule, stored: Option<i64>, more: &str| {
            let differs = other(step.as_ref(), stored.as_ref());
            if step.is_none() && differs.is_none() {
                return;
            }
            let mut text = match (step, reward) {
                (None, _) => "none".to_owned(),
                (_, Some(reward)) => format::reward(reward),
                (_, None) => String::new(),
            };
            text.push_str(more);
            facts.push(Fact { name, step, text, rule, stored: differs });
        };
    let mode = format!(" by {}", InsightOptions::default().selection.as_str());
    step("Best", trajectory.best, trajectory.best_reward, Some("best"), declared.best, "");
    step(
        "Selected",
        trajectory.selected,
        trajectory.selected_reward,
        None,
        declared.selected,
        &mode,
    );
    step("Final", trajectory.last, trajectory.last_reward, None, declared.last, "");
    let relative = trajectory.diminishing_relative;
    step(
        "Diminishing from",
        relative,
        None,
        Some("diminishing/relative"),
        declared.diminishing,
        "",
    );
    for warning in &overview.warnings {
        let rule = match &*warning.finding.rule {
            "plateau/relative" => "plateau/relative",
            "plateau/mean" => "plateau/mean",
            _ => continue,
        };
        step("Plateau at", warning.finding.iteration, None, Some(rule), None, "");
    }
    if let Some(cost) = trajectory.degradation {
        facts.push(Fact {
            rule: Some("best/degradation"),
            ..Fact::of("Last instead of selected", format::delta(-cost))
        });
    }
    if let Some(rate) = trajectory.learning_rate {
        let slope = trajectory.slope.map(|slope| format!(", slope {}", format::delta(slope)));
        let text = format!("{} a reward{}", format::delta(rate), slope.unwrap_or_default());
        facts.push(Fact { rule: Some("learning-rate"), ..Fact::of("Learning rate", text) });
    }
    facts
}

fn class(trajectory: &Trajectory) -> String {
    let Trajectory { up, down, flat, .. } = trajectory;
    match trajectory.class {
        TrajectoryClass::InsufficientData => "too few rewards to say".to_owned(),
        other => format!("{}: {up} up, {down} down, {flat} level", other.as_str()),
    }
}

fn took(totals: &Totals, declared: Option<&Declared>) -> Vec<Fact> {
    let usage = declared.and_then(|declared| declared.usage.clone()).unwrap_or_default();
    let dollars = |value: f64| format!("{} US dollars", format::dollars(value));
    let mut facts = Vec::new();
    let mut add = |name, total: Total, stored: Option<f64>, write: &dyn Fn(f64) -> String| {
        let differs = stored.filter(|stored| total.known == 0 || (stored - total.sum).abs() > 1e-6);
        let text = sum(total, write);
        if text.is_none() && differs.is_none() {
            return;
        }
        let text = text.unwrap_or_else(|| "no iteration says".to_owned());
        facts.push(Fact { stored: differs.map(write), ..Fact::of(name, text) });
    };
    add("Tokens", totals.tokens, usage.tokens, &format::tokens);
    add("Cost", totals.cost_usd, usage.cost_usd, &dollars);
    add("Tool calls", totals.tool_calls, usage.tool_calls, &format::tokens);
    add("Time", totals.ms, usage.ms, &duration);
    facts
}

/// A stretch of time in its two largest units.
fn duration(ms: f64) -> String {
    let seconds = ms / 1000.0;
    let (minutes, hours) = (seconds / 60.0, seconds / 3600.0);
    if seconds < 1.0 {
        format!("{ms:.0} ms")
    } else if minutes < 1.0 {
        format!("{seconds:.1} s")
    } else if hours < 1.0 {
        format!("{:.0} min {:.0} s", minutes.floor(), (seconds % 60.0).floor())
    } else {
        format!("{:.0} h {:.0} min", hours.floor(), (minutes % 60.0).floor())
    }
}

/// A sum, with how much it does not know.
fn sum(total: Total, write: &dyn Fn(f64) -> String) -> Option<String> {
    let text = write(total.sum);
    match (total.known, total.unknown) {
        (0, _) => None,
        (_, 0) => Some(text),
        (known, unknown) => Some(format!(
            "at least {text} ({} of {} iterations say)",
            platform::whole(known),
            platform::whole(known + unknown)
        )),
    }
}

/// A date as it is recorded, with its offset and without its `T`.
pub(crate) fn date(text: &str) -> String {
    let Some((day, time)) = text.split_once('T').filter(|(day, _)| day.len() == 10) else {
        return text.to_owned();
    };
    let zone_at = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_at);
    let clock = clock.split('.').next().unwrap_or(clock);
    match zone {
        "" => format!("{day} {clock}, no zone recorded"),
        "Z" => format!("{day} {clock} UTC"),
        offset => format!("{day} {clock} {offset}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_their_offset() {
        assert_eq!(date("2026-03-02T09:06:00Z"), "2026-03-02 09:06:00 UTC");
        assert_eq!(date("2026-03-02T09:06:00.123+02:00"), "2026-03-02 09:06:00 +02:00");
        assert_eq!(date("2026-03-02T09:06"), "2026-03-02 09:06, no zone recorded");
        assert_eq!(date("yesterday"), "yesterday");
    }

    #[test]
    fn times_have_two_units() {
        let of = [640.0, 5_600.0, 125_000.0, 7_320_000.0].map(duration);
        assert_eq!(of, ["640 ms", "5.6 s", "2 min 5 s", "2 h 2 min"]);
    }

    #[test]
    fn sums_that_lack_a_part_say_at_least() {
        let write = |value: f64| value.to_string();
        let total = Total { sum: 150.0, known: 2, unknown: 1 };
        assert_eq!(sum(total, &write).as_deref(), Some("at least 150 (2 of 3 iterations say)"));
        assert_eq!(sum(Total { unknown: 0, ..total }, &write).as_deref(), Some("150"));
        assert_eq!(sum(Total { known: 0, ..total }, &write), None);
    }

    #[test]
    fn what_the_file_says_stands_beside_ours_only_where_it_differs() {
        let trajectory = Trajectory {
            best: Some(2),
            best_reward: Some(0.9),
            selected: Some(2),
            last: Some(3),
            ..Trajectory::default()
        };
        let overview = Overview {
            trajectory,
            warnings: Vec::new(),
            quality: crate::protocol::Quality::default(),
            totals: Totals::default(),
        };
        let declared = Declared { best: Some(2), selected: Some(3), ..Declared::default() };
        let facts = super::trajectory(&overview, Some(&declared));
        let of = |name| facts.iter().find(|fact| fact.name == name).expect("it is there");
        assert_eq!((of("Best").text.as_str(), of("Best").stored.as_deref()), ("0.900", None));
        assert_eq!(of("Selected").stored.as_deref(), Some("3"));
        assert!(of("Selected").text.contains("highest_quality_verified"));
        assert!(facts.iter().all(|fact| fact.name != "Learning rate"));
    }
}
