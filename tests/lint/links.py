#!/usr/bin/env python3
"""Every relative link and every `path/with/an.ending` in the documents leads to a file of the project.

usage: links.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")

root = pathlib.Path(sys.argv[1])
documents = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
broken = []
seen = 0
for document in documents:
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for target in LINK.findall(line):
            if "://" in target:
                continue
            seen += 1
            if not (document.parent / target).exists():
                broken.append(f"{document.relative_to(root)}:{number}: no such file: {target}")
print("\n".join(broken) or f"{seen} links in {len(documents)} documents lead somewhere")
sys.exit(1 if broken or not seen else 0)
