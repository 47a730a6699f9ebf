//! Filters of findings: kind, level, text, rule, run and source; groups, muted rules, and files of what is
//! shown.

use hindscope::{Severity, Target};
use leptos::prelude::*;
use strum::VariantArray as _;

use crate::components::{LevelMark, QueryFilter, RecordText};
use crate::format::noun;
use crate::platform;
use crate::protocol::{
    FindingChoice, FindingForm, FindingKind, FindingsBody, FindingsBy, Query, RunAddress,
};
use crate::route::Query as Choices;
use crate::state::App;

/// Id of the filter field.
pub(super) const FILTER: &str = "filter";

/// Separates the key of a run from its group in the values of a menu; names do not contain it.
const MARK: char = '\u{1f}';

/// Filters, and how many findings they leave.
#[component]
pub(super) fn FindingFilters(
    choice: Memo<FindingChoice>,
    body: RwSignal<Option<FindingsBody>>,
    is_run: Memo<bool>,
) -> impl IntoView {
    let app = App::get();
    view! {
        <div class="filters finding-filters" role="search">
            <Kinds choice body/>
            <Levels choice body/>
            <QueryFilter
                id=FILTER
                target=Target::Findings
                label="Filter findings by text, rule or file"
                text=Signal::derive(move || choice.with(|choice| choice.text.clone()))
            />
            <Menus choice body is_run/>
            <Groups choice/>
        </div>
        <p class="filters-left" role="status">
            {move || body.with(|body| body.as_ref().map(shown))}
            <Show when=move || choice.with(is_filtered)>
                <button class="small" on:click=move |_| app.choose(clear)>"Clear"</button>
            </Show>
            <Muted choice body/>
        </p>
    }
}

fn shown(body: &FindingsBody) -> String {
    let (whole, hidden) = (platform::whole, body.of_run - body.chosen - body.muted);
    let text = format!("Showing {} of {}", whole(body.chosen), whole(body.of_run));
    if hidden == 0 { text } else { format!("{text}; {} hidden by filters", whole(hidden)) }
}

fn is_filtered(choice: &FindingChoice) -> bool {
    choice.level.is_some()
        || choice.kind.is_some()
        || choice.rule.is_some()
        || choice.source.is_some()
        || !choice.text.is_empty()
}

fn clear(query: &mut Choices) {
    query.level = None;
    query.kind = None;
    query.rule = None;
    query.run = None;
    query.source = None;
    query.text = None;
}

/// What runs did, and what is wrong with files: two kinds, each with its number.
#[component]
fn Kinds(choice: Memo<FindingChoice>, body: RwSignal<Option<FindingsBody>>) -> impl IntoView {
    let app = App::get();
    let count = move |kind| {
        body.with(|body| {
            let (all, insight) = body.as_ref().map_or((0, 0), |body| (body.of_run, body.insight));
            match kind {
                FindingKind::Run => insight,
                FindingKind::File => all - insight,
            }
        })
    };
    let part = move |(kind, title): (FindingKind, &'static str)| {
        let is_chosen = move || choice.with(|choice| choice.kind == Some(kind));
        let click = move |_| {
            let chosen = choice.with_untracked(|choice| choice.kind == Some(kind));
            app.choose(|query| query.kind = (!chosen).then(|| kind.into_str().to_owned()));
        };
        view! {
            <button class="switch-part" aria-pressed=move || is_chosen().to_string() on:click=click>
                {title}" "<span class="count">{move || platform::whole(count(kind))}</span>
            </button>
        }
    };
    let kinds =
        [(FindingKind::Run, "What runs did"), (FindingKind::File, "Problems of files")].map(part);
    view! { <div class="switch" role="group" aria-label="Kind">{kinds.collect_view()}</div> }
}

#[component]
fn Levels(choice: Memo<FindingChoice>, body: RwSignal<Option<FindingsBody>>) -> impl IntoView {
    let app = App::get();
    let part = move |level: Severity| {
        let is_chosen = move || choice.with(|choice| choice.level == Some(level));
        let count =
            move || body.with(|body| body.as_ref().map_or(0, |body| body.levels[level as usize]));
        let click = move |_| {
            let chosen = choice.with_untracked(|choice| choice.level == Some(level));
            app.choose(|query| query.level = (!chosen).then(|| level.as_str().to_owned()));
        };
        view! {
            <button class="switch-part" aria-pressed=move || is_chosen().to_string() on:click=click>
                <LevelMark level/>
                <span class="count">{move || platform::whole(count())}</span>
            </button>
        }
    };
    view! { <div class="switch" role="group" aria-label="Level">{Severity::ALL.map(part).collect_view()}</div> }
}

