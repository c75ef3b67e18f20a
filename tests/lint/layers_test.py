#!/usr/bin/env python3
"""The layer check finds what it is there to find."""
import pathlib
import tempfile
import unittest

import layers


class Layers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("common/base/a.hpp", "#include <string>\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def test_accepts_an_include_that_points_down(self):
        self.write("common/net/b.cpp", '#include "common/base/a.hpp"\n')
        self.assertEqual(list(layers.violations(self.root)), [])

    def test_finds_an_include_that_points_up(self):
        self.write("common/net/b.hpp", "")
        self.write("common/base/a.cpp", '#include "common/net/b.hpp"\n')
        self.assertIn("upwards", "".join(layers.violations(self.root)))

    def test_finds_a_program_that_includes_another(self):
        self.write("sender/b.hpp", "")
        self.write("receiver/a.cpp", '#include "sender/b.hpp"\n')
        self.assertIn("one another", "".join(layers.violations(self.root)))

    def test_finds_a_thread_below_the_pure_line(self):
        self.write("common/model/a.cpp", "#include <thread>\n")
        self.assertIn("pure line", "".join(layers.violations(self.root)))

    def test_finds_a_file_below_the_pure_line(self):
        for header in ("<fstream>", "<filesystem>"):
            with self.subTest(header):
                self.write("common/model/a.cpp", f"#include {header}\n")
                self.assertIn(f"pure line and includes {header}", "".join(layers.violations(self.root)))


if __name__ == "__main__":
    unittest.main()
