#!/usr/bin/env python3
"""Every program is built so that an error of memory is an end, and no way in (scripts/cmake/groma_compiler.cmake).

usage: hardened.py BIN
"""
import pathlib
import re
import subprocess
import sys

NEEDED = {
    "is at the same address each time (no PIE)": re.compile(r"Type: +DYN"),
    "finds functions of libraries late, by a table that can be written (no -z now)": re.compile(r"\bBIND_NOW\b|Flags:.*\bNOW\b"),
    "can write that table (no -z relro)": re.compile(r"^ +GNU_RELRO ", re.MULTILINE),
    "can execute its stack": re.compile(r"^ +GNU_STACK .* RW +0x", re.MULTILINE),
    "has no stack protector": re.compile(r"\b__stack_chk_fail\b"),
    "has no checked calls of the C library (no _FORTIFY_SOURCE)": re.compile(r"\b__\w+_chk\b"),
}


def faults(program: pathlib.Path):
    """Of a program, or a library."""
    elf = subprocess.run(["readelf", "-hldW", "--dyn-syms", program], capture_output=True, text=True, check=True).stdout
    yield from (f"{program.name} {what}" for what, pattern in NEEDED.items() if not pattern.search(elf))


if __name__ == "__main__":
    programs = sorted(path for path in pathlib.Path(sys.argv[1]).glob("groma-*") if path.name != "groma-world")
    wrong = [fault for program in programs for fault in faults(program)] or ([] if programs else ["there are no programs"])
    print("\n".join(wrong) or f"{len(programs)} programs are hardened")
    sys.exit(1 if wrong else 0)