/// Rules, runs and sources that can be chosen.
#[component]
fn Menus(
    choice: Memo<FindingChoice>,
    body: RwSignal<Option<FindingsBody>>,
    is_run: Memo<bool>,
) -> impl IntoView {
    let app = App::get();
    let named = move |list: fn(&FindingsBody) -> Vec<(String, String)>| {
        Memo::new(move |_| body.with(|body| body.as_ref().map(list).unwrap_or_default()))
    };
    let rules = named(|body| {
        // A rule that speaks at two levels stands once.
        let mut rules = std::collections::BTreeMap::<&str, u32>::new();
        for rule in &body.rules {
            *rules.entry(&rule.rule).or_default() += rule.count;
        }
        rules.into_iter().map(|(rule, count)| (rule.to_owned(), titled(rule, count))).collect()
    });
    let runs = named(|body| {
        body.runs
            .iter()
            .map(|run| (value_of(&run.name), titled(&run.name.name(), run.count)))
            .collect()
    });
    let sources = named(|body| {
        body.sources
            .iter()
            .map(|source| (source.name.clone(), titled(&source.name, source.count)))
            .collect()
    });
    let rule = Signal::derive(move || choice.with(|choice| choice.rule.clone()));
    let run = Signal::derive(move || choice.with(|choice| choice.run.as_ref().map(value_of)));
    let source = Signal::derive(move || choice.with(|choice| choice.source.clone()));
    view! {
        <Menu name="rule" options=rules chosen=rule choose=Callback::new(move |rule| app.choose(|query| query.rule = rule))/>
        <Show when=move || !is_run.get()>
            <Menu
                name="run"
                options=runs
                chosen=run
                choose=Callback::new(move |run: Option<String>| app.choose(|query| {
                    let run = run.map(|run| address_of(&run));
                    query.group = run.as_ref().and_then(|run| run.group.clone());
                    query.run = run.map(|run| run.key);
                }))
            />
        </Show>
        <Menu name="source" options=sources chosen=source choose=Callback::new(move |source| app.choose(|query| query.source = source))/>
    }
}

fn titled(name: &str, count: u32) -> String {
    format!("{name} ({})", platform::whole(count))
}

fn value_of(run: &RunAddress) -> String {
    run.group.as_ref().map_or(run.key.clone(), |group| format!("{}{MARK}{group}", run.key))
}

fn address_of(value: &str) -> RunAddress {
    match value.split_once(MARK) {
        Some((key, group)) => RunAddress::new(key, Some(group.to_owned())),
        None => RunAddress::new(value, None),
    }
}

