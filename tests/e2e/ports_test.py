#!/usr/bin/env python3
"""Ports out of ranges: a firewall of the receiving host admits only the control port and a range."""
import lab

CONTROL = 9000
FIRST, LAST = 5000, 5009
TRANSPORTS = ["udp", "tcp"]


class Ports(lab.LabTest):
    def firewall(self, first=FIRST, last=LAST):
        """On the receiver's host; what it drops is counted there."""
        self.b.run("nft", "add table inet wall")
        self.b.run("nft", "add chain inet wall in { type filter hook input priority 0; policy drop; }")
        self.b.run("nft", "add rule inet wall in icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept")
        self.b.run("nft", f"add rule inet wall in tcp dport {{ {CONTROL}, {first}-{last} }} accept")
        self.b.run("nft", f"add rule inet wall in udp dport {first}-{last} accept")
        self.b.run("nft", "add rule inet wall in counter drop")

    def send(self, *arguments, check=True):
        return self.a.groma("send", "--to", self.b.address, "--idt", "const:200pps", "--size", "100", "--packets", "20", "--log",
                            "send.glog", "--receiver-log", "recv.glog", *arguments, check=check)

    def used(self, witness, source=False):
        return sorted({packet.source_port if source else packet.port for packet in witness.packets()})

    def test_the_ports_of_a_daemon_go_through_its_firewall(self):
        self.firewall()
        self.b.receiver("--data-ports", f"{FIRST}-{LAST}")
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                witness = self.b.witness(f"{transport} and not port {CONTROL}")
                self.send("--transport", transport, "--flows", "10")
                self.assertEqual(self.used(witness), list(range(FIRST, LAST + 1)))
                flows = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
                self.assertEqual([flow["received_packets"] for flow in flows], [20] * 10)

    def test_a_daemon_without_them_is_stopped_by_the_firewall(self):
        self.firewall()
        self.b.receiver()
        result = self.send("--transport", "tcp", "--timeout", "1min", check=False)
        self.assertSaid(result, 1, "connect to 10.99.0.2", "firewall")

    def test_a_flow_may_ask_for_a_range(self):
        self.firewall()
        self.b.receiver()
        witness = self.b.witness("udp")
        self.send("--ports", f"{FIRST}-{LAST}", "--flows", "3")
        self.assertEqual(self.used(witness), [FIRST, FIRST + 1, FIRST + 2])

    def test_more_flows_than_ports_are_refused_before_anything_is_sent(self):
        self.b.receiver("--data-ports", f"{FIRST}-{LAST}")
        witness = self.b.witness("udp")
        said = self.send("--flows", "11", check=False)
        self.assertSaid(said, 1, "refuses flow 11", f"{FIRST}-{LAST}", "--data-ports")
        self.assertEqual(witness.packets(), [])
        self.send("--flows", "10")  # the refused session has released its ports

    def test_a_port_that_the_daemon_does_not_give_away_is_refused(self):
        self.b.receiver("--data-ports", f"{FIRST}-{LAST}")
        self.assertSaid(self.send("--port", "6000", check=False), 1, "asks for port 6000", f"{FIRST}-{LAST}")
        self.assertSaid(self.send("--ports", "6000-6100", check=False), 1, "6000-6100", f"{FIRST}-{LAST}")
        self.send("--port", str(LAST))

    def test_a_sender_takes_its_own_ports_from_a_range(self):
        self.b.receiver()
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                witness = self.b.witness(f"{transport} and not port {CONTROL}")
                self.send("--transport", transport, "--source-ports", "7000-7009", "--flows", "4")
                self.assertEqual(self.used(witness, source=True), [7000, 7001, 7002, 7003])

    def test_a_sender_says_when_its_range_is_used_up(self):
        self.b.receiver()
        said = self.send("--source-ports", "7000-7001", "--flows", "3", check=False)
        self.assertSaid(said, 1, "7000-7001", "all of them are taken")


if __name__ == "__main__":
    lab.main()
