"""Tests that judge times need a machine that does nothing else. The machine is measured before and during each of them.
A test whose machine was not quiet is inconclusive, whether it passed or failed, and reports the figures. main() ends
such a program with lab.SKIPPED if no test failed while the machine was quiet.

What is measured: time that the host of this machine took (steal, /proc/stat); other programs (their share of the
processors, and their number in the run queue); processor time that no visible program accounts for (other containers);
tasks that waited for a processor (/proc/pressure/cpu); and the longest time for which a processor stood still, by a
watcher on each with priority over all else.
"""
from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from typing import NamedTuple

import ending
import lab

TICKS = os.sysconf("SC_CLK_TCK")
QUIET_RING_KIB = 16 << 10  # allocating a large one occupies a processor for as long as the host's steal would
KTHREADD = 2  # if it has this name: the kernel's own threads work for the test
BEFORE_S = 0.5
PATIENCE_S = 30  # for a quiet moment to begin

MOST_STEAL = 0.01     # of all processors
MOST_FOREIGN = 0.05   # of all processors
MOST_UNSEEN = 0.3      # of all processors; /proc/stat samples by the tick, beside which paced programs run, and is off by up to a fifth
MOST_PRESSURE = 0.05  # of the time before the test
MOST_RUNNING = 1      # programs in the run queue before the test, beside the one that reads it
MOST_STILL_S = 0.015

FAULTS = (LookupError, TypeError, AttributeError, NameError)  # of a test, whatever the machine does

WATCHER = f"""
import os, signal, sys, time
os.sched_setaffinity(0, {{int(sys.argv[1])}})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(90))
signal.signal(signal.SIGTERM, lambda *_: (print(longest), sys.exit()))
longest, last = 0.0, time.monotonic()
print("watching", flush=True)
while True:
    time.sleep(0.01)
    now = time.monotonic()
    longest, last = max(longest, now - last - 0.01), now
"""


class Reading(NamedTuple):
    """Seconds since the machine was started, of all processors together but for `waited` and `at`."""
    at: float
    total: float
    steal: float
    foreign: float  # of other programs, and of their children that ended
    unseen: float   # of no visible program, while a processor was busy
    waited: float   # at least one task waited for a processor
    running: int    # tasks in the run queue


class Figures(NamedTuple):
    """Of an interval."""
    steal: float
    foreign: float
    unseen: float
    pressure: float
    running: int
    still_s: float = 0.0

    def __str__(self):
        return (f"steal {self.steal:.1%}, other programs {self.foreign:.1%}, nobody {self.unseen:.1%}, waiting for a processor {self.pressure:.1%}, "
                f"run queue {self.running}, stood still for {self.still_s * 1e3:.1f} ms")


def between(first: Reading, last: Reading, still_s: float = 0.0) -> Figures:
    total = max(last.total - first.total, 1 / TICKS)
    return Figures((last.steal - first.steal) / total, max(0.0, last.foreign - first.foreign) / total, max(0.0, last.unseen - first.unseen) / total,
                   (last.waited - first.waited) / max(last.at - first.at, 1e-9), last.running, still_s)


def disturbances(before: Figures, during: Figures) -> list[str]:
    """Why the machine was not quiet; empty if it was. While the test runs, its own programs wait for one another: then only those of others
    count."""
    def is_disturbed(figures):
        return (figures.steal > MOST_STEAL or figures.foreign > MOST_FOREIGN or figures.unseen > MOST_UNSEEN or figures.still_s > MOST_STILL_S)
    return [why for why, is_so in (
        (f"before: {before}", is_disturbed(before) or before.pressure > MOST_PRESSURE or before.running > MOST_RUNNING),
        (f"during: {during}", is_disturbed(during))) if is_so]


