"""The targets of Groma, and whether these runs met them: a line for each target, measured or not."""
from __future__ import annotations

import math
from typing import Iterator

import bandwidth
import decoding
import many_flows
import packet_rate
import precision as precision_part
import scale
from figures import spread
from tables import Table, grouped, median, number, ratios

PEERS = ["D-ITG", "D-ITG -poll", "MGEN precise"]
MET, NOT_MET, NOT_MEASURED = "met", "NOT MET", "not measured"


def tables(rows: dict[str, list[dict]]) -> list[Table]:
    """Rows by part; none for a part that was not measured."""
    cells = [line for part, lines in (("precision", precision), ("packet-rate", packet_rates), ("bandwidth", bandwidths), ("flows", flows),
                                      ("scale", very_many_flows), ("perf", kernel), ("decoding", reading),
                                      ("micro", decisions))
             for line in lines(rows.get(part, []))]
    return [Table("Targets", ["target", "wanted", "measured", "verdict"], cells,
                  ["Medians over the repetitions, of records lost the most. Lambda squared is itself a matter of chance: what is above the best "
                   "peer's by less than two standard errors of gaps that are perfect is \"met, within chance\"."])]


def _line(what: str, wanted: str, limit: float | None, measured: float | None, digits, at_most: bool) -> list[str]:
    if measured is None or limit is None or math.isnan(measured) or math.isnan(limit):
        return [what, wanted, number(measured, digits), NOT_MEASURED]
    return [what, wanted, number(measured, digits), MET if (measured <= limit if at_most else measured >= limit) else NOT_MET]


def _at_most(what, limit, measured, digits: int | str = 3, of: str = ""):
    return _line(what, f"at most {number(limit, digits)}{of}", limit, measured, digits, True)


def _at_least(what, limit, measured, digits: int | str = 3):
    return _line(what, f"at least {number(limit, digits)}", limit, measured, digits, False)


def _most(runs, key) -> float | None:
    of = spread([run[key] for run in runs if run.get(key) is not None])
    return of.most if of else None


def precision(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "kind", "rate", "tool")
    for kind, rate in dict.fromkeys([*precision_part.LOADS, *((row["kind"], row["rate"]) for row in rows)]):
        for tool in precision_part.OURS:
            yield from precision_of(groups, kind, rate, tool)
    ours = {tool: [run for (_, _, of), runs in groups.items() if of == tool for run in runs] for tool in precision_part.OURS}
    for tool, runs in ours.items():
        yield _at_most(f"{tool}, all loads: records lost", 0, _most(runs, "records_lost"), ".0f")
        yield _at_most(f"{tool}, all loads: departures that were not seen", 0, _most(runs, "missing"), ".0f")
    constant = [runs for (kind, _, tool), runs in groups.items() if (kind, tool) == ("const", "Groma")]
    for side in ("sent", "received"):
        worst = max((of for runs in constant if (of := median(runs, f"log_bytes_{side}")) is not None), default=None)
        yield _at_most(f"bytes of log a packet {side}, constant rates, the worst of them", 10, worst, ".2f")


def precision_of(groups, kind: str, rate: int, tool: str) -> Iterator[list[str]]:
    ours, poll = groups.get((kind, rate, tool), []), groups.get((kind, rate, "D-ITG -poll"), [])
    load = f"{kind} {rate:,}/s{tool.removeprefix('Groma')}"
    error = median([{"size": abs(run["rate_error"])} for run in ours], "size")
    yield _at_most(f"{load}: error of the rate", 0.0005, error, ".3%")
    yield _at_most(f"{load}: gap error p50 [us]", 0.5, median(ours, "gap_error_p50_us"), ".2f")
    # D-ITG's exponential schedule is unknown, so its error is that of constant gaps.
    constant = groups.get(("const", rate, "D-ITG -poll"), [])
    yield _at_most(f"{load}: gap error p99 [us]", median(constant, "gap_error_p99_us"), median(ours, "gap_error_p99_us"), ".2f",
                   " (D-ITG -poll)" if kind == "const" else " (D-ITG -poll, constant gaps)")
    if kind == "exp":
        yield lambda_line(load, _best(groups, kind, rate, "lambda2"), median(ours, "lambda2"), 2 * chance_of_lambda(median(ours, "packets")))
    if rate == 2000:
        theirs = median(poll, "cpu")
        yield _at_most(f"{load}: CPU s/s", None if theirs is None else theirs / 4, median(ours, "cpu"), ".3f", " (a quarter of D-ITG -poll's)")


def _best(groups, kind, rate, key) -> float | None:
    there = [value for value in (median(groups.get((kind, rate, peer), []), key) for peer in PEERS) if value is not None]
    return min(there, default=None)


def lambda_line(load: str, best: float | None, measured: float | None, chance: float) -> list[str]:
    what, wanted, shown, verdict = _at_most(f"{load}: lambda squared", best, measured, ".4f", " (best peer)")
    if verdict == NOT_MET and measured <= max(best, 0) + chance:
        verdict = "met, within chance"
    return [what, wanted, shown, verdict]


def chance_of_lambda(n: float | None) -> float:
    """Standard error of lambda squared of n gaps that come from the distribution: X2 has variance 2 df."""
    return math.sqrt(2 * (2 * n ** 0.4 - 1)) / n if n else math.nan


def _ratio(groups, ours, theirs, key) -> float | None:
    of = spread(ratios(groups.get(ours, []), groups.get(theirs, []), key))
    return of.median if of else None


