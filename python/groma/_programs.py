"""Starts programs of Groma, and reads what they say while they run."""
from __future__ import annotations

import collections
import os
import shutil
import signal
import subprocess
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Union

from ._errors import GromaError

Option = Union[str, int, float, "os.PathLike[str]", Sequence[Union[str, int, float]], Mapping[str, Union[str, int, float]], None]
"""What an option of a program can be: see words_of()."""

MOST_LINES = 1000  # that are kept of what a program says


def find(program: str, folder: str | os.PathLike[str] | None = None) -> str:
    """The path of a program: in `folder`, or in the folder that GROMA_BIN names, or on PATH.

    Raises: GromaError if it is not there.
    """
    place = folder if folder is not None else os.environ.get("GROMA_BIN")
    found = shutil.which(program, path=os.fspath(place) if place else None)
    if found is None:
        where = f"in the folder {os.fspath(place)}" if place else "on PATH"
        raise GromaError(f"cannot find {program} {where}: install Groma, or name the folder of its programs (GROMA_BIN, or bin=)")
    return os.path.abspath(found)


def words_of(options: Mapping[str, Option]) -> list[str]:
    """Options as words of a command line. `receiver_log="x"` becomes `--receiver-log=x`, True the option alone; None and False leave it out. A
    list has commas between its items, a dictionary between its `key=value`. A name that Python reserves has an underscore at its end: `as_`."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        words.append(option if value is True else f"{option}={_text(value)}")
    return words


def _text(value: Option) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{key}={item}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


class Program:
    """A program that runs. Each line of its standard output is given to `on_line`, without its end, on a thread; None is the end of the output.
    What is left running ends when nobody refers to it any more, or Python ends."""

    def __init__(self, command: Sequence[str], on_line: Callable[[str | None], None]):
        self.name = os.path.basename(command[0])
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        except OSError as error:
            raise GromaError(f"cannot start {command[0]}: {error.strerror}") from error
        self._said: collections.deque[str] = collections.deque(maxlen=MOST_LINES)
        self._threads = [_reader(self._process.stdout, on_line), _reader(self._process.stderr, _keeper(self._said))]
        self._end = weakref.finalize(self, _end, self._process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Nothing happens if it has ended."""
        self._process.send_signal(number)

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end. Returns: its exit status; negative: the signal that ended it.

        Raises: TimeoutError if it still runs after `timeout` seconds.
        """
        try:
            status = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{self.name} still runs after {timeout} s") from None
        for thread in self._threads:
            thread.join()
        return status

    def said(self) -> str:
        """The last lines of its standard error, but for the advice to read --help."""
        lines = [line for line in self._said if not (line.startswith(f"{self.name}: try '") and line.endswith(" --help'"))]
        return "\n".join(lines)


def _reader(stream: IO[str] | None, on_line: Callable[[str | None], None]) -> threading.Thread:
    assert stream is not None
    thread = threading.Thread(target=_read_lines, args=(stream, on_line), daemon=True)
    thread.start()
    return thread


def _read_lines(stream: IO[str], on_line: Callable[[str | None], None]) -> None:
    with stream:
        for line in stream:
            on_line(line.rstrip("\n"))
    on_line(None)


def _keeper(lines: collections.deque[str]) -> Callable[[str | None], None]:
    def keep(line: str | None) -> None:
        if line is not None:
            lines.append(line)

    return keep


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        process.wait()
