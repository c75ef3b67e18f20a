"""Reads logs record by record, slowly and simply, by docs/reference/log-format.md, to check the programs' own
readers. It ignores checksums: for undamaged logs only."""
from __future__ import annotations

import json
import struct
from typing import NamedTuple

HEADER, BLOCK_HEADER, GROUP = 16, 52, 128
METADATA, SENT, RECEIVED, PROBE, EVENT, TOTALS, ROUND_TRIP = 1, 2, 3, 4, 5, 6, 7


class Block(NamedTuple):
    type: int
    version: int
    flow: int
    first: int
    count: int
    offset: int
    payload: bytes


class Sent(NamedTuple):
    flow: int
    seq: int
    sent_at: int
    lateness: int
    size: int
    batch: int


class Received(NamedTuple):
    flow: int
    seq: int | None
    sent_at: int | None
    received_at: int
    size: int
    ttl: int | None
    ds_byte: int | None


class Returned(NamedTuple):
    flow: int
    seq: int | None
    sent_at: int | None
    returned_at: int
    reflected_at: int | None
    replied_at: int | None
    size: int


def blocks(data: bytes):
    at = HEADER
    while at < len(data):
        kind, version, _, _, flow, _, first, count, stored, _ = struct.unpack_from("<4BIQQIII", data, at + 16)
        yield Block(kind, version, flow, first, count, at, data[at + BLOCK_HEADER:at + BLOCK_HEADER + stored])
        at += BLOCK_HEADER + stored


def signed(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63


class _Payload:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        piece = self.data[self.at:self.at + size]
        assert len(piece) == size
        self.at += size
        return piece

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def residuals(self, count: int, equal: bool):
        if equal:
            return [self.number(8)] * count
        numbers = []
        for start in range(0, count, GROUP):
            size = min(GROUP, count - start)
            width, least = self.number(1), self.number(8)
            bits = self.number((size * width + 7) // 8)
            numbers += [least + (bits >> (i * width) & ((1 << width) - 1)) for i in range(size)]
        return numbers

    def column(self, count: int) -> list[int]:
        """As signed numbers."""
        if count == 0:
            return []
        mode = self.number(1)
        order = mode & 3
        firsts = [self.number(8) for _ in range(order)]
        numbers = self.residuals(count - order, bool(mode & 0x80))
        for first in reversed(firsts):
            sums = [first]
            for number in numbers:
                sums.append(sums[-1] + number)
            numbers = sums
        return [signed(number) for number in numbers]

    def present(self, bits: int, count: int) -> list[bool]:
        if bits == 0:
            return [True] * count
        if bits == 1:
            return [False] * count
        bitmap = self.number((count + 7) // 8)
        return [bool(bitmap >> i & 1) for i in range(count)]

    def with_gaps(self, present: list[bool]) -> list[int | None]:
        values = iter(self.column(sum(present)))
        return [next(values) if there else None for there in present]


def minus(left, right):
    return None if left is None or right is None else left - right


def sent_of(block: Block):
    payload = _Payload(block.payload)
    seq, due, lateness, size, batch = (payload.column(block.count) for _ in range(5))
    for row in zip(seq, due, lateness, size, batch, strict=True):
        yield Sent(block.flow, row[0], row[1] + row[2], *row[2:])


def received_of(block: Block):
    payload, n = _Payload(block.payload), block.count
    presence = payload.number(1)
    has_seq = payload.present(presence & 3, n)
    has_time = payload.present(presence >> 2 & 3, n)
    seq, at = payload.with_gaps(has_seq), payload.column(n)
    delay, size = payload.with_gaps(has_time), payload.column(n)
    ttl, ds = (payload.column(n), payload.column(n)) if block.version == 2 else ([0] * n, [0] * n)
    for row in zip(seq, at, delay, size, ttl, ds, strict=True):
        yield Received(block.flow, row[0], minus(row[1], row[2]), row[1], row[3], row[4] or None, row[5] if row[4] else None)


def returned_of(block: Block):
    payload, n = _Payload(block.payload), block.count
    presence = payload.number(1)
    has_seq, has_time, has_stamps = (payload.present(presence >> shift & 3, n) for shift in (0, 2, 4))
    seq, base, rtt = payload.with_gaps(has_seq), payload.column(n), payload.with_gaps(has_time)
    back, residence, size = payload.with_gaps(has_stamps), payload.with_gaps(has_stamps), payload.column(n)
    for seq_, base_, rtt_, back_, residence_, size_ in zip(seq, base, rtt, back, residence, size, strict=True):
        returned = base_ if rtt_ is None else base_ + rtt_
        replied = minus(returned, back_)
        yield Returned(block.flow, seq_, None if rtt_ is None else base_, returned, minus(replied, residence_), replied, size_)


_READERS = {SENT: sent_of, RECEIVED: received_of, ROUND_TRIP: returned_of}


def records(data: bytes, kind: int) -> list:
    return [record for block in blocks(data) if block.type == kind for record in _READERS[kind](block)]


def metadata(data: bytes) -> dict:
    return json.loads(next(blocks(data)).payload)


def totals(data: bytes) -> dict:
    return next(json.loads(block.payload) for block in blocks(data) if block.type == TOTALS)
