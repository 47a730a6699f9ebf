//! All problems found in the input, with places and what to do; and what of the files
//! was lost.

mod damage;
mod filters;
mod hex;
mod list;

use std::fmt::Write as _;

use hindscope::Severity;
use leptos::prelude::*;

use crate::components::{FindingItem, LinkButton, VisibleRange, rows_around};
use crate::format;
use crate::platform;
use crate::protocol::{FindingChoice, FindingsBody, Judged, Query, Repeats, RunAddress};
use crate::route::{Place, View};
use crate::state::{App, HEADING, asked};
use crate::views::findings::damage::DamageReport;
use crate::views::findings::filters::{FindingFilters, SaveFindings};
use crate::views::findings::list::{FindingList, Panel};

/// The part of the view that is the damage report, in an address.
const DAMAGE: &str = "damage";

/// The list of findings, or the damage report.
#[component]
pub(crate) fn Findings() -> impl IntoView {
    let app = App::get();
    platform::set_title("Findings - hindscope");
    let choice = Memo::new(move |_| app.place.with(choice));
    let is_damage =
        Memo::new(move |_| app.place.with(|place| place.query.show.as_deref() == Some(DAMAGE)));
    let show = move |damage: bool| {
        app.choose(|query| query.show = damage.then(|| DAMAGE.to_owned()));
    };
    let is_empty = Memo::new(move |_| app.summary.with(|summary| summary.sources == 0));
    view! {
        <div class="page findings">
            <header class="runs-head">
                <h1 id=HEADING tabindex="-1">"Findings"</h1>
                <div class="switch" role="group" aria-label="Part">
                    <button
                        class="switch-part"
                        aria-pressed=move || (!is_damage.get()).to_string()
                        on:click=move |_| show(false)
                    >
                        "List"
                    </button>
                    <button
                        class="switch-part"
                        aria-pressed=move || is_damage.get().to_string()
                        on:click=move |_| show(true)
                    >
                        "Damage report"
                    </button>
                </div>
                <span class="head-end">
                    <LinkButton/>
                </span>
            </header>
            {move || match (is_empty.get(), is_damage.get()) {
                (true, _) => view! {
                    <p class="advice">
                        "Nothing is open. "<a href="#/">"Open files or a sample"</a>"."
                    </p>
                }
                    .into_any(),
                (false, true) => view! { <DamageReport/> }.into_any(),
                (false, false) => view! { <FindingsPanel choice/> }.into_any(),
            }}
        </div>
    }
}

/// Filters, as the address has them. The pages of a run show its own.
pub(crate) fn choice(place: &Place) -> FindingChoice {
    let query = &place.query;
    let run = match &place.view {
        View::Run { key, .. } => Some(key.clone()),
        _ => query.run.clone(),
    };
    FindingChoice {
        level: query.level.as_deref().and_then(Severity::named),
        kind: query.kind.as_ref().and_then(|name| name.parse().ok()),
        rule: query.rule.clone(),
        run: run.map(|key| RunAddress::new(key, query.group.clone())),
        source: query.source.clone(),
        text: query.text.clone().unwrap_or_default(),
        muted: query.muted.clone(),
        grouped: query.by.as_ref().and_then(|name| name.parse().ok()),
        shut: query.shut.clone(),
    }
}

/// Filters, the list, and the finding that is looked at.
#[component]
pub(crate) fn FindingsPanel(choice: Memo<FindingChoice>) -> impl IntoView {
    let app = App::get();
    let (visible_range, total) = (RwSignal::new(VisibleRange::default()), RwSignal::new(0u32));
    let findings = asked(
        move || {
            let rows = rows_around(&visible_range.get(), total.get());
            Some(Query::Findings { choice: choice.get(), rows, judged: app.judged.get() })
        },
        |answer| answer.try_as_findings().map(|body| *body),
    );
    let body = findings.answer;
    let (active, chosen) = (RwSignal::new(None), RwSignal::new(None));
    let is_own = RwSignal::new(false);
    let panel = Panel { choice, body, active, chosen, is_own, visible_range, total };
    let is_run = Memo::new(move |_| app.place.with(|place| place.view.run_key().is_some()));
    view! {
        <p class="findings-count">
            {move || body.with(|body| body.as_ref().map(|body| counted(body, is_run.get())))}
            <SaveFindings choice body/>
        </p>
        <FindingFilters choice body is_run/>
        <div class="findings-body">
            <FindingList panel/>
            <Detail panel/>
        </div>
        {move || findings.problem.get().map(|text| view! { <p class="advice">{text}</p> })}
    }
}

