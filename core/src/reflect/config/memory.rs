//! Which memory the attempts of a loop become records of (section 16).

use serde_json::Value;

use super::super::super::window::Policy;
use super::read::{Place, Reader};

/// The memory of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) loop_id: String,
    pub(crate) task_description: Option<String>,
    pub(crate) omega: u8,
    pub(crate) policy: Policy,
    /// What earlier runs left, for this task.
    pub(crate) records: Vec<Value>,
}

pub(super) fn memory(top: Place<'_>, reader: &mut Reader) -> Option<Memory> {
    let members = top.object(reader, "memory", true)?;
    let place = Place { members, pointer: "/memory" };
    let loop_id = loop_id(place, reader);
    let task_description = place.text(reader, "task_description", true).map(str::to_owned);
    let omega = place.integer(reader, "omega", 3, (1, 10), "config_value");
    let policies = [Policy::Fifo, Policy::Recency, Policy::RelevanceWeighted]
        .map(|policy| (policy.as_str(), policy));
    let policy = place.word(reader, "policy", &policies, Policy::Fifo, "config_value");
    let records = match place.get("records") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(records)) if records.iter().all(Value::is_object) => records.clone(),
        Some(_) => {
            let message = "`records` is a list of records.";
            reader.wrong("config_value", place.at("records"), message);
            Vec::new()
        }
    };
    Some(Memory {
        loop_id,
        task_description,
        omega: u8::try_from(omega).unwrap_or(3),
        policy,
        records,
    })
}

fn loop_id(place: Place<'_>, reader: &mut Reader) -> String {
    let given = place.get("loop_id").filter(|id| !id.is_null());
    if let Some(id) = given {
        let is_id = id.as_str().and_then(|id| id.strip_prefix("ralph-")).is_some_and(is_slug);
        if !is_id {
            let message = "`loop_id` is `ralph-`, then letters a to z, digits and hyphens.";
            reader.wrong("config_loop_id", place.at("loop_id"), message);
        }
        return id.as_str().unwrap_or_default().to_owned();
    }
    let slug = place.text(reader, "name", true).map(slug).unwrap_or_default();
    if slug.is_empty() {
        let message = "`memory` needs a `loop_id`, or a `name` with a letter or digit.";
        reader.wrong("config_loop_id", place.at("loop_id"), message);
    }
    format!("ralph-{slug}")
}

fn is_slug(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(fits)
}

/// Lower case; whatever is no letter or digit becomes one hyphen, none at the ends.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_slug() {
        assert_eq!(slug("  Fix Login & Ü 2!"), "fix-login-2");
        assert_eq!(slug("--"), "");
    }
}
