//! The address and what it means, both ways.
//!
//! Everything lives in the hash, so the page works from any folder of any host and nothing of it
//! reaches a server. Parts that this version does not know are kept and ignored.

mod lists;

use std::fmt::Write;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::protocol::RunAddress;
pub(crate) use lists::Lists;

/// What stands in a fragment as it is, beside letters and digits.
const PLAIN: &AsciiSet = &IN_LIST.remove(b',');
/// The same in a list, whose items have commas between them.
const IN_LIST: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// Where the reader is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) view: View,
    pub(crate) query: Query,
}

/// The part before the question mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// `#/`
    #[default]
    Open,
    /// `#/runs`
    Runs,
    /// `#/run/{key}`, `#/run/{key}/{tab}`, `#/run/{key}/{tab}/{n}`
    Run { key: String, tab: RunTab, number: Option<i64> },
    /// `#/findings`
    Findings,
    /// `#/compare`
    Compare,
    /// `#/search`
    Search,
    /// Anything else.
    Unknown(String),
}

impl View {
    /// The key of the run, where one is meant.
    pub(crate) fn run_key(&self) -> Option<&str> {
        match self {
            Self::Run { key, .. } => Some(key),
            _ => None,
        }
    }

    /// The iteration that the address names.
    pub(crate) fn number(&self) -> Option<i64> {
        match self {
            Self::Run { number, .. } => *number,
            _ => None,
        }
    }

    /// The tab of the run that the address names.
    pub(crate) fn tab(&self) -> Option<RunTab> {
        match self {
            Self::Run { tab, .. } => Some(*tab),
            _ => None,
        }
    }

    /// The same run at another tab or iteration; itself where it is no run.
    pub(crate) fn at(&self, tab: RunTab, number: Option<i64>) -> Self {
        match self {
            Self::Run { key, .. } => Self::Run { key: key.clone(), tab, number },
            other => other.clone(),
        }
    }

    /// Equal for places that show the same page; the iterations and tabs of one run do.
    pub(crate) fn page(&self) -> Self {
        self.at(RunTab::default(), None)
    }
}

/// What of a run is shown. In an address, an attempt among the others is called `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(crate) enum RunTab {
    /// All reflections in one column. Where a run has too few for one, its attempts stand here.
    #[default]
    Reflections,
    #[strum(serialize = "i")]
    Attempts,
    /// Errors and lessons over the attempts.
    #[strum(to_string = "errors", serialize = "lessons")]
    Errors,
    Window,
    Findings,
    Data,
    /// What is planned and done in one attempt, action by action.
    #[strum(serialize = "attempt")]
    Actions,
}

impl RunTab {
    /// Its name on the page.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Reflections => "Reflections",
            Self::Attempts => "Attempts",
            Self::Errors => "Errors and lessons",
            Self::Window => "Window",
            Self::Findings => "Findings",
            Self::Data => "Data",
            Self::Actions => "Actions",
        }
    }

    /// Whether the attempt that is looked at stands beside it.
    pub(crate) fn is_split(self) -> bool {
        matches!(self, Self::Reflections | Self::Attempts | Self::Errors)
    }
}

