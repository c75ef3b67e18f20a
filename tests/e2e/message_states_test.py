#!/usr/bin/env python3
"""The state of SCTP's and DCCP's connections in logs, over a path that takes 20 ms each way, in user-mode Linux
(uml_matrix_test.py)."""
import lab
import uml
from capture import each_once


class StatesTest(lab.LabTest):
    keeps_hosts = True

    def setUp(self):
        super().setUp()
        for host in (self.a, self.b):
            host.run("tc", "qdisc", "add", "dev", host.device, "root", "netem", "delay", "20ms")
            self.addCleanup(host.run, "tc", "qdisc", "del", "dev", host.device, "root")
        self.b.receiver()

    def states(self, transport: str) -> dict:
        witness = self.b.witness("ip proto 132 or ip proto 33", bytes_kept=2000)
        self.a.groma("send", "--to", self.b.address, "--transport", transport, "--packets", 100, "--idt", "10ms", "--size", 400,
                     "--state-interval", "50ms", "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet")
        self.arrived = [packet for packet in witness.packets() if packet.payload]
        flow, = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
        self.assertEqual(flow["received_packets"], 100)
        return {one["side"]: one for one in flow["connections"]}


class MessageStates(StatesTest):
    def test_sctp_knows_its_windows_and_what_it_sent_again(self):
        sides = self.states("sctp")
        for side in sides.values():
            self.assertGreater(side["cwnd_min"], 0)
            self.assertGreater(side["samples"][-1]["segment"], 1000)
        originals = each_once(self.arrived)
        again = len(self.arrived) - len(originals)
        # A retransmission after the last packet may leave after the sender's last sample, if a SACK is late on a busy
        # host.
        while self.arrived[-1] is not originals[-1]:
            self.arrived.pop()
        self.assertIn(sides["sender"]["retransmitted"], range(len(self.arrived) - len(originals), again + 1))
        self.assertEqual(sides["receiver"]["retransmitted"], 0)

    def test_dccp_knows_the_largest_packet(self):
        for side in self.states("dccp").values():
            sizes = {one["segment"] for one in side["samples"]}
            self.assertTrue(sizes and all(1300 < size < 1500 for size in sizes), sizes)


load_tests = uml.load_tests_of_matrix([], [MessageStates])


if __name__ == "__main__":
    lab.main()
