"""The arithmetic of the benches: gaps and rates of captured packets, and the spread over repetitions. It does not use
the system.

Lambda squared is as in docs/reference/metrics.md [Pederson and Johnson 1990; Paxson 1994].
"""
from __future__ import annotations

import bisect
import math
import statistics
import struct
from typing import NamedTuple, Sequence

NANO_MAGIC = 0xA1B23C4D
ETHERNET, IPV4, UDP = 14, 20, 8  # bytes of the headers
HEADERS = ETHERNET + IPV4 + UDP


class Spread(NamedTuple):
    """A figure over the repetitions."""
    median: float
    least: float
    most: float


def spread(values: Sequence[float]) -> Spread | None:
    """Of the known values; None if there are none."""
    there = [value for value in values if value is not None and not math.isnan(value)]
    return Spread(statistics.median(there), min(there), max(there)) if there else None


def percentile(values: Sequence[float], fraction: float) -> float:
    """The smallest value that at least this fraction of the values does not exceed; NaN without values."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[max(0, math.ceil(fraction * len(ordered)) - 1)]


def gaps_of(times: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in zip(times, times[1:])]


def rate_of(times_ns: Sequence[int]) -> float:
    """Packets a second from the first to the last; 0 below two."""
    return (len(times_ns) - 1) * 1e9 / (times_ns[-1] - times_ns[0]) if len(times_ns) > 1 and times_ns[-1] > times_ns[0] else 0.0


def gap_errors(gaps: Sequence[float], asked: Sequence[float]) -> list[float]:
    """|gap - the gap asked for|, one by one; both in the same unit."""
    if len(gaps) != len(asked):
        raise ValueError(f"{len(gaps)} gaps cannot be compared with {len(asked)}")
    return [abs(gap - wanted) for gap, wanted in zip(gaps, asked)]


def lambda_squared(gaps: Sequence[float], mean: float) -> float:
    """How far gaps are from an exponential distribution of that mean: 0 is a perfect fit. NaN below 10 gaps.

    N = 2 n^(2/5) bins of equal probability, at least 5 gaps expected in each; nothing is fitted from the data, so df = N - 1.
    """
    n = len(gaps)
    bins = min(round(2 * n ** 0.4), n // 5)
    if bins < 2:
        return math.nan
    edges = [-mean * math.log1p(-number / bins) for number in range(1, bins)]
    observed = [0] * bins
    for gap in gaps:
        observed[bisect.bisect_right(edges, gap)] += 1
    expected = n / bins
    chi_squared = sum((count - expected) ** 2 for count in observed) / expected
    k = sum(count - expected for count in observed) / expected
    return (chi_squared - k - (bins - 1)) / (n - 1)


def _capture_records(capture: bytes, layout: str) -> list[tuple]:
    """(seconds, nanoseconds, the fields of `layout` in the frame...) of each packet; all are kept at the length of
    `layout`."""
    magic, = struct.unpack_from("<I", capture)
    if magic != NANO_MAGIC:
        raise ValueError("not a capture with nanoseconds")
    one = struct.Struct("<II4x4x" + layout)
    whole = 24 + (len(capture) - 24) // one.size * one.size
    kept = one.size - struct.calcsize("<II4x4x")
    if len(capture) > 24 and struct.unpack_from("<I", capture, 32) != (kept,):
        raise ValueError(f"the packets of the capture were not kept at {kept} bytes")
    return list(one.iter_unpack(memoryview(capture)[24:whole]))


def capture_times(capture: bytes) -> list[int]:
    """Times (ns) of the packets in a capture of headers."""
    return [seconds * 1_000_000_000 + nanos for seconds, nanos in _capture_records(capture, f"{HEADERS}x")]


def capture_flows(capture: bytes, mark_at: int = ETHERNET + IPV4, kept: int = HEADERS) -> dict[bytes, list[int]]:
    """Times (ns) of the packets of each pair of UDP ports; or of each mark of 4 bytes that the packets have at
    another place. The first `kept` bytes of each packet are there."""
    flows: dict[bytes, list[int]] = {}
    for seconds, nanos, ports in _capture_records(capture, f"{mark_at}x4s{kept - mark_at - 4}x"):
        flows.setdefault(ports, []).append(seconds * 1_000_000_000 + nanos)
    return flows


class Sample(NamedTuple):
    """The counts of the receiving host's kernel at a time."""
    at_s: float
    frames: int       # the interface's; an unsegmented one counts once
    octets: int       # of these, link headers included
    datagrams: int    # UDP datagrams that programs took (with GRO: reads)
    dropped: int      # datagrams for which sockets had no room (with GRO: trains of them)

    def payloads(self, size: int, header: int = HEADERS) -> float:
        """Payloads of `size` bytes that these frames carried: each frame has headers once, and one payload or more."""
        return (self.octets - self.frames * header) / size


def steady(samples: Sequence[Sample]) -> tuple[Sample, Sample] | None:
    """The samples between which traffic flowed without a pause, less the first and the last step; None if there were too few."""
    if len(samples) < 2:
        return None
    steps = [later.octets - earlier.octets for earlier, later in zip(samples, samples[1:])]
    busy = [number for number, step in enumerate(steps) if step > max(steps) / 10]
    first, last = busy[0] + 1, busy[-1]
    return (samples[first], samples[last]) if last > first else None


def payload_rate(samples: Sequence[Sample], size: int) -> float:
    """Payloads of `size` bytes a second that reached the host, in the steady part; NaN if there is none."""
    ends = steady(samples)
    if ends is None:
        return math.nan
    first, last = ends
    return (last.payloads(size) - first.payloads(size)) / (last.at_s - first.at_s)


def bit_rate(samples: Sequence[Sample]) -> float:
    """Bits a second that reached the host, link headers included, in the steady part; NaN if there is none."""
    ends = steady(samples)
    if ends is None:
        return math.nan
    first, last = ends
    return (last.octets - first.octets) * 8 / (last.at_s - first.at_s)
