#!/usr/bin/env python3
"""clang-tidy finds what it must find, in changed files."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import tidy

MISTAKES = {
    "bugprone-use-after-move": "int f(std::string s) { std::string t = std::move(s); return static_cast<int>(s.size() + t.size()); }",
    "bugprone-integer-division": "double f(int a) { double d = a / 2; return d; }",
    "bugprone-string-constructor": "std::string f() { return std::string('x', 50); }",
    "bugprone-sizeof-container": "unsigned long f(const std::string& s) { return sizeof(s); }",
    "bugprone-branch-clone": "int f(int a) { if (a > 1) { return 2; } else { return 2; } }",
    "bugprone-infinite-loop": "void f() { int i = 0; while (i < 10) { } }",
    "clang-diagnostic-dangling-gsl": "std::string_view f() { std::string_view v = std::string(\"x\"); return v; }",
    "bugprone-macro-parentheses": "#define SUM(a, b) a + b\nint f() { return SUM(1, 2); }",
    "cppcoreguidelines-virtual-class-destructor": "struct Open { virtual void f(); };",
    "cppcoreguidelines-slicing": "struct B { int b = 0; }; struct D : B { int d = 0; }; B f(D d) { B b = d; return b; }",
    "misc-redundant-expression": "bool f(int a) { return a == a; }",
    "misc-unused-using-decls": "using std::vector;",
    "modernize-use-override": "struct B { virtual ~B() = default; virtual void f(); }; struct D : B { virtual void f(); };",
    "modernize-use-nullptr": "int* f() { int* p = 0; return p; }",
    "performance-for-range-copy": "long f(const std::vector<std::string>& v) { long n = 0; for (const auto s : v) n += static_cast<long>(s.size()); return n; }",
    "performance-inefficient-vector-operation":
        "std::vector<int> f(int n) { std::vector<int> v; for (int i = 0; i < n; ++i) { v.push_back(i); } return v; }",
    "performance-move-const-arg": "int f(int a) { int b = std::move(a); return b; }",
    "performance-unnecessary-copy-initialization":
        "const std::string& g(); unsigned long f() { const std::string s = g(); return s.size(); }",
    "readability-container-size-empty": "bool f(const std::vector<int>& v) { return v.size() == 0; }",
    "readability-duplicate-include": "#include <string>\n",
    "readability-misleading-indentation": "void g(); void f(bool a) {\n  if (a)\n    g();\n    g();\n}",
    "readability-redundant-control-flow": "void g(); void f() { g(); return; }",
}
HEADER_MISTAKES = {
    "google-build-namespaces": "namespace { struct Hidden {}; }",
    "misc-definitions-in-headers": "int not_inline() { return 1; }",
    "readability-redundant-control-flow": "void h(); inline void in_a_header() { h(); return; }",
}
ORDINARY = "#include <string>\n#include <string_view>\n#include <utility>\n#include <vector>\n"


class Tidy(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        os.environ["XDG_CACHE_HOME"] = str(self.root / "cache")
        shutil.copy(pathlib.Path(__file__).resolve().parents[2] / ".clang-tidy", self.root)
        (self.root / "common").mkdir()
        self.sources = []

    def add(self, name: str, text: str):
        file = self.root / "common" / f"{name}.cpp"
        file.write_text(ORDINARY + f"namespace space_of_{name} {{\n{text}\n}}\n")
        self.sources.append(file)
        return file

    def add_header(self, name: str, text: str = ""):
        file = self.root / "common" / f"{name}.hpp"
        file.write_text(text + "\n")
        return file

    def tidy(self):
        entries = [{"directory": str(self.root), "file": str(file),
                    "command": f"env /usr/bin/c++ -I{self.root} -include /no/such.hpp -std=c++20 -Werror -MD -MT x -MF x.d -o {file.stem}.o -c {file}"}
                   for file in self.sources]
        (self.root / "compile_commands.json").write_text(json.dumps(entries))
        return tidy.Tidy(self.root, [self.root])

    def together(self, wanted=None):
        """Has all sources compiled as one. Returns the batches of those that are wanted."""
        sources, one = self.sources, self.root / "together.cpp"
        one.write_text("".join(f'#include "common/{source.name}"\n' for source in sources))
        self.sources = [one]
        return self.tidy().batches(wanted or sources, alone=False)

    def checks_that_found(self, text: str) -> set:
        return set(re.findall(r"\[([\w-]+),-warnings-as-errors\]", text))

    def test_every_mistake_is_found(self):
        apart = {"misc-unused-using-decls", "readability-duplicate-include"}  # other sources of one compilation would hide these
        together = (f"namespace mistake{number} {{\n{text}\n}}" for number, (check, text) in enumerate(MISTAKES.items()) if check not in apart)
        self.add("together", "\n".join(together))
        for check in apart:
            self.add(check, "").write_text(ORDINARY + MISTAKES[check] + "\n")
        for batches in [[source] for source in self.sources], self.together():
            said = "".join(map(self.tidy().findings, batches))
            self.assertEqual(set(MISTAKES) - self.checks_that_found(said), set(), said)

    def test_mistakes_in_headers_are_found(self):
        for number, (check, text) in enumerate(HEADER_MISTAKES.items()):
            self.add_header(f"header{number}", text)
        self.add("user", "")
        self.sources[-1].write_text("".join(f'#include "common/header{number}.hpp"\n' for number in range(len(HEADER_MISTAKES))))
        self.assertEqual(set(HEADER_MISTAKES) - self.checks_that_found(self.tidy().findings(self.sources)), set())

    def test_what_was_clean_is_remembered_until_it_or_its_headers_change(self):
        header = self.add_header("header")
        clean = self.add("clean", "int f() { return 1; }")
        clean.write_text('#include "common/header.hpp"\n' + clean.read_text())
        self.assertEqual(self.tidy().findings([clean]), "")
        self.assertTrue(self.tidy().stamp(clean).exists())
        header.write_text("int not_inline() { return 1; }\n")
        self.assertFalse(self.tidy().stamp(clean).exists())
        self.assertIn("misc-definitions-in-headers", self.checks_that_found(self.tidy().findings([clean])))

    def test_sources_that_are_compiled_together_are_looked_at_together_and_count_as_clean_so_only(self):
        sources = [self.add(name, f"int {name}() {{ return 1; }}") for name in ("a", "b", "c")]
        (batch,) = self.together(sources[:2])
        self.assertEqual(batch, sources[:2])
        self.assertEqual(self.tidy().findings(batch), "")
        self.assertEqual(self.tidy().batches(sources, alone=False), [sources[2:]])
        self.assertEqual(self.tidy().batches(sources, alone=True), [[source] for source in sources])

    def test_changed_sources_are_looked_at_and_one_source_for_a_changed_header(self):
        deep, used = self.add_header("deep"), self.add_header("used", '#include "common/deep.hpp"')
        sources = [self.add(name, "") for name in ("a", "b", "used", "other")]
        for source in sources[:3]:
            source.write_text('#include "common/used.hpp"\n')
        a, b, own, other = sources
        self.assertEqual(self.tidy().wanted({other}), [other])
        self.assertEqual(self.tidy().wanted({used}), [own])
        self.assertEqual(self.tidy().wanted({deep}), [a])
        self.assertEqual(self.tidy().wanted({deep, b}), [b])
        self.assertEqual(self.tidy().wanted({self.root / ".clang-tidy"}), sorted(sources))
        self.assertEqual(self.tidy().wanted(None), sorted(sources))

    def commit_all(self):
        (self.root / ".gitignore").write_text("compile_commands.json\n")
        git = ["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
            subprocess.run([*git, *words], check=True)

    def test_what_was_moved_has_not_changed(self):
        header = self.add_header("header", "int f();\nint g();")
        user, other = self.add("user", "int h() { return f(); }"), self.add("other", "")
        user.write_text('#include "common/header.hpp"\n#include "common/zero.hpp"\n' + user.read_text())
        self.commit_all()
        room = self.root / "common" / "room"
        room.mkdir()
        header.rename(room / "header.hpp")
        text = user.read_text().replace('#include "common/header.hpp"\n#include "common/zero.hpp"\n',
                                        '#include "common/a/zero.hpp"\n#include "common/room/header.hpp"\n')
        user.unlink()
        (room / "user.cpp").write_text(text)
        subprocess.run(["git", "-C", self.root, "add", "-A"], check=True)
        self.sources = [room / "user.cpp", other]
        self.assertEqual(self.tidy().changed_since("HEAD"), set())
        (room / "user.cpp").write_text(text.replace("return f();", "return f() + 1;"))
        self.assertEqual(self.tidy().changed_since("HEAD"), {room / "user.cpp"})
        (room / "user.cpp").write_text('#include "common/room/header.hpp"\n' + text)
        self.assertEqual(self.tidy().changed_since("HEAD"), {room / "user.cpp"}, "a header is included twice")

    def test_of_comments_only_those_for_clang_tidy_count(self):
        source = self.add("source", "// one\nint f();  // two")
        self.commit_all()
        text = source.read_text()
        source.write_text(text.replace("// one\n", "").replace("  // two", "  // three\n// four"))
        self.assertEqual(self.tidy().changed_since("HEAD"), set())
        for changed in (text.replace("// two", "// NOLINT"), text.replace("int f();  // two", "// int f();")):
            source.write_text(changed)
            self.assertEqual(self.tidy().changed_since("HEAD"), {source})

    def test_git_tells_what_changed(self):
        source = self.add("source", "")
        self.commit_all()
        self.assertEqual(self.tidy().changed_since("HEAD"), set())
        source.write_text("int f();\n")
        self.assertEqual(self.tidy().changed_since("HEAD"), {source})
        new = self.add("new", "")
        self.assertEqual(self.tidy().changed_since("HEAD"), {source, new})
        self.assertIsNone(self.tidy().changed_since("0" * 40))


if __name__ == "__main__":
    unittest.main()
