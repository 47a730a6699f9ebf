//! How good the reflections of a run are: quiet hints, apart from the warnings.

use leptos::prelude::*;

use super::warnings::rule;
use crate::components::{Fold, Steps};
use crate::format::counted;
use crate::platform;
use crate::protocol::{Overview, Quality, count};
use crate::views::iteration::learn::{StepLink, StepLinks};

/// Hints about reflections, and whether confidence predicted improvement.
#[component]
pub(crate) fn QualityCard(overview: Overview, steps: Steps) -> impl IntoView {
    let quality = overview.quality;
    (quality.judged > 0).then(|| {
        let note = note(&quality);
        view! {
            <Fold title="Reflection quality" note is_closed=true>
                <Marks quality=quality.clone() steps/>
                <Sure quality=quality.clone() steps/>
            </Fold>
        }
    })
}

fn note(quality: &Quality) -> String {
    let judged = counted(quality.judged, "reflection");
    if quality.all_weak == 0 {
        return format!("{judged}, no weakness found");
    }
    let have = if quality.all_weak == 1 { "has" } else { "have" };
    format!("{} of {judged} {have} a weakness", platform::whole(quality.all_weak))
}

#[component]
fn Marks(quality: Quality, steps: Steps) -> impl IntoView {
    (!quality.marks.is_empty()).then(|| {
        let numbers = |id: &str| -> Vec<i64> {
            let has = |row: &&hindscope::ReflectionRow| row.marks.iter().any(|mark| mark == id);
            quality.weak.iter().filter(has).map(|row| row.number).collect()
        };
        let rows: Vec<_> = quality
            .marks
            .iter()
            .map(|(id, count)| {
                let says = rule(id).map(|rule| rule.says);
                view! {
                    <li>
                        <p>{says}</p>
                        <div class="warning-foot">
                            <code class="rule">{id.clone()}</code>
                            <span class="quiet">{counted(*count, "reflection")}</span>
                            <StepLinks numbers=numbers(id) steps/>
                        </div>
                    </li>
                }
            })
            .collect();
        let hidden = quality.all_weak.saturating_sub(count(quality.weak.len()));
        view! {
            <ul class="marks">{rows}</ul>
            {(hidden > 0).then(|| view! {
                <p class="quiet">{format!("{} more are counted and not linked.", platform::whole(hidden))}</p>
            })}
        }
    })
}

/// Stated confidence beside what the next iteration made of it.
#[component]
fn Sure(quality: Quality, steps: Steps) -> impl IntoView {
    (!quality.pairs.is_empty()).then(|| {
        let says = calibration(&quality);
        let rows: Vec<_> = quality
            .pairs
            .iter()
            .map(|pair| {
                let (sign, word, class) = if pair.has_improved {
                    ("\u{2191}", "improved", "pass")
                } else {
                    ("\u{2013}", "no improvement", "muted")
                };
                view! {
                    <tr>
                        <th scope="row"><StepLink number=pair.number steps/></th>
                        <td class="num">{pair.confidence.to_string()}</td>
                        <td class=class><span aria-hidden="true">{sign}" "</span>{word}</td>
                    </tr>
                }
            })
            .collect();
        view! {
            <div class="named sure">
                <h4>"Confidence, and what came next"</h4>
                <p>{says}" "<code class="rule">"reflection/calibration"</code></p>
                <div class="table-box" tabindex="0" role="region" aria-label="Confidence, and what came next">
                    <table class="plain">
                        <thead>
                            <tr>
                                <th scope="col">"Iteration"</th>
                                <th scope="col" class="num">"Confidence"</th>
                                <th scope="col">"The next one"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </div>
        }
    })
}

fn calibration(quality: &Quality) -> String {
    let Some(calibration) = &quality.calibration else {
        return "Not judged: records are missing.".to_owned();
    };
    let pairs = counted(calibration.pairs, "pair");
    match calibration.correlation {
        Some(correlation) => {
            let sign = if correlation < 0.0 { "\u{2212}" } else { "" };
            format!("Correlation {sign}{:.2} over {pairs}.", correlation.abs())
        }
        None if calibration.pairs < 5 => {
            format!("{pairs}: too few for a correlation, which needs 5.")
        }
        None => format!("No correlation: all {pairs} are the same in one of the two."),
    }
}

#[cfg(test)]
mod tests {
    use hindscope::Calibration;

    use super::*;

    #[test]
    fn a_correlation_is_said_only_where_there_is_one() {
        let of = |pairs, correlation| {
            calibration(&Quality {
                calibration: Some(Calibration { pairs, correlation }),
                ..Quality::default()
            })
        };
        assert_eq!(of(7, Some(0.791)), "Correlation 0.79 over 7 pairs.");
        assert_eq!(of(12, Some(-0.36)), "Correlation \u{2212}0.36 over 12 pairs.");
        assert!(of(4, None).starts_with("4 pairs: too few"));
        assert!(of(9, None).starts_with("No correlation: all 9 pairs"));
        assert_eq!(
            note(&Quality { judged: 1, ..Quality::default() }),
            "1 reflection, no weakness found"
        );
        assert_eq!(
            note(&Quality { judged: 3, all_weak: 1, ..Quality::default() }),
            "1 of 3 reflections has a weakness"
        );
    }
}
