#!/usr/bin/env python3
"""The timing suite's judge of the machine (quiet.py), on a /proc that the test writes."""
import io
import os
import pathlib
import sys
import time
import unittest

import ending
import lab
import quiet

TICKS = quiet.TICKS
TEST, SENDER, OTHER, WORKER, KTHREADD = 100, 101, 200, 50, 2


class FakeMachine:
    """Two processors. Times are in seconds; those of the processes add up in the processors' times."""

    def __init__(self, proc: pathlib.Path):
        self.proc = proc
        self.now_s = self.steal = self.waited = self.interrupts = self.unseen = 0.0
        self.running = 1  # the one that reads it
        self.parents = {TEST: 1, SENDER: TEST, OTHER: 1, KTHREADD: 0, WORKER: KTHREADD}
        self.used = dict.fromkeys(self.parents, 0.0)
        self.ended = dict.fromkeys(self.parents, 0.0)  # time that ended children had used
        (proc / "pressure").mkdir()
        self.write()

    def write(self):
        busy = sum(self.used.values()) + sum(self.ended.values()) + self.unseen
        idle = 2 * self.now_s - busy - self.steal - self.interrupts
        columns = (busy / 2, 0, busy / 2, idle, 0, 0, self.interrupts, self.steal)
        (self.proc / "stat").write_text(f"cpu  {' '.join(str(round(one * TICKS)) for one in columns)} 0 0\ncpu0 1\n")
        (self.proc / "loadavg").write_text(f"0.10 0.20 0.30 {self.running}/90 4711\n")
        (self.proc / "pressure/cpu").write_text(f"some avg10=0.00 avg60=0.00 avg300=0.00 total={round(self.waited * 1e6)}\nfull total=0\n")
        for pid, parent in self.parents.items():
            (self.proc / str(pid)).mkdir(exist_ok=True)
            (self.proc / str(pid) / "stat").write_text(
                f"{pid} ({'kthreadd' if pid == KTHREADD else 'a) b'}) S {parent} 1 1 0 -1 0 0 0 0 0 {round(self.used[pid] * TICKS)} 0 {round(self.ended[pid] * TICKS)} 0 20 0 1 0 1 1 1\n")

    def pass_time(self, seconds: float, **used):
        self.now_s += seconds
        for name, share in used.items():
            if name in ("steal", "waited", "interrupts", "unseen"):
                setattr(self, name, getattr(self, name) + share)
            else:
                self.used[globals()[name.upper()]] += share
        self.write()


