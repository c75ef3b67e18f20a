#!/usr/bin/env python3
"""Every relative link in the documents leads to a file of the project, and to a heading of it where it names one.

usage: links.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)]*))?\)")
CODE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def anchors(document: pathlib.Path) -> set[str]:
    """Of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)", CODE.sub("", document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


root = pathlib.Path(sys.argv[1])
documents = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
broken = []
seen = 0
for document in documents:
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for target, heading in LINK.findall(line):
            if "://" in target:
                continue
            seen += 1
            file = document.parent / target if target else document
            if not file.exists():
                broken.append(f"{document.relative_to(root)}:{number}: no such file: {target}")
            elif heading and heading not in anchors(file):
                broken.append(f"{document.relative_to(root)}:{number}: {target} has no heading #{heading}")
print("\n".join(broken) or f"{seen} links in {len(documents)} documents lead somewhere")
sys.exit(1 if broken or not seen else 0)
