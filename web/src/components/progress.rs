//! How far reading has come, and what has to be said above the view.

use std::fmt::Write as _;

use leptos::prelude::*;

use crate::components::RecordText;
use crate::format::{self, counted};
use crate::platform;
use crate::protocol::{Progress, count};
use crate::state::{App, Phase};

/// The line below the bar while files are read.
#[component]
pub(crate) fn ProgressStrip() -> impl IntoView {
    let app = App::get();
    let is_busy = Memo::new(move |_| matches!(app.phase.get(), Phase::Reading | Phase::Listing(_)));
    let percent = move |decimals: usize| {
        app.progress.with(|progress| format!("{:.decimals$}", share(progress) * 100.0))
    };
    view! {
        <Show when=move || is_busy.get()>
            <div class="strip" role="group" aria-label="Opening">
                <div class="strip-text">
                    <strong>
                        {move || match app.phase.get() {
                            Phase::Listing(found) => {
                                format!("Looking through folders: {} files", platform::whole(count(found)))
                            }
                            _ => app.progress.with(headline),
                        }}
                    </strong>
                    <span class="path">{move || app.progress.with(|p| p.path.clone())}</span>
                    <Show when=move || app.phase.get() == Phase::Reading>
                        <button class="small" on:click=move |_| app.cancel()>"Cancel"</button>
                    </Show>
                </div>
                <div
                    class="meter"
                    role="progressbar"
                    aria-label="Bytes read"
                    aria-valuemin="0"
                    aria-valuemax="100"
                    aria-valuenow=move || percent(0)
                >
                    <div class="meter-fill" style:width=move || format!("{}%", percent(1))></div>
                </div>
            </div>
        </Show>
    }
}

fn share(progress: &Progress) -> f64 {
    if progress.bytes_total > 0.0 {
        (progress.bytes_read / progress.bytes_total).clamp(0.0, 1.0)
    } else if progress.files_total > 0 {
        f64::from(progress.files_done) / f64::from(progress.files_total)
    } else {
        0.0
    }
}

fn headline(progress: &Progress) -> String {
    if progress.files_total == 0 {
        return "Opening".to_owned();
    }
    if progress.files_done == progress.files_total {
        return format!("Putting {} in order", counted(progress.records, "record"));
    }
    format!(
        "{} of {} · {} of {} · {} so far",
        platform::whole(progress.files_done),
        counted(progress.files_total, "file"),
        format::bytes(progress.bytes_read),
        format::bytes(progress.bytes_total),
        counted(progress.records, "record"),
    )
}

/// What was damaged or gone wrong, each with a way on.
#[component]
pub(crate) fn Notices() -> impl IntoView {
    let app = App::get();
    let damage = Memo::new(move |_| app.summary.with(damage));
    view! {
        {move || app.notice.get().map(|text| view! {
            <div class="notice">
                <p>{text}</p>
                <button class="small" on:click=move |_| app.notice.set(None)>"Dismiss"</button>
            </div>
        })}
        {move || app.undo.change.get().filter(|_| app.undo.is_new.get()).map(|text| view! {
            <div class="notice" role="status">
                <p><RecordText text/></p>
                <button class="small" on:click=move |_| app.undo()>"Undo"</button>
                <button class="small" on:click=move |_| app.undo.is_new.set(false)>"Dismiss"</button>
            </div>
        })}
        {move || damage.get().filter(|_| app.phase.get() == Phase::Ready).map(|text| view! {
            <div class="notice warn">
                <p>{text}</p>
                <a class="button small" href="#/findings">"Show findings"</a>
                <a class="button small" href="#/">"Show files"</a>
            </div>
        })}
    }
}

/// One sentence about records that could not be read, if there are any.
fn damage(summary: &crate::protocol::Summary) -> Option<String> {
    let strangers = summary.strangers;
    let without = (strangers > 0).then(|| {
        let (has, it) = if strangers == 1 { ("has", "it") } else { ("have", "them") };
        format!("{} {has} no history in {it}.", counted(strangers, "file"))
    });
    if summary.skipped == 0 && summary.repaired == 0 {
        return without.filter(|_| summary.runs > 0);
    }
    let all = counted(summary.kept + summary.skipped, "record");
    let mut text = format!("Kept {} of {all}", platform::whole(summary.kept));
    if summary.skipped > 0 {
        let _ = write!(text, "; {} could not be read", platform::whole(summary.skipped));
    }
    if summary.repaired > 0 {
        let _ = write!(text, "; {} had to be repaired", platform::whole(summary.repaired));
    }
    text.push('.');
    if let Some(without) = without {
        text.push(' ');
        text.push_str(&without);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Summary;

    #[test]
    fn damage_is_counted_in_records() {
        let summary = Summary { kept: 4117, skipped: 3, ..Summary::default() };
        assert_eq!(
            damage(&summary).as_deref(),
            Some("Kept 4,117 of 4,120 records; 3 could not be read.")
        );
        assert_eq!(damage(&Summary { kept: 9, ..Summary::default() }), None);
        let strangers = Summary { kept: 9, runs: 1, strangers: 2, ..Summary::default() };
        assert_eq!(damage(&strangers).as_deref(), Some("2 files have no history in them."));
    }

    #[test]
    fn files_without_bytes_count_as_files() {
        let progress = Progress { files_done: 1, files_total: 4, ..Progress::default() };
        assert!((share(&progress) - 0.25).abs() < 1e-9);
    }
}
