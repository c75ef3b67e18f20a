#!/usr/bin/env python3
"""groma-dec and its commands on extreme and invalid logs: empty, everything lost, numbers that wrap, clocks a year
apart, cut anywhere, a wrong bit anywhere. glog_writer.py writes them, so that their correct figures are known."""
import json
import os
import pathlib
import random
import subprocess
import unittest

import ending
import glog
import glog_writer
import lab

START = 1_700_000_000_000_000_000
YEAR = 365 * 86_400 * 10**9
SEED = int(os.environ.get("GROMA_SEED", 1))  # another seed is another sample of the same cases


def metadata(role: str, boot: str = "one", started_at: int = START) -> dict:
    spec = {"header": "full", "id": 1, "idt": {"family": "const", "value": 1e6}, "name": "edge", "profile": "", "seed": 1,
            "size": {"family": "const", "value": 100.0}, "start_delay_ns": 0, "stop": {"packets": 10},
            "target": {"control_port": 9000, "data_port": 5600, "host": "10.0.0.2"}, "transport": "udp"}
    ends = ("10.0.0.1:5000", "10.0.0.2:5600")
    local, remote = ends if role == "sender" else ends[::-1]
    return {"boot_id": boot, "experiment": "edges", "host": role, "program": f"a test's {role}", "role": role, "run_id": 32 * "5", "seed": 1,
            "started_at_ns": started_at, "timestamps": "user",
            "flows": [{"local_address": local, "remote_address": remote, "spec": spec}]}


def sent(seq: int, at: int) -> glog.Sent:
    return glog.Sent(1, seq, START + at, 0, 100, 1)


def received(seq: int, at: int, delay: int, clock: int = 0) -> glog.Received:
    return glog.Received(1, seq, START + at, START + at + delay + clock, 100, None, None)


