use serde_json::json;

use super::*;

fn absent(schema: &Value, documents: &[(&str, Value)]) -> Vec<(String, String)> {
    let documents: BTreeMap<String, Value> =
        documents.iter().map(|(uri, value)| ((*uri).to_owned(), value.clone())).collect();
    let library = Library::new(schema, &documents, Draft::Seven);
    library.absent.into_iter().map(|absent| (absent.uri, absent.from)).collect()
}

fn faults(schema: &Value) -> Vec<String> {
    let documents = BTreeMap::new();
    let library = Library::new(schema, &documents, Draft::Seven);
    library.faults.into_iter().map(|fault| fault.pointer).collect()
}

#[test]
fn documents_that_are_not_there_are_listed_once() {
    let schema = json!({
        "$id": "http://h/a/root.json",
        "properties": {"x": {"$ref": "x.json#/d"}, "y": {"$ref": "./x.json"}},
        "items": {"$ref": "urn:y"},
        "enum": [{"$ref": "no.json"}],
    });
    let root = String::new;
    assert_eq!(
        absent(&schema, &[]),
        [("http://h/a/x.json".to_owned(), root()), ("urn:y".to_owned(), root())]
    );
    let documents = [
        ("http://h/a/x.json", json!({"d": {"$ref": "deep/z.json"}})),
        ("urn:y", json!({"$ref": "http://json-schema.org/draft-07/schema#"})),
    ];
    let from = "http://h/a/x.json".to_owned();
    assert_eq!(absent(&schema, &documents), [("http://h/a/deep/z.json".to_owned(), from)]);
}

#[test]
fn documents_are_linked_by_the_name_that_they_give_themselves() {
    let schema = json!({"items": {"$ref": "step.json#/a"}, "not": {"$ref": "in.json"}});
    let documents = BTreeMap::from([
        ("step.json".to_owned(), json!({"$id": "s/step.json", "a": {"$ref": "word.json"}})),
        (
            "s/word.json".to_owned(),
            json!({"definitions": {"in": {"$id": "/in.json"}, "own": {"$schema": "http://h/draft#"}}}),
        ),
        ("none.json".to_owned(), json!({"$ref": "absent.json"})),
        ("http://h/draft".to_owned(), json!({})),
    ]);
    let library = Library::new(&schema, &documents, Draft::Seven);
    assert_eq!(library.absent, [Absent { uri: "in.json".to_owned(), from: String::new() }]);
    let (root, linked) = library.linked();
    assert_eq!(root["items"]["$ref"], format!("{BASE}s/step.json#/a"));
    assert_eq!(root["not"], schema["not"]);
    let addresses: Vec<&str> = linked.keys().copied().collect();
    assert_eq!(addresses, ["http://h/draft", "s/word.json", "step.json"]);
    assert_eq!(*linked["step.json"], documents["step.json"]);
}

#[test]
fn two_documents_of_one_name_are_refused_unless_they_are_equal() {
    let refused = |schema: Value, documents: Value| {
        let documents = serde_json::from_value(documents).expect("an object");
        let fault = Library::new(&schema, &documents, Draft::V2020).faults.into_iter().next();
        let bounded = Library::bounded(&schema, &documents).err();
        assert_eq!(bounded.is_some(), fault.is_some(), "{bounded:?} {fault:?}");
        bounded
    };
    let named = json!({"$id": "b.json"});
    assert_eq!(
        refused(json!({}), json!({"a.json": named, "b.json": {}})).as_deref(),
        Some("b.json: Another schema has the address \"b.json\", too.")
    );
    assert!(
        refused(json!({}), json!({"a.json": named, "c.json": {"$id": "b.json", "x": 1}})).is_some()
    );
    assert!(refused(named.clone(), json!({"b.json": {}})).is_some());
    assert!(refused(named.clone(), json!({"": {}})).is_some());
    assert_eq!(refused(named.clone(), json!({"a.json": named, "b.json": named})), None);
}

