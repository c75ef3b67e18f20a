#!/usr/bin/env python3
"""Figures of groma-dec held against other programs' on the same packets of a bad network: tshark's statistics and
its RTP analysis, iperf3's loss and jitter, numpy's percentiles. Logs and captures are recorded
(tests/golden/bad_network.tar.xz, by impaired_runs.py); guest_oracles_test.py makes new ones. Capture and log have
the same kernel's stamps, so that most must agree exactly; where they cannot, the bound is derived in the test."""
import csv
import itertools
import json
import pathlib
import re
import struct
import unittest

import numpy

import ending
import glog
import glog_writer
import impaired_runs
import lab
import wireshark
from capture import frames, ip_header

PORTS = {1: 5601, 2: 5602}
ETHERNET_HEADER, HEADERS = 14, 42  # bytes of a frame: up to IP, and up to the payload of UDP
ON_THE_WIRE = 24                   # what a frame takes on an Ethernet in addition
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
FIRST_DELAYS = 64                  # delays are counted from the smallest of them (docs/reference/metrics.md)
BIN = 1 / 128


def recorded(folder: pathlib.Path):
    lab.run("tar", "-xf", lab.ROOT / "tests/golden/bad_network.tar.xz", "-C", folder)


made = recorded


def setUpModule():
    global FOLDER
    temporary = ending.TemporaryFolder(prefix="groma-oracles-")
    unittest.addModuleCleanup(temporary.cleanup)
    FOLDER = pathlib.Path(temporary.name)
    made(FOLDER)


def decoded(*arguments) -> dict:
    return json.loads(lab.run(lab.BIN / "groma-dec", *arguments, "--json", cwd=FOLDER).stdout)["runs"][0]


def logged(name: str, kind: int) -> list:
    return glog.records((FOLDER / name).read_bytes(), kind)


def first_copies(records) -> list:
    seen = set()
    return [it for it in records if it.seq not in seen and not seen.add(it.seq)]


def reordered(numbers) -> int:
    """Packets below the largest number before them [RFC 4737, 3.3], of first copies."""
    largest = list(numpy.maximum.accumulate(numbers))
    return sum(number < before for number, before in zip(numbers[1:], largest))


def smoothed(differences):
    """The J of each: J += (D - J) / 16 [RFC 3550, 6.4.1]."""
    return numpy.array(list(itertools.accumulate(differences, lambda jitter, difference: jitter + (difference - jitter) / 16, initial=0.0))[1:])


