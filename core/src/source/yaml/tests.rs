use super::*;

/// What serde-saphyr makes of a document, or nothing.
fn peer(text: &str) -> Option<Value> {
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget!(max_nodes: MAX_NODES, max_events: 4 * MAX_NODES),
    };
    serde_saphyr::from_str_with_options(text, options).ok()
}

/// What we make of a document in which every value is of the type of its tag and every number is one of
/// JSON, or nothing.
fn read(text: &str) -> Option<Value> {
    let Document { value, repairs, .. } = compose(text).ok()?;
    let is_wrong = |repair: &Repair| match repair.rule {
        "yaml/tag" => repair.what.starts_with("!!"),
        rule => rule == "json/non-finite",
    };
    (!repairs.iter().any(is_wrong)).then_some(value)
}

/// Documents of which the two do not make the same.
fn differences(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let differ = |text: &String| read(text) != peer(text);
    let shown = |text: String| format!("{text:?}: {:?}, peer: {:?}", read(&text), peer(&text));
    texts.into_iter().filter(differ).map(shown).collect()
}

const NONE: [String; 0] = [];

/// Scalars, parted by bars.
const SCALARS: &str = "\
    |~|null|Null|NULL|nULL|true|True|TRUE|tRUE|false|yes|no|on|off|y|n|0|-0|+0|00|007|\
    -007|1|-1|+1|1_000|_1|1_|1__0|0x1F|0X1f|-0x10|0x|0o17|0o8|0b101|0b2|0x_1|+-1|--1|\
    0x+1|18446744073709551615|18446744073709551616|-9223372036854775808|\
    -9223372036854775809|99999999999999999999999999|1.5|-1.5|+1.5|.5|-.5|5.|1e3|1E-3|\
    1.e3|e3|1e|1e999|-1e999|.inf|-.inf|+.Inf|.nan|.NaN|inf|nan|infinity|-inf|NaN|1.2.3|\
    1_0.5|0.1_5|0x1.8p3|2026-03-01|2026-03-01T10:00:00Z|12:30|1:2:3|0.10|1 000|\
    true false|null x|.|-.|..|+|=|'1'|\"true\"|'null'|\"a\\u00e9\\n\"|''|!!str 1|\
    !!str null|!!int 1|!!int '1'|!!int x|!!float 1|!!float 1.5|!!float x|!!bool true|\
    !!bool yes|!!null x|!!null ''|! 1|!local 1|!local x|!local null|!local true|\
    !local '1'|!<tag:yaml.org,2002:int> 7|!!map 1|!!seq x";

#[test]
fn scalars_are_those_of_the_core_schema() {
    let texts = SCALARS.split('|').flat_map(|scalar| {
        [
            format!("a: {scalar}\n"),
            format!("- {scalar}\n"),
            format!("{{a: {scalar}}}\n"),
            format!("{scalar}\n"),
            format!("{scalar}: x\n"),
        ]
    });
    assert_eq!(differences(texts), NONE);
}

#[test]
fn documents_are_those_of_the_peer() {
    let mut texts = Vec::new();
    for text in [
        "",
        "\n\n",
        "# only a comment\n",
        "---\n",
        "--- # a comment\na: 1\n",
        "%YAML 1.2\n---\na: 1\n...\n",
        "a: 1\n---\nb: 2\n",
        "a: |\n  one\n  two\nb: >-\n  three\n  four\nc: |+\n  five\n\n",
        "a: 'it''s'\nb: \"tab\\t\\x41\\u00e9\\U0001F600\"\n",
        "a: plain\n  over lines\nb: x # comment\nc: a#b\n",
        "a:\n- 1\n- 2\nb:\n  - {c: d, e: [f, g]}\n",
        "a: {b: 1, b: 2}\na: 3\n",
        "a: 1\nb: 2\na: 3\n",
        "? a\n: 1\n",
        "? [a, b]\n: 1\n",
        "? {a: b}\n: 1\n",
        "1: a\ntrue: b\n1.50: c\n",
        "'1': a\n",
        "\"a\": 1\n",
        "a: &x 1\nb: *x\n",
        "a: &x {b: 1}\nc: *x\n",
        "a: &x [1, 2]\nc: [*x, *x]\n",
        "a: &x 1\nb: &x 2\nc: *x\n",
        "a: *x\n",
        "a: &x [*x]\n",
        "&k a: 1\nb: *k\n",
        "a: &k x\n*k : 1\n",
        "a: &k 5\n*k : 1\n",
        "base: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3\n",
        "base: &b {x: 1, y: 2}\nd:\n  y: 3\n  <<: *b\n",
        "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nd:\n  <<: [*a, *b]\n",
        "d:\n  <<: {x: 1}\n",
        "d:\n  <<: {x: 1}\n  <<: {x: 2, z: 3}\n",
        "d:\n  <<: 1\n",
        "d:\n  <<: [1]\n",
        "d:\n  <<: null\n",
        "d:\n  <<:\n",
        "d:\n  '<<': {x: 1}\n",
        "d:\n  !!str <<: {x: 1}\n",
        "- <<\n",
        "a: !!seq [1]\nb: !!map {c: d}\n",
        "a: !!map [1]\n",
        "a: !!seq {b: c}\n",
        "a: !!str [1]\n",
        "a: !other {b: c}\nd: !other [e]\n",
        "a: [1, 2\n",
        "a: {b: 1\n",
        "a: 'open\n",
        "a: b: c\n",
        "a:\n\t- 1\n",
        "  a: 1\n b: 2\n",
        "- a\nb: 1\n",
        "a: @x\n",
        "a: `x`\n",
        "a: %x\n",
        "[a, b]: c\n",
        "a: \u{feff}b\n",
        "\u{feff}a: b\n",
        "a:   \n  b:\n    c: \n",
        "just text\n",
        "key: value: more\n",
        "a: \"\\q\"\n",
        "a: \"\\ud83d\\ude00\"\n",
        "a: \"\\ud83d\"\n",
        "- - - a\n    - b\n",
        "a: |2\n    x\n",
        "a: >\n x\n\n y\n",
        "a: !!set {x}\n",
        "{a, b: , c: 1}\n",
        "[a: 1, b]\n",
    ] {
        texts.extend([text.to_owned(), text.replace('\n', "\r\n")]);
    }
    assert_eq!(differences(texts), NONE);
}

