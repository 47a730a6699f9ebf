//! The block of a workflow that configures a loop.

use serde_json::{Map, Value, json};

use super::error_code::LoopErrorCode;
use super::problem::Problem;
use crate::source::yaml;

/// What a node may do here.
const ACTIONS: [&str; 3] = ["reflection.loop", "reflection.evaluate", "reflection.correct"];

/// Reads the configuration of a loop, or of one of its single forms, from YAML.
///
/// `text` is a node, alone or as a list of nodes, the inside of its `with:`, or a document with
/// `nodes:`. Among nodes `name` chooses, else the only one whose `action` or `uses` is
/// `reflection.loop`, else the only one that is `reflection.evaluate` or `reflection.correct`. The
/// answer is `{action, config}`: `config` is the inside of `with:`, nothing renamed; templates stay
/// text.
///
/// # Errors
///
/// `config_value` for what is no YAML, or has no such node; the place is in the message.
///
/// # Example: a node of a workflow
///
/// ```
/// let text = "name: answer\naction: reflection.loop\nwith:\n  max_iterations: 2\n";
/// let read = hindscope::reflection_from_yaml(text, None)?;
/// assert_eq!(read["config"]["max_iterations"], 2);
/// # Ok::<(), hindscope::Problem>(())
/// ```
pub fn reflection_from_yaml(text: &str, name: Option<&str>) -> Result<Value, Problem> {
    let document = yaml::configuration(text)
        .map_err(|bad| refused(format!("The YAML cannot be read {}", bad.placed(0))))?;
    match document {
        Value::Array(nodes) => chosen(nodes, name),
        Value::Object(mut members) => match members.shift_remove("nodes") {
            Some(Value::Array(nodes)) => chosen(nodes, name).map_err(|p| p.below("/nodes")),
            Some(_) => Err(refused("`nodes` must be a list.")),
            None if action(&members).is_some() => configured(members),
            None if members.contains_key("action") || members.contains_key("uses") => Err(refused(
                "The action of the node must be reflection.loop, reflection.evaluate or reflection.correct.",
            )),
            None => Ok(json!({"action": ACTIONS[0], "config": members})),
        },
        _ => Err(refused("The text contains neither a node nor a configuration.")),
    }
}

fn refused(message: impl Into<String>) -> Problem {
    Problem::new(LoopErrorCode::ConfigValue, "", message)
}

/// What a node does, if that is ours.
fn action(node: &Map<String, Value>) -> Option<&'static str> {
    let word = ["action", "uses"].iter().find_map(|key| node.get(*key)?.as_str())?;
    ACTIONS.into_iter().find(|action| *action == word)
}

fn named(node: &Map<String, Value>) -> &str {
    node.get("name").and_then(Value::as_str).unwrap_or_default()
}

fn chosen(nodes: Vec<Value>, name: Option<&str>) -> Result<Value, Problem> {
    let ours: Vec<Map<String, Value>> = nodes
        .into_iter()
        .filter_map(|node| match node {
            Value::Object(members) if action(&members).is_some() => Some(members),
            _ => None,
        })
        .collect();
    let is_loop = |node: &Map<String, Value>| action(node) == Some(ACTIONS[0]);
    let has_loop = name.is_none() && ours.iter().any(is_loop);
    let mut fitting = ours.into_iter().filter(|node| match name {
        Some(name) => named(node) == name,
        None => !has_loop || is_loop(node),
    });
    match (fitting.next(), fitting.next(), name) {
        (Some(node), None, _) => configured(node),
        (Some(_), Some(_), Some(name)) => {
            Err(refused(format!("Several nodes have the name {name:?}. Give each its own name.")))
        }
        (Some(first), Some(second), None) => {
            let all: Vec<_> = [first, second].into_iter().chain(fitting).collect();
            let names = all.iter().map(named).filter(|name| !name.is_empty());
            let names: Vec<_> = names.map(|name| format!("{name:?}")).collect();
            if names.is_empty() {
                return Err(refused(
                    "The YAML has several nodes that could run, and none has a name. Name them, and choose one (command line: --node).",
                ));
            }
            let unnamed = match all.len() - names.len() {
                0 => String::new(),
                unnamed => format!(", and {unnamed} without a name"),
            };
            let names = names.join(", ");
            Err(refused(format!(
                "The YAML has several nodes that could run: {names}{unnamed}. Choose one by its name (command line: --node)."
            )))
        }
        (None, _, Some(name)) => {
            Err(refused(format!("There is no reflection node with the name {name:?}.")))
        }
        (None, _, None) => Err(refused(
            "No node has the action reflection.loop, reflection.evaluate or reflection.correct.",
        )),
    }
}

