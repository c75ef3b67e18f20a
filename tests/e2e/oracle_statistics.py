"""What random networks' packets make of figures (network_oracle.py): statistics of arrays, by the definitions of
docs/reference/metrics.md, and how near a figure must be."""
from __future__ import annotations

import collections
import math
from typing import NamedTuple

import numpy

INTERVAL = 250 * 10**6
SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
BIN = 1 / 128
EXACT_BELOW = 128
FEWEST_GAPS, BINS = 20, 32
MANY_ZEROS = 1e-3  # share of the gaps
NEARLY_5 = 4.95  # gaps expected in a bin
RAREST = 2.0**-41  # of a gap that the model does not have
NEAR_AN_EDGE = 1e-4  # edges of bins are that near to the quantiles
NORMAL_95 = 1.959963984540054
FEWEST_EXPECTED = 5
FEWEST_STRETCHES = 16
FEWEST_PERIODS = 10  # of lost, and of received packets
MOST_DISPLACED = 128
SOME_TEXT = object()

class Near(NamedTuple):
    value: float
    within: float


class OneOf(NamedTuple):
    values: list


def agrees(found, wanted) -> bool:
    if isinstance(wanted, Near):
        return found is not None and abs(found - wanted.value) <= wanted.within
    if isinstance(wanted, OneOf):
        return any(agrees(found, one) for one in wanted.values)
    if wanted is SOME_TEXT:
        return isinstance(found, str) and found != ""
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return found == wanted and (found is None) == (wanted is None)


def ratio(part, whole):
    return part / whole if whole else None


def rate(packets: int, first: int | None, last: int | None):
    """(packets - 1) / (last - first)."""
    return (packets - 1) * 1e9 / (last - first) if packets > 1 and first is not None and last > first else None


def times(rate_, factor):
    return None if rate_ is None or factor is None else rate_ * factor


def percentile(values, share: float):
    return float(numpy.quantile(values, share, method="inverted_cdf"))


def bin_of(value: float) -> float:
    return abs(value) * BIN if abs(value) >= EXACT_BELOW else 0


def spread(name: str, values, unit: str = "_ns", *, error=bin_of, around: float = 0) -> dict:
    """Figures of a spread. Percentiles are off by `error` of the value; `around` is the error of every value."""
    names = [f"{name}_count"] + [f"{name}_{it}{unit}" for it in ("min", "mean", "sd", *SHARES, "max")]
    if values is None:
        return dict.fromkeys(names)
    values = numpy.asarray(values)
    if len(values) == 0:
        return dict.fromkeys(names) | {names[0]: 0}
    exact = 1e-9 * float(numpy.abs(values).max()) + around
    figures = [len(values), Near(int(values.min()), around), Near(float(values.mean()), exact),
               Near(float(values.std(ddof=1)), exact) if len(values) > 1 else None]
    for share in SHARES.values():
        wanted = percentile(values, share)
        figures.append(Near(wanted, error(wanted) + around))
    return dict(zip(names, figures + [Near(int(values.max()), around)]))


def covered(at, sizes, start: int, last: float | None = None, around: float = 0) -> tuple:
    """(seconds, packets per second, bits per second) of the time of an interval from the first of all packets to `last`;
    at an end of the packets, the gap to the packet of another interval counts by its part within this one."""
    if len(at) == 0 or max(start, at[0]) > min(start + INTERVAL, last):
        return 0.0, 0.0, 0.0
    seconds = float(min(start + INTERVAL, last) - max(start, at[0])) / 1e9
    mine = (start <= at) & (at < start + INTERVAL)
    begins, ends = bool(mine[0]), bool((mine & (at == last)).any())
    packets, size = int(mine.sum()), float(sizes[mine].sum())
    crossing, slack, alone = None, 0.0, packets == 1 and (begins or ends)
    if begins != ends:
        edge = int(numpy.flatnonzero(mine)[-1]) if begins else int(numpy.flatnonzero(mine)[0]) - 1
        if edge + 1 < len(at):
            gap = float(at[edge + 1] - at[edge])
            crossing = float(start + INTERVAL - at[edge] if begins else at[edge + 1] - start) / gap
            slack, alone = min(1.0, 4 * around / gap), False
    if seconds == 0 or alone:
        return seconds, None, None
    lacking = 1 if begins and ends else 0 if not begins and not ends else 0.5 if crossing is None else 1 - crossing
    pps = (packets - lacking) / seconds
    within = 1e-7 + around / 1e9 / seconds
    mean_bits = 8 * size / packets if packets else 0.0
    return (Near(seconds, within * seconds + 2e-9), *(Near(pps * of, (within * pps + slack / seconds) * of + 2e-9) for of in (1.0, mean_bits)))


