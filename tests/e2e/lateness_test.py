#!/usr/bin/env python3
"""Counts late packets under each policy: a sender is stopped (SIGSTOP) in the middle of a run, for as long as
another one takes to send some packets. pacing_test.py and, in virtual time,
tests/simulation/lateness_simulation_test.cpp judge times."""
import signal

import lab
from capture import flow_and_number
from threads_test import SenderTest

PACKETS = 4000  # the sender has to be stopped before they are sent


class Lateness(SenderTest):
    def hold_up(self, policy: str):
        """Returns the numbers of the captured packets, in order, and the flow of the report."""
        receiver = self.b.receiver()
        witness = self.b.witness("udp port 7000")
        sender = self.start_sender("--packets", PACKETS, "--port", 7000, "--lateness", policy)
        receiver.await_datagrams(200)
        sender.send_signal(signal.SIGSTOP)  # `ip netns exec` becomes the program that it is given
        self.a.groma("send", "--to", self.b.address, "--port", 7001, "--packets", 300, "--idt", "const:1000pps")
        sender.send_signal(signal.SIGCONT)
        self.assertEqual(sender.wait(), 0, sender.said)
        report = self.report()
        flow, = report["flows"]
        self.assertEqual((flow["lateness_policy"], flow["lost"], flow["reordered"]), (policy, 0, 0))
        self.assertEqual(report["verdict"]["result"], "not_as_asked", report["verdict"])
        numbers = [flow_and_number(packet)[1] for packet in witness.packets()]
        self.assertEqual(numbers, list(range(flow["sent_packets"])))
        return flow

    def test_a_flow_that_catches_up_sends_everything(self):
        flow = self.hold_up("catch-up")
        self.assertEqual((flow["sent_packets"], flow["missed_slots"], flow["shifted_s"]), (PACKETS, 0, 0))
        self.assertGreater(flow["packets_in_batches"], 0)

    def test_a_flow_that_skips_leaves_out_what_it_missed_and_says_so(self):
        flow = self.hold_up("skip")
        self.assertGreater(flow["missed_slots"], 0)
        self.assertEqual(flow["sent_packets"] + flow["missed_slots"], PACKETS)

    def test_a_flow_that_shifts_sends_everything_later(self):
        flow = self.hold_up("shift")
        self.assertEqual((flow["sent_packets"], flow["missed_slots"]), (PACKETS, 0))
        self.assertGreater(flow["shifted_s"], 0)


if __name__ == "__main__":
    lab.main()
