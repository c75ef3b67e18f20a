#!/usr/bin/env python3
"""Requests and responses against captures: sizes, order, how many are on their way, in closed and open loops."""
import json

import capture
import glog
import lab

PORT = 5005
SYN = 2


class Transactions(lab.LabTest):
    def send(self, *options, check=True) -> dict:
        result = self.a.groma("send", "--to", self.b.address, "--port", PORT, "--json", *options, check=check)
        return json.loads(result.stdout)

    def captured(self, what: str):
        return self.b.witness(f"{what} port {PORT}", direction="inout")

    def ways(self, witness):
        """[(whether it is a request, payload bytes)], in order."""
        return [(packet.port == PORT, packet.payload) for packet in witness.packets()]

    def test_over_udp_requests_and_responses_take_turns(self):
        self.b.receiver()
        witness = self.captured("udp")
        report = self.send("--request", 100, "--response", 1000, "--packets", 300, "--log", "send.glog", "--receiver-log", "recv.glog")
        self.assertEqual(self.ways(witness), 300 * [(True, 100), (False, 1000)])
        flow, = report["flows"]
        self.assertEqual(report["run"]["transactions"], 300)
        self.assertEqual((flow["sent_bytes"], flow["received_bytes"], flow["round_trip"]["returned_bytes"]), (30_000, 30_000, 300_000))
        self.assertEqual(flow["round_trip"]["rtt_count"], 300)
        self.assertGreater(report["run"]["transactions_per_s"], 0)
        self.assertGreater(report["run"]["sender_cpu_per_transaction_ns"], 0)
        decoded = self.a.groma("dec", "send.glog", "recv.glog", "--verbose").stdout
        self.assertIn("1 in flight", decoded)
        self.assertIn("response const:1000", decoded)
        figures = json.loads(self.a.groma("dec", "send.glog", "recv.glog", "--json").stdout)["runs"][0]["flows"][0]
        self.assertEqual(figures["round_trip"]["returned_packets"], 300)
        self.assertEqual(figures["round_trip"]["rtt_p50_ns"], flow["round_trip"]["rtt_p50_ns"])

    def test_no_more_are_on_their_way_than_allowed(self):
        self.b.receiver()
        witness = self.captured("udp")
        self.send("--request", "unif:40:1400", "--in-flight", 4, "--packets", 400, "--log", "send.glog")
        outstanding, most = 0, 0
        for request, _ in self.ways(witness):
            outstanding += 1 if request else -1
            most = max(most, outstanding)
        self.assertEqual(outstanding, 0)
        self.assertLessEqual(most, 4)
        first = list(glog.records((self.folder / "send.glog").read_bytes(), glog.SENT))[:4]
        self.assertEqual([record.batch for record in first], [4] * 4, "the first four leave in one call")

    def test_streams_carry_as_many_bytes_each_way_as_asked(self):
        self.b.receiver()
        for transport in "tcp", "mptcp":
            with self.subTest(transport=transport):
                report = self.send("--transport", transport, "--request", 200, "--response", 100_000, "--in-flight", 3, "--flows", 2,
                                   "--packets", 50)
                back = [flow["round_trip"] for flow in report["flows"]]
                self.assertEqual([(it["returned_packets"], it["returned_bytes"], it["backward_lost"]) for it in back], 2 * [(50, 5_000_000, 0)])
                self.assertEqual(report["run"]["transactions"], 100)

    def test_a_lost_request_is_counted_and_the_next_one_leaves(self):
        self.b.receiver()
        self.b.run("nft", "add table inet lab")
        self.b.run("nft", "add chain inet lab in { type filter hook input priority 0; }")
        self.b.run("nft", f"add rule inet lab in udp dport {PORT} numgen inc mod 10 == 0 drop")
        report = self.send("--request", 100, "--packets", 20)
        flow, = report["flows"]
        self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"]), (20, 18, 2))
        self.assertEqual((flow["round_trip"]["forward_lost"], flow["round_trip"]["returned_packets"]), (2, 18))
        self.assertEqual(report["run"]["transactions"], 18)

    def test_the_patience_for_a_response_is_the_users(self):
        self.b.receiver()
        self.b.run("nft", "add table inet lab")
        self.b.run("nft", "add chain inet lab in { type filter hook input priority 0; }")
        self.b.run("nft", f"add rule inet lab in udp dport {PORT} drop")
        options = "--to", self.b.address, "--port", PORT, "--request", 100, "--packets", 3, "--response-timeout", "20ms"
        text = self.a.groma("send", *options, check=False).stdout
        self.assertIn("3 requests given up without a response", " ".join(text.split()))
        report = self.send(*options[4:], check=False)
        flow, = report["flows"]
        self.assertEqual((flow["sent_packets"], flow["round_trip"]["timed_out"], flow["response_timeout_ns"]), (3, 3, 20_000_000))

    def segments(self, witness):
        """Of the connections of a capture: how many began (SYN of the sender), bytes of requests and of responses."""
        packets = witness.packets()
        begun = sum(capture.tcp_flags(packet) & SYN and packet.port == PORT for packet in packets)
        return begun, *(sum(packet.payload for packet in packets if (packet.port == PORT) == request) for request in (True, False))

    def test_each_transaction_has_a_connection_of_its_own(self):
        self.b.receiver()
        witness = self.captured("tcp")
        report = self.send("--transport", "tcp", "--connect-each", "--request", 100, "--response", 1000, "--packets", 300, "--log", "send.glog",
                           "--receiver-log", "recv.glog")
        self.assertEqual(self.segments(witness), (300, 30_000, 300_000))
        flow, = report["flows"]
        back = flow["round_trip"]
        self.assertEqual((back["connections"], back["connections_failed"], back["connect_time_count"], back["rtt_count"]), (300, 0, 300, 300))
        self.assertGreater(back["connect_time_p50_ns"], 0)
        self.assertEqual(flow["blocked"], 0, "to wait for a connection is no full buffer")
        self.assertGreaterEqual(back["rtt_min_ns"], back["connect_time_min_ns"], "its time has that of connecting in it")
        self.assertEqual((flow["state"], flow["lost"], back["backward_lost"]), ("ok", 0, 0))
        self.assertEqual((report["run"]["transactions"], flow["requests_per_connection"]), (300, "const:1"))
        figures = json.loads(self.a.groma("dec", "send.glog", "recv.glog", "--json").stdout)["runs"][0]["flows"][0]
        self.assertEqual((figures["round_trip"]["returned_packets"], figures["lost"], figures["requests_per_connection"]), (300, 0, "const:1"))
        for host in self.a, self.b:
            self.assertNotIn(f":{PORT} ", host.run("ss", "-tanH", "state", "time-wait").stdout)

    def test_connections_of_several_requests_over_several_flows(self):
        self.b.receiver()
        for transport in "tcp", "mptcp":
            with self.subTest(transport=transport):
                report = self.send("--transport", transport, "--requests-per-connection", 10, "--request", 200, "--response", 50_000, "--flows", 3,
                                   "--packets", 25)
                back = [flow["round_trip"] for flow in report["flows"]]
                self.assertEqual([(it["returned_packets"], it["returned_bytes"], it["connections"]) for it in back], 3 * [(25, 1_250_000, 3)])

    def test_connections_that_fail_are_counted_and_named(self):
        self.b.receiver()
        self.b.run("nft", "add table inet lab")
        self.b.run("nft", "add chain inet lab in { type filter hook input priority 0; }")
        rule = f"add rule inet lab in tcp dport {PORT} tcp flags & (syn|ack) == syn numgen inc mod 5 == 0 reject with tcp reset"
        self.b.run("nft", rule)
        report = self.send("--transport", "tcp", "--connect-each", "--request", 100, "--packets", 20)
        flow, = report["flows"]
        self.assertEqual((flow["round_trip"]["connections"], flow["round_trip"]["connections_failed"]), (16, 4))
        self.assertEqual((flow["sent_packets"], flow["received_packets"], report["run"]["transactions"]), (20, 16, 16))
        self.assertTrue(any("4 connections to" in warning and "refused" in warning for warning in flow["warnings"]), flow["warnings"])

    def test_an_open_loop_keeps_its_times_and_responses_have_drawn_sizes(self):
        self.b.receiver()
        witness = self.captured("udp")
        report = self.send("--request", 100, "--response", "unif:200:1200", "--idt", "exp:1kpps", "--packets", 300, "--seed", 7)
        flow, = report["flows"]
        self.assertIsNotNone(flow["scheduled_pps"])
        sizes = [size for request, size in self.ways(witness) if not request]
        self.assertEqual(sum(sizes), flow["round_trip"]["returned_bytes"])
        self.assertTrue(all(200 <= size <= 1200 for size in sizes))
        self.assertGreater(len(set(sizes)), 100)
        again = self.captured("udp")
        self.send("--request", 100, "--response", "unif:200:1200", "--idt", "exp:1kpps", "--packets", 300, "--seed", 7)
        self.assertEqual([size for request, size in self.ways(again) if not request], sizes)

    def test_the_far_host_asks_too(self):
        self.b.receiver()
        witness = self.a.witness("udp", direction="inout")
        report = self.send("--reverse", "--request", 100, "--response", 300, "--packets", 50)
        self.assertEqual(report["flows"][0]["round_trip"]["returned_bytes"], 15_000)
        self.assertEqual(report["run"]["transactions"], 50)
        payloads = [packet.payload for packet in witness.packets() if packet.payload in (100, 300)]
        self.assertEqual((payloads.count(100), payloads.count(300)), (50, 50))


if __name__ == "__main__":
    lab.main()