/// The part after the question mark. Absent means the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// `g`: label of the group, for keys that several groups have.
    pub(crate) group: Option<String>,
    /// `omega`: the window's size as chosen here.
    pub(crate) omega: Option<u8>,
    /// `policy`: of the window, as chosen here.
    pub(crate) policy: Option<String>,
    /// `budget`: tokens of the window.
    pub(crate) budget: Option<u32>,
    /// `layout`: of the window's text.
    pub(crate) layout: Option<String>,
    /// `text`: which text of the window: `stored` or `difference`; computed without it.
    pub(crate) side: Option<String>,
    /// `record`: `path:line:column` of the record that is looked at.
    pub(crate) record: Option<String>,
    /// `full`: the inspector has the whole width.
    pub(crate) is_full: bool,
    /// `sort`: a column's name, with `-` before it for falling order.
    pub(crate) sort: Option<String>,
    /// `q`: the query that runs, findings or search results must match.
    pub(crate) text: Option<String>,
    /// `outcome`
    pub(crate) outcome: Option<String>,
    /// `level`
    pub(crate) level: Option<String>,
    /// `kind`: findings about what runs did, or about files.
    pub(crate) kind: Option<String>,
    /// `rule`
    pub(crate) rule: Option<String>,
    /// `run`: findings of one run only, by its key.
    pub(crate) run: Option<String>,
    /// `source`: findings of one source only, by its path.
    pub(crate) source: Option<String>,
    /// `zoom`: numbers of the first and the last iteration that chart and errors show, `3..40`.
    pub(crate) zoom: Option<String>,
    /// `unit`: `points` for rewards from 0 to 100.
    pub(crate) unit: Option<String>,
    /// `series`: name of the series that the chart shows.
    pub(crate) series: Option<String>,
    /// `from`: the iteration that lessons are compared with.
    pub(crate) from: Option<String>,
    /// `mode`: how a tab shows what it has.
    pub(crate) mode: Option<String>,
    /// `in`: parts of records that are searched, with commas.
    pub(crate) parts: Option<String>,
    /// `hit`: position of the hit that the reader stands at, from 1.
    pub(crate) hit: Option<u32>,
    /// `reward`: what the reward of a run must be.
    pub(crate) reward: Option<String>,
    /// `finding`: what findings a run must have.
    pub(crate) finding: Option<String>,
    /// `by`: what the list of runs, or of findings, is divided by.
    pub(crate) by: Option<String>,
    /// Lists, and what goes with them.
    pub(crate) lists: Lists,
    /// `mute`, once for each rule whose findings are left out.
    pub(crate) muted: Vec<String>,
    /// `shut`, once for each group whose findings are left out.
    pub(crate) shut: Vec<String>,
    /// `show`: the part of a view that is shown.
    pub(crate) show: Option<String>,
    /// `src`: the sources that whoever copied the link had open, by their digests.
    pub(crate) src: Option<String>,
    /// What is not known here, untouched.
    pub(crate) rest: Vec<String>,
}

impl Place {
    /// A view without any choice made in it.
    pub(crate) fn of(view: View) -> Self {
        Self { view, query: Query::default() }
    }

    /// A view in which one file is chosen, by its path.
    pub(crate) fn of_source(view: View, path: &str) -> Self {
        Self { view, query: Query { source: Some(path.to_owned()), ..Query::default() } }
    }

    /// The run of the same address at another iteration, or another tab of it. Another iteration
    /// stands in other records, and has other actions.
    pub(crate) fn with_view(&self, view: View) -> Self {
        let mut query = self.query.clone();
        if view.number() != self.view.number() {
            query.record = None;
            query.lists.action = None;
        }
        Self { view, query }
    }

    /// The address of the same run at another tab or iteration.
    pub(crate) fn href_at(&self, tab: RunTab, number: Option<i64>) -> String {
        write(&self.with_view(self.view.at(tab, number)))
    }
}

/// Reads the hash of an address, with or without its `#`.
pub(crate) fn read(hash: &str) -> Place {
    let hash = hash.strip_prefix('#').unwrap_or(hash);
    let (path, query) = hash.split_once('?').unwrap_or((hash, ""));
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let view = match parts.as_slice() {
        [""] => View::Open,
        ["runs"] => View::Runs,
        ["findings"] => View::Findings,
        ["compare"] => View::Compare,
        ["search"] => View::Search,
        ["run", key, rest @ ..] if !key.is_empty() => {
            of_run(decode(key), rest).unwrap_or_else(|| View::Unknown(path.to_owned()))
        }
        _ => View::Unknown(path.to_owned()),
    };
    Place { view, query: read_query(query) }
}

/// What the parts behind the key of a run mean.
fn of_run(key: String, parts: &[&str]) -> Option<View> {
    let tab = |name: &str| name.parse::<RunTab>().ok();
    let (tab, number) = match parts {
        [] => (RunTab::Reflections, None),
        [name] => (tab(name)?, None),
        [name, n] => (tab(name)?, Some(n.parse().ok()?)),
        _ => return None,
    };
    Some(View::Run { key, tab, number })
}

fn read_query(text: &str) -> Query {
    let mut query = Query::default();
    for part in text.split('&').filter(|part| !part.is_empty()) {
        let (name, raw) = part.split_once('=').unwrap_or((part, ""));
        if query.lists.read(name, raw) {
            continue;
        }
        let value = decode(raw);
        let is_known = match MEMBERS.iter().find(|(known, _)| *known == name) {
            Some((_, Member::Text(field))) => {
                *field(&mut query) = Some(value).filter(|value| !value.is_empty());
                true
            }
            Some((_, Member::Number(read, _))) => read(&mut query, &value),
            Some((_, Member::Each(field))) => {
                let list = field(&mut query);
                if !list.contains(&value) {
                    list.push(value);
                }
                true
            }
            None => false,
        };
        if !is_known {
            query.rest.push(part.to_owned());
        }
    }
    query
}

