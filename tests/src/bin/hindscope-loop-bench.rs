//! What a round of the loop costs beside the callbacks' own time: `cargo run --release --bin
//! hindscope-loop-bench`.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::time::Instant;

use hindscope::{Host, Loop, LoopError, Reply, StepKind};
use serde_json::{Value, json};

/// Seconds of this thread on a processor where the system gives them: others may be busy, too.
fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let stats = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stats.and_then(|stats| stats.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || START.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |nanoseconds| nanoseconds / 1e9,
    )
}

/// A loop of so many rounds that accepts nothing.
fn run(config: &Value, rounds: u32, reads_state: bool) -> Result<(), LoopError> {
    let mut config = config.clone();
    config["max_iterations"] = rounds.into();
    let mut run = Loop::start(&config, &Host::any(), None)?;
    while let Some(step) = run.next() {
        if reads_state {
            std::hint::black_box(run.state_json(step.id));
        }
        let reply = match step.kind {
            StepKind::Generate { .. } => json!({ "name": "Ada", "n": step.iteration }),
            StepKind::Correct { .. } => json!({ "hint": "an email" }),
            _ => json!({ "valid": false, "score": 0.25, "errors": ["no email"] }),
        };
        run.resume(step.id, Reply::value(reply))?;
        run.events();
    }
    std::hint::black_box(run.outcome());
    Ok(())
}

fn main() -> io::Result<()> {
    let schema = json!({ "schema": { "type": "object", "required": ["name", "email"] } });
    let custom = json!({ "type": "custom", "callback": true });
    let plain =
        |evaluator: &Value| json!({ "generator": { "callback": true }, "evaluator": evaluator });
    let mut corrected = plain(&schema);
    corrected["corrector"] = json!({ "callback": true });
    let mut prompted = plain(&schema);
    prompted["generator"] = json!({ "action": "a", "prompt": "{{ reflection_feedback }}" });
    let mut limited = plain(&schema);
    limited["history_limit"] = 10.into();
    let cases = [
        ("schema evaluator", plain(&schema), false),
        ("custom evaluator", plain(&custom), false),
        ("schema, corrector", corrected, false),
        ("schema, prompt with feedback", prompted, false),
        ("schema, history_limit 10", limited, false),
        ("schema, every state read as text", plain(&schema), true),
    ];
    let mut out = io::stdout().lock();
    for (name, config, reads_state) in &cases {
        write!(out, "{name:34}")?;
        for rounds in [1, 10, 100, 1000] {
            // Processor time comes in ticks of milliseconds: so many runs that they do not matter.
            let runs = (20_000 / rounds).max(20);
            let start = seconds();
            for _ in 0..runs {
                run(config, rounds, *reads_state).map_err(io::Error::other)?;
            }
            let each = (seconds() - start) * 1e6 / f64::from(rounds * runs);
            write!(out, "  {rounds} rounds {each:8.2} µs each")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
