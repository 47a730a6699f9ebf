//! What holds for the loop whatever its configuration is and whatever comes back: runs drawn from a
//! seed, so that a failure can be seen again.

use hindscope::reflect::Seen;
use hindscope::{Host, Loop, Reply, Step, StepKind};
use hindscope_tests::loops::state_of;
use serde_json::{Value, json};

/// Numbers that look drawn by chance and are the same every time.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one(&mut self, of: &[Value]) -> Value {
        let index = usize::try_from(self.below(of.len() as u64)).expect("it fits");
        of[index].clone()
    }
}

/// A configuration of any kind, and how many rounds it allows.
fn configuration(draw: &mut Draw) -> (Value, u64, u64) {
    let max = 1 + draw.below(6);
    let candidates = draw.one(&[1, 1, 1, 2, 3].map(Value::from)).as_u64().expect("a number");
    let custom = json!({ "type": "custom", "callback": true });
    let schema = json!({ "schema": { "type": "integer", "minimum": 40 } });
    let llm = json!({ "type": "llm", "prompt": "Judge {{ output }}" });
    let mut config = json!({
        "generator": draw.one(&[json!({ "action": "a", "p": "{{ reflection_feedback }}" }), json!({ "run": "x" })]),
        "evaluator": draw.one(&[
            custom.clone(), schema.clone(), llm.clone(), json!([schema.clone(), custom.clone()]),
            json!([custom.clone(), llm, schema]),
        ]),
        "max_iterations": max,
        "candidates": candidates,
        "early_stop": draw.below(2) == 0,
        "combine": draw.one(&["all", "any", "first", "weighted"].map(Value::from)),
        "parse": draw.one(&["auto", "json", "text", "none"].map(Value::from)),
        "on_failure": draw.one(&["return_best", "return_last"].map(Value::from)),
        "corrector_mode": draw.one(&["auto", "replace"].map(Value::from)),
        "judge_retries": draw.below(3),
        "retry": { "max": draw.below(3), "jitter": 0.5 },
        "seed": draw.next(),
        "feedback": { "last": draw.one(&[json!(null), json!(1), json!(2)]), "best": draw.below(2) },
    });
    let mut also = |key: &str, value: Value| {
        if draw.below(3) == 0 {
            config[key] = value;
        }
    };
    also("corrector", json!({ "action": "b", "p": "{{ reflection_output | tojson }}" }));
    also("budget", json!({ "calls": 7, "tokens": 90 }));
    also("stall", json!({ "after": 3, "by": ["output", "errors", "score"] }));
    also("failure_limits", json!({ "generator": 3, "evaluator": 3, "corrector": 2 }));
    also("history_limit", json!(2));
    also("pass_score", json!(0.7));
    also("memory", json!({ "name": "laws" }));
    also("deadline_ms", json!(40));
    (config, max, candidates)
}

/// Any answer to any step.
fn answer(draw: &mut Draw, step: &Step, now: &mut f64) -> Reply {
    *now += 1.0;
    let failing = draw.below(6) == 0;
    let value = match &step.kind {
        StepKind::Wait { .. } => json!(null),
        _ if failing => {
            let mut reply = json!({ "type": "error", "message": "no", "now": *now });
            reply["retryable"] = (draw.below(2) == 0).into();
            return Reply::from_value(reply).expect("a reply");
        }
        StepKind::Generate { .. } => draw.one(&[
            json!(draw_number(step)),
            json!("41"),
            json!("prose"),
            json!({ "content": "42" }),
            json!(null),
            json!({ "valid": true, "exhausted": 5 }),
            json!([[1]]),
        ]),
        StepKind::EvaluateLlm { .. } => draw.one(&[
            json!("{\"valid\": true, \"score\": 0.9}"),
            json!("{\"valid\": false, \"score\": 0.4}"),
            json!("hm"),
        ]),
        StepKind::EvaluateCustom { .. } => draw.one(&[
            json!(true),
            json!(false),
            json!(0.6),
            json!({ "score": 0.3 }),
            json!(null),
            json!("why"),
            json!({ "valid": false, "score": 0.5, "errors": ["e"], "suggestions": "s" }),
        ]),
        StepKind::Correct { .. } => draw.one(&[
            json!({ "candidate": 50 }),
            json!({ "context": { "k": 1, "reflection_errors": 2 } }),
            json!({ "k": 2 }),
            json!("words"),
            json!({ "candidate": "43", "reflection": "R" }),
        ]),
        other => panic!("not asked for: {other:?}"),
    };
    let mut reply = json!({ "type": "value", "value": value, "now": *now });
    if draw.below(2) == 0 {
        reply["usage"] = json!({ "total_tokens": draw.below(20) });
    }
    reply["at"] = "2026-03-01T10:00:00Z".into();
    Reply::from_value(reply).expect("a reply")
}

