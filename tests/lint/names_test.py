#!/usr/bin/env python3
"""The check of names finds what it must find."""
import pathlib
import tempfile
import unittest

import names


class Names(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def violations(self, **texts):
        for folder, text in texts.items():
            (self.root / folder).mkdir()
            (self.root / folder / f"{folder}.hpp").write_text(text)
        return list(names.violations(self.root))

    def test_finds_a_class_that_is_there_twice_whatever_its_kind(self):
        for definition in ("struct A {\n};", "class A final {\n};", "enum class A : int { b };", "struct A {};", "struct A final : B<C> {\n};",
                           "class [[nodiscard]] A {\n};"):
            with self.subTest(definition):
                self.setUp()
                found = self.violations(sender=f"namespace groma {{\n{definition}\n}}  // namespace groma\n",
                                        plots="namespace groma {\nclass A {\n};\n}  // namespace groma\n")
                self.assertEqual(found, ["groma::A is there 2 times: sender/sender.hpp:2, plots/plots.hpp:2"])

    def test_accepts_other_namespaces_declarations_and_classes_within_others(self):
        self.assertEqual(self.violations(sender="namespace groma {\nclass A {\n    class B {\n    };\n};\n}  // namespace groma\n",
                                         plots="namespace groma {\nclass A;\nnamespace {\nclass A {\n};\n}  // namespace\nclass B {\n};\n}  // namespace groma\n",
                                         decoder="namespace groma::inner {\nclass A {\n};\n}  // namespace groma::inner\n"), [])

    def test_finds_files_that_two_runs_of_a_test_would_share(self):
        for call in ("testing::TempDir() + name", "std::filesystem::temp_directory_path() / name"):
            with self.subTest(call):
                self.setUp()
                self.assertEqual(self.violations(sender="class A {};\n", tests=f"// a test\nconst auto file = {call};\n"),
                                 ["tests/tests.hpp:2: another build's run of this test has the same file: use TemporaryFolder"])

    def test_finds_headers_of_one_name(self):
        (self.root / "plots" / "room").mkdir(parents=True)
        (self.root / "plots" / "room" / "sender.hpp").write_text("")
        self.assertEqual(self.violations(sender="class A {};\n"), ["sender.hpp is the name of 2 headers: sender/sender.hpp, plots/room/sender.hpp"])

    def test_a_folder_without_sources_is_no_success(self):
        with self.assertRaises(SystemExit):
            self.violations()


if __name__ == "__main__":
    unittest.main()
