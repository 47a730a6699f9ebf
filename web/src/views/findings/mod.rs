//! Everything that is odd about the input, with its place and what to do.

use leptos::prelude::*;

use crate::app::HEADING;
use crate::ask::asked;
use crate::components::{FindingItem, LevelMark, RecordText};
use crate::format::noun;
use crate::platform;
use crate::protocol::{
    Answer, FindingChoice, FindingRow, FindingsBody, Level, Query, Rows, RuleCount, RunAddress,
};
use crate::route::Query as Choices;
use crate::state::App;

/// Findings that are shown before the reader asks for more.
const STEP: u32 = 200;
/// Id of the filter field.
const FILTER: &str = "filter";

/// The list of findings and the damage report.
#[component]
pub(crate) fn Findings() -> impl IntoView {
    let app = App::get();
    platform::set_title("Findings - hindscope");
    let choice = Memo::new(move |_| app.place.with(|place| choice(&place.query)));
    let shown = RwSignal::new(STEP);
    Effect::new(move |_| {
        choice.track();
        shown.set(STEP);
    });
    let findings = asked(
        move || {
            let rows = Rows { first: 0, count: shown.get() };
            Some(Query::Findings { choice: choice.get(), rows })
        },
        |answer| match answer {
            Answer::Findings(body) => Some(body),
            _ => None,
        },
    );
    let body = findings.answer;
    let rest = Memo::new(move |_| {
        body.with(|body| body.as_ref().map_or(0, |b| b.page.total.saturating_sub(shown.get())))
    });
    view! {
        <div class="page findings">
            <header class="runs-head">
                <h1 id=HEADING tabindex="-1">
                    {move || {
                        let all = body.with(|body| body.as_ref().map_or(0, |body| body.page.all));
                        format!("{} {}", platform::whole(all), noun(u64::from(all), "finding"))
                    }}
                </h1>
                <p class="quiet">"What is odd about the files: each with its rule, its place and what to do."</p>
            </header>
            <FindingFilters choice body/>
            <div class="findings-body">
                <RuleList choice body/>
                <div class="finding-list">
                    {move || body.with(|body| body.as_ref().map(|body| list(&body.page.rows)))}
                    <Show when=move || rest.get() != 0>
                        <button class="more" on:click=move |_| shown.update(|shown| *shown += STEP * 5)>
                            {move || format!("Show more: {} not shown", platform::whole(rest.get()))}
                        </button>
                    </Show>
                    {move || body.with(|body| body.as_ref().map(nothing))}
                </div>
            </div>
            {move || body.with(|body| body.as_ref().map(damage))}
        </div>
    }
}

/// Filters, as the address has them.
fn choice(query: &Choices) -> FindingChoice {
    FindingChoice {
        level: query
            .level
            .as_ref()
            .and_then(|word| Level::ALL.into_iter().find(|level| level.word() == word)),
        rule: query.rule.clone(),
        run: query.run.clone().map(|key| RunAddress { key, group: query.group.clone() }),
        source: query.source.clone(),
        text: query.text.clone().unwrap_or_default(),
    }
}

#[component]
fn FindingFilters(
    choice: Memo<FindingChoice>,
    body: RwSignal<Option<FindingsBody>>,
) -> impl IntoView {
    let app = App::get();
    let levels: Vec<_> = Level::ALL
        .into_iter()
        .map(|level| {
            let is_chosen = move || choice.with(|choice| choice.level == Some(level));
            let count = move || {
                body.with(|body| body.as_ref().map_or(0, |body| body.levels[level as usize]))
            };
            view! {
                <button
                    class="switch-part"
                    aria-pressed=move || is_chosen().to_string()
                    on:click=move |_| {
                        let chosen = choice.with_untracked(|choice| choice.level == Some(level));
                        app.choose(|query| {
                            query.level = (!chosen).then(|| level.word().to_owned());
                        });
                    }
                >
                    <LevelMark level/>
                    <span class="count">{move || platform::whole(count())}</span>
                </button>
            }
        })
        .collect();
    // Filters that came with a link have no control of their own but can be taken away.
    let chips = move || {
        choice.with(|choice| {
            let run = choice.run.as_ref().map(|run| ("run", run.key.clone()));
            let source = choice.source.clone().map(|path| ("file", path));
            let rule = choice.rule.clone().map(|rule| ("rule", rule));
            [run, source, rule].into_iter().flatten().map(chip).collect::<Vec<_>>()
        })
    };
    view! {
        <div class="filters" role="search">
            <div class="switch" role="group" aria-label="Level">{levels}</div>
            <input
                id=FILTER
                class="field"
                type="search"
                placeholder="Filter by text, rule or file"
                aria-label="Filter findings by text, rule or file"
                prop:value=move || choice.with(|choice| choice.text.clone())
                on:input=move |event| {
                    let text = platform::value_of(&event);
                    app.choose(|query| query.text = Some(text).filter(|text| !text.is_empty()));
                }
            />
            {chips}
            <span class="count-line" role="status">
                {move || body.with(|body| body.as_ref().map(|body| {
                    let (all, total) = (body.page.all, body.page.total);
                    format!("Showing {} of {}", platform::whole(total), platform::whole(all))
                }))}
            </span>
        </div>
    }
}

