"""Receivers behind NAT: they dial the sender through a router that masquerades and admits no new connections."""
import json
import signal
import socket

import lab
import links
from capture import PROTOCOLS_OF
from flows import table

INSIDE = 7
# UDP-Lite would behave like UDP (tests/common/net/nat/flow_listener_test.cpp), but Linux does not masquerade it.
TRANSPORTS = ("udp", "tcp", "mptcp")

RULES = """
table inet nat {
  chain postrouting {
    type nat hook postrouting priority srcnat;
    oifname "eth0" masquerade
  }
}
table inet filter {
  chain shut {
  }
  chain forward {
    type filter hook forward priority filter; policy drop;
    jump shut
    ct state established,related accept
    iifname "net7" accept
  }
  chain input {
    type filter hook input priority filter;
    iifname "eth0" meta l4proto { tcp, udp, udplite } ct state new drop
  }
}
"""

# Sends bytes without a valid token to the ports of flows, over UDP also bytes that look like one, and prints the number
# of bytes that TCP answers.
STRANGER = """
import socket, sys
host, udp, tcp = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
answers = 0
for words in (b"hello", b"Groma\\x1ak\\x01" + bytes(16), b"Groma\\x1ak\\x01" + bytes(1000)):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(words, (host, udp))
    connection = socket.create_connection((host, tcp))
    connection.sendall(words.ljust(24))
    try:
        answers += len(connection.recv(100))
    except ConnectionError:
        pass
print(answers, "bytes")
"""


