//! Copies of the values that a template sets on a `namespace`, with the depth limit of all values.
//!
//! Only a namespace carries a value from one pass of a template's loop to the next, so only there
//! can values be nested without end: a list in a list 100,000 times over, or a namespace in itself.
//! The engine drops and prints such values recursively. So every value that is set on a namespace goes
//! through a filter, which is added to the text of the template before the engine reads it.

use std::borrow::Cow;
use std::cell::Cell;

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value as Seen};

use super::depth::MAX_DEPTH;
use super::template_bounds::{MAX_LEN, TemplateChunk, chunks};

/// Name of the filter behind what is set on members of a namespace.
pub(super) const KEPT: &str = "__kept";
/// Name of the filter behind what is set on variables.
pub(super) const HELD: &str = "__held";
/// Values that one rendering may set on namespaces. Every value in a list or an object counts, too.
const MAX_PARTS: u32 = 5_000_000;

thread_local! {
    static PARTS: Cell<u32> = const { Cell::new(MAX_PARTS) };
    static BYTES: Cell<usize> = const { Cell::new(MAX_LEN) };
}

/// A rendering begins.
pub(super) fn begin() {
    PARTS.set(MAX_PARTS);
    BYTES.set(MAX_LEN);
}

/// The filter for variables: returns the value unchanged and counts the bytes of its text. Without a
/// limit, a text that doubles with each pass of a loop, or with each tag, would fill the memory.
pub(super) fn held(value: &Seen) -> Result<Seen, Error> {
    let len = value.as_str().map_or(0, str::len);
    let left = BYTES.get().checked_sub(len).ok_or_else(|| {
        Error::new(ErrorKind::InvalidOperation, "the values that the template sets exceed 256 MiB")
    });
    BYTES.set(left?);
    Ok(value.clone())
}

/// The filter for namespaces: lists and objects are copied, other values are returned unchanged.
pub(super) fn kept(value: &Seen) -> Result<Seen, Error> {
    copied(value, MAX_DEPTH)
}

fn copied(value: &Seen, levels: usize) -> Result<Seen, Error> {
    let wrong = |message: &'static str| Error::new(ErrorKind::InvalidOperation, message);
    let left = PARTS.get().checked_sub(1);
    PARTS.set(left.ok_or_else(|| wrong("too many values are set on namespaces"))?);
    let is_map = match value.kind() {
        ValueKind::Map => true,
        ValueKind::Seq | ValueKind::Iterable => false,
        _ => return held(value),
    };
    let Some(levels) = levels.checked_sub(1) else {
        return Err(wrong("a value on a namespace is nested deeper than 128 levels"));
    };
    let items = value.try_iter()?;
    if is_map {
        let member = |key: Seen| -> Result<(Seen, Seen), Error> {
            let member = copied(&value.get_item(&key)?, levels)?;
            Ok((key, member))
        };
        let members = items.map(member).collect::<Result<Vec<_>, Error>>()?;
        return Ok(Seen::from_pairs(members));
    }
    let items = items.map(|item| copied(&item, levels)).collect::<Result<Vec<_>, Error>>()?;
    Ok(Seen::from(items))
}

/// The text of a template with a filter behind every expression that `set` assigns: [`KEPT`] for a
/// member of a namespace, [`HELD`] for a variable. Line numbers do not change.
pub(super) fn guarded(text: &str) -> Cow<'_, str> {
    if !text.contains("set") {
        return Cow::Borrowed(text);
    }
    let guarded =
        |chunk: TemplateChunk<'_>| filtered(&chunk).unwrap_or_else(|| chunk.text.to_owned());
    Cow::Owned(chunks(text).map(guarded).collect())
}

