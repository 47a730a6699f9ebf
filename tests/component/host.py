"""The component in wasmtime: the same answers as the native core, for every fixture.

Run by `cargo xtask test`, which sets HINDSCOPE_COMPONENT and HINDSCOPE_DUMP.
"""

import functools
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

import loops

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
SLICE = 1 << 16

# What is asked, as tests/src/dump.rs and tests/dump.mjs ask it.
OMEGA = 3
NOW_MS = 1_775_001_600_000.0
QUERY = "session token expiry"
OWN_SCHEMA = json.dumps({
    "type": "object",
    "required": ["iteration"],
    "properties": {
        "iteration": {"type": "integer", "minimum": 1},
        "loop_id": {"pattern": "^ralph-"},
        "evaluator_output": {"properties": {"passed": {"const": False}}},
    },
})
SCHEMAS = ["reflection-memory", "task-metadata", "trajectory", "reflection", "attempt", "action"]
LAYOUTS = ["plain", "aiwg-template", "aiwg-guide", "aiwg-memory", "reflexion-alfworld", "episodic"]
RULES = [
    {"omega": OMEGA},
    {"omega": 2, "policy": "recency"},
    {"omega": 2, "policy": "relevance-weighted"},
    {"omega": 1, "policy": "relevance-weighted", "half_life": 1.0},
    {"token_budget": 60},
    {"dynamic_omega": True},
    {"failures_only": True},
    {},
]
MEMORY_RULES = [
    {"omega": OMEGA},
    {"omega": OMEGA, "policy": "relevance-weighted", "token_budget": 60, "dynamic_omega": True},
]


class Refused(Exception):
    """An `error` of the component."""

    def __init__(self, error):
        super().__init__(error.message)
        self.code = error.code
        self.details = {detail.name: detail.value for detail in error.details}


def compiled(path):
    """The component, for any number of instances."""
    engine = Engine()
    component = Component.from_file(engine, str(path))
    imports = list(component.type.imports(engine))
    assert not imports, f"the component must import nothing, but imports {imports}"
    return engine, component


class Host:
    """One instance of the component. Exports are called by their names in wit/."""

    def __init__(self, engine, component):
        self.store = Store(engine)
        self.instance = Linker(engine).instantiate(self.store, component)
        self.interfaces = list(component.type.exports(engine))

    def ask(self, interface, name, *arguments):
        """The answer as it comes, a refusal included."""
        within = self.instance.get_export_index(self.store, interface)
        assert within, f"{interface} is not exported"
        index = self.instance.get_export_index(self.store, name, within)
        assert index, f"{name} is not exported"
        answer = self.instance.get_func(self.store, index)(self.store, *arguments)
        # A result whose two sides are both records, or both absent, comes tagged.
        return answer.payload if isinstance(answer, Variant) else answer

    def call(self, name, *arguments):
        answer = self.ask(self.interface_of(name), name, *arguments)
        if isinstance(answer, Record) and set(vars(answer)) == {"code", "message", "details"}:
            raise Refused(answer)
        return answer

    def interface_of(self, name):
        """The one that has this name: no two have, but for that of the loop."""
        for interface in self.interfaces:
            within = self.instance.get_export_index(self.store, interface)
            if interface != loops.LOOP and self.instance.get_export_index(self.store, name, within):
                return interface
        raise AssertionError(f"{name} is not exported")

    def resource(self, kind, handle, name, *arguments):
        return self.call(f"[method]{kind}.{name}", handle, *arguments)


def camel(name):
    return re.sub(r"-([a-z0-9])", lambda letter: letter[1].upper(), name)


