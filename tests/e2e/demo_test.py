#!/usr/bin/env python3
"""scripts/demo does what the README promises."""
import os
import pathlib
import re
import tempfile
import unittest

import lab


class Demo(unittest.TestCase):
    def test_it_ends_with_a_table_and_pictures_that_exist(self):
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder) / "demo"
            environment = os.environ | {"GROMA_BIN": str(lab.BIN), "GROMA_DEMO_RESULTS": str(results)}
            said = lab.run(lab.ROOT / "scripts" / "demo", env=environment).stdout
            pictures = [pathlib.Path(p) for p in re.findall(r"\S+\.svg", said)]
            self.assertGreaterEqual(len(pictures), 5, said)
            for picture in pictures:
                path = picture if picture.is_absolute() else results / picture
                self.assertGreater(path.stat().st_size, 1000, path)
            self.assertIn("<svg", (results / "report.html").read_text())
            self.assertIn(str(results), said)


if __name__ == "__main__":
    unittest.main()
