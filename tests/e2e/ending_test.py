#!/usr/bin/env python3
"""A theme that must end leaves no process, no folder and no host, at whatever point it is."""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import unittest

import ending
import lab
import uml

HERE = pathlib.Path(__file__).resolve().parent
# Themes: each shows by a file how far it is, and gets two more signals while it cleans up.
BEGIN = """
import os, pathlib, signal, subprocess, sys, unittest
import ending, lab, uml

def say(*words):
    print(*words, flush=True)

def wait(*_):
    pathlib.Path("ready").touch()
    signal.pause()

def told_again(what):
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(os.getpid(), number)
    say("cleaned", what)
"""
IN_A_TEST = """
class Theme(lab.LabTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        unittest.addModuleCleanup(told_again, "module")
        cls.addClassCleanup(told_again, "class")

    def test1(self):
        self.addCleanup(told_again, "test")
        self.enterContext(ending.TemporaryFolder())
        self.a.start("tail", "-f", "/dev/null")
        with self.subTest("whose failure ends no test by itself"):
            program = subprocess.Popen(["sh", "-c", "tail -f /dev/null & echo begun; wait"], stdout=subprocess.PIPE, start_new_session=True)
            program.stdout.readline()
            subprocess.run(["sh", "-c", "tail -f /dev/null >/dev/null 2>&1 &"])
            wait()
        say("went on")

    def test2(self):
        say("went on")
"""
IN_A_FIXTURE = """
class Theme(lab.LabTest):
    keeps_hosts = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.addClassCleanup(told_again, "class")
        cls.class_lab.hosts[0].start("tail", "-f", "/dev/null")
        wait()

    def test1(self):
        say("went on")
"""
BETWEEN_TESTS = """
class Result(ending.Result):
    stopTest = wait

class Theme(lab.LabTest):
    keeps_hosts = True

    def test1(self):
        self.a.start("tail", "-f", "/dev/null")

    def test2(self):
        say("went on")

ending.Runner.resultclass = Result
"""
WHILE_HOSTS_GO = """
class Theme(lab.LabTest):
    def test1(self):
        self.lab.stack.callback(told_again, "hosts")

    def test2(self):
        say("went on")
"""
IN_A_GUEST = """
class Theme(unittest.TestCase):
    def test1(self):
        uml.run([sys.executable, "-c", "import os, signal, tempfile; assert tempfile.mkdtemp().startswith(os.getcwd()); "
                                       "open('ready', 'w'); signal.pause()"])
"""
FOR_TOO_LONG = """
class Theme(lab.LabTest):
    def test1(self):
        wait()
"""
END = """
lab.main()
"""


class Ending(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(ending.TemporaryFolder()))
        self.left = self.folder / "left"
        self.left.mkdir()

    def start(self, theme: str, limit: int = 0) -> lab.Program:
        """It has its own folder for its folders and its home, which also identifies its processes. It handles
        signals that this test's parent may ignore."""
        (self.folder / "theme.py").write_text(BEGIN + theme + END)
        program = lab.Program(["env", "--default-signal", sys.executable, "-B", self.folder / "theme.py"], self.folder, "theme",
                              env=os.environ | {"TMPDIR": str(self.left), "HOME": str(self.left), "PYTHONPATH": str(HERE), "GROMA_LIMIT": str(limit)})
        self.addCleanup(program.stop)
        return program

    def told(self, theme: str, number: int = signal.SIGTERM) -> lab.Program:
        """A theme that was signalled when it was ready."""
        program = self.start(theme)
        ready = self.folder / "ready"
        lab.wait_until("the theme to be ready", lambda: ready.exists() or program.process.poll() is not None)
        ready.unlink(missing_ok=True)
        self.assertNotEqual(self.processes(), [], program.said)
        program.send_signal(number)
        return program

    def processes(self) -> list:
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # of others, and of those that end meanwhile
                if f"TMPDIR={self.left}".encode() in (process / "environ").read_bytes():
                    found.append((process / "cmdline").read_bytes())
        return found

    def assertEnds(self, theme: lab.Program, number: int, *cleaned: str):
        self.assertEqual(theme.wait(), 128 + number, theme.said)
        self.assertEqual([line for line in theme.said.splitlines() if line.startswith("cleaned")], [f"cleaned {what}" for what in cleaned])
        self.assertNotIn("went on", theme.said)
        self.assertEqual(self.processes(), [])
        self.assertEqual(list(self.left.iterdir()), [])
        self.assertNotIn(f"groma{theme.process.pid}", lab.run("ip", "netns", "list").stdout)

    def test_in_a_test(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
            with self.subTest(number.name):
                self.assertEnds(self.told(IN_A_TEST, number), number, "test", "class", "module")

    def test_in_a_fixture_of_a_class(self):
        self.assertEnds(self.told(IN_A_FIXTURE), signal.SIGTERM, "class")

    def test_between_tests(self):
        self.assertEnds(self.told(BETWEEN_TESTS), signal.SIGTERM)

    def test_while_hosts_are_removed(self):
        """Of the two signals that wait for it, the one with the smaller number comes first."""
        self.assertEnds(self.start(WHILE_HOSTS_GO), signal.SIGINT, "hosts")

    def test_in_a_guest(self):
        if why := uml.missing():
            lab.skip_test(why)
        self.assertEnds(self.told(IN_A_GUEST), signal.SIGTERM)

    def test_as_its_time_is_over(self):
        self.assertEnds(self.start(FOR_TOO_LONG, limit=1), signal.SIGALRM)


if __name__ == "__main__":
    lab.main()
