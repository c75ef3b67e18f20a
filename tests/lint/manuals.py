#!/usr/bin/env python3
"""Every program, and every command with options of its own, has a man page and completions. The page and --help name the same options, each
once, and the page renders without a warning. groma(7) names every program.

usage: manuals.py ROOT BIN
"""
import collections
import pathlib
import re
import subprocess
import sys

PROGRAMS = ("groma-send", "groma-recv", "groma-log", "groma-dec", "groma-plot", "groma-key", "groma-mpi")
COMMANDS = ("groma-dec batch", "groma-dec fit", "groma-dec pcapng", "groma-dec report")
OPTIONAL = "groma-mpi"  # built where there is MPI
IN_HELP = re.compile(r"^  (--?[a-z][a-z0-9-]*)", re.MULTILINE)
IN_PAGE = re.compile(r"^\.TP\n(?:\.[A-Z]+ |\\fB)(-[a-z0-9-]+)", re.MULTILINE)


def differences(page: str, help_text: str):
    """Of two lists of options."""
    in_help, in_page = (collections.Counter(found) for found in (IN_HELP.findall(help_text), IN_PAGE.findall(page.replace("\\-", "-"))))
    if not in_help:
        yield "--help names no option"
    for option in sorted(in_help | in_page):
        if (in_help[option], in_page[option]) != (1, 1):
            yield f"{option} is {in_help[option]} times in --help and {in_page[option]} times in the page"


def unnamed(programs, page: str):
    """The programs that have no line of their own in the page."""
    return [name for name in programs if ".TP\n.BR %s (1)\n" % name.replace("-", "\\-") not in page]


def warnings(page: pathlib.Path):
    return subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}).stderr.strip()


def faults(root: pathlib.Path, programs: pathlib.Path):
    pages = {page.name for page in (root / "man").glob("*.1")}
    for page in (root / "man").glob("*.7"):
        if warning := warnings(page):
            yield f"{page.name}: {warning}"
    for name in unnamed(PROGRAMS, (root / "man/groma.7").read_text()):
        yield f"groma.7 does not name {name}(1)"
    for name in PROGRAMS:
        yield from (f"{name} has no completion {file}" for file in (root / f"completion/bash/{name}", root / f"completion/zsh/_{name}") if not file.exists())
    for name in (*PROGRAMS, *COMMANDS):
        page = root / "man" / f"{name.replace(' ', '-')}.1"
        pages.discard(page.name)
        if not page.exists():
            yield f"{name} has no man page {page}"
            continue
        if warning := warnings(page):
            yield f"{page.name}: {warning}"
        program, *words = name.split()
        if program == OPTIONAL and not (programs / program).exists():
            continue
        shown = subprocess.run([programs / program, *words, "--help"], capture_output=True, text=True, check=True).stdout
        yield from (f"{page.name}: {difference}" for difference in differences(page.read_text(), shown))
    yield from (f"{page} is the page of no program" for page in sorted(pages))


if __name__ == "__main__":
    wrong = list(faults(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
    print("\n".join(wrong) or "all man pages name all options, each once")
    sys.exit(1 if wrong else 0)
