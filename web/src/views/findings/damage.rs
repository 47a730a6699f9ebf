//! The damage report: what of each file was kept, skipped, repaired or refused, with the bytes there.

use hindscope::{SourceId, SourceView};
use leptos::prelude::*;

use super::hex::{self, HexRow};
use crate::components::{Chevron, CopyButton, RecordText, Toggle, code};
use crate::format;
use crate::platform;
use crate::protocol::{Answer, BytesBody, DamageKind, DamagePart, DamageRow, Query, Rows, float};
use crate::route::{self, Place, View};
use crate::state::{App, asked};

/// Files, and parts of a file, that are shown before the reader asks for more.
const STEP: u32 = 100;
/// Bytes that are shown before and behind a place.
const BEFORE: u64 = 64;
const BEHIND: u64 = 192;

/// What each damaged file lost.
#[component]
pub(super) fn DamageReport() -> impl IntoView {
    let shown = RwSignal::new(STEP);
    let report = asked(
        move || Some(Query::Damage(Rows { first: 0, count: shown.get() })),
        Answer::try_as_damage,
    );
    let page = report.answer;
    let total = Memo::new(move |_| page.with(|page| page.as_ref().map_or(0, |page| page.total)));
    let says = move || page.with(|page| page.as_ref().map(|page| counted(page.total, page.all)));
    let files = move || {
        let is_only = total.get() == 1;
        page.with(|page| {
            let rows = page.as_ref().map(|page| page.rows.clone()).unwrap_or_default();
            rows.into_iter().map(|row| view! { <File row is_only/> }).collect::<Vec<_>>()
        })
    };
    view! {
        <p class="findings-count">{says}</p>
        <ul class="damage">{files}</ul>
        <More shown total/>
    }
}

fn counted(damaged: u32, all: u32) -> String {
    let files = format::counted(all, "file");
    if damaged == 0 {
        return format!("Nothing was skipped, repaired or refused in {files}.");
    }
    format!(
        "In {} of {files}, something was skipped, repaired or refused while reading. The files themselves are unchanged.",
        platform::whole(damaged)
    )
}

/// A button for what is not shown yet.
#[component]
fn More(shown: RwSignal<u32>, total: Memo<u32>) -> impl IntoView {
    let rest = move || total.get().saturating_sub(shown.get());
    view! {
        <Show when=move || rest() != 0>
            <button class="more" on:click=move |_| shown.update(|shown| *shown += STEP * 5)>
                {move || format!("Show more: {} not shown", platform::whole(rest()))}
            </button>
        </Show>
    }
}

/// A file with its counts, and the parts of it when it is opened.
#[component]
fn File(row: DamageRow, is_only: bool) -> impl IntoView {
    let app = App::get();
    let DamageRow { view: source, is_refused } = row;
    let path = StoredValue::new(source.path.clone());
    let is_open = Memo::new(move |_| {
        let chosen = app.place.with(|place| place.query.source.clone());
        chosen.map_or(is_only, |chosen| path.with_value(|path| *path == chosen))
    });
    let click = move |_| {
        let open = (!is_open.get_untracked()).then(|| path.get_value());
        // An only file is open unless the address names another one. No file has the empty name, so
        // choosing that closes it.
        app.choose(|query| query.source = open.or_else(|| is_only.then(String::new)));
    };
    let file = Place::of_source(View::Open, &source.path);
    let id = source.id;
    let facts = facts(&source, is_refused);
    view! {
        <li class="damaged" class:open=move || is_open.get()>
            <div class="damaged-head">
                <button class="fold-button" aria-expanded=move || is_open.get().to_string() on:click=click>
                    <Chevron/>
                    <strong class="damaged-path"><RecordText text=source.path.clone()/></strong>
                </button>
                <span class="damaged-facts">{facts}</span>
                <a href=route::write(&file)>"File"</a>
            </div>
            {source.reason.clone().map(|text| view! { <p class="reason"><RecordText text/></p> })}
            <Show when=move || is_open.get()>
                <Parts id path/>
            </Show>
        </li>
    }
}

/// What was kept and what was not, in words.
fn facts(source: &SourceView, is_refused: bool) -> String {
    if is_refused {
        return format!("refused  {}", format::bytes(float(source.bytes)));
    }
    let counts =
        [("kept", source.kept), ("skipped", source.skipped), ("repaired", source.repaired)];
    let parts = counts.map(|(word, count)| format!("{word} {}", platform::whole(count)));
    parts.join("  ")
}

