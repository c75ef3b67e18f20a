"""A program of tests that is told to end, by a signal or as its time is over, leaves nothing: no host, no folder, no process.

Its programs are killed, and theirs; then Told is raised where the main thread is. For unittest that is an error of the test, after which no
other begins: cleanups of the test, its class and its module run as ever. Further signals change nothing. ctest kills what exceeds its limit,
which nobody can clean up after: GROMA_LIMIT is a number of seconds that is less, after which a program tells itself to end.
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
    """This program was told to end."""


def listen():
    """From now on the program ends as said above. Signals that its parent ignores, as nohup does, stay ignored."""
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
    """Daemons, which are nobody's children but have this program's environment."""
    mark, found = f"{MARK}={os.getpid()}".encode(), []
    for process, _ in processes():
        with contextlib.suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def _kill_programs():
    """Until there is none: whoever's parent is killed is a child by the time that its parent has ended."""
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
    """For what must not be done by halves: signals wait until it is over."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class TemporaryFolder(tempfile.TemporaryDirectory):
    """Is removed whole, at the latest when the program ends."""

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
    """Runs the tests of the main module, or of `options`, which unittest.main() takes. If the program is told to end, this ends it, with the
    status that a shell would give it."""
    listen()
    try:
        return unittest.main(exit=False, testRunner=runner, **options).result
    finally:
        if _told:
            sys.exit(128 + _told[0])
