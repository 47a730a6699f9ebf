//! Two runs side by side, moving together, and where they first did something else.

use hindscope::{Action, Details};
use leptos::prelude::*;

use crate::components::{LongText, OriginMark, OutcomeMark, RecordText, or_none};
use crate::format::{self, noun};
use crate::platform::{self, Key};
use crate::protocol::{
    Align, Answer, Choice, Columns, DifferenceBody, IterationBody, Query, RunAddress, RunBody,
};
use crate::route::{self, run_place};
use crate::state::{App, Asked, asked, use_keys};
use crate::views::compare::compared::{Compared, run_name, run_options};
use crate::views::compare::model::ranked;

/// Actions that are listed.
const ACTIONS: usize = 30;

/// The pair that the address names, or the worst run and the baseline.
#[component]
pub(super) fn Pair(compared: Compared) -> impl IntoView {
    let app = App::get();
    let pair = Memo::new(move |_| {
        let wanted = app.place.with(|place| place.query.lists.pair.clone());
        let base = compared.base.get();
        compared.with(|body| {
            let find = |at: usize| {
                let run = wanted.get(at)?;
                body.runs.iter().position(|other| other.row.address.is(run))
            };
            let usual = ranked(&body.runs, base).first().copied().unwrap_or_default();
            [find(0).unwrap_or(usual), find(1).unwrap_or(base)]
        })
    });
    let side = move |at: usize| {
        Memo::new(move |_| {
            let position = pair.get()?[at];
            compared.with(|body| Some(body.runs.get(position)?.row.address.clone()))?
        })
    };
    let sides = [side(0), side(1)];
    let runs = sides.map(run_of);
    let places = Memo::new(move |_| {
        let align = compared.align.get();
        let of = |run: Asked<RunBody>| {
            run.answer
                .with(|run| run.as_ref().map_or_else(Vec::new, |run| places(&run.columns, align)))
        };
        let mut all: Vec<i64> = runs.into_iter().flat_map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    });
    let difference = follow_difference(runs, compared.align);
    let at = Memo::new(move |_| {
        let wanted = app.place.with(|place| place.query.lists.at);
        let first = difference.with(|found| found.as_ref().and_then(|found| found.at));
        places.with(|places| {
            let known = wanted.and_then(|place| places.binary_search(&place).ok());
            let there = first.and_then(|(place, _)| places.binary_search(&place).ok());
            known.or(there).unwrap_or(0)
        })
    });
    let go = move |to: usize| {
        let place = places
            .with_untracked(|places| places.get(to.min(places.len().saturating_sub(1))).copied());
        app.choose(|query| query.lists.at = place);
        if let Some(place) = place {
            app.say(format!("Both at {} {place}.", compared.align.get_untracked().into_str()));
        }
    };
    use_keys(move |key: &Key| {
        let now = at.get_untracked();
        match key.name.as_str() {
            "j" => go(now + 1),
            "k" => go(now.saturating_sub(1)),
            _ => return false,
        }
        true
    });
    let ordinal = move |side: usize| {
        Memo::new(move |_| {
            let place = places.with(|places| places.get(at.get()).copied())?;
            let align = compared.align.get();
            runs[side].answer.with(|run| ordinal(&run.as_ref()?.columns, align, place))
        })
    };
    let ordinals = [ordinal(0), ordinal(1)];
    view! {
        <section class="panel pair" aria-label="Pair">
            <header class="panel-head pair-head">
                <h2>"Pair"</h2>
                <Choose compared pair side=0/>
                <span class="quiet">"and"</span>
                <Choose compared pair side=1/>
                <Steps align=compared.align places at go=Callback::new(go)/>
            </header>
            <Difference difference align=compared.align/>
            <div class="pair-sides">
                <Side compared run=runs[0] ordinal=ordinals[0] position=Memo::new(move |_| pair.get().map(|p| p[0]))/>
                <Side compared run=runs[1] ordinal=ordinals[1] position=Memo::new(move |_| pair.get().map(|p| p[1]))/>
            </div>
        </section>
    }
}

/// Where both stand, and the steps to their neighbours.
#[component]
fn Steps(
    align: Memo<Align>,
    places: Memo<Vec<i64>>,
    at: Memo<usize>,
    go: Callback<usize>,
) -> impl IntoView {
    view! {
                <span class="pair-steps">
                    <button
                        class="small"
                        aria-label="Both one back"
                        disabled=move || at.get() == 0
                        on:click=move |_| go.run(at.get_untracked().saturating_sub(1))
                    >
                        <kbd aria-hidden="true">"k"</kbd>"\u{2190}"
                    </button>
                    <b class="num" data-place="">
                        {move || {
                            let place = places.with(|places| places.get(at.get()).copied());
                            place.map(|place| format!("{} {place}", align.get().into_str()))
                        }}
                    </b>
                    <button
                        class="small"
                        aria-label="Both one on"
                        disabled=move || places.with(Vec::len) <= at.get() + 1
                        on:click=move |_| go.run(at.get_untracked() + 1)
                    >
                        "\u{2192}"<kbd aria-hidden="true">"j"</kbd>
                    </button>
                </span>
    }
}