def normal(x):
    return numpy.array([math.erfc(-it / math.sqrt(2)) / 2 for it in numpy.ravel(x)]).reshape(numpy.shape(x))


def raised_mean(mean: float, deviation: float) -> float:
    """Of a normal variable that is 0 where it would be below."""
    z = mean / deviation
    return mean * float(normal(z)) + deviation * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def cdf(family: dict):
    """The probability of gaps below x ns, both of whose ends are rounded: the mean of P(X <= x) from x - 1 to x. Draws
    below 0 are gaps of 0."""
    exact = {"exp": lambda x: -numpy.expm1(-x / family["mean"]), "weibull": lambda x: -numpy.expm1(-(x / family["scale"]) ** family["shape"]),
             "unif": lambda x: numpy.clip((x - family["low"]) / (family["high"] - family["low"]), 0, 1),
             "normal": lambda x: normal((x - family["mean"]) / family["deviation"]),
             "cauchy": lambda x: 0.5 + numpy.arctan((x - family["location"]) / family["scale"]) / math.pi}[family["family"]]
    return lambda x: numpy.where(numpy.asarray(x) > 0, exact(numpy.maximum(numpy.asarray(x, dtype=float) - 0.5, 0)), 0.0)


def quantile(family_cdf, share: float) -> int:
    """The nearest whole ns."""
    low, high = 0, 2**40
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if family_cdf(middle) < share else (low, middle)
    return low if low == 0 or family_cdf(low) - share <= share - family_cdf(low - 1) else low - 1


def end_of_zeros(family_cdf) -> int:
    """The edge after gaps of 0, if there are many: they have a cell together with the shortest others. Otherwise 0."""
    zeros = float(family_cdf(1))
    return quantile(family_cdf, zeros + 1 / 1024) if zeros > MANY_ZEROS else 0


def spread_in_cells(gaps, its):
    """The probabilities of gaps; those of one number of ns, or of the cell of zeros, are spread evenly over what
    belongs to it."""
    end = end_of_zeros(its)
    starts = numpy.where(gaps < end, 0, gaps)
    values, numbers = numpy.unique(starts, return_counts=True)
    low, high = numpy.minimum(its(values), 1 - RAREST), numpy.maximum(its(numpy.where(values < end, end, values + 1)), RAREST)
    return numpy.concatenate([one + (numpy.arange(n) + 0.5) / n * (other - one) for one, other, n in zip(low, high, numbers)])


def in_bins(gaps, its):
    """The bin of each gap among 32 that are as equal as edges allow, their probabilities, and how many gaps are near an edge."""
    edges = numpy.array([max(quantile(its, i / BINS), end_of_zeros(its)) for i in range(1, BINS)])
    near = int((numpy.abs(numpy.subtract.outer(gaps, edges)) <= NEAR_AN_EDGE * edges).sum())
    return numpy.searchsorted(edges, gaps, side="right"), numpy.diff([0, *its(edges), 1]), near


