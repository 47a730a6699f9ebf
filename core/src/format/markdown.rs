//! The parts of Markdown that reports of loops use: headings, `**Key**: value` lines and tables.

use super::lines::{self, Line};
use crate::fences::Fence;

/// A report by its parts. Code blocks are left out.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The first heading of level 1.
    pub(crate) title: Option<String>,
    /// Keys in bold with their values, in order: of lines, and of tables with two columns.
    pub(crate) pairs: Vec<(String, String)>,
    pub(crate) tables: Vec<Table>,
}

/// A table with the heading above it.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) heading: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// A row, and its offset in the text.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) at: usize,
    pub(crate) cells: Vec<String>,
}

/// Reads a report.
pub(crate) fn read(text: &str) -> Report {
    let mut report = Report::default();
    let mut heading = String::new();
    // A row of cells that may be the head of a table.
    let mut head: Option<Vec<String>> = None;
    let mut open: Option<Table> = None;
    for Line { start: at, text: line } in lines(text) {
        let cells = cells(line);
        match (&mut open, cells) {
            (Some(table), Some(cells)) => table.rows.push(Row { at, cells }),
            (None, Some(cells)) if cells.iter().all(|cell| is_rule(cell)) => {
                open = head.take().map(|columns| Table {
                    heading: heading.clone(),
                    columns,
                    rows: Vec::new(),
                });
            }
            (None, Some(cells)) => head = Some(cells),
            (_, None) => {
                close(&mut report, open.take());
                head = None;
                if let Some((level, title)) = title_of(line) {
                    if level == 1 && report.title.is_none() {
                        report.title = Some(title.to_owned());
                    }
                    title.clone_into(&mut heading);
                } else {
                    report.pairs.extend(pair(line));
                }
            }
        }
    }
    close(&mut report, open);
    report
}

/// The first heading of level 1, without reading further.
pub(crate) fn title(text: &str) -> Option<&str> {
    let mut titles = lines(text).filter_map(|line| title_of(line.text));
    titles.find(|(level, _)| *level == 1).map(|(_, title)| title)
}

/// Lines outside of code blocks, with their offsets.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut open: Option<Fence<'_>> = None;
    lines::lines(text).filter(move |line| {
        let fence = Fence::of(line.text);
        match (open, fence) {
            (None, Some(fence)) if fence.opens() => open = Some(fence),
            (None, _) => return true,
            (Some(opening), Some(fence)) if opening.is_closed_by(fence) => open = None,
            _ => {}
        }
        false
    })
}

/// Level and text of a heading.
fn title_of(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    let title = line.get(level..)?.strip_prefix(' ')?;
    (1..=6).contains(&level).then(|| (level, title.trim()))
}

/// `**Key**: value` or `**Key:** value`.
fn pair(line: &str) -> Option<(String, String)> {
    let (key, rest) = line.trim_start().strip_prefix("**")?.split_once("**")?;
    let (key, value) = match key.strip_suffix(':') {
        Some(key) => (key, rest),
        None => (key, rest.trim_start().strip_prefix(':')?),
    };
    let (key, value) = (key.trim(), value.trim());
    (!key.is_empty() && !value.is_empty()).then(|| (key.to_owned(), value.to_owned()))
}

/// Cells of a line that begins as a row does. A bar behind a backslash belongs to its cell.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?;
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for c in inner.chars() {
        let Some(cell) = cells.last_mut() else { continue };
        match c {
            '|' if is_escaped => {
                cell.pop();
                cell.push('|');
            }
            '|' => cells.push(String::new()),
            c => cell.push(c),
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    if cells.len() > 1 && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    Some(cells.into_iter().map(|cell| cell.trim().to_owned()).collect())
}

/// `---`, `:--:`: what divides head and rows.
fn is_rule(cell: &str) -> bool {
    let dashes = cell.trim_start_matches(':').trim_end_matches(':');
    !dashes.is_empty() && dashes.bytes().all(|b| b == b'-')
}

/// Names of the first column of a table that lists keys.
const KEYS: [&str; 3] = ["Field", "Metric", "Key"];

fn close(report: &mut Report, table: Option<Table>) {
    let Some(table) = table else { return };
    let lists_keys = |name: &String| KEYS.contains(&name.as_str());
    if table.columns.len() == 2 && table.columns.first().is_some_and(lists_keys) {
        let pair = |row: &Row| match &row.cells[..] {
            [key, value] => Some((plain(key), value.clone())),
            _ => None,
        };
        report.pairs.extend(table.rows.iter().filter_map(pair));
    }
    report.tables.push(table);
}

/// A key without its emphasis.
fn plain(key: &str) -> String {
    key.trim_matches(['*', '_', ':', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_lines_and_tables() {
        let report = read(
            "# A: b\n\n**Task**: one\n**Status:** two\n**no key**\n| Field | Value |\n|---|:-:|\n| **Loop ID** | x\\|y |\n",
        );
        assert_eq!(report.title.as_deref(), Some("A: b"));
        let pairs: Vec<_> = report.pairs.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("Task", "one"), ("Status", "two"), ("Loop ID", "x|y")]);
    }

    #[test]
    fn tables_know_their_heading_and_where_rows_stand() {
        let text =
            "## History\ntext\n| # | A |\n|---|---|\n| 1 | a |\n| 2 | b | c |\n\n| no | table |\n";
        let report = read(text);
        let [table] = &report.tables[..] else { panic!("there is one") };
        assert_eq!((table.heading.as_str(), table.columns.len()), ("History", 2));
        let widths: Vec<_> = table.rows.iter().map(|row| row.cells.len()).collect();
        assert_eq!(widths, [2, 3]);
        assert!(text[table.rows[1].at..].starts_with("| 2 |"));
    }

    #[test]
    fn code_is_no_report() {
        assert_eq!(title("```\n# A\n```\n## B\n# C"), Some("C"));
        assert_eq!(title("````\n```\n# A\n~~~\n````\n# C"), Some("C"));
        assert_eq!(title("#no heading\n"), None);
    }
}
