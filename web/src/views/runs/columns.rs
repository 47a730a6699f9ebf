//! Columns of the list: which there are, which are shown, and how much room each takes.

use leptos::prelude::*;

use crate::components::close_by_itself;
use crate::platform;
use crate::protocol::Sort;

/// Name under which the choice is kept.
const KEPT: &str = "hindscope.columns";
const MENU: &str = "columns-menu";
const BUTTON: &str = "columns-button";
/// Space between columns, in pixels.
const GAP: f64 = 13.0;
/// The marks, and the edges of a row.
const EDGES: f64 = 26.0 + 2.0 * 12.0;

/// A column of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    /// Its order names it.
    pub(crate) sort: Sort,
    pub(crate) title: &'static str,
    pub(crate) class: &'static str,
    /// Its first click puts the largest first.
    pub(crate) falls_first: bool,
    /// What it shows, and by which rule; a title that says all of it has none.
    pub(crate) about: Option<&'static str>,
    /// Shown only where the reader wants it.
    is_optional: bool,
    /// Least width in pixels. `share` is its share of the width that is left; 0 for a fixed width.
    least: f64,
    share: u32,
}

const fn column(sort: Sort, title: &'static str, class: &'static str, least: f64) -> Column {
    let is_number = matches!(class.as_bytes(), [b'c', b'-', b'n', ..]);
    let (about, is_optional) = (None, false);
    Column { sort, title, class, falls_first: is_number, about, is_optional, least, share: 0 }
}

const fn optional(column: Column) -> Column {
    Column { is_optional: true, ..column }
}

const fn growing(column: Column, share: u32) -> Column {
    Column { share, ..column }
}

/// All of them, in the order in which they stand.
pub(crate) const COLUMNS: [Column; 19] = [
    growing(column(Sort::Key, "Run", "c-run", 150.0), 5),
    column(Sort::Iterations, "Iter.", "c-num", 38.0),
    column(Sort::Outcome, "Outcome", "c-outcome", 118.0),
    column(Sort::Last, "Reward", "c-num c-last", 92.0),
    optional(column(Sort::Best, "Best", "c-num", 52.0)),
    optional(column(Sort::Selected, "Selected", "c-num", 92.0)),
    optional(column(Sort::FirstSuccess, "First success", "c-num", 84.0)),
    optional(column(Sort::Trajectory, "Trajectory", "c-word", 82.0)),
    optional(column(Sort::Start, "Started", "c-date", 118.0)),
    optional(column(Sort::End, "Ended", "c-date", 118.0)),
    optional(column(Sort::Duration, "Duration", "c-num", 66.0)),
    optional(column(Sort::Tokens, "Tokens", "c-num", 84.0)),
    optional(column(Sort::Cost, "Cost, $", "c-num", 66.0)),
    optional(column(Sort::Reflections, "Refl.", "c-num", 38.0)),
    Column {
        about: Some(
            "The failure category that most reflections of the run give (aggregate/categories)",
        ),
        ..optional(column(Sort::Category, "Failure category", "c-category", 236.0))
    },
    column(Sort::Trend, "Trend", "c-trend", 150.0),
    Column {
        falls_first: true,
        about: Some("Where it was stuck and how it ended (headline/stuck, headline/end)"),
        ..growing(column(Sort::Verdict, "Verdict", "c-verdict", 180.0), 9)
    },
    column(Sort::Findings, "Find.", "c-num c-find", 42.0),
    growing(column(Sort::Group, "Source", "c-source", 96.0), 3),
];

/// Columns as they are laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    pub(crate) shown: Vec<Column>,
    /// Wanted ones for which there is no room.
    pub(crate) hidden: usize,
    /// Widths, as a style sheet wants them.
    pub(crate) template: String,
}

impl Layout {
    pub(crate) fn has(&self, sort: Sort) -> bool {
        self.shown.iter().any(|column| column.sort == sort)
    }
}

