"""Rows of a page of commands, and what their runs did, for everyday_test.py."""
import re
import socket
from typing import NamedTuple

from capture import SYN, CapturedPacket, tcp_flags
from readme_test import commands

PACKETS = "50"
SECOND_MS = 20
SHORTEST_INTERVAL = "100ms"  # of groma-send
CONTROL = {9000, 9002}       # ports


def hastened(words: list[str]) -> list[str]:
    """The words of a command for a flow that ends by its packets, and with seconds of 20 ms."""
    other = {"--duration": PACKETS, "--interval": SHORTEST_INTERVAL}
    renamed = ["--packets" if word == "--duration" else word for word in words]
    return [other.get(before) or short(word) for before, word in zip(["", *words], renamed)]


def short(text: str) -> str:
    """Seconds in a text, such as --on exp:1.35s, in milliseconds."""
    return re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)s\b", lambda found: f"{float(found[1]) * SECOND_MS:g}ms", text)


def rows(page: str):
    """(task, its commands, as readme_test has them) of each row of the page's tables."""
    for line in re.findall(r"^\| .*$", page, re.MULTILINE):
        if found := list(commands(line)):
            yield line.split("|")[1].strip(), found


def name_of(task: str) -> str:
    return re.sub(r"\W+", "_", task.lower()).strip("_")


def endpoint(text: str) -> tuple[bytes, int]:
    """An address as it is in captures, and the port, of 10.99.0.2:5000 or [fd99::2]:5000."""
    host, _, port = text.rpartition(":")
    return socket.inet_pton(socket.AF_INET6 if "[" in host else socket.AF_INET, host.strip("[]")), int(port)


class Run(NamedTuple):
    """What a row of the page did."""
    sent: list[str]                # the last words of groma-send
    said: str                      # by all its programs
    report: dict                   # of groma-send; {}: there is none
    packets: list[CapturedPacket]  # UDP, and the beginnings of TCP's connections, in both directions
    to_b: int                      # bytes that the interfaces counted
    from_b: int

    @property
    def flow(self) -> dict:
        flow, = self.report["flows"]
        return flow

    @property
    def udp(self) -> list[CapturedPacket]:
        return [packet for packet in self.packets if packet.protocol == "udp"]

    def of(self, flow: dict) -> list[CapturedPacket]:
        """The packets of a flow."""
        ends = endpoint(flow["local_address"]), endpoint(flow["remote_address"])
        return [p for p in self.udp if ((p.source, p.source_port), (p.destination, p.port)) == ends]

    def connections(self) -> list[CapturedPacket]:
        """The first segment of each connection for a flow."""
        first = {(p.source, p.segment[:8]): p for p in self.packets  # ports and the first number: another if a port is used again
                 if p.protocol == "tcp" and tcp_flags(p) & 0x3F == SYN and p.port not in CONTROL}
        return list(first.values())
