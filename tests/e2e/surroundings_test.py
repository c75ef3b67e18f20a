#!/usr/bin/env python3
"""A sender whose surroundings do not let it keep its schedule: the verdict turns to "not as asked" and says why, and the
receiving host saw what the report says."""
import json
import os

import lab

SECONDS = 3


class Surroundings(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.core = str(sorted(os.sched_getaffinity(0))[-1])
        self.b.receiver()

    def send(self, rate: int, *arguments) -> dict:
        """A flow of constant gaps, sent from one core."""
        result = self.a.groma("send", "--to", self.b.address, "--idt", f"const:{rate}pps", "--size", "const:64", "--duration",
                              f"{SECONDS}s", "--pin", self.core, "--json", "--quiet", *arguments, check=False)
        return json.loads(result.stdout)

    def occupy_core(self, programs: int = 2):
        """Programs that never sleep, on the sender's core."""
        for _ in range(programs):
            self.a.start("taskset", "-c", self.core, "sh", "-c", "while :; do :; done", name="hog")

    def assertSaysWhy(self, report):
        verdict = report["verdict"]
        self.assertEqual(verdict["result"], "not_as_asked", verdict)
        self.assertTrue(any(reason in verdict["text"] for reason in ("late", "cut short", "below")), verdict)

    def test_programs_that_take_the_senders_core_turn_the_verdict(self):
        """At this rate the sender never sleeps: it runs until the kernel takes the core from it, and then is late by the others' turns."""
        rate = 20_000
        self.count_packets_one_by_one()
        self.occupy_core()
        witness = self.b.witness("udp and ip[2:2] == 92")  # those with 64 bytes of payload
        report = self.send(rate)
        self.assertSaysWhy(report)
        flow = report["flows"][0]
        self.assertGreater(flow["lateness_ns"]["p99"], 1_000_000)
        self.assertGreater(report["run"]["usage"]["involuntary_switches"], 50)
        # The host at the other end saw the same packets, and holes between them that the schedule does not have.
        packets = witness.packets()
        self.assertEqual(len(packets), flow["sent"]["packets"])
        holes = [later.time_ns - earlier.time_ns for earlier, later in zip(packets, packets[1:])]
        self.assertGreater(max(holes), 1_000_000)

    def test_a_sender_asked_for_more_than_its_core_can_do_says_so(self):
        rate = 20_000_000
        self.count_packets_one_by_one()
        before = self.packets_that_crossed()
        report = self.send(rate)
        self.assertSaysWhy(report)
        flow = report["flows"][0]
        self.assertEqual(flow["end"], "cut_short")
        self.assertLess(flow["sent"]["packets"], rate * SECONDS)
        self.assertGreater(flow["lateness_ns"]["p99"], 1_000_000)
        usage = report["run"]["usage"]
        self.assertGreater(usage["user_s"] + usage["system_s"], 0.5 * SECONDS)
        # No more than what was sent crossed the wire, but for the connection that controls the run.
        crossed = self.packets_that_crossed() - before
        self.assertGreaterEqual(crossed, flow["sent"]["packets"])
        self.assertLess(crossed, flow["sent"]["packets"] + 1000)

    def count_packets_one_by_one(self):
        """And not batches of them, where interfaces or the witness look at them."""
        self.a.run("ethtool", "-K", self.a.device, "tx-udp-segmentation", "off")
        self.b.run("ethtool", "-K", self.b.device, "gro", "off")

    def packets_that_crossed(self) -> int:
        """From host a to host b, with those that the cable had no room for."""
        def count(host, what):
            return int(host.run("cat", f"/sys/class/net/{host.device}/statistics/{what}").stdout)
        return count(self.b, "rx_packets") + count(self.a, "tx_dropped")


if __name__ == "__main__":
    lab.main()
