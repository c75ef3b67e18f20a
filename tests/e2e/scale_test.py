#!/usr/bin/env python3
"""Very many flows of one process to one: those over UDP share sockets, by choice or because there are so many of them."""
import collections
import json
import struct

import lab
from two_hosts_test import results

UDP_HEADER = 8
FLOW_AT = UDP_HEADER + 12  # in the packet's header (docs/wire-format.md)


def flow_of(packet) -> int:
    return struct.unpack_from(">I", packet.segment, FLOW_AT)[0]


class Scale(lab.LabTest):
    def send(self, *arguments, status=0) -> dict:
        result = self.a.groma("send", "--to", self.b.address, "--json", "--quiet", *arguments, check=False)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout[-2000:])
        return json.loads(result.stdout)

    def test_two_thousand_flows_on_one_socket_are_told_apart(self):
        self.b.receiver()
        witness = self.b.witness("udp", at_once=True)
        report = self.send("--flows", "2000", "--association", "1", "--idt", "const:5pps", "--size", "const:100", "--duration", "3s",
                           "--start-spread", "200ms", "--log", "send.glog", "--receiver-log", "recv.glog")
        packets = witness.packets()
        self.assertEqual(len({(p.source_port, p.port) for p in packets}), 1, "one socket on either side")
        self.assertEqual({p.payload for p in packets}, {100})
        seen = collections.Counter(map(flow_of, packets))
        self.assertEqual(seen, {number: 15 for number in range(1, 2001)})
        self.assertEqual({(f["received"]["packets"], f["received"]["lost"], f["received"]["malformed"]) for f in report["flows"]},
                         {(15, 0, 0)})
        found = results(self.folder, "send.glog", "recv.glog").execute(
            "SELECT sent_packets, received_packets, lost, COUNT(*) AS flows FROM flows GROUP BY 1, 2, 3").fetchall()
        self.assertEqual([tuple(row) for row in found], [(15, 15, 0, 2000)])

    def test_more_than_ten_thousand_flows_share_sockets_without_being_asked_to(self):
        self.b.receiver()
        witness = self.b.witness("udp", at_once=True)
        report = self.send("--flows", "10001", "--idt", "const:1pps", "--size", "const:64", "--packets", "2", "--start-spread", "1s",
                           "--log", "send.glog", "--receiver-log", "recv.glog")
        packets = witness.packets()
        self.assertEqual(len({p.port for p in packets}), 40)
        self.assertEqual(collections.Counter(map(flow_of, packets)), {number: 2 for number in range(1, 10002)})
        self.assertEqual(sum(f["received"]["packets"] for f in report["flows"]), 20002)
        totals = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
        self.assertEqual({(f["sent"]["packets"], f["received"]["packets"]) for f in totals}, {(2, 2)})

    def test_flows_that_are_to_have_sockets_of_their_own_have_them_among_many_too(self):
        self.b.receiver()
        witness = self.b.witness("udp", at_once=True)
        self.send("--flows", "1200", "--idt", "const:1pps", "--size", "const:64", "--packets", "1", "--start-spread", "1s",
                  "--own-socket", "on")
        self.assertEqual(len({(p.source_port, p.port) for p in witness.packets()}), 1200)

    def test_starts_are_spread_in_the_order_of_the_flows(self):
        self.b.receiver()
        witness = self.b.witness("udp", at_once=True)
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

    def test_five_hundred_tcp_flows_arrive_whole(self):
        self.b.receiver()
        witness = self.b.witness("tcp dst portrange 1024-65535 and tcp[tcpflags] & tcp-push != 0 and not port 9000", at_once=True)
        report = self.send("--flows", "500", "--transport", "tcp", "--idt", "const:5pps", "--size", "const:100", "--duration", "2s",
                           "--start-spread", "200ms", "--log", "send.glog", "--receiver-log", "recv.glog")
        by_port = collections.defaultdict(list)
        for packet in witness.packets():
            by_port[packet.port].append(packet)
        self.assertEqual({lab.stream_bytes(packets) for packets in by_port.values()}, {1000})
        self.assertEqual(len(by_port), 500)
        self.assertEqual({(f["received"]["packets"], f["received"]["lost"]) for f in report["flows"]}, {(10, 0)})
        found = results(self.folder, "send.glog", "recv.glog").execute(
            "SELECT sent_packets, received_packets, lost, COUNT(*) AS flows FROM flows GROUP BY 1, 2, 3").fetchall()
        self.assertEqual([tuple(row) for row in found], [(10, 10, 0, 500)])


if __name__ == "__main__":
    lab.main()