class NatTest(lab.LabTest):
    hosts = 4

    def setUp(self):
        super().setUp()
        self.router, self.inside, self.stranger = self.b, *self.more
        links.link(self.router, self.inside, INSIDE)
        self.inside.run("ip", "link", "set", "eth0", "down")
        self.inside.run("ip", "route", "add", "default", "via", links.address_of(self.router, INSIDE))
        self.inside.run("ip", "-6", "route", "add", "default", "via", links.address6_of(self.router, INSIDE))
        self.router.run("sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
        (self.folder / "rules.nft").write_text(RULES)
        self.router.run("nft", "-f", "rules.nft")

    def dial(self, *arguments, address=None):
        program = self.inside.start_groma("recv", "--dial", address or self.a.address, *arguments)
        program.wait_for("dialling")
        return program

    def passive(self, *arguments):
        program = self.a.start_groma("send", "--passive", "9002", "--open-to-anyone", "--json", *arguments)
        program.wait_for("awaiting")
        return program

    def report(self, sender, status=0) -> dict:
        self.assertEqual(sender.wait(), status, sender.said)
        return json.loads(sender.output.read_text())

    def experiment(self, *flows) -> str:
        (self.folder / "flows.toml").write_text("".join(table("[[flow]]", flow) for flow in flows))
        return "flows.toml"

    def assertReceiverBegins(self, packets, address: str, protocol: str):
        """At each port of the sender, the first packet came from the other side."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        own = socket.inet_pton(family, address)
        first = {}
        for packet in packets:
            inward = packet.destination == own
            first.setdefault((packet.protocol, packet.port if inward else packet.source_port), inward)
        self.assertIn(("tcp", 9002), first)
        self.assertGreaterEqual(len([key for key in first if key[0] == protocol]), 2, first)
        self.assertTrue(all(first.values()), first)


class Nat(NatTest):
    def check_flows(self, transport: str, address: str):
        protocol = PROTOCOLS_OF[transport]
        at_sender = self.a.witness(f"host {address}", direction="inout")
        at_receiver = self.inside.witness(f"src host {address} and not port 9002", device="net7")
        receiver = self.dial("--once", address=address)
        sender = self.passive("--transport", transport, "--flows", "2", "--packets", "200", "--idt", "exp:400pps", "--size",
                              "unif:100:600", "--receiver-log", f"{transport}.glog")
        report = self.report(sender)
        self.assertEqual(receiver.wait(), 0, receiver.said)
        self.inside.await_ends()
        expected = sorted(flow["sent_bytes"] for flow in report["flows"])
        for flow in report["flows"]:
            self.assertEqual((flow["sent_packets"], flow["received_packets"]), (200, 200), flow)
            self.assertEqual((flow["malformed_packets"], flow["foreign_packets"]), (0, 0), flow)
        seen = at_receiver.messages(transport)
        self.assertEqual(sorted(sum(sizes) for sizes in seen), expected)
        if not lab.STREAMS.get(transport):
            self.assertEqual([len(sizes) for sizes in seen], [200, 200])
        self.assertReceiverBegins(at_sender.packets(), address, protocol)
        decoded = self.decoded(f"{transport}.glog")
        self.assertEqual([flow["received_packets"] for flow in decoded["runs"][0]["flows"]], [200, 200])

    def test_flows_of_every_kernel_transport_pass_over_ipv4(self):
        for transport in TRANSPORTS:
            with self.subTest(transport):
                self.check_flows(transport, self.a.address)

    def test_flows_of_every_kernel_transport_pass_over_ipv6(self):
        for transport in TRANSPORTS:
            with self.subTest(transport):
                self.check_flows(transport, self.a.address6)

    def test_receivers_are_told_apart_by_their_names(self):
        file = self.experiment({"to": "beta", "packets": 50}, {"to": "gamma", "packets": 70, "transport": "tcp"})
        beta = self.dial("--as", "beta", "--once")
        unknown = self.dial("--as", "delta")
        beta.wait_for("calling on")  # there is no listener yet
        sender = self.passive(file, "--receiver-log", "recv.glog")
        unknown.wait_for("awaits no receiver called 'delta'")
        self.assertIn("it awaits ", unknown.said)
        gamma = self.dial("--as", "gamma", "--once", "--log-dir", self.folder)
        received = [flow["received_packets"] for flow in self.report(sender)["flows"]]
        self.assertEqual(received, [50, 70])
        self.assertEqual((beta.wait(), gamma.wait()), (0, 0))
        self.assertEqual(beta.said.count("calling on"), 1, beta.said)
        self.assertTrue((self.folder / "recv-beta.glog").exists() and (self.folder / "recv-gamma.glog").exists())

    def test_a_receiver_that_does_not_call_is_named(self):
        file = self.experiment({"to": "beta", "packets": 50}, {"to": "gamma", "packets": 70})
        sender = self.passive(file, "--passive-wait", "2s")
        self.dial("--as", "beta")
        self.assertEqual(sender.wait(), 1)
        self.assertIn("the receiver gamma did not call within 2 s", sender.said)
        self.assertIn("the receiver gamma did not call within 2 s", json.loads(sender.output.read_text())["error"])

    def test_strangers_get_nothing(self):
        self.router.run("nft", "add", "rule", "inet", "filter", "shut", "udp", "dport", "5000", "drop")
        file = self.experiment({"to": "beta", "port": 5000, "packets": 100, "idt": "const:100pps"},
                               {"to": "beta", "port": 5001, "packets": 100, "transport": "tcp", "idt": "const:100pps"})
        self.router.run("nft", "add", "rule", "inet", "filter", "shut", "tcp", "dport", "5001", "drop")
        sender = self.passive(file)
        receiver = self.dial("--as", "beta", "--once")
        receiver.wait_for("called")
        lab.wait_until("the sender to open the flow's port", lambda: ":5001" in self.a.run("ss", "-Hltn").stdout)
        (self.folder / "stranger.py").write_text(STRANGER)
        answers = self.a.witness(f"dst host {self.stranger.address} and (udp or icmp)", direction="out")
        before = sender.count("Udp.InDatagrams")
        said = self.stranger.run("python3", "-B", "stranger.py", self.a.address, "5000", "5001").stdout
        self.assertEqual(said, "0 bytes\n")
        sender.await_datagrams(before + 3)
        self.router.run("nft", "flush", "chain", "inet", "filter", "shut")
        report = self.report(sender)
        self.assertEqual(answers.packets(), [])
        self.assertEqual([flow["received_packets"] for flow in report["flows"]], [100, 100])
        for flow in report["flows"]:
            self.assertTrue(any(warning.startswith("3 datagrams or connections of strangers") for warning in flow["warnings"]), flow)
        self.assertEqual(receiver.wait(), 0, receiver.said)

    def test_either_side_notices_that_the_other_is_gone(self):
        receiver = self.dial("--as", "beta")
        sender = self.passive("--to", "beta", "--duration", "1h")
        receiver.wait_for("begins")
        sender.kill()
        receiver.wait_for("peer lost")
        sender = self.passive("--to", "beta", "--duration", "1h")  # the receiver calls again by itself
        lab.wait_until("a second run", lambda: receiver.said.count("begins") == 2)
        receiver.kill()
        self.assertEqual(sender.wait(), 1)
        self.assertIn("closed the connection", sender.said)

    def test_a_flow_that_is_silent_is_punched_for(self):
        """As often as requested; nat_silence_test.py shows that this keeps a router's mapping."""
        file = self.experiment({"to": "beta", "on": "const:100ms", "off": "const:1h", "duration": "2h", "idt": "const:100pps"})
        punches = self.a.start("tcpdump", "--immediate-mode", "-i", self.a.device, "-n", "-c", "20", "-Q", "in", "udp", name="tcpdump")
        punches.wait_for("listening on")
        receiver = self.dial("--as", "beta", "--once", "--keepalive", "100ms")
        sender = self.passive(file)
        self.assertEqual(punches.wait(), 0)
        sender.send_signal(signal.SIGINT)
        flow, = self.report(sender, status=sender.wait())["flows"]
        self.assertGreater(flow["sent_packets"], 0)
        self.assertEqual((flow["received_packets"], flow["malformed_packets"]), (flow["sent_packets"], 0))
        self.assertEqual(receiver.wait(), 0, receiver.said)

    def test_what_cannot_be_dialled_is_refused_with_the_reason(self):
        self.assertSaid(self.a.groma("send", "--passive", "9002", "--open-to-anyone", "--transport", "icmp", check=False), 2, "cannot send ICMP", "NAT")
        self.assertSaid(self.a.groma("send", "--passive", "9002", "--open-to-anyone", "--source", "10.0.0.1", check=False), 2, "leave out the source")
        self.assertSaid(self.a.groma("send", "--passive", "nowhere:1:2", check=False), 2, "--passive")
        self.assertSaid(self.a.groma("recv", "--dial", "10.0.0.1", "--open", check=False), 2, "--open cannot be given with --dial")
        self.assertSaid(self.a.groma("recv", "--as", "beta", check=False), 2, "--as requires --dial")


if __name__ == "__main__":
    lab.main()
