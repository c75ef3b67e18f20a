#!/usr/bin/env python3
"""The suites keep their rules: docs/design/testing.md names every theme with its suite and counterparts that exist,
and no test of the gate waits for a fixed time, judges times, uses random numbers without a seed, or is repeated
until it passes."""
import ast
import pathlib
import re
import unittest

import lab

HERE = lab.ROOT / "tests/e2e"
SUITES = ("gate", "timing", "guests", "field")
NOT_IN_THE_GATE = {"sleep": "waits for a fixed time", "monotonic": "judges times", "monotonic_ns": "judges times", "perf_counter": "judges times",
                   "Timer": "waits for a fixed time", "calmest": "is done again until it passes", "SystemRandom": "rolls dice without a seed"}
UNSEEDED = {"random", "randrange", "randint", "choice", "uniform", "shuffle", "sample", "gauss"}  # of the module random itself


def themes() -> dict[str, list[str]]:
    text = (HERE / "CMakeLists.txt").read_text()
    lists = {name: words.split() for name, words in re.findall(r"set\((\w+)(?:_themes|_parts)([^)]*)\)", text)}
    return {suite: lists[suite] for suite in SUITES} | {"parts": lists["matrix"]}


def calls(file: pathlib.Path):
    """(line, called name) of a source, also in strings, such as scripts for other hosts."""
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Attribute):
                yield node.lineno, called.attr, getattr(called.value, "id", "")
            elif isinstance(called, ast.Name):
                yield node.lineno, called.id, ""
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for name in re.findall(r"\btime\.(sleep)\(", node.value):
                yield node.lineno, name, ""


class Map(unittest.TestCase):
    def setUp(self):
        self.page = (lab.ROOT / "docs/design/testing.md").read_text()
        self.themes = themes()

    def sections(self) -> dict[str, str]:
        return {suite: re.search(rf"^## What the {suite}(?: suite)? proves\n(.*?)(?=^## |\Z)", self.page, re.MULTILINE | re.DOTALL)[1]
                for suite in SUITES}

    def test_every_theme_is_in_the_table_of_its_suite(self):
        for suite, text in self.sections().items():
            rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")]
            named = {name for row in rows for name in re.findall(r"`(\w+)_test\.py", row[2])}
            wanted = set(self.themes[suite]) | (set(self.themes["parts"]) if suite == "gate" else set())
            self.assertEqual(named, wanted - {"uml_matrix"}, suite)

    def test_what_it_names_exists(self):
        files = {file.name: file for file in HERE.glob("*_test.py")}
        for name, test in re.findall(r"`(\w+_test\.py)`(?:: `(\w+)`)?", self.page):
            self.assertIn(name, files)
            self.assertTrue(not test or re.search(rf"(?:def|class) {test}\b", files[name].read_text()), f"{name}: {test}")
        for path in re.findall(r"`(tests/[a-z0-9_/.]+)`", self.page):
            self.assertTrue((lab.ROOT / path).exists(), path)

    def test_every_theme_ends_as_ending_py_says(self):
        for file in HERE.glob("*_test.py"):
            mains = {(of, name) for _, name, of in calls(file) if name == "main"}
            self.assertTrue(mains and mains <= {("lab", "main"), ("quiet", "main")}, file.name)

    def test_every_counterpart_is_in_the_gate(self):
        gate = set(self.themes["gate"]) | set(self.themes["parts"])
        for suite in SUITES[1:]:
            for row in (line.split("|") for line in self.sections()[suite].splitlines() if line.startswith("| ") and "`" in line):
                for theme in re.findall(r"`(\w+)_test\.py`", row[3]):
                    self.assertIn(theme, gate, row)
                self.assertTrue(re.search(r"`(\w+_test\.py|tests/[a-z0-9_/]+_test\.cpp)`", row[3]) or re.match(r" none: \w", row[3]), row)

    def test_the_gate_keeps_its_rules(self):
        for theme in self.themes["gate"] + self.themes["parts"]:
            if theme in ("quiet", "map"):
                continue
            for line, name, of in calls(HERE / f"{theme}_test.py"):
                self.assertNotIn(name, NOT_IN_THE_GATE, f"{theme}_test.py:{line} {NOT_IN_THE_GATE.get(name)}")
                self.assertFalse(of == "random" and name in UNSEEDED, f"{theme}_test.py:{line} rolls dice without a seed")


if __name__ == "__main__":
    lab.main(root=False)
