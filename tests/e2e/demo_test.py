#!/usr/bin/env python3
"""scripts/demo does what the README promises."""
import os
import pathlib
import re
import unittest

import ending
import lab


class DemoTest(unittest.TestCase):
    def assertShown(self, said: str, results: pathlib.Path):
        """Asserts that the output names these results, and that they exist."""
        pictures = re.findall(r"\S+\.svg", said)
        self.assertGreaterEqual(len(pictures), 5, said)
        for picture in pictures:
            self.assertGreater((results / picture).stat().st_size, 1000, picture)
        self.assertIn("<img alt=\"delay\" src=\"data:image/svg+xml;base64,", (results / "report.html").read_text())


class Demo(DemoTest):
    def test_it_ends_with_a_table_and_pictures_that_exist(self):
        with ending.TemporaryFolder() as folder:
            results = pathlib.Path(folder) / "demo"
            environment = os.environ | {"GROMA_BIN": str(lab.BIN), "GROMA_DEMO_RESULTS": str(results), "XDG_STATE_HOME": folder}
            said = lab.run(lab.ROOT / "scripts" / "demo", env=environment).stdout
            self.assertShown(said, results)
            self.assertIn(str(results), said)



if __name__ == "__main__":
    lab.main(root=False)
