#!/usr/bin/env python3
"""Flows to multicast groups: three receivers on one switch, each with a capture, and a second sender to the same
group. Any-source receivers count its packets as foreign; source-specific ones never get them."""
import json
import signal
import sys

import lab

PACKETS = 100
GROUP, GROUP6, SOURCE_SPECIFIC, SOURCE_SPECIFIC6 = "239.1.1.1", "ff15::4711", "232.1.1.1", "ff35::8000:1"

# Another sender to a group.
STRANGER = """
import socket, sys
group, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
family = socket.AF_INET6 if ":" in group else socket.AF_INET
out = socket.socket(family, socket.SOCK_DGRAM)
index = socket.if_nametoindex("eth0")
if family == socket.AF_INET6:
    out.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
else:
    out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, bytes(8) + index.to_bytes(4, "little"))
for _ in range(count):
    out.sendto(b"not of this run", (group, port))
"""


class Multicast(lab.LabTest):
    hosts = 4

    def setUp(self):
        super().setUp()
        self.receivers = [self.b, *self.more]

    def start_receivers(self):
        return [host.receiver("--log-dir", self.folder) for host in self.receivers]

    def send(self, *arguments, ipv6=False, check=True):
        to = ",".join(f"[{host.address6}]" if ipv6 else host.address for host in self.receivers)
        return self.a.groma("send", "--to", to, "--idt", "const:500pps", "--size", "unif:40:400", "--packets", PACKETS, "--seed", "3",
                            "--log", "send.glog", "--json", *arguments, check=check)

    def check_all_got_it(self, report):
        flow, = report["flows"]
        self.assertEqual([one["received_packets"] for one in flow["receivers"]], [PACKETS] * len(self.receivers))
        self.assertEqual([one["lost"] for one in flow["receivers"]], [0] * len(self.receivers))
        self.assertEqual((flow["received_packets"], flow["lost"]), (PACKETS, 0))

    def test_every_receiver_of_a_group_gets_every_packet(self):
        self.start_receivers()
        for group, transport in ((GROUP, "udp"), (GROUP6, "udp"), (GROUP, "udplite"), (SOURCE_SPECIFIC, "udp"),
                                 (SOURCE_SPECIFIC6, "udp")):
            with self.subTest(group=group, transport=transport):
                specific = ["--source-specific", "on"] if group in (SOURCE_SPECIFIC, SOURCE_SPECIFIC6) else []
                witnesses = [host.witness(f"dst host {group}") for host in self.receivers]
                report = json.loads(self.send("--group", group, "--transport", transport, *specific, ipv6=":" in group).stdout)
                self.check_all_got_it(report)
                seen = [[(p.payload, p.port, p.ip.ttl) for p in witness.packets() if p.protocol == transport]
                        for witness in witnesses]
                self.assertEqual(len(seen[0]), PACKETS)
                self.assertEqual(seen[1:], [seen[0]] * (len(seen) - 1))
                self.assertEqual({ttl for _, _, ttl in seen[0]}, {1})
                self.assertEqual(report["flows"][0]["sent_bytes"], sum(payload for payload, _, _ in seen[0]))

    def test_a_second_sender_is_foreign_or_not_heard_at_all(self):
        programs = self.start_receivers()[:2]
        self.receivers, stranger = self.receivers[:2], self.receivers[2]
        for group, specific, foreign in ((GROUP, "off", 50), (SOURCE_SPECIFIC, "on", 0), (SOURCE_SPECIFIC6, "on", 0)):
            with self.subTest(group=group):
                sending = self.a.start_groma("send", "--to", ",".join(
                    f"[{h.address6}]" if ":" in group else h.address for h in self.receivers), "--group", group, "--port", "5007",
                    "--source-specific", specific, "--idt", "const:50pps", "--size", "100", "--duration", "1h", "--json=report.json")
                self.wait_until_heard(programs, "Udp6InDatagrams" if ":" in group else "Udp.InDatagrams")
                witness = self.b.witness(f"src host {stranger.address6 if ':' in group else stranger.address}")
                stranger.run(sys.executable, "-c", STRANGER, group, 5007, 50)
                self.assertEqual(len([p for p in witness.packets() if p.port == 5007]), 50)
                sending.stop(signal.SIGINT)
                flow, = json.loads((self.folder / "report.json").read_text())["flows"]
                self.assertGreater(flow["sent_packets"], 0)
                self.assertEqual([(one["received_packets"], one["foreign_packets"], one["malformed_packets"])
                                  for one in flow["receivers"]], [(flow["sent_packets"], foreign, 0)] * 2)

    def wait_until_heard(self, programs, arrived="Udp.InDatagrams"):
        """Waits until packets arrive at all of them, by the counters of their hosts' kernels."""
        before = [program.count(arrived) for program in programs]
        lab.wait_until("the receivers to hear the sender",
                       lambda: all(program.count(arrived) > count for program, count in zip(programs, before)))

    def test_one_group_is_not_heard_by_the_receivers_of_another(self):
        self.start_receivers()
        (self.folder / "two.toml").write_text(f"""
            [defaults]
            packets = {PACKETS}
            idt = "const:500pps"
            size = "100"
            [[flow]]
            to = "{self.receivers[0].address}, {self.receivers[1].address}"
            group = "239.1.1.1"
            [[flow]]
            to = "{self.receivers[1].address}, {self.receivers[2].address}"
            group = "239.1.1.2"
        """)
        report = json.loads(self.a.groma("send", "two.toml", "--json").stdout)
        for flow in report["flows"]:
            self.assertEqual([(r["received_packets"], r["foreign_packets"], r["malformed_packets"])
                              for r in flow["receivers"]], [(PACKETS, 0, 0)] * 2)

    def test_the_ttl_is_what_was_asked_for(self):
        self.start_receivers()
        witness = self.b.witness(f"dst host {GROUP}")
        self.send("--group", GROUP, "--ttl", "7")
        self.assertEqual({packet.ip.ttl for packet in witness.packets()}, {7})

    def test_a_receiver_that_dies_does_not_disturb_the_others(self):
        programs = self.start_receivers()
        sending = self.a.start_groma("send", "--to", ",".join(host.address for host in self.receivers), "--group", GROUP, "--idt",
                                     "const:100pps", "--size", "100", "--duration", "1h", "--json=report.json")
        self.wait_until_heard(programs)
        first, died, last = programs
        died.kill()
        for alive in (first, last):
            alive.await_datagrams(alive.count("Udp.InDatagrams") + 100)
        self.assertEqual(sending.stop(signal.SIGINT), 1, sending.said)
        report = json.loads((self.folder / "report.json").read_text())
        flow, = report["flows"]
        self.assertEqual(flow["end"], "interrupted")
        first, died, last = flow["receivers"]
        self.assertEqual([first["received_packets"], last["received_packets"]], [flow["sent_packets"]] * 2)
        self.assertIsNone(died["received_packets"])
        self.assertIn(self.receivers[1].address, " ".join(report["errors"]))

    def test_what_cannot_be_is_refused_before_anything_is_sent(self):
        self.start_receivers()
        self.assertSaid(self.send("--group", "10.99.0.77", check=False), 2, "not a multicast address")
        self.assertSaid(self.send("--group", GROUP6, check=False), 2, "different families")
        self.assertSaid(self.send(check=False), 2, "multicast group")
        self.assertSaid(self.send("--group", GROUP, "--transport", "tcp", check=False), 2, "group is of udp or udplite only")


if __name__ == "__main__":
    lab.main()
