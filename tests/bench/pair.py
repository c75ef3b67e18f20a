"""Two hosts on one cable, a core for each, on which the benches run, and their judge.

The judge is the receiving host: tcpdump on its interface, or its kernel's counters. Programs that send run on one core, those that
receive (and tcpdump) on the other.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import lab  # noqa: E402
from figures import HEADERS, UDP, Sample  # noqa: E402

CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


class Ended(NamedTuple):
    """A program that ran to its end, or to the limit that it was given."""
    status: int
    cpu_s: float
    elapsed_s: float
    said: str
    stopped: bool  # it was asked to end


class HostCounters(threading.Thread):
    """Reads the counters of a host's kernel, ten times a second, from within its network namespace."""

    def __init__(self, host: lab.Host, every_s: float = 0.1):
        super().__init__(daemon=True)
        self.samples: list[Sample] = []
        self._host, self._every_s, self._stop_asked = host, every_s, threading.Event()
        self._failure: OSError | None = None

    def __enter__(self):
        self.start()
        lab.wait_until("the first look at a host's counters", lambda: self.samples or self._failure)
        if self._failure:
            raise self._failure
        return self

    def __exit__(self, *what):
        self._stop_asked.set()
        self.join()

    def run(self):
        try:
            with open(f"/run/netns/{self._host.namespace}", "rb") as namespace:
                if _libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "cannot look into the receiving host")
            while True:
                self.samples.append(self._look())
                if self._stop_asked.wait(self._every_s):
                    break
            self.samples.append(self._look())
        except OSError as error:
            self._failure = error

    def _look(self) -> Sample:
        at = time.monotonic()
        device = re.search(rf"{self._host.device}: *(\d+) +(\d+)", pathlib.Path("/proc/thread-self/net/dev").read_text())
        names, values = re.findall(r"^Udp: (.*)$", pathlib.Path("/proc/thread-self/net/snmp").read_text(), re.MULTILINE)
        udp = dict(zip(names.split(), map(int, values.split())))
        return Sample(at, int(device[2]), int(device[1]), udp["InDatagrams"], udp["RcvbufErrors"])

    def total(self) -> Sample:
        """The counts from the first reading to the last."""
        first, last = self.samples[0], self.samples[-1]
        return Sample(*(later - earlier for earlier, later in zip(first, last)))


class Pair:
    """A context manager: the two hosts, their cores, and the programs on them."""

    def __init__(self):
        self.repetition = 1  # of the current run
        cores = sorted(os.sched_getaffinity(0))
        self.sender_core, self.receiver_core = cores[0], cores[1 % len(cores)]
        self._started: list[lab.Program] = []
        self._lab = lab.Lab(2, switch=False)

    def __enter__(self) -> "Pair":
        self._lab.__enter__()
        self.folder = self._lab.folder
        self.sender, self.receiver = self._lab.hosts
        return self

    def __exit__(self, *what):
        self._lab.__exit__(*what)

    def segment_by_device(self, on: bool):
        """Whether the cable carries trains of UDP datagrams (GSO) unsplit, or each datagram by itself."""
        for host in (self.sender, self.receiver):
            host.run("ethtool", "-K", host.device, "tx-udp-segmentation", "on" if on else "off")

    def clear(self):
        """Ends the programs of a run that failed, and removes what any run left behind."""
        for program in self._started:
            program.kill()
        self._started.clear()
        for file in self.folder.iterdir():
            if file.is_file():
                file.unlink()

    def start_receiver(self, *command, ready, pinned: bool = True) -> lab.Program:
        """Starts a program on the receiving host's core, or on any; returns once `ready(program)` is true."""
        on_core = ["taskset", "-c", self.receiver_core] if pinned else []
        program = self.receiver.start(*on_core, *command, name=pathlib.Path(str(command[0])).name)
        self._started.append(program)

        def is_ready():
            if program.process.poll() is not None:
                raise AssertionError(f"{program.name} ended with {program.process.returncode}:\n{program.said[-500:]}")
            return ready(program)
        lab.wait_until(f"{program.name} to listen", is_ready, 10)
        return program

    def listens(self, transport: str, port: int) -> bool:
        return f":{port} " in self.receiver.run("ss", "-Hln", "--" + transport).stdout

    def witness(self, payload: int, bytes_kept: int = HEADERS) -> lab.Witness:
        """tcpdump for UDP packets of that payload, on the receiving host's core; keeps their headers."""
        witness = self.receiver.witness(f"udp and udp[4:2] = {payload + UDP}", bytes_kept=bytes_kept)
        self._started.append(witness.program)
        os.sched_setaffinity(witness.program.process.pid, {self.receiver_core})
        return witness

    def send(self, *command, limit: float, while_it_runs=None, pinned: bool = True, stop_with=signal.SIGINT, under=()) -> Ended:
        """Runs a program on the sending host's core, or on any; after `limit` seconds it is asked to end, 10 s later it
        is killed.

        `under`: the command of a program that runs it, such as perf, which is asked to end, and killed, in its place.

        `while_it_runs(pid)` is called once, with the program just started.
        """
        output = self.folder / "sender.said"
        on_core = ["taskset", "-c", self.sender_core] if pinned else []
        began = time.monotonic()
        with open(output, "wb") as out:
            process = subprocess.Popen(self.sender.command(*on_core, *under, *command), stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       cwd=self.folder)
        stopping = threading.Timer(limit, process.send_signal, [stop_with])
        killing = threading.Timer(limit + 10, process.kill)
        stopping.start()
        killing.start()
        try:
            if while_it_runs:
                while_it_runs(process.pid)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            stopped = not stopping.is_alive()
            stopping.cancel()
            killing.cancel()
            if process.returncode is None:
                process.kill()
                process.wait()
        return Ended(process.returncode, usage.ru_utime + usage.ru_stime, time.monotonic() - began,
                     output.read_text(errors="replace"), stopped)
