"""Experiments as dictionaries: written as the TOML files that groma-send reads (docs/reference/experiment-file.md)."""
from __future__ import annotations

import json
import math
import numbers
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
RELATIVE = re.compile(r"\b(file|pcap):(?=[^/])")
NO_PATHS = ("name", "to", "from", "address")


def toml_of(experiment: Mapping[str, Any]) -> str:
    """The text of an experiment file with the same keys and values; keys whose value is None are left out. Paths in it (`key`, "file:PATH",
    "pcap:PATH") begin at the current folder, as everywhere in Python, while those of a file begin at the file's.

    Raises: TypeError that names a key whose value TOML cannot hold.
    """
    plain = {key: value for key, value in experiment.items() if not isinstance(value, Mapping) and not _is_tables(value)}
    lines = [f"{_key(key)} = {_value(_from_here(key, value), key)}" for key, value in plain.items() if value is not None]
    for key, value in experiment.items():
        if key not in plain:
            for table in [value] if isinstance(value, Mapping) else value:
                lines += ["", f"[{_key(key)}]" if isinstance(value, Mapping) else f"[[{_key(key)}]]", *_members(table, key)]
    return "\n".join(lines) + "\n"


def _is_tables(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _from_here(key: str, value: Any) -> Any:
    return os.path.abspath(value) if key == "key" and value != "none" and isinstance(value, (str, os.PathLike)) else value


def _members(table: Mapping[str, Any], where: str) -> Iterator[str]:
    for key, value in table.items():
        if value is not None:
            yield f"{_key(key)} = {_value(value, f'{where}.{key}')}"


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"experiment: a key is text, not {key!r}")
    return key if BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TypeError(f"experiment: {text!r} is not text that UTF-8 can hold") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, where: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        named = where.rpartition(".")[2] in NO_PATHS
        return _text(value if named else RELATIVE.sub(lambda found: f"{found[1]}:{os.getcwd()}/", value))
    if isinstance(value, os.PathLike):
        return _text(os.path.abspath(os.fspath(value)))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value)) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_members(value, where)) + " }"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return "[" + ", ".join(_value(item, where) for item in value) + "]"
    raise TypeError(f"experiment: {where}: TOML cannot hold {value!r:.80}")
