#!/usr/bin/env python3
"""Receivers that dial, over every transport that supports it, one way and round trip, without a NAT: here, and in
user-mode Linux with SCTP and DCCP. nat_test.py has a NAT."""
import itertools
import json

import lab
import uml

TRANSPORTS = ("sctp", "dccp") if uml.INSIDE else ("udp", "udplite", "tcp", "mptcp")
PACKETS = 60


class Dialled(lab.LabTest):
    def check(self, transport: str, address: str, meter: str):
        witness = self.b.witness(f"src host {address} and not port 9002")
        receiver = self.b.start_groma("recv", "--dial", address, "--once", "--as", "beta")
        sender = self.a.start_groma("send", "--passive", "9002", "--open-to-anyone", "--to", "beta", "--json", "--transport", transport, "--meter", meter,
                                    "--flows", 2, "--packets", PACKETS, "--idt", "exp:10ms", "--size", "unif:40:400")
        self.assertEqual(sender.wait(), 0, sender.said + receiver.said)
        self.assertEqual(receiver.wait(), 0, receiver.said)
        self.b.await_ends()
        flows = json.loads(sender.output.read_text())["flows"]
        for flow in flows:
            self.assertEqual((flow["sent_packets"], flow["received_packets"]), (PACKETS, PACKETS), flow)
            self.assertEqual((flow["malformed_packets"], flow["foreign_packets"]), (0, 0), flow)
            if meter == "round-trip":
                self.assertEqual(flow["round_trip"]["returned_packets"], PACKETS, flow)
        seen = witness.messages(transport)
        self.assertEqual(sorted(sum(sizes) for sizes in seen), sorted(flow["sent_bytes"] for flow in flows))

    def test_every_transport_there_and_back(self):
        for transport, address, meter in itertools.product(TRANSPORTS, (self.a.address, self.a.address6), ("one-way", "round-trip")):
            with self.subTest(transport=transport, address=address, meter=meter):
                self.check(transport, address, meter)


load_tests = uml.load_tests_of_matrix([Dialled], [Dialled])


if __name__ == "__main__":
    lab.main()
