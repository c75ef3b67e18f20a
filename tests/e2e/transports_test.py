#!/usr/bin/env python3
"""Every transport, over IPv4 and IPv6, one way and round trip, with constant and exponential gaps: a capture on the
receiving host shows the number, sizes and order that were asked for, and the logs of both sides agree.

It runs on this machine's kernel. uml_matrix_test.py runs this file again in a kernel that has the missing transports,
for those only.
"""
import json
import os
import socket

import lab
from capture import messages_of

INSIDE = bool(os.environ.get("GROMA_INSIDE"))
TRANSPORTS = ["udp", "tcp", "icmp", "udplite", "mptcp", "sctp", "dccp", "usrsctp"]
KERNEL_NUMBERS = {"sctp": (socket.SOCK_STREAM, 132), "dccp": (6, 33), "mptcp": (socket.SOCK_STREAM, 262)}
METERS = ["one-way", "round-trip"]
# The filters of tcpdump. ICMP's other replies come from the receiver's own kernel, and are not of interest here.
FILTERS = {"udp": "udp", "tcp": "tcp", "mptcp": "tcp", "icmp": "icmp or icmp6", "udplite": "proto 136 or ip6 proto 136",
           "sctp": "sctp or ip6 proto 132", "dccp": "proto 33 or ip6 proto 33", "usrsctp": "udp port 9899"}
PACKETS = 60 if INSIDE else 200
TRIED = ["sctp", "dccp"] if INSIDE else TRANSPORTS


def kernel_has(transport: str) -> bool:
    if transport not in KERNEL_NUMBERS:
        return True
    kind, protocol = KERNEL_NUMBERS[transport]
    try:
        socket.socket(socket.AF_INET, kind, protocol).close()
    except OSError:
        return False
    return True


class Transports(lab.LabTest):
    keeps_hosts = True

    def experiment(self, transport, address, meter="one-way"):
        """Two flows, of constant and of exponential gaps."""
        rate = 100 if INSIDE else 500
        (self.folder / "two.toml").write_text(f"""
            seed = 7
            [defaults]
            to = "{address}"
            transport = "{transport}"
            meter = "{meter}"
            size = "unif:20:1000"
            packets = {PACKETS}
            [[flow]]
            idt = "const:{rate}pps"
            [[flow]]
            idt = "exp:{rate}pps"
        """)
        return "two.toml"

    def asked(self, experiment):
        """The sizes of the packets of each flow, in order."""
        sizes = {1: [], 2: []}
        for line in self.a.groma("send", experiment, "--dry-run=json").stdout.splitlines():
            departure = json.loads(line)
            if "seq" in departure:
                sizes[departure["flow"]].append(departure["size"])
        return [sizes[1], sizes[2]]

    def check(self, transport: str, address: str, meter: str, asked):
        experiment = self.experiment(transport, address, meter)
        witness = self.b.witness(f"({FILTERS[transport]}) and not port 9000", bytes_kept=65535, direction="inout")
        report = json.loads(self.a.groma("send", experiment, "--log", "send.glog", "--receiver-log", "recv.glog",
                                         "--json").stdout)
        self.b.await_ends()
        packets = witness.packets()
        there = [packet for packet in packets if packet.source in self.a.packed]
        back = [packet for packet in packets if packet.source in self.b.packed]
        wanted = [[sum(sizes)] for sizes in asked] if lab.STREAMS.get(transport) else asked
        self.assertEqual(sorted(messages_of(there, transport)), sorted(wanted))
        replied = [sizes for sizes in messages_of(back, transport, lambda packet: packet.source_port) if any(sizes)]
        self.assertEqual(sorted(replied), sorted(wanted) if meter == "round-trip" else [])
        flows = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
        for flow, sizes in zip(flows, asked, strict=True):
            self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["received_bytes"]), (PACKETS, PACKETS, sum(sizes)))
            self.assertEqual((flow["lost"], flow["reordered"], flow["duplicates"]), (0, 0, 0))
            self.assertEqual(flow["received_size_max_bytes"], max(sizes))
        self.check_round_trips([flow["round_trip"] for flow in report["flows"]], meter, asked)

    def check_round_trips(self, trips, meter, asked):
        if meter == "one-way":
            self.assertEqual(trips, [None, None])
            return
        for trip, sizes in zip(trips, asked, strict=True):
            self.assertEqual((trip["replied_packets"], trip["returned_packets"], trip["returned_bytes"]), (PACKETS, PACKETS, sum(sizes)))
            self.assertEqual((trip["forward_lost"], trip["backward_lost"], trip["duplicates"]), (0, 0, 0))
            self.assertEqual((trip["reordered"], trip["malformed_packets"], trip["rtt_count"]), (0, 0, PACKETS))

    def test_every_transport(self):
        receiver = self.b.receiver()
        asked = self.asked(self.experiment("udp", self.b.address))  # a schedule does not depend on the transport
        for transport in TRIED:
            for address in (self.b.address, self.b.address6):
                if not kernel_has(transport):
                    with self.subTest(transport=transport, address=address):
                        self.refused(transport, address)
                    continue
                for meter in METERS[:1] if transport == "usrsctp" else METERS:  # SCTP in user space has no replies
                    with self.subTest(transport=transport, address=address, meter=meter):
                        self.check(transport, address, meter, asked)
        self.assertEqual(receiver.stop(), 0)

    def refused(self, transport, address):
        """A kernel without the protocol: the run does not start, and the message says what to do."""
        self.assertFalse(INSIDE, f"this kernel should have {transport}")
        result = self.a.groma("send", self.experiment(transport, address), check=False)
        self.assertSaid(result, 1, transport.upper(), "this kernel has no")

    def test_the_list_says_what_works(self):
        said = self.a.groma("send", "--list-transports").stdout
        for transport in TRANSPORTS:
            line = next(line for line in said.splitlines() if line.split()[:1] == [transport])
            self.assertEqual(line.split()[1:], ["yes" if kernel_has(transport) else "no"] * 4, said)


if __name__ == "__main__":
    lab.main()
