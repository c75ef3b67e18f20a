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


def received(records) -> bytes:
    """Of packets that all carry their number and their time."""
    return b"\0" + b"".join(map(column, ([it.seq for it in records], [it.received_at for it in records],
                                         [it.received_at - it.sent_at for it in records], [it.size for it in records])))


def totals(flows, records, at_ns: int) -> dict:
    return {"ended_at_ns": at_ns, "end": "complete", "flows": [
        {"flow": flow, "packets": len(mine), "bytes": sum(it.size for it in mine), "records": len(mine), "records_lost": 0,
         "counters": []} for flow in flows for mine in [[it for it in records if it.flow == flow]]]}


def log(metadata: dict, records, ended_at_ns: int, *, probes=(), in_block: int = MOST_IN_BLOCK) -> bytes:
    """A complete log of records of one kind, glog.Sent or glog.Received, in their order; `probes` as their JSON has
    them."""
    blocks = [(glog.METADATA, json.dumps(metadata).encode(), {})]
    blocks += [(glog.PROBE, json.dumps(probe).encode(), {}) for probe in probes]
    for flow in sorted({it.flow for it in records}):
        mine = [it for it in records if it.flow == flow]
        kind, payload_of = (glog.SENT, sent) if isinstance(mine[0], glog.Sent) else (glog.RECEIVED, received)
        for start in range(0, len(mine), in_block):
            some = mine[start:start + in_block]
            blocks.append((kind, payload_of(some), {"flow": flow, "first": some[0].seq, "count": len(some)}))
    flows = [flow["spec"]["id"] for flow in metadata["flows"]]
    blocks.append((glog.TOTALS, json.dumps(totals(flows, records, ended_at_ns)).encode(), {}))
    return header() + b"".join(block(kind, number, payload, **about) for number, (kind, payload, about) in enumerate(blocks))
