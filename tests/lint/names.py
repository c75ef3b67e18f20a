#!/usr/bin/env python3
"""The name of a class is unique in its namespace: if two share one, a program that links both may run the functions of
either (the one-definition rule, [basic.def.odr]), and no compiler reports it. Anonymous namespaces belong to their
file.

The name of a header of the sources is unique, so that an include or a message identifies it.

The name of a test's file is unique as well: the same test runs in several builds at once, and they share the folder for
such files.

usage: names.py ROOT
"""
import collections
import pathlib
import re
import sys

FOLDERS = ("common", "sender", "receiver", "joint", "logserver", "decoder", "plots", "keys", "mpi", "python", "tests")
OPENED = re.compile(r"(?:inline )?namespace ?(\S*) ?\{$")
CLOSED = re.compile(r"\}  // (?:anonymous )?namespace\b")
CLASS = re.compile(r"(?:class|struct|union|enum(?: class)?) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: ?:[^:].*)?(?: \{.*)?$")
SHARED_FOLDER = re.compile(r"\bTempDir\(\)|\btemp_directory_path\(\)")
MAY_NAME_IT = "tests/common/os/temporary_folder_test.cpp"


def classes(text: str):
    """(name with namespaces, line) of every class that a file defines outside of other classes and of anonymous
    namespaces. The sources are formatted: a class that is not indented is outside."""
    namespaces = []
    for number, line in enumerate(text.splitlines(), 1):
        if opened := OPENED.match(line):
            namespaces.append(opened[1])
        elif CLOSED.match(line):
            namespaces.pop()
        elif (found := CLASS.match(line)) and "" not in namespaces:
            yield "::".join([*namespaces, found[1]]), number


def violations(root: pathlib.Path):
    places = collections.defaultdict(list)
    for folder in FOLDERS:
        for source in sorted((root / folder).rglob("*.[ch]pp")):
            for name, line in classes(source.read_text()):
                places[name].append(f"{source.relative_to(root)}:{line}")
    if not places:
        raise SystemExit(f"no classes below {root}")
    for name, where in sorted(places.items()):
        if len(where) > 1:
            yield f"{name} is there {len(where)} times: {', '.join(where)}"
    yield from shared_headers(root)
    yield from shared_files(root)


def shared_headers(root: pathlib.Path):
    places = collections.defaultdict(list)
    for folder in FOLDERS[:-1]:
        for header in sorted((root / folder).rglob("*.hpp")):
            places[header.name].append(str(header.relative_to(root)))
    for name, where in sorted(places.items()):
        if len(where) > 1:
            yield f"{name} is the name of {len(where)} headers: {', '.join(where)}"


def shared_files(root: pathlib.Path):
    for source in sorted((root / "tests").rglob("*.[ch]pp")):
        path = str(source.relative_to(root))
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if path != MAY_NAME_IT and SHARED_FOLDER.search(line):
                yield f"{path}:{number}: another build's run of this test has the same file: use TemporaryFolder"


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every class and every file of a test has a name of its own")
    sys.exit(1 if found else 0)