def combined(expected):
    """Neighbours together, until nearly 5 gaps are expected in each: which one of those each bin is in."""
    places, place, inside = [], 0, 0.0
    for one in expected:
        if inside >= NEARLY_5:
            place, inside = place + 1, 0.0
        inside += one
        places.append(place)
    return numpy.minimum(places, place - 1) if inside < NEARLY_5 else numpy.array(places)


def distance(u, zeros: float, alone: bool) -> Near:
    """KS at the edges of cells. What a cell of zeros holds is somewhere in it: of one flow it is not looked into."""
    def largest(u, among):
        rank = numpy.arange(1, len(u) + 1)
        return float(numpy.maximum(rank / len(u) - u, u - (rank - 1) / len(u))[among].max(initial=0))
    least = max(largest(u, u >= zeros), abs(float((u < zeros).mean()) - zeros) if alone else 0)
    most = least if alone else max(largest(numpy.where(u < zeros, end, u), slice(None)) for end in (0, zeros))
    within = 2 / 1024  # of a cell, and of what its edges are off
    return Near((least - within + most) / 2, (most - least + within) / 2 + 1e-5)


def spread_at_ends(u, rare: float, over: float):
    """What is rarer than `rare` on either side, spread evenly over `over`: the cells that several flows share there are
    between the finest one and the first ns of any of them."""
    low, high = int((u < rare).sum()), int((u > 1 - rare).sum())
    spread_out = u.copy()
    spread_out[:low] = over * (numpy.arange(low) + 0.5) / max(low, 1)
    spread_out[len(u) - high:] = 1 - over * (numpy.arange(high)[::-1] + 0.5) / max(high, 1)
    return spread_out


def kolmogorov(distance: float, n: int) -> float:
    """P of such a distance or a larger one by chance [Stephens 1970]."""
    x = (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * distance
    return min(1.0, max(0.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 101)))) if x > 0.2 else 1.0


def fit_figures(fitted, why_not) -> dict:
    """How far gaps are from these distributions: (gaps, cdf) of each flow."""
    names = ["fit_gaps", "fit_bins", "lambda2", "lambda2_error", "ks", "ks_within", "a2", "ks_p_low", "ks_p_high"]
    n = sum(len(gaps) for gaps, _ in fitted)
    if n < FEWEST_GAPS:
        return dict.fromkeys(names) | {"no_fit_because": why_not}
    binned = [in_bins(gaps, its) for gaps, its in fitted]
    expected = sum(shares * len(gaps) for (gaps, _), (_, shares, _) in zip(fitted, binned))
    places = combined(expected)
    bins = int(places[-1]) + 1
    shares = numpy.bincount(places, weights=expected / n)
    bin_of_gap = places[numpy.concatenate([one for one, _, _ in binned])]
    off = numpy.bincount(bin_of_gap, minlength=bins) - n * shares
    moved = sum(near for _, _, near in binned) * 2 * (numpy.abs(off) + 1).max() / (n * shares.min()) / (n - 1)
    lambda2 = float(((off**2 - off) / (n * shares)).sum() - (bins - 1)) / (n - 1)
    u = numpy.sort(numpy.concatenate([spread_in_cells(gaps, its) for gaps, its in fitted if len(gaps)]))
    rank = numpy.arange(1, n + 1)
    zeros = max(float(its(end_of_zeros(its))) for _, its in fitted)
    finest = max(float(its(2)) for _, its in fitted) if len(fitted) > 1 else RAREST
    most, least = (float(-n - ((2 * rank - 1) * (numpy.log(at) + numpy.log1p(-at[::-1]))).sum() / n)
                   for at in (spread_at_ends(u, finest, RAREST), spread_at_ends(u, finest, finest)))
    error = {"lambda2_error": misfit_error(bin_of_gap, shares)} if len(fitted) == 1 else {}
    return error | {"fit_gaps": n, "fit_bins": bins, "lambda2": Near(lambda2, 1e-3 * abs(lambda2) + 1e-4 + moved), "no_fit_because": None,
            "ks": distance(u, zeros, len(fitted) == 1), "ks_within": Near(zeros / 2 + 1 / 1024, zeros / 2 + 1 / 1024), "ks_p_low": "by ks", "ks_p_high": "by ks",
            "a2": Near((most + least) / 2, (most - least) / 2 + 0.01 * most + 0.02 + 0.5 / n)}