/// Lays out what is wanted in a width; optional columns that do not fit are left out. Names alone
/// need less room than names with their tasks.
pub(crate) fn layout(wanted: &[Sort], width: f64, has_tasks: bool) -> Layout {
    let is_wanted = |column: &&Column| !column.is_optional || wanted.contains(&column.sort);
    let mut shown: Vec<Column> = COLUMNS.iter().filter(is_wanted).copied().collect();
    let mut hidden = 0;
    let needed =
        |shown: &[Column]| EDGES + shown.iter().map(|column| column.least + GAP).sum::<f64>();
    // A verdict stands at the head of its run as well: it gives way to what the reader chose.
    if needed(&shown) > width && shown.iter().any(|column| column.is_optional) {
        shown.retain(|column| column.sort != Sort::Verdict);
    }
    while needed(&shown) > width
        && let Some(at) = shown.iter().rposition(|column| column.is_optional)
    {
        shown.remove(at);
        hidden += 1;
    }
    // Below its usual least width the page is medium: the source goes, names still say what it is, and then
    // the verdict.
    for sort in [Sort::Group, Sort::Verdict] {
        if needed(&shown) > width {
            shown.retain(|column| column.sort != sort);
        }
    }
    let widths: Vec<String> = shown
        .iter()
        .map(|column| match column.share {
            _ if column.sort == Sort::Key && !has_tasks => {
                format!("minmax({}px, 2fr)", column.least)
            }
            0 => format!("{}px", column.least),
            share => format!("minmax({}px, {share}fr)", column.least),
        })
        .collect();
    Layout { template: format!("26px {}", widths.join(" ")), shown, hidden }
}

/// The optional columns that were chosen on an earlier visit.
pub(crate) fn kept() -> Vec<Sort> {
    read(&platform::stored(KEPT).unwrap_or_default())
}

fn read(text: &str) -> Vec<Sort> {
    let names: Vec<&str> = text.split(',').collect();
    let optional = COLUMNS.iter().filter(|column| column.is_optional);
    optional.map(|column| column.sort).filter(|sort| names.contains(&sort.into_str())).collect()
}

fn keep(wanted: &[Sort]) {
    let names: Vec<&str> = wanted.iter().map(Sort::into_str).collect();
    platform::store(KEPT, Some(names.join(",").as_str()).filter(|names| !names.is_empty()));
}

/// The menu of optional columns.
#[component]
pub(crate) fn ColumnsMenu(wanted: RwSignal<Vec<Sort>>, hidden: Memo<usize>) -> impl IntoView {
    let is_open = RwSignal::new(false);
    close_by_itself(is_open, MENU, BUTTON);
    let items = || {
        COLUMNS.into_iter().filter(|column| column.is_optional).map(move |column| {
            let is_on = move || wanted.with(|wanted| wanted.contains(&column.sort));
            let toggle = move |_| {
                wanted.update(|wanted| match wanted.iter().position(|sort| *sort == column.sort) {
                    Some(at) => drop(wanted.remove(at)),
                    None => wanted.push(column.sort),
                });
                wanted.with_untracked(|wanted| keep(wanted));
            };
            view! {
                <li>
                    <button
                        class="menu-item"
                        role="checkbox"
                        aria-checked=move || is_on().to_string()
                        on:click=toggle
                    >
                        {column.title}
                    </button>
                </li>
            }
        })
    };
    let note = move || {
        (hidden.get() > 0).then(|| {
            let text = format!("No room for {} of them at this width.", hidden.get());
            view! { <li class="quiet menu-note">{text}</li> }
        })
    };
    view! {
        <div class="menu" id=MENU>
            <button
                class="small"
                id=BUTTON
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|is| *is = !*is)
            >
                "Columns"
            </button>
            <ul class="menu-list" aria-label="More columns" hidden=move || !is_open.get()>
                {items().collect::<Vec<_>>()}
                {note}
            </ul>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(layout: &Layout) -> Vec<&'static str> {
        layout.shown.iter().map(|column| column.title).collect()
    }

    #[test]
    fn optional_columns_give_way() {
        let usual = ["Run", "Iter.", "Outcome", "Reward", "Trend", "Verdict", "Find.", "Source"];
        assert_eq!(titles(&layout(&[], 1400.0, true)), usual);
        let wide = layout(&[Sort::Best, Sort::Start], 1400.0, true);
        assert_eq!(titles(&wide)[4..6], ["Best", "Started"]);
        assert_eq!(wide.hidden, 0);
        let close = layout(&[Sort::Best, Sort::Start], 900.0, true);
        assert_eq!((titles(&close)[4], close.hidden), ("Best", 1));
        assert!(!titles(&layout(&[], 700.0, true)).contains(&"Source"));
        assert!(wide.template.starts_with("26px minmax(150px, 5fr) 38px"));
        let names = layout(&[], 1400.0, false);
        assert!(names.template.starts_with("26px minmax(150px, 2fr) 38px"), "{}", names.template);
        let ends = "minmax(180px, 9fr) 42px minmax(96px, 3fr)";
        assert!(names.template.ends_with(ends), "the verdict has the room: {}", names.template);
    }

    #[test]
    fn what_is_kept_is_read_again() {
        assert_eq!(read("start,best,nonsense,run"), [Sort::Best, Sort::Start]);
        assert_eq!(read(""), []);
    }
}
