"""Hosts for tests: network namespaces with addresses, joined by a switch, all on this machine.

A Lab is a context manager: it always removes what it made. Programs run on a Host; a Witness is tcpdump on one of its
interfaces, so that an independent program judges what was sent.
"""
from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

import ending
from capture import STREAMS, CapturedPacket, messages_of, read_pcap, stream_bytes

BIN = pathlib.Path(os.environ.get("GROMA_BIN", "build/release/bin")).resolve()
ROOT = pathlib.Path(os.environ.get("GROMA_ROOT", ".")).resolve()
SANITIZED = bool(os.environ.get("GROMA_SANITIZE"))

HANG_S = 240  # a program that takes longer hangs: the only limit of waiting, far above all durations on a busy machine

_numbers = itertools.count()


def run(*command, check=True, limit=HANG_S, **options) -> subprocess.CompletedProcess:
    """Runs a command to its end; its output is in the exception when it fails and `check` is set."""
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=limit, **options)
    if check and result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result


def ip(*commands: str, namespace: str | None = None):
    """ip(8) for several commands, in the given order: starting a program is slow in a guest."""
    run("ip", *(("-n", namespace) if namespace else ()), "-batch", "-", input="".join(f"{command}\n" for command in commands))


def wait_until(what: str, condition, limit: float = HANG_S):
    """Returns what `condition` returns as soon as it is true; fails after `limit` seconds."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit} s for {what}")
        time.sleep(0.02)


def spread(figures: dict, what: str, unit: str = "ns") -> dict:
    """The figures of a report that describe a spread: `delay_min_ns` and so on as `min`."""
    end = f"_{unit}" if unit else ""
    names = ("min", "mean", "sd", "p50", "p90", "p99", "p999", "max")
    return {"count": figures[f"{what}_count"], **{name: figures[f"{what}_{name}{end}"] for name in names}}


class Program:
    """A program that runs until it is stopped; its output goes to files."""

    def __init__(self, command, folder: pathlib.Path, name: str, stdin=subprocess.DEVNULL, env=None):
        self.name = name
        self.output = folder / f"{name}-{next(_numbers)}.out"
        self.errors = self.output.with_suffix(".err")
        with open(self.output, "wb") as out, open(self.errors, "wb") as err:
            self.process = subprocess.Popen([str(c) for c in command], stdin=stdin, stdout=out, stderr=err, cwd=folder, env=env)

    @property
    def said(self) -> str:
        return self.output.read_text(errors="replace") + self.errors.read_text(errors="replace")

    def wait_for(self, text: str, times: int = 1):
        def there():
            if self.said.count(text) >= times:
                return True
            if self.process.poll() is not None:
                raise AssertionError(f"{self.name} ended with {self.process.returncode} before it said '{text}':\n{self.said}")
            return False
        wait_until(f"{self.name} to say '{text}'", there)

    def count(self, name: str) -> int:
        """A counter of the kernel for the host that it runs on: Udp.InDatagrams (/proc/net/snmp), Udp6InDatagrams (snmp6)."""
        folder = pathlib.Path(f"/proc/{self.process.pid}/net")
        protocol, _, counter = name.rpartition(".")
        if not protocol:
            return int(dict(line.split() for line in (folder / "snmp6").read_text().splitlines())[counter])
        names, values = (line.split() for line in (folder / "snmp").read_text().splitlines() if line.startswith(f"{protocol}:"))
        return int(values[names.index(counter)])

    def await_datagrams(self, count: int = 1):
        """Waits until programs on its host have read that number of datagrams since the host began. Earlier tests on
        shared hosts may have added to it."""
        wait_until(f"{count} datagrams to be read on {self.name}'s host", lambda: self.count("Udp.InDatagrams") >= count)

    def send_signal(self, number):
        self.process.send_signal(number)

    def wait(self, limit: float = HANG_S) -> int:
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"{self.name} did not end within {limit} s:\n{self.said}") from None

    def stop(self, number=signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.send_signal(number)
        return self.wait()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def usual(program: str, arguments) -> list:
    """Options to add for one of our programs: runs of a test may reuse the names of logs, gaps and sizes are the
    same each time, and a peer may stand still for a minute, unless the test sets other options."""
    words = [str(word) for word in arguments]
    added = []
    if program in ("send", "recv", "mpi") and not any(word.startswith(("--timeout", "--dry-run", "--list")) for word in words):
        added += ["--timeout", "2min"]
    if program == "recv":
        added += [] if "--replace-logs" in words else ["--replace-logs"]
        added += [] if "--log-servers" in words else ["--log-servers", ",".join(f"10.99.0.{number}" for number in range(1, 6))]
    sends = program == "send" and any(word in ("--to", "--passive") or word.endswith(".toml") for word in words)
    if sends and not any(word.startswith(("--seed", "--calibrate")) for word in words):
        added += ["--seed", "1"]
    logs = program == "send" and any(word == "--log" or word.startswith("--log=") for word in words)
    return added + (["--force"] if logs and not {"--force", "--via"} & {*words} else [])


class Host:
    def __init__(self, lab: "Lab", number: int):
        self.lab = lab
        self.number = number
        self.name = f"host{number}"
        self.namespace = f"groma{os.getpid()}x{number}"
        self.device = "eth0"
        self.address = f"10.99.0.{number}"
        self.address6 = f"fd99::{number}"
        self.packed = (socket.inet_aton(self.address), socket.inet_pton(socket.AF_INET6, self.address6))  # as in captures

    @property
    def state(self) -> dict:
        """A variable of the programs' environment: they keep the user's state in the lab."""
        return {"XDG_STATE_HOME": str(self.lab.folder / f"state-{self.name}")}

    def enter(self, *command) -> list:
        return ["ip", "netns", "exec", self.namespace, *map(str, command)]

    def command(self, *command) -> list:
        """For callers that set another environment."""
        return self.enter("env", *(f"{name}={value}" for name, value in self.state.items()), *command)

    def run(self, *command, env=None, **options):
        options.setdefault("cwd", self.lab.folder)
        return run(*self.enter(*command), env=(env or os.environ) | self.state, **options)

    def groma(self, program: str, *arguments, keep_logs=False, **options):
        """Runs one of our programs to its end. Logs of earlier runs may be replaced, unless `keep_logs`."""
        return self.run(BIN / f"groma-{program}", *arguments, *([] if keep_logs else usual(program, arguments)), **options)

    def start(self, *command, name: str | None = None, stdin=subprocess.DEVNULL) -> Program:
        program = Program(self.enter(*command), self.lab.folder, name or pathlib.Path(str(command[0])).name, stdin, os.environ | self.state)
        self.lab.programs.callback(program.kill)
        return program

    def start_groma(self, program: str, *arguments, keep_logs=False) -> Program:
        more = [] if keep_logs else usual(program, arguments)
        return self.start(BIN / f"groma-{program}", *arguments, *more, name=f"groma-{program}")

    def receiver(self, *arguments, where=None, keep_logs=False) -> Program:
        where = ["--open" if "--keys" in arguments else "--open-to-anyone"] if where is None else where
        program = self.start_groma("recv", *where, *arguments, keep_logs=keep_logs)
        program.wait_for("listening on")
        return program

    def log_server(self, *arguments) -> Program:
        program = self.start_groma("log", "--open" if "--keys" in arguments else "--open-to-anyone", *arguments)
        program.wait_for("listening on")
        return program

    def await_ends(self):
        """Waits until all its TCP connections have ended and the peers' last data has come. The kernel ends those of
        MPTCP in a worker, possibly long after their programs: a witness that begins earlier would see connections of
        the preceding run."""
        wait_until(f"the connections of {self.name} to end",
                   lambda: not self.run("ss", "-Htn", "state", "connected", "exclude", "time-wait").stdout)

    def segment_in_device(self, on: bool, device: str | None = None):
        """Whether packets that passed the kernel as one also cross the wire as one, as seen by a capture there."""
        self.run("ethtool", "-K", device or self.device, "tx-udp-segmentation", "on" if on else "off")

    def witness(self, what: str, bytes_kept: int = 128, device: str | None = None, direction: str = "in") -> "Witness":
        return Witness(self, what, bytes_kept, device or self.device, direction)


class Lab:
    """`hosts` hosts on one switch, or two joined by a cable (a veth pair); all programs have the folder as their
    current one."""

    def __init__(self, hosts: int = 2, switch: bool = True):
        self.stack = contextlib.ExitStack()
        self.programs = contextlib.ExitStack()  # programs that run on its hosts
        self.count = hosts
        self.has_switch = switch

    def __enter__(self) -> "Lab":
        atexit.register(self.stack.close)  # a signal may come after it was made and before its owner has it
        self.folder = pathlib.Path(self.stack.enter_context(ending.TemporaryFolder(prefix="groma-lab-")))
        try:
            self._build()
        except BaseException:
            self.stack.close()
            raise
        return self

    def _namespaces(self, *names: str):
        for name in names:
            self.stack.callback(run, "ip", "netns", "del", name, check=False)
        ip(*(f"netns add {name}" for name in names))
        for name in names:  # otherwise link-local addresses, which find neighbours, are not usable for a second or two
            run("ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0")

    def _build(self):
        self.hosts = [Host(self, number) for number in range(1, self.count + 1)]
        self._namespaces(*(host.namespace for host in self.hosts))
        if self.has_switch:
            self._plug_into_switch()
        else:
            a, b = self.hosts
            ip(f"link add {a.device} type veth peer name {b.device} netns {b.namespace}", namespace=a.namespace)
        for host in self.hosts:
            ip("link set lo up", f"addr add {host.address}/24 dev {host.device}", f"addr add {host.address6}/64 dev {host.device} nodad",
               f"link set {host.device} up", namespace=host.namespace)
            host.segment_in_device(False)
        for host in self.hosts[1:]:
            wait_until("the network to forward", lambda h=host: self.hosts[0].run(
                "ping", "-c", "1", "-W", "1", h.address, check=False).returncode == 0)

    def _plug_into_switch(self):
        self.switch = switch = f"groma{os.getpid()}sw"
        self._namespaces(switch)
        ports = [(f"link add port{number} type veth peer name {host.device} netns {host.namespace}", f"link set port{number} master br0 up")
                 for number, host in enumerate(self.hosts, 1)]
        ip("link set lo up", "link add br0 type bridge", "link set br0 up", *itertools.chain(*ports), namespace=switch)

    def __exit__(self, *what):
        with ending.undisturbed(), self.stack:
            self.programs.close()


class Witness:
    """tcpdump on a host's interface: an independent record of what came in (or went out), in nanoseconds."""

    RING_KIB = 8 << 10 if os.environ.get("GROMA_INSIDE") else 128 << 10  # a guest takes half a minute to allocate the larger one

    def __init__(self, host: Host, what: str, bytes_kept: int, device: str, direction: str):
        self.file = host.lab.folder / f"witness-{next(_numbers)}.pcap"
        self.program = host.start("tcpdump", "-i", device, "-n", "-Q", direction, "--time-stamp-precision=nano", "--immediate-mode", "-B",
                                  self.RING_KIB, "-s", bytes_kept, "-w", self.file, what, name="tcpdump")
        self.program.wait_for("listening on")

    def packets(self) -> list[CapturedPacket]:
        """Stops the witness and returns what it saw; fails if the kernel dropped packets on their way to it."""
        return list(read_pcap(self.captured()))

    def captured(self) -> bytes:
        wait_until("the witness to have read what it was given", self._has_read_all)
        self.program.stop(signal.SIGINT)
        dropped = re.findall(r"(\d+) packets? dropped by kernel", self.program.said)
        if not dropped or int(dropped[-1]):
            raise AssertionError(f"the witness missed packets: {self.program.said}")
        return self.file.read_bytes()

    def _has_read_all(self) -> bool:
        """It sleeps only when its ring is empty."""
        before = self._counts()
        state = pathlib.Path(f"/proc/{self.program.process.pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "S" and self._counts() == before

    def _counts(self) -> str:
        """What tcpdump prints of itself when it is signalled."""
        def said():
            return re.findall(r"\d+ packets? captured, .*dropped by kernel", self.program.said)
        before = len(said())
        self.program.send_signal(signal.SIGUSR1)
        wait_until("the witness to say its counts", lambda: len(said()) > before)
        return said()[-1]

    def messages(self, transport: str) -> list[list[int]]:
        """Payload sizes of each flow's packets (a flow is a port), in order of arrival; of a stream, the size of all
        that it carried."""
        return messages_of(self.packets(), transport)


class LabTest(unittest.TestCase):
    """A test on fresh hosts; `hosts` says how many. With `keeps_hosts`, the tests of the class share them; only
    programs belong to a test. (Making hosts takes seconds in a guest.)"""

    hosts = 2
    keeps_hosts = False
    class_lab: Lab | None = None
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.class_lab = cls.enterClassContext(Lab(cls.hosts)) if cls.keeps_hosts else None
        if cls.keeps_hosts:
            cls.addClassCleanup(cls.check_nothing_is_left)

    @classmethod
    def check_nothing_is_left(cls):
        """Checks that its tests left no change on the path between the shared hosts."""
        for host in cls.class_lab.hosts:
            left = host.run("tc", "qdisc", "show", "dev", host.device).stdout
            if left.strip() and "noqueue" not in left:
                raise AssertionError(f"a test of {cls.__name__} left this on {host.device} of {host.name}: {left}")

    def setUp(self):
        self.lab = self.class_lab or self.enterContext(Lab(self.hosts))
        self.addCleanup(self.lab.programs.close)
        self.a, self.b, *self.more = self.lab.hosts
        self.folder = self.lab.folder

    def decoded(self, *logs, arguments=(), check=True) -> dict:
        """groma-dec's JSON of logs in the lab's folder."""
        result = run(BIN / "groma-dec", *logs, "--json", *arguments, cwd=self.folder, check=check)
        return json.loads(result.stdout)

    def assertSaid(self, result, status: int, *texts: str):
        """The program ended with this status and these texts on standard error, without a crash."""
        said = result.stderr
        self.assertEqual(result.returncode, status, said + result.stdout)
        for text in texts:
            self.assertIn(text, said)


SKIPPED = 3  # the status of a program that ran no test, or reached no conclusion (ctest's SKIP_RETURN_CODE)
INCONCLUSIVE = "inconclusive"
NO_ROOT = "these tests make network namespaces, which needs root: run scripts/test as root or with sudo"


def skip(why: str):
    """Ends the test program as skipped; in CI nothing is skipped, so there as failed."""
    print(why)
    sys.exit(1 if os.environ.get("CI") else SKIPPED)


def skip_test(why: str):
    """Ends one test, as skip() ends all of them."""
    if os.environ.get("CI"):
        raise AssertionError(why)
    raise unittest.SkipTest(why)


def main(root: bool = True, **options):
    """Ends every theme; `options` are for unittest.main()."""
    if root and os.geteuid() != 0:
        skip(NO_ROOT)
    sys.exit(status_of(ending.run_tests(**options)))


def status_of(result: unittest.TestResult) -> int:
    """Skipped if a test could not be judged or none ran."""
    inconclusive = any(why.startswith(INCONCLUSIVE) for _, why in result.skipped)
    return 1 if not result.wasSuccessful() else SKIPPED if inconclusive or len(result.skipped) == result.testsRun else 0
