"""Reads captures of tcpdump: packets of Groma's transports, with the fields of their headers.

A packet keeps its transport's header as captured (`segment`), for the readers of single fields below.
"""
from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple

PROTOCOLS = {1: "icmp", 6: "tcp", 17: "udp", 33: "dccp", 58: "icmp", 132: "sctp", 136: "udplite"}
PROTOCOLS_OF = {"udp": "udp", "tcp": "tcp", "mptcp": "tcp", "icmp": "icmp", "udplite": "udplite", "sctp": "sctp", "dccp": "dccp",
                "usrsctp": "usrsctp"}
SCTP_OVER_UDP = 9899
STREAMS = {"tcp": True, "mptcp": True}
FRAGMENT_HEADER = 44
SYN, RESET = 2, 4


class IpHeader(NamedTuple):
    protocol: int
    source: bytes
    destination: bytes
    ttl: int
    ds_byte: int
    flow_label: int
    dont_fragment: bool
    fragment: int | None  # offset of a fragment in bytes; None: not fragmented
    length: int           # of what follows the IP headers


class CapturedPacket(NamedTuple):
    time_ns: int
    protocol: str
    source: bytes
    destination: bytes
    source_port: int
    port: int
    payload: int   # bytes; of a first fragment, those of the fragment
    sequence: int
    ip: IpHeader
    segment: bytes = b""


def ip_header(frame: bytes, at: int = 14):
    """(header, offset of its payload) of an Ethernet frame; (None, 0) if it carries no IP."""
    kind, = struct.unpack_from(">H", frame, 12)
    if kind == 0x0800:
        size = (frame[at] & 15) * 4
        length, _, flags = struct.unpack_from(">HHH", frame, at + 2)
        fragment = (flags & 0x1FFF) * 8
        return IpHeader(frame[at + 9], frame[at + 12:at + 16], frame[at + 16:at + 20], frame[at + 8], frame[at + 1], 0,
                        bool(flags & 0x4000), fragment if flags & 0x3FFF else None, length - size), at + size
    if kind != 0x86DD:
        return None, 0
    first, length, protocol, hops = struct.unpack_from(">IHBB", frame, at)
    fragment, behind = None, at + 40
    if protocol == FRAGMENT_HEADER:
        protocol, _, offset = struct.unpack_from(">BBH", frame, behind)
        fragment, behind, length = offset & 0xFFF8, behind + 8, length - 8
    return IpHeader(protocol, frame[at + 8:at + 24], frame[at + 24:at + 40], hops, first >> 20 & 255, first & 0xFFFFF, True,
                    fragment, length), behind


