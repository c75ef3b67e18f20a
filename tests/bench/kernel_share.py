"""The sender's use of time at full rate: the kernel's share of perf's samples, and the functions that take most."""
from __future__ import annotations

import functools
import re
import shutil
import subprocess

import lab
from pair import Pair
from plan import Part, Run
from tables import Table, figure, grouped
from tools import Groma, Load

SHOWN = 10
ENOUGH = 200  # samples
SETUPS = [("one by one", False), ("trains", True)]


def part(quick: bool, seconds: float) -> Part:
    load = Load("max", 0, 64, seconds)
    missing = Groma().missing() or ("" if shutil.which("perf") else "perf is not installed")
    return Part("perf", "Where the time goes",
                [[Run({"setup": setup}, f"perf, {setup}", seconds + 5, functools.partial(measure, load, trains), missing)]
                 for setup, trains in SETUPS], tables)


def measure(load: Load, trains: bool, pair: Pair) -> dict:
    pair.segment_by_device(trains)
    # It runs the sender, so that it sees every thread from the beginning.
    Groma().run(pair, load, under=["perf", "record", "-q", "-e", "cpu-clock", "-F", "997", "-o", pair.folder / "perf.data", "--"])
    said = lab.run("perf", "report", "-i", pair.folder / "perf.data", "--no-children", "--sort", "sym", "--show-nr-samples", "--stdio", "-g",
                   "none", "-q", stdin=subprocess.DEVNULL).stdout
    share, most = shares(said)
    return {"kernel": share, "most": [f"{percent:.1f}% {name}" for percent, name in most[:SHOWN]]}


def shares(report: str) -> tuple[float, list[tuple[float, str]]]:
    """The kernel's share of the samples (0 to 1), and (percent, function) of all, from `perf report --sort sym --show-nr-samples`."""
    found = [(int(samples), where == "k", name.strip())
             for samples, where, name in re.findall(r"^\s*[0-9.]+%\s+(\d+)\s+\[([k.])\]\s+(.*)$", report, re.MULTILINE)]
    total = sum(samples for samples, *_ in found)
    if total < ENOUGH:
        raise AssertionError(f"perf took {total} samples, which says nothing:\n{report[:300]}")
    return (sum(samples for samples, kernel, _ in found if kernel) / total,
            [(100 * samples / total, name[:60] + (" (kernel)" if kernel else "")) for samples, kernel, name in sorted(found, reverse=True)])


def tables(rows: list[dict]) -> list[Table]:
    groups = grouped(rows, "setup")
    cells = [[setup, figure(runs, "kernel", ".1%", limits=True)] for (setup,), runs in groups.items()]
    functions = [[setup, *reversed(one.split("% ", 1))] for (setup,), runs in groups.items() for one in (runs[0]["most"] if runs else ())]
    return [Table("Where the sender's time goes at its highest rate of 64-byte packets, both logs", ["on the cable", "in the kernel"], cells,
                  ["Samples of perf (cpu-clock) of groma-send, all threads."]),
            Table("The functions that take most, in the first repetition", ["on the cable", "function", "% of samples"], functions)]