/// Where the two first differ, and the way there.
#[component]
fn Difference(difference: RwSignal<Option<DifferenceBody>>, align: Memo<Align>) -> impl IntoView {
    let app = App::get();
    let place =
        Memo::new(move |_| difference.with(|found| found.as_ref()?.at.map(|(place, _)| place)));
    let text = move || {
        difference.with(|found| found.as_ref().map(|found| difference_text(found, align.get())))
    };
    view! {
        <p class="first-difference" role="status">
            {text}
            " "
            <Show when=move || place.get().is_some()>
                <button
                    class="small"
                    on:click=move |_| app.choose(|query| query.lists.at = place.get_untracked())
                >
                    "Go there"
                </button>
            </Show>
        </p>
    }
}

fn run_of(address: Memo<Option<RunAddress>>) -> Asked<RunBody> {
    asked(
        move || Some(Query::Run { address: address.get()?, choice: Choice::default() }),
        |answer| answer.try_as_run().map(|body| *body),
    )
}

/// One of the two menus of the pair.
#[component]
fn Choose(compared: Compared, pair: Memo<Option<[usize; 2]>>, side: usize) -> impl IntoView {
    let app = App::get();
    let options = move || run_options(compared, pair.get().map(|pair| pair[side]));
    let put = move |event| {
        let Ok(at) = platform::value_of(&event).parse::<usize>() else { return };
        let Some(mut chosen) = pair.get_untracked() else { return };
        chosen[side] = at;
        let runs = compared.body.with_untracked(|body| {
            let body = body.as_ref()?;
            let address = |at: usize| Some(body.runs.get(at)?.row.address.clone());
            Some(vec![address(chosen[0])?, address(chosen[1])?])
        });
        app.choose(|query| {
            query.lists.pair = runs.unwrap_or_default();
            query.lists.at = None;
        });
    };
    let label = if side == 0 { "First of the pair" } else { "Second of the pair" };
    view! { <select class="field pick" aria-label=label on:change=put>{options}</select> }
}

/// Places of all iterations of a run.
fn places(columns: &Columns, align: Align) -> Vec<i64> {
    let len = columns.len();
    (0..len).filter_map(|k| Some(align.place(k, columns.number(k)?, len))).collect()
}

/// The iteration of a run at a place.
fn ordinal(columns: &Columns, align: Align, place: i64) -> Option<u32> {
    let at = places(columns, align).iter().position(|other| *other == place)?;
    u32::try_from(at).ok()
}

/// Looks for the first difference until it is found or all was compared.
fn follow_difference(
    runs: [Asked<RunBody>; 2],
    align: Memo<Align>,
) -> RwSignal<Option<DifferenceBody>> {
    let from = RwSignal::new(0u32);
    let ids = Memo::new(move |_| {
        let id =
            |run: Asked<RunBody>| run.answer.with(|run| run.as_ref().map(|run| run.row.view.id));
        Some([id(runs[0])?, id(runs[1])?]).filter(|ids| ids[0] != ids[1])
    });
    let difference = asked(
        move || Some(Query::Difference { runs: ids.get()?, align: align.get(), from: from.get() }),
        Answer::try_as_difference,
    );
    Effect::new(move |_| {
        let _ = (ids.get(), align.get());
        from.set(0);
    });
    Effect::new(move |_| {
        let next = difference.answer.with(|body| {
            let body = body.as_ref()?;
            body.next.filter(|_| body.at.is_none())
        });
        if let Some(next) = next {
            from.set(next);
        }
    });
    difference.answer
}

/// Where two runs first differ, in words.
fn difference_text(found: &DifferenceBody, align: Align) -> String {
    if let Some((place, action)) = found.at {
        let [left, right] =
            found.actions.clone().map(|a| a.unwrap_or_else(|| "nothing more".to_owned()));
        return format!(
            "First difference: {} {place}, action {}: {left} | {right}",
            align.into_str(),
            action + 1
        );
    }
    let places = format!("{} {}", found.compared, noun(found.compared.into(), "place"));
    match found.next {
        Some(_) => format!("No difference in the first {places}; comparing."),
        None if found.compared == 0 => "The two have no place in common.".to_owned(),
        None if !found.has_actions => "Neither run records its actions.".to_owned(),
        None => format!("The same actions in all {places} that both have."),
    }
}