fn draw_number(step: &Step) -> u32 {
    step.iteration * 10 + step.id
}

/// A run on its way, with what the laws need to know of it.
struct Driver {
    run: Loop,
    draw: Draw,
    now: f64,
    generated: u64,
}

impl Driver {
    fn start(config: &Value, seed: u64) -> Self {
        let run = Loop::start(config, &Host::any(), Some(0.0)).expect("the configuration is sound");
        Self { run, draw: Draw(seed), now: 0.0, generated: 0 }
    }

    /// Answers one of the pending steps; nothing once it has ended.
    fn go(&mut self) -> Option<()> {
        let steps: Vec<Step> = self.run.steps().into_iter().filter(|step| !step.is_end()).collect();
        if steps.is_empty() {
            return None;
        }
        let index = usize::try_from(self.draw.below(steps.len() as u64)).expect("it fits");
        let step = &steps[index];
        self.generated +=
            u64::from(matches!(step.kind, StepKind::Generate { .. }) && step.r#try == 1);
        let reply = answer(&mut self.draw, step, &mut self.now);
        self.run.resume(step.id, reply).expect("the reply is sound");
        Some(())
    }

    fn end(&self) -> Value {
        let [end] = &self.run.steps()[..] else { panic!("it has ended") };
        end.to_value()
    }
}

const RUNS: u64 = 150;

#[test]
fn no_more_generate_calls_than_rounds_and_candidates_allow() {
    for seed in 0..RUNS {
        let (config, max, candidates) = configuration(&mut Draw(seed));
        let mut driver = Driver::start(&config, seed + 7);
        while driver.go().is_some() {}
        assert!(driver.generated <= max * candidates, "{seed}: {} of {max}", driver.generated);
        let end = driver.end();
        assert!(end["iteration"].as_u64().expect("a round") <= max, "{seed}");
    }
}

#[test]
fn a_snapshot_at_every_step_changes_nothing() {
    for seed in 0..RUNS {
        let (config, ..) = configuration(&mut Draw(seed));
        let mut straight = Driver::start(&config, seed);
        let mut restored = Driver::start(&config, seed);
        loop {
            let bytes = restored.run.snapshot();
            restored.run = Loop::restore(&config, &Host::any(), &bytes).expect("it is restored");
            assert_eq!(restored.run.snapshot(), bytes, "{seed}: the same bytes again");
            let went = (straight.go(), restored.go());
            let states = |run: &Loop| -> Vec<_> {
                run.steps().iter().map(|step| (step.to_value(), run.state_json(step.id))).collect()
            };
            assert_eq!(states(&straight.run), states(&restored.run), "{seed}");
            if went.0.is_none() {
                break;
            }
        }
        let events = |driver: &mut Driver| -> Vec<Value> {
            driver.run.events().iter().map(hindscope::reflect::Event::to_value).collect()
        };
        assert_eq!(events(&mut straight), events(&mut restored), "{seed}");
    }
}

#[test]
fn the_history_grows_and_keeps_what_it_has() {
    for seed in 0..RUNS {
        let (config, ..) = configuration(&mut Draw(seed));
        let mut driver = Driver::start(&config, seed + 3);
        let mut reported: Vec<Value> = Vec::new();
        while driver.go().is_some() {
            for event in driver.run.events() {
                let event = event.to_value();
                if event["type"] == "evaluated" {
                    reported.push(event["entry"].clone());
                }
            }
        }
        let end = driver.end();
        let history = end["result"]["reflection_history"].as_array().expect("a history").clone();
        assert_eq!(history.len(), reported.len(), "{seed}: an attempt was lost");
        for (entry, reported) in history.iter().zip(&reported) {
            for (key, value) in reported.as_object().expect("an entry") {
                assert_eq!(&entry[key], value, "{seed}: {key} was changed");
            }
        }
    }
}

#[test]
fn an_abort_anywhere_returns_the_best_so_far() {
    for seed in 0..RUNS {
        let (config, ..) = configuration(&mut Draw(seed));
        let steps = {
            let mut driver = Driver::start(&config, seed);
            std::iter::from_fn(|| driver.go()).count()
        };
        for stop in 0..steps {
            let mut driver = Driver::start(&config, seed);
            for _ in 0..stop {
                driver.go();
            }
            if driver.run.is_finished() {
                continue;
            }
            driver.run.abort("enough");
            let end = driver.end();
            let result = &end["result"];
            assert_eq!(result["stop_reason"], "aborted", "{seed}");
            assert_eq!(result["stop_detail"], "enough");
            let mut best: Option<(f64, u8, &Value)> = None;
            for entry in result["reflection_history"].as_array().expect("a history") {
                let class = match entry["kind"].as_str() {
                    Some("evaluation") => 2,
                    Some("evaluator") => 1,
                    Some("generator") => continue,
                    _ => 0,
                };
                let score = entry["score"].as_f64().expect("a score");
                if best.is_none_or(|(other, of_it, _)| {
                    score > other || (score.total_cmp(&other).is_eq() && class > of_it)
                }) {
                    best = Some((score, class, &entry["output"]));
                }
            }
            let expected = best.map_or(Value::Null, |(_, _, output)| output.clone());
            assert_eq!(result["reflection_best"], expected, "{seed} at {stop}");
        }
    }
}

#[test]
fn damaged_and_foreign_snapshots_are_refused() {
    let (config, ..) = configuration(&mut Draw(3));
    let mut driver = Driver::start(&config, 3);
    driver.go();
    let bytes = driver.run.snapshot();
    let restore = |config: &Value, bytes: &[u8]| {
        Loop::restore(config, &Host::any(), bytes)
            .map(|_| ())
            .map_err(|error| error.code().as_str().to_owned())
    };
    assert_eq!(restore(&config, &bytes), Ok(()));
    for cut in 0..bytes.len() {
        assert_eq!(restore(&config, &bytes[..cut]), Err("snapshot_invalid".to_owned()), "{cut}");
    }
    let mut draw = Draw(5);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let index = usize::try_from(draw.below(bytes.len() as u64)).expect("it fits");
        damaged[index] ^= 1 << draw.below(7);
        // A fingerprint that was hit is another configuration's; a space beside a comma is none.
        let code = restore(&config, &damaged);
        assert!(code.is_err(), "{index}: {}", String::from_utf8_lossy(&damaged[index..=index]));
    }
    let mut other = config.clone();
    other["max_iterations"] = 7.into();
    assert_eq!(restore(&other, &bytes), Err("snapshot_mismatch".to_owned()));
    let mut same = config.clone();
    same["max_iterations"] = json!(config["max_iterations"].as_f64());
    assert_eq!(restore(&same, &bytes), Ok(()), "3 and 3.0 are equal");
}