def write_capture(name: str, packets, link: int) -> pathlib.Path:
    """A capture in nanoseconds of these (time, frame)s."""
    out = bytearray(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, link))
    for at, frame in packets:
        out += struct.pack("<IIII", at // 10**9, at % 10**9, len(frame), len(frame)) + frame
    (FOLDER / name).write_bytes(out)
    return FOLDER / name


def statistics(capture: pathlib.Path, *what) -> str:
    return lab.run("tshark", "-n", "-q", "-r", capture, *what).stdout


class Tshark(unittest.TestCase):
    """Groma's own packets, as they left and arrived."""

    @classmethod
    def setUpClass(cls):
        cls.run_ = decoded("send.glog", "recv.glog", "--interval", "200ms")
        cls.flows = {flow["flow"]: flow for flow in cls.run_["flows"]}
        cls.left, cls.arrived = ([(int(flow), int(seq)) for flow, seq in wireshark.fields(FOLDER / name, ["groma.flow", "groma.seq"])]
                                 for name in ("a.pcap", "b.pcap"))

    def numbers(self, flow: int):
        """Sequence numbers of a flow, as its packets left and as they arrived."""
        return [[seq for its, seq in packets if its == flow] for packets in (self.left, self.arrived)]

    def test_logs_and_capture_have_the_same_stamps(self):
        seen = sorted((int(flow), int(seq), wireshark.nanos(at)) for flow, seq, at in
                      wireshark.fields(FOLDER / "b.pcap", ["groma.flow", "groma.seq", "frame.time_epoch"]))
        self.assertEqual(seen, sorted((it.flow, it.seq, it.received_at) for it in logged("recv.glog", glog.RECEIVED)))

    def test_the_network_did_what_it_was_told_to(self):
        """Otherwise the other tests would be about undisturbed packets."""
        for flow in self.flows.values():
            figures = (flow["lost"], flow["duplicates"], flow["reordered"])
            self.assertGreater(min(figures), 5, figures)

    def counted(self, flow: int, capture: pathlib.Path, interval: float) -> dict:
        """{start: (packets, bytes of payload)} of the intervals, which tshark counts from the first frame; 0 is all of it."""
        table = statistics(capture, "-z", f"io,stat,{interval},udp.dstport=={PORTS[flow]}")
        rows = re.findall(r"^\|\s*([\d.]+) <>\s*(?:[\d.]+|Dur)\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|", table, re.MULTILINE)
        return {float(at): (int(packets), int(size) - HEADERS * int(packets)) for at, packets, size in rows}

    def test_packets_and_bytes_of_every_interval(self):
        """tshark counts in microseconds: its input has a frame at the start of the run, and the others in whole
        microseconds from then."""
        start = self.run_["started_ns"]
        capture = write_capture("intervals.pcap", [(start, bytes(14))] + [
            (start + (at - start) // 1000 * 1000, frame) for at, frame in frames((FOLDER / "b.pcap").read_bytes(), filled=True)], 1)
        for number, flow in self.flows.items():
            rows = {row["t_s"]: (row["received_packets"], row["received_bytes"]) for row in flow["series"] if row["received_packets"]}
            self.assertGreater(len(rows), 9)
            self.assertEqual(rows, {at: both for at, both in self.counted(number, capture, 0.2).items() if both[0]})

    def test_packets_bytes_and_throughput(self):
        """tshark reports the duration of a conversation in tenths of milliseconds, which is the error of the rates."""
        table = statistics(FOLDER / "b.pcap", "-z", "conv,udp")
        for number, flow in self.flows.items():
            (packets, payload), = self.counted(number, FOLDER / "b.pcap", 0).values()
            self.assertEqual((flow["received_packets"], flow["received_bytes"]), (packets, payload))
            line, = [line for line in table.splitlines() if f":{PORTS[number]} " in line]
            duration = float(line.split()[-1])
            self.assertAlmostEqual(flow["duration_s"], duration, delta=0.000051)
            for figure, all_packets in (("packet_rate_pps", packets), ("throughput_bps", 8 * payload),
                                        ("throughput_ip_bps", 8 * (payload + (HEADERS - ETHERNET_HEADER) * packets)),
                                        ("throughput_ethernet_bps", 8 * (payload + (HEADERS + ON_THE_WIRE) * packets))):
                amount = all_packets * (packets - 1) / packets  # as many as there are gaps
                self.assertAlmostEqual(flow[figure], amount / duration, delta=0.000051 * amount / duration**2, msg=figure)

    def test_loss_duplicates_and_reordering_by_the_numbers_in_the_captures(self):
        for number, flow in self.flows.items():
            left, arrived = self.numbers(number)
            self.assertEqual(flow["sent_packets"], len(left))
            self.assertEqual(flow["lost"], len(set(left) - set(arrived)))
            self.assertEqual(flow["duplicates"], len(arrived) - len(set(arrived)))
            self.assertEqual(flow["reordered"], reordered(list(dict.fromkeys(arrived))))

    def test_the_pattern_of_losses(self):
        for number, flow in self.flows.items():
            left, arrived = self.numbers(number)
            there = set(arrived)
            states = "".join("g" if seq in there else "b" for seq in left)
            found, lengths = lab.spread(flow, "loss_period", unit=""), [len(run) for run in re.findall("b+", states)]
            self.assertEqual((found["count"], found["max"]), (len(lengths), max(lengths)))
            self.assertAlmostEqual(found["mean"], numpy.mean(lengths), delta=1e-9)
            for figure, start, change in (("p", "g", "gb"), ("r", "b", "bg")):
                share = len(re.findall(f"(?={change})", states)) / states[:-1].count(start)
                self.assertAlmostEqual(flow[f"gilbert_{figure}"], share, delta=1e-12)

    def test_jitter_of_the_same_packets_over_rtp(self):
        """RTP counts in samples of 125 us (G.711): departures are put on that grid, in both log and packets. tshark
        reports the largest jitter of a stream, and its loss up to the number of the last packet: so that packet has
        the highest number and is a second late. For several lengths, each as its own flow."""
        step, late = 125_000, 10**9
        arrivals = [it for it in first_copies(it for it in logged("recv.glog", glog.RECEIVED) if it.flow == 1)]
        arrivals = [it._replace(seq=it.seq - arrivals[0].seq, sent_at=it.sent_at // step * step) for it in arrivals if
                    it.seq >= arrivals[0].seq]
        lengths = list(range(100, len(arrivals), 200))
        records, packets = [], []
        for flow, length in enumerate(lengths, 1):
            last = arrivals[length]
            last = last._replace(received_at=last.received_at + late, seq=max(it.seq for it in arrivals[:length]) + 1)
            mine = [it._replace(flow=flow) for it in arrivals[:length] + [last]]
            records += mine
            for it in mine:
                samples = (it.sent_at - mine[0].sent_at) // step % 2**32
                rtp = struct.pack(">BBHII", 0x80, 0, it.seq % 2**16, samples, flow)
                packets.append((it.received_at, wireshark.udp(rtp, ports=(5004, 5006))))
        about = glog.metadata((FOLDER / "recv.glog").read_bytes())
        setup = about["flows"][0]
        about["flows"] = [{**setup, "spec": {**setup["spec"], "id": flow}} for flow in range(1, len(lengths) + 1)]
        (FOLDER / "rtp.glog").write_bytes(glog_writer.log(about, records, records[-1].received_at))
        table = statistics(write_capture("rtp.pcap", packets, 101), "-d", "udp.port==5006,rtp", "-z", "rtp,streams")
        streams = {int(row[0], 16): row[1:] for row in re.findall(
            r"(0x[0-9A-F]{8}).*?(\d+)\s+(-?\d+) \(.*?%\)(?:\s+[\d.]+){5}\s+([\d.]+)", table)}
        for flow in decoded("rtp.glog")["flows"]:
            count, lost, largest = streams[flow["flow"]]
            self.assertEqual((flow["received_packets"], flow["lost_at_least"]), (int(count), int(lost)))
            self.assertAlmostEqual(flow["jitter_rfc3550_ns"] / 1e6, float(largest), delta=0.00051)
            self.assertEqual(flow["jitter_rfc3550_max_ns"], flow["jitter_rfc3550_ns"])
        self.assertEqual(len(streams), len(lengths))


class Numpy(unittest.TestCase):
    """Figures of the packets that groma-dec exports."""

    @classmethod
    def setUpClass(cls):
        cls.run_ = decoded("send.glog", "recv.glog")
        lab.run(lab.BIN / "groma-dec", "pcapng", "recv.glog", "-o", "recv.pcapng", cwd=FOLDER)
        cls.arrivals = {1: [], 2: []}
        for flow, *numbers in wireshark.fields(FOLDER / "recv.pcapng", ["groma.flow", "groma.seq", "groma.sent_at_ns", "frame.time_epoch"]):
            seq, sent_at, at = int(numbers[0]), int(numbers[1]), wireshark.nanos(numbers[2])
            cls.arrivals[int(flow)].append(glog.Received(int(flow), seq, sent_at, at, 0, None, None))
        cls.delays = {flow: numpy.array([it.received_at - it.sent_at for it in first_copies(mine)]) for flow, mine in cls.arrivals.items()}

    def assertSpread(self, found: dict, values, bound, base: int = 0):
        """Percentiles are off by `bound` of how far they are from `base`, everything else is exact."""
        self.assertEqual((found["count"], found["min"], found["max"]), (len(values), values.min(), values.max()))
        self.assertAlmostEqual(found["mean"], numpy.mean(values), delta=0.01)
        self.assertAlmostEqual(found["sd"], numpy.std(values, ddof=1), delta=0.01)
        for name, share in PERCENTILES.items():
            wanted = numpy.quantile(values, share, method="inverted_cdf")
            self.assertAlmostEqual(found[name], wanted, delta=bound * abs(int(wanted) - base) + 1, msg=name)

    def test_delay(self):
        bases = {flow: int(delays[:FIRST_DELAYS].min()) for flow, delays in self.delays.items()}
        for flow in self.run_["flows"]:
            self.assertSpread(lab.spread(flow, "delay"), self.delays[flow["flow"]], BIN, bases[flow["flow"]])
        self.assertSpread(lab.spread(self.run_["total"], "delay"), numpy.concatenate(list(self.delays.values())), 2 * BIN, bases[1])

    def test_delay_of_all_packets_with_lost_ones_that_never_arrive(self):
        for flow in self.run_["flows"]:
            delays, base = self.delays[flow["flow"]], int(self.delays[flow["flow"]][:FIRST_DELAYS].min())
            self.assertGreater(flow["lost"], 5)
            due = numpy.concatenate([delays, numpy.full(flow["lost"], numpy.inf)])
            for name, share in PERCENTILES.items():
                wanted, found = numpy.quantile(due, share, method="inverted_cdf"), flow[f"delay_of_due_{name}_ns"]
                if numpy.isinf(wanted):
                    self.assertIsNone(found, name)
                else:
                    self.assertAlmostEqual(found, wanted, delta=BIN * abs(int(wanted) - base) + 1, msg=name)

    def test_goodput_is_of_first_copies(self):
        for flow in self.run_["flows"]:
            mine = [it for it in logged("recv.glog", glog.RECEIVED) if it.flow == flow["flow"]]
            payload, once = (sum(it.size for it in packets) for packets in (mine, first_copies(mine)))
            self.assertLess(once, payload)
            self.assertAlmostEqual(flow["goodput_bps"], once / payload * flow["throughput_bps"], delta=1e-6 * flow["goodput_bps"])

    def test_delay_by_queries_of_the_packets(self):
        asked = """.load {0}
            SELECT flow, delay_ns FROM groma_packets('recv.glog', 'send.glog') GROUP BY flow, seq HAVING at_ns = min(at_ns)
            ORDER BY flow, at_ns;""".format(lab.BIN / "groma_packets")
        rows = list(csv.reader(lab.run("sqlite3", "-csv", input=asked, cwd=FOLDER).stdout.splitlines()))
        for flow, delays in self.delays.items():
            self.assertEqual([int(row[1]) for row in rows if int(row[0]) == flow], list(delays))

    def test_variation_of_delay(self):
        for flow in self.run_["flows"]:
            found, delays = flow, self.delays[flow["flow"]]
            self.assertSpread(lab.spread(flow, "pdv"), delays - delays.min(), BIN, int(delays[:FIRST_DELAYS].min() - delays.min()))
            self.assertAlmostEqual(found["jitter_ditg_ns"], numpy.abs(numpy.diff(delays)).mean(), delta=0.01)
            jitter = smoothed(numpy.abs(numpy.diff(delays)))
            self.assertAlmostEqual(found["jitter_rfc3550_ns"], jitter[-1], delta=0.01)
            self.assertAlmostEqual(found["jitter_rfc3550_mean_ns"], jitter.mean(), delta=0.01)
            self.assertAlmostEqual(found["jitter_rfc3550_max_ns"], jitter.max(), delta=0.01)
            by_number = {it.seq: it.received_at - it.sent_at for it in reversed(self.arrivals[flow["flow"]])}
            neighbours = [delay - by_number[seq - 1] for seq, delay in by_number.items() if seq - 1 in by_number]
            self.assertEqual(found["ipdv_missed"], 0)
            self.assertSpread(lab.spread(flow, "ipdv"), numpy.array(neighbours), BIN)

    def test_gaps(self):
        for flow in self.run_["flows"]:
            times = numpy.array([it.received_at for it in self.arrivals[flow["flow"]]])
            self.assertSpread(lab.spread(flow, "arrival_gap"), numpy.diff(times), BIN)
            sent = numpy.array(sorted((it.seq, it.sent_at) for it in logged("send.glog", glog.SENT) if it.flow == flow["flow"]))[:, 1]
            self.assertSpread(lab.spread(flow, "sent_gap"), numpy.diff(sent), BIN)


class Iperf3(unittest.TestCase):
    """Packets that iperf3 sent: they carry number and time; its server takes the time of arrival after read(2)."""

    @classmethod
    def setUpClass(cls):
        cls.said = json.loads((FOLDER / "server.json").read_text())["end"]
        cls.result = cls.said["streams"][0]["udp"]
        cls.read = []
        for line in (FOLDER / "stamps").read_text().splitlines():
            beginning, at = line.split()
            cls.read.append(cls.packet(bytes.fromhex(beginning), int(at) // 1000 * 1000))  # it counts in microseconds
        payloads = ((at, frame[ip_header(frame)[1] + 8:]) for at, frame in frames((FOLDER / "iperf.pcap").read_bytes()))
        cls.captured = [cls.packet(payload, at) for at, payload in payloads if len(payload) >= 60]

    @staticmethod
    def packet(payload: bytes, received_at: int) -> glog.Received:
        seconds, micros, number = struct.unpack_from(">III", payload)
        return glog.Received(1, number - 1, seconds * 10**9 + micros * 1000, received_at, impaired_runs.IPERF_SIZE, None, None)

    def decoded(self, name: str, packets) -> dict:
        """Groma's figures of a receiver's log of these packets."""
        about = glog.metadata((FOLDER / "recv.glog").read_bytes())
        about["flows"] = about["flows"][:1]
        (FOLDER / name).write_bytes(glog_writer.log(about, packets, packets[-1].received_at))
        return decoded(name)["flows"][0]

    def test_loss_reordering_and_jitter_by_its_own_stamps(self):
        """Sums in the same order, of numbers that a double has exactly."""
        flow = self.decoded("read.glog", self.read)
        self.assertEqual(flow["received_bytes"], self.said["sum_received"]["bytes"])
        self.assertEqual(flow["received_packets"] + flow["lost_at_least"], self.result["packets"])
        self.assertEqual((flow["lost_at_least"], flow["reordered"], flow["duplicates"]),
                         (self.result["lost_packets"], self.result["out_of_order"], 0))
        self.assertAlmostEqual(flow["jitter_rfc3550_ns"] / 1e6, self.result["jitter_ms"], delta=1e-9)
        self.assertGreater(min(self.result["lost_packets"], self.result["out_of_order"], self.result["jitter_ms"]), 1)

    def test_jitter_by_the_kernels_stamps_is_within_what_iperf3s_are_late(self):
        """Stamps that are late by e(i) change each abs(D(i)) by at most abs(e(i) - e(i-1)), and J by at most what the same filter makes of
        those."""
        captured = self.captured[:len(self.read)]  # those still on their way at the end were not read
        self.assertEqual([it[:3] for it in captured], [it[:3] for it in self.read], "the same packets in the same order")
        late = numpy.array([one.received_at - other.received_at for one, other in zip(self.read, captured)])
        bound = smoothed(numpy.abs(numpy.diff(late)))[-1]
        flow = self.decoded("captured.glog", captured)
        print(f"jitter by the kernel's stamps {flow['jitter_rfc3550_ns'] / 1e6:.4f} ms, by iperf3's "
              f"{self.result['jitter_ms']:.4f} ms, bound {bound / 1e6:.4f} ms")
        self.assertAlmostEqual(flow["jitter_rfc3550_ns"], self.result["jitter_ms"] * 1e6, delta=bound)
        self.assertEqual((flow["lost_at_least"], flow["reordered"]), (self.result["lost_packets"], self.result["out_of_order"]))


if __name__ == "__main__":
    lab.main()
