//! A menu of what runs can be written down as, and the files that come of it.

mod ticks;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::components::{Chevron, close_by_itself};
use crate::format::counted;
use crate::platform::{self, FileHandle};
use crate::protocol::{
    Answer, ChartPart, ExportForm, ExportOf, Exported, Include, Query, RunAddress, Weights,
};
use crate::state::{App, asked};
use ticks::{Ticks, measured};

/// Ids of the menu, of its button, and of its list.
const MENU: &str = "export";
const BUTTON: &str = "export-button";
const LIST: &str = "export-list";

/// Form, name, what it is, and how many runs it is for: `Some(true)` is for one run only, `Some(false)`
/// for several only, `None` for any number.
const FORMS: [(ExportForm, &str, &str, Option<bool>); 10] = [
    (ExportForm::History, "History", "opens here again", None),
    (ExportForm::Viewer, "Viewer copy", "the page, the history inside", None),
    (ExportForm::Csv, "CSV", "a row for each iteration", None),
    (ExportForm::Analytics, "Analytics CSV", "opens here again", Some(true)),
    (ExportForm::Markdown, "Markdown", "a report to read", None),
    (ExportForm::Report, "HTML report", "one file, with charts", None),
    (ExportForm::JsonRuns, "JSON: list", "the runs as listed", Some(false)),
    (ExportForm::JsonRun, "JSON: iterations", "in full", None),
    (ExportForm::JsonFindings, "JSON: findings", "problems found", None),
    (ExportForm::JsonExplain, "JSON: explanation", "what was learned", None),
];

