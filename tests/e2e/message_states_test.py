#!/usr/bin/env python3
"""What logs hold of the state of SCTP's and DCCP's connections, in user-mode Linux."""
import lab
import uml
from capture import each_once

GUEST_STOOD_STILL_NS = 500_000_000  # SCTP sends again after a second


class StatesOfMessages(lab.LabTest):
    """In user-mode Linux: connections of SCTP and DCCP over a path that takes 20 ms each way."""

    def states(self, transport: str, *arguments) -> dict:
        for host in (self.a, self.b):
            host.run("tc", "qdisc", "replace", "dev", "eth0", "root", "netem", "delay", "20ms", *arguments)
        def once(attempt: int):
            logs = f"send-{attempt}.glog", f"recv-{attempt}.glog"
            witness = self.b.witness("ip proto 132 or ip proto 33", bytes_kept=2000, at_once=True)
            self.a.groma("send", "--to", self.b.address, "--transport", transport, "--packets", 200, "--idt", "10ms", "--size", 400,
                         "--state-interval", "100ms", "--log", logs[0], "--receiver-log", logs[1], "--quiet")
            arrived = [packet for packet in witness.packets() if packet.payload]
            gaps = [later.time_ns - earlier.time_ns for earlier, later in zip(arrived, arrived[1:])]
            return max(gaps), (arrived, self.decoded(*logs)["runs"][0]["flows"][0])
        self.arrived, flow = lab.calmest(once, GUEST_STOOD_STILL_NS)
        self.assertEqual(flow["received"]["packets"], 200)
        return {one["side"]: one for one in flow["connections"]}

    def setUp(self):
        super().setUp()
        self.b.receiver()

    def test_sctp_knows_the_way_and_its_windows(self):
        sides = self.states("sctp")
        for side in sides.values():
            self.assertGreater(len(side["samples"]), 10)
            self.assertGreater(side["cwnd"]["min"], 0)
            self.assertGreater(side["samples"][-1]["segment"], 1000)
        again = len(self.arrived) - len(each_once(self.arrived))
        self.assertEqual((sides["sender"]["retransmitted"], sides["receiver"]["retransmitted"]), (again, 0))
        self.assertGreaterEqual(sides["sender"]["rtt_ns"]["p50"], 40_000_000, "twice 20 ms")

    def test_dccp_knows_the_largest_packet(self):
        for side in self.states("dccp").values():
            sizes = {one["segment"] for one in side["samples"]}
            self.assertTrue(all(1300 < size < 1500 for size in sizes), sizes)


load_tests = uml.load_tests_inside(__file__, StatesOfMessages)


if __name__ == "__main__":
    lab.main()
