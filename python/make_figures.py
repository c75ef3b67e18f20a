#!/usr/bin/env python3
"""Writes groma/figures.py: the report of groma-send as dataclasses, from its JSON Schema, and a row of --interval, from the table of
docs/reference/rows.md.

usage: make_figures.py [--check]
"""
from __future__ import annotations

import json
import pathlib
import re
import sys
import textwrap
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = HERE.parent / "docs" / "reference"
MODULE = HERE / "groma" / "figures.py"

SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", re.MULTILINE)
ROW_TYPES = {"integer": "int", "real": "float", "text": "str"}
# Objects whose names would say little, or belong to something else.
NAMES = {"run": "RunFigures", "flows[].verdict": "FlowVerdict", "flows[].receivers[]": "FlowReceiver", "receivers[].clock_steps[]": "ReceiverClockStep",
         "gro": "Coalescing", "log": "OwnLog", "remote_logs[]": "OwnLog"}
DOCUMENTED = {
    "Report": "The report of a run (docs/reference/report-json.md). What is unknown is None.",
    "RunFigures": "Figures of the run, and of this host.",
    "Verdict": "Whether all was sent as it was asked for.",
    "FlowVerdict": "Whether the flow was sent as it was asked for.",
    "Network": "What the network did.",
    "Requirement": "What the user required, and whether it was met.",
    "Total": "Figures of all flows together (docs/reference/metrics.md).",
    "Flow": "A flow: what was asked for, what was sent, what arrived (docs/reference/metrics.md).",
    "FlowReceiver": "A receiver of a flow to several.",
    "Receiver": "A receiver's host, and its log.",
    "OwnLog": "A log that this host kept.",
    "Shipment": "How a log travelled to its log server.",
    "RoundTrip": "Figures of the packets that came back.",
    "Pacing": "The threads that sent.",
    "Coalescing": "Packets that the receiver's kernel put together, so that they share times of arrival.",
    "ClockStep": "This host's clock was set during the run.",
    "ReceiverClockStep": "The receiver's clock was set during the run.",
    "QueueDrop": "Packets that a queue of the sender's host dropped.",
}


def class_name(path: str) -> str:
    """Of the object at a path of the schema, such as "receivers[].clock_steps[]": a name for the path, or for its last word."""
    last = path.rpartition(".")[2]
    word = last.removesuffix("s[]").removesuffix("[]")
    return NAMES.get(path) or NAMES.get(last) or "".join(part.title() for part in word.split("_"))


class Classes:
    """Dataclasses of a schema's objects, each after those that it needs."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}

    def type_of(self, schema: dict[str, Any], path: str) -> str:
        if "const" in schema or "enum" in schema:
            values = [schema["const"]] if "const" in schema else schema["enum"]
            return f"Literal[{', '.join(json.dumps(value) for value in values)}]"
        kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        named = [self.of_kind(kind, schema, path) for kind in kinds if kind != "null"]
        return " | ".join(named + ["None"] * ("null" in kinds))

    def of_kind(self, kind: str, schema: dict[str, Any], path: str) -> str:
        if kind == "array":
            return f"list[{self.type_of(schema['items'], path + '[]')}]"
        return self.add(schema, path) if kind == "object" else SIMPLE[kind]

    def add(self, schema: dict[str, Any], path: str, name: str = "") -> str:
        name = name or class_name(path)
        fields = [(key, self.type_of(value, f"{path}.{key}".lstrip(".")), value.get("description", ""))
                  for key, value in schema["properties"].items()]
        if name not in DOCUMENTED:
            raise SystemExit(f"the schema has a new object, {path}: say in DOCUMENTED what {name} is")
        self.write(name, DOCUMENTED[name], fields)
        return name

    def write(self, name: str, meaning: str, fields: list[tuple[str, str, str]]) -> None:
        lines = ["@dataclass(slots=True, kw_only=True)", f"class {name}:", *docstring(meaning), ""]
        for key, kind, text in fields:
            lines += [f"    {key}: {kind}", *(docstring(text) if text else [])]
        text = "\n".join(lines)
        if self.made.setdefault(name, text) != text:
            raise SystemExit(f"two different objects of the schema would be called {name}: give one another name in NAMES")


def docstring(text: str) -> list[str]:
    shown = text.replace("\\", "\\\\").replace('"""', "'''")
    shown = shown[:-1] + '\\"' if shown.endswith('"') else shown
    return [f"    {line}" for line in textwrap.wrap(f'"""{shown}"""', 124, break_long_words=False, break_on_hyphens=False)]


def generated() -> str:
    schema = json.loads((REFERENCE / "groma-send.schema.json").read_text())
    classes = Classes()
    classes.add(schema, "", "Report")
    rows = [(name, ROW_TYPES[kind] + ("" if name in ("t_s", "interval_s") else " | None"), meaning)
            for name, kind, meaning in ROW.findall((REFERENCE / "rows.md").read_text())]
    classes.write("Row", "What one flow, or all together (flow 0), sent in an interval, and what arrived (docs/reference/rows.md).",
                  [("type", 'Literal["interval", "last"]', '"last": the last row of the flow'), ("flow", "int", "the flow's number; 0: all together"),
                   ("name", "str", ""), *rows])
    head = ['"""The report of groma-send, and rows of a run while it goes on. Made by make_figures.py: do not edit."""', "from __future__ import annotations",
            "", "from dataclasses import dataclass", "from typing import Literal", "", f'SCHEMA = "{schema["properties"]["schema"]["const"]}"']
    return "\n".join(head) + "\n\n\n" + "\n\n\n".join(classes.made.values()) + "\n"


if __name__ == "__main__":
    text = generated()
    if sys.argv[1:] == ["--check"]:
        if MODULE.read_text() != text:
            sys.exit(f"{MODULE} is not what the schema and the page of rows say: run {pathlib.Path(__file__).name}")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        MODULE.write_text(text)
