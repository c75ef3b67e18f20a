#!/usr/bin/env python3
"""transports_test.py in a kernel that has every transport."""
import os
import pathlib
import sys
import unittest

import lab
import uml

HERE = pathlib.Path(__file__).resolve().parent


class InUserModeLinux(unittest.TestCase):
    def test_every_transport(self):
        if why := uml.missing():
            lab.skip(why)
        environment = {name: os.environ[name] for name in ("GROMA_BIN", "GROMA_ROOT", "GROMA_BUILD") if name in os.environ}
        status, said = uml.run([sys.executable, "-B", HERE / "transports_test.py"], environment | {"GROMA_INSIDE": "1"}, limit=500)
        self.assertEqual(status, 0, said)
        self.assertIn("OK", said)


if __name__ == "__main__":
    lab.main()
