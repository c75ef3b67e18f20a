"""tshark with Groma's dissectors, and captures made for it, of which every byte is known."""
from __future__ import annotations

import json
import pathlib
import struct

import lab

PLUGINS = lab.ROOT / "decoder" / "wireshark"
HOSTS = (bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
PORTS = (41000, 42000)  # Wireshark assigns these to no other protocol
IP_PROTOCOLS = {"udp": 17, "tcp": 6}


def tshark(capture: pathlib.Path, *arguments) -> str:
    scripts = [word for script in sorted(PLUGINS.glob("*.lua")) for word in ("-X", f"lua_script:{script}")]
    result = lab.run("tshark", *scripts, "-r", capture, *arguments)
    for bad in ("Lua", "Dissector bug"):
        if bad in result.stdout or bad in result.stderr.replace("lua_script", ""):
            raise AssertionError(f"tshark says '{bad}':\n{result.stderr[-3000:]}\n" + "\n".join(
                line for line in result.stdout.splitlines() if bad in line)[:3000])
    return result.stdout


def fields(capture: pathlib.Path, names, *arguments) -> list[list[str]]:
    """The fields of every packet, as text; several values of a packet are joined with commas."""
    wanted = [word for name in names for word in ("-e", name)]
    return [line.split("\t") for line in tshark(capture, *arguments, "-T", "fields", *wanted).splitlines()]


def tree(capture: pathlib.Path, *arguments) -> list[dict]:
    return [packet["_source"]["layers"] for packet in json.loads(tshark(capture, *arguments, "-T", "json"))]


def nanos(text: str) -> int:
    """Seconds with a decimal point, exactly."""
    sign = -1 if text.startswith("-") else 1
    whole, _, fraction = text.lstrip("-").partition(".")
    return sign * (int(whole) * 1_000_000_000 + int(fraction.ljust(9, "0")[:9] or 0))


def header(seq: int, sent_at: int = 0, flow: int = 1, flags: int = 0, magic: int = 0x6772, version: int = 1) -> bytes:
    """docs/reference/wire-format.md."""
    return struct.pack(">IqIHBB", seq, sent_at, flow, magic, version, flags)


def packet(size: int, *about, **more) -> bytes:
    """The longest prefix of complete fields that fits, and filler."""
    fits = 0 if size < 4 else 4 if size < 12 else 12 if size < 20 else 20
    return header(*about, **more)[:fits] + bytes([0xAB]) * (size - fits)


def frame(size: int, *about, **more) -> bytes:
    """A packet on a byte stream."""
    length = bytearray()
    rest = size
    while rest >= 128:
        length.append(rest % 128 | 128)
        rest //= 128
    length.append(rest)
    return bytes(length) + packet(size - len(length), *about, **more)


def ip(protocol: str, segment: bytes, back: bool = False) -> bytes:
    source, destination = reversed(HOSTS) if back else HOSTS
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(segment), 1, 0, 64, IP_PROTOCOLS[protocol], 0, source,
                       destination) + segment


def udp(payload: bytes, ports=PORTS, back: bool = False) -> bytes:
    source, destination = reversed(ports) if back else ports
    return ip("udp", struct.pack(">HHHH", source, destination, 8 + len(payload), 0) + payload, back)


def tcp(payload: bytes, offset: int, ports=PORTS, back: bool = False, flags: int = 0x18) -> bytes:
    source, destination = reversed(ports) if back else ports
    return ip("tcp", struct.pack(">HHIIBBHHH", source, destination, 1000 + offset, 1, 0x50, flags, 65535, 0, 0) + payload, back)


def capture(path: pathlib.Path, packets, first_ns: int = 1_700_000_000_000_000_000, kept: int | None = None) -> pathlib.Path:
    """A capture in nanoseconds of IP packets, a microsecond apart; the first `kept` bytes of each."""
    out = bytearray(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 101))
    for number, one in enumerate(packets):
        at, beginning = first_ns + 1000 * number, one[:kept]
        out += struct.pack("<IIII", at // 10**9, at % 10**9, len(beginning), len(one)) + beginning
    path.write_bytes(out)
    return path