class Quiet(unittest.TestCase):
    def setUp(self):
        folder = ending.TemporaryFolder(prefix="groma-quiet-")
        self.addCleanup(folder.cleanup)
        self.fake = FakeMachine(pathlib.Path(folder.name))
        self.machine = quiet.Machine(self.fake.proc, lambda: self.fake.now_s, TEST)
        self.still_s = []

    def figures(self, seconds=10.0, alone=False, **used):
        first = self.machine.read(alone)
        self.fake.pass_time(seconds, **used)
        return quiet.between(first, self.machine.read(alone))

    def assertDisturbed(self, before, during, word):
        said, = quiet.disturbances(before, during)
        self.assertTrue(said.startswith(word), said)

    def test_what_the_test_takes_itself_is_no_disturbance(self):
        self.fake.ended[TEST] += 1.0
        idle, busy = self.figures(), self.figures(test=3.0, sender=9.0, worker=2.0, interrupts=3.0, waited=8.0)
        self.assertEqual((busy.foreign, busy.unseen, busy.steal), (0, 0, 0))
        self.assertEqual(quiet.disturbances(idle, busy), [])

    def test_programs_that_are_not_the_tests_are(self):
        busy = self.figures(sender=9.0, other=2.0)
        self.assertAlmostEqual(busy.foreign, 0.1)
        self.assertDisturbed(self.figures(), busy, "during")

    def test_programs_of_others_that_ended_meanwhile_are(self):
        first = self.machine.read()
        self.fake.ended[OTHER] += 2.0
        self.fake.pass_time(10.0)
        self.assertAlmostEqual(quiet.between(first, self.machine.read()).foreign, 0.1)

    def test_what_an_earlier_test_left_is(self):
        self.assertDisturbed(self.figures(alone=True, sender=2.0), self.figures(sender=2.0), "before")

    def test_processors_that_work_for_nobody_are(self):
        self.assertDisturbed(self.figures(), self.figures(unseen=7.0), "during")
        self.assertEqual(quiet.disturbances(self.figures(), self.figures(unseen=4.0)), [])

    def test_a_second_process_that_is_not_the_kernels_is(self):
        self.fake.write()
        (self.fake.proc / str(KTHREADD) / "stat").write_text((self.fake.proc / str(TEST) / "stat").read_text())
        first = self.machine.read()
        (self.fake.proc / str(WORKER) / "stat").write_text(f"{WORKER} (a) S {KTHREADD} 1 1 0 -1 0 0 0 0 0 {2 * TICKS} 0 0 0 20 0 1 0 1 1 1\n")
        self.fake.now_s += 10
        self.assertGreater(self.machine.read().foreign, first.foreign)

    def test_a_host_that_takes_the_processors_away_is(self):
        stolen = self.figures(steal=0.4)
        self.assertAlmostEqual(stolen.steal, 0.02)
        self.assertDisturbed(self.figures(), stolen, "during")

    def test_a_processor_that_stood_still_once_is(self):
        self.assertDisturbed(self.figures(), self.figures()._replace(still_s=0.02), "during")

    def test_pressure_and_a_run_queue_count_before_the_test_only(self):
        waiting = self.figures(waited=1.0)
        self.assertAlmostEqual(waiting.pressure, 0.1)
        self.assertDisturbed(waiting, self.figures(), "before")
        self.fake.running = 4
        self.assertDisturbed(self.figures(), self.figures(), "before")

    def test_a_kernel_without_pressure_is_judged_by_the_rest(self):
        (self.fake.proc / "pressure/cpu").unlink()
        self.assertEqual(self.machine.read().waited, 0)

    def test_a_program_that_tried_nothing_has_not_passed(self):
        class Two(unittest.TestCase):
            def test_one(self):
                self.skipTest("there is no guest")

            def test_other(self):
                pass
        def status(*names):
            return lab.status_of(unittest.TextTestRunner(io.StringIO()).run(unittest.TestSuite(map(Two, names))))
        self.assertEqual(status("test_one"), lab.SKIPPED)
        self.assertEqual(status("test_one", "test_other"), 0)

    # A complete test program

    def ran(self, test, during=None, before=None):
        """The exit status and output of a program of one test, during which this load was on the machine."""
        outer = self

        class Case(unittest.TestCase):
            def runTest(self):
                outer.fake.pass_time(10, **during or {})
                test(self)

        class Watch:
            def end(self):
                return 0.0

        class Result(quiet.QuietResult):
            machine = self.machine
            watch = Watch

            @staticmethod
            def sleep(seconds):
                outer.fake.pass_time(seconds, **{name: share * seconds for name, share in (before or {}).items()})

        said = io.StringIO()
        return quiet.status_of(unittest.TextTestRunner(said, resultclass=Result).run(Case())), said.getvalue()

    def test_a_failure_is_red_while_the_machine_is_quiet_and_inconclusive_otherwise(self):
        def fails(case):
            case.fail("much too late")
        self.assertEqual(self.ran(fails)[0], 1)
        status, said = self.ran(fails, during={"steal": 1.0})
        self.assertEqual(status, lab.SKIPPED)
        self.assertIn("steal 5.0%", said)
        self.assertIn("much too late", said)

    def test_an_error_is_treated_as_a_failure(self):
        def breaks(_):
            raise OSError("no such thing")
        self.assertEqual(self.ran(breaks)[0], 1)
        self.assertEqual(self.ran(breaks, during={"other": 5.0})[0], lab.SKIPPED)

    def test_a_fault_of_the_test_is_red_on_any_machine(self):
        def is_outdated(case):
            with case.subTest(rate=1):
                self.fail({}["a figure that was renamed"])
        for test in (lambda _: {}["a figure that was renamed"], is_outdated):
            status, said = self.ran(test, during={"other": 5.0})
            self.assertEqual(status, 1)
            self.assertIn("a figure that was renamed", said)
            self.assertNotIn("inconclusive", said)

    def test_a_success_is_green_only_while_the_machine_is_quiet(self):
        self.assertEqual(self.ran(lambda _: None, during={"sender": 15.0})[0], 0)
        self.assertEqual(self.ran(lambda _: None, during={"other": 5.0})[0], lab.SKIPPED)

    def test_a_machine_that_does_not_become_quiet_is_said_with_its_figures(self):
        status, said = self.ran(lambda _: None, before={"other": 1.0})
        self.assertEqual(status, lab.SKIPPED)
        self.assertIn("before: steal 0.0%, other programs 50.0%", said)

    def test_a_subtest_that_fails_is_taken_back_as_well(self):
        def fails_in_part(case):
            with case.subTest(rate=1):
                case.fail("one of them")
        self.assertEqual(self.ran(fails_in_part)[0], 1)
        self.assertEqual(self.ran(fails_in_part, during={"steal": 1.0})[0], lab.SKIPPED)

    # On the real machine

    def test_this_machine_is_read(self):
        """Reads this program, which is foreign if another is the test."""
        proc = self.fake.proc / "this"
        proc.mkdir()
        for name in ("stat", "loadavg", "pressure", str(os.getpid())):
            (proc / name).symlink_to(f"/proc/{name}")
        as_test, as_other = quiet.Machine(proc), quiet.Machine(proc, program=TEST)
        began, first = time.process_time(), as_other.read()
        while time.process_time() < began + 0.5:
            pass
        last, used = as_other.read(), time.process_time() - began
        self.assertGreater(last.total, first.total)
        self.assertGreaterEqual(last.foreign - first.foreign, 0.5 - 2 / TICKS)
        self.assertLessEqual(last.foreign - first.foreign, used + 2 / TICKS)
        self.assertEqual(as_test.read().foreign, 0)

    def test_programs_whose_parent_ended_stay_the_tests(self):
        """In a separate program, because it changes this program's children."""
        said = lab.run(sys.executable, "-c", "import os, ending; ending.keep_orphans(); pipe = os.pipe()\n"
                       "if os.fork() == 0:\n"
                       "    if os.fork() == 0:\n"
                       "        ours = any(os.getppid() == os.getpgrp() for _ in range(10**7))\n"
                       "        os.write(pipe[1], b'ours' if ours else b'lost')\n"
                       "    os._exit(0)\n"
                       "print(os.read(pipe[0], 9).decode())", start_new_session=True,
                       cwd=pathlib.Path(__file__).parent).stdout
        self.assertEqual(said.strip(), "ours")

    def test_watchers_end_with_the_longest_time_that_they_saw(self):
        if os.geteuid() == 0:
            self.assertGreaterEqual(quiet.Watch().end(), 0)


if __name__ == "__main__":
    lab.main(root=False)
