//! Headlines over all fixtures: each number in them is counted again, in another way.

use std::collections::BTreeSet;

use hindscope::{BaseProvenance, Headline, History, Outcome, RunId};
use hindscope_tests::{Input, compare_reflections, fixtures, open, read, shared};

/// All fixtures, and the real logs where they lie beside the clone.
fn all() -> impl Iterator<Item = (String, Vec<Input>)> {
    let fixtures = fixtures().expect("they can be read");
    let own = fixtures.into_iter().map(|fixture| (fixture.name, fixture.files));
    let real = ["reflexion/alfworld_reflexion", "reflexion/webshop_reflexion_1", "aiwg"];
    let real = real.into_iter().filter_map(|folder| {
        let files = read(&shared("")?.join(folder)).expect("the data can be read");
        Some((folder.to_owned(), files))
    });
    own.chain(real)
}

/// How each attempt of a run ended, by its number.
fn outcomes(history: &History, run: RunId) -> Vec<(i64, Outcome)> {
    let run = history.run(run).expect("it is listed");
    run.iterations().iter().map(|view| (view.number, view.outcome)).collect()
}

fn has_success(history: &History, run: RunId) -> bool {
    outcomes(history, run).iter().any(|(_, outcome)| *outcome == Outcome::Success)
}

/// Whole numbers in a text, as they stand.
fn numbers(text: &str) -> Vec<i64> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
    parts.filter_map(|part| part.trim_end_matches('.').parse().ok()).collect()
}

/// The runs of the first part with this beginning or end.
fn runs_of(headline: &Headline, says: impl Fn(&str) -> bool) -> Option<BTreeSet<RunId>> {
    let part = headline.parts.iter().find(|part| says(part.text.trim()))?;
    Some(part.runs.iter().copied().collect())
}

#[test]
fn headlines_of_groups_count_what_is_there() {
    let mut counted = 0;
    for (name, files) in all() {
        let mut history = open(&files, usize::MAX);
        compare_reflections(&mut history, &files);
        for group in history.groups() {
            let headline = history.headline(group.id).expect("it is listed");
            let whole: String = headline.parts.iter().map(|part| part.text.as_str()).collect();
            assert_eq!(whole, headline.says, "{name}");
            assert!(!headline.says.is_empty(), "{name}");
            let runs: Vec<RunId> = history.runs_in(group.id);
            if runs.len() < 2 {
                continue;
            }
            counted += 1;
            let what = format!("{name}: {}", headline.says);
            let of = |fits: &dyn Fn(RunId) -> bool| -> BTreeSet<RunId> {
                runs.iter().copied().filter(|run| fits(*run)).collect()
            };
            let view = |run| history.run(run).expect("it is listed").view();
            let ends = [Outcome::Success, Outcome::Failure, Outcome::Partial, Outcome::Aborted];
            let solved =
                of(&|run| has_success(&history, run) || view(run).outcome == Outcome::Success);
            let judged = of(&|run| {
                let end = view(run).outcome;
                let has_one = outcomes(&history, run).iter().any(|(_, one)| ends.contains(one));
                solved.contains(&run) || (has_one || ends.contains(&end)) && end != Outcome::Running
            });
            // Those whose first attempt is on record, and was one.
            let is_from_first = |run| {
                let (view, all) = (view(run), outcomes(&history, run));
                let known = [i64::from(view.base), 1 - i64::from(view.base)];
                let firsts = if view.base_provenance == BaseProvenance::Assumed {
                    &known[..]
                } else {
                    &known[..1]
                };
                all.first().is_some_and(|one| firsts.contains(&one.0))
            };
            let at = |run, nth: usize| {
                let all = outcomes(&history, run);
                let is_first = is_from_first(run);
                let success = all.iter().position(|one| one.1 == Outcome::Success);
                is_first && success == Some(nth)
            };
            let at_once = of(&|run| at(run, 0));
            let unplaced = of(&|run| {
                solved.contains(&run) && !(has_success(&history, run) && is_from_first(run))
            });
            let stuck = of(&|run| !history.verdicts(&[run])[0].stuck.is_empty());
            if !judged.is_empty() {
                let first =
                    runs_of(&headline, |text| text.ends_with("solved")).expect("it is said");
                assert_eq!(first, solved, "{what}");
                let (s, n) = (solved.len(), judged.len());
                let begins = match (s, n) {
                    (0 | 1, 1) => "The only ".to_owned(),
                    (0, _) => format!("None of the {n} "),
                    (2, 2) => "Both ".to_owned(),
                    _ if s == n => format!("All {n} "),
                    _ => format!("{s} of {n} "),
                };
                assert!(headline.says.starts_with(&begins), "{what}");
            }
            let is_tried_again = judged.iter().any(|run| {
                outcomes(&history, *run).iter().filter(|one| one.1 != Outcome::Void).count() > 1
            });
            match runs_of(&headline, |text| text.ends_with("at the first attempt")) {
                Some(found) => assert_eq!(found, at_once, "{what}"),
                None => assert!(at_once.is_empty() || !is_tried_again, "{what}"),
            }
            if let Some(found) = runs_of(&headline, |text| text.starts_with("the first retry")) {
                assert_eq!(found, of(&|run| at(run, 1)), "{what}");
            }
            if let Some(found) = runs_of(&headline, |text| text.contains("got stuck")) {
                assert_eq!(found, stuck, "{what}");
            } else {
                assert!(stuck.is_empty(), "{what}");
            }
            if let Some(found) = runs_of(&headline, |text| text.contains("before ")) {
                let is_before = |run: &RunId| {
                    let last = history.verdicts(&[*run])[0].stuck.last().expect("it got stuck").to;
                    let success = outcomes(&history, *run);
                    let success = success.iter().find(|one| one.1 == Outcome::Success);
                    success.is_none_or(|one| last < one.0)
                };
                assert!(found.iter().all(is_before), "{what}");
            }
            if let Some(found) = runs_of(&headline, |text| text.starts_with("Of ")) {
                assert_eq!(found, &(&judged - &at_once) - &unplaced, "{what}");
            }
            // A part that counts runs names as many as it says.
            for part in headline.parts.iter().filter(|part| !part.runs.is_empty()) {
                let of = u32::try_from(part.runs.len()).expect("few").into();
                let said = numbers(&part.text);
                let words =
                    ["All ", "None ", "Both ", "The ", "all of them", "at the first", "the one"];
                let is_word = words.iter().any(|word| part.text.contains(word));
                assert!(said.contains(&of) || is_word, "{what}: {:?}", part.text);
            }
        }
    }
    assert!(counted > 20, "only {counted} groups have several runs");
}

