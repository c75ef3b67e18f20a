"""The figures of runs, kept in a file as they come: a bench that ended early continues where it was, and parts can
be measured one after the other."""
from __future__ import annotations

import hashlib
import json
import pathlib

import lab


class OtherSettings(Exception):
    """The kept figures were measured with other settings."""


class Kept:
    """The rows of a bench, by part. Earlier rows are dropped unless the bench is resumed."""

    def __init__(self, file: pathlib.Path, settings: dict, about: list[str], resume: bool = False):
        self.about, self.rows = list(about), {}
        self._file = file
        if resume and file.exists():
            self._read(settings, about)
        else:
            file.write_text(json.dumps({"settings": settings, "about": about}) + "\n")

    def _read(self, settings: dict, about: list[str]):
        heading, *lines = self._file.read_text().split("\n")[:-1]  # the text after the last line end was cut short
        before = json.loads(heading)
        other = [name for name in settings if before["settings"].get(name) != settings[name]]
        if other:
            raise OtherSettings(f"the runs in {self._file} were measured with another {', '.join(other)}: "
                                "leave out --resume to measure all anew, or choose another folder (--out)")
        self._file.write_text("\n".join([heading, *lines, ""]))
        self.about = before["about"] + [f"resumed: {about[1]}"]
        for line in lines:
            kept = json.loads(line)
            if not kept["row"]["failure"]:  # a failed run may succeed now
                self.rows.setdefault(kept["part"], []).append(kept["row"])

    def has(self, part: str, key: dict, repetition: int) -> bool:
        wanted = {**key, "repetition": repetition}
        return any(wanted.items() <= {name: row.get(name) for name in wanted}.items() for row in self.rows.get(part, []))

    def add(self, part: str, row: dict):
        self.rows.setdefault(part, []).append(row)
        with open(self._file, "a") as file:
            file.write(json.dumps({"part": part, "row": row}) + "\n")


def fingerprint() -> str:
    """A fingerprint of the measured programs."""
    digest = hashlib.sha256()
    for name in ("groma-send", "groma-recv"):
        program = lab.BIN / name
        digest.update(program.read_bytes() if program.exists() else b"")
    return digest.hexdigest()[:16]
