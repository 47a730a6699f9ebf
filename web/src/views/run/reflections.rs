//! All reflections of a run in one column: what is new is marked, what was said before is quiet, and what is
//! said again word for word takes one line.

use hindscope::Origin;
use leptos::prelude::*;
use leptos::task::spawn_local;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::components::{CopyButton, LongText, OutcomeMark, RecordText, Steps, switch};
use crate::format::{self, counted, noun};
use crate::platform;
use crate::protocol::{LearnOf, Page, ReflectionLine, Rows, RunBody, count};
use crate::state::{App, Asked};
use crate::views::iteration::INSPECTOR;
use crate::views::iteration::learn::{Notes, StepLink, learnt};

/// Reflections that are drawn at once. Each step within them draws nothing anew.
const BLOCK: u32 = 192;
/// Longer texts are not marked: they are folded.
const MARKED: usize = 20_000;

/// How texts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
enum Mode {
    Marked,
    Plain,
    New,
}

impl Mode {
    fn title(self) -> &'static str {
        match self {
            Self::Marked => "New words marked",
            Self::Plain => "Plain",
            Self::New => "Only what is new",
        }
    }
}

/// A stretch in which the run was stuck, and what is said of it.
type Stuck = (i64, i64, String);

/// How the column is drawn.
#[derive(Clone, Copy)]
struct Column {
    show: Mode,
    /// Its rewards are more than verdicts in another form.
    has_rewards: bool,
    steps: Steps,
    /// A number was pressed: where the attempt stands below the column, the reader is led there.
    is_led: StoredValue<bool>,
}

/// The column, or the part of it that has the selected attempt.
#[component]
pub(crate) fn ReflectionsTab(run: Asked<RunBody>, steps: Steps) -> impl IntoView {
    let app = App::get();
    let show = Memo::new(move |_| {
        let named = app.place.with(|place| place.query.show.clone());
        named.and_then(|name| name.parse().ok()).unwrap_or(Mode::Marked)
    });
    let block = Memo::new(move |_| {
        let written = |at: usize| steps.columns.with(|columns| columns.reflections.get(at));
        let before = (0..steps.at.get().unwrap_or_default()).filter_map(written).sum::<f64>();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let before = before as u32;
        before / BLOCK
    });
    let body = learnt(steps.id, move || {
        Some(LearnOf::Reflections(Rows { first: block.get() * BLOCK, count: BLOCK }))
    });
    let page = Memo::new(move |_| {
        body.answer.with(|body| body.as_ref()?.part.try_as_reflections_ref().cloned())
    });
    let stuck = Memo::new(move |_| run.answer.with(|run| run.as_ref().map_or(Vec::new(), stuck)));
    let copied = move |()| page.with(|page| page.as_ref().map(plain).unwrap_or_default());
    let is_led = StoredValue::new(false);
    follow(app, steps, page, is_led);
    let memory = Memo::new(move |_| {
        run.answer.with(|run| {
            let view = &run.as_ref()?.row.view;
            Some(match view.omega {
                Some(omega) => {
                    format!(". Memory holds the last {omega} ({})", view.omega_provenance)
                }
                None => format!(". Memory holds all of them ({})", view.omega_provenance),
            })
        })
    });
    let has_rewards = Memo::new(move |_| {
        run.answer.with(|run| {
            let origin = run.as_ref().map(|run| run.row.view.reward_origin);
            origin.is_some_and(|origin| !matches!(origin, Origin::None | Origin::Derived))
        })
    });
    view! {
        <section class="learn-tab told" aria-labelledby="reflections-title">
            <header class="learn-head">
                <h2 id="reflections-title">"Reflections"</h2>
                <p class="quiet">
                    {move || page.with(|page| page.as_ref().map(|page| counted(page.total, "reflection")))}
                    <Show when=move || show.get() == Mode::Marked>
                        "; " <ins class="new">"marked words"</ins> " stand in no earlier one in this order"
                    </Show>
                    {move || memory.get()}
                </p>
                {switch("Show", |mode: &Mode| mode.title(), move |own| show.get() == own, move |own| {
                    app.choose(|query| {
                        query.show = (own != Mode::Marked).then(|| own.into_str().to_owned());
                    });
                })}
                <CopyButton text=copied what="reflections"/>
            </header>
            <Notes body/>
            {move || {
                let stuck = stuck.get();
                let how = Column { show: show.get(), has_rewards: has_rewards.get(), steps, is_led };
                page.with(|page| page.as_ref().map(|page| column(page, &stuck, how)))
            }}
        </section>
    }
}