/// How a member of the query is read and written.
enum Member {
    /// A text; an empty one is absent.
    Text(fn(&mut Query) -> &mut Option<String>),
    /// How a value is read from text, which says whether the text is a known value, and how it is written.
    Number(fn(&mut Query, &str) -> bool, fn(&Query) -> Option<String>),
    /// Stands once for each value.
    Each(fn(&mut Query) -> &mut Vec<String>),
}

/// Puts a number into a field, and says whether it is one.
fn set<T>(field: &mut Option<T>, number: Option<T>) -> bool {
    let is_known = number.is_some();
    if is_known {
        *field = number;
    }
    is_known
}

/// Every member except those of `Lists`, in the order in which they are written.
#[rustfmt::skip] // A table.
const MEMBERS: [(&str, Member); 30] = [
    ("g", Member::Text(|query| &mut query.group)),
    ("omega", Member::Number(
        |query, text| set(&mut query.omega, text.parse().ok().filter(|omega| *omega <= 10)),
        |query| query.omega.map(|omega| omega.to_string()),
    )),
    ("policy", Member::Text(|query| &mut query.policy)),
    ("budget", Member::Number(
        |query, text| set(&mut query.budget, text.parse().ok()),
        |query| query.budget.map(|budget| budget.to_string()),
    )),
    ("layout", Member::Text(|query| &mut query.layout)),
    ("text", Member::Text(|query| &mut query.side)),
    ("record", Member::Text(|query| &mut query.record)),
    ("full", Member::Number(
        |query, text| { query.is_full |= text == "1"; text == "1" },
        |query| query.is_full.then(|| "1".to_owned()),
    )),
    ("sort", Member::Text(|query| &mut query.sort)),
    ("q", Member::Text(|query| &mut query.text)),
    ("outcome", Member::Text(|query| &mut query.outcome)),
    ("level", Member::Text(|query| &mut query.level)),
    ("kind", Member::Text(|query| &mut query.kind)),
    ("rule", Member::Text(|query| &mut query.rule)),
    ("run", Member::Text(|query| &mut query.run)),
    ("source", Member::Text(|query| &mut query.source)),
    ("zoom", Member::Text(|query| &mut query.zoom)),
    ("unit", Member::Text(|query| &mut query.unit)),
    ("series", Member::Text(|query| &mut query.series)),
    ("from", Member::Text(|query| &mut query.from)),
    ("mode", Member::Text(|query| &mut query.mode)),
    ("in", Member::Text(|query| &mut query.parts)),
    ("hit", Member::Number(
        |query, text| set(&mut query.hit, text.parse().ok().filter(|hit| *hit > 0)),
        |query| query.hit.map(|hit| hit.to_string()),
    )),
    ("reward", Member::Text(|query| &mut query.reward)),
    ("finding", Member::Text(|query| &mut query.finding)),
    ("by", Member::Text(|query| &mut query.by)),
    ("show", Member::Text(|query| &mut query.show)),
    ("src", Member::Text(|query| &mut query.src)),
    ("mute", Member::Each(|query| &mut query.muted)),
    ("shut", Member::Each(|query| &mut query.shut)),
];

/// The place of a run: one of its iterations, or where something happened in it.
pub(crate) fn run_place(run: &RunAddress, number: Option<i64>) -> Place {
    let tab = if number.is_some() { RunTab::Attempts } else { RunTab::Reflections };
    let mut place = Place::of(View::Run { key: run.key.clone(), tab, number });
    place.query.group.clone_from(&run.group);
    place
}

/// Writes the hash of a place, with its `#`.
pub(crate) fn write(place: &Place) -> String {
    let mut text = String::from("#/");
    match &place.view {
        View::Open => {}
        View::Runs => text.push_str("runs"),
        View::Findings => text.push_str("findings"),
        View::Compare => text.push_str("compare"),
        View::Search => text.push_str("search"),
        View::Run { key, tab, number } => {
            text.push_str("run/");
            text.push_str(&encode(key, PLAIN));
            if *tab != RunTab::Reflections || number.is_some() {
                let _ = write!(text, "/{}", tab.into_str());
            }
            if let Some(number) = number {
                let _ = write!(text, "/{number}");
            }
        }
        View::Unknown(path) => text.push_str(path.trim_start_matches('/')),
    }
    write_query(&place.query, &mut text);
    text
}

