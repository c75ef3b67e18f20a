"""The micro-benches: the cost of each part of the packet path without the kernel. Programs of Google Benchmark
(NAME_bench.cpp)."""
from __future__ import annotations

import functools
import json
import subprocess

import lab
from pair import Pair
from plan import Part, Run
from tables import Table, grouped, median, number

TO_NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def part(quick: bool, seconds: float) -> Part:
    programs = sorted(lab.BIN.glob("*_bench"))
    runs = [[Run({"program": program.name.removesuffix("_bench")}, program.name, 15,
                 functools.partial(measure, program, 0.05 if quick else 0.3))] for program in programs if program.name != "shipping_bench"]
    missing = [[Run({"program": "-"}, "micro-benches", 0, measure, "they are not built: configure with -DGROMA_BENCH=ON")]]
    return Part("micro", "Micro-benches", runs or missing, tables)


def measure(program, seconds: float, _: Pair) -> dict:
    said = lab.run(program, "--benchmark_format=json", f"--benchmark_min_time={seconds}", limit=300,
                   stdin=subprocess.DEVNULL).stdout
    return {"benches": benches(said)}


def benches(said: str) -> dict[str, float]:
    """Nanoseconds of CPU an item of each benchmark, or an iteration if it counts no items."""
    return {one["name"]: 1e9 / one["items_per_second"] if "items_per_second" in one else one["cpu_time"] * TO_NS[one["time_unit"]]
            for one in json.loads(said)["benchmarks"] if one.get("run_type", "iteration") == "iteration" and not one.get("error_occurred")}


def tables(rows: list[dict]) -> list[Table]:
    cells = []
    for (program,), runs in grouped(rows, "program").items():
        for name in dict.fromkeys(name for run in runs for name in run["benches"]):
            of_bench = [{"ns": run["benches"].get(name)} for run in runs]
            cells.append([program, name, number(median(of_bench, "ns"), 3)])
    return [Table("Micro-benches", ["of", "bench", "ns an item"], cells,
                  ["CPU time an item (a packet, a record, a decision), or an iteration where nothing is counted; of packets over loopback all time."])]
