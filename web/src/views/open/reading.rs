//! The files while they are read: how far each is, and what it was taken for.

use leptos::prelude::*;

use crate::components::RecordText;
use crate::format::{self, counted, noun};
use crate::platform;
use crate::protocol::{FileProgress, FileState, Progress, count};
use crate::route::{self, Place, View};
use crate::state::{App, Phase};

/// The last few of them; nothing while nothing is read.
#[component]
pub(crate) fn Reading() -> impl IntoView {
    let app = App::get();
    let is_reading = Memo::new(move |_| app.phase.get() == Phase::Reading);
    view! {
        <Show when=move || is_reading.get()>
            <section class="reading" aria-label="Files that are being read">
                <ul>
                    <For
                        each=move || app.progress.with(|progress| progress.files.clone())
                        key=|file| file.path.clone()
                        children=move |file| view! { <Line path=file.path/> }
                    />
                </ul>
                <p class="quiet">{move || app.progress.with(earlier)}</p>
            </section>
        </Show>
    }
}

/// One file; only what changes is drawn again.
#[component]
fn Line(path: String) -> impl IntoView {
    let app = App::get();
    let named = path.clone();
    let file = Memo::new(move |_| {
        app.progress.with(|progress| progress.files.iter().find(|file| file.path == named).cloned())
    });
    let share = move || file.with(|file| file.as_ref().map_or(0.0, share));
    let is_reading = Memo::new(move |_| file.with(|file| file.as_ref().is_some_and(is_reading)));
    let why = route::write(&Place::of_source(View::Open, &path));
    let asks_why = Memo::new(move |_| {
        file.with(|file| file.as_ref().is_some_and(|file| file.reason.is_some()))
    });
    view! {
        <li class="reading-file">
            <span class="reading-path"><RecordText text=path.clone()/></span>
            <Show when=move || is_reading.get()>
                <span class="meter" aria-hidden="true">
                    <span class="meter-fill" style:width=move || format!("{:.1}%", share() * 100.0)></span>
                </span>
            </Show>
            <span class=move || file.with(|file| format!("reading-state {}", tone(file.as_ref())))>
                {move || file.with(|file| file.as_ref().map(state))}
            </span>
            <span class="reading-says">
                {move || file.with(|file| file.as_ref().map(says)).map(|text| view! { <RecordText text/> })}
            </span>
            <Show when=move || asks_why.get()>
                <a class="reading-why" href=why.clone()>"Why"</a>
            </Show>
        </li>
    }
}

fn is_reading(file: &FileProgress) -> bool {
    file.state == FileState::Reading
}

fn share(file: &FileProgress) -> f64 {
    if file.bytes_total > 0.0 { (file.bytes_read / file.bytes_total).clamp(0.0, 1.0) } else { 1.0 }
}

fn tone(file: Option<&FileProgress>) -> &'static str {
    match file.map(|file| file.state) {
        Some(FileState::Ready) => "pass",
        Some(FileState::Raw) => "partial",
        Some(FileState::Refused) => "fail",
        Some(FileState::Reading) | None => "muted",
    }
}

/// How far it is, in a word or a number.
fn state(file: &FileProgress) -> String {
    match file.state {
        FileState::Reading => format::percent(file.bytes_read, file.bytes_total.max(1.0)),
        FileState::Ready => "ready".to_owned(),
        FileState::Raw => "raw".to_owned(),
        FileState::Refused => "refused".to_owned(),
    }
}

/// What it was taken for and what came of it, or why it is of no use.
fn says(file: &FileProgress) -> String {
    if let Some(reason) = &file.reason {
        return reason.clone();
    }
    let mut parts = Vec::new();
    parts.extend(file.members.map(|members| counted(members, "member")));
    parts.extend(file.format.clone());
    if file.records > 0 {
        parts.push(counted(file.records, "record"));
    }
    parts.join(", ")
}

/// Files that were read before those in the list.
fn earlier(progress: &Progress) -> Option<String> {
    let done = progress.files.iter().filter(|file| !is_reading(file)).count();
    let done = count(done);
    let earlier = progress.files_done.checked_sub(done).filter(|earlier| *earlier > 0)?;
    let noun = noun(u64::from(earlier), "file");
    Some(format!("{} more {noun} read.", platform::whole(earlier)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(state: FileState) -> FileProgress {
        FileProgress {
            path: "a.jsonl".to_owned(),
            bytes_read: 62.0,
            bytes_total: 100.0,
            state,
            records: 1200,
            members: None,
            format: Some("Reflexion task log".to_owned()),
            reason: None,
        }
    }

    #[test]
    fn a_file_says_how_far_it_is_and_what_it_is() {
        let reading = file(FileState::Reading);
        assert_eq!(state(&reading), "62 %");
        assert_eq!(says(&reading), "Reflexion task log, 1,200 records");
        let archive = FileProgress { members: Some(9), format: None, records: 0, ..reading };
        assert_eq!(says(&archive), "9 members");
        let reason = Some("reading a pickle would run its code".to_owned());
        let refused = FileProgress { reason, ..file(FileState::Refused) };
        assert_eq!(
            (state(&refused).as_str(), says(&refused).as_str()),
            ("refused", "reading a pickle would run its code")
        );
    }

    #[test]
    fn files_that_left_the_list_are_counted() {
        let files = vec![file(FileState::Ready), file(FileState::Reading)];
        let progress = Progress { files, files_done: 9, files_total: 20, ..Progress::default() };
        assert_eq!(earlier(&progress).as_deref(), Some("8 more files read."));
        let progress = Progress { files_done: 1, ..progress };
        assert_eq!(earlier(&progress), None);
    }
}
