//! Links to copy, and what a link says that was opened.

use leptos::prelude::*;

use super::RecordText;
use crate::protocol::{Answer, Linked, Query};
use crate::route::View;
use crate::state::{App, Phase, asked, run_of};

/// A button that copies a link to what is shown.
#[component]
pub(crate) fn LinkButton() -> impl IntoView {
    let app = App::get();
    view! {
        <button class="small" aria-label="Copy a link to this" on:click=move |_| app.copy_link()>
            "Link"
        </button>
    }
}

/// What is not as the sender of a link saw it.
#[component]
pub(crate) fn LinkNotice() -> impl IntoView {
    let app = App::get();
    let src = Memo::new(move |_| app.place.with(|place| place.query.src.clone()));
    let run = Memo::new(move |_| app.place.with(run_of));
    let is_open = Memo::new(move |_| app.summary.with(|summary| summary.sources > 0));
    let dismissed = RwSignal::new(None::<String>);
    let linked = asked(
        move || Some(Query::Linked { run: run.get(), src: src.get().filter(|_| is_open.get())? }),
        Answer::try_as_linked,
    );
    // If the link means another run of the same name, goes to that one.
    Effect::new(move |_| {
        if let Some(better) = linked.answer.with(|linked| linked.as_ref()?.better.clone()) {
            let mut place = app.place.get_untracked();
            if place.view.run_key() == Some(better.key.as_str()) {
                place.query.group = better.group;
                app.go(place, true);
            }
        }
    });
    let says = move || {
        let src = src.get().filter(|src| dismissed.with(|gone| gone.as_ref() != Some(src)))?;
        let view = app.place.with(|place| place.view.clone());
        if app.phase.with(Phase::is_busy) {
            return None;
        }
        if !is_open.get() {
            // The page of a run says so itself.
            return view.run_key().is_none().then(|| needs(&src, &what(&view)));
        }
        linked.answer.with(|linked| difference(linked.as_ref()?, &what(&view)))
    };
    view! {
        {move || says().map(|text| view! {
            <div class="notice warn link-notice" role="status">
                <p><RecordText text/></p>
                <a class="button small" href="#/">"Choose files"</a>
                <button class="small" on:click=move |_| dismissed.set(src.get_untracked())>
                    "Dismiss"
                </button>
            </div>
        })}
    }
}

/// What a view shows, in a few words.
pub(crate) fn what(view: &View) -> String {
    match view {
        View::Run { key, number: Some(number), .. } => format!("{key}, iteration {number}"),
        View::Run { key, .. } => key.clone(),
        View::Runs => "the list of runs".to_owned(),
        View::Findings => "findings".to_owned(),
        View::Compare => "a comparison".to_owned(),
        View::Search => "a search".to_owned(),
        View::Open | View::Unknown(_) => "the files".to_owned(),
    }
}

/// What has to be opened for a link.
pub(crate) fn needs(src: &str, what: &str) -> String {
    let named: Vec<String> = src.split(',').filter(|key| !key.is_empty()).map(named).collect();
    match named.as_slice() {
        [one] => format!("Open {one} again, or its folder, to see {what}."),
        several => format!("Open these files again to see {what}: {}.", several.join(", ")),
    }
}

/// The name of a file in a link, without its digest or its length.
fn named(key: &str) -> String {
    format!("\u{201c}{}\u{201d}", key.rsplit_once(':').map_or(key, |(name, _)| name))
}

/// What differs from what the sender saw; nothing if nothing does.
fn difference(linked: &Linked, what: &str) -> Option<String> {
    if linked.has_run {
        let is_other = !linked.is_of_run && linked.better.is_none();
        return is_other.then(|| {
            "The open file has a run of that name but other content. Showing it; the sender saw \
             something else."
                .to_owned()
        });
    }
    if linked.missing.is_empty() {
        return None;
    }
    let needs = needs(&linked.missing.join(","), what);
    let changed = " A file of that name is open, but it is not the one that the sender saw.";
    Some(if linked.is_changed { needs + changed } else { needs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::read;

    #[test]
    fn says_which_file_is_needed() {
        let view = read("#/run/payments-retry/i/9").view;
        assert_eq!(
            needs("loop.jsonl:4f9a02c1d3e5b678", &what(&view)),
            "Open \u{201c}loop.jsonl\u{201d} again, or its folder, to see payments-retry, iteration 9."
        );
        assert_eq!(
            needs("a.json:12,b: c.json:4f9a02c1d3e5b678", "findings"),
            "Open these files again to see findings: \u{201c}a.json\u{201d}, \u{201c}b: c.json\u{201d}."
        );
    }

    #[test]
    fn says_what_differs() {
        let same = Linked { has_run: true, is_of_run: true, ..Linked::default() };
        assert_eq!(difference(&same, "x"), None);
        let other = Linked { has_run: true, missing: vec!["a:1".to_owned()], ..Linked::default() };
        assert!(difference(&other, "x").is_some_and(|text| text.contains("other content")));
        let gone = Linked { missing: vec!["a:1".to_owned()], ..Linked::default() };
        assert!(difference(&gone, "x").is_some_and(|text| text.ends_with("to see x.")));
        let changed = Linked { is_changed: true, ..gone.clone() };
        assert!(difference(&changed, "x").is_some_and(|text| text.contains("is open, but")));
        assert_eq!(difference(&Linked::default(), "x"), None);
    }
}
