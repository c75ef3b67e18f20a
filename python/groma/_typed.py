"""Dataclasses from JSON."""
from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Reader = Callable[[Any], Any]

_readers: dict[type[Any], Reader] = {}


def read(kind: type[T], value: object) -> T:
    """The object as that dataclass. Members that the class does not know, of a newer program, are left out; those that are missing, of an older
    one, are unknown (None).

    Raises: ValueError that names what is missing or is not as the class says.
    """
    made: T = _of_class(kind)(value)
    return made


def _of_class(kind: type[Any]) -> Reader:
    if kind not in _readers:
        _readers[kind] = _make_reader(kind)
    return _readers[kind]


def _make_reader(kind: type[Any]) -> Reader:
    hints = typing.get_type_hints(kind)
    members = [(field.name, _of_hint(hints[field.name]), _may_be_none(hints[field.name])) for field in dataclasses.fields(kind)]

    def reader(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"{kind.__name__}: an object was expected, not {value!r:.80}")
        given = {}
        for name, read_member, optional in members:
            found = value.get(name)
            if found is None and not optional:
                raise ValueError(f"{kind.__name__} has no '{name}'")
            given[name] = found if found is None or read_member is None else read_member(found)
        return kind(**given)

    return reader


def _may_be_none(hint: Any) -> bool:
    return type(None) in typing.get_args(hint)


def _of_hint(hint: Any) -> Reader | None:
    """What makes a value of that type; None: it is taken as it is."""
    if isinstance(hint, types.UnionType):
        return _of_hint(next(kind for kind in typing.get_args(hint) if kind is not type(None)))
    if typing.get_origin(hint) is list:
        return functools.partial(_list, _of_hint(typing.get_args(hint)[0]))
    if dataclasses.is_dataclass(hint):
        return _of_class(typing.cast("type[Any]", hint))
    return float if hint is float else None


def _list(read_item: Reader | None, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"a list was expected, not {value!r:.80}")
    return value if read_item is None else [read_item(item) for item in value]
