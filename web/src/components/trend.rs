//! The outcomes of a run in the space of a table cell.

use leptos::prelude::*;

use super::mark::outcome_class;
use crate::protocol::outcome_of;

/// Letters that fit side by side.
const MOST: usize = 9;

/// One cell of a trend: a letter, and how often it stands there in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Letter(char, usize),
    /// So many attempts are not drawn.
    More(usize),
}

/// Shortens a row of letters: as it is where it fits, else with counts, else with both ends.
pub(crate) fn cells(letters: &str, iterations: usize) -> Vec<Cell> {
    let unknown = iterations.saturating_sub(letters.len());
    if letters.len() <= MOST && unknown == 0 {
        return letters.chars().map(|letter| Cell::Letter(letter, 1)).collect();
    }
    let letters: Vec<char> = letters.chars().collect();
    let runs: Vec<(char, usize)> =
        letters.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    let cell = |(letter, count): &(char, usize)| Cell::Letter(*letter, *count);
    let more = (unknown > 0).then_some(Cell::More(unknown));
    if runs.len() <= 6 {
        return runs.iter().map(cell).chain(more).collect();
    }
    let hidden: usize = runs[3..runs.len() - 2].iter().map(|(_, count)| count).sum();
    let ends = runs[runs.len() - 2..].iter().map(cell);
    runs[..3].iter().map(cell).chain([Cell::More(hidden)]).chain(ends).chain(more).collect()
}

/// Outcome letters of a run, in order.
#[component]
pub(crate) fn Trend(letters: String, iterations: u32) -> impl IntoView {
    let cells = cells(&letters, iterations as usize);
    let parts: Vec<_> = cells
        .into_iter()
        .map(|cell| match cell {
            Cell::Letter(letter, count) => {
                let class = format!("cell {}", outcome_class(outcome_of(letter)));
                let text = if count == 1 { letter.to_string() } else { format!("{letter}{count}") };
                view! { <span class=class>{text}</span> }.into_any()
            }
            Cell::More(count) => {
                view! { <span class="cell more">{format!("+{count}")}</span> }.into_any()
            }
        })
        .collect();
    view! { <span class="trend">{parts}</span> }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(letters: &str, iterations: usize) -> String {
        let texts = cells(letters, iterations).into_iter().map(|cell| match cell {
            Cell::Letter(letter, 1) => letter.to_string(),
            Cell::Letter(letter, count) => format!("{letter}{count}"),
            Cell::More(count) => format!("(+{count})"),
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn short_ones_are_written_out_and_long_ones_counted() {
        assert_eq!(written("FFFP", 4), "F F F P");
        assert_eq!(written(&format!("{}P", "F".repeat(20)), 21), "F20 P");
        assert_eq!(written(&"FP".repeat(20), 40), "F P F (+35) F P");
        assert_eq!(written(&"F".repeat(60), 200), "F60 (+140)");
        assert_eq!(written("", 0), "");
    }
}
