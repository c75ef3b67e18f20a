#!/usr/bin/env python3
"""Flows that come to who asks for them: schedules, counts and sizes by a witness, on two hosts and out of a NAT."""
import json

import lab
from flows import table
from nat_test import TRANSPORTS, NatTest


class Reverse(lab.LabTest):
    def report(self, *arguments, status=0) -> dict:
        result = self.a.groma("send", *arguments, "--json", check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def test_the_far_host_sends_what_the_seed_says(self):
        self.b.receiver()
        flow = ["--to", self.b.address, "--idt", "exp:2000pps", "--size", "unif:64:1400", "--packets", "1000", "--seed", "7"]
        asked = [json.loads(line) for line in self.a.groma("send", *flow, "--dry-run=json").stdout.splitlines()]
        witness = self.a.witness("udp")
        report = self.report(*flow, "--reverse", "--log", "here.glog", "--receiver-log", "there.glog")
        seen = [packet.payload for packet in witness.packets() if packet.payload != 24]  # a punch is no packet of the flow
        self.assertEqual(seen, [departure["size"] for departure in asked if "seq" in departure and departure["size"] != 24])
        flow, = report["flows"]
        self.assertEqual((flow["direction"], flow["sent_packets"], flow["received_packets"]), ("reverse", 1000, 1000))
        decoded, = self.decoded("here.glog", "there.glog")["runs"]
        self.assertEqual(decoded["run_id"], report["run"]["run_id"])
        self.assertEqual((decoded["flows"][0]["sent_packets"], decoded["flows"][0]["lost"]), (1000, 0))

    def test_both_directions_are_one_run_of_one_report(self):
        self.b.receiver()
        report = self.report("--to", self.b.address, "--bidir", "--flows", "2", "--packets", "200", "--idt", "const:1000pps",
                             "--log", "here.glog", "--receiver-log", "there.glog")
        self.assertEqual([flow["direction"] for flow in report["flows"]], ["forward", "forward", "reverse", "reverse"])
        self.assertEqual([flow["received_packets"] for flow in report["flows"]], [200] * 4)
        self.assertEqual(report["total"]["received_packets"], 800)
        logs = ["here.glog", "there.glog", "here-reverse.glog", "there-reverse.glog"]
        decoded, = self.decoded(*logs)["runs"]
        self.assertEqual([flow["lost"] for flow in decoded["flows"]], [0] * 4)

    def test_flows_come_over_ipv6(self):
        self.b.receiver()
        report = self.report("--to", f"[{self.b.address6}]", "--bidir", "--transport", "tcp", "--packets", "50")
        self.assertEqual([flow["received_packets"] for flow in report["flows"]], [50] * 2)

    def test_flows_of_a_file_say_their_directions(self):
        self.b.receiver()
        flows = [{"name": name, "to": self.b.address, "direction": name, "packets": 50, "transport": transport, "meter": meter}
                 for name, transport, meter in (("forward", "udp", "one-way"), ("reverse", "tcp", "round-trip"),
                                                ("both", "icmp", "round-trip"))]
        (self.folder / "flows.toml").write_text("".join(table("[[flow]]", flow) for flow in flows))
        report = self.report("flows.toml")
        self.assertEqual([(flow["name"], flow["direction"], flow["received_packets"]) for flow in report["flows"]],
                         [("forward", "forward", 50), ("reverse", "reverse", 50), ("both", "forward", 50),
                          ("both-reverse", "reverse", 50)])
        self.assertEqual([flow["round_trip"]["returned_packets"] for flow in report["flows"][1:]], [50] * 3)

    def test_a_receiver_that_sends_nothing_says_so(self):
        self.b.receiver("--reverse-runs", "0")
        result = self.a.groma("send", "--to", self.b.address, "--bidir", "--packets", "5", check=False)
        self.assertSaid(result, 1, "--reverse-runs")


class ReverseOutOfNat(NatTest):
    def test_flows_of_every_kernel_transport_come_in_over_the_connections_that_went_out(self):
        self.a.receiver()
        for transport in TRANSPORTS:
            with self.subTest(transport):
                witness = self.a.witness("host " + self.router.address, direction="out")
                result = self.inside.groma("send", "--to", self.a.address, "--bidir", "--transport", transport, "--packets", "200",
                                           "--idt", "exp:1000pps", "--size", "unif:100:600", "--json")
                forward, reverse = json.loads(result.stdout)["flows"]
                self.assertEqual((forward["received_packets"], reverse["received_packets"]), (200, 200))
                sent = [sizes for sizes in witness.messages(transport) if sum(sizes) == reverse["sent_bytes"]]
                self.assertEqual(len(sent), 1, "the packets of the flow, at the host that sent them")

    def test_a_stranger_gets_no_flow(self):
        """Another host than the one that asked cannot call in, and the receiver aims at no third host."""
        self.a.receiver()
        witness = self.stranger.witness("udp")
        result = self.stranger.run("python3", "-c", CALLER, self.a.address)
        self.assertIn("no run of this receiver awaits such a call", result.stdout)
        self.assertEqual(witness.packets(), [])


CALLER = """
import json, socket, sys
connection = socket.create_connection((sys.argv[1], 9000))
text = json.dumps({"type": "call_in", "program": "x", "name": "0" * 32}).encode()
connection.sendall(len(text).to_bytes(4, "big") + text)
print(connection.recv(4096).decode(errors="replace"))
"""


if __name__ == "__main__":
    lab.main()
