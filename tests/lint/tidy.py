#!/usr/bin/env python3
"""Runs clang-tidy on every source that a build compiles, as many at once as there are cores, and remembers in the user's
cache which were clean, so that only what changed is looked at again, as ccache does for compiling.

Most of its time goes into the headers of others, so it gets several sources as one (scripts/batches.py). Where it finds something in
them, it looks at each by itself, and what it says then counts.

usage: tidy.py ROOT BUILD [FOLDER...]
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import batches  # noqa: E402

FOLDERS = ["common", "sender", "receiver", "logserver", "decoder", "plots", "mpi"]
MOST = 8
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
BATCH = re.compile(r"batch_\d+\.cpp")
USING = re.compile(r"^\s*using [\w:]+;", re.MULTILINE)


class Tidy:
    def __init__(self, root: pathlib.Path, build: pathlib.Path, folders: list[str], scratch: pathlib.Path):
        self.root, self.build, self.scratch = root, build, scratch
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.stamps = pathlib.Path(cache) / "groma-tidy"
        self.stamps.mkdir(parents=True, exist_ok=True)
        self.commands = {source: entry for entry in reversed(json.loads((build / "compile_commands.json").read_text()))
                         for source in self.compiled_by(entry) if any(source.is_relative_to(root / folder) for folder in folders)}
        self.sources = sorted(self.commands)
        self.tree = batches.Tree(root)

    def compiled_by(self, entry: dict) -> list[pathlib.Path]:
        """The source of a command, or those that the build has put together in it (GROMA_BATCH)."""
        file = pathlib.Path(entry["file"])
        return [self.root / name for name in INCLUDE.findall(file.read_text())] if BATCH.fullmatch(file.name) else [file]

    def flags(self, source: pathlib.Path) -> tuple[str, ...]:
        """What it is compiled with, but its own name and that of its object, and what only g++ knows."""
        words = shlex.split(self.commands[source]["command"])
        words = words[next(i for i, word in enumerate(words) if word.startswith("-")):]
        return tuple(word for i, word in enumerate(words)
                     if not word.endswith((".cpp", ".o", ".o.d")) and word not in ("-c", "-o", "-MD", "-MT", "-MF", "-Wno-subobject-linkage"))

    def stamp(self, source: pathlib.Path) -> pathlib.Path:
        """The file that says that the source was clean with all headers of ours that it includes, whichever way."""
        content = hashlib.sha256((self.root / ".clang-tidy").read_bytes())
        headers = {header for header in self.tree.headers(source) if isinstance(header, pathlib.Path)}
        for file in sorted(headers | {source}):
            content.update(str(file.relative_to(self.root)).encode() + file.read_bytes())
        return self.stamps / content.hexdigest()

    def batches(self) -> list[list[pathlib.Path]]:
        """Those that have not been clean, with those that are compiled alike. One that takes over a name of others is alone: whether it needs
        it could not be told beside another that uses the same."""
        alike, alone = {}, []
        for source in self.sources:
            if self.stamp(source).exists():
                continue
            if USING.search(self.tree.text(source)):
                alone.append([source])
            else:
                alike.setdefault(self.flags(source), []).append(source)
        return alone + [batch for sources in alike.values() for batch in batches.batches(self.tree, MOST, sources)]

    def run(self, file: pathlib.Path, like: pathlib.Path) -> str:
        result = subprocess.run(["clang-tidy-16", "-quiet", f"--config-file={self.root}/.clang-tidy", file, "--", *self.flags(like)],
                                capture_output=True, text=True, cwd=self.commands[like]["directory"])
        return "" if result.returncode == 0 else result.stdout or result.stderr

    def findings(self, batch: list[pathlib.Path]) -> str:
        said = {}
        if len(batch) > 1:
            together = self.scratch / f"{hashlib.sha256(str(batch).encode()).hexdigest()}.cpp"
            together.write_text("".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in batch))
            said = {} if self.run(together, batch[0]) else dict.fromkeys(batch, "")
        for source in batch:
            said.setdefault(source, None)
            if said[source] is None:
                said[source] = self.run(source, source)
            if not said[source]:
                self.stamp(source).touch()
        return "".join(said.values())


def main(root: str, build: str, *folders: str):
    with tempfile.TemporaryDirectory(prefix="groma-tidy-") as scratch:
        tidy = Tidy(pathlib.Path(root).resolve(), pathlib.Path(build).resolve(), list(folders) or FOLDERS, pathlib.Path(scratch))
        if not tidy.sources:
            sys.exit(f"{build} compiles nothing in {' '.join(folders or FOLDERS)}")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [text for text in pool.map(tidy.findings, tidy.batches()) if text]
    print("\n".join(found)[:20000] or f"{len(tidy.sources)} sources have no findings")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