fn write_query(query: &Query, text: &mut String) {
    // Fields are found by mutable references only.
    let mut fields = query.clone();
    let mut parts = Vec::new();
    for (name, member) in &MEMBERS {
        let values = match member {
            Member::Text(field) => field(&mut fields).take().into_iter().collect(),
            Member::Number(_, write) => write(query).into_iter().collect(),
            Member::Each(field) => std::mem::take(field(&mut fields)),
        };
        parts.extend(values.iter().map(|value| format!("{name}={}", encode(value, PLAIN))));
    }
    parts.extend(query.lists.parts());
    parts.extend(query.rest.iter().cloned());
    if !parts.is_empty() {
        let _ = write!(text, "?{}", parts.join("&"));
    }
}

fn encode(value: &str, set: &'static AsciiSet) -> String {
    utf8_percent_encode(value, set).to_string()
}

/// A `%` that starts no code stays.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(hash: &str) {
        assert_eq!(write(&read(hash)), hash);
    }

    #[test]
    fn addresses_survive_both_ways() {
        kept("#/");
        kept("#/runs?sort=-last&q=cache%20keys&outcome=failure");
        kept("#/run/env_12");
        kept("#/run/HumanEval%2F12/i/3?g=logs%2Fa.jsonl&omega=2");
        kept("#/run/env_12/window/14");
        kept("#/run/env_12/i/4?zoom=-3..40&unit=points&series=completion%20percent");
        kept(
            "#/run/env_12/window/14?omega=0&policy=relevance_weighted&budget=280&layout=aiwg-guide&text=stored",
        );
        kept("#/run/env_12/data/3?record=b.zip%2Fit-9.json:1:1&full=1");
        kept("#/findings?level=error&rule=jsonl%2Fbad-line");
        kept("#/runs?unknown=1&later");
        kept("#/findings?by=run&show=damage&mute=rm%2Ffuture&mute=rm%2Fexit-code&shut=env_3&shut=");
        kept("#/run/env_12/i/3?src=4f9a02c1d3e5b678&later=x");
        kept("#/compare?series=reported&mode=grid&runs=a,b");
        kept("#/run/env_12/errors/9?from=4&mode=words");
        kept("#/search?q=timeout&run=env_12&in=reflection,raw&hit=3");
        for tab in ["i", "errors", "window", "findings", "data", "attempt"] {
            kept(&format!("#/run/env_12/{tab}"));
            kept(&format!("#/run/env_12/{tab}/-3"));
        }
        kept("#/run/env_12/reflections/4?show=new");
        assert_eq!(write(&read("#/run/a/lessons/2")), "#/run/a/errors/2", "links of older pages");
    }

    #[test]
    fn reads_what_people_type() {
        assert_eq!(read("").view, View::Open);
        assert_eq!(read("#").view, View::Open);
        assert_eq!(read("#runs").view, View::Runs);
        assert_eq!(
            read("#/run/a%2Fb%25/i/-1").view,
            View::Run { key: "a/b%".into(), tab: RunTab::Attempts, number: Some(-1) }
        );
        assert_eq!(
            read("#/run/100%").view,
            View::Run { key: "100%".into(), tab: RunTab::Reflections, number: None }
        );
        assert!(matches!(read("#/run/").view, View::Unknown(_)));
        assert!(matches!(read("#/run/a/i/x").view, View::Unknown(_)));
        assert_eq!(read("#/runs?omega=11").query.omega, None);
        assert_eq!(read("#/runs?omega=0").query.omega, Some(0));
    }

    /// A name that two readers knew went to one of them, and the other never saw it.
    #[test]
    fn each_name_is_of_one_part() {
        let place = read("#/run/env_12/lessons/9?from=4&mode=words&series=checks&sort=a&by=run");
        let query = place.query;
        let known = [&query.from, &query.mode, &query.series, &query.sort, &query.by];
        let words = known.map(|word| word.as_deref().unwrap_or_default());
        assert_eq!(words, ["4", "words", "checks", "a", "run"]);
    }

    #[test]
    fn keys_of_any_script_survive() {
        for key in ["タスク 7", "a?b#c&d=e", "..", "%2F", "\u{202e}x"] {
            let place =
                Place::of(View::Run { key: key.into(), tab: RunTab::Errors, number: Some(3) });
            assert_eq!(read(&write(&place)), place, "{key}");
        }
    }
}