/// What there is, and what of it was judged.
fn counted(body: &FindingsBody, is_run: bool) -> String {
    let mut text = String::new();
    if !is_run {
        text.push_str(&judged(&body.judged));
        text.push_str(&repeats(&body.repeats, body.judged.total));
    }
    if let Some(problem) = &body.problem {
        // Some reasons are sentences already.
        let problem = problem.trim_end_matches('.');
        let _ = write!(text, "Not all of the run was judged: {problem}.");
    }
    text
}

/// How far runs are judged by the rules of insight.
fn judged(judged: &Judged) -> String {
    let Judged { done, total, left } = *judged;
    let whole = platform::whole;
    let runs = format::counted(total, "run");
    if total == 0 {
        return String::new();
    }
    if done + left < total {
        return format!("Checked {} of {runs} for problems so far. ", whole(done));
    }
    if left == 0 {
        return format!("Checked {runs} for problems. ");
    }
    let others = match left {
        1 => "the other one is checked in full on its own page".to_owned(),
        _ => format!("the other {} are checked in full on their own pages", whole(left)),
    };
    format!("Checked {} of {runs} for problems; {others}. ", whole(done))
}

/// How many runs say again what they said, of those that were checked so far.
fn repeats(repeats: &Repeats, total: u32) -> String {
    let Repeats { checked, reflections, lessons } = *repeats;
    if checked == 0 {
        return String::new();
    }
    let of =
        if checked < total { format!("{} of ", platform::whole(checked)) } else { String::new() };
    let repeat = |runs: u32| {
        let verb = if runs <= 1 { "repeats" } else { "repeat" };
        let runs = if runs == 0 { "no run".to_owned() } else { format::counted(runs, "run") };
        format!("{runs} {verb}")
    };
    format!(
        "Compared the reflections and lessons of {of}{}: {} a reflection, {} a lesson. ",
        format::counted(total, "run"),
        repeat(reflections),
        repeat(lessons)
    )
}

/// The finding that is looked at, in full.
#[component]
fn Detail(panel: Panel) -> impl IntoView {
    let app = App::get();
    let close = move |_| {
        panel.chosen.set(None);
        if let Some(index) = panel.active.get_untracked() {
            platform::focus_id(&list::row_id(index));
        }
    };
    view! {
        {move || panel.chosen.get().map(|finding| {
            let rule = finding.rule.clone();
            let mute = move |_| {
                app.say(format!("{rule} is muted."));
                app.choose(|query| {
                    if !query.muted.contains(&rule) {
                        query.muted.push(rule.clone());
                    }
                });
            };
            view! {
                <section
                    class="finding-detail"
                    aria-label="Finding"
                    on:pointerenter=move |_| panel.is_own.set(true)
                    on:focusin=move |_| panel.is_own.set(true)
                >
                    <FindingItem finding is_open=true/>
                    <div class="finding-acts">
                        <button class="small" on:click=mute>"Mute this rule"</button>
                        <button class="small finding-close" on:click=close>"Close"</button>
                    </div>
                </section>
            }
        })}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::FindingsBy;
    use crate::route::read;

    #[test]
    fn reads_filters_from_the_address() {
        let got = choice(&read("#/findings?level=error&rule=jsonl%2Fbad-line&run=a&g=x&by=run"));
        assert_eq!(got.level, Some(Severity::Error));
        assert_eq!(got.rule.as_deref(), Some("jsonl/bad-line"));
        assert_eq!(got.run, Some(RunAddress::new("a", Some("x".into()))));
        assert_eq!(got.grouped, Some(FindingsBy::Run));
        assert_eq!(choice(&read("#/findings?level=loud&by=x")), FindingChoice::default());
        let own = choice(&read("#/run/b/findings?mute=rm%2Ffuture"));
        assert_eq!(own.run, Some(RunAddress::new("b", None)));
        assert_eq!(own.muted, ["rm/future"]);
    }

    #[test]
    fn says_how_many_runs_repeat_themselves() {
        let at = |checked, reflections, lessons, total| {
            repeats(&Repeats { checked, reflections, lessons }, total)
        };
        assert_eq!(
            at(40, 1, 12, 134),
            "Compared the reflections and lessons of 40 of 134 runs: 1 run repeats a reflection, 12 runs repeat a lesson. "
        );
        assert_eq!(
            at(1, 0, 1, 1),
            "Compared the reflections and lessons of 1 run: no run repeats a reflection, 1 run repeats a lesson. "
        );
        assert_eq!(at(0, 0, 0, 9), "");
    }

    #[test]
    fn says_how_far_judging_is() {
        let at = |done, total, left| judged(&Judged { done, total, left });
        assert_eq!(at(40, 134, 0), "Checked 40 of 134 runs for problems so far. ");
        assert_eq!(at(134, 134, 0), "Checked 134 runs for problems. ");
        assert_eq!(
            at(130, 134, 4),
            "Checked 130 of 134 runs for problems; the other 4 are checked in full on their own pages. "
        );
        assert_eq!(at(0, 0, 0), "");
    }
}