def plain(value):
    """A value of the component as JSON has it; absent members are left out."""
    if isinstance(value, Record):
        members = {camel(name): plain(member) for name, member in vars(value).items()}
        return {name: member for name, member in members.items() if member is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def options(names, given):
    """A record of options: what is not given is absent."""
    made = Record()
    for name in names.split():
        setattr(made, name, given.pop(name.replace("-", "_"), None))
    assert not given, f"no options: {given}"
    return made


def window_rule(**given):
    return options("omega policy failures-only token-budget half-life dynamic-omega", given)


def validate_options(**given):
    return options("schema profile now-ms", given)


def insight_options(**given):
    names = "rules omega diminishing-relative diminishing-points diminishing-steps selection"
    names += " selection-threshold require-verification max-iterations objective now-ms"
    return options(names, given)


def underscored(members, name):
    """With a word as the records spell it."""
    return members | {name: members[name].replace("-", "_")}


def spelled(explanation):
    """An explanation as the records spell it."""
    return explanation | {"trajectory": underscored(explanation["trajectory"], "class")}


def or_code(ask):
    try:
        return ask()
    except Refused as refused:
        return {"error": refused.code}


class History:
    """The resource `history`, with the bytes of its sources beside it."""

    def __init__(self, host, files):
        self.host = host
        self.files = files
        self.handle = host.call("[constructor]history", "lenient")
        for name, data in files:
            source = self.ask("open", name)
            for at in range(0, len(data), SLICE):
                if self.ask("push", source, data[at : at + SLICE]) == "enough":
                    break
            self.ask("finish", source)

    def ask(self, name, *arguments):
        return self.host.resource("history", self.handle, name, *arguments)

    def bytes_of(self, record_id):
        span = self.ask("locate", record_id)
        return self.files[span.source][1][span.start : span.end]

    def inspect(self, record_id, part):
        return json.loads(self.ask("inspect", record_id, part, self.bytes_of(record_id)))

    def load_run(self, run, *needs):
        """A run with the records read that it names when it is asked `needs`."""
        handle = self.ask("load-run", run)
        ask = functools.partial(self.host.resource, "loaded-run", handle)
        for span in ask(*(needs or ["needs"])):
            ask("load", span.record, self.bytes_of(span.record))
        return handle, ask


def dump_window(history, loaded_run, at, rule, layouts=("plain",)):
    view = loaded_run("window", at, rule)
    entries = loaded_run("entries", view.held)
    beside = loaded_run("render-options", at, rule)
    render = history.host.call
    texts = {layout: render("render", entries, layout, beside) for layout in layouts}
    return {"view": underscored(plain(view), "policy"), "entries": plain(entries), "texts": texts}


def dump_run(history, view):
    run = view.id
    columns = history.ask("columns", run)
    iterations = history.ask("iterations", run)
    following = columns.numbers[-1] + 1 if columns.numbers else view.base
    handle, loaded_run = history.load_run(run)
    window = functools.partial(dump_window, history, loaded_run)
    first = window_rule(omega=OMEGA)
    *others, last = [window_rule(**rule) for rule in RULES]
    answer = {
        "view": plain(view),
        "iterations": plain(iterations),
        "reflections": plain(history.ask("reflections", run)),
        "columns": plain(columns),
        "records": history.ask("records", run),
        "windows": [or_code(lambda: window(at, first)) for at in columns.numbers],
        "nextWindows": [or_code(lambda: window(following, rule)) for rule in others]
        + [or_code(lambda: window(following, last, LAYOUTS))],
        "injected": [
            or_code(lambda: plain(loaded_run("injected", at)))
            for at in [*columns.numbers, following]
        ],
        "details": [or_code(lambda: history.inspect(one.record, one.part)) for one in iterations],
        "headlines": [plain(loaded_run("attempt-headline", at)) for at in columns.numbers],
    }
    handle.drop(history.host.store)
    # With what it needs and nothing else.
    handle, loaded_run = history.load_run(run, "needs-about")
    answer["about"] = [
        {"record": one.record, "says": json.loads(one.says)} for one in loaded_run("about")
    ]
    handle.drop(history.host.store)
    answer["attempts"] = []
    for at in columns.numbers:
        handle, loaded_run = history.load_run(run, "needs-of", at)
        answer["attempts"].append(json.loads(loaded_run("attempt", at)))
        handle.drop(history.host.store)
    # With what the rules need and nothing else.
    handle, loaded_run = history.load_run(run, "needs-sketches")
    answer["verdict"] = plain(loaded_run("verdict"))
    handle.drop(history.host.store)
    handle, loaded_run = history.load_run(run, "needs-for", None)
    answer["explanation"] = spelled(plain(loaded_run("explain", None)))
    handle.drop(history.host.store)
    return answer


def dump_record(history, record_id, own):
    data = history.bytes_of(record_id)
    host = history.host

    def verdict(schema, profile):
        asked = validate_options(schema=schema, profile=profile, now_ms=NOW_MS)
        return plain(host.call("validate", data, asked))

    return {
        "span": plain(history.ask("locate", record_id)),
        "details": or_code(lambda: history.inspect(record_id, 0)),
        "raw": or_code(lambda: history.ask("raw-text", record_id, data)),
        "verdicts": {
            schema: {profile: verdict(schema, profile) for profile in ["strict", "lenient"]}
            for schema in SCHEMAS
        },
        "own": plain(host.resource("validator", own, "validate", data)),
    }


def dump_memory(host, records, rule):
    window = host.call("[static]reflection-window.create", window_rule(**rule))
    ask = functools.partial(host.resource, "reflection-window", window)

    def state():
        metadata = vars(ask("metadata"))
        names = ["omega", "entries", "held", "evicted", "dropped", "tokens", "notes"]
        return {name: plain(ask(name)) for name in names} | {
            "texts": {layout: ask("render", layout, None) for layout in LAYOUTS},
            "metadata": underscored(
                {name.replace("-", "_"): value for name, value in metadata.items()}, "window_policy"
            ),
        }

    findings = [plain(ask("push", record)) for record in records]
    before = state()
    ask("set-omega", 2)
    ask("set-token-budget", 40)
    ask("set-query", QUERY)
    answer = {"findings": findings, "before": before, "after": state()}
    window.drop(host.store)
    return answer


def dump_group(history, group):
    names = ["trust", "retries", "aggregate", "headline"]
    for run in history.ask("runs"):
        if run.group == group.id:
            handle, loaded_run = history.load_run(run.id, "needs-sketches")
            loaded_run("verdict")
            handle.drop(history.host.store)
    return {"view": plain(group)} | {name: plain(history.ask(name, group.id)) for name in names}


def dump(history):
    host = history.host
    groups = history.ask("groups")
    ids = range(history.ask("record-count"))
    records = [history.bytes_of(one) for one in ids]
    own = host.call("[static]validator.create", OWN_SCHEMA, None)
    answer = {
        "sources": plain(history.ask("sources")),
        "added": plain(history.ask("added")),
        "groups": [dump_group(history, group) for group in groups],
        "compared": None
        if len(groups) < 2
        else or_code(lambda: plain(history.ask("compare", [groups[0].id, groups[1].id], OMEGA))),
        "runs": [dump_run(history, view) for view in history.ask("runs")],
        "findings": plain(history.ask("findings")),
        "findingsOf": [plain(history.ask("findings-of", source.id)) for source in history.ask("sources")],
        "eachFinding": plain(history.ask("each-finding", 0, 0xFFFF_FFFF)),
        "records": [dump_record(history, one, own) for one in ids],
        "memories": [dump_memory(host, records, rule) for rule in MEMORY_RULES],
        "live": spelled(plain(host.call("explain", records, None))),
        "rules": plain(host.call("insight-rules")),
        "formats": plain(host.call("formats")),
    }
    own.drop(host.store)
    return answer


def canonical(value):
    """The same for equal values: WIT has no absent lists, so an empty list and an absent one are equal."""
    if isinstance(value, dict):
        members = {name: canonical(member) for name, member in value.items()}
        return {name: member for name, member in members.items() if member != []}
    if isinstance(value, list):
        return [canonical(item) for item in value if item != []]
    # To Python, true equals 1.
    return f"<{value}>" if isinstance(value, bool) else value


def difference(own, native):
    """The first line that differs."""
    text = functools.partial(json.dumps, indent=1, sort_keys=True, ensure_ascii=False)
    lines = zip(text(own).splitlines(), text(native).splitlines())
    for number, (left, right) in enumerate(lines, 1):
        if left != right:
            return f"line {number}: component {left.strip()!r}, native {right.strip()!r}"
    return "one is longer than the other"


def fixtures():
    return sorted(path for path in FIXTURES.glob("*/*/*") if path.name != "NOTICE")


def check_parity(host, program):
    for path in fixtures():
        printed = subprocess.run([program, path], check=True, capture_output=True).stdout
        native = json.loads(printed)
        given = [one["path"] for one in native["sources"]]
        files = [(name, (path.parent / name).read_bytes()) for name in given]
        history = History(host, files)
        own = canonical(dump(history))
        history.handle.drop(host.store)
        expected = canonical(native)
        assert own == expected, f"{path.relative_to(FIXTURES)}: {difference(own, expected)}"
        print(f"ok {path.relative_to(FIXTURES)}")


def check_figures(host):
    folder = FIXTURES / "reflexion" / "2023" / "alfworld"
    names = [f"env_results_trial_{n}.json" for n in range(4)]
    history = History(host, [(f"alfworld/{name}", (folder / name).read_bytes()) for name in names])
    (group,) = history.ask("groups")
    assert (group.runs, getattr(group, "solved-after")) == (5, [1, 2, 4, 5])
    run = history.ask("find-run", "env_3")
    assert history.ask("columns", run).rewards == [0.0, 0.0, 0.0, 1.0]
    handle, loaded_run = history.load_run(run)
    # A loaded run keeps its history alive.
    history.handle.drop(host.store)
    window = dump_window(history, loaded_run, 3, window_rule(omega=1))
    assert (len(window["view"]["held"]), len(window["view"]["evicted"])) == (1, 2)
    assert window["texts"]["plain"].startswith("[2] failure: Using the lamp")
    handle.drop(host.store)
    print("ok figures")


def check_refusals(host):
    record = b'{"iteration": 1, "self_reflection": {"reflection_text": "Retry."}}'
    history = History(host, [("a.json", record)])
    handle, loaded_run = history.load_run(0)
    window = "[static]reflection-window.create"
    place = options("number ordinal record part", dict(number=1, ordinal=0, record=9, part=0))
    far = 2**62
    for call, code, details in [
        (lambda: history.ask("push", 7, b"x"), "no-such-source", {"source": 7}),
        (lambda: history.ask("finish", 0), "source-finished", {"source": 0}),
        (lambda: history.ask("iterations", 9), "no-such-run", {"run": 9}),
        (lambda: history.ask("load-run", 9), "no-such-run", {"run": 9}),
        (lambda: history.ask("locate", 9), "no-such-record", {"record": 9}),
        (lambda: history.ask("inspect", 0, 0, b"{}"), "wrong-bytes", {"record": 0}),
        (lambda: loaded_run("load", 0, b"{}"), "wrong-bytes", {"record": 0}),
        (lambda: loaded_run("set-tokens", place, 1), "no-such-record", {"record": 9}),
        (lambda: loaded_run("injected", far), "no-such-iteration", {"at": far}),
        (lambda: loaded_run("window", -far, None), "no-such-iteration", {"at": -far}),
        (lambda: host.call(window, window_rule(omega=11)), "omega-out-of-range", {"omega": 11}),
        (lambda: host.call(window, window_rule(omega=300)), "omega-out-of-range", {"omega": 300}),
        (lambda: host.call(window, window_rule(half_life=-1.0)), "invalid-option", {"half-life": -1}),
        (lambda: host.call("[static]validator.create", "{", None), "invalid-schema", {}),
        (lambda: host.call("explain", [], insight_options(rules=["stuk/*"])), "invalid-option", {}),
        (lambda: loaded_run("explain", insight_options(rules=["stuk/*"])), "invalid-option", {}),
    ]:
        try:
            call()
        except Refused as refused:
            found = {name: value for name, value in refused.details.items() if name in details}
            assert (refused.code, found) == (code, details), (refused.code, refused.details)
        else:
            raise AssertionError(f"{code} was not refused")
    # What the types cannot hold is wrapped by the host: this is the largest budget.
    host.call(window, window_rule(token_budget=-1)).drop(host.store)
    odd = insight_options(rules=["*", "best/*"], omega=10, diminishing_steps=0, now_ms=math.nan)
    assert loaded_run("explain", odd).run == 0
    handle.drop(host.store)
    print("ok refusals")


def check_search(host):
    line = b'{"loop_id":"a","trial_number":1,"outcome":"failure","reflection":"Add a null check."}\n'
    history = History(host, [("loop.jsonl", line)])
    search = host.call("[static]search.start", history.handle, '"null check"', None)
    ask = functools.partial(host.resource, "search", search)
    hits = []
    while (found := ask("hits")) is not None:
        hits += found
        for need in ask("needs"):
            ask("supply", need.source, need.start, line[need.start : need.end])
    ((hit,), progress) = hits, ask("progress")
    assert (hit.run, hit.number, hit.part, hit.excerpt) == (0, 1, "reflection", "Add a null check.")
    assert [(mark.start, mark.end) for mark in hit.marks] == [(6, 16)]
    assert (progress.hits, getattr(progress, "is-done")) == (1, True)
    assert host.call("find-runs", history.handle, "outcome:failure") == [0]
    error = host.ask(host.interface_of("find-runs"), "check", "colour:red", "runs")
    assert (error.code, error.start, error.end) == ("unknown-field", 0, 6), vars(error)
    for handle in (search, history.handle):
        handle.drop(host.store)
    print("ok a search")


def check_examples(component):
    """The Python of the READMEs runs as it stands, and prints what it says."""
    for name in ["README.md", "wit/README.md"]:
        text = (ROOT / name).read_text()
        examples = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        assert examples, f"{name} has no example"
        for example in examples:
            promised = re.findall(r"# → ?(.*)$", example, re.M)
            assert promised, f"{name}: the example prints nothing"
            code = example.replace("target/component", str(component.parent))
            printed = subprocess.run(
                [sys.executable, "-c", code], check=True, capture_output=True, text=True
            ).stdout.splitlines()
            assert printed == promised, f"{name}: {printed}"
            print(f"ok the example of {name}")


def main():
    component = Path(os.environ["HINDSCOPE_COMPONENT"]).resolve()
    # Compiled once, and one instance for everything: what one history does must not reach another.
    product = compiled(component)
    host = Host(*product)
    check_figures(host)
    check_refusals(host)
    check_search(host)
    loops.check(host, Host(*product))
    check_parity(host, os.environ["HINDSCOPE_DUMP"])
    check_examples(component)
    return 0


if __name__ == "__main__":
    sys.exit(main())
