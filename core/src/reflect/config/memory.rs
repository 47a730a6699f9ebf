//! Which memory the attempts of a loop become records of (section 16).

use serde_json::Value;

use super::super::record::loop_id;
use super::read::{Place, Reader};
use crate::window::Policy;

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
    let loop_id = match loop_id(place.get("loop_id"), place.get("name")) {
        Ok(id) => id,
        Err(problem) => {
            reader.problems.push(problem.below(place.pointer));
            String::new()
        }
    };
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
