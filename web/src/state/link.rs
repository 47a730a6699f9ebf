//! The link to what is shown.

use leptos::prelude::*;

use super::app::App;
use crate::platform;
use crate::protocol::{Answer, Query, RunAddress};
use crate::route::{self, Place, RunTab};

impl App {
    /// Copies the address of what is shown, with the digest of its source.
    pub(crate) fn copy_link(self) {
        let place = self.place.get_untracked();
        let copy = move |src: Option<String>| {
            let address = platform::address_with(&route::write(&link_to_copy(&place, src)));
            platform::copy_text(address, move |copied| {
                self.say(if copied { "Link copied." } else { "The browser refused to copy." });
                let shown = if copied {
                    "The link to what is shown is copied. It names what is open and holds none of it."
                } else {
                    "The browser refused to copy the link. The address bar has it."
                };
                self.notice.set(Some(shown.to_owned()));
            });
        };
        if self.summary.with_untracked(|summary| summary.sources == 0) {
            return copy(None);
        }
        let run = self.place.with_untracked(run_of);
        self.ask_for_page(Query::LinkOf { run }, move |answer| match answer {
            Answer::LinkOf(src) => copy(src),
            _ => copy(None),
        });
    }
}

/// The place as a link names it. A source that the address names already stays where no better one
/// is known.
fn link_to_copy(place: &Place, src: Option<String>) -> Place {
    let mut place = place.clone();
    place.query.src = src.or(place.query.src);
    place
}

/// The run that a place means.
pub(crate) fn run_of(place: &Place) -> Option<RunAddress> {
    let key = place.view.run_key()?.to_owned();
    Some(RunAddress::new(key, place.query.group.clone()))
}

/// The address of an attempt of the run that is shown, at one of its actions, by its position, or at
/// the first.
pub(crate) fn attempt_href(
    app: App,
    number: i64,
    action: Option<u32>,
) -> impl Fn() -> String + Copy {
    move || {
        app.place.with(|place| {
            let mut to = place.with_view(place.view.at(RunTab::Actions, Some(number)));
            to.query.lists.action = action.map(|at| at + 1);
            route::write(&to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::read;

    #[test]
    fn links_name_the_source_and_keep_the_rest() {
        let place = read("#/run/env_3/i/4?omega=2&later=x");
        let link = link_to_copy(&place, Some("4f9a02c1d3e5b678".to_owned()));
        assert_eq!(route::write(&link), "#/run/env_3/i/4?omega=2&src=4f9a02c1d3e5b678&later=x");
        let kept = link_to_copy(&link, None);
        assert_eq!(kept, link, "nothing better is known");
    }
}
