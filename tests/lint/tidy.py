#!/usr/bin/env python3
"""Runs clang-tidy on every source that a build compiles, as many at once as there are cores, and remembers which were
clean, so that only what changed is looked at again.

usage: tidy.py ROOT BUILD [FOLDER...]
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
build = pathlib.Path(sys.argv[2]).resolve()
folders = sys.argv[3:] or ["common", "sender", "receiver", "logserver", "decoder", "plots"]
stamps = build / "tidy"
stamps.mkdir(exist_ok=True)

sources = sorted({entry["file"] for entry in json.loads((build / "compile_commands.json").read_text())})
sources = [s for s in sources if any(s.startswith(f"{root}/{folder}/") for folder in folders)]
if not sources:
    sys.exit(f"{build} compiles nothing in {' '.join(folders)}")

# A header can change what is found in any source: one digest for all headers and the configuration.
shared = hashlib.sha256((root / ".clang-tidy").read_bytes())
for header in sorted(p for folder in folders for p in (root / folder).rglob("*.hpp")):
    shared.update(header.read_bytes())


def findings(source: str) -> str:
    digest = hashlib.sha256(shared.digest() + pathlib.Path(source).read_bytes() + source.encode()).hexdigest()
    if (stamps / digest).exists():
        return ""
    result = subprocess.run(["clang-tidy", "-quiet", "-p", str(build), source], capture_output=True, text=True)
    if result.returncode == 0:
        (stamps / digest).touch()
        return ""
    return result.stdout + (result.stderr if not result.stdout else "")


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    found = [text for text in pool.map(findings, sources) if text]
print("\n".join(found)[:20000] or f"{len(sources)} sources have no findings")
sys.exit(1 if found else 0)
