#!/usr/bin/env python3
"""The check of links finds what it must find."""
import pathlib
import tempfile
import unittest

import links


class Links(unittest.TestCase):
    def wrong(self, **texts):
        """`texts`: of README.md, the index, a page and a room's page; missing ones have no errors."""
        files = {"README.md": texts.get("readme", ""), "docs/README.md": texts.get("index", "[page](guide/page.md)"),
                 "docs/guide/page.md": texts.get("page", "# A page\n"), "sender/README.md": texts.get("room", ""), "sender/CMakeLists.txt": ""}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                file = pathlib.Path(folder, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return links.check(pathlib.Path(folder))[0]

    def test_accepts_links_to_files_and_headings(self):
        self.assertEqual(self.wrong(readme="[a](docs/guide/page.md#a-page) [b](https://example.org/none.md)", room="`docs/guide/page.md`"), [])

    def test_finds_links_that_lead_nowhere(self):
        self.assertEqual(self.wrong(readme="\n[a](docs/none.md)"), ["README.md:2: no such file: docs/none.md"])
        self.assertEqual(self.wrong(page="[a](#there)\n# Here"), ["docs/guide/page.md:1:  has no heading #there"])

    def test_finds_paths_of_pages_that_do_not_exist_also_in_rooms(self):
        self.assertEqual(self.wrong(room="see `docs/design/none.md`"), ["sender/README.md:1: no such file: docs/design/none.md"])

    def test_finds_a_page_that_the_index_does_not_name(self):
        self.assertEqual(self.wrong(index=""), ["docs/README.md: does not name guide/page.md"])


if __name__ == "__main__":
    unittest.main()
