#!/usr/bin/env python3
"""sctp_test.py in a kernel that has SCTP and netem."""
import os
import pathlib
import sys
import unittest

import lab
import uml

HERE = pathlib.Path(__file__).resolve().parent


class InUserModeLinux(unittest.TestCase):
    def test_sctp(self):
        if why := uml.missing():
            lab.skip(why)
        environment = {name: os.environ[name] for name in ("GROMA_BIN", "GROMA_ROOT", "GROMA_BUILD") if name in os.environ}
        status, said = uml.run([sys.executable, "-B", HERE / "sctp_test.py"], environment | {"GROMA_INSIDE": "1"}, limit=400)
        self.assertEqual(status, 0, said)
        self.assertIn("OK", said)


if __name__ == "__main__":
    lab.main()
