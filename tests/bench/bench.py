#!/usr/bin/env python3
"""Groma beside D-ITG, iperf3, MGEN, sockperf, irtt and ab with nginx, on two hosts that are made for it (docs/design/performance.md).

All programs send over the same cable (a veth pair between two network namespaces), in turns, from one core to another. They are judged
by tcpdump and the kernel's counters on the receiving host. Figures are medians over the repetitions, with the smallest and the largest.

usage: bench.py [PART ...] [--quick] [--resume] [--loads LOAD,...] [--out DIR] [--repeat N] [--seconds S]
       (as root; GROMA_BIN names the programs' folder)
"""
from __future__ import annotations

import argparse
import csv
import os
import pathlib
import signal
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "e2e")]
import bandwidth  # noqa: E402
import decoding  # noqa: E402
import everyday  # noqa: E402
import kernel_share  # noqa: E402
import many_flows  # noqa: E402
import micro  # noqa: E402
import packet_rate  # noqa: E402
import precision  # noqa: E402
import scale  # noqa: E402
import targets  # noqa: E402
import tools  # noqa: E402
from kept import Kept, OtherSettings, fingerprint  # noqa: E402
from pair import Pair  # noqa: E402
from plan import Part, Run, turns  # noqa: E402
from progress import Progress, about_this_machine  # noqa: E402
from tables import Table  # noqa: E402

# In this order; with the seconds that one run sends, normally and with --quick. A new part is a new line (plan.py).
PARTS = {"precision": (precision.part, 4, 1), "packet-rate": (packet_rate.part, 3, 1.5), "bandwidth": (bandwidth.part, 4, 1.5), "everyday": (everyday.part, 3, 1.5),
         "flows": (many_flows.part, 10, 3), "scale": (scale.part, 10, 4),
         "perf": (kernel_share.part, 4, 1.5), "decoding": (decoding.part, 10, 2), "micro": (micro.part, 0, 0)}
REPEAT, QUICK_REPEAT = 3, 1


def read_options(arguments=None):
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="some minutes: fewer loads, shorter, once; shows that it works")
    parser.add_argument("--resume", action="store_true", help="go on where the bench that wrote to --out ended: only what is missing or failed")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench"), help="folder for the results (default: build/bench)")
    parser.add_argument("--loads", help="of the part precision: only these, such as exp:2000,const:10000 (packets/s)")
    parser.add_argument("--repeat", type=int, help=f"repetitions of each run (default: {REPEAT})")
    parser.add_argument("--seconds", type=float, help="how long each run sends (default: 3 to 10, by part)")
    options = parser.parse_args(arguments)
    options.parts = options.parts or list(PARTS)
    if set(options.parts) - set(PARTS):
        parser.error(f"parts are {', '.join(PARTS)}")
    try:
        options.loads = precision.loads_of(options.loads) if options.loads else None
    except ValueError as error:
        parser.error(str(error))
    options.repeat = options.repeat or (QUICK_REPEAT if options.quick else REPEAT)
    if options.repeat < 1 or (options.seconds is not None and not 1 <= options.seconds <= 60):
        parser.error("there is at least one repetition, and a run sends for 1 to 60 seconds")
    return options


def settings_of(options) -> dict:
    """The settings that comparable runs share."""
    return {"quick": options.quick, "seconds": options.seconds, "repeat": options.repeat, "build": fingerprint()}


def parts_of(options) -> list[Part]:
    """All parts, measured or not."""
    more = {"precision": {"asked": options.loads}}
    return [make(options.quick, options.seconds or (short if options.quick else full), **more.get(name, {}))
            for name, (make, full, short) in PARTS.items()]


