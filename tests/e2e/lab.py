"""Hosts for tests: network namespaces with addresses, joined by a switch, all on this machine.

A Lab is a context manager: what it made, it removes, whatever happened in between. Programs run on a Host; a Witness is
tcpdump on one of its interfaces, so that what was sent is judged by somebody else than us.
"""
from __future__ import annotations

import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from collections import namedtuple

BIN = pathlib.Path(os.environ.get("GROMA_BIN", "build/release/bin")).resolve()
ROOT = pathlib.Path(os.environ.get("GROMA_ROOT", ".")).resolve()
SANITIZED = bool(os.environ.get("GROMA_SANITIZE"))

_numbers = itertools.count()


def run(*command, check=True, limit=60, **options) -> subprocess.CompletedProcess:
    """Runs a command to its end; its output is in the exception when it fails and `check` is set."""
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=limit, **options)
    if check and result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result


def wait_until(what: str, condition, limit: float = 30.0):
    """Returns what `condition` returns as soon as it is true; fails after `limit` seconds."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit} s for {what}")
        time.sleep(0.02)


class Program:
    """A program that goes on until it is stopped; its output goes to files."""

    def __init__(self, command, folder: pathlib.Path, name: str):
        self.name = name
        self.output = folder / f"{name}-{next(_numbers)}.out"
        self.errors = self.output.with_suffix(".err")
        with open(self.output, "wb") as out, open(self.errors, "wb") as err:
            self.process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            cwd=folder)

    @property
    def said(self) -> str:
        return self.output.read_text(errors="replace") + self.errors.read_text(errors="replace")

    def wait_for(self, text: str, limit: float = 30.0):
        def there():
            if text in self.said:
                return True
            if self.process.poll() is not None:
                raise AssertionError(f"{self.name} ended with {self.process.returncode} before it said '{text}':\n{self.said}")
            return False
        wait_until(f"{self.name} to say '{text}'", there, limit)

    def send_signal(self, number):
        self.process.send_signal(number)

    def wait(self, limit: float = 60.0) -> int:
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"{self.name} did not end within {limit} s:\n{self.said}") from None

    def stop(self, number=signal.SIGTERM, limit: float = 30.0) -> int:
        if self.process.poll() is None:
            self.send_signal(number)
        return self.wait(limit)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Host:
    def __init__(self, lab: "Lab", number: int):
        self.lab = lab
        self.name = f"host{number}"
        self.namespace = f"groma{os.getpid()}x{number}"
        self.device = "eth0"
        self.address = f"10.99.0.{number}"
        self.address6 = f"fd99::{number}"

    def command(self, *command):
        # What our programs keep for the user is kept in the lab.
        state = f"XDG_STATE_HOME={self.lab.folder / ('state-' + self.name)}"
        return ["ip", "netns", "exec", self.namespace, "env", state, *map(str, command)]

    def run(self, *command, **options):
        options.setdefault("cwd", self.lab.folder)
        return run(*self.command(*command), **options)

    def groma(self, program: str, *arguments, **options):
        """Runs one of our programs to its end."""
        return self.run(BIN / f"groma-{program}", *arguments, **options)

    def start(self, *command, name: str | None = None) -> Program:
        program = Program(self.command(*command), self.lab.folder, name or pathlib.Path(str(command[0])).name)
        self.lab.stack.callback(program.kill)
        return program

    def start_groma(self, program: str, *arguments) -> Program:
        return self.start(BIN / f"groma-{program}", *arguments, name=f"groma-{program}")

    def receiver(self, *arguments, where=("--open",)) -> Program:
        program = self.start_groma("recv", *where, *arguments)
        program.wait_for("listening on")
        return program

    def log_server(self, *arguments) -> Program:
        program = self.start_groma("log", "--open", *arguments)
        program.wait_for("listening on")
        return program

    def witness(self, what: str, bytes_kept: int = 128) -> "Witness":
        return Witness(self, what, bytes_kept)


class Lab:
    """`hosts` hosts on one switch; the folder is everybody's current folder."""

    def __init__(self, hosts: int = 2):
        self.stack = contextlib.ExitStack()
        self.count = hosts

    def __enter__(self) -> "Lab":
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory(prefix="groma-lab-")))
        try:
            self._build()
        except BaseException:
            self.stack.close()
            raise
        return self

    def _namespace(self, name: str):
        run("ip", "netns", "add", name)
        self.stack.callback(run, "ip", "netns", "del", name, check=False)
        run("ip", "-n", name, "link", "set", "lo", "up")

    def _build(self):
        switch = f"groma{os.getpid()}sw"
        self._namespace(switch)
        run("ip", "-n", switch, "link", "add", "br0", "type", "bridge")
        run("ip", "-n", switch, "link", "set", "br0", "up")
        self.hosts = [Host(self, number) for number in range(1, self.count + 1)]
        for number, host in enumerate(self.hosts, 1):
            self._namespace(host.namespace)
            run("ip", "-n", switch, "link", "add", f"port{number}", "type", "veth", "peer", "name", host.device, "netns",
                host.namespace)
            run("ip", "-n", switch, "link", "set", f"port{number}", "master", "br0", "up")
            run("ip", "-n", host.namespace, "addr", "add", f"{host.address}/24", "dev", host.device)
            run("ip", "-n", host.namespace, "addr", "add", f"{host.address6}/64", "dev", host.device, "nodad")
            run("ip", "-n", host.namespace, "link", "set", host.device, "up")
        for host in self.hosts[1:]:
            wait_until("the switch to forward", lambda h=host: self.hosts[0].run(
                "ping", "-c", "1", "-W", "1", h.address, check=False).returncode == 0)

    def __exit__(self, *what):
        self.stack.close()


