#!/usr/bin/env python3
"""The round-trip meter against captures: times, losses of either direction, which hosts are answered, and which are
not."""
import json
import signal
import socket
import struct

import capture
import lab

PORT = 5005
PACKETS = 200
HEADER = struct.Struct(">IqIHBBqq")  # a reply's: seq, sent_at, flow, magic, version, flags, reflected_at, replied_at
REPLY = 1


def payload(packet: capture.CapturedPacket) -> bytes:
    return packet.segment[8:]  # of UDP and ICMP


class RoundTrip(lab.LabTest):
    hosts = 3

    def send(self, *options, address=None, host=None, check=True) -> dict:
        """A run with the meter; returns the report's figures of its flow."""
        sender = host or self.a
        result = sender.groma("send", "--to", address or self.b.address, "--meter", "round-trip", "--port", PORT, "--packets",
                              PACKETS, "--wait", "1s", "--json", *options, check=check)
        return json.loads(result.stdout)["flows"][0]

    def drop(self, host: lab.Host, every: int, what: str):
        """This host drops every n-th incoming packet of this kind, beginning with the first."""
        host.run("nft", "add table inet lab")
        host.run("nft", "add chain inet lab in { type filter hook input priority 0; }")
        host.run("nft", f"add rule inet lab in {what} numgen inc mod {every} == 0 drop")

    def test_times_are_those_that_the_capture_has(self):
        self.b.receiver()
        witness = self.a.witness(f"udp port {PORT}", bytes_kept=256)
        flow = self.send("--idt", "exp:500pps", "--size", "unif:36:1000", "--log", "send.glog")
        back = flow["round_trip"]
        replies = [(p, HEADER.unpack(payload(p)[:HEADER.size])) for p in witness.packets()]
        self.assertEqual(len(replies), PACKETS)
        self.assertTrue(all(header[5] == REPLY and header[3] == 0x6772 for _, header in replies))
        times = sorted(packet.time_ns - header[1] for packet, header in replies)
        less = sorted(packet.time_ns - header[1] - (header[7] - header[6]) for packet, header in replies)
        for name, truth in (("rtt", times), ("rtt_network", less)):
            self.assertEqual((back[f"{name}_count"], back[f"{name}_min_ns"], back[f"{name}_max_ns"]), (PACKETS, truth[0], truth[-1]))
            self.assertAlmostEqual(back[f"{name}_mean_ns"], sum(truth) / PACKETS, delta=1)
        self.assertTrue(all(header[7] >= header[6] for _, header in replies))
        self.assertEqual((back["forward_lost"], back["backward_lost"], back["untimed"]), (0, 0, 0))

    def test_losses_forward_and_backward_are_told_apart(self):
        receiver = self.b.receiver()
        self.drop(self.b, 10, f"udp dport {PORT}")
        self.drop(self.a, 9, f"udp sport {PORT}")
        sent = self.b.witness(f"udp port {PORT}", direction="inout")
        flow = self.send("--idt", "const:1000pps", "--size", "100", "--receiver-log", "recv.glog")
        back = flow["round_trip"]
        self.assertEqual((flow["sent_packets"], flow["received_packets"]), (PACKETS, 180))
        self.assertEqual((back["forward_lost"], back["replied_packets"], back["backward_lost"], back["returned_packets"]), (20, 180, 20, 160))
        ways = [p.port == PORT for p in sent.packets()]
        self.assertEqual((ways.count(True), ways.count(False)), (PACKETS, 180))
        self.assertEqual(receiver.stop(), 0)
        self.assertIn("180 sent back", receiver.said)

    def test_small_packets_and_those_with_less_of_a_header(self):
        self.b.receiver()
        for options, timed in ((("--size", "8"), PACKETS), (("--size", "600", "--header", "sequence"), PACKETS),
                               (("--size", "600", "--header", "none"), 0), (("--size", "2"), 0)):
            with self.subTest(options=options):
                back = self.send("--idt", "const:1000pps", *options)["round_trip"]
                self.assertEqual((back["returned_packets"], back["rtt_count"], back["untimed"]), (PACKETS, timed, PACKETS - timed))
                lost = 0 if timed else None  # copies of packets without a number cannot be told, and may hide losses
                self.assertEqual((back["forward_lost"], back["backward_lost"], back["duplicates"]), (lost, lost, 0))
                self.assertEqual(back["rtt_network_count"], 0)

    def test_icmp_from_a_raw_socket_and_from_an_unprivileged_one(self):
        self.b.receiver()
        self.a.run("sysctl", "-w", "net.ipv4.ping_group_range=0 0")
        plain = ("setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw")
        for address in (self.b.address, self.b.address6):
            for privileges in ((), plain):
                with self.subTest(address=address, privileges=privileges):
                    witness = self.b.witness("icmp or icmp6", direction="inout", bytes_kept=2048)
                    result = self.a.run(*privileges, lab.BIN / "groma-send", "--to", address, "--meter", "round-trip",
                                        "--transport", "icmp", "--idt", "exp:500pps", "--size", "unif:20:1000", "--packets",
                                        PACKETS, "--json")
                    back = json.loads(result.stdout)["flows"][0]["round_trip"]
                    self.assertEqual((back["returned_packets"], back["malformed_packets"], back["backward_lost"]), (PACKETS, 0, 0))
                    packets = witness.packets()
                    requests = [p for p in packets if p.sequence < 0x8000]
                    replies = [p for p in packets if p.sequence >= 0x8000]
                    self.assertEqual([p.payload for p in requests], [p.payload for p in replies])
                    self.assertEqual([p.sequence | 0x8000 for p in requests], [p.sequence for p in replies])
                    self.assertEqual(len(requests), PACKETS)

    def test_strangers_and_replies_are_not_answered(self):
        stranger, = self.more
        receiver = self.b.receiver()
        witness = self.b.witness(f"udp port {PORT}", direction="inout")
        # A packet like the flow's, from another host; and from the sender's host one with the flag of a reply.
        header = struct.pack(">IqIHBB", 0, 0, 1, 0x6772, 1, 0)
        forged = struct.pack(">IqIHBB", 0, 0, 1, 0x6772, 1, REPLY)
        code = (f"import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
                f"for _ in range(50): s.sendto(bytes.fromhex('%s'), ('{self.b.address}', {PORT}))\n")
        sender = self.a.start_groma("send", "--to", self.b.address, "--meter", "round-trip", "--port", PORT, "--duration", "1h", "--idt",
                                    "const:200pps", "--size", "100", "--json=report.json")
        receiver.await_datagrams()
        for host, start in ((stranger, header), (self.a, forged)):
            host.run("python3", "-c", code % (start + bytes(80)).hex())
        sender.stop(signal.SIGINT)
        flow, = json.loads((self.folder / "report.json").read_text())["flows"]
        answered = [p for p in witness.packets() if p.source_port == PORT]
        self.assertEqual((flow["round_trip"]["replied_packets"], flow["round_trip"]["returned_packets"]), (flow["sent_packets"],) * 2)
        self.assertEqual(len(answered), flow["sent_packets"])
        self.assertEqual({p.destination for p in answered}, {socket.inet_aton(self.a.address)})
        self.assertEqual((flow["foreign_packets"], flow["malformed_packets"]), (50, 50))

    def test_a_reply_that_nobody_awaits_any_more_is_no_error(self):
        """The sender of a stream ends early: the receiver continues, and serves the next one."""
        receiver = self.b.receiver()
        for transport in ("tcp", "mptcp", "udp"):
            back = self.send("--transport", transport, "--idt", "const:2000pps", "--size", "20000")["round_trip"]
            self.assertEqual((back["returned_packets"], back["backward_lost"]), (PACKETS, 0), transport)
        self.assertEqual(receiver.stop(), 0)


if __name__ == "__main__":
    lab.main()
