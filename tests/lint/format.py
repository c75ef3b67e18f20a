#!/usr/bin/env python3
"""Every C++ file is as clang-format would write it.

usage: format.py ROOT
"""
import pathlib
import subprocess
import sys

FOLDERS = ("common", "sender", "receiver", "joint", "logserver", "decoder", "plots", "keys", "mpi", "python", "tests")

root = pathlib.Path(sys.argv[1])
files = sorted(str(p) for folder in FOLDERS for p in (root / folder).rglob("*.[ch]pp"))
if not files:
    sys.exit(f"no C++ files below {root}")
result = subprocess.run(["clang-format", "--dry-run", "--Werror", *files], capture_output=True, text=True)
print(result.stderr[-5000:] or f"{len(files)} files are formatted")
sys.exit(result.returncode)
