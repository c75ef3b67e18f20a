"""Tables of the benches' figures: as text for a terminal, as Markdown for documents."""
from __future__ import annotations

import math
import re
import textwrap
from typing import NamedTuple, Sequence

from figures import Spread, spread


class Table(NamedTuple):
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def text(self) -> str:
        cells = [list(self.columns), *map(list, self.rows)]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.columns))]
        numeric = [self._is_numeric(column) for column in range(len(self.columns))]
        lines = ["  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(row, widths, numeric)).rstrip()
                 for row in cells]
        notes = [line for note in self.notes for line in textwrap.wrap(note, 120)]
        return "\n".join([self.title, "", lines[0], "-" * max(map(len, lines)), *lines[1:], *(["", *notes] if notes else [])])

    def markdown(self) -> str:
        numeric = [self._is_numeric(column) for column in range(len(self.columns))]
        lines = [f"### {self.title}", "", _line(self.columns), _line("--:" if right else "---" for right in numeric), *map(_line, self.rows)]
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])])

    def _is_numeric(self, column: int) -> bool:
        """Whether the column's cells are numbers, which are aligned right."""
        cells = [row[column] for row in self.rows if row[column] not in ("-", "")]
        return bool(cells) and all(re.fullmatch(r"[+-]?[0-9][0-9,.]*%?( \(.*\))?", cell) for cell in cells)


def _line(cells) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def number(value: float | None, digits: int | str = 3) -> str:
    """With this number of significant digits, or in a format; `-` if there is no number."""
    if value is None or math.isnan(value):
        return "-"
    if isinstance(digits, str):
        return format(value, digits)
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}"


def figure(rows: Sequence[dict], key: str, digits: int | str = 3, scale: float = 1.0, limits: bool = False) -> str:
    """The median of a figure over runs, with its smallest and largest if there are several and they are wanted."""
    of = spread([row[key] for row in rows if row.get(key) is not None])
    if of is None:
        return "-"
    of = Spread(*(value * scale for value in of))
    middle = number(of.median, digits)
    return f"{middle} ({number(of.least, digits)} to {number(of.most, digits)})" if limits and len(rows) > 1 else middle


def median(rows: Sequence[dict], key: str) -> float | None:
    of = spread([row[key] for row in rows if row.get(key) is not None])
    return of.median if of else None


def grouped(rows: Sequence[dict], *keys: str) -> dict[tuple, list[dict]]:
    """Rows that agree in these keys, in order of their first appearance, without failed runs."""
    groups: dict[tuple, list[dict]] = {}
    for row in rows:
        group = groups.setdefault(tuple(row[key] for key in keys), [])
        if not row["failure"]:
            group.append(row)
    return groups


def ratios(rows: Sequence[dict], others: Sequence[dict], key: str) -> list[float]:
    """Of the runs of each repetition: the figure to that of the other runs of the same repetition."""
    there = {row["repetition"]: row[key] for row in others if row.get(key)}
    return [row[key] / there[row["repetition"]] for row in rows if row.get(key) is not None and row["repetition"] in there]
