#!/usr/bin/env python3
"""Cores and scheduling policies of a sender's threads, by the kernel, and the cost of both sides."""
import json
import os
import pathlib
import signal

import lab


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


class SenderTest(lab.LabTest):
    def start_sender(self, *arguments, idt="const:1000pps", wrap=()):
        return self.a.start(*wrap, lab.BIN / "groma-send", "--to", self.b.address, "--idt", idt, "--size", "const:64",
                            "--json=report.json", *arguments, name="groma-send")

    def report(self) -> dict:
        return json.loads((self.folder / "report.json").read_text())


class Threads(SenderTest):
    def test_threads_run_on_the_cores_that_they_were_given_and_the_others_beside_them(self):
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            lab.skip_test("this needs two cores")
        pinned = cores[-1]
        receiver = self.b.receiver("--pin", str(pinned))
        sender = self.start_sender("--duration", "1h", "--pin", str(pinned), "--realtime", "off", "--log", "send.glog")
        receiver.await_datagrams()
        seen = threads_of(sender.process.pid)
        self.assertEqual([cpus for cpus, _ in seen["send worker"]], [str(pinned)])
        for name in ("send log", "groma-send"):
            self.assertNotIn(str(pinned), [cpus for cpus, _ in seen[name]], seen)
        self.assertEqual(seen["send log"][0][1], os.SCHED_BATCH)
        self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)
        pacing = self.report()["run"]["pacing"]
        self.assertEqual(pacing, {"threads": 1, "pinned": [pinned], "realtime": False, "warnings": []})

    def test_real_time_is_had_or_the_report_says_why_not(self):
        receiver = self.b.receiver("--realtime", "on")
        sender = self.start_sender("--duration", "1h", "--realtime", "on")
        receiver.await_datagrams()
        seen = threads_of(sender.process.pid)["send worker"]
        self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)
        pacing = self.report()["run"]["pacing"]
        if pacing["realtime"]:
            self.assertEqual(seen[0][1], os.SCHED_FIFO)
        else:
            self.assertTrue(any("real time" in warning for warning in pacing["warnings"]), pacing)

    def test_who_may_not_have_real_time_is_told_what_to_ask_for(self):
        self.b.receiver()
        without = ("setpriv", "--bounding-set=-sys_nice,-ipc_lock", "--inh-caps=-sys_nice,-ipc_lock")
        sender = self.start_sender("--packets", 500, "--realtime", "on", wrap=without)
        self.assertEqual(sender.wait(), 0, sender.said)
        pacing = self.report()["run"]["pacing"]
        self.assertFalse(pacing["realtime"])
        self.assertTrue(any("RLIMIT_RTPRIO" in warning and "CAP_SYS_NICE" in warning for warning in pacing["warnings"]), pacing)

    def test_without_a_word_real_time_is_taken_by_who_may_have_it(self):
        receiver = self.b.receiver()
        without = ("setpriv", "--bounding-set=-sys_nice,-ipc_lock", "--inh-caps=-sys_nice,-ipc_lock")
        for wrap in ((), without):
            before = receiver.count("Udp.InDatagrams")
            sender = self.start_sender("--duration", "1h", wrap=wrap)
            receiver.await_datagrams(before + 1)
            seen = threads_of(sender.process.pid)["send worker"]
            self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)
            pacing = self.report()["run"]["pacing"]
            self.assertEqual(pacing["warnings"], [])
            self.assertIn(seen[0][1], (os.SCHED_FIFO, os.SCHED_OTHER))
            if wrap:
                self.assertFalse(pacing["realtime"])
                self.assertEqual(seen[0][1], os.SCHED_OTHER)
            elif pacing["realtime"]:
                self.assertEqual(seen[0][1], os.SCHED_FIFO)

    def test_both_sides_tell_what_they_have_cost(self):
        self.b.receiver()
        sender = self.start_sender("--packets", 100, idt="const:100pps")  # the sender sleeps during these gaps and does not spin
        self.assertEqual(sender.wait(), 0, sender.said)
        report = self.report()
        for usage in (report["run"], report["receivers"][0]):
            self.assertGreater(usage["cpu_user_s"] + usage["cpu_system_s"], 0)
            self.assertGreater(usage["voluntary_switches"], 0)


if __name__ == "__main__":
    lab.main()
