"""The component in wasmtime: the same answers as the native core, for every fixture.

Run by `cargo xtask test`, which sets HINDSCOPE_COMPONENT and HINDSCOPE_DUMP.
"""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
API = "hindscope:reflections/api@0.1.0"
OMEGA = 3
SLICE = 1 << 16


class Refused(Exception):
    """An `error` of the component."""

    def __init__(self, error):
        super().__init__(error.message)
        self.code = error.code
        self.details = {detail.name: detail.value for detail in error.details}


class Host:
    """One instance of the component. Exports are called by their names in wit/."""

    def __init__(self, path):
        engine = Engine()
        component = Component.from_file(engine, str(path))
        imports = list(component.type.imports(engine))
        assert not imports, f"the component must import nothing, but imports {imports}"
        self.store = Store(engine)
        self.instance = Linker(engine).instantiate(self.store, component)
        self.api = self.instance.get_export_index(self.store, API)
        assert self.api, f"{API} is not exported"

    def call(self, name, *arguments):
        index = self.instance.get_export_index(self.store, name, self.api)
        assert index, f"{name} is not exported"
        function = self.instance.get_func(self.store, index)
        answer = function(self.store, *arguments)
        # A result whose two sides are both records, or both absent, comes tagged.
        if isinstance(answer, Variant):
            answer = answer.payload
        if isinstance(answer, Record) and set(vars(answer)) == {"code", "message", "details"}:
            raise Refused(answer)
        return answer

    def method(self, resource, name):
        return lambda handle, *arguments: self.call(f"[method]{resource}.{name}", handle, *arguments)


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


def record(**members):
    made = Record()
    for name, member in members.items():
        setattr(made, name.replace("_", "-"), member)
    return made


def entry(number, outcome, text):
    parts = ["strategy", "kind", "effectiveness", "observation", "analysis", "learning", "tokens"]
    lists = {name: [] for name in ["insights", "lessons", "action_items"]}
    absent = {name: None for name in parts}
    return record(number=number, outcome=outcome, text=text, **lists, **absent)


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
        return self.host.method("history", name)(self.handle, *arguments)

    def bytes_of(self, record_id):
        span = self.ask("locate", record_id)
        return self.files[span.source][1][span.start : span.end]

    def inspect(self, record_id, part):
        return json.loads(self.ask("inspect", record_id, part, self.bytes_of(record_id)))

    def window(self, run, at, omega):
        view = self.ask("window", run, at, record(
            omega=omega,
            policy="fifo",
            failures_only=False,
            token_budget=None,
            half_life=None,
            dynamic_omega=False,
        ))
        outcomes = {one.number: one.outcome for one in self.ask("iterations", run)}
        entries = []
        for held in view.held:
            reflections = self.inspect(held.record, held.part).get("reflections", [])
            texts = [one["text"] for one in reflections if one["part"] == held.part]
            outcome = outcomes.get(held.number, "unknown")
            entries.append(entry(held.number, outcome, (texts or [""])[0]))
        return {"view": plain(view), "text": self.host.call("render", entries, "plain")}


def dump_run(history, view):
    run = view.id
    columns = history.ask("columns", run)
    iterations = history.ask("iterations", run)
    following = columns.numbers[-1] + 1 if columns.numbers else view.base
    asked = [(at, OMEGA) for at in columns.numbers] + [(following, OMEGA), (following, None)]
    return {
        "view": plain(view),
        "iterations": plain(iterations),
        "reflections": plain(history.ask("reflections", run)),
        "columns": plain(columns),
        "windows": [or_code(lambda: history.window(run, at, omega)) for at, omega in asked],
        "details": [or_code(lambda: history.inspect(one.record, one.part)) for one in iterations],
    }


def dump_record(history, record_id):
    data = history.bytes_of(record_id)
    validate = history.host.call
    return {
        "span": plain(history.ask("locate", record_id)),
        "details": or_code(lambda: history.inspect(record_id, 0)),
        "raw": or_code(lambda: history.ask("raw-text", record_id, data)),
        "strict": plain(validate("validate", data, "strict")),
        "lenient": plain(validate("validate", data, "lenient")),
    }


def dump_memory(history, count):
    host = history.host
    window = host.call("[static]reflection-window.create", OMEGA, "fifo")

    def ask(name, *arguments):
        return host.method("reflection-window", name)(window, *arguments)

    findings = [plain(ask("push", history.bytes_of(one))) for one in range(count)]
    metadata = vars(ask("metadata"))
    answer = {
        "findings": findings,
        "entries": plain(ask("entries")),
        "held": ask("held"),
        "evicted": ask("evicted"),
        "text": ask("render", "plain"),
        "metadata": {name.replace("-", "_"): value for name, value in metadata.items()},
    }
    window.drop(host.store)
    return answer


def dump(history):
    count = history.ask("record-count")
    return {
        "sources": plain(history.ask("sources")),
        "groups": plain(history.ask("groups")),
        "runs": [dump_run(history, view) for view in history.ask("runs")],
        "findings": plain(history.ask("findings")),
        "records": [dump_record(history, one) for one in range(count)],
        "memory": dump_memory(history, count),
    }


def canonical(value):
    """One text for equal values.

    WIT has no absent lists, so an empty list and an absent one are the same, and Python writes
    1.0 where JavaScript writes 1.
    """

    def same(value):
        if isinstance(value, dict):
            members = {name: same(member) for name, member in sorted(value.items())}
            return {name: member for name, member in members.items() if member != []}
        if isinstance(value, list):
            return [same(item) for item in value if item != []]
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            return int(value)
        return value

    return json.dumps(same(value), indent=1, ensure_ascii=False)


def difference(own, native):
    """The first line that differs."""
    for number, (left, right) in enumerate(zip(own.splitlines(), native.splitlines()), 1):
        if left != right:
            return f"line {number}: component {left.strip()!r}, native {right.strip()!r}"
    return "one is longer than the other"


def fixtures():
    return sorted(path for path in FIXTURES.glob("*/*/*") if path.name != "NOTICE")


def check_parity(host, program):
    for path in fixtures():
        printed = subprocess.run([program, path], check=True, capture_output=True).stdout
        native = json.loads(printed)
        files = [(one["path"], (path.parent / one["path"]).read_bytes()) for one in native["sources"]]
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
    window = history.window(run, 3, 1)
    assert (len(window["view"]["held"]), len(window["view"]["evicted"])) == (1, 2)
    assert window["text"].startswith("[2] failure: Using the lamp")
    print("ok figures")


def check_refusals(host):
    history = History(host, [])
    for call, code, details in [
        (lambda: history.ask("push", 7, b"x"), "no-such-source", {"source": 7}),
        (lambda: history.ask("iterations", 9), "no-such-run", {"run": 9}),
        (lambda: history.ask("locate", 9), "no-such-record", {"record": 9}),
        (lambda: host.call("[static]reflection-window.create", 11, "fifo"), "omega-out-of-range", {"omega": 11}),
    ]:
        try:
            call()
        except Refused as refused:
            assert (refused.code, refused.details) == (code, details), (refused.code, refused.details)
        else:
            raise AssertionError(f"{code} was not refused")
    print("ok refusals")


def main():
    # Compiled once, and one instance for everything: what one history does must not reach another.
    host = Host(Path(os.environ["HINDSCOPE_COMPONENT"]))
    check_figures(host)
    check_refusals(host)
    check_parity(host, os.environ["HINDSCOPE_DUMP"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