/// A list to choose one from, or all.
#[component]
fn Menu(
    name: &'static str,
    /// Value and title of each.
    options: Memo<Vec<(String, String)>>,
    chosen: Signal<Option<String>>,
    choose: Callback<Option<String>>,
) -> impl IntoView {
    let all = format!("all {name}s");
    let list = move || {
        let chosen = chosen.get();
        let mut options = options.get();
        // What a link chose is among them, whether or not it has findings.
        if let Some(value) = chosen.clone()
            && !options.iter().any(|(other, _)| *other == value)
        {
            options.insert(0, (value.clone(), value.replace(MARK, ", ")));
        }
        options
            .into_iter()
            .map(|(value, title)| {
                let is_chosen = chosen.as_ref() == Some(&value);
                view! { <option value=value selected=is_chosen><RecordText text=title/></option> }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <select
            class="field"
            class:chosen=move || chosen.with(Option::is_some)
            aria-label=format!("Filter by {name}")
            prop:value=move || {
                options.track();
                chosen.get().unwrap_or_default()
            }
            on:change=move |event| {
                choose.run(Some(platform::value_of(&event)).filter(|value| !value.is_empty()));
            }
        >
            <option value="">{all}</option>
            {list}
        </select>
    }
}

/// What findings are put together by.
#[component]
fn Groups(choice: Memo<FindingChoice>) -> impl IntoView {
    let app = App::get();
    let part = move |by: FindingsBy| {
        let is_chosen = move || choice.with(|choice| choice.grouped == Some(by));
        let click = move |_| {
            let chosen = choice.with_untracked(|choice| choice.grouped == Some(by));
            app.choose(|query| {
                query.by = (!chosen).then(|| by.into_str().to_owned());
                query.shut.clear();
            });
        };
        view! {
            <button class="switch-part" aria-pressed=move || is_chosen().to_string() on:click=click>
                {by.into_str()}
            </button>
        }
    };
    view! {
        <span class="group-by">
            <span class="quiet" id="group-by">"Group by"</span>
            <div class="switch" role="group" aria-labelledby="group-by">
                {FindingsBy::VARIANTS.iter().copied().map(part).collect_view()}
            </div>
        </span>
    }
}

/// Rules that are left out, and how many findings that hides.
#[component]
fn Muted(choice: Memo<FindingChoice>, body: RwSignal<Option<FindingsBody>>) -> impl IntoView {
    let app = App::get();
    let hidden = move || body.with(|body| body.as_ref().map_or(0, |body| body.muted));
    let chip = move |rule: String| {
        let unmute = {
            let rule = rule.clone();
            move |_| app.choose(|query| query.muted.retain(|other| *other != rule))
        };
        let label = format!("Unmute {rule}");
        view! {
            <span class="chip">
                <code><RecordText text=rule/></code>
                <button class="chip-close" aria-label=label on:click=unmute>"\u{d7}"</button>
            </span>
        }
    };
    view! {
        {move || {
            let rules = choice.with(|choice| choice.muted.clone());
            (!rules.is_empty()).then(|| view! {
                <span class="muted-rules">
                    <span>{muted(rules.len(), hidden())}</span>
                    {rules.into_iter().map(chip).collect::<Vec<_>>()}
                    <button class="small" on:click=move |_| app.choose(|query| query.muted.clear())>
                        "Unmute all"
                    </button>
                </span>
            })
        }}
    }
}

fn muted(rules: usize, hidden: u32) -> String {
    format!("{rules} {} muted, {} hidden", noun(rules as u64, "rule"), platform::whole(hidden))
}

/// Buttons that save the findings shown.
#[component]
pub(super) fn SaveFindings(
    choice: Memo<FindingChoice>,
    body: RwSignal<Option<FindingsBody>>,
) -> impl IntoView {
    let app = App::get();
    let is_none = move || body.with(|body| body.as_ref().is_none_or(|body| body.chosen == 0));
    let button = move |form: FindingForm, name: &'static str| {
        view! {
            <button
                class="small"
                disabled=is_none
                aria-label=format!("Export {name} of the findings shown")
                on:click=move |_| app.save_findings(choice.get_untracked(), form)
            >
                {format!("Export {name}")}
            </button>
        }
    };
    view! {
        <span class="head-end">
            {button(FindingForm::Json, "JSON")}
            {button(FindingForm::Csv, "CSV")}
        </span>
    }
}

impl App {
    fn save_findings(self, choice: FindingChoice, form: FindingForm) {
        self.say("Writing findings.");
        self.save_answer(Query::SaveFindings { choice, form });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_counted() {
        let body = FindingsBody { of_run: 37, chosen: 5, muted: 14, ..FindingsBody::default() };
        assert_eq!(shown(&body), "Showing 5 of 37; 18 hidden by filters");
        let all = FindingsBody { of_run: 5, chosen: 5, ..FindingsBody::default() };
        assert_eq!(shown(&all), "Showing 5 of 5");
        assert_eq!(muted(2, 14), "2 rules muted, 14 hidden");
        assert_eq!(muted(1, 0), "1 rule muted, 0 hidden");
    }

    #[test]
    fn runs_of_a_menu_are_addresses() {
        for run in [RunAddress::new("a b", None), RunAddress::new("a", Some("x/y".to_owned()))] {
            assert_eq!(address_of(&value_of(&run)), run);
        }
    }
}