#[test]
fn depth_is_bounded_as_it_is_for_the_peer() {
    let mut texts = Vec::new();
    for depth in [1, 30, 62, 63, 64, 65, 66, 100, 200, 300, 5_000] {
        texts.extend([
            format!("{}{}\n", "[".repeat(depth), "]".repeat(depth)),
            format!("{}{}\n", "{a: ".repeat(depth), "}".repeat(depth)),
            format!("a:\n  {}x\n", "- ".repeat(depth)),
        ]);
    }
    assert_eq!(differences(texts), NONE);
    let bad = compose(&("[".repeat(100) + &"]".repeat(100))).expect_err("too deep");
    assert_eq!(bad.rule, TOO_MUCH);
}

#[test]
fn aliases_are_bounded() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..12 {
        let aliases = vec![format!("*a{}", i - 1); 9].join(", ");
        bomb += "a";
        bomb += &[&i.to_string(), ": &a", &i.to_string(), " [", &aliases, "]\n"].concat();
    }
    assert_eq!(compose(&bomb).expect_err("a bomb").rule, TOO_MUCH);
    assert_eq!(compose("a: &a\n  b: *a\n").expect_err("without end").rule, TOO_MUCH);
    assert_eq!(peer(&bomb), None);
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 20), ["*a"; 100].join(", "));
    assert_eq!(compose(&long).expect_err("100 MiB").rule, TOO_MUCH);
    let merged: Vec<_> = (0..50).map(|i| format!("m{i}: {{<<: *b}}\n")).collect();
    let merged = merged.concat();
    assert_eq!(differences([format!("b: &b {{x: 1}}\n{merged}")]), NONE);
}

#[test]
fn what_json_has_no_type_for_is_a_text_as_it_is_written() {
    let value = read("a: !!binary aGk=\nb: !!timestamp 2026-03-01\n").expect("a document");
    assert_eq!(value, serde_json::json!({"a": "aGk=", "b": "2026-03-01"}));
}

#[test]
fn places_are_lines_and_columns_from_1() {
    let bad = compose("a: 1\nb: [1, }\n").expect_err("a bracket");
    assert_eq!((bad.rule, bad.line, bad.column), (SYNTAX, 2, 4));
    assert_eq!(offset("a: 1\nb: [1, }\n", &bad), 8);
    assert!(!bad.message.is_empty());
}

#[test]
fn a_configuration_gives_each_key_once() {
    assert_eq!(
        configuration("a: {b: 1}\nc: [1]\n").expect("YAML"),
        serde_json::json!({"a": {"b": 1}, "c": [1]})
    );
    let merged = "x: &x {a: 1}\ny: &y {b: 2}\nz:\n  <<: *x\n  <<: *y\n  a: 3\n";
    assert_eq!(configuration(merged).expect("YAML")["z"], serde_json::json!({"a": 3, "b": 2}));
    for (text, place) in
        [("a: 1\nb: 2\n\"a\": 3\n", (3, 1)), ("a:\r\n  - {b: 1, c: 2, b: 3}\r\n", (2, 18))]
    {
        let bad = configuration(text).expect_err(text);
        assert_eq!((bad.line, bad.column), place, "{text}");
        assert!(bad.message.ends_with("is given twice"), "{}", bad.message);
        assert_eq!(compose(text).expect("tolerated").repairs[0].rule, "yaml/duplicate-key");
    }
}
