#!/usr/bin/env python3
"""Nagle's algorithm over a slow path, as a capture on the receiving host shows it: in user-mode Linux, which has netem. How many small
packets share a segment without it depends on how long the guest stands still."""
import capture
import lab
import uml
from options_test import Options


class GuestNagle(Options):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def test_small_packets_share_segments_with_nagle_only(self):
        """Answers take 300 ms, in which sixty packets become due. Packets that wait for the congestion window share
        segments as well, so that window begins large enough for all."""
        for what in ("tso", "gso", "gro"):
            for host in (self.a, self.b):
                host.run("ethtool", "-K", "eth0", what, "off")
        self.a.run("ip", "route", "replace", self.b.address, "dev", "eth0", "initcwnd", 200)
        self.b.run("tc", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", "300ms")
        flows = [self.flow("tcp", 7000 + n, packets=100) | keys for n, keys in enumerate(({"nagle": "on"}, {"nagle": "off"}, {}))]
        witness = self.b.witness("tcp and not port 9000")
        report = self.send(flows, to=self.b.address, idt="const:200pps", size=100)
        segments = []
        for flow, packets in zip(flows, self.seen(witness, flows).values(), strict=True):
            self.assertArrived(report["flows"][flow["name"]], 100)
            self.assertEqual(capture.stream_bytes(packets), 100 * 100)
            segments.append(len([p for p in packets if p.payload > 0]))
        self.assertLess(segments[0], 50)
        for without, name in zip(segments[1:], ("tcp-7001", "tcp-7002"), strict=True):
            self.assertGreaterEqual(without, report["flows"][name]["packets_alone"])


load_tests = uml.load_tests_inside(__file__, GuestNagle)


if __name__ == "__main__":
    lab.main()
