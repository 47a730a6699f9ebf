//! The link to what is seen.

use leptos::prelude::*;

use crate::platform;
use crate::protocol::{Answer, Query, RunAddress};
use crate::route;
use crate::state::App;

/// Copies the address of what is shown. The one of a run says which file it was seen in, so that
/// whoever follows it learns which to open.
pub(crate) fn copy_link(app: App) {
    let place = app.place.get_untracked();
    let (Some(key), None) = (place.view.run_key(), &place.query.digest) else {
        return copy(app, platform::href());
    };
    let address = RunAddress { key: key.to_owned(), group: place.query.group.clone() };
    app.ask(Query::Run { address, choice: app.choice.get_untracked() }, move |answer| {
        let mut place = place;
        if let Answer::Run(run) = answer {
            place.query.digest = run.digest;
        }
        let href = platform::href();
        let page = href.split('#').next().unwrap_or_default();
        copy(app, format!("{page}{}", route::write(&place)));
    });
}

fn copy(app: App, link: String) {
    platform::copy_text(link, move |copied| {
        app.say(if copied { "The link is copied." } else { "The browser refused to copy." });
        let shown = if copied {
            "The link to what is shown is copied. It names what is open and holds none of it."
        } else {
            "The browser refused to copy the link. The address bar has it."
        };
        app.notice.set(Some(shown.to_owned()));
    });
}