/// A button that opens the list of forms, and how far the export is that is being written.
#[component]
pub(crate) fn ExportMenu<F>(
    /// Which runs these are, for those who cannot see where the button stands.
    label: &'static str,
    /// The runs, asked for when a form is chosen.
    runs: F,
    /// How many there are.
    count: Signal<u32>,
    /// It is about one run, whatever else is open.
    #[prop(optional)]
    is_one: bool,
) -> impl IntoView
where
    F: Fn() -> ExportOf + Clone + Send + Sync + 'static,
{
    let app = App::get();
    let is_open = RwSignal::new(false);
    let include = RwSignal::new(Include::default());
    close_by_itself(is_open, MENU, BUTTON);
    let of = runs.clone();
    let weights = asked(
        move || is_open.get().then(|| Query::Weigh { runs: of(), include: include.get() }),
        Answer::try_as_weights,
    );
    let weight = move |form| {
        weights.answer.with(|weights| weights.as_ref().and_then(|weights| size(weights, form)))
    };
    let is_idle = Memo::new(move |_| app.exporting.with(Option::is_none));
    let list = move || {
        let runs = runs.clone();
        FORMS
            .into_iter()
            .filter(|(.., only)| only.is_none_or(|one| one == is_one))
            .filter(|(form, ..)| *form != ExportForm::Viewer || platform::has_viewer())
            .map(|(form, name, what, _)| {
                let runs = runs.clone();
                let choose = move |_| {
                    is_open.set(false);
                    platform::focus_id(BUTTON);
                    let include = include.get_untracked();
                    app.export((runs(), form, include), count.get_untracked());
                };
                view! {
                    <li>
                        <button class="export-form" on:click=choose>
                            <span class="export-name">{name}</span>
                            <span class="quiet export-what">{what}</span>
                            <span class="export-size">{move || weight(form)}</span>
                        </button>
                    </li>
                }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <div class="export" id=MENU>
            <Show when=move || !is_idle.get()>
                <span class="quiet export-progress">{move || app.exporting.get().map(written)}</span>
                <button class="small" aria-label="Cancel the export" on:click=move |_| app.cancel()>
                    "Cancel"
                </button>
            </Show>
            <button
                class="small"
                id=BUTTON
                aria-label=label
                aria-expanded=move || is_open.get().to_string()
                aria-controls=LIST
                disabled=move || count.get() == 0
                aria-disabled=move || (!is_idle.get()).to_string()
                on:click=move |_| is_open.update(|is| *is = !*is && is_idle.get_untracked())
            >
                "Export"
                <Chevron/>
            </button>
            <div class="export-list" id=LIST hidden=move || !is_open.get()>
                <ul aria-label="Formats">{list()}</ul>
                <Ticks include weights=weights.answer/>
            </div>
        </div>
    }
}

/// How large a form becomes, if that is known.
fn size(weights: &Weights, form: ExportForm) -> Option<String> {
    let (_, bytes) = weights.forms.iter().find(|(own, _)| *own == form)?;
    Some(measured(weights, *bytes))
}

/// How far an export is.
fn written((done, total): (u32, u32)) -> String {
    format!("Writing: {} of {}", platform::whole(done), counted(total, "run"))
}

impl App {
    /// Has the chart of a run made a picture, and lets the browser save it.
    pub(crate) fn export_chart(self, run: RunAddress, part: ChartPart, is_png: bool) {
        if self.exporting.with_untracked(Option::is_some) {
            return;
        }
        self.notice.set(None);
        self.exporting.set(Some((0, 1)));
        let query = Query::Export {
            runs: ExportOf::Run(run),
            form: ExportForm::Chart(part),
            include: Include::default(),
        };
        self.ask_for_page(query, move |answer| match answer {
            Answer::Export(Exported { name, file }) if is_png => {
                let name = format!("{}.png", name.trim_end_matches(".svg"));
                let named = name.clone();
                platform::as_png(&file, &name, 2.0, move |file| {
                    let answer = match file {
                        Ok(file) => Answer::Export(Exported { name: named, file }),
                        Err(reason) => Answer::Failed(format!("There is no picture: {reason}.")),
                    };
                    self.save_export(answer);
                });
            }
            answer => self.save_export(answer),
        });
    }

    /// Has runs written down, and lets the browser save what comes of it.
    fn export(self, (runs, form, include): (ExportOf, ExportForm, Include), count: u32) {
        if self.exporting.with_untracked(Option::is_some) {
            return;
        }
        self.notice.set(None);
        self.exporting.set(Some((0, count)));
        self.say(format!("Exporting {}.", counted(count, "run")));
        self.ask_for_page(Query::Export { runs, form, include }, move |answer| match answer {
            Answer::Export(exported) if form == ExportForm::Viewer => {
                spawn_local(self.save_viewer(exported));
            }
            answer => self.save_export(answer),
        });
    }

    /// Lets the browser save what was exported, or says why there is nothing.
    fn save_export(self, answer: Answer) {
        match answer {
            Answer::Export(Exported { name, file }) => self.save(&file, &name),
            Answer::Failed(reason) => self.fail_export(reason),
            _ => {
                let problem = "Files are being read. Export again when that is over.";
                self.fail_export(problem.to_owned());
            }
        }
    }

    /// Puts a history into a copy of the single file.
    async fn save_viewer(self, history: Exported) {
        match platform::viewer_copy(&history.file, &history.name).await {
            Ok(copy) => self.save(&copy, &copy.name()),
            Err(reason) => self.fail_export(format!("The copy cannot be made: {reason}.")),
        }
    }

    fn save(self, file: &FileHandle, name: &str) {
        match platform::save(file, name) {
            Ok(()) => {
                self.exporting.set(None);
                self.say(format!("Exported as {name}."));
            }
            Err(reason) => self.fail_export(format!("The export cannot be saved: {reason}.")),
        }
    }

    fn fail_export(self, problem: String) {
        self.exporting.set(None);
        self.say(problem.clone());
        self.notice.set(Some(problem));
    }

    /// Shows how far an export is, and says it at each quarter.
    pub(crate) fn hear_exporting(self, done: u32, total: u32) {
        let before = self.exporting.get_untracked().map_or(0, |(before, _)| before);
        let quarter = |done: u32| u64::from(done) * 4 / u64::from(total.max(1));
        if quarter(done) > quarter(before) {
            self.say(format!("{} per cent written.", quarter(done) * 25));
        }
        self.exporting.set(Some((done, total)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_far_an_export_is() {
        assert_eq!(written((0, 1)), "Writing: 0 of 1 run");
        assert_eq!(written((1200, 10_000)), "Writing: 1,200 of 10,000 runs");
    }

    #[test]
    fn sizes_say_whether_they_were_measured() {
        let forms = vec![(ExportForm::Csv, 12_300.0)];
        let exact = Weights { is_exact: true, records: 5.0, forms };
        assert_eq!(size(&exact, ExportForm::Csv).as_deref(), Some("12 KB"));
        assert_eq!(size(&exact, ExportForm::Viewer), None);
        let about = Weights { is_exact: false, ..exact };
        assert_eq!(size(&about, ExportForm::Csv).as_deref(), Some("\u{2248} 12 KB"));
    }

    #[test]
    fn every_form_has_a_name_of_its_own() {
        let mut names: Vec<_> = FORMS.iter().map(|(_, name, ..)| name).collect();
        names.dedup();
        assert_eq!(names.len(), FORMS.len());
    }
}