def measure(run: Run, pair: Pair) -> dict:
    """The figures of a run, or its failure: a failing run does not end the others."""
    if run.missing:
        return {"failure": run.missing}
    try:
        pair.clear()
        return {"failure": "", **run.measure(pair)}
    except Exception as error:  # after any failure of one program, the others are measured
        return {"failure": str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"}


def missing_runs(parts: list[Part], repeat: int, kept: Kept) -> list[tuple[Part, Run, int]]:
    """In the order in which they are made: everything once, then again."""
    return [(part, run, repetition) for repetition in range(1, repeat + 1) for part in parts for group in part.groups
            for run in turns(group, repetition - 1) if not kept.has(part.name, run.key, repetition)]


def measure_all(runs: list[tuple[Part, Run, int]], kept: Kept):
    """Keeps the figures of each run, until all are made or the user interrupts."""
    progress = Progress(len(runs), sum(run.seconds for _, run, _ in runs if not run.missing))
    try:
        with Pair() as pair:
            for part, run, repetition in runs:
                progress.step(run.label, 0 if run.missing else run.seconds)
                pair.repetition = repetition
                row = {**run.key, "repetition": repetition, **measure(run, pair)}
                kept.add(part.name, row)
                if row["failure"]:
                    progress.say(f"{part.name}: {run.label}: {' '.join(row['failure'].split())[:300]}")
    except KeyboardInterrupt:
        progress.say("interrupted: the tables are of what was measured until now; --resume measures the rest")
    progress.end()


def in_order(part: Part, rows: list[dict]) -> list[dict]:
    """Rows in the order of the part's runs, in whatever order they ran; those of runs that are not planned now come
    last."""
    order = [run.key for group in part.groups for run in group]

    def place(row):
        return next((number for number, key in enumerate(order) if key.items() <= {name: row.get(name) for name in key}.items()), len(order))
    return sorted(rows, key=place)


def tables_of(parts: list[Part], rows: dict[str, list[dict]]) -> tuple[list[Table], list[str]]:
    """The tables, and those that could not be made; their figures are kept."""
    makers = [(part.name, part.tables, rows[part.name]) for part in parts if part.name in rows] + [("targets", targets.tables, rows)]
    made, said = [], []
    for name, make, of in makers:
        try:
            made += [table for table in make(of) if table.rows]
        except Exception as error:  # the other tables are made
            said.append(f"{name}: its tables cannot be made: {type(error).__name__}: {error}")
    return made, said


def failures(rows: dict[str, list[dict]]) -> list[str]:
    """Failed runs and the programs' remarks: each once, with its count."""
    said: dict[str, int] = {}
    for part, of_part in rows.items():
        for row in of_part:
            what = row["failure"] or row.get("remark")
            if what:
                who = ", ".join(str(row[key]) for key in ("setup", "task", "asked", "tool", "flows") if key in row)
                text = f"{part}: {who}: {' '.join(str(what).split())[:300]}"
                said[text] = said.get(text, 0) + 1
    return [f"{text} ({count} times)" if count > 1 else text for text, count in said.items()]


def versions() -> list[str]:
    """Of the programs that Groma is compared with."""
    peers = [tools.Ditg(), tools.Mgen(), tools.Iperf3(), tools.Sockperf()]
    return [peer.missing() or peer.version() for peer in peers]


def write(out: pathlib.Path, about: list[str], rows: dict[str, list[dict]], tables: list[Table], said: list[str]):
    (out / "about.txt").write_text("\n".join(about) + "\n")
    for part, of_part in rows.items():
        columns = list(dict.fromkeys(key for row in of_part for key in row))
        with open(out / f"{part}.csv", "w", newline="") as file:
            table = csv.DictWriter(file, columns)
            table.writeheader()
            table.writerows(of_part)
    sections = ["\n".join(f"- {line}" for line in about), *(table.markdown() for table in tables)]
    if said:
        sections.append("### What did not run, and remarks\n\n" + "\n".join(f"- {line}" for line in said))
    (out / "tables.md").write_text("\n\n".join(sections) + "\n")


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    options = read_options()
    if os.geteuid() != 0:
        sys.exit("this makes network namespaces, which needs root")
    signal.signal(signal.SIGTERM, interrupt)  # so that the hosts are removed, and the tables made
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    try:
        kept = Kept(out / "runs.jsonl", settings_of(options), about_this_machine() + versions(), options.resume)
    except OtherSettings as error:
        sys.exit(str(error))
    about = kept.about + [f"{options.repeat} repetitions" + (", --quick: these figures only show that the bench works" if options.quick else "")]
    print("\n".join(about), flush=True)
    parts = parts_of(options)
    measure_all(missing_runs([part for part in parts if part.name in options.parts], options.repeat, kept), kept)
    rows = {part.name: in_order(part, kept.rows[part.name]) for part in parts if part.name in kept.rows}
    tables, said = tables_of(parts, rows)
    said += failures(rows)
    write(out, about, rows, tables, said)
    for table in tables:
        print("\n" + table.text())
    if said:
        print("\nWhat did not run, and remarks\n\n" + "\n".join(said))
    print(f"\ntables.md, about.txt and the figures of each run (CSV) are in {out}")
    if all(row["failure"] for of_part in rows.values() for row in of_part):
        sys.exit("bench: nothing could be measured (above)")


if __name__ == "__main__":
    main()
