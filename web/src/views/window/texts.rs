//! The text of a window, in every layout: computed, as stored, and the difference.

use hindscope::Layout;
use leptos::prelude::*;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::components::{CopyButton, LongText, OutcomeMark, WordDiff, switch};
use crate::format::{self, counted};
use crate::platform;
use crate::protocol::{HeldText, WindowBody};
use crate::state::App;
use crate::views::window::summary::link;

/// Which text is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
enum Side {
    Computed,
    Stored,
    Difference,
}

impl Side {
    fn title(self) -> &'static str {
        match self {
            Self::Computed => "Computed",
            Self::Stored => "Stored",
            Self::Difference => "Difference",
        }
    }
}

/// The text made of the window, and the held reflections one by one.
#[component]
pub(crate) fn Texts(window: RwSignal<Option<WindowBody>>) -> impl IntoView {
    let app = App::get();
    let side = Memo::new(move |_| {
        let word = app.place.with(|place| place.query.side.clone()).unwrap_or_default();
        word.parse().unwrap_or(Side::Computed)
    });
    let at = move || window.with(|body| body.as_ref().map(|body| body.view.at));
    view! {
        <section class="rendered" aria-labelledby="rendered-title">
            <div class="rendered-head">
                <h2 id="rendered-title">{move || at().map_or_else(|| "Text".to_owned(), |at| format!("Text at {at}"))}</h2>
                <LayoutMenu/>
                {switch(
                    "Which text",
                    |part: &Side| part.title(),
                    move |part| side.get() == part,
                    move |part| app.choose(|query| {
                        query.side = (part != Side::Computed).then(|| part.into_str().to_owned());
                    }),
                )}
                <CopyButton
                    text=move |()| window.with_untracked(|body| copied(body.as_ref(), side.get_untracked()))
                    what="window text"
                />
            </div>
            {move || window.with(|body| body.as_ref().map(|body| text(body, side.get())))}
        </section>
        {move || window.with(|body| body.as_ref().map(|body| view! { <Held body=body.clone()/> }))}
    }
}

/// Every layout that the core knows.
#[component]
fn LayoutMenu() -> impl IntoView {
    let app = App::get();
    let now = move || {
        let word = app.place.with(|place| place.query.layout.clone()).unwrap_or_default();
        Layout::parse(&word).unwrap_or_default()
    };
    let choose = move |event: leptos::ev::Event| {
        let word = platform::value_of(&event);
        let plain = word == Layout::default().as_str();
        app.choose(|query| query.layout = Some(word).filter(|_| !plain));
    };
    view! {
        <label class="layout">
            <span class="spoken">"Layout"</span>
            <select on:change=choose prop:value=move || now().as_str()>
                {Layout::ALL
                    .map(|layout| view! {
                        <option value=layout.as_str() selected=move || now() == layout>
                            {layout.as_str()}
                        </option>
                    })
                    .collect_view()}
            </select>
        </label>
    }
}

/// What Copy gives: the text byte for byte; of the difference, both texts.
fn copied(body: Option<&WindowBody>, side: Side) -> String {
    let Some(body) = body else { return String::new() };
    let computed = body.rendered.clone().unwrap_or_default();
    let stored = body.stored.as_ref().map(|stored| stored.text.clone()).unwrap_or_default();
    match side {
        Side::Computed => computed,
        Side::Stored => stored,
        Side::Difference => format!("Stored\n\n{stored}\nComputed\n\n{computed}"),
    }
}

const NOTHING_STORED: &str =
    "No record says what this attempt was given: the window can only be computed.";

fn text(body: &WindowBody, side: Side) -> AnyView {
    let Some(computed) = &body.rendered else {
        return view! { <p class="advice">"Too many reflections are in reach to lay them all out."</p> }
            .into_any();
    };
    match (side, &body.stored) {
        (Side::Computed, _) if computed.is_empty() => view! {
            <p class="none-written">"No reflection was in reach: the agent began without memory."</p>
        }
        .into_any(),
        (Side::Computed, _) => view! { <LongText text=computed.clone() is_code=true/> }.into_any(),
        (Side::Stored | Side::Difference, None) => {
            view! { <p class="none-written">{NOTHING_STORED}</p> }.into_any()
        }
        (Side::Stored, Some(stored)) => {
            let absent = absent(&stored.absent);
            let is_empty = stored.text.is_empty();
            view! {
                {absent.map(|text| view! { <p class="advice">{text}</p> })}
                {is_empty.then(|| view! {
                    <p class="none-written">"Records say that nothing was given."</p>
                })}
                {(!is_empty).then(|| view! { <LongText text=stored.text.clone() is_code=true/> })}
            }
            .into_any()
        }
        (Side::Difference, Some(stored)) => {
            let absent = absent(&stored.absent);
            view! {
                <p class="quiet">"From stored to computed: gone in [-\u{2026}-], new in {+\u{2026}+}."</p>
                {absent.map(|text| view! { <p class="advice">{text}</p> })}
                <WordDiff old=stored.text.clone() new=computed.clone()/>
            }
            .into_any()
        }
    }
}

fn absent(numbers: &[i64]) -> Option<String> {
    let list = format::numbers(numbers);
    (!numbers.is_empty()).then(|| format!("Not open, so not in the text: {list}."))
}

/// The held reflections one by one.
#[component]
fn Held(body: WindowBody) -> impl IntoView {
    let left_out = body.left_out;
    (!body.held.is_empty()).then(|| {
        view! {
            <section class="held" aria-labelledby="held-title">
                <h2 id="held-title">"In reach, oldest first"</h2>
                {(left_out > 0).then(|| view! {
                    <p class="advice">
                        {format!(
                            "{} older {} in reach too; the newest are shown.",
                            platform::whole(left_out),
                            if left_out == 1 { "reflection was" } else { "reflections were" },
                        )}
                    </p>
                })}
                {body.held.into_iter().map(held).collect::<Vec<_>>()}
            </section>
        }
    })
}

/// One reflection in reach, with its number leading to the iteration that wrote it.
pub(crate) fn held(held: HeldText) -> impl IntoView {
    let until = held.until.map(|until| format!("leaves after {until}"));
    let tokens = counted(held.tokens, "token");
    let score = held.score.map(|score| format!("relevance {score}"));
    view! {
        <article class="held-one">
            <header>
                {link(held.reference.number)}
                <OutcomeMark outcome=held.outcome/>
                <span class="quiet">{until}</span>
                <span class="quiet">{tokens}</span>
                <span class="quiet">{score}</span>
            </header>
            <LongText text=held.text.trim().to_owned()/>
        </article>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_open_is_said() {
        assert_eq!(absent(&[]), None);
        assert_eq!(
            absent(&[1, 2, 3]).as_deref(),
            Some("Not open, so not in the text: 1\u{2013}3.")
        );
    }
}