class Edges(unittest.TestCase):
    def setUp(self):
        temporary = ending.TemporaryFolder(prefix="groma-edges-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, departures, arrivals, *, boot="one", clock=0, probes=(), in_block=glog_writer.MOST_IN_BLOCK):
        end = START + 10**10
        logs = {"send.glog": glog_writer.log(metadata("sender"), departures, end, probes=probes, in_block=in_block),
                "recv.glog": glog_writer.log(metadata("receiver", boot, START + clock), arrivals, end + clock, in_block=in_block)}
        for name, log in logs.items():
            (self.folder / name).write_bytes(log)
        return logs

    def groma_dec(self, *arguments) -> subprocess.CompletedProcess:
        """It ends with one of its exit statuses and a message, whatever its input."""
        result = lab.run(lab.BIN / "groma-dec", *arguments, cwd=self.folder, check=False)
        self.assertIn(result.returncode, (0, 1, 2), f"{arguments}: {result.stderr}")
        for bad in ("terminate called", "bug", "Sanitizer"):
            self.assertNotIn(bad, result.stderr)
        if result.returncode != 0:
            self.assertTrue(result.stderr.strip(), f"{arguments}: nothing was said")
        return result

    def every_command(self, *logs, worst=2):
        """Runs every command that reads logs on the logs; none has a worse exit status."""
        for file in self.folder.glob("out*"):
            file.unlink()
        for command in ([*logs, "--csv=out.csv", "--jsonl=out.jsonl", "--octave=out.m", "--sqlite=out.sqlite", "--hdr=out.hlog", "--quiet"],
                        ["pcapng", *logs, "-o", "out.pcapng", "--quiet"],
                        ["fit", *logs, "--json=out.json", "--sqlite=out-fit.sqlite", "--quiet", "--fewest", 3],
                        ["report", *logs, "-o", "out.html", *(["--no-pictures"] if worst > 0 else [])]):
            result = self.groma_dec(*command)
            few = "there is nothing to fit" in result.stderr
            self.assertLessEqual(result.returncode, max(worst, int(few)), f"{command}: {result.stderr}")

    def decoded(self, *logs) -> tuple[int, dict]:
        result = self.groma_dec(*logs, "--json")
        return result.returncode, json.loads(result.stdout) if result.stdout else {}

    def flow(self):
        """The flow's figures from both logs."""
        self.every_command("send.glog", "recv.glog", worst=0)
        found, said = self.decoded("send.glog", "recv.glog")
        self.assertEqual(found, 0, said.get("warnings"))
        return said["runs"][0]["flows"][0]

    def test_nothing_was_sent(self):
        self.write([], [])
        flow = self.flow()
        self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"]), (0, 0, 0))
        self.assertEqual((flow["delay_mean_ns"], flow["throughput_bps"], flow["lost_ratio"]), (None, None, None))

    def test_one_packet(self):
        self.write([sent(0, 5)], [received(0, 5, 777)])
        flow = self.flow()
        spread = lab.spread(flow, "delay")
        self.assertEqual([spread[name] for name in ("count", "min", "p50", "p999", "max")], [1, 777, 777, 777, 777])
        self.assertEqual((flow["throughput_bps"], flow["arrival_gap_mean_ns"], flow["lost"]), (None, None, 0))

    def test_all_lost(self):
        self.write([sent(seq, 10**6 * seq) for seq in range(50)], [])
        flow = self.flow()
        self.assertEqual((flow["lost"], flow["lost_ratio"], flow["received_packets"]), (50, 1, 0))
        self.assertEqual((flow["loss_period_count"], flow["loss_period_max"]), (1, 50))
        self.assertEqual(flow["gilbert_r"], 0)

    def test_all_doubled(self):
        arrivals = [it for seq in range(50) for it in (received(seq, 10**6 * seq, 1000), received(seq, 10**6 * seq, 3000))]
        self.write([sent(seq, 10**6 * seq) for seq in range(50)], arrivals)
        found = self.flow()
        self.assertEqual((found["received_packets"], found["duplicates"], found["packets_with_copies"], found["reordered"]), (100, 50, 50, 0))
        self.assertEqual((found["delay_min_ns"], found["delay_max_ns"], found["delay_count"]), (1000, 1000, 50))

    def test_numbers_beyond_32_bits_a_nanosecond_apart(self):
        first = 2**32 - 60
        departures = [sent(seq, seq - first) for seq in range(first, first + 120)]
        self.write(departures, [received(it.seq, it.sent_at - START, 10 + it.seq % 3) for it in departures if it.seq % 10 != 5])
        flow = self.flow()
        self.assertEqual((flow["lost"], flow["reordered"], flow["duplicates"]), (12, 0, 0))
        self.assertEqual((flow["sent_gap_min_ns"], flow["sent_gap_max_ns"]), (1, 1))
        self.assertEqual((flow["delay_min_ns"], flow["delay_max_ns"]), (10, 12))

    def test_clocks_a_year_apart(self):
        """Probes that take 1 ms either way: the offset is known to a millisecond, and so are delays."""
        for clock in (YEAR, -YEAR):
            probes = [{"sent_ns": at, "received_ns": at + 10**6 + clock, "answered_ns": at + 10**6 + clock, "returned_ns": at + 2 * 10**6,
                       "peer_host": "receiver", "peer_boot_id": "another"} for at in range(START, START + 10**9, 10**8)]
            self.write([sent(seq, 10**6 * seq) for seq in range(900)], [received(seq, 10**6 * seq, 5_000_000 + seq, clock) for seq in range(900)],
                       boot="another", clock=clock, probes=probes)
            flow = self.flow()
            spread = lab.spread(flow, "delay")
            self.assertAlmostEqual(spread["min"], 5_000_000, delta=10**6)
            self.assertAlmostEqual(spread["max"] - spread["min"], 899, delta=10)
            self.assertEqual(sum(row["received_packets"] for row in flow["series"]), 900)
            self.assertLessEqual(len(flow["series"]), 2)

    def test_a_clock_that_is_ahead_runs_fast_and_is_set_in_between(self):
        """As guest_clocks_test.py with a kernel, but with clocks that are known to the nanosecond."""
        ahead, ppm, set_at, way = 3 * 3600 * 10**9, 200, 5 * 10**9, 10**6

        def clock(at):
            """The receiver's clock, this number of nanoseconds after the start."""
            return START + at + ahead + at * ppm // 10**6 + (step if at >= set_at else 0)
        for step in (0, 50 * 10**6):
            probes = [{"sent_ns": START + at, "received_ns": clock(at + way), "answered_ns": clock(at + way), "returned_ns": START + at + 2 * way,
                       "peer_host": "receiver", "peer_boot_id": "another"} for at in range(0, 10**10, 10**8)]
            departures = [sent(seq, 10**7 * seq) for seq in range(1000)]
            arrivals = [glog.Received(1, seq, START + 10**7 * seq, clock(10**7 * seq + way), 100, None, None) for seq in range(1000)]
            self.write(departures, arrivals, boot="another", clock=ahead, probes=probes)
            found, said = self.decoded("send.glog", "recv.glog")
            self.assertEqual(found, 0, said.get("warnings"))
            run, = said["runs"]
            self.assertEqual(run["clock"], "probed")
            self.assertLessEqual(abs(run["clock_offset_ns"] - ahead), run["clock_bound_ns"])
            self.assertLessEqual(abs(run["clock_skew_ppm"] - ppm), run["clock_skew_error_ppm"] + 1)
            self.assertEqual(len(run["clock_steps"]), int(step > 0))
            for one in run["clock_steps"]:
                self.assertLessEqual(abs(one["size_ns"] - step), one["error_ns"])
                self.assertLessEqual(abs(one["at_ns"] - START - set_at), one["within_ns"])
            spread = lab.spread(run["flows"][0], "delay")
            self.assertLessEqual(abs(spread["p50"] - way), run["clock_bound_ns"])

    def test_no_log_and_a_log_without_blocks(self):
        logs = self.write([sent(0, 0)], [received(0, 0, 5)])
        for name, data, status in (("none", b"", 2), ("short", logs["send.glog"][:9], 2), ("header", logs["send.glog"][:16], 1)):
            (self.folder / "send.glog").write_bytes(data)
            self.every_command("send.glog", "recv.glog")
            found, said = self.decoded("send.glog", "recv.glog")
            self.assertEqual(found, status, name)
            if status == 1:
                self.assertFalse(said["complete"])
                self.assertIsNone(said["runs"][0]["flows"][0]["sent_packets"])
                self.assertIsNone(said["runs"][0]["flows"][0]["lost"])

    def lossy(self):
        """Both logs of a run with losses, in many blocks."""
        departures = [sent(seq, 10**6 * seq) for seq in range(400)]
        arrivals = [received(seq, 10**6 * seq, 10**5 + seq * 7919 % 1000) for seq in range(400) if seq % 20 != 3]
        return self.write(departures, arrivals, in_block=32)

    def test_a_log_cut_at_every_block_and_within_it(self):
        logs = self.lossy()
        figures = {"send.glog": "sent", "recv.glog": "received"}
        for name, log in logs.items():
            kind = glog.SENT if name == "send.glog" else glog.RECEIVED
            for block in list(glog.blocks(log))[1:]:
                for cut in (block.offset, block.offset + 60):
                    with self.subTest(log=name, cut=cut):
                        left = glog.records(log[:block.offset], kind)
                        (self.folder / name).write_bytes(log[:cut])
                        status, said = self.decoded("send.glog", "recv.glog")
                        flow = said["runs"][0]["flows"][0]
                        self.assertEqual((status, said["complete"]), (1, False))
                        self.assertEqual(flow[f"{figures[name]}_packets"], len(left))
                        self.assertEqual(flow[f"{figures['recv.glog' if name == 'send.glog' else 'send.glog']}_log_complete"], True)
                        self.assertIsNone(flow["lost"])
                        self.assertTrue(flow["lost_unknown_because"])
                        self.assertLessEqual(flow["lost_at_least"] or 0, 20)
                self.every_command("send.glog", "recv.glog", worst=1)
            (self.folder / name).write_bytes(log)

    def test_a_bit_wrong_anywhere(self):
        """All figures are those of the undamaged logs, or damage is reported."""
        print(f"seed {SEED}")
        draw = random.Random(SEED)
        logs = self.lossy()
        _, whole = self.decoded("send.glog", "recv.glog")
        for count in range(60):
            name = draw.choice(sorted(logs))
            at, bit = draw.randrange(len(logs[name])), draw.randrange(8)
            with self.subTest(log=name, byte=at, bit=bit):
                (self.folder / name).write_bytes(logs[name][:at] + bytes([logs[name][at] ^ 1 << bit]) + logs[name][at + 1:])
                status, said = self.decoded("send.glog", "recv.glog")
                if status == 0:
                    self.assertEqual(said, whole)
                elif status == 1:
                    self.assertFalse(said["complete"])
                if count % 6 == 0:
                    self.every_command("send.glog", "recv.glog")
            (self.folder / name).write_bytes(logs[name])


if __name__ == "__main__":
    lab.main(root=False)