fn chip((name, value): (&'static str, String)) -> impl IntoView {
    let app = App::get();
    view! {
        <span class="chip">
            {name}": "<RecordText text=value/>
            <button
                class="chip-close"
                aria-label=format!("Remove the filter by {name}")
                on:click=move |_| {
                    app.choose(|query| match name {
                        "run" => query.run = None,
                        "file" => query.source = None,
                        _ => query.rule = None,
                    });
                }
            >
                "\u{d7}"
            </button>
        </span>
    }
}

/// Rules and how often each spoke; a click keeps only that one.
#[component]
fn RuleList(choice: Memo<FindingChoice>, body: RwSignal<Option<FindingsBody>>) -> impl IntoView {
    let app = App::get();
    let row = move |count: RuleCount| {
        let rule = count.rule.clone();
        let is_chosen = {
            let rule = rule.clone();
            move || choice.with(|choice| choice.rule.as_ref() == Some(&rule))
        };
        let pressed = is_chosen.clone();
        view! {
            <li>
                <button
                    class="rule-button"
                    aria-pressed=move || pressed().to_string()
                    on:click=move |_| {
                        let next = (!is_chosen()).then(|| rule.clone());
                        app.choose(|query| query.rule = next);
                    }
                >
                    <LevelMark level=count.level/>
                    <code class="rule">{count.rule}</code>
                    <span class="count">{platform::whole(count.count)}</span>
                </button>
            </li>
        }
    };
    view! {
        <nav class="rules" aria-label="Rules">
            <ul>
                {move || body.with(|body| {
                    let rules = body.as_ref().map(|body| body.rules.clone()).unwrap_or_default();
                    rules.into_iter().map(row).collect::<Vec<_>>()
                })}
            </ul>
        </nav>
    }
}

fn list(rows: &[FindingRow]) -> impl IntoView + use<> {
    rows.iter().cloned().map(|finding| view! { <FindingItem finding/> }).collect::<Vec<_>>()
}

fn nothing(body: &FindingsBody) -> Option<impl IntoView + use<>> {
    (body.page.total == 0).then(|| {
        let text = if body.page.all == 0 {
            "Nothing odd was found."
        } else {
            "No finding fits these filters."
        };
        view! { <p class="advice">{text}</p> }
    })
}

/// What each damaged file lost.
fn damage(body: &FindingsBody) -> Option<impl IntoView + use<>> {
    if body.damage.is_empty() {
        return None;
    }
    let rows: Vec<_> = body
        .damage
        .iter()
        .map(|source| {
            view! {
                <tr>
                    <th scope="row"><RecordText text=source.path.clone()/></th>
                    <td class="num">{platform::whole(source.kept)}</td>
                    <td class="num">{platform::whole(source.repaired)}</td>
                    <td class="num">{platform::whole(source.skipped)}</td>
                    <td>{source.reason.clone().map(|text| view! { <RecordText text/> })}</td>
                </tr>
            }
        })
        .collect();
    Some(view! {
        <section class="damage" aria-labelledby="damage-title">
            <h2 id="damage-title">"Damage report"</h2>
            <div class="table-box" tabindex="0" role="region" aria-label="Damage report">
                <table class="plain">
                    <thead>
                        <tr>
                            <th scope="col">"File"</th>
                            <th scope="col" class="num">"Kept"</th>
                            <th scope="col" class="num">"Repaired"</th>
                            <th scope="col" class="num">"Skipped"</th>
                            <th scope="col">"Why"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::read;

    #[test]
    fn reads_filters_from_the_address() {
        let got = choice(&read("#/findings?level=error&rule=jsonl%2Fbad-line&run=a&g=x").query);
        assert_eq!(got.level, Some(Level::Error));
        assert_eq!(got.rule.as_deref(), Some("jsonl/bad-line"));
        assert_eq!(got.run, Some(RunAddress { key: "a".into(), group: Some("x".into()) }));
        assert_eq!(choice(&read("#/findings?level=loud").query).level, None);
    }
}
