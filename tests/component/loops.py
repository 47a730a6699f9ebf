"""The reflection loop of the component in wasmtime: a host that answers step by step."""

import json

from wasmtime.component import Record, Variant

LOOP = "hindscope:reflections/loops@0.1.0"
HOST = json.dumps({"llm": True, "actions": ["write"], "languages": ["python"], "clock": True})
CONFIG = json.dumps({
    "state": {"topic": "tides"},
    "generator": {"action": "write", "prompt": "About {{ topic }}"},
    "evaluator": {"type": "custom", "run": "'moon' in output"},
    "corrector": {"callback": "mend"},
    "max_iterations": 2,
})


class LoopRefused(Exception):
    """A `loop-error` of the component."""

    def __init__(self, error):
        super().__init__(error.message)
        self.type = error.type
        self.code = error.code
        self.field = error.field
        self.details = json.loads(error.details)


def call(host, name, *arguments):
    answer = host.ask(LOOP, name, *arguments)
    if isinstance(answer, Record) and {"type", "code", "field"} <= set(vars(answer)):
        raise LoopRefused(answer)
    return answer


def record(**members):
    made = Record()
    for name, value in members.items():
        setattr(made, name.replace("_", "-"), value)
    return made


def reply(tag, payload=None, **more):
    """The answer to a step; a value crosses as text."""
    payload = json.dumps(payload) if tag == "value" else payload
    rest = {"usage": None, "ms": None, "now": None, "at": None, "not_finite": []}
    return record(answer=Variant(tag, payload), **(rest | more))


def failure(message, **more):
    rest = {"kind": "error", "retryable": False, "fatal": False, "retry_after_ms": None}
    return record(message=message, **(rest | more))


class Loop:
    """The resource `reflection-loop`."""

    def __init__(self, host, start, *arguments):
        self.host = host
        self.handle = call(host, f"[static]reflection-loop.{start}", *arguments)

    def ask(self, name, *arguments):
        return call(self.host, f"[method]reflection-loop.{name}", self.handle, *arguments)

    def drop(self):
        self.handle.drop(self.host.store)


def drive(run, callbacks):
    """Answers every step, and gives the last one with the calls that were made."""
    calls = []
    steps = run.ask("steps")
    while steps[0].kind.tag not in ("done", "failed"):
        step = steps[0]
        calls.append(step.kind.tag)
        state = json.loads(run.ask("state", step.id) or "null")
        try:
            answer = reply("value", callbacks[step.kind.tag](step.kind.payload, state))
        except ValueError as error:
            answer = reply("error", failure(str(error)))
        steps = run.ask("resume", step.id, answer)
    return steps[0].kind, calls


def write(asked, state):
    assert asked.call.tag == "action" and asked.call.payload.action == "write"
    params = json.loads(asked.call.payload.params)
    assert params == {"prompt": f"About {state['topic']}"}
    if state["topic"] == "nothing":
        raise ValueError("there is nothing to say")
    return "They rise and fall."


def judge(asked, state):
    assert asked.call.payload.run == "'moon' in output"
    output = json.loads(asked.output)
    assert state["output"] == output
    return {"valid": "moon" in output, "score": len(output) / 100, "errors": ["no moon"]}


def mend(asked, state):
    assert asked.call.payload.callback == "mend"
    (error,) = json.loads(asked.errors)
    assert error["message"] == "no moon" and "no moon" in asked.feedback
    assert len(state["reflection_history"]) == 1
    return {"candidate": json.loads(asked.output) + " The moon pulls."}


CALLBACKS = {"generate": write, "evaluate-custom": judge, "correct": mend}


def check_whole(host):
    run = Loop(host, "start", CONFIG, HOST, 0.0)
    end, calls = drive(run, CALLBACKS)
    assert calls == ["generate", "evaluate-custom", "correct", "evaluate-custom"], calls
    assert end.tag == "done", end
    result = json.loads(end.payload)
    assert result["result"] == "They rise and fall. The moon pulls."
    assert (result["success"], result["reflection_iteration"]) == (True, 2)
    events = run.ask("events")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (events[0].type, events[-1].type) == ("started", "stopped")
    assert json.loads(events[-1].details)["stop_reason"] == "valid"
    run.drop()
    print("ok a loop in Python")


