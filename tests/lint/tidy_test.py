#!/usr/bin/env python3
"""clang-tidy finds in several sources at once what it finds in each."""
import json
import os
import pathlib
import re
import shutil
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
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        os.environ["XDG_CACHE_HOME"] = str(self.root / "cache")
        shutil.copy(pathlib.Path(__file__).resolve().parents[2] / ".clang-tidy", self.root)
        (self.root / "common").mkdir()
        self.sources = []

    def add(self, name: str, text: str):
        file = self.root / "common" / f"{name}.cpp"
        file.write_text(ORDINARY + f"namespace space_of_{name} {{\n{text}\n}}\n")
        self.sources.append(file)
        return file

    def looked_at(self):
        entries = [{"directory": str(self.root), "file": str(file),
                    "command": f"/usr/bin/c++ -I{self.root} -std=c++20 -o {file.stem}.o -c {file}"} for file in self.sources]
        (self.root / "compile_commands.json").write_text(json.dumps(entries))
        return tidy.Tidy(self.root, self.root, ["common"], self.root)

    def checks_that_found(self, text: str) -> set:
        return set(re.findall(r"\[([\w-]+),-warnings-as-errors\]", text))

    def test_every_mistake_is_found_in_each_by_itself_and_in_all_of_them_together(self):
        for number, (check, text) in enumerate(MISTAKES.items()):
            self.add(f"mistake{number}", text)
        looked_at = self.looked_at()
        together = self.root / "together.cpp"
        together.write_text("".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in self.sources))
        missed = set(MISTAKES) - self.checks_that_found(looked_at.run(together, self.sources[0]))
        self.assertEqual(missed, {"misc-unused-using-decls"})  # for another source uses that; such a one is never in company
        alone = {check: looked_at.run(source, source) for check, source in zip(MISTAKES, self.sources, strict=True)}
        for check, said in alone.items():
            self.assertIn(check, self.checks_that_found(said), said)

    def test_mistakes_in_headers_are_found(self):
        for number, (check, text) in enumerate(HEADER_MISTAKES.items()):
            (self.root / "common" / f"header{number}.hpp").write_text(text + "\n")
            self.add(f"with_header{number}", "")
            self.sources[-1].write_text(f'#include "common/header{number}.hpp"\n')
        self.add("clean", "int f() { return 1; }")
        said = "".join(map(self.looked_at().findings, self.looked_at().batches()))
        self.assertEqual(set(HEADER_MISTAKES) - self.checks_that_found(said), set())

    def test_the_others_of_a_batch_are_remembered_as_clean(self):
        self.add("clean", "int f() { return 1; }")
        self.add("wrong", MISTAKES["modernize-use-nullptr"])
        looked_at = self.looked_at()
        batches = looked_at.batches()
        self.assertEqual(batches, [self.sources])
        self.assertIn("wrong.cpp", looked_at.findings(batches[0]))
        self.assertEqual(self.looked_at().batches(), [[self.sources[1]]])

    def test_sources_that_a_build_has_put_together_are_looked_at_as_if_it_had_not(self):
        self.add("clean", "int f() { return 1; }")
        self.add("wrong", MISTAKES["modernize-use-nullptr"])
        each = self.looked_at()
        sources, batch = self.sources, self.root / "build" / "batch_0.cpp"
        batch.parent.mkdir()
        batch.write_text("".join(f'#include "{source.relative_to(self.root)}"\n' for source in sources))
        self.sources = [batch]
        together = self.looked_at()
        self.assertEqual(together.sources, sources)
        self.assertEqual([together.flags(source) for source in sources], [each.flags(source) for source in sources])
        self.assertEqual(together.batches(), [sources])
        self.assertIn("wrong.cpp", together.findings(sources))

    def test_a_name_that_another_source_needs_is_no_excuse(self):
        unused = self.add("unused", "using std::vector;")
        self.add("used", "using std::vector;\nvector<int> f() { return {1}; }")
        self.add("spelt_out", "std::vector<int> f() { return {1}; }")
        self.add("clean", "int f() { return 1; }")
        looked_at = self.looked_at()
        batches = looked_at.batches()
        self.assertEqual([len(batch) for batch in batches], [1, 1, 2])
        said = "".join(map(looked_at.findings, batches))
        self.assertEqual(self.checks_that_found(said), {"misc-unused-using-decls"})
        self.assertIn(unused.name, said)


if __name__ == "__main__":
    unittest.main()