/// The budget's time stands still while a loop is only bytes; a deadline comes all the same.
#[test]
fn a_pause_does_not_count_for_the_budget_but_for_the_deadline() {
    for (limits, reason) in
        [(json!({ "budget": { "ms": 50 } }), "valid"), (json!({ "deadline_ms": 50 }), "deadline")]
    {
        let mut config = json!({
            "generator": { "action": "a" },
            "evaluator": { "type": "custom", "callback": true },
            "max_iterations": 2,
        });
        config.as_object_mut().expect("an object").extend(limits.as_object().expect("one").clone());
        let run = Loop::start(&config, &Host::any(), Some(0.0)).expect("sound");
        let mut run = Loop::restore(&config, &Host::any(), &run.snapshot()).expect("restored");
        while let Some(step) = run.next() {
            run.resume(step.id, Reply::value(true).at_now(1000.0)).expect("a reply");
        }
        let result = run.outcome().expect("it has ended").expect("a result");
        assert_eq!(result["stop_reason"], reason);
    }
}

/// Whoever resolves a document may have paid for it.
#[test]
fn what_resolving_cost_comes_with_the_result_and_with_a_refusal() {
    let config = json!({
        "generator": { "action": "a" },
        "evaluator": { "schema": { "$ref": "other.json" } },
    });
    for (document, is_refused) in [(json!({ "type": "integer" }), false), (json!(7), true)] {
        let mut run = Loop::start(&config, &Host::any(), None).expect("sound");
        let step = run.next().expect("a document is asked for");
        let reply = json!({ "type": "value", "value": document, "ms": 5,
            "usage": { "total_tokens": 3, "cost": 0.5 } });
        run.resume(step.id, Reply::from_value(reply).expect("a reply")).expect("taken");
        let usage = if is_refused {
            let error = run.outcome().expect("it has ended").expect_err("refused");
            error.to_value()["details"]["usage"].clone()
        } else {
            let step = run.next().expect("an output is asked for");
            run.resume(step.id, Reply::value(1)).expect("taken");
            run.outcome().expect("it has ended").expect("a result")["usage"].clone()
        };
        assert_eq!([&usage["total_tokens"], &usage["cost"], &usage["ms"]], [3.0, 0.5, 5.0]);
        assert_eq!(usage["calls"]["total"], u32::from(!is_refused));
    }
    // Most say nothing, and that is no gap in what is known.
    let mut run = Loop::start(&config, &Host::any(), None).expect("sound");
    run.resume(1, Reply::value(json!(true))).expect("taken");
    run.resume(2, Reply::value(1)).expect("taken");
    assert_eq!(run.outcome().expect("it has ended").expect("a result")["usage"]["unknown"], 1);
}

