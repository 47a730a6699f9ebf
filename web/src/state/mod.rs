//! What the page knows: where the reader is, what is open, what was asked of the worker, and what
//! the reader chose.

mod app;
mod dialogs;
mod intake;
mod link;
mod live;
mod live_query;
mod marked_runs;
mod message;
mod opened;
mod opening;
mod openings;
mod print;
mod printing;
mod reread;
mod saving;
mod search;
mod search_steps;
mod sending;
mod settings;
mod size;
mod time_zone;
mod undo;

pub(crate) use app::{App, HEADING, Phase, use_keys};
pub(crate) use dialogs::{KEYS_DIALOG, PALETTE_DIALOG, SETTINGS_DIALOG};
pub(crate) use intake::{Question, What};
pub(crate) use link::{attempt_href, run_of};
pub(crate) use live::Following;
pub(crate) use live_query::{Asked, asked, asked_in_motion};
pub(crate) use marked_runs::{MOST_MARKED, compare_href};
pub(crate) use message::{Message, lost};
pub(crate) use opened::{added_sentence, opened_sentence};
pub(crate) use printing::{PRINT_DIALOG, PRINTED, follow_print, print, print_page};
pub(crate) use search::{BAR_FIELD, FIELDS, QUERY, named_parts, parts, searched_run, spec, words};
pub(crate) use search_steps::{find_in_view, focus_field, place_of, step};
pub(crate) use settings::{Settings, stored_labels};
pub(crate) use size::{FIRST_RECORDS, Prediction};
pub(crate) use time_zone::{Clock, shown_time};
