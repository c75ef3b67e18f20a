#!/usr/bin/env python3
"""Runs clang-tidy on the sources that changed since the commit named in tests/lint/tidied, in which all were clean: on
those themselves, and for a changed header on one source that includes it. A file that was moved, or whose headers were,
or of which only comments differ, has not changed. Without that commit, or with GROMA_SUITE=all, it runs on every
source. Sources that are compiled together are checked together, because headers take most of the time. With
GROMA_SUITE=all each is checked by itself, so that it must include what it uses, and clang finds what it does not use.
Clean sources are remembered in the user's cache, with all headers of ours that they include.

usage: tidy.py ROOT BUILD [BUILD...]
"""
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FOLDERS = ("common", "sender", "receiver", "joint", "logserver", "decoder", "plots", "keys", "mpi", "python")
TOGETHER = ".together"
USING = re.compile(r"^\s*using [\w:]+::\w+;", re.MULTILINE)
OWN = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"\s*//(?!.*NOLINT).*")  # comments for clang-tidy count
FOLDER = re.compile(r'^(#include ")[^"]*/')


def apart_from_folders(text: str) -> tuple[list[str], list[str]]:
    """What a file includes, without folders and in one order, and its other lines without comments. (Names of headers are unique: names.py.)"""
    lines = [line if '"' in line else COMMENT.sub("", line) for line in text.splitlines()]
    included = sorted(FOLDER.sub(r"\1", line) for line in lines if line.startswith("#include"))
    return included, [line for line in lines if line and not line.startswith("#include")]


def compiled_by(entry: dict, root: pathlib.Path) -> list[pathlib.Path]:
    """The sources of a compilation: one, or those compiled together."""
    file = pathlib.Path(entry["file"])
    return [root / name for name in OWN.findall(file.read_text()) if name.endswith(".cpp")] or [file]


class Tidy:
    def __init__(self, root: pathlib.Path, builds: list[pathlib.Path]):
        self.root = root
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.stamps = pathlib.Path(cache) / "groma-tidy"
        self.stamps.mkdir(parents=True, exist_ok=True)
        entries = [entry for build in builds for entry in json.loads((build / "compile_commands.json").read_text())]
        self.commands = {source: entry for entry in reversed(entries) for source in compiled_by(entry, root)
                         if any(source.is_relative_to(root / folder) for folder in FOLDERS)}

    @functools.cache
    def headers(self, file: pathlib.Path) -> frozenset[pathlib.Path]:
        """Our headers that it includes, directly or not."""
        found = {self.root / name for name in OWN.findall(file.read_text()) if (self.root / name).exists()}
        return frozenset(found.union(*map(self.headers, found)))

    def changed_since(self, commit: str) -> set[pathlib.Path] | None:
        """Changed sources and headers, including untracked ones; None if this is unknown."""
        def git(*words: str) -> str | None:
            result = subprocess.run(["git", "-C", str(self.root), "-c", "diff.renameLimit=10000", *words], capture_output=True, text=True)
            return result.stdout if result.returncode == 0 else None

        differing = git("diff", "--name-status", "-M", "--diff-filter=d", commit, "--")
        unknown = git("ls-files", "--others", "--exclude-standard")
        if differing is None or unknown is None:
            return None
        changed = {self.root / name for name in unknown.splitlines()}
        for status, *names in (line.split("\t") for line in differing.splitlines()):
            now = self.root / names[-1]
            before = None if status == "A" or now.suffix not in (".cpp", ".hpp") else git("show", f"{commit}:{names[0]}")
            if before is None or apart_from_folders(before) != apart_from_folders(now.read_text()):
                changed.add(now)
        return changed

    def wanted(self, changed: set[pathlib.Path] | None) -> list[pathlib.Path]:
        if changed is None or self.root / ".clang-tidy" in changed:
            return sorted(self.commands)
        wanted = set(self.commands) & changed
        for header in sorted(changed - wanted):
            if header.suffix == ".hpp" and not any(header in self.headers(source) for source in wanted):
                # Its own source before others.
                users = sorted((source for source in self.commands if header in self.headers(source)),
                               key=lambda source: (source.stem != header.stem, str(source)))
                wanted.update(users[:1])
        return sorted(wanted)

    def flags(self, source: pathlib.Path) -> list[str]:
        """Its compiler flags, without its own name and that of its object, and without flags of a single compiler.
        Also without the precompiled header: a source must include what it uses."""
        words = shlex.split(self.commands[source]["command"])
        words = words[next(i for i, word in enumerate(words) if word.startswith("-")):]
        drop_next, kept = False, []
        for word in words:
            if drop_next:
                drop_next = False
            elif word in ("-o", "-MT", "-MF", "-include"):
                drop_next = True
            elif word not in ("-c", "-MD", "-Werror", self.commands[source]["file"]) and not word.startswith("-fsanitize"):
                kept.append(word)
        return kept

    def stamp(self, source: pathlib.Path, how: str = "") -> pathlib.Path:
        """The file that records that the source was clean with all headers of ours that it includes; `how` says
        whether other sources preceded it."""
        content = hashlib.sha256((self.root / ".clang-tidy").read_bytes())
        for file in sorted(self.headers(source) | {source}):
            content.update(str(file.relative_to(self.root)).encode() + file.read_bytes())
        return self.stamps / (content.hexdigest() + how)

    def batches(self, sources: list[pathlib.Path], alone: bool) -> list[list[pathlib.Path]]:
        """Sources that are not known to be clean: each by itself, or with those that it is compiled with. (Unused
        using-declarations are found in the file that clang-tidy is given only.)"""
        batches = collections.defaultdict(list)
        for source in sources:
            stamps = [self.stamp(source)] if alone else [self.stamp(source), self.stamp(source, TOGETHER)]
            if not any(stamp.exists() for stamp in stamps):
                batches[source if alone or USING.search(source.read_text()) else self.commands[source]["file"]].append(source)
        return list(batches.values())

    def findings(self, batch: list[pathlib.Path]) -> str:
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
            file.write("".join(f'#include "{source}"\n' for source in batch))
            file.flush()
            what, how = (batch[0], "") if len(batch) == 1 else (file.name, TOGETHER)
            command = ["clang-tidy-16", "-quiet", f"--config-file={self.root}/.clang-tidy", *(["--checks=-bugprone-suspicious-include"] if how else []),
                       what, "--", *self.flags(batch[0])]
            result = subprocess.run(command, capture_output=True, text=True, cwd=self.commands[batch[0]]["directory"])
        if result.returncode == 0:
            for source in batch:
                self.stamp(source, how).touch()
            return ""
        return result.stdout or result.stderr


def main(root: str, *builds: str):
    tidy = Tidy(pathlib.Path(root).resolve(), [pathlib.Path(build).resolve() for build in builds])
    if not tidy.commands:
        sys.exit(f"{' '.join(builds)} compile nothing of {' '.join(FOLDERS)}")
    everything = os.environ.get("GROMA_SUITE") == "all"
    since = None if everything else tidy.changed_since((tidy.root / "tests/lint/tidied").read_text().strip())
    sources = tidy.wanted(since)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(tidy.findings, tidy.batches(sources, alone=everything)) if text]
    print("\n".join(found)[:20000] or f"{len(sources)} of {len(tidy.commands)} sources have no findings")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