class Machine:
    """Reads `proc`; `now` returns the time, `program` is the process whose tree is the test's."""

    def __init__(self, proc=pathlib.Path("/proc"), now=time.monotonic, program: int | None = None):
        self.proc, self.now, self.program = proc, now, program or os.getpid()

    def read(self, alone: bool = False) -> Reading:
        """`alone`: before the test, when it has no programs. Programs that an earlier test left are foreign."""
        user, nice, system, idle, iowait, irq, softirq, steal = map(
            int, (self.proc / "stat").read_text().splitlines()[0].split()[1:9])
        try:
            some = (self.proc / "pressure/cpu").read_text().splitlines()[0]
            waited = int(some.rpartition("total=")[2]) / 1e6
        except OSError:  # a kernel without it
            waited = 0.0
        running = int((self.proc / "loadavg").read_text().split()[3].partition("/")[0])
        own, foreign = self._programs(alone)
        return Reading(self.now(), (user + nice + system + idle + iowait + irq + softirq + steal) / TICKS, steal / TICKS,
                       foreign / TICKS, (user + nice + system - own - foreign) / TICKS, waited, running - 1)

    def _programs(self, alone: bool) -> tuple[int, int]:
        """Ticks of the test's programs and of others. The kernel counts them exactly, unlike those of /proc/stat."""
        names, parents, ticks = {}, {}, {}
        for folder in self.proc.iterdir():
            if folder.name.isdigit():
                try:
                    name, _, rest = (folder / "stat").read_text().rpartition(")")
                except (FileNotFoundError, ProcessLookupError):
                    continue
                pid, fields = int(folder.name), rest.split()
                names[pid], parents[pid], ticks[pid] = name.partition("(")[2], int(fields[1]), sum(map(int, fields[11:15]))
        roots = {KTHREADD} if names.get(KTHREADD) == "kthreadd" else set()
        roots |= set() if alone else {self.program}

        def is_own(pid):
            while pid and pid not in roots:
                pid = parents.get(pid, 0)
            return pid != 0
        own = sum(its for pid, its in ticks.items() if pid == self.program or is_own(pid))
        return own, sum(ticks.values()) - own


class Watch:
    """Watchers on all processors that this program may use; none if priority over others is not permitted."""

    def __init__(self):
        self.watchers = [subprocess.Popen([sys.executable, "-c", WATCHER, str(core)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                         for core in sorted(os.sched_getaffinity(0))]
        for watcher in self.watchers:
            watcher.stdout.readline()

    def end(self) -> float:
        """The longest standstill of a processor, in seconds."""
        longest = 0.0
        for watcher in self.watchers:
            watcher.send_signal(signal.SIGTERM)
            said = watcher.communicate()[0]
            longest = max(longest, float(said or 0))
        return longest


class QuietResult(ending.Result):
    """Withdraws failures of tests whose machine was not quiet, other than faults, and counts the inconclusive tests."""

    machine = Machine()
    watch = Watch
    sleep = staticmethod(time.sleep)

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.inconclusive = []
        self.is_faulty = False

    def startTest(self, test):
        end = self.machine.now() + PATIENCE_S
        while True:
            watch, first = self.watch(), self.machine.read(alone=True)
            self.sleep(BEFORE_S)
            self.before = between(first, self.machine.read(alone=True), watch.end())
            if not disturbances(self.before, self.before) or self.machine.now() > end:
                break
        self.had, self.is_faulty = (len(self.failures), len(self.errors)), False
        self.started, self.watching = self.machine.read(), self.watch()
        super().startTest(test)

    def addError(self, test, err):
        super().addError(test, err)
        self.is_faulty |= issubclass(err[0], FAULTS)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        self.is_faulty |= err is not None and issubclass(err[0], FAULTS)

    def stopTest(self, test):
        super().stopTest(test)
        during = between(self.started, self.machine.read(), self.watching.end())
        self.stream.writeln(f"{test.id()}: {during}")
        if not self.is_faulty and (why := disturbances(self.before, during)):
            failures, errors = self.had
            for _, text in self.failures[failures:] + self.errors[errors:]:
                self.stream.writeln(text)
            del self.failures[failures:], self.errors[errors:]
            self.inconclusive.append((test, "; ".join(why)))
            self.stream.writeln(f"{test.id()}: inconclusive, as the machine was not quiet ({'; '.join(why)})")


class Inconclusive(unittest.SkipTest):
    """Of a test in a guest that stood still."""


def calmest(measure, calm_ns: float, attempts: int = 4):
    """The result of `measure` for the first run in which the machine did not stand still for `calm_ns` or longer.
    `measure` takes the number of the attempt, and returns the standstill (ns) and its result. For guests, which
    stand still whenever their host does."""
    for attempt in range(attempts):
        still_ns, measured = measure(attempt)
        if still_ns < calm_ns:
            return measured
        print(f"the machine stood still for {still_ns / 1e6:.0f} ms", flush=True)
    raise Inconclusive(f"{lab.INCONCLUSIVE}: the machine stood still for {calm_ns / 1e6:.0f} ms or longer in each of {attempts} runs")


def status_of(result: QuietResult) -> int:
    return 0 if result.wasSuccessful() and not result.inconclusive else lab.SKIPPED if result.wasSuccessful() else 1


def main():
    if os.geteuid() != 0:
        lab.skip(lab.NO_ROOT)
    ending.keep_orphans()
    lab.Witness.RING_KIB = QUIET_RING_KIB
    result = ending.run_tests(unittest.TextTestRunner(resultclass=QuietResult, verbosity=2))
    print(f"{result.testsRun - len(result.inconclusive)} tests concluded, {len(result.inconclusive)} inconclusive")
    sys.exit(status_of(result))
