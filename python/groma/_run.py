"""Runs of groma-send."""
from __future__ import annotations

import json
import os
import pathlib
import queue
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from . import figures
from ._errors import GromaError, RunError, UsageError
from ._experiment import toml_of
from ._packets import Kind, Packets, read_log
from ._programs import Option, Program, find, words_of
from ._typed import read

OURS = {"json": "the report is the result", "jsonl": "rows are what a run that was started is iterated over", "quiet": "nothing is printed",
        "verbose": "nothing is printed", "daemon": "use groma.sender_daemon()"}
NO_RUN = ("calibrate", "search", "dry_run", "print", "print_", "resume_spool", "list_transports", "list_profiles", "help", "version")

Experiment = Mapping[str, Any] | str | os.PathLike[str] | None
"""A dictionary with the keys of an experiment file, or the path of such a file, or None: options alone say what to send."""


class Result:
    """What came of a run: its report, and where its logs are."""

    def __init__(self, report: figures.Report, status: int, logs: pathlib.Path | None = None):
        self.report = report
        self.status = status
        """The exit status of groma-send: 0, or 1 if `errors` says why not all is as it should be."""
        self.logs = logs
        """The folder of both sides' logs, if the run was told to fetch them (`logs=`)."""

    @property
    def ok(self) -> bool:
        """Every flow was sent to its end, every record was kept, and what was required is met."""
        return self.status == 0

    @property
    def errors(self) -> list[str]:
        """Sentences: why it is not ok."""
        return self.report.errors

    @property
    def flows(self) -> list[figures.Flow]:
        """In the order of the experiment."""
        return self.report.flows

    @property
    def total(self) -> figures.Total:
        """All flows together."""
        return self.report.total

    def packets(self, *, kind: Kind | None = None, flows: Sequence[int] | None = None, allow_damage: bool = False) -> Packets:
        """The packets of both sides' logs, which the run was told to fetch (`logs=`): as read_log() of their folder.

        Raises: ValueError if it was not; as read_log().
        """
        if self.logs is None:
            raise ValueError("the run has no logs to read: give it a folder for them, groma.run(..., logs='run')")
        return read_log(self.logs, kind=kind, flows=flows, allow_damage=allow_damage)

    def __repr__(self) -> str:
        return f"<groma.Result {'ok' if self.ok else 'not ok'}: {self.report.result}>"


class Run:
    """A run of groma-send that goes on. Iterate over it for its rows; end it early with stop(), or by leaving a `with`."""

    def __init__(self, command: Sequence[str], experiment: Experiment, options: Mapping[str, Option], interval: str | None):
        self._folder = tempfile.TemporaryDirectory(prefix="groma-python-")
        self._logs = pathlib.Path(str(options["logs"])).absolute() if options.get("logs") else None
        self._report = pathlib.Path(self._folder.name, "report.json")
        self._rows: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._told_all = False
        self._outcome: Result | GromaError | None = None
        rows = [f"--interval={interval}", "--jsonl"] if interval is not None else []
        words = [*command, *self._source(experiment), "--quiet", f"--json={self._report}", *rows, *words_of(options)]
        self._program = Program(words, self._rows.put)
        self._program.name = "groma-send"

    def _source(self, experiment: Experiment) -> list[str]:
        if experiment is None:
            return []
        if not isinstance(experiment, Mapping):
            return [os.fspath(experiment)]
        file = pathlib.Path(self._folder.name, "experiment.toml")
        file.write_text(toml_of(experiment), encoding="utf-8")
        return [str(file)]

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._program.pid

    @property
    def running(self) -> bool:
        """Whether the program runs."""
        return self._program.running

    def __iter__(self) -> Iterator[figures.Row]:
        """Its rows as they come. At the end raises what result() raises."""
        while not self._told_all:
            line = self._rows.get()
            if line is None:
                self._told_all = True
                break
            yield read(figures.Row, json.loads(line))
        self.result()

    def result(self, timeout: float | None = None) -> Result:
        """Waits for the end of the run.

        Raises: UsageError, RunError; TimeoutError if it goes on after `timeout` seconds.
        """
        if self._outcome is None:
            self._outcome = self._finish(self._program.wait(timeout))
        if isinstance(self._outcome, GromaError):
            raise self._outcome
        return self._outcome

    def _finish(self, status: int) -> Result | GromaError:
        with self._folder:
            try:
                return self._read_report(status)
            except GromaError as error:
                return error

    def _read_report(self, status: int) -> Result:
        said = self._program.said()
        if status == 2:
            raise UsageError(said, status)
        if not self._report.exists():
            raise RunError(said or f"groma-send ended with {status} and without a report", status)
        try:
            report = json.loads(self._report.read_bytes())
            if report.get("schema") != figures.SCHEMA:
                raise ValueError(f"it is '{report.get('schema')}', and this module reads '{figures.SCHEMA}'")
            return Result(read(figures.Report, report), status, self._logs)
        except (ValueError, AttributeError) as error:
            raise RunError(f"cannot read the report of groma-send: {error}: use a program and a module of one version", status) from error

    def stop(self) -> Result:
        """Ends the run as Ctrl-C does: with a complete report and complete logs."""
        self._program.signal(signal.SIGINT)
        return self.result()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Ends the run if it still goes on. result() has what came of it."""
        if self._program.running:
            self._program.signal(signal.SIGINT)
            self._program.wait()


def start(experiment: Experiment = None, *, interval: str | None = "1s", bin: str | os.PathLike[str] | None = None, prefix: Sequence[str] = (),
          **options: Option) -> Run:
    """Starts groma-send and returns at once.

    experiment  what to send: a dictionary with the keys of an experiment file, or the path of one; without it, options say it
    interval    how often a row comes; None: no rows (runs for others, `via`, have none)
    bin         the folder of the programs; otherwise GROMA_BIN, or PATH
    prefix      words before the program, such as ["ip", "netns", "exec", "lab"]
    options     those of groma-send: to="10.0.0.2", packets=1000, logs="run", force=True, require={"loss": 0}

    Raises: GromaError if the program is not there; what the program finds wrong comes with the rows or the result.
    """
    for name in options:
        if name in OURS:
            raise TypeError(f"{name}: {OURS[name]}")
        if name in NO_RUN:
            raise TypeError(f"{name}: such a groma-send makes no run that has a report: start the program itself")
    return Run([*prefix, find("groma-send", bin)], experiment, options, interval)


def run(experiment: Experiment = None, *, bin: str | os.PathLike[str] | None = None, prefix: Sequence[str] = (), **options: Option) -> Result:
    """Runs groma-send to its end; parameters as of start(). A run that sent, but not all as it should be, has a result that is not `ok`.

    Raises: UsageError if an option or the experiment is wrong; RunError if the run could not begin; GromaError if the program is not there.
    """
    with start(experiment, interval=None, bin=bin, prefix=prefix, **options) as started:
        return started.result()
