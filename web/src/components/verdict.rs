//! Whether a record is what its schema asks for, once somebody asks.

use leptos::prelude::*;

use super::{FindingItem, RecordText};
use crate::format::noun;
use crate::platform;
use crate::protocol::{Answer, Query, VerdictBody};
use crate::state::App;

/// Whether the record is valid by its schema, once that is asked.
#[component]
pub(super) fn Verdict(record: hindscope::RecordId) -> impl IntoView {
    let app = App::get();
    let verdict = RwSignal::new(None::<Result<VerdictBody, String>>);
    let press = move |_| {
        app.ask(Query::Verdict { record }, move |answer| {
            let answer = match answer {
                Answer::Verdict(body) => Ok(body),
                Answer::Failed(reason) => Err(reason),
                _ => return,
            };
            if let Ok(body) = &answer {
                app.say(sentence(body));
            }
            verdict.set(Some(answer));
        });
    };
    view! {
        <button class="small" on:click=press>"Strict verdict"</button>
        {move || verdict.get().map(|verdict| match verdict {
            Err(reason) => view! { <p class="advice verdict-of"><RecordText text=reason/></p> }.into_any(),
            Ok(body) => {
                let tone = match (&body.schema, body.is_valid) {
                    (None, _) => "quiet",
                    (_, true) => "pass",
                    (_, false) => "fail",
                };
                let more = (body.more > 0).then(|| format!("{} more findings are not listed.", platform::whole(body.more)));
                let says = sentence(&body);
                view! {
                    <div class="verdict-of">
                        <p class=tone>{says}</p>
                        {body.findings
                            .into_iter()
                            .map(|finding| view! { <FindingItem finding is_here=true/> })
                            .collect::<Vec<_>>()}
                        {more.map(|text| view! { <p class="quiet">{text}</p> })}
                    </div>
                }
                .into_any()
            }
        })}
    }
}

fn sentence(body: &VerdictBody) -> String {
    let Some(schema) = &body.schema else {
        return "No JSON Schema describes records of this format.".to_owned();
    };
    if body.is_valid {
        return format!("Valid by the schema {schema}.");
    }
    let count = body.findings.len() as u64 + u64::from(body.more);
    format!("Not valid by the schema {schema}: {count} {}.", noun(count, "finding"))
}

#[cfg(test)]
mod tests {
    use hindscope::RecordId;

    use super::*;

    #[test]
    fn verdicts_name_their_schema() {
        let mut body = VerdictBody {
            record: RecordId(0),
            schema: Some("reflection-memory".into()),
            is_valid: false,
            findings: Vec::new(),
            more: 1,
        };
        assert_eq!(sentence(&body), "Not valid by the schema reflection-memory: 1 finding.");
        body.is_valid = true;
        assert_eq!(sentence(&body), "Valid by the schema reflection-memory.");
        body.schema = None;
        assert!(sentence(&body).starts_with("No JSON Schema"));
    }
}
