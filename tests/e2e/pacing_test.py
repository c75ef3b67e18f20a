#!/usr/bin/env python3
"""What happens to late packets under each policy, by the witness, and to real-time threads that never sleep.
Stopping a sender (SIGSTOP) in the middle of a run makes it late."""
import os
import signal
import time

import lab
import quiet
from threads_test import SenderTest

HELD_UP_S = 0.4


def gaps(packets) -> list[int]:
    return [later.time_ns - earlier.time_ns for earlier, later in zip(packets, packets[1:])]


class Pacing(SenderTest):
    def hold_up(self, policy: str):
        """A flow of 2000 packets, 1 ms apart, whose sender is stopped for a while. Returns: the captured packets,
        the report."""
        receiver = self.b.receiver()
        witness = self.b.witness("udp")
        sender = self.start_sender("--packets", "2000", "--lateness", policy)
        receiver.await_datagrams(300)
        pid = sender.process.pid  # `ip netns exec` becomes the program that it is given
        os.kill(pid, signal.SIGSTOP)
        end = time.monotonic() + HELD_UP_S
        lab.wait_until("the sender to be late", lambda: time.monotonic() > end)
        os.kill(pid, signal.SIGCONT)
        self.assertEqual(sender.wait(), 0, sender.said)
        packets = [packet for packet in witness.packets() if packet.payload == 64]
        report = self.report()
        self.assertEqual(report["flows"][0]["lateness_policy"], policy)
        self.assertEqual(report["flows"][0]["lost"], 0)
        self.assertEqual(len(packets), report["flows"][0]["sent_packets"])
        self.assertEqual(report["verdict"]["result"], "not_as_asked", report["verdict"])
        self.assertGreater(max(gaps(packets)), HELD_UP_S * 0.9e9)
        return packets, report

    def test_a_flow_that_catches_up_sends_everything_and_ends_in_time(self):
        packets, report = self.hold_up("catch-up")
        self.assertEqual(len(packets), 2000)
        self.assertGreater(report["flows"][0]["packets_in_batches"], 300)
        # In time, or as soon as possible after the last time that it stood still.
        resumed = max(after.time_ns for before, after in zip(packets, packets[1:]) if after.time_ns - before.time_ns > 100_000_000)
        self.assertLess(packets[-1].time_ns, max(packets[0].time_ns + 2_000_000_000, resumed) + 200_000_000)

    def test_a_flow_that_skips_leaves_out_what_it_missed_and_says_so(self):
        packets, report = self.hold_up("skip")
        flow = report["flows"][0]
        self.assertEqual(flow["missed_slots"] + len(packets), 2000)
        self.assertGreater(flow["missed_slots"], 350)
        self.assertIn("missed", report["verdict"]["text"])
        self.assertAlmostEqual(flow["scheduled_pps"], 1000, delta=0.01)
        self.assertLess(flow["sent_pps"], 850)
        self.assertEqual(flow["reordered"], 0)

    def test_a_flow_that_shifts_keeps_its_gaps_and_shows_that_it_is_late(self):
        packets, report = self.hold_up("shift")
        flow = report["flows"][0]
        self.assertEqual(len(packets), 2000)
        self.assertGreater((packets[-1].time_ns - packets[0].time_ns) / 1e9, 2.3)
        self.assertGreater(flow["shifted_s"], 0.3)
        self.assertAlmostEqual(flow["scheduled_pps"], 1000, delta=0.01)
        self.assertLess(flow["sent_pps"], 870)
        self.assertAlmostEqual(flow["lateness_max_ns"] / 1e9, flow["shifted_s"], delta=0.02 * flow["shifted_s"])

    def test_a_thread_that_never_sleeps_gives_up_real_time(self):
        self.b.receiver()
        sender = self.start_sender("--duration", "1s", "--realtime", "on", idt="const:100kpps")
        self.assertEqual(sender.wait(), 0, sender.said)
        pacing = self.report()["run"]["pacing"]
        self.assertFalse(pacing["realtime"])
        self.assertTrue(pacing["warnings"])


if __name__ == "__main__":
    quiet.main()
