#!/usr/bin/env python3
"""Batches that pass the sender's kernel as one message (UDP_SEGMENT): tcpdump on the receiving host sees every
packet, with its size and its number, whether the device splits them or not."""
import json
import struct

import lab

PACKETS = 5000
UDP_HEADER = 8


def numbers(captured, size: int) -> list[int]:
    """The sequence numbers in the order of arrival; a captured packet is one of `size` bytes, or several in a row."""
    found = []
    for packet in captured:
        payload = packet.segment[UDP_HEADER:]
        found += [struct.unpack_from(">I", payload, at)[0] for at in range(0, len(payload), size)]
    return found


class Segmentation(lab.LabTest):
    def send(self, *arguments, size=64) -> dict:
        """All packets are due within half a millisecond, so that they leave in batches. Returns the flow of the report."""
        self.b.receiver()
        said = self.a.groma("send", "--to", self.b.address, "--idt", "const:10Mpps", "--packets", PACKETS, "--size", f"const:{size}",
                            "--receive-buffer", "64MB", "--log", "send.glog", "--receiver-log", "recv.glog", "--json", *arguments)
        flow, = json.loads(said.stdout)["flows"]
        self.assertGreater(flow["packets_in_batches"], PACKETS / 2)
        self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"]), (PACKETS, PACKETS, 0))
        self.assertEqual((flow["reordered"], flow["malformed_packets"], flow["received_records_missing"]), (0, 0, 0))
        logged = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"][0]
        self.assertEqual((logged["sent_packets"], logged["received_packets"]), (PACKETS, PACKETS))
        return flow

    def test_every_packet_crosses_the_wire_by_itself_where_the_device_does_not_segment(self):
        witness = self.b.witness("udp dst portrange 1024-65535")
        self.assertEqual(self.send()["warnings"], [])
        captured = witness.packets()
        self.assertEqual([packet.payload for packet in captured], [64] * PACKETS)
        self.assertEqual(numbers(captured, 64), list(range(PACKETS)))

    def test_packets_stay_together_up_to_the_receiver_where_the_device_segments(self):
        self.a.segment_in_device(True)
        witness = self.b.witness("udp dst portrange 1024-65535", bytes_kept=8192)
        self.assertEqual(self.send()["warnings"], [])
        captured = witness.packets()
        self.assertLess(len(captured), PACKETS / 2)
        self.assertEqual(sum(packet.payload for packet in captured), 64 * PACKETS)
        self.assertEqual(numbers(captured, 64), list(range(PACKETS)))

    def test_segmentation_off_sends_each_packet_by_itself_whatever_the_device_can(self):
        self.a.segment_in_device(True)
        witness = self.b.witness("udp dst portrange 1024-65535")
        self.send("--segmentation", "off")
        captured = witness.packets()
        self.assertEqual([packet.payload for packet in captured], [64] * PACKETS)
        self.assertEqual(numbers(captured, 64), list(range(PACKETS)))

    def test_packets_larger_than_the_path_takes_in_one_piece_go_one_by_one_and_the_report_says_so(self):
        one_by_one, cut_up = self.send(size=2000)["warnings"]
        self.assertIn("packets of 2000 bytes and more go through the kernel one by one", one_by_one)
        self.assertEqual(cut_up, "packets of up to 2000 bytes are cut into fragments: the path's MTU is 1500 (sizes up to 1472 are not)")

    def test_packets_that_just_fit_the_path_go_together(self):
        witness = self.b.witness("udp dst portrange 1024-65535")
        self.assertEqual(self.send(size=1472)["warnings"], [])
        self.assertEqual([packet.payload for packet in witness.packets()], [1472] * PACKETS)

    def throttle(self):
        self.a.run("tc", "qdisc", "replace", "dev", self.a.device, "root", "tbf", "rate", "1mbit", "burst", "3000", "limit", "5000")

    def check_that_what_was_thrown_away_is_told(self, report, captured):
        flow, = report["flows"]
        dropped = flow["dropped"]
        self.assertGreater(dropped, 0)
        self.assertEqual(flow["sent_packets"], len(captured))
        self.assertEqual(flow["sent_packets"] + dropped, PACKETS)
        self.assertEqual((flow["received_packets"], flow["lost"]), (len(captured), 0))
        self.assertEqual(report["verdict"]["result"], "not_as_asked")
        return [warning for warning in flow["warnings"] if "(tbf) takes messages apart" in warning]

    def check_that_the_queue_is_named(self, report, one_by_one):
        drops, = report["run"]["queue_drops"]
        self.assertEqual(drops["queue"], f"tbf on {self.a.device}")
        self.assertIn(f"the sender's queue tbf on {self.a.device} dropped {drops['packets']} meanwhile", report["network"]["text"])
        statistics, = json.loads(self.a.run("tc", "-s", "-j", "qdisc", "show", "dev", self.a.device, "root").stdout)
        self.assertLessEqual(drops["packets"], statistics["drops"])
        self.assertGreaterEqual(drops["packets"], report["flows"][0]["dropped"] if one_by_one else 1)

    def test_what_a_queue_of_the_senders_own_device_throws_away_counts_as_dropped_and_not_as_sent(self):
        self.throttle()
        self.b.receiver()
        for segmentation in ("auto", "off"):
            with self.subTest(segmentation=segmentation):
                witness = self.b.witness("udp dst portrange 1024-65535")
                said = self.a.groma("send", "--to", self.b.address, "--idt", "const:10Mpps", "--packets", PACKETS, "--size", "const:64",
                                    "--segmentation", segmentation, "--json", check=False)
                report = json.loads(said.stdout)
                warnings = self.check_that_what_was_thrown_away_is_told(report, numbers(witness.packets(), 64))
                self.check_that_the_queue_is_named(report, segmentation == "off")
                self.assertEqual(len(warnings), 1 if segmentation == "auto" else 0)

    def test_it_does_so_too_on_flows_that_the_receiver_has_dialled(self):
        self.throttle()
        witness = self.b.witness(f"udp and src host {self.a.address}")
        receiver = self.b.start_groma("recv", "--dial", self.a.address, "--once", "--as", "beta")
        sender = self.a.start_groma("send", "--passive", "9002", "--open-to-anyone", "--to", "beta", "--json", "--idt", "const:10Mpps", "--packets", PACKETS,
                                    "--size", "const:64")
        sender.wait()
        self.assertEqual(receiver.wait(), 0, receiver.said)
        report = json.loads(sender.output.read_text())
        warnings = self.check_that_what_was_thrown_away_is_told(report, numbers(witness.packets(), 64))
        self.assertEqual(len(warnings), 1)


if __name__ == "__main__":
    lab.main()
