"""A folder of programs that are made up, in place of Groma's, and a report for them to write."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import sys
import tempfile
import types
import typing
import unittest

ROOT = pathlib.Path(os.environ.get("GROMA_ROOT", pathlib.Path(__file__).resolve().parents[2]))
BUILT = pathlib.Path(os.environ.get("GROMA_BUILD", ROOT / "build" / "release")) / "python"  # with the extension, where it is built
sys.path[:0] = [str(BUILT if BUILT.exists() else ROOT / "python"), str(ROOT / "tests" / "e2e")]  # the latter has what reads and writes logs

from groma import figures  # noqa: E402


def value_of(hint) -> object:
    """Some value of that type."""
    arguments = typing.get_args(hint)
    if isinstance(hint, types.UnionType):
        return value_of(arguments[0])
    if typing.get_origin(hint) is typing.Literal:
        return arguments[0]
    if typing.get_origin(hint) is list:
        return [value_of(arguments[0])]
    if dataclasses.is_dataclass(hint):
        return document(hint)
    return {str: "text", int: 7, float: 1.5, bool: True}[hint]


def document(kind=figures.Report) -> dict:
    """The JSON of an object of that class, with every member."""
    hints = typing.get_type_hints(kind)
    return {field.name: value_of(hints[field.name]) for field in dataclasses.fields(kind)}


class FakeTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="groma-python-test-")))

    def program(self, name: str, script: str):
        """Puts a program of that name into the folder: a script for Python, which has `words`, its options as a dictionary."""
        file = self.folder / name
        file.write_text(f"#!{sys.executable}\nimport sys\nwords = dict(word.partition('=')[::2] for word in sys.argv[1:])\n{script}")
        file.chmod(0o755)
