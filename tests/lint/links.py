#!/usr/bin/env python3
"""Every relative link in the documents leads to a file of the project, and to a heading of it where it names one; every path of a
document in quotes exists; and docs/README.md names every page.

usage: links.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)]*))?\)")
PAGE = re.compile(r"`(docs/[\w/-]+\.md)`")
CODE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def anchors(document: pathlib.Path) -> set[str]:
    """Anchors of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)", CODE.sub("", document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check(root: pathlib.Path) -> tuple[list[str], int]:
    """The errors, and the number of links and paths."""
    pages = sorted((root / "docs").rglob("*.md"))
    rooms = sorted(readme for folder in root.iterdir() if (folder / "CMakeLists.txt").exists() for readme in folder.rglob("README.md"))
    index = root / "docs" / "README.md"
    wrong = [f"{index.relative_to(root)}: does not name {page.relative_to(index.parent)}"
             for page in pages if page != index and f"({page.relative_to(index.parent)})" not in index.read_text()]
    seen = 0
    for document in [root / "README.md", *pages, *rooms]:
        for number, line in enumerate(document.read_text().splitlines(), 1):
            place = f"{document.relative_to(root)}:{number}"
            for page in PAGE.findall(line):
                seen += 1
                if not (root / page).exists():
                    wrong.append(f"{place}: no such file: {page}")
            for target, heading in LINK.findall(line):
                if "://" in target:
                    continue
                seen += 1
                file = document.parent / target if target else document
                if not file.exists():
                    wrong.append(f"{place}: no such file: {target}")
                elif heading and heading not in anchors(file):
                    wrong.append(f"{place}: {target} has no heading #{heading}")
    return wrong, seen


if __name__ == "__main__":
    found, count = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found) or f"{count} links and paths of documents lead somewhere")
    sys.exit(1 if found or not count else 0)
