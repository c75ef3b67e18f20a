#!/usr/bin/env python3
"""A network with deterministic faults (netem): groma-dec's losses, duplicates and order are those of a capture after
it. In user-mode Linux (uml_matrix_test.py); known_network_test.py has netem's random faults."""
import lab
import uml
from capture import flow_and_number
from flows import FlowsTest

PACKETS = 100


class Netem(FlowsTest):
    """netem is on the switch, towards host b. Only packets of UDP to port 7001 pass it."""

    def netem(self, *what):
        def tc(*command):
            lab.run("ip", "netns", "exec", self.lab.switch, "tc", *command)
        tc("qdisc", "add", "dev", "port2", "root", "handle", "1:", "prio", "bands", "2", "priomap", *["0"] * 16)
        tc("filter", "add", "dev", "port2", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "protocol", "17", "0xff", "match",
           "ip", "dport", "7001", "0xffff", "flowid", "1:2")
        tc("qdisc", "add", "dev", "port2", "parent", "1:2", "netem", "limit", "100000", *what)

    def check(self, *what) -> dict:
        """Sends one flow through it and one past it; returns groma-dec's figures of the first, which equal the
        capture's."""
        self.netem(*what)
        self.b.receiver()
        witness = self.b.witness("udp")
        self.send([{"name": "hit", "port": 7001}, {"name": "calm", "port": 7000}], "--wait", "1s", "--log", "send.glog", "--receiver-log",
                  "recv.glog", to=self.b.address, idt="const:5ms", size=100, packets=PACKETS)
        flows = {flow["name"]: flow for flow in self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]}
        seen = {7000: [], 7001: []}
        for packet in witness.packets():
            seen[packet.port].append(flow_and_number(packet)[1])
        for name, port in (("calm", 7000), ("hit", 7001)):
            once = list(dict.fromkeys(seen[port]))
            late = sum(number < max(once[:at]) for at, number in enumerate(once) if at)
            flow = flows[name]
            self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"], flow["duplicates"],
                              flow["reordered"]),
                             (PACKETS, len(seen[port]), PACKETS - len(once), len(seen[port]) - len(once), late), name)
        self.assertEqual(seen[7000], list(range(PACKETS)), "the flow beside it")
        return flows["hit"]

    def test_all_is_lost(self):
        self.assertEqual(self.check("loss", "100%")["lost"], PACKETS)

    def test_all_is_doubled(self):
        self.assertEqual(self.check("duplicate", "100%")["duplicates"], PACKETS)

    def test_every_fifth_overtakes_those_that_are_delayed(self):
        self.assertGreater(self.check("delay", "300ms", "reorder", "100%", "gap", "5")["reordered"], 0)

    def test_what_is_delayed_alike_stays_in_order(self):
        hit = self.check("delay", "100ms")
        self.assertEqual((hit["lost"], hit["reordered"]), (0, 0))


load_tests = uml.load_tests_of_matrix([], [Netem])


if __name__ == "__main__":
    lab.main()
