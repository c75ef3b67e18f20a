#!/usr/bin/env python3
"""Options of TCP, MPTCP and ICMP's two kinds of sockets, as a capture on the receiving host and the kernel's tables show them."""
import ipaddress
import json

import capture
import lab
from options_test import ANY_TRANSPORT, PACKETS, Options


class Segments(Options):
    def setUp(self):
        super().setUp()
        for what in ("tso", "gso", "gro"):  # segments as on a wire, not coalesced by the kernel
            for host in (self.a, self.b):
                host.run("ethtool", "-K", "eth0", what, "off")
        self.b.receiver()

    def test_a_segment_is_no_larger_than_the_mss_that_was_asked_for(self):
        for to in (self.b.address, self.b.address6):
            flows = [self.flow("tcp", 7000, mss=536), self.flow("tcp", 7001, mss=1000), self.flow("tcp", 7002), self.flow("mptcp", 7003, mss=700)]
            witness = self.b.witness(ANY_TRANSPORT)
            report = self.send(flows, to=to, idt="const:500pps", size=5000)
            for flow, packets in zip(flows, self.seen(witness, flows).values(), strict=True):
                with self.subTest(to=to, flow=flow["name"]):
                    self.assertArrived(report["flows"][flow["name"]], PACKETS)
                    offered = {capture.offered_mss(p) for p in packets if capture.tcp_flags(p) & capture.SYN}
                    largest = max(p.payload for p in packets)
                    # The segment has 40 or 60 bytes of headers, and TCP's options, of which MPTCP has the most.
                    wanted = flow.get("mss", 1500 - (60 if ":" in to else 40))
                    if report["flows"][flow["name"]]["warnings"]:
                        self.assertEqual((flow["transport"], len(report["flows"][flow["name"]]["warnings"])), ("mptcp", 1))
                        continue
                    self.assertEqual(offered, {wanted})
                    self.assertTrue(wanted - 40 <= largest <= wanted, f"{largest} of {wanted}")

    def test_the_congestion_control_is_the_one_that_was_asked_for(self):
        flows = [self.flow(transport, 7000 + n, congestion=name, packets=100_000)
                 for n, (transport, name) in enumerate([("tcp", "reno"), ("tcp", "cubic"), ("mptcp", "reno")])]
        sender = self.a.start_groma("send", self.write(flows, to=self.b.address, idt="const:100pps"))
        for flow in flows:
            def in_the_kernels_table(of=flow):
                state = self.a.run("ss", "-tinH", "dport", "=", f":{of['port']}").stdout
                return state and of["congestion"] in state.split()
            with self.subTest(flow=flow["name"]):
                lab.wait_until(f"{flow['congestion']} in the kernel's table", in_the_kernels_table)
        self.assertEqual(sender.stop(), 1)  # interrupted

    def test_a_congestion_control_that_is_not_there_ends_the_run_before_anything_is_sent(self):
        for transport in ("tcp", "mptcp"):
            with self.subTest(transport=transport):
                result = self.a.groma("send", "--to", self.b.address, "--transport", transport, "--packets", "5", "--congestion", "nosuch", check=False)
                self.assertSaid(result, 1, "nosuch", "tcp_available_congestion_control")

    def test_buffers_are_as_large_as_was_asked_for(self):
        """ss shows the kernel's count, twice the size that was asked for (socket(7))."""
        sending, receiving = 300_000, 500_000
        flow = self.flow("tcp", 7000, send_buffer=sending, receive_buffer=receiving, packets=100_000)
        sender = self.a.start_groma("send", self.write([flow], to=self.b.address, idt="const:100pps"))
        for host, field, wanted in ((self.a, "dport", f"tb{2 * sending}"), (self.b, "sport", f"rb{2 * receiving}")):
            with self.subTest(field=field):
                lab.wait_until(wanted, lambda: wanted in host.run("ss", "-tmnH", field, "=", ":7000").stdout)
        sender.stop()


class PingSockets(Options):
    """A sender without the permission for raw sockets."""

    UNPRIVILEGED = ("setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw")

    def setUp(self):
        super().setUp()
        self.b.receiver()

    def run_unprivileged(self, flows, **defaults):
        return self.a.run(*self.UNPRIVILEGED, lab.BIN / "groma-send", self.write(flows, **defaults), "--json", "--quiet", check=False)

    def test_where_the_kernel_allows_them_flows_are_what_was_asked_for(self):
        self.a.run("sysctl", "-qw", "net.ipv4.ping_group_range=0 0")
        self.a.run("ip", "addr", "add", "10.99.0.101/24", "dev", "eth0")
        self.a.run("ip", "addr", "add", "fd99::101/64", "dev", "eth0", "nodad")
        for to, source in self.both_families():
            flows = [self.flow("icmp", 7000), self.flow("icmp", 7001, source=source, ttl=9, ds_byte=0xB8), self.flow("icmp", 7002, device="eth0")]
            witness = self.b.witness(ANY_TRANSPORT)
            result = self.run_unprivileged(flows, to=to, idt="const:500pps", size="unif:20:1400")
            self.assertEqual(result.returncode, 0, result.stderr)
            seen = self.seen(witness, flows)
            for flow in json.loads(result.stdout)["flows"]:
                with self.subTest(to=to, flow=flow["name"]):
                    self.assertArrived(flow, PACKETS)
                    self.assertEqual(flow["warnings"], [])
                    self.assertEqual(sum(p.payload for p in seen[flow["name"]]), flow["sent_bytes"])
            self.assertEqual({(p.ip.ttl, p.ip.ds_byte) for p in seen["icmp-7001"]}, {(9, 0xB8)})
            self.assertEqual({p.source for p in seen["icmp-7001"]}, {ipaddress.ip_address(source).packed})

    def test_where_it_does_not_the_sender_says_what_to_do(self):
        self.a.run("sysctl", "-qw", "net.ipv4.ping_group_range=1 0")
        for to in (self.b.address, self.b.address6):
            with self.subTest(to=to):
                result = self.run_unprivileged([self.flow("icmp", 7000)], to=to)
                self.assertSaid(result, 1, "ICMP", "CAP_NET_RAW", "net.ipv4.ping_group_range")


if __name__ == "__main__":
    lab.main()
