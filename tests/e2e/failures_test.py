#!/usr/bin/env python3
"""Programs that are stopped or killed, or lose their peer, in the middle of a run: they report it clearly and lose
no measurement."""
import json
import signal
import sqlite3

import lab
from two_hosts_test import results


class Failures(lab.LabTest):
    hosts = 3

    FLOW = ("--idt", "const:1000pps", "--size", "const:100", "--duration", "1h")

    def sending(self, *arguments):
        """A sender in the middle of its run: its packets are seen on the receiving host."""
        witness = self.b.start("tcpdump", "--immediate-mode", "-i", self.b.device, "-n", "-c", "200", "-Q", "in", "udp", name="tcpdump")
        witness.wait_for("listening on")
        sender = self.a.start_groma("send", "--to", self.b.address, *self.FLOW, "--log", "send.glog", *arguments)
        self.assertEqual(witness.wait(), 0, sender.said)
        return sender

    def decode(self, *logs):
        """Figures of logs, some of which were cut short."""
        lab.run(lab.BIN / "groma-dec", *logs, "--sqlite", "cut.sqlite", "--force", cwd=self.folder, check=False)
        connection = sqlite3.connect(self.folder / "cut.sqlite")
        connection.row_factory = sqlite3.Row
        return connection.execute("SELECT * FROM flows").fetchone()

    def test_sigint_ends_a_run_with_a_complete_report_and_whole_logs(self):
        self.b.receiver()
        sender = self.sending("--receiver-log", "recv.glog", "--json", "--quiet")
        sender.stop(signal.SIGINT)
        report = json.loads(sender.output.read_text())
        flow = report["flows"][0]
        self.assertGreaterEqual(flow["sent_packets"], 200)
        self.assertEqual(flow["sent_packets"], flow["received_packets"])
        decoded = results(self.folder, "send.glog", "recv.glog").execute("SELECT * FROM flows").fetchone()
        self.assertEqual(decoded["sent_packets"], flow["sent_packets"])
        self.assertEqual(decoded["lost"], 0)

    def test_a_receiver_notices_a_killed_sender_closes_its_log_and_serves_the_next(self):
        receiver = self.b.receiver()
        sender = self.sending("--receiver-log", "recv.glog")
        sender.kill()
        lab.wait_until("the receiver's log", lambda: (self.folder / "recv.glog").exists())
        found = self.decode("recv.glog")
        self.assertGreaterEqual(found["received_packets"], 200)
        self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--packets", "50")
        self.assertIsNone(receiver.process.poll())

    def test_a_sender_that_stood_still_too_long_says_for_how_long(self):
        receiver = self.b.receiver("--timeout", "1min")
        sender = self.sending("--receiver-log", "recv.glog")
        sender.send_signal(signal.SIGSTOP)
        lab.wait_until("the receiver's log", lambda: (self.folder / "recv.glog").exists())
        sender.send_signal(signal.SIGCONT)
        self.assertEqual(sender.wait(), 1)
        self.assertRegex(sender.said, rf"the receiver at {self.b.address}:9000 closed the connection, after this sender stood still for \d+ s")
        self.assertIsNone(receiver.process.poll())

    def test_a_killed_senders_log_is_read_to_its_torn_end(self):
        self.b.receiver()
        sender = self.sending()
        lab.wait_until("records on the disk", lambda: any(p.stat().st_size > 2000 for p in self.folder.glob("send.glog*")))
        sender.kill()
        self.assertFalse((self.folder / "send.glog").exists(), "a half-written log must not look whole")
        self.assertGreater(self.decode("send.glog.part")["sent_packets"], 100)

    def test_a_receiver_that_dies_ends_its_flow_with_a_clear_error_and_the_senders_log_is_whole(self):
        receiver = self.b.receiver()
        sender = self.sending()
        receiver.kill()
        self.assertEqual(sender.wait(), 1)
        self.assertIn(self.b.address, sender.said)
        found = results(self.folder, "send.glog").execute("SELECT * FROM flows").fetchone()
        self.assertGreaterEqual(found["sent_packets"], 200)

    def test_a_receiver_that_dies_does_not_end_the_flows_to_another(self):
        receiver = self.b.receiver()
        self.more[0].receiver()
        (self.folder / "two.toml").write_text(f"""
            [defaults]
            idt = "const:500pps"
            size = "const:100"
            [[flow]]
            name = "to-b"
            to = "{self.b.address}"
            duration = "1h"
            [[flow]]
            name = "to-c"
            to = "{self.more[0].address}"
            packets = 2000
        """)
        sender = self.a.start_groma("send", "two.toml", "--json", "--quiet")
        receiver.await_datagrams(100)
        receiver.kill()
        self.assertEqual(sender.wait(), 1)
        flows = {f["name"]: f for f in json.loads(sender.output.read_text())["flows"]}
        self.assertEqual(flows["to-c"]["received_packets"], 2000)
        self.assertNotEqual(flows["to-b"]["end"], "complete")
        self.assertEqual(flows["to-c"]["end"], "complete")

    def test_a_receiver_that_is_told_to_stop_closes_its_logs_and_ends_well(self):
        receiver = self.b.receiver()
        sender = self.sending("--receiver-log", "recv.glog")
        self.assertEqual(receiver.stop(signal.SIGTERM), 0)
        self.assertEqual(sender.wait(), 1)
        self.assertGreaterEqual(self.decode("recv.glog")["received_packets"], 200)

    def test_a_network_that_drops_for_a_while_is_loss_and_no_end(self):
        self.b.receiver()
        self.b.run("nft", "add table inet t; add chain inet t in { type filter hook input priority 0; }; "
                          "add rule inet t in udp dport 7000 numgen inc mod 2000 500-899 drop")
        # The filter counts messages: each must be one packet.
        self.a.groma("send", "--to", self.b.address, "--idt", "const:2000pps", "--size", "const:100", "--packets", 2000, "--port", 7000,
                     "--segmentation", "off", "--log", "send.glog", "--receiver-log", "recv.glog")
        flow = results(self.folder, "send.glog", "recv.glog").execute("SELECT * FROM flows").fetchone()
        self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"]), (2000, 1600, 400))


if __name__ == "__main__":
    lab.main()