/// A `set` with the filter behind its value, or behind the filters of the block that is its value.
fn filtered(chunk: &TemplateChunk<'_>) -> Option<String> {
    let inner = chunk.text.strip_suffix("%}").filter(|_| chunk.is("set"))?;
    let inner = inner.strip_suffix(['-', '+']).unwrap_or(inner);
    let end = chunk.text.get(inner.len()..)?;
    let filter = |target: &str| if target.contains('.') { KEPT } else { HELD };
    let assigned = inner.split_once('=').filter(|(target, _)| !target.contains('|'));
    if let Some((target, all)) = assigned {
        let value = all.trim();
        let filtered = format!("({value})|{}", filter(target));
        return (!value.is_empty())
            .then(|| format!("{target}={}{end}", all.replacen(value, &filtered, 1)));
    }
    let block = inner.trim_end();
    let target = block.split('|').next().unwrap_or(block);
    Some(format!("{block}|{}{}{end}", filter(target), &inner[block.len()..]))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::super::template::render;
    use super::guarded;

    fn shown(template: &str) -> Result<String, String> {
        let state: Map<String, Value> =
            [("list".to_owned(), json!([{"n": 1}, {"n": 2}, {"n": 3}]))].into_iter().collect();
        render(template, &state).map_err(|error| format!("{}: {error}", error.code()))
    }

    const START: &str = "{% set ns = namespace(a=0, b='') %}";

    #[test]
    fn namespaces_carry_values_as_before() {
        for (template, expected) in [
            ("{% for x in list %}{% set ns.a = ns.a + x.n %}{% endfor %}{{ ns.a }}", "6"),
            ("{%- set ns.b = 'a = b' if true else 1 -%}\n{{ ns.b }}", "a = b"),
            ("{% set ns.b = '%}' ~ \"\\\"\" %}{{ ns.b }}", "%}\""),
            ("{% set ns.a = {'k': [1, {}]} %}{{ ns.a|json }}", "{\"k\": [1, {}]}"),
            ("{% set ns.a = list %}{{ ns.a[2].n }}{{ ns.a|length }}", "33"),
            (
                "{% set ns.a = [] %}{% for x in list %}{% set ns.a = ns.a + [x.n] %}{% endfor %}{{ ns.a }}",
                "[1, 2, 3]",
            ),
            ("{% set ns.b %}x = {{ ns.a }}{% endset %}{{ ns.b }}", "x = 0"),
            ("{%- set ns.b | replace('=', 'is')\n-%} x = 0 {%- endset %}{{ ns.b }}", "x is 0"),
            ("{% set y %}{{ ns.a }}{% endset %}{{ y }}", "0"),
            (
                "{% raw %}{% set ns.a = 1 %}{% endraw %}{# {% set ns.a = 1 %} #}{{ ns.a }}",
                "{% set ns.a = 1 %}0",
            ),
            ("{{ {'a': {'b': 1}}.a.b }}{% set ns.a = 5 %}{{ ns.a }}", "15"),
            ("{% set other = 1 %}{{ other }}", "1"),
            ("{% set x, y = 1, 'z' %}{{ x }}{{ y }}", "1z"),
            ("{% set x = list %}{{ x[0].n }}", "1"),
        ] {
            assert_eq!(shown(&format!("{START}{template}")).as_deref(), Ok(expected), "{template}");
        }
    }

    #[test]
    fn the_text_is_cut_as_the_engine_cuts_it() {
        for (before, after) in [
            ("{{ {'a': {}} ~ '{% raw %}' }}", ""),
            ("{#}{% raw %}#}", ""),
            ("{% raw %}{% endrawX %}{# {% endraw %}", "{##}"),
            ("{{ '{#' }}{{{{}}}}{ {%- raw -%} {% {%- endraw -%}", ""),
        ] {
            let template = format!("{before}{START}{{%- set ns.a = [ns.a] +%}}{after}");
            let guarded = guarded(&template);
            assert!(guarded.ends_with(&format!("= ([ns.a])|__kept +%}}{after}")), "{guarded}");
        }
        for raw in ["{% endraws %}{% set a = 1 %}", "{{% set ns.a = 1 %}"] {
            let template = format!("{{% raw %}}{raw}{{% endraw %}}");
            assert_eq!(shown(&template).as_deref(), Ok(raw));
        }
    }

    #[test]
    fn texts_that_double_are_refused() {
        let start = format!("{START}{{% set ns.b = 'x' * 1000000 %}}{{% set v = ns.b %}}");
        let by_loop = "{% for i in range(40) %}{% set ns.b = ns.b ~ ns.b %}{% endfor %}".to_owned();
        let by_block =
            "{% for i in range(40) %}{% set ns.b %}{{ ns.b }}{{ ns.b }}{% endset %}{% endfor %}";
        let by_blocks = "{% set v %}{{ v }}{{ v }}{% endset %}".repeat(40);
        for body in [by_loop, "{% set v = v ~ v %}".repeat(40), by_block.to_owned(), by_blocks] {
            let message = shown(&format!("{start}{body}")).expect_err("too long");
            assert!(message.contains("256 MiB"), "{message}");
        }
    }

    #[test]
    fn values_that_grow_into_each_other_are_refused() {
        let many = |body: &str| {
            format!(
                "{START}{{% for i in range(99999) %}}{{% set ns.a = {body} %}}{{% endfor %}}{{% set ns.a = 0 %}}"
            )
        };
        for body in ["[ns.a]", "{'a': ns.a}", "ns", "[ns.a, ns.a]", "{'x': [[ns.a]]}"] {
            let message = shown(&many(body)).expect_err(body);
            assert!(message.starts_with("template_failed"), "{body}: {message}");
        }
        // Longer and no deeper.
        assert_eq!(shown(&many("[i] + [i]")).as_deref(), Ok(""));
        let message = shown(&many("ns.a + [i] if ns.a else [i]")).expect_err("too much");
        assert!(message.contains("too many values"), "{message}");
        let own = shown(&format!("{START}{{% set ns.a = ns %}}{{{{ ns.a.b }}}}{{{{ ns.a.a }}}}"));
        assert_eq!(own.as_deref(), Ok("0"), "a copy, from before");
        let chain = format!(
            "{START}{{% for i in range(99999) %}}{{% set n = namespace() %}}{{% set n.below = ns.a %}}\
             {{% set ns.a = n %}}{{% endfor %}}"
        );
        assert!(shown(&chain).expect_err("deep").contains("128 levels"));
    }
}
