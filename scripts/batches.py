#!/usr/bin/env python3
"""Puts sources that can be read together, as if they were one file, into batches: what the compiler (GROMA_BATCH) and clang-tidy
(tests/lint/tidy.py) spend on the same headers over and over again is most of their time. Sources stay apart that
give the same name to different things which others cannot see, or a name that a header of the other uses, and those that include both
of two headers which do not go together.

usage: batches.py ROOT MOST SOURCE...     prints a batch on each line: at most MOST of the sources, and no fewer than two
"""
import functools
import pathlib
import re
import sys

MASKED = re.compile(r'R"([^ ()\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)
MACRO = re.compile(r"^#define (\w+)", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class)?)\s+(\w+)")
ALIAS = re.compile(r"^(?:using|concept)\s+(\w+)\s*=")
CONSTANT = re.compile(r"\bk[A-Z]\w*")
OPERATOR = re.compile(r"\b(operator[^\s\w(]+)\s*\(")
DECLARED = re.compile(r"(?<![:\w])(\w+)\s*$")


def masked(text: str) -> str:
    """Without comments, and with nothing in its texts. (An apostrophe between digits is none of a character.)"""
    return MASKED.sub(lambda found: '""' if found[0][0] in "R\"'" else " ", re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "", text))


def without_template(head: str) -> str:
    """`template <...>` is taken off the front of a declaration."""
    while head.startswith("template"):
        depth = 0
        for place, letter in enumerate(head):
            depth += {"<": 1, ">": -1}.get(letter, 0)
            if letter == ">" and depth == 0:
                break
        head = head[place + 1:].lstrip()
    return head


def name_of(head: str) -> str | None:
    """The name that a declaration gives, whose text up to its body, value or end this is."""
    head = without_template(" ".join(head.split()))
    if re.match(r"TEST|INSTANTIATE|using namespace|using [\w:]+$|static_assert|namespace|friend|extern", head):
        return None
    found = TYPE.match(head) or ALIAS.match(head) or OPERATOR.search(head) or DECLARED.search(re.split(r"[(={\[]", re.sub(r"\[\[.*?\]\]", "", head))[0])
    return found[1] if found else None


def declarations(text: str):
    """Each name that is given outside of functions and types, and whether only its file sees it."""
    scopes, head = [], ""
    for part in re.findall(r"[{};]|[^{};]+", re.sub(r"^#.*(?:\\\n.*)*", "", masked(text), flags=re.MULTILINE)):
        at_top = all(scope != "body" for scope in scopes)
        if part == "}":
            if scopes:
                scopes.pop()
            head = "" if at_top or all(scope != "body" for scope in scopes) and not head.count("=") else head
        elif part == "{":
            space = re.fullmatch(r"\s*(?:inline )?namespace\s*([\w:]*)\s*", head) if at_top else None
            if at_top and not space and head.strip() and (name := name_of(head)):
                yield name, "anonymous" in scopes or head.lstrip().startswith("static ")
            scopes.append(("named" if space[1] else "anonymous") if space else "body")
            head = "" if space else head
        elif part == ";":
            if at_top and head.strip() and (name := name_of(head)):
                yield name, "anonymous" in scopes or head.lstrip().startswith("static ")
            head = "" if at_top else head
        elif at_top:
            head += part


class Tree:
    def __init__(self, root: pathlib.Path):
        self.root = root

    @functools.cache
    def text(self, file: pathlib.Path) -> str:
        return file.read_text()

    @functools.cache
    def headers(self, file: pathlib.Path) -> frozenset:
        """Of ours, which a source includes, whichever way; and the system's as `<name>`."""
        found, left = set(), [file]
        while left:
            for kind, name in INCLUDE.findall(self.text(left.pop())):
                header = f"<{name}>" if kind == "<" else self.root / name
                if header not in found and (kind == "<" or header.exists()):
                    found.add(header)
                    left += [header] if kind == '"' else []
        return frozenset(found)

    @functools.cache
    def own(self, file: pathlib.Path) -> frozenset:
        """Names that nobody but the source sees, and its macros."""
        return frozenset(name for name, hidden in declarations(self.text(file)) if hidden) | set(MACRO.findall(self.text(file)))

    @functools.cache
    def given_by(self, header: pathlib.Path) -> frozenset:
        return frozenset(name for name, _ in declarations(self.text(header)))

    @functools.cache
    def seen(self, file: pathlib.Path) -> frozenset:
        """Names that the headers of a source give, and constants that it speaks of wherever (they may not hide others)."""
        ours = (header for header in self.headers(file) if isinstance(header, pathlib.Path))
        return frozenset(CONSTANT.findall(self.text(file))).union(*map(self.given_by, ours))

    @functools.cache
    def kernel_headers(self, file: pathlib.Path) -> tuple:
        """linux/tcp.h and netinet/tcp.h define the same things."""
        names = [name.strip("<>") for name in self.headers(file) if isinstance(name, str)]
        return tuple(frozenset(name.rpartition("/")[2] for name in names if name.startswith(folders))
                     for folders in (("linux/",), ("netinet/", "net/")))

    def together(self, a: pathlib.Path, b: pathlib.Path) -> bool:
        (a_linux, a_net), (b_linux, b_net) = self.kernel_headers(a), self.kernel_headers(b)
        return not (self.own(a) & (self.own(b) | self.seen(b)) or self.own(b) & self.seen(a) or a_linux & b_net or b_linux & a_net)


def batches(tree: Tree, most: int, sources) -> list[list[pathlib.Path]]:
    """Each source is in the first batch that has room and that it goes together with."""
    made = []
    for source in sources:
        for batch in made:
            if len(batch) < most and all(tree.together(source, other) for other in batch):
                batch.append(source)
                break
        else:
            made.append([source])
    return made


if __name__ == "__main__":
    for batch in batches(Tree(pathlib.Path(sys.argv[1])), int(sys.argv[2]), map(pathlib.Path, sys.argv[3:])):
        if len(batch) > 1:
            print(*batch)
