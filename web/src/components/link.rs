//! Links to copy, and what a link says that was opened.

use leptos::prelude::*;

use super::RecordText;
use crate::protocol::{Answer, Linked, Query};
use crate::route::View;
use crate::state::{App, Phase, asked, run_of};

/// Digits of a digest that are said.
const SAID: usize = 8;

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
    let keys: Vec<&str> = src.split(',').filter(|key| !key.is_empty()).collect();
    match keys.as_slice() {
        [one] => format!("This link needs the file {} ({what}). Drop it here.", named(one)),
        several => {
            let named: Vec<String> = several.iter().map(|key| named(key)).collect();
            format!("This link needs the files {} ({what}). Drop them here.", named.join("; "))
        }
    }
}

/// Describes a source by its key in a link. A key of 16 hexadecimal digits is the digest of the content,
/// so the text says `whose digest starts`, not `whose content starts`.
fn named(key: &str) -> String {
    if key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let (first, second) = key[..SAID].split_at(SAID / 2);
        return format!("whose digest starts {first} {second}");
    }
    match key.rsplit_once(':') {
        Some((name, bytes)) => format!("\u{201c}{name}\u{201d} of {bytes} bytes"),
        None => format!("\u{201c}{key}\u{201d}"),
    }
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
    (!linked.missing.is_empty()).then(|| needs(&linked.missing.join(","), what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::read;

    #[test]
    fn says_which_file_is_needed() {
        let view = read("#/run/payments-retry/i/9").view;
        assert_eq!(
            needs("4f9a02c1d3e5b678", &what(&view)),
            "This link needs the file whose digest starts 4f9a 02c1 (payments-retry, iteration 9). \
             Drop it here."
        );
        assert_eq!(
            needs("a.json:12,4f9a02c1d3e5b678", "findings"),
            "This link needs the files \u{201c}a.json\u{201d} of 12 bytes; whose digest starts 4f9a \
             02c1 (findings). Drop them here."
        );
    }

    #[test]
    fn says_what_differs() {
        let same = Linked { has_run: true, is_of_run: true, ..Linked::default() };
        assert_eq!(difference(&same, "x"), None);
        let other = Linked { has_run: true, missing: vec!["a:1".to_owned()], ..Linked::default() };
        assert!(difference(&other, "x").is_some_and(|text| text.contains("other content")));
        let gone = Linked { missing: vec!["a:1".to_owned()], ..Linked::default() };
        assert!(difference(&gone, "x").is_some_and(|text| text.starts_with("This link needs")));
        assert_eq!(difference(&Linked::default(), "x"), None);
    }
}