#[test]
fn local_references_lead_somewhere() {
    for schema in [
        json!({"$ref": "#/definitions/a", "definitions": {"a": {"items": {"$ref": "#/definitions/a"}}}}),
        json!({"definitions": {"a": {"$id": "#a"}}, "items": {"$ref": "#a"}}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": {"a": {"$anchor": "a"}}, "items": {"$ref": "#a"}}),
        json!({"properties": {"a/b": {"type": "null"}}, "items": {"$ref": "#/properties/a~1b"}}),
        json!({"definitions": {"a": {"$id": "in.json", "definitions": {"b": {}}}},
            "items": {"$ref": "in.json#/definitions/b"}}),
        json!({"x": [{"type": "null"}], "items": {"$ref": "#/x/0"}}),
        json!({"items": {"$ref": "#"}}),
    ] {
        assert_eq!(faults(&schema), [""; 0], "{schema}");
        assert_eq!(absent(&schema, &[]), [], "{schema}");
    }
}

#[test]
fn what_leads_nowhere_has_its_place() {
    for (schema, expected) in [
        (json!({"$ref": "#/definitions/no"}), "/$ref"),
        (json!({"properties": {"a/b": {"$ref": "#no"}}}), "/properties/a~1b/$ref"),
        (json!({"x": [1], "items": [{"$ref": "#/x/00"}]}), "/items/0/$ref"),
        (json!({"x": {"$ref": "#/y"}, "not": {"$ref": "#/x"}}), "/x/$ref"),
        (json!({"$schema": "http://example.org/mine"}), "/$schema"),
    ] {
        assert_eq!(faults(&schema), [expected], "{schema}");
    }
}

#[test]
fn circles_are_faults() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"anyOf": [{"$ref": "#"}]}]}),
        json!({"definitions": {"a": {"$ref": "#/definitions/b"},
            "b": {"not": {"$ref": "#/definitions/a"}}}}),
    ] {
        assert_eq!(faults(&schema), [""], "{schema}");
    }
    let tree = json!({"properties": {"a": {"$ref": "#"}}, "allOf": [{"items": {"$ref": "#"}}],
        "anyOf": [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/a"}],
        "definitions": {"a": {}}});
    assert_eq!(faults(&tree), [""; 0]);
}

#[test]
fn beside_a_reference_older_drafts_see_nothing() {
    let schema = json!({"$ref": "#/definitions/a", "definitions": {"a": {}},
        "properties": {"x": {"$ref": "x.json"}}});
    assert_eq!(absent(&schema, &[]), []);
    let mut newer = schema;
    newer["$schema"] = json!("https://json-schema.org/draft/2019-09/schema");
    assert_eq!(absent(&newer, &[]).len(), 1);
}

/// Each of `levels` schemas judges its value by the next one, twice.
fn doubled(levels: usize) -> Value {
    let mut definitions = Map::new();
    for level in 0..levels {
        let next = json!({"$ref": format!("#/definitions/d{}", level + 1)});
        definitions.insert(format!("d{level}"), json!({"allOf": [next, next]}));
    }
    definitions.insert(format!("d{levels}"), json!({"type": "null"}));
    json!({"allOf": [{"$ref": "#/definitions/d0"}], "definitions": definitions})
}

#[test]
fn schemas_that_judge_one_value_are_counted_as_often_as_something_leads_to_them() {
    let visits = |schema: &Value| Library::new(schema, &BTreeMap::new(), Draft::Seven).visits;
    assert_eq!(visits(&json!({})), 1);
    // Parts of the value are values of their own.
    assert_eq!(visits(&json!({"properties": {"a": {"type": "null"}}, "items": {}})), 1);
    assert_eq!(visits(&json!({"anyOf": [{}, {"not": {}}], "if": {}, "then": {}})), 6);
    // The root, the reference, and of one level itself, two references and two targets.
    assert_eq!(visits(&doubled(1)), 2 + 1 + 4);
    assert_eq!(visits(&doubled(3)), 2 + 1 + 2 * (2 + 2 * (2 + 4)));
    assert_eq!(visits(&doubled(100)), u64::MAX);
}
