"""What Groma is to reach, and whether these runs did."""
from __future__ import annotations

import math
from typing import Iterator

import bandwidth
import many_flows
import packet_rate
from figures import spread
from tables import Table, grouped, median, number, ratios

PEERS = ["D-ITG", "D-ITG -poll", "MGEN precise"]


def tables(rows: dict[str, list[dict]]) -> list[Table]:
    cells = [line for part, lines in (("precision", precision), ("packet-rate", packet_rates), ("bandwidth", bandwidths), ("flows", flows),
                                      ("perf", kernel)) if part in rows for line in lines(rows[part])]
    return [Table("Targets", ["target", "wanted", "measured", "met"], cells)] if cells else []


def _line(what: str, wanted: str, limit: float | None, measured: float | None, digits, at_most: bool) -> list[str]:
    if measured is None or limit is None or math.isnan(measured) or math.isnan(limit):
        return [what, wanted, number(measured, digits), "not measured"]
    return [what, wanted, number(measured, digits), "yes" if (measured <= limit if at_most else measured >= limit) else "NO"]


def _at_most(what, limit, measured, digits: int | str = 3, of: str = ""):
    return _line(what, f"at most {number(limit, digits)}{of}", limit, measured, digits, True)


def _at_least(what, limit, measured, digits: int | str = 3):
    return _line(what, f"at least {number(limit, digits)}", limit, measured, digits, False)


def _best(groups, kind, rate, key) -> float | None:
    there = [value for value in (median(groups.get((kind, rate, peer), []), key) for peer in PEERS) if value is not None]
    return min(there, default=None)


def precision(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "kind", "rate", "tool")
    for kind, rate in dict.fromkeys((row["kind"], row["rate"]) for row in rows):
        for tool in ("Groma", "Groma, real time"):
            yield from precision_of(groups, kind, rate, tool)


def precision_of(groups, kind: str, rate: int, tool: str) -> Iterator[list[str]]:
    ours, poll = groups.get((kind, rate, tool), []), groups.get((kind, rate, "D-ITG -poll"), [])
    load = f"{kind} {rate:,}/s{tool.removeprefix('Groma')}"
    error = median([{"size": abs(run["rate_error"])} for run in ours], "size")
    yield _at_most(f"{load}: error of the rate", 0.0005, error, ".3%")
    yield _at_most(f"{load}: gap error p50 [us]", 0.5, median(ours, "gap_error_p50_us"), ".2f")
    if kind == "const":
        yield _at_most(f"{load}: gap error p99 [us]", median(poll, "gap_error_p99_us"), median(ours, "gap_error_p99_us"), ".2f",
                       " (D-ITG -poll)")
    else:
        chance = 2 * chance_of_lambda(median(ours, "packets"))
        best = _best(groups, kind, rate, "lambda2")
        yield _at_most(f"{load}: lambda squared", None if best is None else max(best, 0) + chance, median(ours, "lambda2"), ".4f",
                       f" (best peer, or 0, and {chance:.4f} for chance)")
    if rate == 2000:
        theirs = median(poll, "cpu")
        yield _at_most(f"{load}: CPU s/s", None if theirs is None else theirs / 4, median(ours, "cpu"), ".3f", " (a quarter of D-ITG -poll's)")


def chance_of_lambda(n: float | None) -> float:
    """Standard error of lambda squared of n gaps that do come from the distribution: X2 has variance 2 df."""
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
            ours = groups.get((setup, "Groma"), [])
            yield _at_most(f"64 bytes, {setup}: records lost", 0, median(ours, "records_lost"), ".0f")
            yield _at_least(f"64 bytes, {setup}: taken by the receiver", 0.999, median(ours, "taken_share"), ".1%")
            yield _at_least(f"64 bytes, {setup}: rate with both logs to without", 0.9,
                            _ratio(groups, (setup, "Groma"), (setup, "Groma, no logs"), "pps"), ".2f")
    for side in ("sent", "received"):
        yield _at_most(f"bytes of log a packet {side}, constant rate", 10, median(groups.get((plain, "Groma"), []), f"log_bytes_{side}"), ".2f")


def bandwidths(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "setup", "tool")
    for setup, times in (("UDP, one by one", 2.5), ("TCP", 0.95)):
        yield _at_least(f"{bandwidth.UDP_SIZE if setup != 'TCP' else bandwidth.TCP_SIZE} bytes, {setup}: times iperf3's bits/s", times,
                        _ratio(groups, (setup, "Groma"), (setup, "iperf3"), "bps"), ".2f")


def flows(rows) -> Iterator[list[str]]:
    groups = grouped(rows, "flows")
    few, many = (groups.get((count,), []) for count in many_flows.FLOWS)
    name = f"{many_flows.FLOWS[-1]:,} flows"
    yield _at_most(f"{name}: worst flow's rate error", 0.01, median(many, "worst_rate_error"), ".3%")
    yield _at_most(f"{name}: lateness p99 [us]", 1000, median(many, "lateness_p99_us"), ".1f")
    yield _at_most(f"{name}: start to first packet [s]", 2, median(many, "setup_s"), ".2f")
    a_flow = many_flows.memory_a_flow(few, many, "sender_kb")
    yield _at_most(f"{name}: sender's memory a flow [KB]", 4, a_flow, ".2f")


def kernel(rows) -> Iterator[list[str]]:
    for (setup,), runs in grouped(rows, "setup").items():
        yield _at_least(f"kernel's share of the sender's time, {setup}", 0.8, median(runs, "kernel"), ".1%")
