//! Files that the worker makes, and the browser saves.

use leptos::prelude::*;

use super::app::App;
use crate::platform;
use crate::protocol::{Answer, Query};

impl App {
    /// Asks for a file, and lets the browser save it.
    pub(crate) fn save_answer(self, query: Query) {
        self.ask_for_page(query, move |answer| {
            let problem = match answer {
                Answer::Export(exported) => match platform::save(&exported.file, &exported.name) {
                    Ok(()) => return self.say(format!("Saved as {}.", exported.name)),
                    Err(reason) => format!("The file cannot be saved: {reason}."),
                },
                Answer::Failed(reason) => reason,
                _ => "Files are being read. Try again when that is over.".to_owned(),
            };
            self.say(problem.clone());
            self.notice.set(Some(problem));
        });
    }
}
