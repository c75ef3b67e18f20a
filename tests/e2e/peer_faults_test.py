#!/usr/bin/env python3
"""Faults of the peer and of the path in the middle of a run (docs/reference/faults.md): what happens to the affected
flows, whose counters a capture confirms. The flows of the same run to another host are undisturbed.
"""
import contextlib
import json
import signal

import capture
import lab
import links
from flows import FlowsTest, by_name

SIZE = 1400
CALM = (("udp", 7000), ("tcp", 7001))


class Faults(FlowsTest):
    """Flows to host b, which has the fault, and over UDP and TCP to host c, which has none."""

    hosts = 3
    STRUCK = CALM
    RATE, PACKETS = 400, 1600
    OUTAGE = 120  # packets of an undisturbed flow: far less than the four seconds after which a session gives up a silent peer

    def setUp(self):
        super().setUp()
        self.c, *self.further = self.more
        self.struck = self.b.receiver()
        self.calm = self.c.receiver()

    def begin(self, *arguments, to=None, status=0, **keys):
        """Returns when the run is well under way. `keys` are of the flows to b; those of flows to further hosts
        begin with the host's name. `arguments` are the sender's."""
        self.status = status
        self.asked = keys.get("packets", self.PACKETS)
        def flows_over(transports, prefix=""):
            return [{"name": prefix + name, "transport": name, "port": port} for name, port in transports]
        flows = [flow | {"to": to or self.b.address} | keys for flow in flows_over(self.STRUCK)]
        flows += [flow | {"to": host.address} | keys for host in self.further for flow in flows_over(self.STRUCK, f"{host.name}-")]
        flows += [flow | {"to": self.c.address} for flow in flows_over(CALM, "calm-")]
        # The schedule shifts when the machine stands still for seconds: the same part of it is left for the fault.
        experiment = self.write(flows, idt=f"const:{self.RATE}pps", size=SIZE, packets=self.PACKETS, lateness="shift")
        self.sender = self.a.start_groma("send", experiment, "--quiet", "--json=report.json", "--log", "send.glog", *arguments)
        self.pass_time(self.OUTAGE // 2)

    def pass_time(self, packets=None):
        """Waits until OUTAGE more packets of the undisturbed flow over UDP have arrived, by the counters of their
        host's kernel."""
        packets = packets or self.OUTAGE
        end = self.calm.count("Udp.InDatagrams") + packets
        def passed():
            self.assertIsNone(self.sender.process.poll(), f"the run was over before the fault was:\n{self.sender.said}")
            return self.calm.count("Udp.InDatagrams") >= end
        lab.wait_until(f"{packets} undisturbed packets", passed)

    @contextlib.contextmanager
    def held(self):
        """The sender stands still while the test starts programs, and its schedule shifts: the same part of it is
        left, however long they take."""
        self.sender.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.sender.send_signal(signal.SIGCONT)

    def outage(self, strike, relent, watch=lambda: None, **begin):
        """Begins a run and causes the fault for OUTAGE packets. Calls `watch` first, and returns its result. The
        sender is held meanwhile: a packet that meets an interface on its way down is discarded without an error."""
        watched = watch()
        self.begin(**begin)
        with self.held():
            strike()
        self.pass_time()
        relent()
        return watched

    def stop_reading(self, **begin):
        """The receiver stops reading for the duration of an outage."""
        self.outage(lambda: self.struck.send_signal(signal.SIGSTOP), lambda: self.struck.send_signal(signal.SIGCONT), **begin)

    def end(self) -> dict:
        """The flows of the report, after checking that those to host c were undisturbed: they continued during the
        fault and are complete."""
        if self.status != 0:
            self.pass_time()
        self.assertEqual(self.sender.wait(), self.status, self.sender.said)
        flows = by_name(json.loads((self.folder / "report.json").read_text()))["flows"]
        for name in ("calm-udp", "calm-tcp"):
            calm = flows[name]
            self.assertEqual(calm["end"], "complete")
            self.assertArrived(calm, self.PACKETS)
            self.assertEqual((calm["dropped"], calm["too_big"], calm["given_up"]), (0, 0, 0))
        return flows

    def assertComplete(self, flow):
        self.assertEqual((flow["end"], flow["error"], flow["state"]), ("complete", "", "ok"))

    def assertFailed(self, flow, why):
        self.assertEqual(flow["end"], "failed")
        self.assertIn(why, flow["error"])
        self.assertIn(why, flow["verdict"]["text"])
        self.assertLess(flow["sent_packets"], self.asked)
        events = [e for log in self.decoded("send.glog")["runs"][0]["logs"] for e in log["events"] if e["kind"] == "flow-failed"]
        self.assertIn(flow["flow"], [event["flow"] for event in events])
        self.assertIn(why, self.sender.said)

    def assertAccounted(self, flow):
        """Every packet was sent or has a counter with the reason, and every sent packet has arrived or is lost."""
        self.assertEqual(flow["sent_packets"] + flow["dropped"] + flow["too_big"] + flow["given_up"], self.PACKETS)
        self.assertEqual(flow["received_packets"] + flow["lost"], flow["sent_packets"])

    def assertDroppedHere(self, udp, witness):
        """This host's kernel refused packets while it had no route: they are dropped, not sent, and were never on
        the wire."""
        self.assertComplete(udp)
        self.assertAccounted(udp)
        self.assertGreater(udp["dropped"], self.OUTAGE // 2)
        self.assertEqual(udp["lost"], 0)
        self.assertEqual(len(witness.packets()), udp["sent_packets"])
        self.assertIn(f"{udp['dropped']} packets could not be sent", udp["verdict"]["text"])

    def reject(self, host, *rules):
        chain = "\n".join(["type filter hook input priority 0;", *rules])
        with self.held():
            host.run("nft", "-f", "-", input=f"table inet fault {{\n chain in {{\n {chain}\n }}\n }}\n")

    def relent(self, host):
        with self.held():
            host.run("nft", "delete", "table", "inet", "fault")


class Receiver(Faults):
    def test_a_receiver_that_stops_reading_for_a_while_holds_up_the_stream_and_loses_no_datagram(self):
        self.stop_reading(send_buffer="20kB")
        flows = self.end()
        for name in ("udp", "tcp"):
            self.assertComplete(flows[name])
            self.assertArrived(flows[name], self.PACKETS)
        self.assertEqual(flows["udp"]["blocked"], 0)

    def test_a_stream_whose_buffers_are_full_is_late_and_says_so(self):
        self.stop_reading(send_buffer="20kB", receive_buffer="20kB")
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        self.assertGreater(flows["tcp"]["blocked"], 0)
        self.assertEqual(flows["tcp"]["verdict"]["result"], "not_as_asked")
        self.assertIn("late", flows["tcp"]["verdict"]["text"])
        # The receiver's kernel dropped the datagrams for which its buffer had no room, and counted them.
        self.assertAccounted(flows["udp"])
        self.assertGreater(flows["udp"]["lost"], 0)
        self.assertEqual(flows["udp"]["kernel_drops"], flows["udp"]["lost"])

    def test_a_connection_that_is_reset_fails_alone(self):
        self.begin(status=1)
        self.reject(self.b, "tcp dport 7001 reject with tcp reset")
        flows = self.end()
        self.assertFailed(flows["tcp"], "Connection reset by peer")
        self.assertComplete(flows["udp"])
        self.assertArrived(flows["udp"], self.PACKETS)

    def test_a_port_that_nobody_listens_on_is_counted_as_refusals(self):
        # Otherwise the kernel sends one such message a second.
        self.b.run("sysctl", "-qw", "net.ipv4.icmp_ratemask=0")
        asked = self.b.witness("udp dst port 7000")
        refusals = self.a.witness("icmp[icmptype] == icmp-unreach")
        self.begin()
        self.reject(self.b, "udp dport 7000 reject with icmp port-unreachable", "tcp dport 7001 reject with icmp port-unreachable")
        self.pass_time()
        self.relent(self.b)
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        udp = flows["udp"]
        self.assertComplete(udp)
        self.assertAccounted(udp)
        self.assertEqual(len(asked.packets()), udp["sent_packets"])
        self.assertGreater(udp["refused"], 0)
        self.assertGreater(udp["lost"], 0)
        self.assertLessEqual(udp["refused"], len(list(capture.frames(refusals.captured()))))


class Path(Faults):
    """Host c routes to host b as well."""

    def setUp(self):
        super().setUp()
        links.route(self.a, self.c, self.b, 98)
        self.routed = links.address_of(self.b, 98)

    def test_a_path_whose_mtu_shrinks_costs_a_few_packets_and_the_rest_is_cut_up(self):
        witness = self.b.witness("udp dst port 7000 or ip[6:2] & 0x1fff != 0", device="net98")
        refusals = self.a.witness("icmp[icmptype] == icmp-unreach")
        self.begin(to=self.routed)
        with self.held():
            links.set_mtu(98, 1300, self.c)
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        udp = flows["udp"]
        self.assertComplete(udp)
        self.assertEqual((udp["sent_packets"], udp["too_big"]), (self.PACKETS, 0))
        packets = witness.packets()
        self.assertEqual(udp["received_packets"], len([p for p in packets if not p.ip.fragment]))
        self.assertGreater(len([p for p in packets if p.ip.fragment]), 0)
        self.assertAccounted(udp)
        # The first of the flows to meet the small MTU has lost a packet, and the kernel learned the MTU for both.
        self.assertGreater(len(list(capture.frames(refusals.captured()))), 0)

    def test_a_path_whose_mtu_shrinks_under_packets_that_may_not_be_cut_up_refuses_them(self):
        witness = self.b.witness("udp dst port 7000", device="net98")
        self.begin(to=self.routed, dont_fragment="on")
        with self.held():
            links.set_mtu(98, 1300, self.c)
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        udp = flows["udp"]
        self.assertComplete(udp)
        self.assertAccounted(udp)
        self.assertGreater(udp["too_big"], self.PACKETS // 4)
        self.assertIn("packets could not be sent", udp["verdict"]["text"])
        self.assertEqual(udp["received_packets"], len(witness.packets()))

    def test_a_route_that_is_withdrawn_and_comes_back(self):
        ip = links.Ip(self.a)
        witness = self.outage(lambda: ip("route del 10.98.0.0/24"), lambda: ip(f"route add 10.98.0.0/24 via {self.c.address}"),
                              lambda: self.c.witness(f"udp dst port 7000 and dst host {self.routed}"), to=self.routed)
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        self.assertDroppedHere(flows["udp"], witness)


class Interfaces(Faults):
    def test_an_interface_of_the_sender_that_goes_down_and_comes_back(self):
        links.link(self.a, self.b, 97)
        # Beyond this, packets that wait for the neighbour's address are dropped.
        self.a.run("sysctl", "-qw", "net.ipv4.neigh.net97.unres_qlen_bytes=10000000")
        ip = links.Ip(self.a)
        witness = self.outage(lambda: ip("link set net97 down"), lambda: ip("link set net97 up"),
                              lambda: self.b.witness("udp dst port 7000", device="net97"), to=links.address_of(self.b, 97))
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        self.assertDroppedHere(flows["udp"], witness)

    def test_a_firewall_of_the_senders_host_that_relents(self):
        witness = self.b.witness("udp dst port 7000")
        self.begin()
        with self.held():
            self.a.run("nft", "add table inet fault; add chain inet fault out { type filter hook output priority 0; }; "
                              f"add rule inet fault out meta l4proto {{ udp, tcp }} th dport {{ 7000, 7001 }} ip daddr {self.b.address} drop")
        self.pass_time()
        self.relent(self.a)
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        self.assertDroppedHere(flows["udp"], witness)

    def test_an_interface_of_the_receiver_that_goes_down_and_comes_back(self):
        ip = links.Ip(self.b)
        self.outage(lambda: ip("link set eth0 down"), lambda: ip("link set eth0 up"))
        flows = self.end()
        self.assertComplete(flows["tcp"])
        self.assertArrived(flows["tcp"], self.PACKETS)
        udp = flows["udp"]
        self.assertComplete(udp)
        self.assertAccounted(udp)
        self.assertGreater(udp["lost"], self.OUTAGE // 2)


class Silence(Faults):
    """One run for both: it takes as long as a peer may be silent."""

    hosts = 4

    def test_receivers_that_stay_stopped_or_cut_off_are_taken_for_dead_and_end_their_flows_only(self):
        cut_off, = self.further
        cut_off.receiver()
        self.begin("--timeout", "1min", status=1, packets=100_000)  # only the fault ends it
        self.struck.send_signal(signal.SIGSTOP)
        self.addCleanup(self.struck.send_signal, signal.SIGCONT)
        with self.held():
            cut_off.run("ip", "link", "set", "eth0", "down")
        flows = self.end()
        for host, prefix in ((self.b, ""), (cut_off, f"{cut_off.name}-")):
            for name in ("udp", "tcp"):
                self.assertFailed(flows[prefix + name], f"the receiver at {host.address}:9000")
                self.assertIsNone(flows[prefix + name]["received_packets"])


if __name__ == "__main__":
    lab.main()
