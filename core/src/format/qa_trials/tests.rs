use super::*;

fn attempt(text: &str) -> (Details, Vec<String>) {
    let context =
        Context { number: Some(2), verdict: Some((Outcome::Failure, None)), is_item: false };
    let parsed = parse(text, &context);
    let steps = &parsed.runs[0].steps;
    let listed = steps.get(LISTED).map(|s| &s.reflections);
    let texts = listed.into_iter().flatten().map(|r| r.text.clone()).collect();
    (steps[0].clone(), texts)
}

fn text<'a>(details: &'a Details, name: &str) -> Option<&'a str> {
    details.texts.iter().find(|t| t.name == name).map(|t| t.text.as_str())
}

#[test]
fn reflections_stand_behind_the_steps() {
    let (step, listed) = attempt(
        "Context: \nQuestion: Which lake is deeper? \nThought: Let me see.\nAction: Finish[Moor]\nObservation: Answer is INCORRECT\nReflections: I guessed.\nI guessed again.\nCorrect answer: Tarn",
    );
    assert_eq!(step.key.as_deref(), Some("Which lake is deeper?"));
    assert_eq!(listed, ["I guessed.", "I guessed again."]);
    assert_eq!(step.retrieved.as_ref().map(Vec::len), Some(2));
    assert!(step.reflections.is_empty(), "it wrote none of them");
    assert_eq!(text(&step, "answer"), Some("Moor"));
    assert_eq!(text(&step, "correct_answer"), Some("Tarn"));
    let [action] = &step.actions[..] else { panic!("{:?}", step.actions) };
    assert_eq!((action.kind.as_str(), action.description.as_str()), ("Finish", "Finish[Moor]"));
    assert_eq!(action.reasoning.as_deref(), Some("Let me see."));
    assert_eq!(action.output.as_deref(), Some("Answer is INCORRECT"));
}

#[test]
fn reflections_are_glued_to_the_question() {
    let header = "You have attempted to answer following question before and failed.";
    let (step, listed) = attempt(&format!(
        "Question: Who dug it?\"{header}{header}\nReflections:\n- I stopped early.\nand late\n- I read half.\nThought 1: Search.\nAction 1: Search[it]\nObservation 1: A ditch.\n\nLong.\nThought 2: Done.\nAction 2: Finish[a]\nAction 3: Finish[Bo]\nObservation 3: Answer is INCORRECT\nCorrect answer: Jo\" Doe"
    ));
    assert_eq!(step.key.as_deref(), Some("Who dug it?\""));
    assert_eq!(listed, ["I stopped early.\nand late", "I read half."]);
    assert_eq!(step.actions.len(), 3);
    assert_eq!(step.actions[0].output.as_deref(), Some("A ditch.\n\nLong."));
    assert_eq!(text(&step, "answer"), Some("Bo"));
    assert_eq!(text(&step, "correct_answer"), Some("Jo\" Doe"));
    assert!(step.flags.is_empty());
}

#[test]
fn a_trial_before_is_no_step_of_this_one() {
    let (step, listed) = attempt(
        "Solve it.\nYou have attempted to answer the following question before and failed. Below is the last trial.\nQuestion: Who?\nThought: Old.\nAction: Finish[x]\n(END PREVIOUS TRIAL)\n\nThe following reflection(s) give a plan to do better.\nReflections:\n- Think first.\n\nRelevant Context: A page.\n\nMore. \nQuestion: Who?\nThought: New.\nAction: Finish[y]\nObservation: Answer is INCORRECT\nCorrect answer: z",
    );
    assert_eq!(step.key.as_deref(), Some("Who?"));
    assert_eq!(listed, ["Think first."]);
    assert_eq!(step.flags, ["last-trial"]);
    assert_eq!(text(&step, "instruction"), Some("Solve it."));
    assert_eq!(text(&step, "context"), Some("A page.\n\nMore."));
    let before = text(&step, "previous_trial").expect("it is shown");
    assert!(before.starts_with("Question: Who?") && before.ends_with("Finish[x]"), "{before}");
    assert_eq!((step.actions.len(), text(&step, "answer")), (1, Some("y")));
    let (step, listed) = attempt(
        "Question: Who?\nThought: New.\nAction: Finish[y]\nReflections: \nThought: Old.\nAction: Finish[x]\nCorrect answer: z",
    );
    assert!(listed.is_empty() && step.flags == ["last-trial"]);
    assert_eq!(text(&step, "previous_trial"), Some("Thought: Old.\nAction: Finish[x]"));
    assert_eq!(text(&step, "answer"), Some("y"));
}

const LOG: &str = "\n########################################\nBEGIN TRIAL 3\nTrial summary: Correct: 1, Incorrect: 1, Halted: 1\n#######################################\n------------- BEGIN CORRECT AGENTS -------------\n\nQuestion: a?\nCorrect answer: a\n\n------------- BEGIN INCORRECT AGENTS -----------\n\nQuestion: b?\nCorrect answer: b\n\nQuestion: c?\nCorrect answer: c\n\n------------- BEGIN HALTED AGENTS --------------\n\nA loose end.\n";

#[test]
fn sections_are_verdicts_and_nothing_disappears() {
    assert!(fits(&Value::String(LOG.to_owned()), &Context::default()));
    let cuts = cut(LOG);
    let seen: Vec<_> = cuts
        .records
        .iter()
        .map(|cut| (&LOG[cut.range.clone()], cut.context.number, cut.context.verdict))
        .collect();
    assert_eq!(
        seen,
        [
            ("Question: a?\nCorrect answer: a", Some(3), Some((Outcome::Success, None))),
            ("Question: b?\nCorrect answer: b", Some(3), Some((Outcome::Failure, None))),
            ("Question: c?\nCorrect answer: c", Some(3), Some((Outcome::Failure, None))),
        ]
    );
    assert_eq!(cuts.skipped, 1);
    let rules: Vec<_> = cuts.findings.iter().map(|(_, f)| f.rule.as_ref()).collect();
    assert_eq!(rules, ["qa/counts", "source/unknown"]);
    let at = cuts.findings[1].0;
    assert!(LOG[at..].starts_with("A loose end."));
}

#[test]
fn a_log_of_thoughts_has_no_answers() {
    let log = "------------- BEGIN HALTED AGENTS -----------\n\nQuestion: a?\nThought 1: Hm.\n\nStill.\n\nQuestion: b?\nThought 1: Ha.\n";
    let cuts = cut(log);
    let texts: Vec<_> = cuts.records.iter().map(|cut| &log[cut.range.clone()]).collect();
    assert_eq!(texts, ["Question: a?\nThought 1: Hm.\n\nStill.", "Question: b?\nThought 1: Ha."]);
    assert_eq!(cuts.records[0].context.number, None);
    assert_eq!(cuts.records[0].context.verdict, Some((Outcome::Failure, Some("halted"))));
    assert!(!fits(&Value::String("Previous Trial:\nQuestion: a?".into()), &Context::default()));
}

#[test]
fn totals_that_do_not_add_up() {
    let log = LOG.replace("BEGIN TRIAL 3", "BEGIN TRIAL 2").replace("Halted: 1", "Halted: 4") + LOG;
    let rules: Vec<_> = cut(&log).findings.into_iter().map(|(_, f)| f.rule).collect();
    assert_eq!(rules, ["qa/counts", "source/unknown", "qa/counts", "qa/total", "source/unknown"]);
}
