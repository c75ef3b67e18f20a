"""The structure of a bench: parts, each with runs that take turns, and the tables made from them."""
from __future__ import annotations

from typing import Callable, NamedTuple, Sequence

from pair import Pair
from tables import Table


class Run(NamedTuple):
    """One measurement, to be repeated. `measure` returns the figures of its row."""
    key: dict                             # what was measured: columns of its row
    label: str
    seconds: float                        # about how long it takes
    measure: Callable[[Pair], dict]
    missing: str = ""                     # why it cannot be made here


class Part(NamedTuple):
    name: str
    title: str
    groups: Sequence[Sequence[Run]]       # runs of a group are compared, and take turns
    tables: Callable[[list[dict]], list[Table]]


def turns(group: Sequence[Run], repetition: int) -> list[Run]:
    """Each repetition begins with another run, so that other activity on the machine affects all of them."""
    if not group:
        return []
    turn = repetition % len(group)
    return [*group[turn:], *group[:turn]]
