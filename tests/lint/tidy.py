#!/usr/bin/env python3
"""Runs clang-tidy on every source that a build compiles, as many at once as there are cores, and remembers in the user's
cache which were clean, so that only what changed is looked at again, as ccache does for compiling.

usage: tidy.py ROOT BUILD [FOLDER...]
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
build = pathlib.Path(sys.argv[2]).resolve()
folders = sys.argv[3:] or ["common", "sender", "receiver", "logserver", "decoder", "plots", "mpi"]
stamps = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "groma-tidy"
stamps.mkdir(parents=True, exist_ok=True)

sources = sorted({entry["file"] for entry in json.loads((build / "compile_commands.json").read_text())})
sources = [s for s in sources if any(s.startswith(f"{root}/{folder}/") for folder in folders)]
if not sources:
    sys.exit(f"{build} compiles nothing in {' '.join(folders)}")

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def files_of(source: pathlib.Path, seen: set) -> set:
    """The source and all headers of ours that it includes, whichever way."""
    if source not in seen:
        seen.add(source)
        for name in INCLUDE.findall(source.read_text()):
            if (root / name).exists():
                files_of(root / name, seen)
    return seen


def findings(source: str) -> str:
    content = hashlib.sha256((root / ".clang-tidy").read_bytes())
    for file in sorted(files_of(pathlib.Path(source), set())):
        content.update(str(file.relative_to(root)).encode() + file.read_bytes())
    digest = content.hexdigest()
    if (stamps / digest).exists():
        return ""
    result = subprocess.run(["clang-tidy-16", "-quiet", "-p", str(build), source], capture_output=True, text=True)
    if result.returncode == 0:
        (stamps / digest).touch()
        return ""
    return result.stdout + (result.stderr if not result.stdout else "")


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    found = [text for text in pool.map(findings, sources) if text]
print("\n".join(found)[:20000] or f"{len(sources)} sources have no findings")
sys.exit(1 if found else 0)
