"""The progress of a bench, and its machine."""
from __future__ import annotations

import datetime
import os
import pathlib
import re
import sys
import time

import lab


class Progress:
    """A line that is rewritten on a terminal, and absent elsewhere. `work` is the total work, in any unit."""

    def __init__(self, runs: int, work: float | None = None, out=sys.stderr):
        self.runs, self.work = runs, work or runs
        self.done, self.worked, self.began = 0, 0.0, time.monotonic()
        self._out = out if out.isatty() else None

    def step(self, what: str, work: float = 1.0):
        """Another run begins, of this much work."""
        elapsed = time.monotonic() - self.began
        left = elapsed / self.worked * (self.work - self.worked) if self.worked else None
        self._write(f"{minutes(elapsed)} elapsed, {'?' if left is None else minutes(left)} left: run {self.done + 1} of {self.runs}, {what}")
        self.done += 1
        self.worked += work

    def say(self, text: str):
        """A line that stays, with the progress on a terminal or not."""
        self.end()
        print(text, file=sys.stderr, flush=True)

    def end(self):
        self._write("")

    def _write(self, text: str):
        if self._out:
            print(f"\r\033[K{text}", end="", file=self._out, flush=True)


def minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def about_this_machine() -> list[str]:
    cpu = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    system = os.uname()
    load = os.getloadavg()[0]
    return [f"{system.sysname} {system.release} {system.machine}, {os.cpu_count()} cores ({cpu[1] if cpu else 'unknown'})",
            f"{datetime.datetime.now():%Y-%m-%d %H:%M}",
            lab.run(lab.BIN / "groma-send", "--version").stdout.strip(),
            f"load before the first run: {load:.2f}" + (" - THIS MACHINE IS BUSY: figures will be distorted" if load > 0.5 else "")]