/// One of the two.
#[component]
fn Side(
    compared: Compared,
    run: Asked<RunBody>,
    ordinal: Memo<Option<u32>>,
    position: Memo<Option<usize>>,
) -> impl IntoView {
    let body = asked(
        move || {
            let run = run.answer.with(|run| run.as_ref().map(|run| run.row.view.id))?;
            Some(Query::Iteration { run, ordinal: ordinal.get()? })
        },
        |answer| answer.try_as_iteration().map(|body| *body),
    );
    let head = move || {
        let name = compared.with(|body| {
            let at = position.get()?;
            Some(run_name(at, body.runs.get(at)?, body.runs.len()))
        });
        let number = body.answer.with(|body| body.as_ref().map(|body| body.view.number));
        let place = run.answer.with(|run| {
            let mut place = run_place(&run.as_ref()?.row.address, number);
            place.query.lists = route::Lists::default();
            Some(route::write(&place))
        });
        let at = number.map(|number| format!(", iteration {number}"));
        view! {
            <h3><a href=place><RecordText text=name.flatten().unwrap_or_default()/></a>{at}</h3>
        }
    };
    let content = move || {
        body.answer.with(|body| match body {
            Some(body) => iteration(body),
            None if ordinal.get().is_none() => {
                view! { <p class="quiet">"This run has no iteration here."</p> }.into_any()
            }
            None => ().into_any(),
        })
    };
    view! { <article class="pair-side">{head}{content}</article> }
}

/// What of an iteration is compared.
fn iteration(body: &IterationBody) -> AnyView {
    let view = &body.view;
    let details: Details =
        body.records.first().and_then(|record| record.details.clone()).unwrap_or_default();
    let reward = view.reward.map(|reward| {
        let (origin, rule) = body.origin.clone();
        view! {
            <span>"reward "<b>{format::reward(reward)}</b>" "<OriginMark origin rule raw=None/></span>
        }
    });
    let delta = view.delta.map(|delta| view! { <span>{format::delta(delta)}</span> });
    let errors = view.errors.map(|count| format!("{count} {}", noun(count.into(), "error")));
    let reflections: Vec<_> = details
        .reflections
        .iter()
        .map(|reflection| view! { <LongText text=reflection.text.clone()/> })
        .collect();
    let actions: Vec<_> = details.actions.iter().take(ACTIONS).map(action).collect();
    let more = details.actions.len().saturating_sub(ACTIONS);
    view! {
        <p class="pair-facts">
            <OutcomeMark outcome=view.outcome detail=view.outcome_detail.clone()/>
            {or_none(reward, "no reward")}{delta}
            <span>{errors}</span>
        </p>
        {if actions.is_empty() {
            view! { <p class="quiet">"No action is recorded."</p> }.into_any()
        } else {
            view! { <ol class="pair-actions">{actions}</ol> }.into_any()
        }}
        {(more > 0).then(|| view! { <p class="quiet">{format!("{more} more actions.")}</p> })}
        {if reflections.is_empty() {
            view! { <p class="quiet">"No reflection was written."</p> }.into_any()
        } else {
            view! { <div class="pair-reflection">{reflections}</div> }.into_any()
        }}
    }
    .into_any()
}

fn action(action: &Action) -> impl IntoView + use<> {
    let what = action.path.as_ref().or(action.command.as_ref()).or(action.tool.as_ref()).cloned();
    let description = action.description.clone();
    view! {
        <li class:failing=action.is_credited>
            <span class="quiet">{action.kind.clone()}</span>
            " "
            {what.map(|what| view! { <code><RecordText text=what/></code>" " })}
            <RecordText text=description/>
            {action.is_credited.then(|| view! { <b class="fail">" failing"</b> })}
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_move_along_the_same_places() {
        let columns = |numbers: &[f64]| Columns {
            numbers: numbers.iter().copied().collect(),
            ..Columns::default()
        };
        let gap = columns(&[1.0, 2.0, 5.0]);
        assert_eq!(places(&gap, Align::Number), [1, 2, 5]);
        assert_eq!(ordinal(&gap, Align::Number, 5), Some(2));
        assert_eq!(ordinal(&gap, Align::Number, 3), None);
        assert_eq!(ordinal(&gap, Align::Attempt, 3), Some(2));
        assert_eq!(ordinal(&gap, Align::End, -2), Some(0));
    }

    #[test]
    fn differences_in_words() {
        let found = DifferenceBody {
            at: Some((3, 0)),
            actions: [Some("edit a.rs".to_owned()), None],
            ..DifferenceBody::default()
        };
        let text = difference_text(&found, Align::Attempt);
        assert_eq!(text, "First difference: attempt 3, action 1: edit a.rs | nothing more");
        let none = DifferenceBody { compared: 4, has_actions: true, ..DifferenceBody::default() };
        assert_eq!(
            difference_text(&none, Align::End),
            "The same actions in all 4 places that both have."
        );
        let silent = DifferenceBody { compared: 4, ..DifferenceBody::default() };
        assert_eq!(difference_text(&silent, Align::End), "Neither run records its actions.");
    }
}
