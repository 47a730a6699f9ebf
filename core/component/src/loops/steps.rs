//! Steps and events, on their way to the host.

use hindscope::reflect::{self, StepKind as Kind};
use serde_json::{Map, Value};

use crate::cross::{Cross, json, labels};
use crate::wit::loops::{
    ActionCall, BudgetLeft, Call, CallbackCall, CodeCall, CorrectStep, EvaluateCustomStep,
    EvaluateLlmStep, Event, EventType, GenerateStep, Message, PromptCall, ResolveSchemaStep, Step,
    StepKind,
};

labels!(reflect::EventType => EventType {
    Started, Generated, Parsed, Evaluated, Best, Corrected, Retry, Warning, Record, Stopped
});

impl Cross<Step> for reflect::Step {
    fn cross(self) -> Step {
        Step {
            id: self.id,
            iteration: self.iteration,
            candidate: self.candidate,
            try_: self.r#try,
            timeout_ms: self.timeout_ms,
            kind: self.kind.cross(),
        }
    }
}

impl Cross<StepKind> for Kind {
    fn cross(self) -> StepKind {
        match self {
            Self::ResolveSchema { uri, from } => {
                StepKind::ResolveSchema(ResolveSchemaStep { uri, from })
            }
            Self::Generate { call, is_last, budget_left } => StepKind::Generate(GenerateStep {
                call: call.cross(),
                is_last,
                budget_left: budget_left.cross(),
            }),
            Self::EvaluateLlm { evaluator, model, messages } => {
                StepKind::EvaluateLlm(EvaluateLlmStep {
                    evaluator: evaluator.to_string(),
                    model,
                    messages: messages.iter().map(message).collect(),
                })
            }
            Self::EvaluateCustom { evaluator, output, call } => {
                StepKind::EvaluateCustom(EvaluateCustomStep {
                    evaluator: evaluator.to_string(),
                    output: output.to_string(),
                    call: call.cross(),
                })
            }
            Self::Correct { call, output, errors, suggestions, feedback, is_last, budget_left } => {
                StepKind::Correct(CorrectStep {
                    call: call.cross(),
                    output: output.to_string(),
                    errors: json(&errors),
                    suggestions: json(&suggestions),
                    feedback: feedback.to_string(),
                    is_last,
                    budget_left: budget_left.cross(),
                })
            }
            Self::Wait { ms } => StepKind::Wait(ms),
            Self::Done { result } => StepKind::Done(result.to_string()),
            Self::Failed { error } => StepKind::Failed(error.cross()),
        }
    }
}

impl Cross<Call> for reflect::Call {
    fn cross(self) -> Call {
        match self {
            Self::Action { action, params } => {
                Call::Action(ActionCall { action, params: json(&params) })
            }
            Self::Run { run, language } => {
                Call::Run(CodeCall { run: run.to_string(), language: language.to_string() })
            }
            Self::Callback { callback, params } => Call::Callback(CallbackCall {
                callback: callback.as_str().map(str::to_owned),
                params: json(&params),
            }),
            Self::Prompt { prompt, params } => {
                Call::Prompt(PromptCall { prompt, params: json(&params) })
            }
        }
    }
}

impl Cross<BudgetLeft> for reflect::BudgetLeft {
    fn cross(self) -> BudgetLeft {
        let Self { iterations, calls, tokens, cost, ms } = self;
        BudgetLeft { iterations, calls, tokens, cost, ms }
    }
}

impl Cross<Event> for reflect::Event {
    fn cross(self) -> Event {
        let mut details = match self.to_value() {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        let mut number =
            |key: &str| details.shift_remove(key)?.as_u64().and_then(|n| u32::try_from(n).ok());
        let (seq, iteration, candidate) =
            (self.seq(), number("iteration").unwrap_or_default(), number("candidate"));
        details.shift_remove("seq");
        details.shift_remove("type");
        Event {
            seq,
            type_: self.event_type().cross(),
            iteration,
            candidate,
            details: json(&details),
        }
    }
}

fn message(message: &Value) -> Message {
    let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
    Message { role: text("role"), content: text("content") }
}
