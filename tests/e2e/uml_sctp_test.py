#!/usr/bin/env python3
"""sctp_test.py in a kernel that has SCTP and netem."""
import pathlib

import lab
import uml

load_tests = uml.load_tests_inside(pathlib.Path(__file__).with_name("sctp_test.py"))


if __name__ == "__main__":
    lab.main()
