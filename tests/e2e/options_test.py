#!/usr/bin/env python3
"""Options of a flow's sockets, as a capture on the receiving host shows them: fields of headers, addresses, interfaces."""
import ipaddress
import re

import capture
import lab
import links
from flows import FlowsTest

PACKETS = 20
DATAGRAMS = ("udp", "icmp", "udplite")
TRANSPORTS = (*DATAGRAMS, "tcp", "mptcp")
ANY_TRANSPORT = "icmp or icmp6 or ip6 proto 44 or proto 6 or proto 17 or proto 136 or ip6 proto 6 or ip6 proto 17 or ip6 proto 136"


class Options(FlowsTest):
    """Each flow has its own port, by which the witness separates them."""

    def flow(self, transport, port, **keys):
        return {"name": f"{transport}-{port}", "transport": transport, "port": port, "packets": PACKETS} | keys

    def witness(self):
        """A witness of this run only: all connections of earlier ones have ended."""
        self.b.await_ends()
        return self.b.witness(ANY_TRANSPORT)

    def seen(self, witness, flows):
        """The packets of each flow."""
        packets = witness.packets()
        found = {flow["name"]: [p for p in packets if p.port == flow["port"] and p.protocol == capture.PROTOCOLS_OF[flow["transport"]]]
                 for flow in flows}
        for name, of_flow in found.items():
            self.assertTrue(of_flow, f"the witness saw nothing of {name}")
        return found

    def both_families(self):
        return [(self.b.address, "10.99.0.101"), (self.b.address6, "fd99::101")]


class IpHeader(Options):
    def setUp(self):
        super().setUp()
        self.a.run("ip", "addr", "add", "10.99.0.101/24", "dev", "eth0")
        self.a.run("ip", "addr", "add", "fd99::101/64", "dev", "eth0", "nodad")
        self.b.receiver()

    def test_ttl_ds_byte_source_and_port_are_those_asked_for(self):
        for to, source in self.both_families():
            flows = [self.flow(transport, 7000 + n, ttl=9 + n, ds_byte=0xB8 - 8 * n, source=source) for n, transport in enumerate(TRANSPORTS)]
            for flow in flows:
                if flow["transport"] != "icmp":
                    flow["source_port"] = flow["port"] + 1000
            witness = self.witness()
            report = self.send(flows, to=to, idt="const:500pps", size=100)
            seen = self.seen(witness, flows)
            for flow in flows:
                with self.subTest(to=to, flow=flow["name"]):
                    self.assertArrived(report["flows"][flow["name"]], PACKETS)
                    warnings = " ".join(report["flows"][flow["name"]]["warnings"])
                    if flow["transport"] != "mptcp":  # MPTCP's sockets take no TTL, and over IPv6 no DS byte
                        self.assertEqual(warnings, "")
                    wanted = (64 if "TTL" in warnings else flow["ttl"], 0 if "DS byte" in warnings else flow["ds_byte"])
                    self.assertEqual({(p.ip.ttl, p.ip.ds_byte) for p in seen[flow["name"]]}, {wanted})
                    self.assertEqual({p.source for p in seen[flow["name"]]}, {ipaddress.ip_address(source).packed})
                    if "source_port" in flow:
                        self.assertEqual({p.source_port for p in seen[flow["name"]]}, {flow["source_port"]})

    def test_what_is_not_asked_for_is_as_the_kernel_has_it(self):
        for to in (self.b.address, self.b.address6):
            flows = [self.flow(transport, 7000 + n) for n, transport in enumerate(TRANSPORTS)]
            witness = self.witness()
            self.send(flows, to=to, idt="const:500pps", size=100)
            for name, packets in self.seen(witness, flows).items():
                with self.subTest(to=to, flow=name):
                    self.assertEqual({(p.ip.ttl, p.ip.ds_byte) for p in packets}, {(64, 0)})

    def test_flow_labels_are_those_asked_for(self):
        flows = [self.flow(transport, 7000 + n, flow_label=0x12340 + n) for n, transport in enumerate((*DATAGRAMS, "tcp"))]
        flows += [self.flow("udp", 7009, flow_label=0x12340), self.flow("udp", 7010, flow_label=0), self.flow("tcp", 7011, flow_label=0)]
        witness = self.witness()
        report = self.send(flows, to=self.b.address6, idt="const:500pps", size=100)
        seen = self.seen(witness, flows)
        for flow in flows:
            with self.subTest(flow=flow["name"]):
                self.assertEqual(report["flows"][flow["name"]]["warnings"], [])
                self.assertEqual({p.ip.flow_label for p in seen[flow["name"]]}, {flow["flow_label"]})

    def test_a_flow_label_that_cannot_be_had_ends_the_run_before_anything_is_sent(self):
        """MPTCP's sockets of Linux 6.18 lease none; over IPv4 there is none, which is no more than a warning."""
        result = self.a.groma("send", self.write([self.flow("mptcp", 7000, flow_label=7)], to=self.b.address6), check=False)
        self.assertSaid(result, 1, "flow label 7", "do without")
        report = self.send([self.flow("udp", 7000, flow_label=7)], to=self.b.address)["flows"]["udp-7000"]
        self.assertArrived(report, PACKETS)
        self.assertIn("IPv6 only", " ".join(report["warnings"]))

    def test_the_checksum_of_udplite_covers_what_was_asked_for(self):
        for to in (self.b.address, self.b.address6):
            flows = [self.flow("udplite", 7000 + coverage, coverage=coverage) for coverage in (0, 8, 20, 108)]
            witness = self.witness()
            report = self.send(flows, to=to, idt="const:500pps", size=100)
            for name, packets in self.seen(witness, flows).items():
                asked = next(flow["coverage"] for flow in flows if flow["name"] == name)
                with self.subTest(to=to, coverage=asked):
                    self.assertArrived(report["flows"][name], PACKETS)
                    # The complete packet is 0 or its length: 8 bytes of header and 100 of payload.
                    self.assertIn({capture.coverage(p) for p in packets}, [{asked}] if asked % 108 else [{0}, {108}])


