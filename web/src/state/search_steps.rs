//! The keys that begin a search and go from one hit to the next.

use leptos::prelude::*;

use super::app::App;
use super::search::{BAR_FIELD, QUERY, stepped, words};
use crate::platform;
use crate::protocol::{Answer, FoundHit, Query, SearchSpec};
use crate::route::{Place, View, run_place};

/// Moves the focus to a search field: that of the view, or of the bar; else the view is opened.
pub(crate) fn focus_field(app: App) -> bool {
    if app.summary.with_untracked(|summary| summary.sources == 0) {
        return false;
    }
    if !platform::focus_id(QUERY) && !platform::focus_id(BAR_FIELD) {
        open(app, Place::of(View::Search));
    }
    true
}

fn open(app: App, place: Place) {
    app.search().awaits_query.set(true);
    app.go(place, false);
}

/// Find in this view: the filter of a list, or a search limited to the run that is shown.
pub(crate) fn find_in_view(app: App) -> bool {
    if app.summary.with_untracked(|summary| summary.sources == 0) {
        return false;
    }
    let place = app.place.get_untracked();
    let mut search = Place::of(View::Search);
    match &place.view {
        View::Runs | View::Findings => return platform::focus_id("filter"),
        View::Search => return platform::focus_id(QUERY),
        View::Run { key, .. } => {
            search.query.run = Some(key.clone());
            search.query.group.clone_from(&place.query.group);
            search.query.text.clone_from(&place.query.text);
        }
        View::Open | View::Compare | View::Unknown(_) => {}
    }
    open(app, search);
    true
}

/// Goes to the next hit, or to the one before, wherever the reader is.
pub(crate) fn step(app: App, is_forward: bool) -> bool {
    let Some(spec) = app.search().spec.get_untracked() else { return false };
    let kept = app.search().kept.get_untracked();
    let Some(at) = stepped(app.search().at.get_untracked(), is_forward, kept) else {
        app.say("There is no other match.");
        return true;
    };
    go_to(app, spec, at);
    true
}

fn go_to(app: App, spec: SearchSpec, at: u32) {
    let text = spec.text.clone();
    app.ask_for_page(Query::SearchHit { spec, at }, move |answer| {
        let Answer::SearchHit(Some(found)) = answer else { return };
        app.search().at.set(Some(at));
        let (count, all) = (platform::whole(at + 1), app.search().kept.get_untracked());
        let what = words(&found);
        app.say(format!("Match {count} of {}: {what}.", platform::whole(all)));
        if app.place.with_untracked(|place| place.view == View::Search) {
            app.choose(|query| query.hit = Some(at + 1));
        } else {
            let replace = app.place.with_untracked(|place| place.view.run_key().is_some());
            app.go(place_of(&found, &text), replace);
        }
    });
}

/// Where a hit is shown.
pub(crate) fn place_of(found: &FoundHit, text: &str) -> Place {
    let Some(run) = &found.run else { return Place::of_source(View::Open, &found.path) };
    let mut place = run_place(run, found.hit.number);
    place.query.text = Some(text.to_owned()).filter(|text| !text.is_empty());
    place
}