fn configured(mut node: Map<String, Value>) -> Result<Value, Problem> {
    let action = action(&node);
    match node.shift_remove("with") {
        Some(Value::Object(config)) => Ok(json!({"action": action, "config": config})),
        Some(_) => Err(Problem::new(
            LoopErrorCode::ConfigValue,
            "/with",
            "`with` must be an object with the configuration.",
        )),
        None => {
            let name = named(&node);
            let which = if name.is_empty() { String::new() } else { format!(" {name:?}") };
            Err(refused(format!("The node{which} has no `with`.")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "\
- name: generate_with_reflection
  action: reflection.loop
  with:
    generator: {action: llm.call, prompt: \"Profile of {{ state.person }} as JSON\"}
    evaluator: {type: schema, schema: {type: object, required: [name, email]}}
    corrector:
      action: llm.call
      prompt: |
        Errors: {{ state.reflection_errors | tojson }}
    max_iterations: 3
    on_failure: return_best
";

    fn read(text: &str, name: Option<&str>) -> Value {
        reflection_from_yaml(text, name).expect("a configuration")
    }

    #[test]
    fn the_example_reads_as_it_stands() {
        let read = read(EXAMPLE, None);
        assert_eq!(read["action"], "reflection.loop");
        assert_eq!(
            read["config"],
            json!({
                "generator": {"action": "llm.call", "prompt": "Profile of {{ state.person }} as JSON"},
                "evaluator": {"type": "schema", "schema": {"type": "object",
                    "required": ["name", "email"]}},
                "corrector": {"action": "llm.call",
                    "prompt": "Errors: {{ state.reflection_errors | tojson }}\n"},
                "max_iterations": 3,
                "on_failure": "return_best",
            })
        );
    }

    #[test]
    fn every_form_is_found() {
        let node = "uses: reflection.evaluate\nwith: {schema: {type: integer}}\n";
        assert_eq!(read(node, None)["action"], "reflection.evaluate");
        assert_eq!(
            read("generator: {run: x}\n", None)["config"],
            json!({"generator": {"run": "x"}})
        );
        let document = "nodes:\n- {name: a, uses: other}\n\
            - {name: b, uses: reflection.loop, with: {max_iterations: 1}}\n\
            - {name: c, action: reflection.correct, with: {prompt: no}}\n";
        assert_eq!(read(document, None)["config"]["max_iterations"], 1);
        assert_eq!(read(document, Some("c"))["config"], json!({"prompt": "no"}));
    }

    #[test]
    fn what_is_not_there_is_reported() {
        for (text, name, word) in [
            ("a: [", None, "line"),
            ("- {name: a, action: reflection.loop}", None, "with"),
            ("action: other\nwith: {}", None, "reflection.loop"),
            ("nodes: []", None, "reflection.loop"),
            ("nodes: {}", None, "list"),
            (EXAMPLE, Some("b"), "\"b\""),
            (
                "- {name: a, action: reflection.loop, with: {}}\n- {name: b, action: reflection.loop, with: {}}",
                None,
                "\"a\", \"b\"",
            ),
            (
                "- {action: reflection.loop, with: {}}\n- {action: reflection.loop, with: {}}",
                None,
                "Name them",
            ),
            (
                "- {name: a, action: reflection.loop, with: {}}\n- {action: reflection.loop, with: {}}",
                None,
                "\"a\", and 1 without a name",
            ),
            ("5", None, "neither"),
            ("action: reflection.loop\nwith: 5", None, "with"),
        ] {
            let problem = reflection_from_yaml(text, name).expect_err("no configuration");
            assert_eq!(problem.code, LoopErrorCode::ConfigValue);
            assert!(problem.message.contains(word), "{}", problem.message);
        }
        let deep = "[".repeat(100_000);
        assert!(reflection_from_yaml(&deep, None).is_err());
    }
}