class Queues(Options):
    def counted(self, priority):
        self.a.run("nft", "-f", "-", input=f"""
            table inet seen {{
                chain out {{
                    type filter hook output priority 0;
                    meta priority 0:{priority} meta l4proto {{ udp, tcp, icmp, ipv6-icmp, udplite }} th dport != 9000 counter name wanted
                }}
                counter wanted {{ }}
            }}""")

    def test_packets_have_the_priority_that_was_asked_for(self):
        self.b.receiver()
        flow = self.flow("udp", 7000, priority=5, ds_byte=0xB8)  # a DS byte also sets a priority
        for to in (self.b.address, self.b.address6):
            with self.subTest(to=to):
                self.counted(5)
                self.assertArrived(self.send([flow], to=to, idt="const:500pps", size=100)["flows"]["udp-7000"], PACKETS)
                counter = self.a.run("nft", "list", "counter", "inet", "seen", "wanted").stdout
                self.a.run("nft", "delete", "table", "inet", "seen")
                packets, counted = map(int, re.search(r"packets (\d+) bytes (\d+)", counter).groups())
                # The filter sees several late packets as one, with one header.
                self.assertEqual(counted - packets * (48 if ":" in to else 28), PACKETS * 100)

    def test_what_takes_rights_is_warninged_and_noted_in_the_log(self):
        unprivileged = ("setpriv", "--bounding-set", "-net_admin,-net_raw", "--inh-caps", "-net_admin,-net_raw")
        receiver = self.b.start(*unprivileged, lab.BIN / "groma-recv", "--open-to-anyone", name="groma-recv")
        receiver.wait_for("listening on")
        flows = [self.flow("udp", 7000, send_buffer="200MB", receive_buffer="300MB", priority=9), self.flow("udp", 7001)]
        experiment = self.write(flows, to=self.b.address, idt="const:500pps", size=100)
        result = self.a.run(*unprivileged, lab.BIN / "groma-send", experiment, "--log", "send.glog", "--json=report.json",
                            "--verbose")
        wanted = ("send_buffer of 200000000 bytes was clipped to", "receive_buffer of 300000000 bytes was clipped to",
                  "the kernel refused priority 9")
        reported = self.report("report.json")["flows"]
        # Without the option, a warning names the default buffer, if this host's limit is below it.
        self.assertEqual([r for r in reported["udp-7001"]["warnings"] if "the receive buffer is of" not in r], [])
        said = self.decoded("send.glog")["runs"][0]
        events = [e["text"] for log in said["logs"] for e in log["events"] if e["kind"] == "option-not-kept"]
        for text in wanted:
            with self.subTest(text=text):
                for place in (reported["udp-7000"]["warnings"], events):
                    self.assertEqual(len([one for one in place if text in one]), 1, place)
                self.assertIn(text, result.stdout)