/// Who keeps the entries that were sent needs no more than what is new.
#[test]
fn what_is_new_of_a_state_completes_what_was_sent() {
    let config = json!({
        "generator": { "action": "a" },
        "evaluator": { "type": "custom", "callback": true },
        "max_iterations": 20,
        "history_limit": 2,
    });
    let mut run = Loop::start(&config, &Host::any(), None).expect("sound");
    let mut steps = 0;
    let (mut seen, mut entries) = (Seen::default(), Vec::new());
    while let Some(step) = run.next() {
        steps += 1;
        let whole = state_of(&run, step.id);
        assert_eq!(run.state_json(step.id), Some(whole.to_string()), "the same order");
        // Whoever keeps the entries that were sent has them all, and as they are now.
        if step.id % 3 > 0 {
            let state = run.state_since(step.id, &mut seen).expect("a state");
            entries.truncate(state.kept.expect("a history"));
            entries.extend(state.entries);
            let text = format!("{{\"reflection_history\":[{}]}}", entries.join(","));
            let mut parts: Value = serde_json::from_str(&state.text).expect("JSON");
            let history: Value = serde_json::from_str(&text).expect("JSON");
            parts["reflection_history"] = history["reflection_history"].clone();
            assert_eq!(parts, whole, "step {}", step.id);
        }
        let reply = Reply::value(matches!(step.kind, StepKind::Generate { .. }).then_some(1));
        run.resume(step.id, reply).expect("a reply");
    }
    assert_eq!(steps, 40);
}

