"""Writes logs record by record, simply, by docs/reference/log-format.md: so that groma-dec reads packets that Groma
did not send. Columns are not packed: a reader takes any order and width."""
from __future__ import annotations

import ctypes
import json
import struct

import glog

MOST_IN_BLOCK = 4096
_xxhash = ctypes.CDLL("libxxhash.so.0")
_xxhash.XXH3_64bits.argtypes = (ctypes.c_char_p, ctypes.c_size_t)
_xxhash.XXH3_64bits.restype = ctypes.c_uint64


def xxh3(data: bytes) -> int:
    return _xxhash.XXH3_64bits(data, len(data))


def header() -> bytes:
    start = b"\x89GROMA\r\n" + struct.pack("<HH", 1, 0)
    return start + struct.pack("<I", xxh3(start) & 0xFFFFFFFF)


def block(kind: int, number: int, payload: bytes, *, version: int = 1, flow: int = 0, first: int = 0, count: int = 0) -> bytes:
    about = struct.pack("<4BIQQIII", kind, version, 0, 0, flow, number, first, count, len(payload), len(payload))
    short = xxh3(about) & 0xFFFFFFFF
    return struct.pack("<4sIQ", b"\xB7GrB", short, xxh3(about + payload)) + about + payload


def column(values) -> bytes:
    """Order 0, groups of 64 bits each."""
    values = [value % 2**64 for value in values]
    if not values:
        return b""
    out = b"\0"
    for start in range(0, len(values), glog.GROUP):
        group = values[start:start + glog.GROUP]
        out += struct.pack(f"<Bq{len(group)}Q", 64, 0, *group)
    return out


def sent(records) -> bytes:
    return b"".join(map(column, ([it.seq for it in records], [it.sent_at - it.lateness for it in records],
                                 [it.lateness for it in records], [it.size for it in records], [it.batch for it in records])))


def present(values) -> tuple[int, bytes]:
    """Which of these are there: the two bits of presence, and the bitmap."""
    there = [value is not None for value in values]
    if len(set(there)) == 1:
        return (0 if there[0] else 1), b""
    return 2, sum(bit << i for i, bit in enumerate(there)).to_bytes((len(there) + 7) // 8, "little")


def received(records) -> bytes:
    has_seq, seqs = present([it.seq for it in records])
    has_time, times = present([it.sent_at for it in records])
    columns = ([it.seq for it in records if it.seq is not None], [it.received_at for it in records],
               [it.received_at - it.sent_at for it in records if it.sent_at is not None], [it.size for it in records])
    return bytes([has_seq | has_time << 2]) + seqs + times + b"".join(map(column, columns))


def first_seq(records) -> int:
    """Of a block's header."""
    return 2**64 - 1 if records[0].seq is None else records[0].seq


def first_and_last(packets) -> dict:
    """When a flow's packets left, were due, or arrived."""
    if not packets:
        return {}
    at = [it.sent_at if isinstance(it, glog.Sent) else it.received_at for it in packets]
    due = [it.sent_at - it.lateness for it in packets if isinstance(it, glog.Sent)]
    return {"first_ns": min(at), "last_ns": max(at)} | ({"first_due_ns": min(due), "last_due_ns": max(due)} if due else {})


def totals(flows, packets, at_ns: int, counters=None, unrecorded=frozenset(), times: bool = True) -> dict:
    """`counters` of each flow; `unrecorded` are the indices of packets without a record; `times`: with those of
    the first and the last packet."""
    def of(flow: int) -> dict:
        mine = [it for it in packets if it.flow == flow]
        lost = sum(it.flow == flow and index in unrecorded for index, it in enumerate(packets))
        return {"flow": flow, "packets": len(mine), "bytes": sum(it.size for it in mine), "records": len(mine) - lost, "records_lost": lost,
                "counters": [{"name": name, "value": value} for name, value in (counters or {}).get(flow, {}).items()]
                } | (first_and_last(mine) if times else {})
    return {"ended_at_ns": at_ns, "end": "complete", "flows": [of(flow) for flow in flows]}


def log(metadata: dict, packets, ended_at_ns: int, *, probes=(), in_block: int = MOST_IN_BLOCK, counters=None, unrecorded=frozenset(),
        times: bool = True) -> bytes:
    """A complete log of packets of one kind, glog.Sent or glog.Received, in their order; `probes` as their JSON has
    them; for the others see totals()."""
    records = [it for index, it in enumerate(packets) if index not in unrecorded]
    blocks = [(glog.METADATA, json.dumps(metadata).encode(), {})]
    blocks += [(glog.PROBE, json.dumps(probe).encode(), {}) for probe in probes]
    for flow in sorted({it.flow for it in records}):
        mine = [it for it in records if it.flow == flow]
        kind, payload_of = (glog.SENT, sent) if isinstance(mine[0], glog.Sent) else (glog.RECEIVED, received)
        for start in range(0, len(mine), in_block):
            some = mine[start:start + in_block]
            blocks.append((kind, payload_of(some), {"flow": flow, "first": first_seq(some), "count": len(some)}))
    flows = [flow["spec"]["id"] for flow in metadata["flows"]]
    blocks.append((glog.TOTALS, json.dumps(totals(flows, packets, ended_at_ns, counters, unrecorded, times)).encode(), {}))
    return header() + b"".join(block(kind, number, payload, **about) for number, (kind, payload, about) in enumerate(blocks))