class Interfaces(Options):
    """Host b has an address that both of its interfaces reach; the route over the switch is the better one."""

    def setUp(self):
        super().setUp()
        links.link(self.a, self.b, 98)
        for host, behind in ((self.b, "96.0.2"), (self.a, "96.0.1")):
            host.run("ip", "addr", "add", f"10.{behind}/32", "dev", "lo")
        for host, other, last in ((self.a, self.b, "10.96.0.2"), (self.b, self.a, "10.96.0.1")):
            host.run("ip", "route", "add", last, "via", other.address, "metric", 10)
            host.run("ip", "route", "add", last, "via", links.address_of(other, 98), "metric", 20)
        self.b.receiver()

    def test_packets_leave_through_the_interface_that_was_asked_for(self):
        flows = [self.flow(transport, 7000 + n, source="10.96.0.1") for n, transport in enumerate(DATAGRAMS)]
        flows += [flow | {"name": flow["name"] + "-98", "port": flow["port"] + 10, "device": "net98"} for flow in flows]
        over_switch, over_cable = self.witness(), self.b.witness(ANY_TRANSPORT, device="net98")
        report = self.send(flows, to="10.96.0.2", idt="const:500pps", size=100)
        on_switch, on_cable = ({p.port for p in w.packets() if p.protocol in DATAGRAMS} for w in (over_switch, over_cable))
        self.assertEqual(on_switch, {flow["port"] for flow in flows if "device" not in flow})
        self.assertEqual(on_cable, {flow["port"] for flow in flows if "device" in flow})
        for flow in report["flows"].values():
            self.assertArrived(flow, PACKETS)

    def test_connections_are_made_through_it_too(self):
        """The answers must come in on it: the receiver's route back to that source is the cable."""
        self.b.run("ip", "route", "replace", "10.96.0.1", "via", links.address_of(self.a, 98))
        flows = [self.flow("tcp", 7000, source="10.96.0.1", device="net98"), self.flow("mptcp", 7001, source="10.96.0.1", device="net98")]
        witness = self.b.witness(ANY_TRANSPORT, device="net98")
        report = self.send(flows, to="10.96.0.2", idt="const:500pps", size=100)
        for packets in self.seen(witness, flows).values():
            self.assertEqual(capture.stream_bytes(packets), 100 * PACKETS)
        for flow in report["flows"].values():
            self.assertArrived(flow, PACKETS)

    def test_an_interface_that_is_not_there_ends_the_run_before_anything_is_sent(self):
        result = self.a.groma("send", "--to", self.b.address, "--packets", "5", "--device", "nosuch0", check=False)
        self.assertSaid(result, 1, "nosuch0", "ip link")


class SmallMtu(Options):
    """A router whose second link carries 1300 bytes: larger packets are fragmented or refused, or the flow adapts."""

    hosts = 3
    MTU = 1300

    def setUp(self):
        super().setUp()
        router, = self.more
        links.route(self.a, router, self.b, 98)
        links.set_mtu(98, self.MTU, router, self.b)
        self.b.receiver()

    def over(self, transport, to, fragment):
        flow = self.flow(transport, 7000, dont_fragment=fragment)
        witness = self.b.witness(ANY_TRANSPORT, device="net98")
        status = 1 if fragment == "on" and transport in DATAGRAMS else 0  # nothing arrives
        # Late packets leave one by one (shift), not all together before the first refusal arrives.
        reported = self.send([flow], "--wait", "500ms", status=status, to=to, idt="const:200pps", lateness="shift",
                             size=1290)["flows"][flow["name"]]
        packets = [p for p in witness.packets() if p.protocol == capture.PROTOCOLS_OF[transport] and 9000 not in (p.port, p.source_port)]
        self.a.run("ip", "route", "flush", "cache")
        self.a.run("ip", "-6", "route", "flush", "cache")
        return reported, packets

    def test_with_fragmentation_every_packet_arrives_in_pieces(self):
        for transport in DATAGRAMS:
            with self.subTest(transport=transport):
                reported, packets = self.over(transport, links.address_of(self.b, 98), "off")
                self.assertArrived(reported, PACKETS)
                self.assertEqual(reported["too_big"], 0)
                self.assertEqual(len([p for p in packets if p.ip.fragment == 0]), PACKETS)
                self.assertEqual(len([p for p in packets if p.ip.fragment]), PACKETS)

    def test_over_ipv6_the_sender_cuts_them_up_once_it_knows(self):
        for transport in DATAGRAMS:
            with self.subTest(transport=transport):
                reported, packets = self.over(transport, links.address6_of(self.b, 98), "off")
                self.assertEqual((reported["sent_packets"], reported["too_big"]), (PACKETS, 0), reported)
                whole = len([p for p in packets if p.ip.fragment == 0])
                self.assertEqual(reported["received_packets"], whole)
                # The router drops packets that were on their way before the sender learned the MTU.
                self.assertGreaterEqual(whole, PACKETS // 2)

    def test_without_it_they_count_as_too_big(self):
        for transport in DATAGRAMS:
            for to in (links.address_of(self.b, 98), links.address6_of(self.b, 98)):
                with self.subTest(transport=transport, to=to):
                    reported, packets = self.over(transport, to, "on")
                    self.assertEqual(len(packets), 0)
                    too_big = reported["too_big"]
                    self.assertGreaterEqual(too_big, PACKETS // 2)
                    self.assertEqual(reported["sent_packets"], PACKETS - too_big)
                    self.assertEqual(reported["lost"], PACKETS - too_big)
                    self.assertIn(f"{too_big} packets could not be sent", reported["verdict"]["text"])

    def test_streams_adapt(self):
        for to in (links.address_of(self.b, 98), links.address6_of(self.b, 98)):
            for transport in ("tcp", "mptcp"):
                with self.subTest(transport=transport, to=to):
                    reported, packets = self.over(transport, to, "on")
                    self.assertArrived(reported, PACKETS)
                    self.assertEqual(capture.stream_bytes([p for p in packets if p.port == 7000]), 1290 * PACKETS)


if __name__ == "__main__":
    lab.main()
