"""A test program that must end, by a signal or because its time is over, leaves no host, no folder and no process.

Its programs and their children are killed; then Told is raised in the main thread. unittest takes it for an error of
the test and begins no other: cleanups of the test, its class and its module run as usual. Further signals change
nothing. ctest kills a program that exceeds its limit, after which no clean-up is possible. So GROMA_LIMIT is a smaller
number of seconds, after which a program ends itself.
"""
from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import signal
import sys
import tempfile
import unittest

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM)
PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
MARK = "GROMA_THEME"  # a variable of the environment of its programs: its number

_told: list[int] = []  # the first of the signals that came
_results: list[unittest.TestResult] = []


class Told(Exception):
    """This program must end."""


def listen():
    """From now on the program ends as described above. Signals that its parent ignores, as nohup does, stay ignored."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)
    os.environ[MARK] = str(os.getpid())
    signal.alarm(int(os.environ.get("GROMA_LIMIT", 0)))


def _end(number: int, _frame):
    if _told:
        return
    _told.append(number)
    for result in _results:
        result.failfast = True  # also ends a test whose subtest took the error
        result.stop()
    _kill_programs()
    raise Told(signal.Signals(number).name)


def keep_orphans():
    """Programs whose parent ended, as mpirun's do, become this program's children."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")


def processes():
    """(its folder of /proc, its parent) of each process."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            yield process, int((process / "stat").read_text().rpartition(")")[2].split()[1])


def children(parent: int) -> list[int]:
    return [int(process.name) for process, its in processes() if its == parent]


def _marked() -> list[int]:
    """Daemons, which are not this program's children but have its environment."""
    mark, found = f"{MARK}={os.getpid()}".encode(), []
    for process, _ in processes():
        with contextlib.suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def _kill_programs():
    """Repeats until there is none: a process whose parent was killed becomes a child when the parent has ended."""
    keep_orphans()
    while found := {*children(os.getpid()), *_marked()}:
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


@contextlib.contextmanager
def undisturbed():
    """For actions that must not be interrupted: signals wait until they are over."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class TemporaryFolder(tempfile.TemporaryDirectory):
    """Is removed with its contents, at the latest when the program ends."""

    def cleanup(self):
        with undisturbed():
            super().cleanup()


class Result(unittest.TextTestResult):
    def startTestRun(self):
        super().startTestRun()
        _results.append(self)


class Runner(unittest.TextTestRunner):
    resultclass = Result


def run_tests(runner=Runner, **options) -> unittest.TestResult:
    """Runs the tests of the main module, or of `options`, which unittest.main() takes. If the program must end, this
    ends it, with the status that a shell would give it."""
    listen()
    try:
        return unittest.main(exit=False, testRunner=runner, **options).result
    finally:
        if _told:
            sys.exit(128 + _told[0])