/// Keeps the selected attempt in sight once its reflection is there, and says each step aloud.
fn follow(
    app: App,
    steps: Steps,
    page: Memo<Option<Page<ReflectionLine>>>,
    is_led: StoredValue<bool>,
) {
    let first = Memo::new(move |_| page.with(|page| page.as_ref().map(|page| page.first)));
    // A run that grows moves nothing.
    let number = Memo::new(move |_| steps.number());
    Effect::new(move |before: Option<Option<i64>>| {
        let (number, is_there) = (number.get(), first.get().is_some());
        let is_step = before.flatten().is_some_and(|before| Some(before) != number);
        let is_stacked = platform::is_stacked();
        let to = number.filter(|_| is_there && (is_step || !is_stacked)).map(|number| {
            let is_led = is_led.get_value() && is_stacked;
            if is_led { INSPECTOR.to_owned() } else { told_id(number) }
        });
        is_led.set_value(false);
        if let Some(id) = to {
            spawn_local(async move {
                // What has come is drawn by then.
                platform::pause().await;
                platform::reveal_id(&id);
            });
        }
        if let Some(number) = number.filter(|_| is_step) {
            let outcome = steps.columns.with_untracked(|columns| {
                columns.ordinal(number).map(|at| columns.outcome(at).as_str())
            });
            app.say(format!("Attempt {number}: {}", outcome.unwrap_or_default()));
        }
        number
    });
}

fn told_id(number: i64) -> String {
    format!("told-{number}")
}

/// Where the run was stuck, in the words of its headline.
fn stuck(run: &RunBody) -> Vec<Stuck> {
    let parts = &run.verdict.headline.parts;
    let says = |from: i64, to: i64| {
        let is_own = |part: &hindscope::HeadlinePart| {
            part.rule == "headline/stuck" && (part.from, part.to) == (Some(from), Some(to))
        };
        let at = parts.iter().position(is_own)?;
        Some(parts.get(at..at + 2)?.iter().map(|part| part.text.as_str()).collect::<String>())
    };
    let of = |stretch: &hindscope::StuckStretch| {
        let (from, to) = (stretch.from, stretch.to);
        let says = says(from, to).unwrap_or_else(|| format!("Stuck from {from} to {to}."));
        (from, to, says.trim().to_owned())
    };
    run.verdict.stuck.iter().map(of).collect()
}

fn column(page: &Page<ReflectionLine>, stuck: &[Stuck], how: Column) -> AnyView {
    let steps = how.steps;
    let stretch = |line: &ReflectionLine| {
        stuck.iter().position(|(from, to, _)| (*from..=*to).contains(&line.news.number))
    };
    // Neighbours that say word for word the same take one line.
    let alike = |a: &ReflectionLine, b: &ReflectionLine| {
        how.show != Mode::Plain
            && a.news.repeats.is_some()
            && a.news.repeats == b.news.repeats
            && stretch(a) == stretch(b)
    };
    let (mut before, mut told) = (None, None);
    let items: Vec<_> = page
        .rows
        .chunk_by(alike)
        .map(|lines| {
            let own = stretch(&lines[0]);
            let begins = own.filter(|_| own != before).and_then(|own| stuck.get(own));
            before = own;
            let begins = begins.map(|(_, _, says)| says.clone());
            // An attempt that wrote several is found by the first of them.
            let heads: Vec<_> = lines
                .iter()
                .map(|line| {
                    let number = line.news.number;
                    head(number, told.replace(number) != Some(number), how)
                })
                .collect();
            item(lines, heads, begins, own.is_some(), how)
        })
        .collect();
    let edge = |at: Option<&ReflectionLine>, step: i64, text: &'static str| {
        let number = at?.news.number;
        let next = steps.columns.with_untracked(|columns| {
            let at = columns.ordinal(number)?;
            let found = |at: &usize| columns.reflections.get(*at).is_some_and(|n| n > 0.0);
            let at = if step < 0 {
                (0..at).rev().find(found)
            } else {
                (at + 1..columns.len()).find(found)
            };
            columns.number(at?)
        })?;
        Some(view! { <p class="quiet edge">{text}" "<StepLink number=next steps/></p> })
    };
    let is_first = page.first == 0;
    let is_last = page.first + count(page.rows.len()) >= page.total;
    view! {
        {(!is_first).then(|| edge(page.rows.first(), -1, "Earlier ones, up to"))}
        <ol class="told-list">{items}</ol>
        {(!is_last).then(|| edge(page.rows.last(), 1, "Later ones, from"))}
    }
    .into_any()
}

