//! Answers which values a schema allows, for the comparison with ajv.
//!
//! Each line of standard input is `{"schema": word, "text": text}` or `{"own": schema, "text": text}`;
//! each line of the answer is `{"valid": flag, "pairs": ["pointer keyword", ...]}`.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use hindscope::{Profile, Schema, Validation, Validator, validate_as};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut validators = BTreeMap::new();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let answer = answer(&question, &mut validators).map_err(io::Error::other)?;
        writeln!(out, "{}", shown(&answer))?;
    }
    out.flush()
}

fn answer(
    question: &Value,
    validators: &mut BTreeMap<String, Validator>,
) -> Result<Validation, hindscope::Error> {
    let text = question["text"].as_str().unwrap_or_default().as_bytes();
    if let Some(word) = question["schema"].as_str() {
        return Ok(validate_as(text, Schema::parse(word)?, Profile::Strict));
    }
    let own = question["own"].to_string();
    let validator = if let Some(known) = validators.get(&own) {
        known
    } else {
        let validator = Validator::new(&own)?;
        validators.entry(own).or_insert(validator)
    };
    Ok(validator.validate(text))
}

fn shown(answer: &Validation) -> Value {
    let strict = answer.findings.iter().filter_map(|finding| {
        let keyword = finding.rule.strip_prefix("strict/")?;
        Some(format!("{} {keyword}", finding.pointer.as_deref().unwrap_or_default()))
    });
    json!({"valid": answer.valid, "pairs": strict.collect::<Vec<_>>()})
}
