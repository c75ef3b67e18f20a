#!/usr/bin/env python3
"""The number of tests is that of docs/design/testing.md: a removed test needs an entry there.

usage: cases.py ROOT
"""
import pathlib
import re
import sys

CASE = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(|^    def (test_\w+)", re.MULTILINE)
SAID = re.compile(r"^Tests that are written: (\d+)\.$", re.MULTILINE)
SLACK = 40  # with more than that, the page must be updated

root = pathlib.Path(sys.argv[1])
files = [*root.glob("tests/**/*_test.cpp"), *root.glob("tests/**/*_test.py")]
written = sum(len(CASE.findall(file.read_text())) for file in files)
said = SAID.search((root / "docs/design/testing.md").read_text())
if not said:
    sys.exit("docs/design/testing.md does not say how many tests are written")
if written < int(said[1]):
    sys.exit(f"{written} tests are written, {said[1]} were: say in docs/design/testing.md which of them went, what proves the same now, and the new number")
if written > int(said[1]) + SLACK:
    sys.exit(f"{written} tests are written: set the number in docs/design/testing.md, which is {said[1]}")
print(f"{written} tests are written in {len(files)} files")
