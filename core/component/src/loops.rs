//! The interface `loops`.

mod replies;
mod steps;

use std::cell::RefCell;

use hindscope::coerce;
use hindscope::reflect::{
    self, Host, Loop, RecordContext, object_from_json, reflection_from_yaml, render_template,
    value_from_json,
};
use serde_json::Value;

use crate::Component;
use crate::cross::{Cross, json, labels};
use crate::wit::loops::{
    self, Coerced, Coercion, Event, Guest, GuestReflectionLoop, LoopError, LoopErrorCode as Code,
    LoopErrorType as Type, ReflectionBlock, Reply, Step,
};

impl Guest for Component {
    type ReflectionLoop = ReflectionLoop;

    fn coerce(schema: String, data: String) -> Result<Coerced, LoopError> {
        let (schema, data) = (read("schema", &schema)?, read("data", &data)?);
        let reflect::Coerced { value, coercions } = coerce(&schema, data);
        let coercions = coercions.into_iter().map(|one| Coercion {
            pointer: one.pointer,
            from: one.from.to_string(),
            to: one.to.to_string(),
        });
        Ok(Coerced { value: value.to_string(), coercions: coercions.collect() })
    }

    fn render(template: String, state: String) -> Result<String, LoopError> {
        let state = object_from_json("state", &state).map_err(Cross::cross)?;
        render_template(&template, &state).map_err(refused)
    }

    fn reflection_from_yaml(
        text: String,
        name: Option<String>,
    ) -> Result<ReflectionBlock, LoopError> {
        let mut block = reflection_from_yaml(&text, name.as_deref()).map_err(refused)?;
        let action = block["action"].as_str().unwrap_or_default().to_owned();
        Ok(ReflectionBlock { action, config: block["config"].take().to_string() })
    }

    fn to_record(entry: String, context: String) -> Result<Option<String>, LoopError> {
        let (entry, context) = (read("entry", &entry)?, read("context", &context)?);
        let context = RecordContext::from_value(context).map_err(Cross::cross)?;
        Ok(hindscope::to_record(&entry, &context).map(|record| record.to_string()))
    }
}

/// A loop in a cell: resources are called by shared reference.
pub(crate) struct ReflectionLoop(RefCell<Loop>);

impl ReflectionLoop {
    fn made(run: Loop) -> loops::ReflectionLoop {
        loops::ReflectionLoop::new(Self(RefCell::new(run)))
    }

    fn single(
        begin: fn(&Value, &Value, &Host, Option<f64>) -> Loop,
        [params, state, host]: [&str; 3],
        now: Option<f64>,
    ) -> Result<loops::ReflectionLoop, LoopError> {
        let (params, state) = (read("request", params)?, read("state", state)?);
        Ok(Self::made(begin(&params, &state, &able(host)?, now)))
    }
}

impl GuestReflectionLoop for ReflectionLoop {
    fn start(
        config: String,
        host: String,
        now: Option<f64>,
    ) -> Result<loops::ReflectionLoop, LoopError> {
        let config = read("configuration", &config)?;
        Loop::start(&config, &able(&host)?, now).map(Self::made).map_err(Cross::cross)
    }

    fn evaluate(
        params: String,
        state: String,
        host: String,
        now: Option<f64>,
    ) -> Result<loops::ReflectionLoop, LoopError> {
        Self::single(Loop::evaluate, [&params, &state, &host], now)
    }

    fn correct(
        params: String,
        state: String,
        host: String,
        now: Option<f64>,
    ) -> Result<loops::ReflectionLoop, LoopError> {
        Self::single(Loop::correct, [&params, &state, &host], now)
    }

    fn restore(
        config: String,
        host: String,
        snapshot: Vec<u8>,
    ) -> Result<loops::ReflectionLoop, LoopError> {
        let config = read("configuration", &config)?;
        Loop::restore(&config, &able(&host)?, &snapshot).map(Self::made).map_err(Cross::cross)
    }

    fn steps(&self) -> Vec<Step> {
        self.0.borrow().steps().cross()
    }

    fn resume(&self, id: u32, reply: Reply) -> Result<Vec<Step>, LoopError> {
        let reply = replies::read(reply).map_err(Cross::cross)?;
        let new = self.0.borrow_mut().resume(id, reply);
        new.map(Cross::cross).map_err(Cross::cross)
    }

    fn events(&self) -> Vec<Event> {
        self.0.borrow_mut().events().cross()
    }

    fn state(&self, id: u32) -> Option<String> {
        self.0.borrow().state_json(id)
    }

    fn abort(&self, reason: String) -> Vec<Step> {
        self.0.borrow_mut().abort(reason).cross()
    }

    fn snapshot(&self) -> Vec<u8> {
        self.0.borrow().snapshot()
    }
}

fn read(what: &str, text: &str) -> Result<Value, LoopError> {
    value_from_json(what, text).map_err(Cross::cross)
}

/// What the host can do.
fn able(host: &str) -> Result<Host, LoopError> {
    Host::from_value(&read("host", host)?).map_err(Cross::cross)
}

fn refused(error: impl Into<hindscope::LoopError>) -> LoopError {
    error.into().cross()
}

labels!(hindscope::LoopErrorType => Type { Config, Failed, Template; else Usage });
labels!(hindscope::LoopErrorCode => Code {
    ConfigValue, ConfigGenerator, ConfigEvaluator, ConfigEvaluatorType, ConfigCorrector, ConfigSchemaMissing, ConfigSchemaInvalid, ConfigSchemaTooComplex, ConfigSchemaUnresolved, ConfigMaxIterations, ConfigOnFailure, ConfigClockMissing, ConfigLoopId, ConfigUnknownKey, ConfigUnknownAction, ConfigUnknownLanguage, ConfigTemplate, ReflectionFailed, CallFailed, TemplateFailed, UnknownStep, LoopFinished, ReplyInvalid, SnapshotInvalid; else SnapshotMismatch
});

impl Cross<LoopError> for hindscope::LoopError {
    fn cross(self) -> LoopError {
        LoopError {
            type_: self.kind().cross(),
            code: self.code().cross(),
            message: self.message().to_owned(),
            field: self.field().map(str::to_owned),
            details: json(self.details()),
        }
    }
}