CapturedPacket = namedtuple("CapturedPacket", "time_ns protocol source destination source_port port payload sequence")


def stream_bytes(packets) -> int:
    """Bytes of the TCP streams among the packets, each counted once however often it was sent."""
    streams = {}
    for packet in packets:
        streams.setdefault((packet.source, packet.source_port, packet.port), []).append((packet.sequence, packet.payload))
    total = 0
    for pieces in streams.values():
        first = pieces[0][0]
        end = 0
        for start, size in sorted((((sequence - first + 2**31) % 2**32) - 2**31, size) for sequence, size in pieces):
            total += max(0, start + size - max(start, end))
            end = max(end, start + size)
    return total


class Witness:
    """tcpdump on a host's interface: what came in, in nanoseconds, as somebody else saw it."""

    def __init__(self, host: Host, what: str, bytes_kept: int):
        self.file = host.lab.folder / f"witness-{next(_numbers)}.pcap"
        self.host = host
        self.program = host.start("tcpdump", "-i", host.device, "-n", "-Q", "in", "--time-stamp-precision=nano", "-B",
                                  "131072", "-s", bytes_kept, "-w", self.file, what, name="tcpdump")
        self.program.wait_for("listening on")

    def packets(self) -> list[CapturedPacket]:
        """Stops the witness and returns what it saw; fails if the kernel dropped packets on their way to it."""
        # tcpdump reads its ring in blocks: what has arrived is there after its time-out (1 s).
        time.sleep(1.2)
        self.program.stop(signal.SIGINT)
        dropped = re.search(r"(\d+) packets dropped by kernel", self.program.said)
        if not dropped or int(dropped[1]):
            raise AssertionError(f"the witness missed packets: {self.program.said}")
        return list(read_pcap(self.file.read_bytes()))


    def messages(self, transport: str) -> list[list[int]]:
        """Payload sizes of what each flow sent (each port has its own), in order of arrival; of a stream all it carried."""
        flows = {}
        for packet in self.packets():
            if packet.protocol == PROTOCOLS_OF[transport]:
                flows.setdefault(packet.port, []).append(packet)
        if STREAMS.get(transport):
            return [[stream_bytes(packets)] for packets in flows.values()]
        return [[p.payload for p in packets if p.payload > 0] for packets in flows.values()]


PROTOCOLS = {1: "icmp", 6: "tcp", 17: "udp", 33: "dccp", 58: "icmp", 132: "sctp", 136: "udplite"}
PROTOCOLS_OF = {"udp": "udp", "tcp": "tcp", "mptcp": "tcp", "icmp": "icmp", "udplite": "udplite", "sctp": "sctp", "dccp": "dccp"}
STREAMS = {"tcp": True, "mptcp": True}


