"""How far a bench is, and what it runs on."""
from __future__ import annotations

import datetime
import os
import pathlib
import re
import sys
import time

import lab


class Progress:
    """A line that is written over on a terminal; in a file, one a minute. `work` is what there is to do, in any unit."""

    def __init__(self, runs: int, work: float | None = None):
        self.runs, self.work = runs, work or runs
        self.done, self.worked, self.began, self.said = 0, 0.0, time.monotonic(), 0.0

    def step(self, what: str, work: float = 1.0):
        """Another run begins, of so much work."""
        now = time.monotonic()
        left = (now - self.began) / self.worked * (self.work - self.worked) if self.worked else None
        text = f"run {self.done + 1} of {self.runs}: {what}" + (f", {left / 60:.1f} min left" if left is not None else "")
        self.done += 1
        self.worked += work
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        elif now - self.said > 60 or self.done == 1:
            self.said = now
            print(text, file=sys.stderr, flush=True)

    def end(self):
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def about_this_machine() -> list[str]:
    cpu = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    system = os.uname()
    load = os.getloadavg()[0]
    return [f"{system.sysname} {system.release} {system.machine}, {os.cpu_count()} cores ({cpu[1] if cpu else 'unknown'})",
            f"{datetime.datetime.now():%Y-%m-%d %H:%M}",
            lab.run(lab.BIN / "groma-send", "--version").stdout.strip(),
            f"load before the first run: {load:.2f}" + (" - THIS MACHINE IS BUSY: figures will be distorted" if load > 0.5 else "")]
