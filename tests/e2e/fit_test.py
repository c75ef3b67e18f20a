#!/usr/bin/env python3
"""Distributions and dependence of captured packets: figures by their definitions over all of the same packets, and a
profile whose schedule fits again. fit_runs_test.py has the fit of a run that is sent."""
import collections
import json
import math
import pathlib
import random
import re
import sqlite3
import struct
import unittest

import ending
import lab
from capture import read_pcap

FINEST_NS = 1000  # of the blocks that packets are counted in (docs/guide/fit.md)
SQRT3 = math.sqrt(3)
TAPS = [t / (4 * math.sqrt(2)) for t in (1 + SQRT3, 3 + SQRT3, 3 - SQRT3, 1 - SQRT3)]


def fit(*arguments, cwd=None, check=True, **options):
    return json.loads(lab.run(lab.BIN / "groma-dec", "fit", *arguments, "--json", cwd=cwd, check=check, **options).stdout)


def udp_frame(size: int, port: int) -> bytes:
    """The headers of a UDP packet with that payload, as in a short snapshot."""
    return (bytes.fromhex("02000000000102000000000208 00".replace(" ", "")) +
            struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + size, 1, 0, 64, 17, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])) +
            struct.pack(">HHHH", 5000, port, 8 + size, 0))


