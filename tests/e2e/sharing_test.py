#!/usr/bin/env python3
"""Flows over UDP that share a socket are kept apart. scale_test.py has very many of them."""
import collections
import json

import lab
from capture import flow_and_number
from two_hosts_test import results


def flow_of(packet) -> int:
    return flow_and_number(packet)[0]


class ManyTest(lab.LabTest):
    def send(self, *arguments, status=0) -> dict:
        result = self.a.groma("send", "--to", self.b.address, "--json", "--quiet", *arguments, check=False)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout[-2000:])
        return json.loads(result.stdout)


class Sharing(ManyTest):
    def test_two_hundred_flows_on_one_socket_are_told_apart(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        report = self.send("--flows", "200", "--association", "1", "--idt", "const:10pps", "--size", "const:100", "--packets", "10",
                           "--start-spread", "100ms", "--log", "send.glog", "--receiver-log", "recv.glog")
        packets = witness.packets()
        self.assertEqual(len({(p.source_port, p.port) for p in packets}), 1, "one socket on either side")
        self.assertEqual({p.payload for p in packets}, {100})
        self.assertEqual(collections.Counter(map(flow_of, packets)), {number: 10 for number in range(1, 201)})
        self.assertEqual({(f["received_packets"], f["lost"], f["malformed_packets"]) for f in report["flows"]},
                         {(10, 0, 0)})
        found = results(self.folder, "send.glog", "recv.glog").execute(
            "SELECT sent_packets, received_packets, lost, COUNT(*) AS flows FROM flows GROUP BY 1, 2, 3").fetchall()
        self.assertEqual([tuple(row) for row in found], [(10, 10, 0, 200)])

    def test_starts_are_spread_in_the_order_of_the_flows(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        self.send("--flows", "5", "--idt", "const:1pps", "--size", "const:64", "--packets", "1", "--start-spread", "1s", "--log", "send.glog")
        self.assertEqual([flow_of(packet) for packet in witness.packets()], [1, 2, 3, 4, 5])
        starts = [json.loads(line) for line in self.a.groma(
            "send", "--to", self.b.address, "--flows", "5", "--idt", "const:1pps", "--packets", "1", "--start-spread", "1s",
            "--dry-run=json").stdout.splitlines()]
        self.assertEqual([round(departure["offset_s"] * 1000) for departure in starts if "seq" in departure],
                         [0, 200, 400, 600, 800])

    def test_what_cannot_be_told_apart_is_refused_with_words(self):
        self.b.receiver()
        for arguments, words in ((["--size", "const:19"], "sizes are from 20 to"),
                                 (["--size", "const:100", "--header", "sequence"], "it must be full"),
                                 (["--size", "const:100", "--meter", "round-trip"], "of the flow's own")):
            with self.subTest(arguments=arguments):
                refused = self.a.groma("send", "--to", self.b.address, "--flows", "2", "--association", "1", *arguments, check=False)
                self.assertSaid(refused, 2, words)

    def test_flows_of_other_options_cannot_have_the_same_socket(self):
        self.b.receiver()
        flows = "".join(f'[[flow]]\nds_byte = {value}\n' for value in (0, 184))
        (self.folder / "flows.toml").write_text(f'[defaults]\nto = "{self.b.address}"\npackets = 3\nassociation = 1\n{flows}')
        refused = self.a.groma("send", "flows.toml", check=False)
        self.assertSaid(refused, 1, "flow 2", "have the same options")


if __name__ == "__main__":
    lab.main()
