"""Programs that listen: receivers, log servers, senders for others."""
from __future__ import annotations

import collections
import os
import re
import signal
import threading
from collections.abc import Sequence
from types import TracebackType

from ._errors import DaemonError
from ._programs import MOST_LINES, Option, Program, find, words_of

PORT = re.compile(r" on \S+?:(\d+)(?:[, ]|$)")


class Daemon:
    """A program that listens until it is stopped: by stop(), by the end of a `with`, or when nobody refers to it any more."""

    def __init__(self, command: Sequence[str], name: str):
        self._lines: collections.deque[str] = collections.deque(maxlen=MOST_LINES)
        self._listens = threading.Event()
        self._first = ""
        self._program = Program(command, _Ear(self._lines, self._listens))
        self._program.name = name
        self._stopped = False
        try:
            self._listens.wait()
        except BaseException:
            self._program.signal(signal.SIGTERM)
            raise
        self._first = self._lines[0] if self._lines else ""
        if not self._first:
            status = self._program.wait()
            raise DaemonError(self._program.said() or f"{name} ended with {status} before it listened", status)

    @property
    def port(self) -> int:
        """Where it listens.

        Raises: DaemonError if it does not: a receiver that dials.
        """
        found = PORT.search(self._first)
        if found is None:
            raise DaemonError(f"{self._program.name} listens on no port: it said '{self._first}'")
        return int(found[1])

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._program.pid

    @property
    def running(self) -> bool:
        """Whether the program runs."""
        return self._program.running

    @property
    def output(self) -> list[str]:
        """The last lines that it printed."""
        return list(self._lines)

    def wait(self, timeout: float | None = None) -> None:
        """Waits until it ends by itself, as a receiver with once=True.

        Raises: DaemonError if it fails; TimeoutError if it runs after `timeout` seconds.
        """
        status = self._program.wait(timeout)
        if status != 0 and not (self._stopped and status in (-signal.SIGTERM, 128 + signal.SIGTERM)):
            raise DaemonError(self._program.said() or f"{self._program.name} ended with {status}", status)

    def stop(self) -> None:
        """Ends it in order (SIGTERM).

        Raises: DaemonError if it fails, or had failed before.
        """
        if self._program.running:
            self._stopped = True
            self._program.signal(signal.SIGTERM)
        self.wait()

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self.stop()
        except DaemonError:
            if error is None:
                raise


class _Ear:
    """Hears what a daemon prints. It does not know the daemon, which ends when nobody refers to it."""

    def __init__(self, lines: collections.deque[str], listens: threading.Event):
        self._lines = lines
        self._listens = listens

    def __call__(self, line: str | None) -> None:
        if line is not None:
            self._lines.append(line)
        self._listens.set()


def receiver(*, port: int = 0, bin: str | os.PathLike[str] | None = None, prefix: Sequence[str] = (), **options: Option) -> Daemon:
    """Starts groma-recv, for senders on this host unless options say otherwise (open_to_anyone=True, or open=True with keys=), and returns when
    it listens. `port` 0: the kernel chooses. With `dial` it calls a sender and has no port. `bin`, `prefix`: as of start().

    Raises: DaemonError with its message if it does not start.
    """
    where = {} if "dial" in options else {"port": port}
    return Daemon([*prefix, find("groma-recv", bin), *words_of(where), *words_of(options)], "groma-recv")


def log_server(*, port: int = 0, bin: str | os.PathLike[str] | None = None, prefix: Sequence[str] = (), **options: Option) -> Daemon:
    """Starts groma-log, which keeps logs in the folder `dir`, and returns when it listens. Otherwise as receiver()."""
    return Daemon([*prefix, find("groma-log", bin), f"--port={port}", *words_of(options)], "groma-log")


def sender_daemon(*, port: int = 0, bin: str | os.PathLike[str] | None = None, prefix: Sequence[str] = (), **options: Option) -> Daemon:
    """Starts groma-send --daemon, which makes runs for groma.run(..., via="HOST:PORT"), and returns when it listens. Otherwise as receiver()."""
    return Daemon([*prefix, find("groma-send", bin), f"--daemon={port}", *words_of(options)], "groma-send")
