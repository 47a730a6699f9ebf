//! The scrubber: an iteration a step, by pointer, by key, by screen reader.

use leptos::html::Div;
use leptos::prelude::*;

use crate::format::noun;
use crate::platform;
use crate::protocol::{Columns, WindowBody};

/// What a screen reader says of a position.
pub(crate) fn said(at: i64, iterations: usize, held: usize) -> String {
    let word = noun(held as u64, "reflection");
    format!("iteration {at} of {iterations}, {held} {word} in window")
}

/// Positions of the slider: every iteration, and the attempt after the last one.
pub(crate) fn position(columns: &Columns, number: Option<i64>) -> usize {
    number.and_then(|number| columns.ordinal(number)).unwrap_or(columns.len())
}

/// The number at a position of the slider.
pub(crate) fn number_at(columns: &Columns, position: usize) -> Option<i64> {
    let last = columns.len().checked_sub(1)?;
    columns.number(position).or_else(|| Some(columns.number(last)? + 1))
}

/// First, previous, the slider, next, last.
#[component]
pub(crate) fn Slider(
    window: RwSignal<Option<WindowBody>>,
    columns: Memo<Columns>,
    number: Memo<Option<i64>>,
    go: Callback<i64>,
) -> impl IntoView {
    let track = NodeRef::<Div>::new();
    let last = Memo::new(move |_| columns.with(Columns::len));
    let now = Memo::new(move |_| columns.with(|columns| position(columns, number.get())));
    let to = move |position: usize| {
        let position = position.min(last.get_untracked());
        if position == now.get_untracked() {
            return;
        }
        if let Some(number) = columns.with_untracked(|columns| number_at(columns, position)) {
            go.run(number);
        }
    };
    let step = move |by: isize| to(now.get_untracked().saturating_add_signed(by));
    let key = move |event: leptos::ev::KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => step(1),
            "ArrowLeft" | "ArrowDown" => step(-1),
            "PageUp" => step(10),
            "PageDown" => step(-10),
            "Home" => to(0),
            "End" => to(last.get_untracked()),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the track, 0 to 1"
    )]
    let drag = move |event: leptos::ev::PointerEvent| {
        if event.buttons() & 1 == 0 {
            return;
        }
        if let Some(track) = track.get_untracked() {
            let share = platform::share_of(&track, f64::from(event.client_x()));
            to((share * last.get_untracked() as f64).round() as usize);
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "a share of the track")]
    let share = move || now.get() as f64 / last.get().max(1) as f64 * 100.0;
    let value_text = move || {
        let held = window.with(|window| {
            let window = window.as_ref().filter(|it| Some(it.view.at) == number.get())?;
            Some(window.view.held.len())
        });
        let at = number.get().unwrap_or_default();
        match held {
            Some(held) => said(at, last.get(), held),
            None => format!("iteration {at} of {}", last.get()),
        }
    };
    let button = move |label: &'static str,
                       mark: &'static str,
                       target: Box<dyn Fn() -> usize + Send + Sync>| {
        let target = StoredValue::new(target);
        let target = move || target.with_value(|target| target());
        view! {
            <button
                class="small"
                aria-label=label
                disabled=move || now.get() == target()
                on:click=move |_| to(target())
            >
                {mark}
            </button>
        }
    };
    view! {
        <div class="scrubber" role="group" aria-label="Iteration">
            {button("First iteration", "|\u{2039}", Box::new(|| 0))}
            {button("Previous iteration", "\u{2039}", Box::new(move || now.get().saturating_sub(1)))}
            <div
                class="slider"
                role="slider"
                tabindex="0"
                aria-label="Window at iteration"
                aria-valuemin=move || columns.with(|columns| number_at(columns, 0)).map(|n| n.to_string())
                aria-valuemax=move || columns.with(|columns| number_at(columns, columns.len())).map(|n| n.to_string())
                aria-valuenow=move || number.get().map(|n| n.to_string())
                aria-valuetext=value_text
                on:keydown=key
                on:pointerdown=drag
                on:pointermove=drag
                node_ref=track
            >
                <span class="slider-done" style:width=move || format!("{:.3}%", share())></span>
                <span class="slider-thumb" style:left=move || format!("{:.3}%", share())></span>
            </div>
            {button("Next iteration", "\u{203a}", Box::new(move || (now.get() + 1).min(last.get())))}
            {button("Last iteration", "\u{203a}|", Box::new(move || last.get()))}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attempt_after_the_last_has_a_place() {
        let columns =
            Columns { numbers: [1.0, 2.0, 5.0].into_iter().collect(), ..Columns::default() };
        assert_eq!(position(&columns, Some(5)), 2);
        assert_eq!(position(&columns, Some(6)), 3);
        assert_eq!((number_at(&columns, 2), number_at(&columns, 3)), (Some(5), Some(6)));
        assert_eq!(number_at(&Columns::default(), 0), None);
        assert_eq!(said(9, 14, 1), "iteration 9 of 14, 1 reflection in window");
    }
}