def misfit_error(bin_of_gap, shares) -> OneOf:
    """Of lambda2, by 32 to 64 batches of gaps, or of one gap each."""
    n, values = len(bin_of_gap), []
    for length in [length for length in range(1, n // 32 + 1) if 32 <= n // length <= 64] or [1]:
        batches = n // length
        counts = [numpy.bincount(bin_of_gap[i * length:(i + 1) * length], minlength=len(shares)) for i in range(batches)]
        covariance = numpy.cov(numpy.transpose(counts)) * n / length
        weights = 2 * numpy.bincount(bin_of_gap, minlength=len(shares)) / (n * shares)
        by_chance = covariance / n / numpy.sqrt(numpy.outer(shares, shares))
        free = batches - 1
        trace = free**2 / ((free - 1) * (free + 2)) * (numpy.trace(by_chance @ by_chance) - numpy.trace(by_chance) ** 2 / free)
        rest = 2 * max(float(trace), 0) / n**2
        values.append(math.sqrt(max(float(weights @ covariance @ weights) / n**2 - 2 * rest, 0) + rest))
    return OneOf([Near(value, 0.15 * value) for value in values])


def loss_figures(patterns) -> dict:
    """Of the loss patterns of these flows."""
    names = ["loss_packets", "loss_lost", "loss_low", "loss_high", "loss_independent_packets", "loss_noticeable_ratio", "gilbert_p", "gilbert_p_error",
             "gilbert_r", "gilbert_r_error", "good_followed", "good_to_bad", "bad_followed", "bad_to_good", "gilbert_p_value"]
    if any(pattern is None for pattern in patterns):
        return dict.fromkeys(names) | spread("loss_period", None, "") | spread("loss_distance", None, "")
    periods, good_periods, distances, followed, changes = [], [], [], {True: 0, False: 0}, {True: 0, False: 0}
    for pattern in patterns:
        for runs, states in ((periods, pattern), (good_periods, ~pattern)):
            runs += list(numpy.diff(numpy.flatnonzero(numpy.diff(numpy.concatenate([[0], states, [0]]))))[::2])
        distances += list(numpy.diff(numpy.flatnonzero(pattern)))
        for state in (True, False):
            followed[state] += int((pattern[:-1] == state).sum())
            changes[state] += int(((pattern[:-1] == state) & (pattern[1:] != state)).sum())
    n, lost = sum(map(len, patterns)), int(sum(pattern.sum() for pattern in patterns))
    p, r = ratio(changes[False], followed[False]), ratio(changes[True], followed[True])
    few = min(len(periods), len(good_periods)) < FEWEST_PERIODS

    def error(share, of):
        return math.sqrt(share * (1 - share) / of) if share is not None and 0 < share < 1 and not few else None
    independent = None
    if not few and p is not None and r is not None and 0 < p + r:
        independent = min(float(n), n * (p + r) / (2 - p - r)) if p + r < 2 else float(n)
    low, high = wilson(lost / n, independent) if independent else (None, None)
    return {"loss_packets": n, "loss_lost": lost, "loss_low": low, "loss_high": high, "loss_independent_packets": independent,
            "loss_noticeable_ratio": ratio(sum(it <= 99 for it in distances), lost), "gilbert_p": p, "gilbert_p_error": error(p, followed[False]),
            "gilbert_r": r, "gilbert_r_error": error(r, followed[True]), "good_followed": followed[False], "good_to_bad": changes[False],
            "bad_followed": followed[True], "bad_to_good": changes[True], "gilbert_p_value": gilbert_p_value(patterns)
            } | spread("loss_period", periods, "") | spread("loss_distance", distances, "")


def gilbert_p_value(patterns):
    """Of whether states that have lasted for one packet end as often as those that have lasted longer."""
    x2, freedom = 0.0, 0
    for state in (False, True):
        table = numpy.zeros((2, 2))  # one packet or more; ends or continues
        for one in patterns:
            here = one[1:-1] == state
            for row, before in enumerate((one[:-2] != state, one[:-2] == state)):
                table[row] += [(here & before & (one[2:] != state)).sum(), (here & before & (one[2:] == state)).sum()]
        if table.sum() == 0:
            continue
        expected = numpy.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        if expected.min() >= 1:
            x2, freedom = x2 + float(((table - expected) ** 2 / expected).sum()), freedom + 1
    return {0: None, 1: math.erfc(math.sqrt(x2 / 2)), 2: math.exp(-x2 / 2)}[freedom]


def independent_values(values, error_of_mean: float | None):
    """So many would tell as much of the mean."""
    if error_of_mean is None or len(values) < 2 or values.min() == values.max():
        return None
    return min(float(len(values)), float(values.var(ddof=1)) / error_of_mean**2)


def interval_of(values, share: float, independent: float | None) -> tuple:
    """The values at both ends of the 95 % interval of a percentile."""
    if independent is None or independent * (1 - share) < FEWEST_EXPECTED:
        return None, None
    return tuple(percentile(values, end.value) for end in wilson(share, independent))


def mapdv2(delays) -> float | None:
    """[ITU-T G.1020]"""
    if len(delays) < 2:
        return None
    above, below, smooth = [], [], float(delays[0])
    for delay in delays[1:]:
        if delay != smooth:
            (above if delay > smooth else below).append(abs(float(delay) - smooth))
        smooth += (float(delay) - smooth) / 16
    return sum(float(numpy.mean(some)) for some in (above, below) if some)


def free_runs(late) -> list[int]:
    """Lengths of runs of packets that are not late."""
    ends = numpy.flatnonzero(numpy.concatenate([[True], late, [True]]))
    return [int(n) for n in numpy.diff(ends) - 1 if n]


def displacements(numbers) -> collections.Counter:
    """Receive index less number, where no packet is further than the threshold from its place."""
    off = numpy.sort(numbers) - numbers
    assert len(off) == 0 or numpy.abs(off).max() <= MOST_DISPLACED
    return collections.Counter(off.tolist())


def gap_scales(side: str, at, lateness=None, breaks=(), around: float = 0) -> list[dict]:
    """Of packets in order that left or came `at`; `breaks`: indexes of packets before which some have no record."""
    parts = [(it, None if lateness is None else late) for it, late in zip(numpy.split(at, breaks), numpy.split(at if lateness is None else lateness, breaks))]
    rows, m = [], 1
    mean_gap = None
    while True:
        stretches = [numpy.diff(it[::m]) for it, _ in parts]
        together = numpy.concatenate(stretches)
        if len(together) < FEWEST_STRETCHES:
            return rows
        mean = float(together.mean())
        mean_gap = mean if m == 1 else mean_gap
        allan = None
        if lateness is not None:
            second = numpy.concatenate([numpy.diff(late[::m], n=2) for _, late in parts])
            allan = math.sqrt(float((second**2.0).mean()) / 2) / mean
        dispersion, off = float(together.var(ddof=1)) / (m * mean_gap**2), around / mean_gap if mean_gap else 0
        rows.append({"side": side, "gaps": m, "stretches": len(together), "mean_ns": Near(mean, 1e-9 * mean + around),
                     "dispersion": Near(dispersion, 1e-9 * dispersion + 1e-12 + 4 * off * (math.sqrt(dispersion) + off)), "allan_deviation": allan})
        m *= 2


def wilson(share: float, n: float) -> tuple:
    z = NORMAL_95
    middle, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return tuple(Near((middle + sign * half) / (1 + z * z / n), 1e-6) for sign in (-1, 1))


