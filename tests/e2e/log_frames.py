"""A shipper of logs written from docs/reference/log-protocol.md alone, for tests of the log server."""
from __future__ import annotations

import os
import socket
import struct

HELLO, WELCOME, OPEN, OPENED, PIECE, DURABLE, CLOSE, GIVE_UP, CLOSED, REFUSED, HOLD, GO_ON = range(1, 13)
VERSION = 2
WHOLE_CONNECTION = 0xFFFFFFFF


def text(value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return struct.pack(">H", len(data)) + data


def frame(kind: int, fields: bytes = b"") -> bytes:
    return struct.pack(">IB", 1 + len(fields), kind) + fields


def hello(version: int = VERSION) -> bytes:
    return frame(HELLO, struct.pack(">H", version) + text("tester"))


def open_log(log: int, token: bytes, experiment, name) -> bytes:
    return frame(OPEN, struct.pack(">I", log) + token + text(experiment) + text(name))


def piece(log: int, number: int, data: bytes) -> bytes:
    return frame(PIECE, struct.pack(">IQ", log, number) + data)


def close(log: int, pieces: int, size: int, hash_value: int) -> bytes:
    return frame(CLOSE, struct.pack(">IQQQ", log, pieces, size, hash_value))


def give_up(log: int, pieces: int, reason: str) -> bytes:
    return frame(GIVE_UP, struct.pack(">IQ", log, pieces) + text(reason))


class Log:
    """A shipper's state of a log, across connections."""

    def __init__(self, name: str, data: bytes, piece_bytes: int, experiment: str = "tests-00000000"):
        self.name, self.experiment, self.token, self.data = name, experiment, os.urandom(16), data
        self.pieces = [data[at:at + piece_bytes] for at in range(0, len(data), piece_bytes)]
        self.durable = 0
        self.sent = 0
        self.closed = False


class Shipper:
    """A connection. Frames that come are (kind, log, rest)."""

    def __init__(self, address: str, port: int, limit: float = 20.0):
        self.socket = socket.create_connection((address, port), timeout=limit)
        self.received = b""
        self.logs: dict[int, Log] = {}

    def __del__(self):
        if hasattr(self, "socket"):
            self.socket.close()

    def send(self, data: bytes):
        self.socket.sendall(data)

    def greet(self):
        self.send(hello())
        assert self.next()[0] == WELCOME

    def open(self, log: Log):
        number = len(self.logs) + 1
        self.logs[number] = log
        self.send(open_log(number, log.token, log.experiment, log.name))
        while True:
            kind, which, rest = self.next()
            if which == number and kind == OPENED:
                log.sent, = struct.unpack(">Q", rest[:8])
                assert log.sent >= log.durable, f"{log.name}: {log.durable} were acknowledged, {log.sent} are there"
                return number
            self.take(kind, which, rest)

    def next(self):
        """The next frame. Raises ConnectionError at the end of the connection."""
        while len(self.received) < 4 or len(self.received) < 4 + struct.unpack(">I", self.received[:4])[0]:
            got = self.socket.recv(65536)
            if not got:
                raise ConnectionError("the log server closed the connection")
            self.received += got
        length, kind = struct.unpack(">IB", self.received[:5])
        body, self.received = self.received[5:4 + length], self.received[4 + length:]
        return (kind, 0, body) if kind == WELCOME else (kind, struct.unpack(">I", body[:4])[0], body[4:])

    def take(self, kind: int, which: int, rest: bytes):
        if kind == REFUSED:
            raise AssertionError(f"refused: {rest!r}")
        log = self.logs[which]
        if kind in (DURABLE, OPENED, GO_ON):
            count, = struct.unpack(">Q", rest[:8])
            if kind == DURABLE:
                assert count >= log.durable
                log.durable = count
            else:
                log.sent = count
        elif kind == CLOSED:
            log.closed = True

    def send_some(self, number: int, most: int):
        log = self.logs[number]
        some = log.pieces[log.sent:log.sent + most]
        self.send(b"".join(piece(number, log.sent + at, data) for at, data in enumerate(some)))
        log.sent += len(some)

    def finish(self, number: int, reason: str = "the test is over"):
        log = self.logs[number]
        while log.sent < len(log.pieces):
            self.send_some(number, 64)
        self.send(give_up(number, len(log.pieces), reason))
        while not log.closed:
            self.take(*self.next())

    def rest_of_connection(self) -> bytes:
        """All bytes until the server closes it."""
        data = self.received
        try:
            while got := self.socket.recv(65536):
                data += got
        except ConnectionError:
            pass
        return data


def fill(address: str, port: int, experiment: str, piece_bytes: int = 40_000):
    """Ships an endless log, and closes the connection when the server puts it on hold."""
    shipper = Shipper(address, port)
    shipper.greet()
    log = Log("junk", b"", 1, experiment)
    number = shipper.open(log)
    shipper.socket.settimeout(0.001)
    for at in range(1_000_000):
        shipper.socket.settimeout(20)
        shipper.send(piece(number, at, b"j" * piece_bytes))
        shipper.socket.settimeout(0.0001)
        try:
            if shipper.next()[0] == HOLD:
                return
        except TimeoutError:
            pass
