//! Interfaces of the browser that only the page uses, and those of `browser` that it shares with
//! its worker.
//!
//! What the rest of the page sees here are plain functions and values, so that everything else
//! compiles and is tested natively.

mod address;
mod canvas;
mod carried;
mod dom;
mod drop;
mod handles;
mod handover;
mod json;
mod kept_files;
mod keys;
mod launch;
mod link;
mod offline;
mod own_events;
mod panic;
mod paste;
mod pause;
mod picture;
mod pointer;
mod print;
mod reload;
mod save;
mod scroll;
mod storage;
mod theme;
mod watch;

pub(crate) use crate::browser::{
    FileHandle, date_of, local_minute, local_second, local_time, now, utc_time, whole,
};
pub(crate) use address::{
    address_with, back, go, hash, memory_wanted, name_sample, on_address, sample_wanted,
};
pub(crate) use canvas::Canvas;
pub(crate) use carried::{carried, has_viewer, served, viewer_copy};
pub(crate) use dom::{
    clear_value, click_on, close_dialog, copy_text, focus_id, forget_boot_screen, has_cmd,
    is_hidden, open_dialog, reveal_id, rewind_id, set_title, value_of,
};
pub(crate) use drop::{Found, MOST_FILES, found_again, on_drops, on_picked, pick};
pub(crate) use handles::{Root, copied, has_handles, may_keep_files, refused};
pub(crate) use handover::{HandedOver, on_handover};
pub(crate) use json::json_text;
pub(crate) use kept_files::{KeptFiles, forget_files, keep_files, kept_files};
pub(crate) use keys::{Key, on_find, on_keys};
pub(crate) use launch::on_launch;
pub(crate) use link::Link;
pub(crate) use offline::{keep_offline, use_newer};
pub(crate) use own_events::ignore_own_events;
pub(crate) use panic::{show_panics, within};
pub(crate) use paste::{Pasted, on_paste};
pub(crate) use pause::{next_frame, pause, pause_for};
pub(crate) use picture::as_png;
pub(crate) use pointer::{capture, is_pressed, place_in, watch_presses};
pub(crate) use print::{mark_print, on_print, print, show_svg};
pub(crate) use reload::{OpenFiles, Reloaded, note_open, reloaded};
pub(crate) use save::save;
pub(crate) use scroll::{anchor, scroll_to_id, share_of};
pub(crate) use storage::{
    add_recent, forget_everything, recent_names, remember_recent, store, stored, stored_names,
};
pub(crate) use theme::{
    Theme, apply_density, apply_theme, on_other_theme, save_share, saved_share, saved_theme,
};
pub(crate) use watch::{
    Frame, hold, is_stacked, media, on_outside, on_scroll_box, on_scroll_frame, scroll_box_to,
    scroll_list_to, width_of,
};
