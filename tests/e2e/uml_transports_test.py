#!/usr/bin/env python3
"""transports_test.py in a kernel that has every transport."""
import pathlib

import lab
import uml

load_tests = uml.load_tests_inside(pathlib.Path(__file__).with_name("transports_test.py"))


if __name__ == "__main__":
    lab.main()