def check_failures(host):
    settings = json.loads(CONFIG)
    settings |= {"state": {"topic": "nothing"}, "on_failure": "raise"}
    run = Loop(host, "start", json.dumps(settings), HOST, None)
    end, calls = drive(run, CALLBACKS)
    assert (end.tag, calls) == ("failed", ["generate", "generate"]), (end, calls)
    error = LoopRefused(end.payload)
    assert (error.type, error.code) == ("failed", "reflection-failed")
    history = error.details["history"]
    assert [entry["kind"] for entry in history] == ["generator"] * 2
    assert history[0]["errors"][0]["message"] == "there is nothing to say"

    deep = "[" * 129 + "]" * 129
    fresh = Loop(host, "start", CONFIG, HOST, None)
    snapshot = fresh.ask("snapshot")
    damaged = snapshot[:-1]

    def start(*arguments):
        return lambda: Loop(host, "start", *arguments)

    def answered(id, answer, run=fresh):
        return lambda: run.ask("resume", id, answer)

    broken = record(**vars(reply("value")) | {"answer": Variant("value", "{")})
    for attempt, kind, code in [
        (start("{}", HOST, None), "config", "config-generator"),
        (start("{", HOST, None), "config", "config-value"),
        (start(deep, HOST, None), "config", "config-value"),
        (start(CONFIG, "{}", None), "config", "config-unknown-action"),
        (lambda: Loop(host, "restore", CONFIG, HOST, damaged), "usage", "snapshot-invalid"),
        (answered(7, reply("value", 1)), "usage", "unknown-step"),
        (answered(1, broken), "usage", "reply-invalid"),
        (answered(1, reply("value", 1, ms=-1.0)), "usage", "reply-invalid"),
        (answered(99, reply("value", 1), run), "usage", "loop-finished"),
        (lambda: call(host, "render", "{{ x }}", "{}"), "template", "template-failed"),
        (lambda: call(host, "coerce", "{}", deep), "config", "config-value"),
        (lambda: call(host, "reflection-from-yaml", "a: [", None), "config", "config-value"),
    ]:
        try:
            attempt()
        except LoopRefused as refused:
            assert (refused.type, refused.code) == (kind, code), (refused.type, refused.code)
        else:
            raise AssertionError(f"{code} was not refused")
    assert fresh.ask("snapshot") == snapshot
    for one in (run, fresh):
        one.drop()
    print("ok errors of a loop")


def check_snapshot(host, other):
    first = Loop(host, "start", CONFIG, HOST, None)
    for id, value in [(1, "They rise."), (2, False)]:
        first.ask("resume", id, reply("value", value))
    second = Loop(other, "restore", CONFIG, HOST, first.ask("snapshot"))
    assert second.ask("steps") == first.ask("steps")
    assert second.ask("steps")[0].kind.tag == "correct"
    assert second.ask("state", 3) == first.ask("state", 3)
    callbacks = CALLBACKS | {"correct": lambda asked, state: {"candidate": "moon"}}
    ends = [drive(run, callbacks)[0].payload for run in (first, second)]
    assert ends[0] == ends[1] and json.loads(ends[0])["result"] == "moon"
    for run in (first, second):
        run.drop()
    print("ok a snapshot in another instance")


def check_abort(host):
    run = Loop(host, "start", CONFIG, HOST, None)
    run.ask("resume", 1, reply("value", "They rise."))
    run.ask("resume", 2, reply("value", 0.25))
    (end,) = run.ask("abort", "enough")
    result = json.loads(end.kind.payload)
    assert (result["stop_reason"], result["stop_detail"]) == ("aborted", "enough")
    assert (result["reflection_best"], result["reflection_best_score"]) == ("They rise.", 0.25)
    assert run.ask("abort", "again") == []
    run.drop()
    print("ok an abort")


def check_functions(host):
    schema = json.dumps({"properties": {"age": {"type": "integer"}}})
    coerced = call(host, "coerce", schema, '{"age": " 30 ", "n": 9007199254740993}')
    assert coerced.value == '{"age":30,"n":9007199254740993}', coerced.value
    ((pointer, old, new),) = [(c.pointer, getattr(c, "from"), c.to) for c in coerced.coercions]
    assert (pointer, old, new) == ("/age", '" 30 "', "30")
    assert call(host, "render", "{{ a }}!", '{"a": 1}') == "1!"
    block = call(host, "reflection-from-yaml", "action: reflection.loop\nwith: {seed: 7}\n", None)
    assert (block.action, block.config) == ("reflection.loop", '{"seed":7}')
    entry = {"iteration": 1, "output": 1, "score": 1, "valid": True, "kind": "evaluation"}
    context = {"loop_id": "ralph-tides", "at": "2026-03-01T10:00:00Z"}
    made = call(host, "to-record", json.dumps(entry), json.dumps(context))
    assert json.loads(made)["iteration"] == 0
    assert call(host, "to-record", json.dumps(entry), "{}") is None
    judged = Loop(host, "evaluate", json.dumps({"schema": True, "data": 1}), "null", HOST, None)
    assert json.loads(judged.ask("steps")[0].kind.payload)["valid"]
    request = json.dumps({"data": 1, "run": "output + 1"})
    mended = Loop(host, "correct", request, "{}", HOST, None)
    (end,) = mended.ask("resume", 1, reply("value", {"candidate": 2}))
    assert json.loads(end.kind.payload)["corrected_output"] == 2
    for run in (judged, mended):
        run.drop()
    print("ok what stands beside a loop")


def check(host, other):
    """Drives loops; `other` is an instance of its own."""
    check_whole(host)
    check_failures(host)
    check_snapshot(host, other)
    check_abort(host)
    check_functions(host)