#[component]
fn Parts(id: SourceId, path: StoredValue<String>) -> impl IntoView {
    let shown = RwSignal::new(STEP);
    let parts = asked(
        move || Some(Query::DamageOf { source: id, rows: Rows { first: 0, count: shown.get() } }),
        Answer::try_as_damage_of,
    );
    let page = parts.answer;
    let total = Memo::new(move |_| page.with(|page| page.as_ref().map_or(0, |page| page.total)));
    let rows = move || {
        page.with(|page| {
            let rows = page.as_ref().map(|page| page.rows.clone()).unwrap_or_default();
            rows.into_iter().map(|part| view! { <Part id path part/> }).collect::<Vec<_>>()
        })
    };
    view! {
        <ul class="damage-parts">{rows}</ul>
        <More shown total/>
    }
}

/// A part that was skipped, repaired or refused.
#[component]
fn Part(id: SourceId, path: StoredValue<String>, part: DamagePart) -> impl IntoView {
    let app = App::get();
    let place = place_of(&part);
    let dump = RwSignal::new(None::<String>);
    let has_bytes = RwSignal::new(false);
    let copied = {
        let part = part.clone();
        Callback::new(move |()| {
            let path = path.get_value();
            dump.with_untracked(|dump| markdown(&path, &part, dump.as_deref()))
        })
    };
    let tone = match part.kind {
        DamageKind::Skipped | DamageKind::Refused => "state fail",
        DamageKind::Repaired => "state partial",
    };
    let what = format!("{} of {place}", part.kind.into_str());
    let save = part.stretch.filter(|(start, end)| end > start).map(|(start, end)| {
        let name = path.with_value(|path| file_name(path, &part));
        let click = move |_| {
            let name = name.clone();
            app.save_answer(Query::SaveBytes { source: id, start, end, name });
        };
        view! {
            <button class="small" aria-label=format!("Save what was {what}") on:click=click>
                {format!("Save {}", format::bytes(float(end - start)))}
            </button>
        }
    });
    let around = range(&part);
    let bytes = around.map(|_| view! { <Toggle is_on=has_bytes opens=true>"Bytes"</Toggle> });
    view! {
        <li class="damage-part">
            <div class="damage-line">
                <span class=tone>{part.kind.into_str()}</span>
                <span class="place">{place}</span>
                {part.rule.clone().map(|rule| view! { <code class="rule">{rule}</code> })}
                <span class="damage-acts">
                    {bytes}
                    <CopyButton text=copied what/>
                    {save}
                </span>
            </div>
            <p class="damage-reason"><RecordText text=part.reason.clone()/></p>
            {move || around.filter(|_| has_bytes.get()).map(|(from, marked)| {
                view! { <Bytes id from marked dump/> }
            })}
        </li>
    }
}

/// The bytes to show, and those of them that are marked: all that was skipped, nothing of a refused
/// file, else the byte at the place.
fn range(part: &DamagePart) -> Option<((u64, u64), (u64, u64))> {
    let at = part.offset.or(part.stretch.map(|(start, _)| start))?;
    let marked = match (part.kind, part.stretch) {
        (DamageKind::Skipped, Some((start, end))) if end > start => (start, end),
        (DamageKind::Refused, _) => (0, 0),
        _ => (at, at + 1),
    };
    Some((hex::around(at, BEFORE, BEHIND), marked))
}

/// `412:88`, or the byte.
fn place_of(part: &DamagePart) -> String {
    match (part.line, part.column, part.offset.or(part.stretch.map(|(start, _)| start))) {
        (Some(line), Some(column), _) => format!("{line}:{column}"),
        (Some(line), None, _) => format!("line {line}"),
        (None, _, Some(offset)) => format!("byte {offset}"),
        (None, _, None) => "the whole file".to_owned(),
    }
}

/// The name of a file with the bytes of a part: the file's own, with the line before its ending.
fn file_name(path: &str, part: &DamagePart) -> String {
    // An entry of an archive may be called anything, also `..\..\a.json` or `C:a.json`.
    let name = path.rsplit(['/', '>', '\\', ':']).next().unwrap_or(path).trim();
    let name = if name.trim_matches('.').is_empty() { "file" } else { name };
    if part.kind == DamageKind::Refused {
        return name.to_owned();
    }
    let line = part.line.map_or_else(|| "part".to_owned(), |line| format!("line-{line}"));
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => format!("{stem}-{line}.{ending}"),
        _ => format!("{name}-{line}"),
    }
}

