#!/usr/bin/env python3
"""SCTP's features for flows: shared associations, streams, unordered messages, and messages that are given up. A
capture shows what was on the wire. Runs in a kernel with SCTP and netem (uml_matrix_test.py)."""
import collections
import json

import capture
import lab
import uml

PACKETS = 40
WITNESSED = "sctp or ip6 proto 132"


class Sctp(lab.LabTest):
    keeps_hosts = True

    def send(self, *arguments, check=True):
        return self.a.groma("send", "--to", self.b.address, "--transport", "sctp", "--idt", "const:50pps", "--size", "100", "--packets",
                            PACKETS, "--log", "send.glog", "--receiver-log", "recv.glog", "--json", *arguments, check=check)

    def report(self, *arguments):
        return json.loads(self.send(*arguments).stdout)

    def witness(self):
        return self.b.witness(WITNESSED, bytes_kept=2000)

    def streams(self, packets):
        """The number of messages on each stream, without repetitions."""
        chunks = {packet.sequence: capture.sctp_stream(packet) for packet in packets}
        return collections.Counter(stream for stream, _ in chunks.values())

    def test_a_flow_takes_its_streams_in_turn(self):
        self.b.receiver()
        witness = self.witness()
        self.report("--streams", "4")
        packets = witness.packets()
        first = [capture.sctp_stream(packet) for packet in capture.each_once(packets)[:8]]
        self.assertEqual([stream for stream, _ in first], [0, 1, 2, 3] * 2)
        self.assertEqual({unordered for _, unordered in first}, {False})
        self.assertEqual(self.streams(packets), {stream: PACKETS // 4 for stream in range(4)})

    def test_unordered_messages_say_so(self):
        self.b.receiver()
        witness = self.witness()
        self.report("--ordered", "off")
        self.assertEqual({capture.sctp_stream(packet)[1] for packet in witness.packets()}, {True})

    def shared(self):
        (self.folder / "shared.toml").write_text(f"""
            seed = 5
            [defaults]
            to = "{self.b.address}"
            transport = "sctp"
            association = 3
            packets = {PACKETS}
            idt = "const:50pps"
            [[flow]]
            size = "100"
            [[flow]]
            size = "200"
            streams = 3
            ordered = "off"
            packets = 30
            [[flow]]
            size = "300"
            lifetime = "20s"
        """)
        return "shared.toml"

    def test_flows_of_one_number_share_an_association(self):
        self.b.receiver()
        witness = self.witness()
        report = json.loads(self.a.groma("send", self.shared(), "--log", "send.glog", "--receiver-log", "recv.glog", "--json").stdout)
        self.assertEqual([flow["received_packets"] for flow in report["flows"]], [PACKETS, 30, PACKETS])
        self.assertEqual([flow["malformed_packets"] for flow in report["flows"]], [0, 0, 0])
        packets = witness.packets()
        self.assertEqual(len({(packet.source_port, packet.port) for packet in packets}), 1, "one association")
        self.assertEqual(self.streams(packets), {0: PACKETS, 1: 10, 2: 10, 3: 10, 4: PACKETS})
        of_stream = collections.defaultdict(set)
        for packet in packets:
            stream, unordered = capture.sctp_stream(packet)
            of_stream[stream].add((packet.payload, unordered))
        self.assertEqual(dict(of_stream), {0: {(100, False)}, 1: {(200, True)}, 2: {(200, True)}, 3: {(200, True)},
                                           4: {(300, False)}})
        flows = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
        self.assertEqual([(flow["received_packets"], flow["received_bytes"]) for flow in flows],
                         [(PACKETS, 100 * PACKETS), (30, 6000), (PACKETS, 300 * PACKETS)])

    def test_flows_without_a_number_have_associations_of_their_own(self):
        self.b.receiver()
        witness = self.witness()
        self.report("--flows", "2")
        self.assertEqual(len({packet.port for packet in witness.packets()}), 2)

    def test_flows_that_cannot_share_a_socket_are_refused(self):
        self.b.receiver()
        file = self.folder / self.shared()
        file.write_text(file.read_text() + "ds_byte = 184\n")
        self.assertSaid(self.a.groma("send", file, check=False), 2, "share its socket")

    def test_messages_that_are_worth_no_more_are_given_up(self):
        """Every second packet that begins with data is lost (a Gilbert-Elliott chain whose probabilities are 0 and
        1); a message that may not be retransmitted, or not for long, is lost with its packet."""
        self.b.receiver()
        self.addCleanup(self.a.run, "tc", "qdisc", "del", "dev", self.a.device, "root")
        self.a.run("tc", "qdisc", "add", "dev", self.a.device, "root", "handle", "1:", "prio")
        self.a.run("tc", "qdisc", "add", "dev", self.a.device, "parent", "1:3", "netem", "loss", "gemodel", "100%", "100%", "100%", "0%")
        self.a.run("tc", "filter", "add", "dev", self.a.device, "parent", "1:", "protocol", "ip", "u32", "match", "ip", "protocol",
                   "132", "0xff", "match", "u8", "0", "0xff", "at", "32", "flowid", "1:3")
        for option in (["--retransmissions", "0"], ["--lifetime", "1ms"]):
            with self.subTest(option=option):
                flow, = self.report(*option, "--wait", "2s")["flows"]
                self.assertEqual(flow["sent_packets"], PACKETS)
                self.assertGreater(flow["lost"], 0)
                self.assertEqual(flow["lost"] + flow["received_packets"], PACKETS)
        flow, = self.report("--wait", "30s")["flows"]
        self.assertEqual(flow["lost"], 0, "without, everything is sent again until it arrives")


load_tests = uml.load_tests_of_matrix([], [Sctp])


if __name__ == "__main__":
    lab.main()
