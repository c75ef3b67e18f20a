#!/usr/bin/env python3
"""What becomes of late packets under each policy, as the witness sees it, and where and how urgently threads run, as the
kernel says. A sender is made late by stopping it (SIGSTOP) in the middle of a run."""
import json
import os
import pathlib
import signal
import time

import lab

HELD_UP_S = 0.4


def threads_of(pid: int) -> dict:
    """Of each thread of a process, by name: the cores that it may run on, and its scheduling policy."""
    threads = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            status = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines() if ":\t" in line)
            policy = os.sched_getscheduler(int(task.name)) & ~os.SCHED_RESET_ON_FORK
            threads.setdefault(status["Name"], []).append((status["Cpus_allowed_list"], policy))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return threads


def gaps(packets) -> list[int]:
    return [later.time_ns - earlier.time_ns for earlier, later in zip(packets, packets[1:])]


class Pacing(lab.LabTest):
    def start_sender(self, *arguments, idt="const:1000pps", wrap=()):
        return self.a.start(*wrap, lab.BIN / "groma-send", "--to", self.b.address, "--idt", idt, "--size", "const:64",
                            "--json=report.json", *arguments, name="groma-send")

    def report(self) -> dict:
        return json.loads((self.folder / "report.json").read_text())

    def hold_up(self, policy: str):
        """A flow of 2000 packets, 1 ms apart, whose sender is stopped for a while. Returns: what was seen, the report."""
        receiver = self.b.receiver()
        witness = self.b.witness("udp")
        sender = self.start_sender("--packets", "2000", "--lateness", policy)
        receiver.await_datagrams(300)
        pid = sender.process.pid  # `ip netns exec` and `env` become the program that they are given
        os.kill(pid, signal.SIGSTOP)
        end = time.monotonic() + HELD_UP_S
        lab.wait_until("the sender to be late", lambda: time.monotonic() > end)
        os.kill(pid, signal.SIGCONT)
        self.assertEqual(sender.wait(), 0, sender.said)
        packets = [packet for packet in witness.packets() if packet.payload == 64]
        report = self.report()
        self.assertEqual(report["flows"][0]["lateness"], policy)
        self.assertEqual(report["flows"][0]["received"]["lost"], 0)
        self.assertEqual(len(packets), report["flows"][0]["sent"]["packets"])
        self.assertEqual(report["verdict"]["result"], "not_as_asked", report["verdict"])
        self.assertGreater(max(gaps(packets)), HELD_UP_S * 0.9e9)
        return packets, report

    def test_a_flow_that_catches_up_sends_everything_and_ends_in_time(self):
        packets, report = self.hold_up("catch-up")
        self.assertEqual(len(packets), 2000)
        self.assertGreater(report["flows"][0]["batches"]["packets_in_batches"], 300)
        # In time, or as soon as it could after the last time that it was held up.
        resumed = max(after.time_ns for before, after in zip(packets, packets[1:]) if after.time_ns - before.time_ns > 100_000_000)
        self.assertLess(packets[-1].time_ns, max(packets[0].time_ns + 2_000_000_000, resumed) + 200_000_000)

    def test_a_flow_that_skips_leaves_out_what_it_missed_and_says_so(self):
        packets, report = self.hold_up("skip")
        flow = report["flows"][0]
        self.assertEqual(flow["missed_slots"] + len(packets), 2000)
        self.assertGreater(flow["missed_slots"], 350)
        self.assertIn("missed", report["verdict"]["text"])
        self.assertAlmostEqual(flow["scheduled"]["packets_per_s"], 1000, delta=0.01)
        self.assertLess(flow["sent"]["packets_per_s"], 850)
        self.assertEqual(flow["received"]["reordered"], 0)

    def test_a_flow_that_shifts_keeps_its_gaps_and_shows_that_it_is_late(self):
        packets, report = self.hold_up("shift")
        flow = report["flows"][0]
        self.assertEqual(len(packets), 2000)
        self.assertGreater((packets[-1].time_ns - packets[0].time_ns) / 1e9, 2.3)
        self.assertGreater(flow["shifted_s"], 0.3)
        self.assertAlmostEqual(flow["scheduled"]["packets_per_s"], 1000, delta=0.01)
        self.assertLess(flow["sent"]["packets_per_s"], 870)
        self.assertAlmostEqual(flow["lateness_ns"]["max"] / 1e9, flow["shifted_s"], delta=0.02 * flow["shifted_s"])

    def test_threads_run_on_the_cores_that_they_were_given_and_the_others_beside_them(self):
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            lab.skip_test("this needs two cores")
        pinned = cores[-1]
        self.b.receiver("--pin", str(pinned))
        sender = self.start_sender("--duration", "2s", "--pin", str(pinned), "--log", "send.glog")
        seen = lab.wait_until("the threads that send", lambda: (found := threads_of(sender.process.pid)) and "send log" in found and
                              "send worker" in found and found)
        self.assertEqual([cpus for cpus, _ in seen["send worker"]], [str(pinned)])
        for name in ("send log", "groma-send"):
            self.assertNotIn(str(pinned), [cpus for cpus, _ in seen[name]], seen)
        self.assertEqual(seen["send log"][0][1], os.SCHED_BATCH)
        self.assertEqual(sender.wait(), 0, sender.said)
        pacing = self.report()["run"]["pacing"]
        self.assertEqual(pacing, {"threads": 1, "pinned": [pinned], "realtime": False, "remarks": []})

    def test_real_time_is_had_or_the_report_says_why_not(self):
        self.b.receiver("--realtime")
        sender = self.start_sender("--duration", "2s", "--realtime")
        seen = lab.wait_until("the thread that sends to have its policy", lambda: threads_of(sender.process.pid).get("send worker"))
        self.assertEqual(sender.wait(), 0, sender.said)
        pacing = self.report()["run"]["pacing"]
        if pacing["realtime"]:
            self.assertEqual(seen[0][1], os.SCHED_FIFO)
        else:
            self.assertTrue(any("real time" in remark for remark in pacing["remarks"]), pacing)

    def test_who_may_not_have_real_time_is_told_what_to_ask_for(self):
        self.b.receiver()
        without = ("setpriv", "--bounding-set=-sys_nice,-ipc_lock", "--inh-caps=-sys_nice,-ipc_lock")
        sender = self.start_sender("--duration", "500ms", "--realtime", wrap=without)
        self.assertEqual(sender.wait(), 0, sender.said)
        pacing = self.report()["run"]["pacing"]
        self.assertFalse(pacing["realtime"])
        self.assertTrue(any("RLIMIT_RTPRIO" in remark and "CAP_SYS_NICE" in remark for remark in pacing["remarks"]), pacing)

    def test_a_thread_that_never_sleeps_gives_up_real_time(self):
        self.b.receiver()
        sender = self.start_sender("--duration", "1s", "--realtime", idt="const:100kpps")
        self.assertEqual(sender.wait(), 0, sender.said)
        pacing = self.report()["run"]["pacing"]
        self.assertFalse(pacing["realtime"])
        self.assertTrue(pacing["remarks"])

    def test_both_sides_tell_what_they_have_cost(self):
        self.b.receiver()
        sender = self.start_sender("--duration", "1s", idt="const:100pps")  # gaps that are slept through, not spun
        self.assertEqual(sender.wait(), 0, sender.said)
        report = self.report()
        for usage in (report["run"]["usage"], report["receivers"][0]["usage"]):
            self.assertGreater(usage["user_s"] + usage["system_s"], 0)
            self.assertGreater(usage["voluntary_switches"], 10)


if __name__ == "__main__":
    lab.main()
