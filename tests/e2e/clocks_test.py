#!/usr/bin/env python3
"""Clocks of hosts on one kernel: probes while packets are sent, and the kernel's times of departure. A receiver whose clock is another
is guest_clocks_test.py's."""
import json

import lab


class OneKernel(lab.LabTest):
    def test_probes_go_on_while_packets_are_sent_and_the_offset_is_nothing(self):
        self.b.receiver("--log-dir", self.folder)
        result = self.a.groma("send", "--to", self.b.address, "--idt", "const:100pps", "--duration", "5s", "--log", "send.glog",
                              "--receiver-log", "recv.glog", "--json=report.json")
        receiver, = json.loads((self.folder / "report.json").read_text())["receivers"]
        self.assertTrue(receiver["same_clock"], result.stdout)
        # Twenty before and after; four a second between, or fewer where the machine is busy.
        self.assertGreater(receiver["clock"]["probes"], 45)
        self.assertIn("one clock, offset 0", self.a.groma("dec", "send.glog", "recv.glog").stdout)
        self.assertEqual((self.folder / "send.glog").read_bytes().count(b'"returned_ns"'), receiver["clock"]["probes"])
        run, = self.decoded("send.glog", "recv.glog")["runs"]
        self.assertEqual((run["clock"]["state"], run["clock"]["offset_ns"], run["clock"]["bound_ns"]), ("one clock", 0, 0))
        self.assertEqual(run["clock"]["steps"], [])

    def test_every_packet_has_the_time_at_which_it_left(self):
        self.b.receiver("--log-dir", self.folder)
        for transport in ("udp", "icmp"):
            self.a.groma("send", "--to", self.b.address, "--transport", transport, "--idt", "const:500pps", "--packets", "1000",
                         "--sent-stamps", "kernel", "--log", "send.glog", "--json=report.json")
            report = json.loads((self.folder / "report.json").read_text())
            self.assertEqual(report["total"]["sent"]["packets"], 1000, transport)
            self.assertEqual(report["total"]["unstamped"], 0, transport)
            (self.folder / "send.glog").unlink()

    def test_without_hardware_the_kernels_stamps_are_taken_and_it_is_said(self):
        self.b.receiver("--log-dir", self.folder)
        result = self.a.groma("send", "--to", self.b.address, "--idt", "const:500pps", "--packets", "100", "--sent-stamps",
                              "hardware", "--arrival-stamps", "hardware", "--log", "send.glog", "--receiver-log", "recv.glog")
        self.assertIn("no hardware stamps of packets that leave at eth0", result.stdout)
        self.assertIn("receiver: no hardware stamps of packets that arrive at eth0", result.stdout)
        logs = self.decoded("send.glog", "recv.glog")["runs"][0]["logs"]
        self.assertEqual([log["timestamps"] for log in logs], ["user, departures also kernel software", "kernel software"])


if __name__ == "__main__":
    lab.main()