def sctp_messages(packet: bytes, length: int):
    """(TSN, payload) of the data chunks of an SCTP packet (RFC 9260, 3.3.1)."""
    at = 12
    while at + 16 <= min(len(packet), length):
        kind, _, size = struct.unpack_from(">BBH", packet, at)
        if kind == 0:
            yield struct.unpack_from(">I", packet, at + 4)[0], size - 16
        at += max(4, (size + 3) // 4 * 4)


def sctp_stream(packet: CapturedPacket):
    """(stream, whether it is unordered) of a message: the fields of its data chunk (RFC 9260, 3.3.1)."""
    at = 12
    while True:
        kind, flags, size = struct.unpack_from(">BBH", packet.segment, at)
        if kind == 0 and struct.unpack_from(">I", packet.segment, at + 4)[0] == packet.sequence:
            return struct.unpack_from(">H", packet.segment, at + 8)[0], bool(flags & 4)
        at += max(4, (size + 3) // 4 * 4)


def dccp_payload(packet: bytes, length: int) -> int:
    """Payload of a DCCP-Data or DCCP-DataAck packet, 0 of the others (RFC 4340, 5.1)."""
    offset, kind = packet[4] * 4, packet[8] >> 1 & 15
    return length - offset if kind in (2, 4) else 0


def dccp_service(packet: CapturedPacket) -> int | None:
    """The service code of a DCCP-Request; None of other packets (RFC 4340, 5.1, 8.1.2)."""
    extended = packet.segment[8] & 1
    return struct.unpack_from(">I", packet.segment, 16 if extended else 12)[0] if packet.segment[8] >> 1 & 15 == 0 else None


def coverage(packet: CapturedPacket) -> int:
    """How much of a UDP-Lite packet its checksum covers; 0: all (RFC 3828, 3.1)."""
    return struct.unpack_from(">H", packet.segment, 4)[0]


def tcp_flags(packet: CapturedPacket) -> int:
    return packet.segment[13]


def tcp_options(packet: CapturedPacket):
    """(kind, value) of each (RFC 9293, 3.1)."""
    options = packet.segment[20:(packet.segment[12] >> 4) * 4]
    while options and options[0]:
        if options[0] == 1:
            options = options[1:]
            continue
        yield options[0], options[2:options[1]]
        options = options[max(2, options[1]):]


def offered_mss(packet: CapturedPacket) -> int | None:
    """The maximum segment size that a SYN offers (RFC 9293, 3.7.1)."""
    return next((struct.unpack(">H", value)[0] for kind, value in tcp_options(packet) if kind == 2), None)


def mapped_data(packet: CapturedPacket) -> tuple[int, int] | None:
    """(data sequence number modulo 2^32, length) of the data that MPTCP says a segment belongs to: the first of a
    connection (RFC 8684, 3.1), whose number follows from the sender's key, or any other (3.3)."""
    for kind, value in tcp_options(packet):
        if kind == 30 and value[0] >> 4 == 0 and len(value) >= 20:
            return (int.from_bytes(hashlib.sha256(value[2:10]).digest()[-4:], "big") + 1) % 2**32, int.from_bytes(value[18:20], "big")
        if kind == 30 and value[0] >> 4 == 2 and value[1] & 0x04:
            place = 2 + (0, 4, 0, 8)[value[1] & 0x03] + (4 if value[1] & 0x08 else 0)
            number, _, length = struct.unpack_from(">IIH", value, place)
            return number, length - (1 if value[1] & 0x10 else 0)
    return None


def flow_and_number(packet: CapturedPacket) -> tuple[int, int]:
    """Of a packet over UDP with a complete header (docs/reference/wire-format.md)."""
    number, _, flow = struct.unpack_from(">IqI", packet.segment, 8)
    return flow, number


def stream_bytes(packets) -> int:
    """Bytes of the streams among the packets, each counted once, also if TCP or MPTCP sent it again. MPTCP does so as new
    bytes of TCP."""
    streams = {}
    for packet in packets:
        if packet.payload > 0:
            streams.setdefault((packet.source, packet.source_port, packet.port), []).append(packet)
    total, connections = 0, {}
    for (source, _, port), packets in streams.items():
        mapped = [mapped_data(packet) for packet in packets]
        if all(mapping and mapping[1] > 0 for mapping in mapped):
            connections.setdefault((source, port), []).extend(mapped)  # of all its subflows
        else:
            total += bytes_once([(packet.sequence, packet.payload) for packet in packets])
    return total + sum(map(bytes_once, connections.values()))


def bytes_once(pieces) -> int:
    """Bytes of (sequence number, size) of pieces that may be the same or overlap."""
    near = pieces[0][0]
    pieces = sorted((((sequence - near + 2**31) % 2**32) - 2**31, size) for sequence, size in pieces)
    total, end = 0, pieces[0][0]
    for start, size in pieces:
        total += max(0, start + size - max(start, end))
        end = max(end, start + size)
    return total


def messages_of(packets, transport: str, flow=lambda packet: packet.port) -> list[list[int]]:
    """Payload sizes of each flow's packets, in order. A stream has one size, of all that it carried; an SCTP message
    counts once, also if it was retransmitted. `flow` gives a packet's flow."""
    flows = {}
    for packet in packets:
        if packet.protocol == PROTOCOLS_OF[transport]:
            flows.setdefault(flow(packet), []).append(packet)
    if STREAMS.get(transport):
        return [[stream_bytes(packets)] for packets in flows.values()]
    if "sctp" in transport:
        flows = {key: each_once(packets) for key, packets in flows.items()}
    return [[p.payload for p in packets if p.payload > 0] for packets in flows.values()]


def each_once(packets) -> list[CapturedPacket]:
    """The first of each number of each source."""
    first = {}
    for packet in packets:
        first.setdefault((packet.source, packet.sequence), packet)
    return list(first.values())


def packets_of(time_ns: int, ip: IpHeader, segment: bytes):
    """The packet in one frame; for SCTP, its messages; for ICMP, echo requests and the round-trip meter's replies."""
    name, length = PROTOCOLS[ip.protocol], ip.length
    if name == "udp" and not ip.fragment and SCTP_OVER_UDP in struct.unpack_from(">HH", segment):
        name, segment, length = "usrsctp", segment[8:], length - 8  # RFC 6951

    def packet(source_port, port, payload, sequence=0):
        return CapturedPacket(time_ns, name, ip.source, ip.destination, source_port, port, payload, sequence, ip, segment)

    if ip.fragment:
        yield packet(0, 0, length)
    elif name == "icmp":
        identifier, sequence = struct.unpack_from(">HH", segment, 4)
        if segment[0] in (8, 128) or segment[0] in (0, 129) and sequence >= 0x8000:
            yield packet(identifier, identifier, length - 8, sequence)
    else:
        source_port, port = struct.unpack_from(">HH", segment)
        if name in ("sctp", "usrsctp"):
            for sequence, payload in sctp_messages(segment, length):
                yield packet(source_port, port, payload, sequence)
        elif name == "dccp":
            yield packet(source_port, port, dccp_payload(segment, length))
        elif name == "tcp":
            sequence, = struct.unpack_from(">I", segment, 4)
            yield packet(source_port, port, length - (segment[12] >> 4) * 4, sequence + (1 if segment[13] & SYN else 0))
        else:
            yield packet(source_port, port, length - 8)


def frames(data: bytes, filled: bool = False):
    """(time in ns, frame) of a capture in nanoseconds, in order. If `filled`, zeros complete the partly captured
    frames."""
    magic, = struct.unpack_from("<I", data)
    if magic != 0xA1B23C4D:
        raise AssertionError("not a capture with nanoseconds")
    at = 24
    while at + 16 <= len(data):
        seconds, nanos, kept, size = struct.unpack_from("<IIII", data, at)
        yield seconds * 1_000_000_000 + nanos, data[at + 16:at + 16 + kept].ljust(size if filled else 0, b"\0")
        at += 16 + kept


def read_pcap(data: bytes):
    """The packets of a capture, in order. Frames of other protocols are skipped."""
    for time_ns, frame in frames(data):
        ip, behind = ip_header(frame)
        if ip and ip.protocol in PROTOCOLS:
            yield from packets_of(time_ns, ip, frame[behind:])
