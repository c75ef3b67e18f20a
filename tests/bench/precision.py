"""Table 1: how exact the departures are, judged by tcpdump on the receiving host."""
from __future__ import annotations

import functools
import math
import re

from figures import capture_times, gap_errors, gaps_of, lambda_squared, percentile, rate_of
from pair import Pair
from plan import Part, Run
from tables import Table, figure, grouped
from tools import Ditg, Groma, Iperf3, Load, Mgen, Sockperf, Tool

SIZE = 64
LOADS = [(kind, rate) for kind in ("exp", "const") for rate in (1000, 2000, 10_000, 50_000)]
QUICK = [("exp", 2000), ("const", 2000)]
OURS = ["Groma", "Groma, real time"]


def tools() -> list[Tool]:
    return [Groma(OURS[0], options=("--realtime", "off")), Groma(OURS[1], options=("--realtime", "on")), Ditg(), Ditg("D-ITG -poll", "-poll"), Mgen(), Iperf3(), Sockperf()]


def loads_of(text: str) -> list[tuple[str, int]]:
    """Of "exp:2000,const:10000": gaps and packets/s."""
    loads = re.findall(r"(?:^|,)(exp|const):(\d+)(?=,|$)", text)
    if not loads or ",".join(map(":".join, loads)) != text or any(int(rate) == 0 for _, rate in loads):
        raise ValueError(f"cannot use '{text}' as loads: write exp:2000,const:10000")
    return [(kind, int(rate)) for kind, rate in loads]


def part(quick: bool, seconds: float, asked: list[tuple[str, int]] | None = None) -> Part:
    loads = [Load(kind, rate, SIZE, seconds) for kind, rate in asked or (QUICK if quick else LOADS)]
    groups = [[Run({"asked": str(load), "kind": load.kind, "rate": load.rate, "tool": tool.name}, f"{load}, {tool.name}", seconds + 4,
                   functools.partial(measure, tool, load), tool.missing())
               for tool in tools() if tool.can(load)] for load in loads]
    return Part("precision", "Precision", groups, tables)


def measure(tool: Tool, load: Load, pair: Pair) -> dict:
    pair.segment_by_device(False)  # every packet crosses the cable by itself, and has its own time in the capture
    load = load._replace(seed=pair.repetition)
    witness = pair.witness(load.size)
    ran = tool.run(pair, load)
    times = capture_times(witness.captured())
    if len(times) < 10:
        raise AssertionError(f"the witness saw {len(times)} packets; {tool.name} said:\n{ran.ended.said[-500:]}")
    schedule = Groma.schedule(load) if isinstance(tool, Groma) else None
    missing = len(schedule) - len(times) if schedule else 0
    return figures(load, times, schedule) | {
        "cpu": ran.ended.cpu_s / load.seconds, "sent": ran.sent, "missing": missing, "records_lost": ran.records_lost,
        "log_bytes_sent": _a_packet(ran, 0), "log_bytes_received": _a_packet(ran, 1),
        "remark": ran.remark or (f"{missing:+} of {len(schedule)} departures were not seen" if missing else "")}


def _a_packet(ran, side: int) -> float | None:
    return ran.log_bytes[side] / ran.sent if ran.log_bytes and ran.sent else None


def figures(load: Load, times: list[int], schedule: list[float] | None) -> dict:
    """Figures of the packets' times (ns); `schedule`: its departures (s), if they are known."""
    gaps = gaps_of(times)
    known = rate_of([round(offset * 1e9) for offset in schedule]) if schedule else float(load.rate)
    errors: list[float] = []
    if load.kind == "const":
        errors = gap_errors(gaps, [1e9 / load.rate] * len(gaps))
    elif schedule and len(schedule) == len(times):
        errors = gap_errors(gaps, [(later - earlier) * 1e9 for earlier, later in zip(schedule, schedule[1:])])
    achieved = rate_of(times)
    return {"packets": len(times), "schedule_pps": known, "achieved_pps": achieved, "rate_error": achieved / known - 1,
            "gap_error_p50_us": percentile(errors, 0.5) / 1000, "gap_error_p99_us": percentile(errors, 0.99) / 1000,
            "lambda2": lambda_squared(gaps, 1e9 / load.rate) if load.kind == "exp" else math.nan}


def tables(rows: list[dict]) -> list[Table]:
    made = []
    for kind, title in (("exp", "exponential gaps"), ("const", "constant gaps")):
        of_kind = grouped([row for row in rows if row["kind"] == kind], "rate", "tool")
        if not of_kind:
            continue
        cells = [[f"{rate:,}", tool, figure(runs, "achieved_pps", ",.1f", limits=True), figure(runs, "rate_error", "+.3%"),
                  figure(runs, "gap_error_p50_us", ".2f"), figure(runs, "gap_error_p99_us", ".2f", limits=True),
                  *([figure(runs, "lambda2", ".4f", limits=True)] if kind == "exp" else []),
                  figure(runs, "cpu", ".3f")] for (rate, tool), runs in of_kind.items()]
        notes = ["Gap error: |gap - gap of the program's own schedule|, which of these Groma alone tells; the error of its rate is against "
                 "that schedule too. The others' is against the rate asked for, from which chance alone takes them 1/sqrt(packets)."
                 if kind == "exp" else "Gap error: |gap - 1/rate|. Error of the rate: against the rate asked for."]
        made.append(Table(f"Precision, {title}, {SIZE}-byte payload",
                          ["asked/s", "program", "achieved/s", "error", "gap error p50 [us]", "p99 [us]",
                           *(["lambda squared"] if kind == "exp" else []), "sender's CPU s/s"], cells, notes))
    return made