/// A part as one block for an issue or a chat.
fn markdown(path: &str, part: &DamagePart, dump: Option<&str>) -> String {
    let place = code(&format!("{path}:{}", place_of(part)));
    let rule = part.rule.as_ref().map(|rule| format!(" `{rule}`")).unwrap_or_default();
    let bytes = dump.map(|dump| format!("\n{}\n", fenced(dump))).unwrap_or_default();
    let reason = code(&part.reason);
    format!("**{}**{rule} at {place}\n\n{reason}\n{bytes}", part.kind.into_str())
}

fn fenced(dump: &str) -> String {
    // The text column may hold ticks; none of them begins a line.
    format!("```text\n{dump}```")
}

/// Bytes around a place, as numbers and as text.
#[component]
fn Bytes(
    id: SourceId,
    from: (u64, u64),
    marked: (u64, u64),
    /// Set to the text of what is shown.
    dump: RwSignal<Option<String>>,
) -> impl IntoView {
    let bytes = asked(
        move || Some(Query::Bytes { source: id, start: from.0, end: from.1 }),
        Answer::try_as_bytes,
    );
    let rows = Memo::new(move |_| {
        bytes.answer.with(|body| {
            let BytesBody { start, bytes, .. } = body.as_ref()?;
            Some(hex::rows(*start, bytes, marked))
        })
    });
    Effect::new(move |_| dump.set(rows.with(|rows| rows.as_deref().map(hex::dump))));
    on_cleanup(move || {
        let _ = dump.try_set(None);
    });
    let of = move || {
        bytes.answer.with(|body| {
            let body = body.as_ref()?;
            let end = body.start + body.bytes.len() as u64;
            Some(format!(
                "Bytes {} to {end} of {}; those meant are underlined.",
                body.start, body.size
            ))
        })
    };
    view! {
        <div class="hex" role="region" aria-label="Bytes around the place" tabindex="0">
            {move || rows.get().map(|rows| rows.iter().map(line).collect::<Vec<_>>())}
        </div>
        <p class="quiet">{of}</p>
        {move || bytes.problem.get().map(|text| view! { <p class="advice">{text}</p> })}
    }
}

fn line(row: &HexRow) -> impl IntoView + use<> {
    let parts = |[before, marked, behind]: [String; 3]| {
        let marked = (!marked.is_empty()).then(|| view! { <mark>{marked}</mark> });
        view! { {before}{marked}{behind} }
    };
    view! {
        <div class="hex-row">
            <span class="hex-offset">{format!("{:08x}", row.offset)}</span>
            <span class="hex-bytes">{parts(row.hex.clone())}</span>
            <span class="hex-text">{parts(row.text.clone())}</span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part() -> DamagePart {
        DamagePart {
            kind: DamageKind::Skipped,
            stretch: Some((100, 140)),
            line: Some(412),
            column: Some(88),
            offset: Some(120),
            rule: Some("jsonl/bad-line".to_owned()),
            reason: "Expected a comma.".to_owned(),
        }
    }

    #[test]
    fn parts_have_a_place_a_name_and_a_stretch() {
        let part = part();
        assert_eq!(place_of(&part), "412:88");
        assert_eq!(file_name("b.zip > logs/a.jsonl", &part), "a-line-412.jsonl");
        assert_eq!(file_name("log", &part), "log-line-412");
        assert_eq!(range(&part), Some(((48, 320), (100, 140))));
        let refused = DamagePart { kind: DamageKind::Refused, ..part };
        assert_eq!(file_name("q.joblib", &refused), "q.joblib");
        for (path, name) in [("a.zip/..\\..\\b", "b"), ("a.zip/C:b", "b"), ("a.zip/../..", "file")]
        {
            assert_eq!(file_name(path, &refused), name);
        }
    }

    #[test]
    fn a_copy_is_one_block() {
        assert_eq!(
            markdown("a.jsonl", &part(), Some("00000000  61  a\n")),
            "**skipped** `jsonl/bad-line` at `a.jsonl:412:88`\n\n`Expected a comma.`\n\n\
             ```text\n00000000  61  a\n```\n"
        );
    }

    #[test]
    fn says_when_nothing_was_lost() {
        assert_eq!(counted(0, 3), "Nothing was skipped, repaired or refused in 3 files.");
        assert_eq!(
            counted(1, 3),
            "In 1 of 3 files, something was skipped, repaired or refused while reading. The files \
             themselves are unchanged."
        );
    }
}
