#!/usr/bin/env python3
"""transports_test.py in a kernel that has every transport."""
import pathlib
import unittest

import lab
import uml

HERE = pathlib.Path(__file__).resolve().parent


class InUserModeLinux(unittest.TestCase):
    def test_every_transport(self):
        if why := uml.missing():
            lab.skip(why)
        uml.run_test(HERE / "transports_test.py")


if __name__ == "__main__":
    lab.main()
