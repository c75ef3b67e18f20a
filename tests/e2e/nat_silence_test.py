#!/usr/bin/env python3
"""Punches keep the NAT's mapping open while a flow is silent for longer than the router keeps it."""
import quiet
from nat_test import NatTest


class NatSilence(NatTest):
    def test_punches_keep_the_way_open_while_a_flow_is_silent(self):
        self.router.run("sysctl", "-qw", "net.netfilter.nf_conntrack_udp_timeout=3", "net.netfilter.nf_conntrack_udp_timeout_stream=3")
        silent = {"on": "const:500ms", "off": "const:7s", "duration": "9s", "idt": "const:100pps"}
        file = self.experiment({"to": "beta", **silent}, {"to": "gamma", **silent})
        punching = self.dial("--as", "beta", "--once", "--keepalive", "1s")
        quiet = self.dial("--as", "gamma", "--once", "--keepalive", "1h")
        kept, closed = self.report(self.passive(file))["flows"]
        self.assertGreater(kept["sent_packets"], 60)
        self.assertEqual(kept["received_packets"], kept["sent_packets"])
        self.assertEqual(kept["malformed_packets"], 0)
        self.assertEqual(closed["received_packets"], 50)  # those before the silence
        self.assertEqual((punching.wait(), quiet.wait()), (0, 0))


if __name__ == "__main__":
    quiet.main()