#[test]
fn verdicts_name_attempts_that_are_there() {
    let mut stuck = 0;
    for (name, files) in all() {
        let mut history = open(&files, usize::MAX);
        compare_reflections(&mut history, &files);
        for verdict in
            history.verdicts(&history.runs().iter().map(|view| view.id).collect::<Vec<_>>())
        {
            let what = format!("{name}: {}", verdict.headline.says);
            let all = outcomes(&history, verdict.run);
            let has = |number: i64| all.iter().any(|(own, _)| *own == number);
            for stretch in &verdict.stuck {
                stuck += 1;
                assert!(
                    has(stretch.from) && has(stretch.to) && stretch.from < stretch.to,
                    "{what}"
                );
                let inside = all.iter().filter(|(n, _)| (stretch.from..=stretch.to).contains(n));
                assert!(inside.clone().all(|(_, outcome)| *outcome != Outcome::Success), "{what}");
                let is_failure = inside.clone().all(|(_, outcome)| *outcome == Outcome::Failure);
                let says = format!("Stuck from {} to {}", stretch.from, stretch.to);
                let sentence =
                    verdict.headline.says.split(". ").find(|text| text.starts_with(&says));
                let failed = sentence.expect("it is said").contains("every attempt failed");
                assert_eq!(failed, is_failure, "{what}");
            }
            let first = all.iter().find(|(_, outcome)| *outcome == Outcome::Success);
            if let Some((number, _)) = first {
                let says = &verdict.headline.says;
                let is_said = says.contains(&format!("Solved at {number}"))
                    || says.contains(" attempt.") && all[0].0 == *number
                    || says.contains("by its first program.") && all[0].0 == *number
                    || says.contains("by its last program.") && all[all.len() - 1].0 == *number
                    || ["Partly", "Still", "Aborted", "Does not"]
                        .iter()
                        .any(|word| says.contains(word));
                assert!(is_said, "{what}");
            }
        }
    }
    assert!(stuck > 0, "no run is stuck");
}
