//! Texts and short lists under a name.

use leptos::prelude::*;

use super::{LongText, RecordText};

/// A short list under a name; nothing where there are none.
#[component]
pub(crate) fn NamedList(name: &'static str, points: Vec<String>) -> impl IntoView {
    (!points.is_empty()).then(|| {
        view! {
            <div class="named">
                <h4>{name}</h4>
                <ol class="points">
                    {points
                        .into_iter()
                        .map(|text| view! { <li dir="auto"><RecordText text/></li> })
                        .collect::<Vec<_>>()}
                </ol>
            </div>
        }
    })
}

/// A long text under a name, such as a prompt or a solution.
#[component]
pub(crate) fn NamedText(
    name: &'static str,
    text: String,
    /// With all of its spaces.
    #[prop(optional)]
    is_code: bool,
) -> impl IntoView {
    view! {
        <div class="named">
            <h4>{name}</h4>
            <LongText text is_code/>
        </div>
    }
}

/// Texts under the names that their record gives them, with all of their spaces.
#[component]
pub(crate) fn NamedTexts(texts: Vec<hindscope::NamedText>) -> impl IntoView {
    let view = |named: hindscope::NamedText| {
        view! {
            <div class="named">
                <h4><RecordText text=named.name/></h4>
                <LongText text=named.text is_code=true/>
            </div>
        }
    };
    texts.into_iter().map(view).collect::<Vec<_>>()
}
