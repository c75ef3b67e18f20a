#!/usr/bin/env python3
"""Other records of logs than sent and received packets, as groma-dec reads them: round trips, header fields of
arrivals, the kernel's times of departure, the state of connections. Judged by a capture on the receiving host and by
ss. message_states_test.py has SCTP and DCCP."""
import collections
import re
import signal

import lab
from capture import stream_bytes


LOSSY = """table inet lossy {
 chain input {
  type filter hook input priority 0
  tcp dport 5600 meta length > 100 numgen inc mod 20 == 7 drop
 }
}
"""


class Records(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def flow(self, *arguments) -> dict:
        """Sends with both logs and returns the decoder's figures of the flow."""
        self.a.groma("send", "--to", self.b.address, "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet", *arguments)
        return self.decoded("send.glog", "recv.glog")["runs"][0]["flows"][0]

    def test_every_round_trip_is_in_the_log(self):
        trip = self.flow("--meter", "round-trip", "--packets", 500, "--idt", "exp:2ms")["round_trip"]
        self.assertEqual((trip["returned_packets"], trip["lost"], trip["backward_lost"], trip["duplicates"]), (500, 0, 0, 0))
        for figure in ("rtt", "rtt_network", "residence", "forward", "backward"):
            self.assertEqual(trip[f"{figure}_count"], 500, figure)
            self.assertGreater(trip[f"{figure}_min_ns"], 0, figure)
        parts = trip["rtt_network_mean_ns"] + trip["residence_mean_ns"]
        self.assertAlmostEqual(trip["rtt_mean_ns"], parts, delta=1)
        ways = trip["forward_mean_ns"] + trip["backward_mean_ns"]
        self.assertAlmostEqual(trip["rtt_network_mean_ns"], ways, delta=1)

    def test_header_fields_of_arrivals_are_those_of_the_capture(self):
        for where in (self.b.address, self.b.address6):
            witness = self.b.witness("udp or ip6 proto 17")
            self.a.groma("send", "--to", where, "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet", "--packets", 100,
                         "--idt", "1ms", "--ttl", 9, "--ds-byte", "0xb9", "--arrival-header", "on")
            rows = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"][0]["arrival_headers"]
            header = {field: {row["value"]: row["packets"] for row in rows if row["field"] == field} for field in ("ttl", "ds_byte")}
            seen = witness.packets()
            self.assertEqual(header["ttl"], dict(collections.Counter(packet.ip.ttl for packet in seen)))
            self.assertEqual(header["ds_byte"], dict(collections.Counter(packet.ip.ds_byte for packet in seen)))
            self.assertEqual(header["ttl"], {9: 100})

    def test_the_kernels_time_of_departure_lies_between_the_users_and_the_arrival(self):
        flow = self.flow("--sent-stamps", "kernel", "--packets", 500, "--idt", "exp:2ms")
        stamps = flow["transmit"]
        self.assertEqual((stamps["stamps"], stamps["packets"], stamps["unmatched"]), ("kernel", 500, 0))
        self.assertGreaterEqual(stamps["stack_min_ns"], 0)
        self.assertGreaterEqual(stamps["transmit_delay_min_ns"], 0)
        parts = stamps["stack_mean_ns"] + stamps["transmit_delay_mean_ns"]
        self.assertAlmostEqual(flow["delay_mean_ns"], parts, delta=1)

    def test_what_tcp_sent_again_is_what_the_capture_saw_twice(self):
        self.b.run("nft", "-f", "-", input=LOSSY)
        witness = self.b.witness("tcp dst port 5600")
        sender = self.a.start_groma("send", "--to", self.b.address, "--transport", "tcp", "--port", 5600, "--duration", "1h", "--idt",
                                    "3ms", "--state-interval", "50ms", "--log", "send.glog", "--receiver-log", "recv.glog")

        def seen_by_ss(pattern):
            return re.search(pattern, self.a.run("ss", "-tin", "dport", "5600").stdout)
        told = lab.wait_until("ss to see the connection, and much that was sent again", lambda: seen_by_ss(r"mss:(\d+).* retrans:\d+/\d\d"))
        # Retransmissions after the last sample are not recorded.
        self.b.run("nft", "delete", "table", "inet", "lossy")
        lab.wait_until("all that was lost to have arrived", lambda: seen_by_ss(r"retrans:0/") and not seen_by_ss(r" (lost|sacked):"))
        self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)
        seen = witness.packets()
        sides = {one["side"]: one for one in self.decoded("send.glog", "recv.glog")["runs"][0]["flows"][0]["connections"]}
        again = sum(packet.payload for packet in seen) - stream_bytes(seen)
        self.assertGreater(again, 0)
        self.assertEqual(sides["sender"]["retransmitted_bytes"], again)
        self.assertEqual(sides["receiver"]["retransmitted_bytes"], 0)
        self.assertEqual({one["segment"] for one in sides["sender"]["samples"]}, {int(told[1])})
        for side in sides.values():
            self.assertGreater(side["rtt_min_ns"], 0)


if __name__ == "__main__":
    lab.main()
