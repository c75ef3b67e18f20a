#!/usr/bin/env python3
"""Departure by the kernel: packets that are handed over ahead of time leave when they are due, as a capture on the
other host sees it. fq and etf are in user-mode Linux (one guest for all cases, which starts this file again), as
this machine's kernel may not have them. Its timers are late by a tenth of a millisecond. So times are compared with
the milliseconds by which a packet that was not held would be early."""
import statistics
import struct

import lab
import quiet
import uml
from departure_test import PACKETS, DepartureTest

GUEST_STOOD_STILL_NS = 10_000_000


def lateness_of(packet) -> int:
    """Time of capture less the departure time given to the kernel, both of one clock, in nanoseconds."""
    return packet.time_ns - struct.unpack_from(">q", packet.segment, 8 + 4)[0]  # after UDP's header and the number


class Held(DepartureTest):
    """In a kernel with fq and etf."""

    def judged(self, *arguments, idt="const:1ms", lead="20ms"):
        """Sends, and returns the captured packets and the one flow of the report; if possible, of a run in which the
        guest did not stand still, because packets that are due by then are handed over too late to be held."""
        def once(_):
            for log in ("send.glog", "recv.glog"):
                (self.folder / log).unlink(missing_ok=True)
            witness = self.b.witness("udp")
            said = self.send("--verbose", "--departure", f"kernel:{lead}", "--log", "send.glog", "--receiver-log", "recv.glog", *arguments, idt=idt).stdout
            packets = [packet for packet in witness.packets() if packet.payload == 100]
            flow, = self.report()["flows"]
            run, = self.decoded("send.glog", "recv.glog")["runs"]
            # A packet that is due when it is handed over is not held: one packet a millisecond.
            stood_still = max(flow["lateness_max_ns"], (PACKETS - flow["held_by_kernel"]) * 1e6, *map(lateness_of, packets))
            return stood_still, (packets, flow, run, said)
        packets, flow, self.run_, self.said = quiet.calmest(once, GUEST_STOOD_STILL_NS)
        self.assertEqual((len(packets), flow["sent_packets"], flow["lost"]), (PACKETS, PACKETS, 0))
        return packets, flow

    def assertLeftWhenDue(self, packets):
        """They were handed over 10 to 20 ms ahead. A guest that stands still makes many late, but not all, and none
        early."""
        late = [lateness_of(packet) for packet in packets]
        half, span = len(late) // 2, packets[-1].time_ns - packets[0].time_ns
        self.assertGreater(min(late), -1e6)
        first, second = (statistics.quantiles(part, n=20)[0] for part in (late[:half], late[half:]))
        self.assertLess(max(first, second), 1e6, "those that were not held up left within a millisecond")
        self.assertLess(abs(second - first), 0.001 * span / 2, "the mean rate is that of the schedule within 0.1 %")

    def test_fq_lets_each_packet_go_when_it_is_due(self):
        self.queue("fq")
        self.b.receiver("--log-dir", self.folder)
        for idt in ("const:1ms", "exp:1ms"):
            packets, flow = self.judged(idt=idt)
            self.assertEqual(flow["departure"], "kernel (fq on eth0)")
            self.assertIn("departure by the kernel (fq on eth0)", self.said)
            self.assertGreater(flow["held_by_kernel"], 0.9 * PACKETS)
            self.assertEqual(flow["missed_in_queue"], 0)
            self.assertLeftWhenDue(packets)
            sender, = (log for log in self.run_["logs"] if log["role"] == "sender")
            self.assertEqual(sender["timestamps"], "user, departures by the kernel (fq on eth0)")
            # Packets that were handed over ten at a time left one by one; otherwise nine of ten gaps would be those of
            # a batch. A guest that stands still releases together what was due meanwhile, a few in a hundred.
            together = sum(1 for a, b in zip(packets, packets[1:]) if b.time_ns - a.time_ns < 20_000)
            print(f"{idt}: {flow['held_by_kernel']} held, {together} gaps below 20 us", flush=True)
            self.assertLess(together, 0.5 * PACKETS)

    def test_etf_lets_each_packet_go_when_it_is_due(self):
        self.etf(2_000_000_000)  # a guest that stands still keeps the packets' times for this long
        self.b.receiver("--log-dir", self.folder)
        self.assertSaid(self.send("--departure", "kernel", check=False), 1, "the queueing discipline of eth0 is")
        packets, flow = self.judged("--priority", "5", idt="const:1ms")
        self.assertEqual((flow["departure"], flow["missed_in_queue"]), ("kernel (etf on eth0)", 0))
        self.assertLeftWhenDue(packets)

    def test_what_etf_throws_away_is_counted_and_is_all_that_is_lost(self):
        """No packet leaves this kernel within a microsecond of its time: its timers are later than that."""
        self.etf(1_000)
        self.b.receiver()
        def once(_):
            self.send("--departure", "kernel:20ms", "--priority", "5", "--require", "unsent=0", check=False)
            flow, = self.report()["flows"]
            # A guest that stood still hands over packets that are already due, which are refused: a departure a
            # millisecond.
            return flow["dropped"] * 1e6, flow
        flow = quiet.calmest(once, GUEST_STOOD_STILL_NS)
        refused = flow["dropped"]
        print(f"{flow['held_by_kernel']} held, {flow['missed_in_queue']} thrown away, {refused} refused", flush=True)
        self.assertGreater(flow["missed_in_queue"], flow["held_by_kernel"] / 2)
        self.assertEqual(flow["sent_packets"] + flow["dropped"] + flow["too_big"] + flow["given_up"], PACKETS)
        # Refused packets were not sent, and are not lost.
        self.assertEqual(flow["lost"], flow["missed_in_queue"])
        self.assertEqual(flow["verdict"]["result"], "not_as_asked")

    def test_the_kernels_stamps_say_when_packets_left(self):
        self.queue("fq")
        self.b.receiver("--log-dir", self.folder)
        packets, flow = self.judged("--sent-stamps", "kernel")
        self.assertEqual(flow["unstamped"], 0)
        stack = lab.spread(self.run_["flows"][0]["transmit"], "stack")
        print(f"in the queue too long by {stack}", flush=True)
        self.assertGreater(stack["min"], -1e6, "what is handed over 10 to 20 ms ahead is held until it is due")


load_tests = uml.load_tests_inside(__file__, Held)


if __name__ == "__main__":
    lab.main()