/// One reflection, or several that say the same.
fn item(
    lines: &[ReflectionLine],
    heads: Vec<AnyView>,
    begins: Option<String>,
    is_stuck: bool,
    how: Column,
) -> AnyView {
    let Column { show, steps, .. } = how;
    let numbers: Vec<i64> = lines.iter().map(|line| line.news.number).collect();
    let is_current = move || steps.number().is_some_and(|own| numbers.contains(&own));
    let body = match lines[0].news.repeats {
        Some(of) if show != Mode::Plain => {
            let notes = notes(lines);
            view! {
                <p class="same">"Word for word the reflection of "<StepLink number=of steps/>"."</p>
                <p class="note">{notes}</p>
            }
            .into_any()
        }
        _ => text(&lines[0], show),
    };
    let stuck_says = begins.map(|says| view! { <p class="stuck-says">{says}</p> });
    view! {
        <li
            class="told-item"
            class:stuck=is_stuck
            class:current=is_current.clone()
            aria-current=move || is_current().then_some("true")
        >
            {stuck_says}
            <div class="told-heads">{heads}</div>
            <div class="told-body">{body}</div>
        </li>
    }
    .into_any()
}

/// The number and the outcome of the attempt that wrote it.
fn head(number: i64, is_first: bool, how: Column) -> AnyView {
    let Column { has_rewards, steps, is_led, .. } = how;
    let (outcome, reward) = steps.columns.with_untracked(|columns| {
        let at = columns.ordinal(number);
        let reward = at.and_then(|at| columns.rewards.get(at)).filter(|_| has_rewards);
        (at.map(|at| columns.outcome(at)), reward)
    });
    let reward = reward.map(|reward| {
        view! { <span class="quiet">"reward "{format::reward(reward)}</span> }
    });
    let lead = move |_| {
        is_led.set_value(true);
        if platform::is_stacked() {
            platform::focus_id(INSPECTOR);
        }
        // The selected one can be pressed, too.
        if platform::is_stacked() && untrack(|| steps.number()) == Some(number) {
            platform::reveal_id(INSPECTOR);
        }
    };
    view! {
        <span class="told-head" id=is_first.then(|| told_id(number)) on:click=lead>
            <StepLink number steps/>
            {outcome.map(|outcome| view! { <OutcomeMark outcome/> })}
            {reward}
        </span>
    }
    .into_any()
}

fn text(line: &ReflectionLine, show: Mode) -> AnyView {
    let news = &line.news;
    let Some(text) = &news.text else {
        return view! { <p class="quiet">"Its record was not read."</p> }.into_any();
    };
    if text.is_empty() {
        return view! { <p class="quiet">"It has no text."</p> }.into_any();
    }
    let is_marked = text.len() <= MARKED && news.new_words > 0 && news.new_words < news.words;
    let shown = if show == Mode::New && news.new_words < news.words {
        let pieces = pieces(text, &news.new).into_iter().filter(|(_, is_new)| *is_new);
        let pieces: Vec<_> =
            pieces.map(|(text, _)| view! { <li dir="auto"><RecordText text/></li> }).collect();
        view! { <ul class="only-new">{pieces}</ul> }.into_any()
    } else if show == Mode::Marked && is_marked {
        let pieces: Vec<_> = pieces(text, &news.new)
            .into_iter()
            .map(|(text, is_new)| {
                if is_new {
                    view! { <ins class="new"><RecordText text/></ins> }.into_any()
                } else {
                    view! { <RecordText text/> }.into_any()
                }
            })
            .collect();
        view! { <div class="text known" dir="auto">{pieces}</div> }.into_any()
    } else {
        let is_known = show == Mode::Marked && news.new_words == 0;
        view! { <div class:known=is_known><LongText text=text.clone()/></div> }.into_any()
    };
    let returned: Vec<_> = line
        .returned
        .iter()
        .map(|text| {
            view! { <p class="note">"A lesson returned: "<RecordText text=text.clone()/></p> }
        })
        .collect();
    view! { {shown}<p class="note">{notes(std::slice::from_ref(line))}</p>{returned} }.into_any()
}