def sctp_messages(packet: bytes, length: int):
    """(TSN, payload) of the data chunks of an SCTP packet (RFC 9260, 3.3.1)."""
    at = 12
    while at + 16 <= min(len(packet), length):
        kind, _, size = struct.unpack_from(">BBH", packet, at)
        if kind == 0:
            yield struct.unpack_from(">I", packet, at + 4)[0], size - 16
        at += max(4, (size + 3) // 4 * 4)


def dccp_payload(packet: bytes, length: int) -> int:
    """Payload of a DCCP-Data or DCCP-DataAck packet, 0 of the others (RFC 4340, 5.1)."""
    offset, kind = packet[4] * 4, packet[8] >> 1 & 15
    return length - offset if kind in (2, 4) else 0


def read_pcap(data: bytes):
    magic, = struct.unpack_from("<I", data)
    if magic != 0xA1B23C4D:
        raise AssertionError("not a capture with nanoseconds")
    at = 24
    while at + 16 <= len(data):
        seconds, nanos, kept, _ = struct.unpack_from("<IIII", data, at)
        frame = data[at + 16:at + 16 + kept]
        at += 16 + kept
        kind, = struct.unpack_from(">H", frame, 12)
        if kind == 0x0800:
            length, = struct.unpack_from(">H", frame, 16)
            ip_header = (frame[14] & 15) * 4
            protocol, source, destination, transport = frame[23], frame[26:30], frame[30:34], 14 + ip_header
            length -= ip_header
        elif kind == 0x86DD:
            length, protocol = struct.unpack_from(">HB", frame, 18)
            source, destination, transport = frame[22:38], frame[38:54], 54
        else:
            continue
        if protocol not in PROTOCOLS:
            continue
        time_ns, name, packet = seconds * 1_000_000_000 + nanos, PROTOCOLS[protocol], frame[transport:]
        if name == "icmp":
            if packet[0] in (8, 128):
                identifier, sequence = struct.unpack_from(">HH", packet, 4)
                yield CapturedPacket(time_ns, name, source, destination, identifier, identifier, length - 8, sequence)
            continue
        source_port, port = struct.unpack_from(">HH", packet)
        if name == "sctp":
            for sequence, payload in sctp_messages(packet, length):
                yield CapturedPacket(time_ns, name, source, destination, source_port, port, payload, sequence)
            continue
        if name == "dccp":
            yield CapturedPacket(time_ns, name, source, destination, source_port, port, dccp_payload(packet, length), 0)
            continue
        header = 8 if name in ("udp", "udplite") else (packet[12] >> 4) * 4
        sequence, = struct.unpack_from(">I", packet, 4) if name == "tcp" else (0,)
        syn = name == "tcp" and packet[13] & 2
        yield CapturedPacket(time_ns, name, source, destination, source_port, port, length - header,
                             sequence + 1 if syn else sequence)


class LabTest(unittest.TestCase):
    """A test on fresh hosts; `hosts` says how many."""

    hosts = 2
    maxDiff = None

    def setUp(self):
        self.lab = Lab(self.hosts)
        self.lab.__enter__()
        self.addCleanup(self.lab.__exit__, None, None, None)
        self.a, self.b, *self.more = self.lab.hosts
        self.folder = self.lab.folder

    def decoded(self, *logs, arguments=(), check=True) -> dict:
        """What groma-dec says of logs in the lab's folder, as JSON."""
        result = run(BIN / "groma-dec", *logs, "--json", *arguments, cwd=self.folder, check=check)
        return json.loads(result.stdout)

    def assertSaid(self, result, status: int, *texts: str):
        """The program ended with this status and said these things on standard error, without a crash."""
        said = result.stderr
        self.assertEqual(result.returncode, status, said + result.stdout)
        for text in texts:
            self.assertIn(text, said)


def skip(why: str):
    """Ends the test program as skipped; in CI nothing is skipped, so there as failed."""
    print(why)
    sys.exit(1 if os.environ.get("CI") else 77)


def main():
    if os.geteuid() != 0:
        skip("these tests make network namespaces, which needs root: run scripts/test as root or with sudo")
    unittest.main()