def packet_rates(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "setup", "tool")
    plain = packet_rate.ONE_BY_ONE
    for setup, peer, times in ((plain, "D-ITG", 3), (plain, "iperf3", 2.5), (packet_rate.SEGMENTED, "D-ITG", 5),
                               (packet_rate.JOINED, "D-ITG", 15)):
        yield _at_least(f"64 bytes, {setup}: times {peer}'s rate", times, _ratio(groups, (setup, "Groma"), (setup, peer), "pps"), ".2f")
        if peer == "D-ITG":
            yield from complete(f"64 bytes, {setup}", groups.get((setup, "Groma"), []))
            yield _at_least(f"64 bytes, {setup}: rate with both logs to without", 0.9,
                            _ratio(groups, (setup, "Groma"), (setup, "Groma, no logs"), "pps"), ".2f")
    for side in ("sent", "received"):
        yield _at_most(f"bytes of log a packet {side}, constant rate, as fast as possible", 10,
                       median(groups.get((plain, "Groma"), []), f"log_bytes_{side}"), ".2f")


def complete(what: str, runs) -> Iterator[list[str]]:
    yield _at_most(f"{what}: records lost", 0, _most(runs, "records_lost"), ".0f")
    yield _at_least(f"{what}: taken by the receiver", 0.999, median(runs, "taken_share"), ".1%")


def bandwidths(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "setup", "tool")
    for setup, size, times in (("UDP, one by one", bandwidth.UDP_SIZE, 2.5), ("TCP", bandwidth.TCP_SIZE, 0.95)):
        yield _at_least(f"{size} bytes, {setup}: times iperf3's bits/s", times, _ratio(groups, (setup, "Groma"), (setup, "iperf3"), "bps"), ".2f")
    yield from complete(f"{bandwidth.UDP_SIZE} bytes, UDP, one by one", groups.get(("UDP, one by one", "Groma"), []))
    yield _at_most(f"{bandwidth.TCP_SIZE} bytes, TCP: records lost", 0, _most(groups.get(("TCP", "Groma"), []), "records_lost"), ".0f")


def flows(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "flows")
    few, many = (groups.get((count,), []) for count in many_flows.FLOWS)
    name = f"{many_flows.FLOWS[-1]:,} flows"
    yield _at_most(f"{name}: worst flow's rate error", 0.01, median(many, "worst_rate_error"), ".3%")
    yield _at_most(f"{name}: lateness p99 [us], by the report", 1000, median(many, "lateness_p99_us"), ".1f")
    yield _at_most(f"{name}: gap error p99 [us], by tcpdump", 1000, median(many, "gap_error_p99_us"), ".1f")
    yield _at_most(f"{name}: records lost", 0, _most(many, "records_lost"), ".0f")
    yield _at_most(f"{name}: start to first packet [s]", 2, median(many, "setup_s"), ".2f")
    for side in ("sender", "receiver"):
        yield _at_most(f"{name}: {side}'s memory a flow [KB]", 4, many_flows.memory_a_flow(few, many, f"{side}_kb"), ".2f")


def very_many_flows(rows) -> Iterator[list[str]]:
    groups = {setup: runs for (setup,), runs in grouped(rows, "setup").items()}
    for setup in scale.FEW:
        runs = groups.get(setup, [])
        yield _at_most(f"{setup} flows: worst flow's rate error", 0.01, median(runs, "worst_rate_error"), ".3%")
        yield _at_most(f"{setup} flows: records lost", 0, _most(runs, "records_lost"), ".0f")
        if scale.SETUPS[setup][1] == 10_000:
            yield _at_most(f"{setup} flows: start of the program to start of the run [s]", 2, median(runs, "setup_s"), ".2f")
        if scale.SETUPS[setup][0] == "udp":
            for side in ("sender", "receiver"):
                yield _at_most(f"{setup} flows: {side}'s memory a flow [KB]", 4, scale.memory_a_flow(groups, setup, f"{side}_kb"), ".2f")


def kernel(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "setup")
    for setup in ("one by one", "trains"):
        yield _at_least(f"kernel's share of the sender's time, {setup}", 0.8, median(groups.get((setup,), []), "kernel"), ".1%")


def reading(rows) -> Iterator[list[str]]:
    groups = grouped(decoding.rates(rows), "traffic", "program", "what")
    for side in ("sender's log", "receiver's log"):
        of = groups.get((decoding.LARGE, "groma-dec", f"{side}, 1 thread"), [])
        yield _at_least(f"reading a {side} of a constant rate, one thread: million records a second of CPU", 50,
                        None if not of else median(of, "per_cpu_s") / 1e6, ".1f")
    ditg = groups.get((decoding.SAME, "ITGDec", "receiver's log"), [])
    for traffic in (decoding.SAME, decoding.LARGE):
        best = [ratio for (of, program, what), runs in groups.items() if (of, program) == (traffic, "groma-dec") and what.startswith("receiver's log")
                if (ratio := decoding.ratio(ditg, runs)) is not None]
        yield _at_least(f"reading a receiver's log, {traffic}: times ITGDec's records/s", 100, max(best, default=None), ".0f")
    for traffic in (decoding.MANY, decoding.WRITTEN):
        memory = [median(runs, "mb") for (of, _, _), runs in groups.items() if of == traffic]
        packets = max((median(runs, "records") for (of, _, what), runs in groups.items() if of == traffic and what.startswith("sender's")), default=0)
        yield _at_most(f"reading logs, {traffic}{f', {packets:,.0f} packets' if packets else ''}: memory [MB]", 500, max(memory, default=None), ".0f")


def decisions(rows) -> Iterator[list[str]]:
    benches = [run["benches"] for run in rows if not run["failure"] and run["program"] == "pacer"]
    for flows_ in (1, 3000):
        name = f"pacing_decision/{flows_}"
        yield _at_most(f"a decision of the pacer among {flows_:,} flows [ns]", 100, median([{"ns": of.get(name)} for of in benches], "ns"), ".1f")