def write_pcap(file, packets, snapshot=64):
    """(time in ns, port, size) of each packet, in a capture of nanoseconds."""
    with open(file, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, snapshot, 1))
        for at, port, size in packets:
            frame = udp_frame(size, port)
            out.write(struct.pack("<IIII", at // 10**9, at % 10**9, len(frame), 42 + size) + frame)


def digamma(x: float) -> float:
    """By its recurrence and, from 10 on, its asymptotic series [Abramowitz and Stegun, 6.3.18]."""
    below = 0.0
    while x < 10:
        below += 1 / x
        x += 1
    return math.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - 1 / (252 * x**6) - below


class Figures(unittest.TestCase):
    """Of a capture that the test has written."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = ending.TemporaryFolder(prefix="groma-fit-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.file = cls.temporary.name + "/drawn.pcap"
        draw = random.Random(7)
        cls.gaps = [round(draw.lognormvariate(math.log(1e6), 0.8)) for _ in range(19_999)]
        level, cls.sizes = 0.0, []
        for _ in range(20_000):
            level = 0.6 * level + draw.gauss(0, 1)
            cls.sizes.append(round(700 + 80 * level))
        cls.times = [1_700_000_000_123_456_789]
        for gap in cls.gaps:
            cls.times.append(cls.times[-1] + gap)
        other = [(cls.times[0] + round(i * 1e7 + 1e6 * draw.random()), 6000, 100) for i in range(500)]
        packets = sorted([(at, 5001, size) for at, size in zip(cls.times, cls.sizes)] + other)
        write_pcap(cls.file, packets)
        cls.found = fit(cls.file, "--fewest", "100")

    def setUp(self):
        self.flow = next(flow for flow in self.found["flows"] if flow["name"].endswith(":5001"))

    def test_flows_are_told_apart_and_counted(self):
        self.assertEqual(sorted(flow["packets"] for flow in self.found["flows"]), [500, 20_000])
        self.assertEqual((self.flow["bytes"], self.flow["first_ns"]), (sum(self.sizes), self.times[0]))
        self.assertEqual(self.found["sources"][0]["seen"], 20_500)

    def test_likeliest_parameters_are_those_of_the_closed_forms(self):
        best = self.flow["gaps_ns"]["families"][0]
        self.assertEqual(best["family"], "lognormal")
        logs = [math.log(gap) for gap in self.gaps]
        mean = sum(logs) / len(logs)
        sigma = math.sqrt(sum((x - mean) ** 2 for x in logs) / len(logs))
        median_text, sigma_text = best["text"].split(":")[1:]
        unit = {"ms": 1e6, "us": 1e3, "ns": 1.0}[median_text.lstrip("0123456789.e+")]
        self.assertAlmostEqual(float(median_text.rstrip("nmus")) * unit / math.exp(mean), 1, delta=1e-5)
        self.assertAlmostEqual(float(sigma_text) / sigma, 1, delta=1e-5)
        exponential = next(f for f in self.flow["gaps_ns"]["families"] if f["family"] == "exp")
        average = sum(self.gaps) / len(self.gaps)
        likelihood = -len(self.gaps) * (math.log(average) + 1)
        self.assertAlmostEqual(exponential["log_likelihood"] / likelihood, 1, delta=1e-4)

    def test_distances_are_those_of_their_definitions(self):
        gaps = sorted(self.gaps)
        n = len(gaps)
        mean = sum(gaps) / n
        u = [1 - math.exp(-gap / mean) for gap in gaps]
        ks = max(max((i + 1) / n - x, x - i / n) for i, x in enumerate(u))
        a2 = -n - sum((2 * i + 1) * (math.log(u[i]) + math.log1p(-u[n - 1 - i])) for i in range(n)) / n
        exponential = next(f for f in self.flow["gaps_ns"]["families"] if f["family"] == "exp")
        self.assertAlmostEqual(exponential["ks"], ks, delta=0.002)
        self.assertAlmostEqual(exponential["a2"] / a2, 1, delta=0.03)
        bins = 32
        counts = [0] * bins
        for x in u:
            counts[min(int(x * bins), bins - 1)] += 1
        x2 = sum((count - n / bins) ** 2 / (n / bins) for count in counts)
        self.assertAlmostEqual(exponential["lambda2"], (x2 - (bins - 2)) / (n - 1), delta=0.05 * exponential["lambda2"])

    def test_autocorrelation_is_that_of_the_whole_list(self):
        for values, process in ((self.gaps, "gaps_ns"), (self.sizes, "sizes")):
            mean = sum(values) / len(values)
            x = [value - mean for value in values]
            squares = math.fsum(one * one for one in x)
            for k in (1, 2, 3, 10, 50, 100):
                expected = math.fsum(a * b for a, b in zip(x[k:], x)) / squares
                self.assertAlmostEqual(self.flow[process]["autocorrelation"][k - 1], expected, delta=1e-9)
        self.assertAlmostEqual(self.flow["sizes"]["autocorrelation"][0], 0.6, delta=0.03)

    def test_dispersion_and_variances_are_those_of_the_counted_blocks(self):
        times = [at - self.times[0] for at in self.times]
        finest = times[-1] // FINEST_NS + 1
        self.assertGreater(len(self.flow["counts"]["scales"]), 8)
        for scale in self.flow["counts"]["scales"]:
            width = round(scale["scale_s"] * 1e9)
            blocks = finest // (width // FINEST_NS)
            counts = [count for block, count in collections.Counter(at // width for at in times).items() if block < blocks]
            mean = sum(counts) / blocks
            variance = (sum(count * count for count in counts) - blocks * mean * mean) / (blocks - 1)
            self.assertEqual(scale["blocks"], blocks)
            self.assertAlmostEqual(scale["idc"], variance / mean, delta=1e-6)
            self.assertAlmostEqual(scale["rate_variance"] * scale["scale_s"] ** 2 / variance, 1, delta=1e-6)

    def test_energies_are_those_of_mallats_algorithm(self):
        level = collections.Counter((at - self.times[0]) // FINEST_NS for at in self.times)
        length = max(level) + 1
        energies = {}
        octave = 0
        while length >= 4:
            octave += 1
            length = (length - 4) // 2 + 1
            low, high = {}, {}
            for place, value in level.items():
                for k in range(4):  # value is the one at 2 i + k
                    i, odd = divmod(place - k, 2)
                    if not odd and 0 <= i < length:
                        low[i] = low.get(i, 0) + TAPS[k] * value
                        high[i] = high.get(i, 0) + (-1) ** k * TAPS[3 - k] * value
            energies[octave] = sum(detail * detail for detail in high.values()) / length, length
            level = low
        for found in self.flow["counts"]["octaves"]:
            octave = round(math.log2(found["scale_s"] * 1e9 / FINEST_NS))
            energy, n = energies[octave]
            bias = (digamma(n / 2) - math.log(n / 2)) / math.log(2)
            self.assertAlmostEqual(found["log2_energy"], math.log2(energy) - bias, delta=1e-6)

    def test_independent_gaps_and_dependent_sizes_are_seen_as_such(self):
        band = self.flow["gaps_ns"]["band"]
        outside = sum(abs(r) > band for r in self.flow["gaps_ns"]["autocorrelation"])
        self.assertLess(outside, 20)  # 5 of 100 on average
        self.assertGreater(self.flow["sizes"]["autocorrelation"][0], 20 * band)
        wavelet = self.flow["counts"]["hurst"]["wavelet"]
        self.assertAlmostEqual(wavelet["value"], 0.5, delta=5 * wavelet["error"])

    def test_a_filter_a_number_and_a_pipe_choose_packets(self):
        filtered = fit(self.file, "--filter", "udp port 6000")
        self.assertEqual([flow["packets"] for flow in filtered["flows"]], [500])
        number = self.flow["flow"]
        self.assertEqual([flow["name"] for flow in fit(self.file, "--flow", number)["flows"]], [self.flow["name"]])
        self.assertEqual([flow["packets"] for flow in fit(self.file, "--top", 1)["flows"]], [20_000])
        with open(self.file, "rb") as capture:
            piped = fit("-", stdin=capture)
        self.assertEqual([flow["packets"] for flow in piped["flows"]], [flow["packets"] for flow in self.found["flows"]])

    def test_what_cannot_be_read_is_said(self):
        for arguments, status, text in (
                ((self.file, "--filter", "no such thing"), 2, "cannot use the filter"),
                ((self.file, "--fewest", "100000"), 1, "nothing to fit"),
                ((__file__,), 1, "cannot read the capture"),
                (("/nonexistent",), 1, "No such file")):
            result = lab.run(lab.BIN / "groma-dec", "fit", *arguments, check=False)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(text, result.stderr)


def parameter(family: dict, place: int = 1) -> float:
    """A parameter of a family as written, in ns or bytes."""
    text = family["text"].split(":")[place]
    for unit, factor in (("pps", None), ("ms", 1e6), ("us", 1e3), ("ns", 1.0), ("s", 1e9)):
        if text.endswith(unit):
            number = float(text[:-len(unit)])
            return 1e9 / number if factor is None else number * factor
    return float(text)


def family(process: dict, name: str) -> dict:
    return next(one for one in process["families"] if one["family"] == name)


class Schedules(unittest.TestCase):
    """The fitted flows are drawn again (--dry-run), and fit again, without a clock."""

    def setUp(self):
        temporary = ending.TemporaryFolder(prefix="groma-fit-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, *flows: str) -> str:
        (self.folder / "flows.toml").write_text('[defaults]\nto = "127.0.0.1"\n' + "".join(f"[[flow]]\n{flow}\n" for flow in flows))
        return "flows.toml"

    def capture_of(self, experiment: str, seed: int) -> str:
        """The departures of an experiment as a capture; its flows have the ports 6001, 6002, ... in their order."""
        said = lab.run(lab.BIN / "groma-send", experiment, "--dry-run", "--seed", seed, cwd=self.folder).stdout
        departures = re.findall(r"^ *(\d+)\.(\d{9})  (.+?) +\d+ +(\d+)$", said, re.MULTILINE)
        ports = {}
        packets = [(1_700_000_000_000_000_000 + int(s) * 10**9 + int(ns), ports.setdefault(name, 6001 + len(ports)), int(size))
                   for s, ns, name, size in departures]
        write_pcap(self.folder / f"{experiment}.{seed}.pcap", packets)
        return f"{experiment}.{seed}.pcap"

    def assertSameFamily(self, first: dict, again: dict, error: float):
        """The family is the same, its parameters within five of their relative standard errors."""
        self.assertEqual(first["family"], again["family"], (first, again))
        for place in range(1, first["parameters"] + 1):
            self.assertAlmostEqual(parameter(again, place) / parameter(first, place), 1, delta=5 * error, msg=f"{first} {again}")

    def test_a_profile_fits_again_what_it_was_fitted_to(self):
        packets = 4000
        flows = self.write(*(f'name = "{name}"\nidt = "{idt}"\nsize = "{size}"\npackets = {packets}' for name, idt, size in (
            ("a", "exp:400pps", "normal:300:40"), ("b", "100pps", "172"), ("c", "unif:2ms:8ms", "discrete:64=7,594=4,1400=1"),
            ("d", "pareto:4:2ms", "exp:300"), ("e", "lognormal:2ms:0.7", "unif:63.5:1472.5"), ("f", "weibull:0.6:2ms", "poisson:30"),
            ("g", "gamma:0.5:4ms", "normal:900:100"), ("h", "normal:10ms:1ms", "512"), ("i", "student:3:20ms:0.5ms", "lognormal:200:0.3"))))
        first = fit(self.capture_of(flows, 3), "--profile=profile.toml", cwd=self.folder)
        again = fit(self.capture_of("profile.toml", 4), cwd=self.folder)
        self.assertEqual([[flow[process]["families"][0]["family"] for process in ("gaps_ns", "sizes")] for flow in first["flows"]],
                         [["exp", "normal"], ["const", "const"], ["unif", "discrete"], ["pareto", "exp"], ["lognormal", "unif"],
                          ["weibull", "poisson"], ["gamma", "normal"], ["normal", "const"], ["student", "lognormal"]])
        for one, other in zip(first["flows"], again["flows"]):
            for process in ("gaps_ns", "sizes"):
                before, after = one[process]["families"][0], other[process]["families"][0]
                if before["family"] == "discrete":
                    self.assertEqual(after["family"], "discrete")
                    continue
                n = min(one["packets"], other["packets"])
                # Two samples; three degrees of freedom are known to about 5 / sqrt(n), all other parameters far better.
                self.assertSameFamily(before, after, (5 if before["family"] == "student" else 1.5) * math.sqrt(2 / n))
                if after["ks"] is not None:
                    self.assertLess(after["ks"], 1.63 / math.sqrt(n), after)
                    self.assertLess(abs(after["lambda2"]), 4 * after["lambda2_error"], after)

    def test_a_profile_as_seen_has_the_quantiles_of_what_was_seen(self):
        flows = self.write('name = "burst"\nidt = "mix:0.8*(unif:0.1ms:0.3ms)+0.2*(unif:8ms:10ms)"\n'
                           'size = "mix:1*(unif:60:120)+1*(unif:1200:1400)"\npackets = 5000')
        first = fit(self.capture_of(flows, 5), "--profile=profile.toml", "--empirical", cwd=self.folder)
        again = fit(self.capture_of("profile.toml", 6), cwd=self.folder)
        for process, within in (("gaps_ns", 0.3e6), ("sizes", 15)):
            one, other = (found["flows"][0][process]["quantiles"] for found in (first, again))
            for p in (0.1, 0.3, 0.7, 0.9):
                values = [next(q["observed"] for q in qs if abs(q["probability"] - p) < 1e-9) for qs in (one, other)]
                self.assertAlmostEqual(values[0], values[1], delta=within, msg=f"{process} {p}")
            means = [found["flows"][0][process]["mean"] for found in (first, again)]
            self.assertAlmostEqual(means[1] / means[0], 1, delta=5 * 2 * math.sqrt(2 / 5000), msg=process)


class Runs(lab.LabTest):
    """Fits of packets that were sent, at whatever time they left."""

    def setUp(self):
        super().setUp()
        self.b.receiver()

    def test_a_receivers_log_and_a_capture_of_the_same_packets_say_the_same(self):
        witness = self.b.witness("udp")
        self.a.groma("send", "--to", self.b.address, "--idt", "exp:300pps", "--size", "unif:63.5:1400.5", "--packets", 1500,
                     "--receiver-log", "recv.glog", "--log", "send.glog", "--seed", 8)
        (self.folder / "seen.pcap").write_bytes(witness.captured())
        packets = list(read_pcap((self.folder / "seen.pcap").read_bytes()))
        found = fit("recv.glog", "seen.pcap", "send.glog", "--sqlite", "fit.sqlite", cwd=self.folder)
        self.assertEqual([source["kind"] for source in found["sources"]], ["receiver's log", "capture", "sender's log"])
        self.assertEqual([flow["packets"] for flow in found["flows"]], [1500] * 3)
        self.assertEqual({flow["bytes"] for flow in found["flows"]}, {sum(packet.payload for packet in packets)})
        self.assertEqual({flow["sizes"]["families"][0]["family"] for flow in found["flows"]}, {"unif"})
        arrivals, capture, departures = (flow["gaps_ns"] for flow in found["flows"])
        gaps = [after.time_ns - before.time_ns for before, after in zip(packets, packets[1:])]
        self.assertAlmostEqual(capture["mean"] / (sum(gaps) / len(gaps)), 1, delta=1e-9)
        self.assertAlmostEqual(parameter(family(arrivals, "exp")) / parameter(family(capture, "exp")), 1, delta=0.01)
        self.assertAlmostEqual(parameter(family(departures, "exp")) / departures["mean"], 1, delta=1e-5)
        rows = sqlite3.connect(self.folder / "fit.sqlite").execute("select source, packets from traffic order by id").fetchall()
        self.assertEqual(rows, [("recv.glog", 1500), ("seen.pcap", 1500), ("send.glog", 1500)])


if __name__ == "__main__":
    lab.main()
