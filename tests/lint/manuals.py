#!/usr/bin/env python3
"""Every option that a program's --help names stands in its manual page, and the page renders without a warning.

usage: manuals.py ROOT BIN
"""
import pathlib
import re
import subprocess
import sys

root, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
wrong = []
COMMANDS = {"groma-dec": ["batch", "report"]}  # first words with a help of their own
built = [program for program in ("groma-send", "groma-recv", "groma-log", "groma-dec", "groma-plot", "groma-mpi")
         if program != "groma-mpi" or (programs / program).exists()]
# Commands with options and a page of their own, as git has them.
built += ["groma-dec fit"]
for program in built:
    page = root / "man" / f"{program.replace(' ', '-')}.1"
    command, *words = program.split()
    if not page.exists():
        wrong.append(f"{program} has no manual page {page}")
        continue
    text = page.read_text().replace("\\-", "-")
    helps = [subprocess.run([programs / command, *words, *more, "--help"], capture_output=True, text=True, check=True).stdout
             for more in ([], *([word] for word in COMMANDS.get(program, [])))]
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", " ".join(helps)))
    if not options:
        wrong.append(f"{program} --help names no option")
    wrong += [f"{page.name} does not mention {option}" for option in sorted(options) if option not in text]
    warnings = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
                              capture_output=True, text=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}).stderr
    if warnings.strip():
        wrong.append(f"{page.name}: {warnings.strip()}")
print("\n".join(wrong) or "all manual pages name all options")
sys.exit(1 if wrong else 0)
