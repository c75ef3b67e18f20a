#!/usr/bin/env python3
"""Clocks of hosts on one kernel: probes while packets are sent, and the kernel's times of departure.
guest_clocks_test.py has a receiver with another clock."""
import json
import signal

import lab


class OneKernel(lab.LabTest):
    def test_probes_go_on_while_packets_are_sent_and_the_offset_is_nothing(self):
        receiver = self.b.receiver("--log-dir", self.folder)
        talk = self.b.start("tcpdump", "--immediate-mode", "-l", "-A", "-n", "-i", self.b.device, "tcp dst port 9000", name="tcpdump")
        talk.wait_for("listening on")
        sender = self.a.start_groma("send", "--to", self.b.address, "--idt", "const:100pps", "--duration", "1h", "--log", "send.glog",
                                    "--receiver-log", "recv.glog", "--json=report.json")
        before = 20
        receiver.await_datagrams(20)
        talk.wait_for("probe_request", times=talk.said.count("probe_request") + 2)
        sender.stop(signal.SIGINT)
        receiver, = json.loads((self.folder / "report.json").read_text())["receivers"]
        self.assertTrue(receiver["same_clock"], sender.said)
        self.assertGreater(receiver["clock_probes"], 2 * before, "as many after, and some between")
        self.assertIn("one clock, offset 0", self.a.groma("dec", "--verbose", "send.glog", "recv.glog").stdout)
        self.assertEqual((self.folder / "send.glog").read_bytes().count(b'"returned_ns"'), receiver["clock_probes"])
        run, = self.decoded("send.glog", "recv.glog")["runs"]
        self.assertEqual((run["clock"], run["clock_offset_ns"], run["clock_bound_ns"]), ("one clock", 0, 0))
        self.assertEqual(run["clock_steps"], [])

    def test_every_packet_has_the_time_at_which_it_left(self):
        self.b.receiver("--log-dir", self.folder)
        for transport in ("udp", "icmp"):
            self.a.groma("send", "--to", self.b.address, "--transport", transport, "--idt", "const:1000pps", "--packets", "1000",
                         "--sent-stamps", "kernel", "--log", "send.glog", "--json=report.json")
            report = json.loads((self.folder / "report.json").read_text())
            self.assertEqual(report["total"]["sent_packets"], 1000, transport)
            self.assertEqual(report["total"]["unstamped"], 0, transport)
            (self.folder / "send.glog").unlink()

    def test_without_hardware_the_kernels_stamps_are_taken_and_it_is_said(self):
        self.b.receiver("--log-dir", self.folder)
        result = self.a.groma("send", "--to", self.b.address, "--idt", "const:500pps", "--packets", "100", "--sent-stamps",
                              "hardware", "--arrival-stamps", "hardware", "--log", "send.glog", "--receiver-log", "recv.glog",
                              "--verbose")
        self.assertIn("no hardware stamps of packets that leave at eth0", result.stdout)
        self.assertIn("receiver: no hardware stamps of packets that arrive at eth0", result.stdout)
        logs = self.decoded("send.glog", "recv.glog")["runs"][0]["logs"]
        self.assertEqual([log["timestamps"] for log in logs], ["user, departures also kernel software", "kernel software"])


if __name__ == "__main__":
    lab.main()
