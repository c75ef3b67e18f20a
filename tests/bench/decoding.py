"""Table 7: the cost of reading logs: Groma's with groma-dec and D-ITG's with ITGDec, of the same traffic; and of
very many packets and flows."""
from __future__ import annotations

import functools
import os
import pathlib
import re
import subprocess
import time

import lab
from figures import spread
from pair import Pair
from plan import Part, Run
from tables import Table, figure, grouped, number, ratios
from tools import Ditg, Groma, Load

SIZE = 64
SAME = "one flow, one packet a send call"
LARGE = "one flow, trains of packets"
MANY = "10,000 flows"
WRITTEN = "written: 10,000 flows"
#        traffic: what groma-send is asked for, and options of groma-recv
TRAFFIC = {SAME: (["--idt", "const:200000pps"], []),
           LARGE: (["--idt", "const:2000000pps"], ["--gro", "on"]),
           MANY: (["--flows", 10_000, "--idt", "const:20pps", "--start-spread", "50ms"], [])}
WRITTEN_FLOWS, WRITTEN_RATE = 10_000, 100  # packets/s of each flow
SIDES = {"sender's log": ["send.glog"], "receiver's log": ["recv.glog"], "both logs": ["send.glog", "recv.glog"]}


def part(quick: bool, seconds: float) -> Part:
    groma = Groma()
    ditg = Ditg()
    groups = [[Run({"traffic": SAME, "program": "ITGDec"}, "ITGDec", seconds + 20, functools.partial(of_ditg, seconds), ditg.missing())]]
    groups[0] += [Run({"traffic": SAME, "program": "groma-dec"}, SAME, seconds + 10, functools.partial(of_groma, SAME, seconds), groma.missing())]
    groups += [[Run({"traffic": name, "program": "groma-dec"}, name, seconds + 15, functools.partial(of_groma, name, seconds), groma.missing())]
               for name in (LARGE, MANY)]
    packets = 200 if quick else 10_000
    groups += [[Run({"traffic": WRITTEN, "program": "groma-dec"}, f"logs of {WRITTEN_FLOWS * packets:,} packets", packets / 50,
                    functools.partial(of_written, packets), "" if WRITE_LOGS.exists() else f"there is no {WRITE_LOGS}")]]
    return Part("decoding", "Reading logs", groups, tables)


WRITE_LOGS = lab.BIN / "write_logs"


def reading(command, folder: pathlib.Path) -> dict:
    """CPU time, time and memory (KB) of a program that reads logs; its output is discarded."""
    with open(folder / "read.out", "wb") as out, open(folder / "read.err", "wb") as errors:
        began = time.monotonic()
        # Started by Python itself, the program would report at least Python's own memory.
        words = [str(word) for word in ("/usr/bin/time", "--format=%M", f"--output={folder / 'read.kb'}", *command)]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        elapsed_s = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {process.returncode}: {(folder / 'read.err').read_text(errors='replace')[-300:]}")
    return {"cpu_s": usage.ru_utime + usage.ru_stime, "elapsed_s": elapsed_s,
            "kb": int((folder / "read.kb").read_text().split()[-1])}


def of_ditg(seconds: float, pair: Pair) -> dict:
    pair.segment_by_device(False)
    ran = Ditg().run(pair, Load("max", 0, SIZE, seconds, pair.repetition))
    read = reading(["ITGDec", "recv.itg"], pair.folder)
    packets = re.search(r"Total packets *= *(\d+)", (pair.folder / "read.out").read_text(errors="replace"))
    if not packets:
        raise AssertionError("ITGDec did not say how many packets there were")
    return {"reads": {"receiver's log": {"records": int(packets[1]), "bytes": ran.log_bytes[1], **read}}}


def of_groma(name: str, seconds: float, pair: Pair) -> dict:
    flow, receiver_options = TRAFFIC[name]
    pair.segment_by_device(name == LARGE)
    receiver = pair.start_receiver(lab.BIN / "groma-recv", "--open-to-anyone", *receiver_options, ready=lambda program: "listening on" in program.said,
                                   pinned=False)
    try:
        pair.send(lab.BIN / "groma-send", "--to", pair.receiver.address, *flow, "--size", f"const:{SIZE}", "--duration", f"{seconds}s", "--log",
                  "send.glog", "--receiver-log", "recv.glog", "--quiet", limit=seconds + 60, pinned=False)
    finally:
        receiver.stop()
    return reads_of(pair.folder)


def of_written(packets: int, pair: Pair) -> dict:
    lab.run(WRITE_LOGS, WRITTEN_FLOWS, packets, WRITTEN_RATE, cwd=pair.folder, limit=600)
    return reads_of(pair.folder)


def reads_of(folder: pathlib.Path) -> dict:
    reads = {}
    cores = os.cpu_count() or 1
    for side, logs in SIDES.items():
        records = records_of(logs, folder)
        for threads in sorted({1, cores}):
            reads[f"{side}, {threads} thread{'s' if threads > 1 else ''}"] = {
                "records": records, "bytes": sum((folder / log).stat().st_size for log in logs),
                **reading([lab.BIN / "groma-dec", *logs, "--threads", threads], folder)}
    return {"reads": reads}


def records_of(logs: list[str], folder: pathlib.Path) -> int:
    said = lab.run(lab.BIN / "groma-dec", *logs, cwd=folder).stdout
    return sum(int(found) for found in re.findall(r"\): (\d+) records, complete$", said, re.MULTILINE))


def rates(rows: list[dict]) -> list[dict]:
    """A row for each reading: records a second of CPU and of time."""
    return [{"traffic": row["traffic"], "program": row["program"], "repetition": row["repetition"], "failure": "", "what": what,
             "records": read["records"], "per_cpu_s": read["records"] / read["cpu_s"], "per_s": read["records"] / read["elapsed_s"],
             "log_bytes": read["bytes"] / read["records"], "mb": read["kb"] * 1024 / 1e6}
            for row in rows if not row["failure"] for what, read in row["reads"].items()]


def tables(rows: list[dict]) -> list[Table]:
    groups = grouped(rates(rows), "traffic", "program", "what")
    ditg = next((runs for (_, program, _), runs in groups.items() if program == "ITGDec"), [])
    cells = [[traffic, what, program, figure(runs, "records", ",.0f"), figure(runs, "per_cpu_s", ",.2f", 1e-6, limits=True),
              figure(runs, "per_s", ",.2f", 1e-6, limits=True), ratio_to(ditg, runs), figure(runs, "log_bytes", ".1f"), figure(runs, "mb", ".0f")]
             for (traffic, program, what), runs in groups.items()]
    return [Table("Reading logs: all figures with percentiles, as text",
                  ["traffic", "read", "program", "records", "million records a second of CPU", "million records/s", "times ITGDec's rate",
                   "log bytes a record", "memory [MB]"], cells,
                  ["The whole program from start to end, logs in the page cache. Times ITGDec's: records/s, of runs of the same repetition; its "
                   "log is of the same traffic (64 bytes, one flow, one packet a send call) as fast as D-ITG sends it. Memory: the largest resident set."])]


def ratio_to(ditg: list[dict], ours: list[dict]) -> str:
    return number(ratio(ditg, ours), ",.0f") if ditg is not ours else "1"


def ratio(ditg: list[dict], ours: list[dict]) -> float | None:
    """The median over the repetitions; None if one was not measured."""
    of = spread(ratios(ours, ditg, "per_s"))
    return of.median if of else None
