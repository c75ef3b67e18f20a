"""The packets of logs as columns of NumPy."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from ._errors import GromaError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Times = NDArray[np.int64]

Kind = Literal["sent", "received", "returned", "transmitted", "matched"]

UNKNOWN_NS = -(2**63)
"""A time or delay that is not known, such as the arrival of a lost packet: NumPy's NaT."""

SPANS = ("delay_ns", "lateness_ns")


@dataclass(slots=True, kw_only=True)
class Gap:
    """Bytes of a log that could not be read."""

    offset: int
    bytes: int
    reason: str


@dataclass(slots=True, kw_only=True)
class Log:
    """A log that was read, and what it says of its run."""

    path: str
    role: Literal["sender", "receiver"]
    run_id: str
    experiment: str
    host: str
    program: str
    timestamps: str
    """the source of its times: "user", "kernel software", ..."""
    started_ns: int
    """when the run began, by the host's clock, since 1970"""
    seed: int
    names: dict[int, str]
    """of flows, by their numbers"""
    complete: bool
    """it was closed; False: it was cut short"""
    gaps: list[Gap]


class Packets:
    """Packets of one run, a row each, in columns that share one length. `kind` says which columns there are:

    sent         flow, seq, sent_ns, lateness_ns, size, batch: of the sender's log
    received     flow, seq, sent_ns, received_ns, size, ttl, ds_byte: of the receiver's log
    returned     flow, seq, sent_ns, returned_ns, reflected_ns, replied_ns, size: replies, of the sender's log
    transmitted  flow, seq, transmitted_ns: times of the kernel or hardware, of the sender's log
    matched      flow, seq, sent_ns, received_ns, delay_ns, lateness_ns, size: of both sides' logs, a row for each packet that was lost and for each
                 copy that arrived; by flow, then by seq

    Times are ns since 1970 by the clock of the log's host, of matched packets by that of the side that says so; delays are corrected by what is known
    of the clocks. A time that is not known is UNKNOWN_NS, a sequence number -1, a TTL 0. The memory of a column is that which the log was read into.
    """

    def __init__(self, kind: Kind, columns: dict[str, NDArray[Any]], logs: list[Log], notes: list[str]):
        self.kind: Kind = kind
        self.columns = columns
        self.logs = logs
        self.notes = notes
        """Sentences: what the columns lack."""

    def __len__(self) -> int:
        return len(self.columns["seq"])

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self.columns[name]
        except KeyError:
            raise KeyError(f"{self.kind} packets have no column '{name}', but {', '.join(self.columns)}") from None

    def _column(self, name: str) -> NDArray[Any]:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0], name=name, obj=self) from None

    @property
    def flow(self) -> NDArray[np.uint32]:
        """Numbers of flows."""
        return self._column("flow")

    @property
    def seq(self) -> NDArray[np.int64]:
        """Sequence numbers; -1: unknown."""
        return self._column("seq")

    @property
    def size(self) -> NDArray[np.uint32]:
        """Bytes of payload."""
        return self._column("size")

    @property
    def sent_ns(self) -> Times:
        """When packets left."""
        return self._column("sent_ns")

    @property
    def received_ns(self) -> Times:
        """When packets arrived."""
        return self._column("received_ns")

    @property
    def delay_ns(self) -> Times:
        """One-way delays."""
        return self._column("delay_ns")

    @property
    def lateness_ns(self) -> Times:
        """How late packets left."""
        return self._column("lateness_ns")

    @property
    def returned_ns(self) -> Times:
        """When replies came back."""
        return self._column("returned_ns")

    @property
    def names(self) -> dict[int, str]:
        """The flows' names, by their numbers."""
        return {number: name for log in self.logs for number, name in log.names.items()}

    def _typed(self) -> dict[str, NDArray[Any]]:
        """The columns with the types that say their unit, without copies, and names without it."""
        def typed(name: str, values: NDArray[Any]) -> NDArray[Any]:
            return values if not name.endswith("_ns") else values.view("m8[ns]" if name in SPANS else "M8[ns]")

        return {name.removesuffix("_ns"): typed(name, values) for name, values in self.columns.items()}

    def to_pandas(self) -> Any:
        """A DataFrame of pandas: times are datetime64[ns], delays timedelta64[ns], what is unknown NaT (a sequence number: -1)."""
        pandas = _module("pandas")
        return pandas.DataFrame(self._typed(), copy=False)

    def to_polars(self) -> Any:
        """A DataFrame of Polars: times are Datetime, delays Duration, what is unknown null."""
        polars = _module("polars")
        known = polars.when(polars.col("seq") >= 0).then(polars.col("seq")).alias("seq")
        return polars.DataFrame(self._typed()).with_columns(known)

    def to_arrow(self) -> Any:
        """A Table of PyArrow: times are timestamp[ns], delays duration[ns], what is unknown null."""
        arrow = _module("pyarrow")
        return arrow.table({name: arrow.array(values, mask=values < 0 if name == "seq" else None) for name, values in self._typed().items()})

    def __repr__(self) -> str:
        return f"<groma.Packets: {len(self)} {self.kind}, with {', '.join(self.columns)}>"


def _module(name: str) -> Any:
    """A package that only some users need."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is not installed: pip install {name}, or python3-{name} where Debian has it") from error


def read_log(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *more: str | os.PathLike[str], kind: Kind | None = None,
             flows: Sequence[int] | None = None, allow_damage: bool = False) -> Packets:
    """Reads the packets of a log, of several of one run, or of all that are in a folder.

    kind          which packets; otherwise sent, received, or matched if logs of both sides are there
    flows         of these flows only
    allow_damage  read what can be read of logs that are damaged or cut short; their gaps say what is missing

    Raises: LogError if a file is not a log, or damaged, or the logs do not belong together; OSError if it cannot be read.
    """
    try:
        from . import _log
    except ImportError as error:
        raise GromaError(f"cannot load the module that reads logs: {error}: build it (cmake -DGROMA_PYTHON=ON, or pip install ./python)") from error

    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    read_kind, columns, logs, notes = _log.read([os.fsencode(path) for path in (*named, *more)], kind, flows, allow_damage)
    for log in logs:
        log["gaps"] = [Gap(offset=offset, bytes=size, reason=reason) for offset, size, reason in log["gaps"]]
    described = [Log(**log) for log in logs]
    return Packets(cast(Kind, read_kind), columns, described, notes)
