#!/usr/bin/env python3
"""A sender whose host prevents its schedule: the verdict becomes "not as asked" with the reason, and the receiving
host saw what the report says."""
import contextlib
import json
import os
import pathlib

import lab
import quiet

SECONDS = 3


class Surroundings(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.core = str(sorted(os.sched_getaffinity(0))[-1])
        self.b.receiver()

    def send(self, rate: int, *arguments, under: pathlib.Path | None = None) -> dict:
        """A flow of constant gaps, sent from one core; under a control group, if one is given."""
        enter = self.a.command()
        if under:  # `ip netns exec` hides control groups, from the sender as well
            enter = ["nsenter", f"--net=/run/netns/{self.a.namespace}", "sh", "-c", 'echo $$ >"$0" && exec "$@"', under / "cgroup.procs"]
        result = lab.run(*enter, lab.BIN / "groma-send", "--to", self.b.address, "--idt", f"const:{rate}pps", "--size", "const:64",
                            "--duration", f"{SECONDS}s", "--pin", self.core, "--json", "--quiet", *arguments, check=False, cwd=self.folder)
        return json.loads(result.stdout)

    def occupy_core(self, programs: int = 2):
        """Programs that never sleep, on the sender's core."""
        for _ in range(programs):
            self.a.start("taskset", "-c", self.core, "sh", "-c", "while :; do :; done", name="hog")

    def assertSaysWhy(self, report, *causes: str):
        """The verdict names at least one of these causes."""
        verdict = report["verdict"]
        self.assertEqual(verdict["result"], "not_as_asked", verdict)
        self.assertTrue(any(reason in verdict["text"] for reason in ("late", "cut short", "below")), verdict)
        self.assertTrue(any(cause in named for cause in causes for named in verdict["causes"]), verdict)
        for named in verdict["causes"]:
            self.assertIn(named, verdict["text"])

    def test_programs_that_take_the_senders_core_turn_the_verdict(self):
        """At this rate the sender never sleeps: it runs until the kernel takes the core from it, and is then late by
        the time of the others."""
        rate = 20_000
        self.count_packets_one_by_one()
        self.occupy_core()
        witness = self.b.witness("udp and ip[2:2] == 92")  # those with 64 bytes of payload
        report = self.send(rate)
        self.assertSaysWhy(report, "involuntary context switches")
        flow = report["flows"][0]
        self.assertGreater(flow["lateness_p99_ns"], 1_000_000)
        self.assertGreater(report["run"]["involuntary_switches"], 50)
        # The receiving host saw the same packets, with gaps between them that the schedule does not have.
        packets = witness.packets()
        self.assertEqual(len(packets), flow["sent_packets"])
        holes = [later.time_ns - earlier.time_ns for earlier, later in zip(packets, packets[1:])]
        self.assertGreater(max(holes), 1_000_000)

    def test_a_sender_asked_for_more_than_its_core_can_do_says_so(self):
        rate = 20_000_000
        self.count_packets_one_by_one()
        before = self.packets_that_crossed()
        report = self.send(rate)
        # On a busy machine, other programs may take the core instead.
        self.assertSaysWhy(report, "more was asked for than fits", "involuntary context switches")
        flow = report["flows"][0]
        self.assertEqual(flow["end"], "cut_short")
        self.assertLess(flow["sent_packets"], rate * SECONDS)
        self.assertGreater(flow["lateness_p99_ns"], 1_000_000)
        usage = report["run"]
        if any("more was asked for than fits" in cause for cause in report["verdict"]["causes"]):
            self.assertGreater(usage["cpu_user_s"] + usage["cpu_system_s"], 0.5 * SECONDS)
        # Apart from the control session, only the sent packets crossed the wire.
        crossed = self.packets_that_crossed() - before
        self.assertGreaterEqual(crossed, flow["sent_packets"])
        self.assertLess(crossed, flow["sent_packets"] + 1000)

    def test_a_sender_whose_cores_are_slowed_down_says_so(self):
        """By a CPU quota of three tenths of a core, at a rate that keeps the sender spinning."""
        witness = self.b.witness("udp and ip[2:2] == 92")
        with self.quota(0.3) as group:
            report = self.send(20_000, under=group)
        self.assertSaysWhy(report, "CPU quota")
        conditions = report["run"]
        self.assertGreater(conditions["throttled_times"], 5)
        self.assertGreater(conditions["throttled_s"], 0.5)
        times = [packet.time_ns for packet in witness.packets()]
        self.assertGreater(max(later - earlier for earlier, later in zip(times, times[1:])), 1_000_000)

    @contextlib.contextmanager
    def quota(self, cores: float):
        """A control group, of whichever version the host has."""
        v2 = pathlib.Path("/sys/fs/cgroup/cgroup.controllers")
        group = pathlib.Path("/sys/fs/cgroup") / ("" if v2.exists() else "cpu") / f"groma-test-{os.getpid()}"
        group.mkdir()
        try:
            if v2.exists():
                (group.parent / "cgroup.subtree_control").write_text("+cpu")
                (group / "cpu.max").write_text(f"{round(cores * 100_000)} 100000")
            else:
                (group / "cpu.cfs_quota_us").write_text(str(round(cores * 100_000)))
            yield group
        finally:
            lab.wait_until("the group to be empty", lambda: not (group / "cgroup.procs").read_text())
            group.rmdir()

    def count_packets_one_by_one(self):
        """Not batches of them, at interfaces or at the witness."""
        self.a.run("ethtool", "-K", self.a.device, "tx-udp-segmentation", "off")
        self.b.run("ethtool", "-K", self.b.device, "gro", "off")

    def packets_that_crossed(self) -> int:
        """From host a to host b, including those for which the cable had no room."""
        def count(host, what):
            return int(host.run("cat", f"/sys/class/net/{host.device}/statistics/{what}").stdout)
        return count(self.b, "rx_packets") + count(self.a, "tx_dropped")


if __name__ == "__main__":
    quiet.main()
