#!/usr/bin/env python3
"""Includes point down, never up, and never from one program into another (docs/design/architecture.md). Within a
library, a room includes only the rooms beside it that its README.md names, without circles.

usage: layers.py ROOT
"""
import pathlib
import re
import sys

LAYERS = [
    ["common/base", "common/time", "common/json"],
    ["common/wire", "common/model", "common/stats", "common/figures", "common/metrics"],
    ["common/os", "common/cli", "common/capture", "common/sqlite"],
    ["common/net", "common/access"],
    ["common/control", "common/log"],
    ["common/shipping", "common/http"],
    ["common/page"],
    ["sender", "receiver", "logserver", "decoder", "plots", "keys"],
    ["joint"],
    ["mpi", "python"],
]
PROGRAMS = LAYERS[-3]
PURE = 2  # layers below this one use no kernel, thread, clock or file
IMPURE_HEADERS = re.compile(r"<(sys/.*|unistd\.h|fcntl\.h|netinet/.*|arpa/.*|thread|mutex|condition_variable|random|ctime|"
                            r"iostream|fstream|filesystem|csignal|boost/asio.*|spdlog/.*)>")
OWN = re.compile(r'#include "([^"]+)"')
SYSTEM = re.compile(r"#include (<[^>]+>)")
MAY_INCLUDE = re.compile(r"^May include: (.*?)\.$", re.MULTILINE | re.DOTALL)


def level(folder: str) -> int:
    for number, folders in enumerate(LAYERS):
        if folder in folders:
            return number
    raise SystemExit(f"{folder} has no layer: add it to tests/lint/layers.py and docs/design/architecture.md")


def folder_of(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "common" else parts[0]


def sources(root: pathlib.Path):
    found = [p for top in ("common", *PROGRAMS, *LAYERS[-2], *LAYERS[-1]) for p in sorted((root / top).rglob("*.[ch]pp"))]
    if not found:
        raise SystemExit(f"no sources below {root}")
    return found


def violations(root: pathlib.Path):
    for source in sources(root):
        here = folder_of(str(source.relative_to(root)))
        for number, line in enumerate(source.read_text().splitlines(), 1):
            where = f"{source.relative_to(root)}:{number}"
            own = OWN.match(line)
            if own:
                if not (root / own[1]).exists():
                    yield f"{where}: '{own[1]}' is not written from the root"
                    continue
                there = folder_of(own[1])
                parts_list = source.name == "main.cpp" and there == "joint"  # it puts a sender and a receiver together
                if level(there) > level(here) and not parts_list:
                    yield f"{where}: {here} includes upwards: {own[1]}"
                elif there != here and there in PROGRAMS and here in PROGRAMS:
                    yield f"{where}: programs do not include one another: {own[1]}"
            system = SYSTEM.match(line)
            if system and level(here) < PURE and IMPURE_HEADERS.match(system[1]):
                yield f"{where}: {here} is below the pure line and includes {system[1]}"


def room_includes(root: pathlib.Path) -> dict[str, dict[str, str]]:
    """Per room the rooms of the same library that it includes, each with a place. A main.cpp, a parts list, may include all of them."""
    rooms = {}
    for source in sources(root):
        name = source.relative_to(root)
        included = rooms.setdefault(str(name.parent), {})
        for own in OWN.findall(source.read_text()) if name.name != "main.cpp" else []:
            room = own.rpartition("/")[0]
            if room != str(name.parent) and folder_of(own) == folder_of(str(name)):
                included.setdefault(room, f"{name} includes {own}")
    return rooms


def circle(named: dict[str, list[str]], way: list[str]) -> list[str]:
    """The rooms of the first circle on the path; none: []."""
    for room in named.get(way[-1], []):
        found = [*way, room] if room in way else circle(named, [*way, room])
        if found:
            return found
    return []


def room_violations(root: pathlib.Path):
    named = {}
    for room, included in room_includes(root).items():
        page = root / room / "README.md"
        if not page.exists():
            yield f"{room} has no README.md: what lives here, what may be touched, what it may include"
            continue
        found = MAY_INCLUDE.search(page.read_text())
        named[room] = re.findall(r"`([^`]+)`", found[1]) if found else []
        yield from (f"{place}: {room}/README.md does not name {other}" for other, place in included.items() if other not in named[room])
        yield from (f"{room}/README.md names {other}, and nothing there includes it" for other in named[room] if other not in included)
    for room in named:
        if found := circle(named, [room]):
            yield f"rooms include one another: {' -> '.join(found)}"
            return


if __name__ == "__main__":
    found = [*violations(pathlib.Path(sys.argv[1])), *room_violations(pathlib.Path(sys.argv[1]))]
    print("\n".join(found) or "all includes point down")
    sys.exit(1 if found else 0)
