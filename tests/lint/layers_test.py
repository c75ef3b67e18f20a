#!/usr/bin/env python3
"""The check of layers finds what it must find."""
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

    def write_room(self, room, *named):
        self.write(f"sender/{room}/README.md", "May include: " + (", ".join(f"`sender/{name}`" for name in named) or "no room beside it") + ".\n")

    def rooms(self):
        return [line for line in layers.room_violations(self.root) if not line.startswith("common/base")]

    def test_accepts_a_room_that_includes_what_it_names(self):
        self.write("sender/a/a.cpp", '#include "sender/b/b.hpp"\n#include "common/base/a.hpp"\n')
        self.write("sender/b/b.hpp", "")
        self.write_room("a", "b")
        self.write_room("b")
        self.assertEqual(self.rooms(), [])

    def test_finds_a_room_that_includes_what_it_does_not_name(self):
        self.write("sender/a/a.cpp", '#include "sender/b/b.hpp"\n')
        self.write_room("a")
        self.assertEqual(self.rooms(), ["sender/a/a.cpp includes sender/b/b.hpp: sender/a/README.md does not name sender/b"])

    def test_finds_a_room_that_names_what_it_does_not_include(self):
        self.write("sender/a/a.cpp", "")
        self.write_room("a", "b")
        self.assertEqual(self.rooms(), ["sender/a/README.md names sender/b, and nothing there includes it"])

    def test_finds_rooms_in_a_circle(self):
        self.write("sender/a/a.cpp", '#include "sender/b/b.hpp"\n')
        self.write("sender/b/b.hpp", '#include "sender/a/a.hpp"\n')
        self.write_room("a", "b")
        self.write_room("b", "a")
        self.assertEqual(self.rooms(), ["rooms include one another: sender/a -> sender/b -> sender/a"])

    def test_finds_a_room_without_a_first_page(self):
        self.write("sender/a/a.cpp", "")
        self.assertIn("sender/a has no README.md", "".join(self.rooms()))

    def test_lets_a_parts_list_include_every_room(self):
        self.write("sender/main.cpp", '#include "sender/b/b.hpp"\n')
        self.write("sender/README.md", "")
        self.assertEqual(self.rooms(), [])


if __name__ == "__main__":
    unittest.main()
