#!/usr/bin/env python3
"""A receiver with another clock. This test measures the offset independently of Groma: it asks the receiver's host
for its time."""
import json
import math
import pathlib
import sys
import threading
import time
import unittest

import clock_guest
import lab
import quiet
import uml

HERE = pathlib.Path(__file__).resolve().parent
GUEST_STOOD_STILL_NS = 300_000_000
HOST, GUEST = "10.98.0.1", "10.98.0.2"


class AnotherClock(unittest.TestCase):
    """The receiver is in user-mode Linux, whose clock this test sets; a tap joins it to a host of the lab."""

    @classmethod
    def setUpClass(cls):
        if why := uml.missing():
            lab.skip(why)
        cls.lab = lab.Lab(1)
        cls.lab.__enter__()
        cls.addClassCleanup(cls.lab.__exit__, None, None, None)
        cls.host, = cls.lab.hosts
        cls.host.run("ip", "tuntap", "add", "dev", "tap0", "mode", "tap")
        cls.host.run("ip", "addr", "add", f"{HOST}/24", "dev", "tap0")
        cls.host.run("ip", "link", "set", "tap0", "up")
        cls.guest = threading.Thread(target=cls.boot)
        cls.guest.start()
        cls.addClassCleanup(cls.guest.join)
        cls.addClassCleanup(cls.ask, "quit", check=False)
        lab.wait_until("the guest's clock", lambda: cls.ask("step 0", check=False), 120)
        lab.wait_until("its receiver", lambda: "listening on" in (cls.lab.folder / "receiver.said").read_text(), 60)

    @classmethod
    def boot(cls):
        cls.booted = uml.run([sys.executable, "-B", HERE / "clock_guest.py", cls.lab.folder, GUEST],
                             {"GROMA_BIN": str(lab.BIN), "GROMA_ROOT": str(lab.ROOT), "PYTHONPATH": str(HERE)},
                             arguments=["eth0=tuntap,tap0"], before=["ip", "netns", "exec", cls.host.namespace])

    @classmethod
    def ask(cls, request: str, check=True):
        """(the guest's time, this host's times of question and answer) of the quickest of many questions."""
        # A socket for each question, so that a late answer reaches none. Questions that a busy machine loses are
        # repeated.
        script = (f"import socket, time\nbest = None\n"
                  f"for i in range(1 if {request!r} != 'time' else 100):\n"
                  f"    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(5 if {request!r} != 'time' else 1)\n"
                  f"    s.connect(('{GUEST}', {clock_guest.PORT}))\n"
                  f"    before = time.time_ns(); s.send({request!r}.encode())\n"
                  f"    try: said = int(s.recv(100))\n"
                  f"    except OSError: continue\n"
                  f"    after = time.time_ns()\n"
                  f"    best = min(best or (after - before, said, before), (after - before, said, before))\n"
                  f"print(*best)")
        result = cls.host.run(sys.executable, "-c", script, check=check)
        return None if result.returncode else [int(number) for number in result.stdout.split()]

    def offset(self):
        """(offset, its error, this host's time): the guest answers at some time between question and answer."""
        there_and_back, said, before = self.ask("time")
        return said - (before + there_and_back // 2), there_and_back // 2, before + there_and_back // 2

    def send(self, name: str, meanwhile=lambda: None):
        """Sends for eight seconds. Returns the report's figures of the receiver, groma-dec's of the run, the guest's
        offset before and after, and the result of `meanwhile`; if possible, of a run in which the guest alone did
        not stand still."""
        def once(attempt: int):
            run = f"{name}-{attempt}"
            logs = f"{run}-send.glog", f"{run}-recv.glog"
            before = self.offset()
            sender = self.host.start_groma("send", "--to", GUEST, "--idt", "const:100pps", "--duration", "8s", "--log", logs[0],
                                           "--receiver-log", logs[1], f"--json={run}.json")
            known = meanwhile()
            if sender.wait(60) != 0 and "was silent for" in sender.said:
                return math.inf, sender.said
            self.assertEqual(sender.wait(), 0, sender.said)
            report = json.loads((self.lab.folder / f"{run}.json").read_text())
            decoded = json.loads(lab.run(lab.BIN / "groma-dec", *logs, "--json", cwd=self.lab.folder).stdout)
            delay = lab.spread(decoded["runs"][0]["flows"][0], "delay")
            return delay["max"] - delay["min"], (report["receivers"][0], decoded, before, self.offset(), known)
        found = quiet.calmest(once, GUEST_STOOD_STILL_NS)
        self.assertIsInstance(found, tuple, found)
        return found

    def test_offset_and_skew_are_found_within_what_is_said(self):
        receiver, decoded, (first, first_error, first_at), (second, second_error, second_at), _ = self.send("steady")
        run, = decoded["runs"]
        self.assertEqual((run["clock"], run["clock_steps"], receiver["same_clock"]), ("probed", [], False))
        self.assertGreater(first, clock_guest.AHEAD_NS - 10**9)
        span = second_at - first_at
        skew = (second - first) / span
        truth = first + skew * (run["started_ns"] - first_at)
        error = max(first_error, second_error)
        for said in (run, receiver):
            self.assertLessEqual(abs(said["clock_offset_ns"] - truth), said["clock_bound_ns"] + error, (said, first, second))
            self.assertLessEqual(abs(said["clock_skew_ppm"] - skew * 1e6), said["clock_skew_error_ppm"] + 2 * error / span * 1e6, (said, skew))
        self.assertLess(run["clock_bound_ns"], 20e6)
        delay = lab.spread(run["flows"][0], "delay")
        # A packet takes some time, at most about that of a round trip.
        self.assertGreaterEqual(delay["min"], -run["clock_bound_ns"])
        self.assertLessEqual(delay["min"], 2 * error + run["clock_bound_ns"] + 5e6)

    def test_a_step_is_found_and_said(self):
        def meanwhile():
            time.sleep(4)  # the step must be in the middle of the run
            asked = time.time_ns()
            self.ask(f"step {50 * 10**6}")
            return asked, time.time_ns()

        receiver, decoded, before, after, stepped = self.send("stepped", meanwhile)
        self.assertGreater(after[0] - before[0], 45e6)
        run, = decoded["runs"]
        for steps in (run["clock_steps"], receiver["clock_steps"]):
            step, = steps
            self.assertLessEqual(abs(step["size_ns"] - 50e6), step["error_ns"] + 10e6, step)
            self.assertGreaterEqual(step["at_ns"], stepped[0] - step["within_ns"] - 1e9, step)
            self.assertLessEqual(step["at_ns"], stepped[1] + step["within_ns"] + 1e9, step)
        events = [event["kind"] for log in run["logs"] for event in log["events"]]
        self.assertIn("clock-stepped", events)
        self.assertTrue(any("clock was set forward" in warning for warning in decoded["warnings"]), decoded["warnings"])
        # Most delays are right again: without the correction, those after the step would be 50 ms more.
        delay = lab.spread(run["flows"][0], "delay")
        self.assertLess(delay["p90"], 40e6)


if __name__ == "__main__":
    lab.main()