/// The text in pieces, each with whether it is new.
fn pieces<'a>(text: &'a str, new: &[(u32, u32)]) -> Vec<(&'a str, bool)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (start, end) in new {
        let (start, end) = (*start as usize, *end as usize);
        pieces.extend([(text.get(at..start), false), (text.get(start..end), true)]);
        at = end;
    }
    pieces.push((text.get(at..), false));
    let pieces = pieces.into_iter().filter_map(|(text, is_new)| Some((text?, is_new)));
    pieces.filter(|(text, _)| !text.is_empty()).collect()
}

/// How much is new, who could read it, and what came next; of several that say the same, who could read one
/// of them.
fn notes(lines: &[ReflectionLine]) -> String {
    let [ReflectionLine { news, .. }] = lines else {
        let seen = || lines.iter().filter_map(|line| line.news.seen);
        let ends = seen().map(|seen| seen.0).min().zip(seen().map(|seen| seen.1).max());
        return match ends {
            Some((first, last)) => {
                format!("At least one of them in memory at attempts {first} to {last}.")
            }
            None => "In memory at no later attempt.".to_owned(),
        };
    };
    let words = match (news.new_words, news.words) {
        _ if news.repeats.is_some() => None,
        (_, 0) => None,
        (0, words) => Some(format!("None of its {} is new.", counted(words, "word"))),
        (new, words) if new == words => Some(format!("All {} are new.", counted(words, "word"))),
        (new, words) => {
            let are = if new == 1 { "is" } else { "are" };
            Some(format!("{new} of {} {are} new.", counted(words, "word")))
        }
    };
    let seen = match (news.seen, news.seen_by) {
        (Some((first, _)), 1) => format!("In memory at attempt {first}."),
        (Some((first, last)), by) if last - first + 1 == i64::from(by) => {
            format!("In memory at attempts {first} to {last}.")
        }
        (Some((first, last)), by) => {
            let attempts = noun(u64::from(by), "attempt");
            format!("In memory at {by} {attempts} from {first} to {last}.")
        }
        (None, _) => "In memory at no later attempt.".to_owned(),
    };
    let parts = words.into_iter().chain([seen]).chain(news.next.clone());
    parts.collect::<Vec<_>>().join(" ")
}

/// The texts alone, to be copied.
fn plain(page: &Page<ReflectionLine>) -> String {
    let one = |line: &ReflectionLine| {
        let text = line.news.text.as_deref().unwrap_or("(not read)");
        format!("[{}] {text}\n", line.news.number)
    };
    page.rows.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use hindscope::{RecordId, ReflectionNews};

    use super::*;

    fn line(words: (u32, u32), seen: Option<(i64, i64)>, seen_by: u32) -> ReflectionLine {
        let news = ReflectionNews {
            number: 3,
            record: RecordId(0),
            part: 0,
            text: Some("a b".into()),
            repeats: None,
            words: words.1,
            new_words: words.0,
            new: vec![(2, 3)],
            seen,
            seen_by,
            next: None,
        };
        ReflectionLine { news, returned: Vec::new() }
    }

    #[test]
    fn notes_say_what_is_new_and_who_could_read_it() {
        let notes = |words, seen, by| notes(&[line(words, seen, by)]);
        assert_eq!(
            notes((1, 4), Some((4, 6)), 3),
            "1 of 4 words is new. In memory at attempts 4 to 6."
        );
        assert_eq!(notes((4, 4), Some((4, 4)), 1), "All 4 words are new. In memory at attempt 4.");
        assert_eq!(
            notes((0, 4), Some((4, 9)), 2),
            "None of its 4 words is new. In memory at 2 attempts from 4 to 9."
        );
        assert_eq!(notes((0, 0), None, 0), "In memory at no later attempt.");
        let twice = [line((0, 4), Some((4, 6)), 3), line((0, 4), Some((5, 7)), 3)];
        let says = "At least one of them in memory at attempts 4 to 7.";
        assert_eq!(super::notes(&twice), says);
    }

    #[test]
    fn pieces_make_the_text_again() {
        assert_eq!(pieces("a b c", &[(2, 3)]), [("a ", false), ("b", true), (" c", false)]);
        assert_eq!(pieces("ab", &[(0, 2)]), [("ab", true)]);
        assert_eq!(pieces("ab", &[]), [("ab", false)]);
    }
}
