#!/usr/bin/env python3
"""groma-dec --follow: logs are read while they are being written, and the final figures are those of the closed
logs."""
import collections
import json
import os
import re
import signal

import glog
import lab

ROW = re.compile(r"^ *(\S+ \w+) +(\d+) .* (\S+\.glog)$", re.MULTILINE)


class Follow(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def send(self, *arguments):
        sender = self.a.start_groma("send", "--to", self.b.address, "--log", "send.glog", "--receiver-log", "recv.glog",
                                    *arguments)
        parts = [self.folder / f"{name}.glog.part" for name in ("send", "recv")]
        lab.wait_until("the logs to be begun", lambda: all(part.exists() for part in parts) or sender.process.poll() is not None)
        return sender

    def test_the_figures_in_the_end_are_those_of_the_closed_logs(self):
        sender = self.send("--idt", "const:400pps", "--size", 200, "--packets", 1600)
        follower = self.a.start_groma("dec", "--follow", "--verbose", "--interval", "500ms", "send.glog", "recv.glog")
        self.assertEqual(follower.wait(), 0, follower.said)
        self.assertEqual(sender.wait(), 0, sender.said)
        live, _, report = follower.output.read_text().partition("\nrun ")
        closed = self.a.groma("dec", "--verbose", "--interval", "500ms", "send.glog", "recv.glog").stdout
        self.assertEqual("run " + report, closed)
        rows = ROW.findall(live)
        for log in ("send.glog", "recv.glog"):
            mine = [(time, int(packets)) for time, packets, name in rows if name == log]
            self.assertEqual(sum(packets for _, packets in mine), 1600, live)
            self.assertEqual(mine, self.half_seconds(log), live)

    def half_seconds(self, log):
        """The number of packets in each half second, by the log's own records and from its own start; without empty
        ones. A first packet that is early by the wall clock, which is read apart from the clock of the schedule, is in
        the first one."""
        data = (self.folder / log).read_bytes()
        kind, at = (glog.SENT, "sent_at") if log == "send.glog" else (glog.RECEIVED, "received_at")
        start = glog.metadata(data)["started_at_ns"]
        counts = collections.Counter(max(0, getattr(record, at) - start) // 500_000_000 for record in glog.records(data, kind))
        return [(("0 ns", "500 ms")[half] if half < 2 else f"{half / 2:g} s", counts[half]) for half in sorted(counts)]

    def test_no_figure_depends_on_the_number_of_threads(self):
        flows = "".join(f'[[flow]]\nname = "f{n}"\nidt = "exp:{100 * n}pps"\npackets = {300 * n}\n' for n in range(1, 9))
        (self.folder / "flows.toml").write_text(f'[defaults]\nto = "{self.b.address}"\nsize = "unif:60:1200"\n{flows}')
        self.a.groma("send", "flows.toml", "--log", "send.glog", "--receiver-log", "recv.glog")
        one, several = (self.a.groma("dec", "send.glog", "recv.glog", "--json", "--threads", threads).stdout for threads in (1, 3))
        self.assertEqual(one, several)
        self.assertEqual(len(json.loads(one)["runs"][0]["flows"]), 8)

    def test_programs_have_rows_as_json_lines_whose_counts_are_those_of_the_report(self):
        sender = self.send("--idt", "const:400pps", "--size", 200, "--packets", 1200)
        lines = [json.loads(line) for line in self.a.groma("dec", "--follow", "--jsonl", "--interval", "500ms", "send.glog", "recv.glog").stdout.splitlines()]
        self.assertEqual(sender.wait(), 0, sender.said)
        live = [line for line in lines if line["type"] == "live"]
        flow, = (line for line in lines if line["type"] == "flow")
        self.assertEqual([line["type"] for line in lines[:len(live)]], ["live"] * len(live))
        for role, count, log in (("sender", "sent_packets", "send.glog"), ("receiver", "received_packets", "recv.glog")):
            rows = [row for row in live if row["role"] == role]
            self.assertEqual(sum(row[count] for row in rows), flow[count])
            self.assertEqual({row["log"] for row in rows}, {log})
        received = [row for row in live if row["role"] == "receiver" and row["received_packets"]]
        self.assertEqual(min(row["delay_min_ns"] for row in received), flow["delay_min_ns"])
        self.assertEqual(max(row["delay_max_ns"] for row in received), flow["delay_max_ns"])
        self.assertTrue(all(row["delay_min_ns"] <= row["delay_p50_ns"] <= row["delay_p90_ns"] <= row["delay_p99_ns"] <= row["delay_max_ns"] for row in received))

    def test_an_interrupt_ends_it_with_the_figures_so_far(self):
        sender = self.send("--idt", "const:500pps", "--duration", "1h")
        follower = self.a.start_groma("dec", "--follow", "send.glog", "recv.glog", "--json=so-far.json")
        lab.wait_until("rows of both logs", lambda: {name for _, _, name in ROW.findall(follower.said)} == {"send.glog", "recv.glog"})
        follower.send_signal(signal.SIGINT)
        self.assertEqual(follower.wait(), 1, follower.said)
        self.assertIn("interrupted", follower.said)
        self.assertIn("log cut short", follower.said)
        flow = json.loads((self.folder / "so-far.json").read_text())["runs"][0]["flows"][0]
        self.assertGreater(flow["sent_packets"], 500)
        sender.stop()

    def test_a_log_that_stops_growing_is_given_up(self):
        self.assertEqual(self.send("--packets", 3000, "--idt", "const:3kpps").wait(), 0)
        whole = (self.folder / "send.glog").read_bytes()
        (self.folder / "torn.glog").write_bytes(whole[:len(whole) * 2 // 3])
        given_up = self.a.groma("dec", "--follow=200ms", "torn.glog", check=False)
        self.assertSaid(given_up, 1, "torn.glog", "did not grow for 200 ms", "log cut short")
        self.assertIn("torn.glog", given_up.stdout)

    def test_a_closed_log_is_read_to_its_end_whatever_is_damaged(self):
        self.assertEqual(self.send("--packets", 3000, "--idt", "const:3kpps").wait(), 0)
        whole = bytearray((self.folder / "send.glog").read_bytes())
        whole[len(whole) - 40] ^= 1  # in the totals
        (self.folder / "damaged.glog").write_bytes(whole)
        self.assertSaid(self.a.groma("dec", "--follow", "damaged.glog", check=False), 1, "damaged.glog", "unreadable")
        whole[len(whole) - 40] ^= 1
        whole[len(whole) // 2] ^= 1
        (self.folder / "damaged.glog.part").write_bytes(whole)
        self.assertSaid(self.a.groma("dec", "--follow=60s", "damaged.glog.part", check=False), 1, "unreadable")

    def test_no_result_takes_the_place_of_a_log(self):
        sender = self.send("--idt", "const:500pps", "--duration", "1h")
        for target in ("send.glog", "send.glog.part", "./recv.glog"):
            refused = self.a.groma("dec", "--follow", "send.glog", "recv.glog", f"--json={target}", check=False)
            self.assertSaid(refused, 2, "it is one of the logs")
        self.assertTrue((self.folder / "send.glog.part").exists() and (self.folder / "recv.glog.part").exists())
        sender.stop()

    def test_a_log_by_both_names_is_read_once(self):
        sender = self.send("--idt", "const:500pps", "--packets", 500)
        follower = self.a.start_groma("dec", "--follow", "send.glog.part", "send.glog", "recv.glog", "--json=both.json")
        self.assertEqual(follower.wait(), 0, follower.said)
        self.assertEqual(sender.wait(), 0, sender.said)
        runs = json.loads((self.folder / "both.json").read_text())["runs"]
        self.assertEqual([flow["sent_packets"] for run in runs for flow in run["flows"]], [500])
        self.a.groma("dec", "send.glog.part", "recv.glog")

    def test_it_ends_when_nobody_reads_on(self):
        sender = self.send("--idt", "const:500pps", "--duration", "1h")
        piped = self.a.command("sh", "-c", f"{lab.BIN / 'groma-dec'} --follow send.glog | head -1")
        self.assertIn("packets", lab.run(*piped, cwd=self.folder).stdout)
        sender.stop()

    def test_what_cannot_be_followed_is_said(self):
        (self.folder / "pipe.glog").unlink(missing_ok=True)
        os.mkfifo(self.folder / "pipe.glog")
        self.assertSaid(self.a.groma("dec", "--follow", "pipe.glog", check=False), 2, "not a regular file")
        self.assertSaid(self.a.groma("dec", "--follow", "-", check=False), 2, "standard input cannot be followed")
        self.assertSaid(self.a.groma("dec", "--follow", "nowhere.glog", check=False), 1, "nowhere.glog")
        self.assertSaid(self.a.groma("dec", "--follow=soon", "send.glog", check=False), 2, "--follow")


if __name__ == "__main__":
    lab.main()