/// Values as deep as a thread would need gigabytes of stack for.
#[test]
fn what_is_nested_too_deeply_is_a_failed_attempt() {
    let deep = |levels: u32| (0..levels).fold(json!(1), |inner, _| Value::Array(vec![inner]));
    for (levels, is_refused) in [(128, false), (129, true), (1_000_000, true)] {
        let config = json!({ "generator": { "action": "a" }, "evaluator": { "schema": true }, "max_iterations": 1 });
        let mut run = Loop::start(&config, &Host::any(), None).expect("sound");
        run.resume(1, Reply::value(deep(levels))).expect("a reply");
        let result = run.outcome().expect("it has ended").expect("a result");
        assert_eq!(result["success"], !is_refused, "{levels}");
        let text = format!(
            "{{\"type\":\"value\",\"value\":{}1{}}}",
            "[".repeat(levels as usize),
            "]".repeat(levels as usize)
        );
        let mut run = Loop::start(&config, &Host::any(), None).expect("sound");
        run.resume(1, Reply::from_json(&text).expect("it is read")).expect("a reply");
        let result = run.outcome().expect("it has ended").expect("a result");
        assert_eq!(result["success"], !is_refused, "{levels} as text");
        if is_refused {
            assert_eq!(result["reflection_errors"][0]["code"], "too_deep");
        }
    }
}

/// Fifty megabytes go through every stage whatever it is made of.
#[test]
fn a_huge_text_is_an_output_like_any_other() {
    let config = json!({
        "generator": { "action": "a" },
        "evaluator": { "schema": { "type": "object" } },
        "max_iterations": 1,
        "parse": "json",
    });
    // Brackets that never close are the worst of all texts: fewer of them, in a build without haste.
    for text in ["x".repeat(50_000_000), "[{".repeat(500_000)] {
        let mut run = Loop::start(&config, &Host::any(), None).expect("sound");
        run.resume(1, Reply::value(text)).expect("a reply");
        let result = run.outcome().expect("it has ended").expect("a result");
        assert_eq!(result["reflection_history"][0]["kind"], "parse");
    }
}

/// Replies that are none leave everything as it was.
#[test]
fn a_bad_reply_is_refused_and_changes_nothing() {
    for reply in [
        json!(5),
        json!({}),
        json!({ "type": "value" }),
        json!({ "type": "vale", "value": 1 }),
        json!({ "type": "error", "message": 5 }),
        json!({ "type": "error", "kind": "odd" }),
        json!({ "type": "error", "retryable": "yes" }),
        json!({ "type": "error", "retry_after_ms": -1 }),
        json!({ "type": "value", "value": 1, "usage": 5 }),
        json!({ "type": "value", "value": 1, "usage": { "cost": -1 } }),
        json!({ "type": "value", "value": 1, "ms": -1 }),
        json!({ "type": "value", "value": 1, "now": "noon" }),
        json!({ "type": "value", "value": 1, "at": 5 }),
    ] {
        let error = Reply::from_value(reply.clone()).expect_err("it is none");
        assert_eq!(error.code().as_str(), "reply_invalid", "{reply}");
    }
    let config = json!({ "generator": { "action": "a" }, "evaluator": { "schema": true } });
    let mut run = Loop::start(&config, &Host::any(), None).expect("sound");
    let before = run.snapshot();
    let error = run.resume(1, Reply::value(1).at_now(f64::NAN)).expect_err("no moment");
    assert_eq!(error.code().as_str(), "reply_invalid");
    assert_eq!(run.snapshot(), before);
    assert_eq!(Reply::from_json("{").expect_err("no JSON").code().as_str(), "reply_invalid");
}
