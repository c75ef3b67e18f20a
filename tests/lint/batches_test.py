#!/usr/bin/env python3
"""Sources that do not go together stay apart, and others come together."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import batches  # noqa: E402


class Batches(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name: str, text: str) -> pathlib.Path:
        (self.root / name).write_text(text)
        return self.root / name

    def own(self, text: str) -> set:
        return set(batches.Tree(self.root).own(self.write("a.cpp", f"namespace groma {{\nnamespace {{\n{text}\n}}\nvoid seen() {{}}\n}}\n")))

    def together(self, a: str, b: str) -> bool:
        return batches.Tree(self.root).together(self.write("a.cpp", a), self.write("b.cpp", b))

    def test_own_names_are_those_of_unnamed_namespaces_whatever_they_are_of(self):
        self.assertEqual(self.own("int f(int a, int b) { int c = a; return c + b; }"), {"f"})
        self.assertEqual(self.own("template <typename T, typename U = std::vector<T>>\nauto g(T t) -> U\n{ struct Inner {}; return {}; }"), {"g"})
        self.assertEqual(self.own("constexpr auto kBraces = std::array{1, 2};\nconst int kSum = 1'000 + '\\'' + '{';"), {"kBraces", "kSum"})
        self.assertEqual(self.own("struct Kept : Base { int field; };\nenum class Kind { one, two };\nusing Alias = int;"), {"Kept", "Kind", "Alias"})
        self.assertEqual(self.own('[[nodiscard]] std::string text() { return R"({ int no(); )" "} // \\" {"; } // int nor() {}'), {"text"})
        self.assertEqual(self.own("bool operator==(const A& a, const A& b) { return true; }"), {"operator=="})
        self.assertEqual(self.own("using testing::ElementsAre;\nusing namespace std;\nTEST(Name, OfTest) { }"), set())

    def test_a_static_function_is_its_files_own_and_another_is_not(self):
        text = "static int hidden() { return 1; }\nint seen() { return 1; }\n#define MACRO(x) x\n"
        self.assertEqual(set(batches.Tree(self.root).own(self.write("a.cpp", text))), {"hidden", "MACRO"})

    def test_sources_with_the_same_name_of_their_own_stay_apart(self):
        of = "namespace {{ int {}() {{ return 1; }} }}\n".format
        self.assertFalse(self.together(of("f"), of("f")))
        self.assertTrue(self.together(of("f"), of("g")))

    def test_a_name_that_the_others_header_gives_keeps_them_apart(self):
        self.write("inner.hpp", "namespace groma {\nint f(int);\n}\n")
        self.write("outer.hpp", '#include "inner.hpp"\n')
        one = "namespace { int f(long) { return 1; } }\n"
        self.assertFalse(self.together(one, '#include "outer.hpp"\n'))
        self.assertTrue(self.together(one, "int other();\n"))

    def test_a_constant_is_not_hidden_by_another_files_parameter(self):
        self.assertFalse(self.together("namespace { constexpr int kKeys = 1; }\n", "template <int kKeys> struct Of {};\n"))

    def test_headers_of_the_kernel_and_of_the_library_that_define_the_same_stay_apart(self):
        self.assertFalse(self.together("#include <linux/tcp.h>\n", "#include <netinet/tcp.h>\n"))
        self.assertTrue(self.together("#include <linux/sctp.h>\n", "#include <netinet/tcp.h>\n"))

    def test_each_source_is_in_one_batch_and_none_is_larger_than_asked_for(self):
        sources = [self.write(f"{n}.cpp", f"namespace {{ int f{n % 3}() {{ return 1; }} }}\n") for n in range(21)]
        made = batches.batches(batches.Tree(self.root), 2, sources)
        self.assertEqual(sorted(sum(made, [])), sorted(sources))
        self.assertEqual({len(batch) for batch in made}, {1, 2})


if __name__ == "__main__":
    unittest.main()
