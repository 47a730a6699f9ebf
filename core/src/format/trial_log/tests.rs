use super::*;
use crate::format::Format;
use crate::model::details::Details;
use crate::model::outcome::Outcome;

fn cut(format: &Format, text: &str) -> super::super::parsed_record::Cuts {
    assert!((format.fits)(&Value::String(text.to_owned()), &Context::default()));
    let Reading::Text { cut, .. } = format.reading else { panic!("it is a text") };
    cut(text)
}

fn step(text: &str) -> Details {
    let mut runs = parse(text, &Context::default()).runs;
    runs.remove(0).steps.remove(0)
}

const BLOCK: &str = "Environment #4:\nInteract with a house.\n\nYour memory for the task below:\nTrial 0:\nI looked in the wrong drawer.\nI will open all.\nTrial 1:\nThe drawer was locked.\nHere is the task:\nYou are in a hall.\nYour task is to: find a key.\n> think: drawers first.\nOK.\n> open drawer 1\nIt is locked.\n\nIt creaks.\n\nSTATUS: FAIL";

#[test]
fn a_block_has_actions_and_the_window() {
    let step = step(BLOCK);
    assert_eq!((step.key.as_deref(), step.outcome), (Some("env_4"), Some(Outcome::Failure)));
    let shown: Vec<_> =
        step.retrieved.iter().flatten().map(|r| (r.number, r.text.as_str())).collect();
    assert_eq!(
        shown,
        [(0, "I looked in the wrong drawer.\nI will open all."), (1, "The drawer was locked.")]
    );
    assert_eq!(step.task.as_deref(), Some("Your task is to: find a key."));
    let texts: Vec<_> = step.texts.iter().map(|t| (t.name.as_str(), t.text.as_str())).collect();
    assert_eq!(
        texts,
        [("prompt", "Interact with a house."), ("observation", "You are in a hall.")]
    );
    assert_eq!(step.actions[0].reasoning.as_deref(), Some("drawers first."));
    assert_eq!(step.actions[1].description, "open drawer 1");
    assert_eq!(step.actions[1].output.as_deref(), Some("It is locked.\n\nIt creaks."));
}

#[test]
fn a_block_without_a_prompt() {
    let step = step("Environment #1:\nYour task is to: rest.\n> sit\nYou sit.\n\nSTATUS: OK");
    assert_eq!((step.actions.len(), step.outcome), (1, Some(Outcome::Success)));
    let step = self::step("Environment #2:\nAssertion Error\n\nSTATUS: FAIL");
    assert_eq!((step.actions.len(), step.texts[0].text.as_str()), (0, "Assertion Error"));
    assert!(self::step("Environment #2:\n> sit").outcome == Some(Outcome::Unknown), "cut off");
}

fn log(tail: &str) -> String {
    let block = |text: &str| format!("\n#####\n\n{text}\n\n#####\n");
    [block(BLOCK), block("Environment #5: Success"), block("Environment #6:\nx\n\nSTATUS: OK")]
        .concat()
        + tail
}

#[test]
fn blocks_and_their_sums() {
    let good =
        log("\n-----\nSUCCESS: 2\nADDITIONAL SUCCESS: 1\nFAIL: 1\nTOTAL: 3\nACCURACY: 0.67\n-----");
    let cuts = cut(&FORMAT, &good);
    let texts: Vec<_> = cuts.records.iter().map(|cut| &good[cut.range.clone()]).collect();
    assert_eq!(texts, [BLOCK, "Environment #5: Success", "Environment #6:\nx\n\nSTATUS: OK"]);
    assert!(cuts.findings.is_empty(), "{:?}", cuts.findings);
    let parsed = parse(texts[1], &Context::default());
    assert!(parsed.runs[0].steps.is_empty(), "carried");
    let odd = log(
        "\n-----\nSUCCESS: 2\nADDITIONAL SUCCESS: 2\nFAIL: 1\nTOTAL: 3\nACCURACY: 0.7\n-----\nBye.",
    );
    let cuts = cut(&FORMAT, &odd);
    let rules: Vec<_> = cuts.findings.iter().map(|(_, f)| f.rule.as_ref()).collect();
    assert_eq!(rules, ["log/tail", "source/unknown"]);
    assert_eq!(cuts.skipped, 1);
    assert!(cuts.findings[0].1.message.contains("ACCURACY"));
}

#[test]
fn a_world_has_a_line_for_each_verdict() {
    let text = "\n\n***** Start Trial #0 *****\n\nEnvironment #0 Trial #0: SUCCESS\nEnvironment #1 Trial #0: FAIL\n\n-----\nSUCCESS: 1\nADDITIONAL SUCCESS: 1\nFAIL: 1\nTOTAL: 2\nACCURACY: 0.5\n-----\n\n\n***** End Trial #0 *****\n\n\n***** Start Trial #1 *****\n\nEnvironment #0 Trial #1: SUCCESS\nEnvironment #1 Trial #1: SUCCESS\n\n-----\nSUCCESS: 2\nADDITIONAL SUCCESS: 2\nFAIL: 0\nTOTAL: 2\nACCURACY: 1.0\n-----\n";
    let cuts = cut(&WORLD, text);
    assert_eq!(cuts.records.len(), 4);
    let line = &text[cuts.records[1].range.clone()];
    let step = parse_world(line, &Context::default()).runs[0].steps[0].clone();
    assert_eq!(
        (step.key.as_deref(), step.number, step.outcome),
        (Some("env_1"), Some(0), Some(Outcome::Failure))
    );
    let [(_, finding)] = &cuts.findings[..] else { panic!("{:?}", cuts.findings) };
    assert!(finding.message.contains("`ADDITIONAL SUCCESS: 2` instead of 1"), "{finding:?}");
}
