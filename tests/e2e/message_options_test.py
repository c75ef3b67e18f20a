#!/usr/bin/env python3
"""Options of SCTP and DCCP, as a capture on the receiving host shows them, in user-mode Linux, which has the
protocols (uml_matrix_test.py)."""
import ipaddress

import capture
import lab
import uml
from options_test import PACKETS, Options

MESSAGES = "sctp or ip6 proto 132 or proto 33 or ip6 proto 33"


class MessageOptions(Options):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def test_fields_of_the_ip_header_are_those_asked_for(self):
        self.a.run("ip", "addr", "add", "10.99.0.101/24", "dev", "eth0")
        self.a.run("ip", "addr", "add", "fd99::101/64", "dev", "eth0", "nodad")
        for to, source in self.both_families():
            flows = [self.flow(transport, 7000 + n, ttl=9 + n, ds_byte=0xB8 - 8 * n, source=source, source_port=8000 + n)
                     for n, transport in enumerate(("sctp", "dccp"))]
            witness = self.b.witness(MESSAGES)
            report = self.send(flows, to=to, idt="const:100pps", size=100)
            seen = self.seen(witness, flows)
            for flow in flows:
                with self.subTest(to=to, flow=flow["name"]):
                    self.assertArrived(report["flows"][flow["name"]], PACKETS)
                    self.assertEqual(report["flows"][flow["name"]]["warnings"], [])
                    data = [p for p in seen[flow["name"]] if p.payload > 0]
                    self.assertEqual({(p.ip.ttl, p.ip.ds_byte & 0xFC) for p in data}, {(flow["ttl"], flow["ds_byte"])})
                    self.assertEqual({p.source for p in data}, {ipaddress.ip_address(source).packed})
                    self.assertEqual({p.source_port for p in data}, {flow["source_port"]})

    def test_a_dccp_request_has_the_service_code_that_was_asked_for(self):
        for to in (self.b.address, self.b.address6):
            flows = [self.flow("dccp", 7000, service=12345), self.flow("dccp", 7001)]
            witness = self.b.witness(MESSAGES)
            report = self.send(flows, to=to, idt="const:100pps", size=100)
            seen = self.seen(witness, flows)
            for flow, code in zip(flows, (12345, 0x47524D41), strict=True):
                with self.subTest(to=to, code=code):
                    self.assertArrived(report["flows"][flow["name"]], PACKETS)
                    self.assertEqual({capture.dccp_service(p) for p in seen[flow["name"]]} - {None}, {code})

    def test_a_congestion_control_of_dccp_that_the_kernel_lacks_is_refused_with_words(self):
        result = self.a.groma("send", "--to", self.b.address, "--transport", "dccp", "--ccid", "3", "--packets", "5", check=False)
        self.assertSaid(result, 1, "DCCP congestion control 3", "this kernel does not have it")
        self.assertArrived(self.send([self.flow("dccp", 7000, ccid=2)], to=self.b.address, idt="const:100pps", size=100)["flows"]["dccp-7000"], PACKETS)


load_tests = uml.load_tests_of_matrix([], [MessageOptions])


if __name__ == "__main__":
    lab.main()
