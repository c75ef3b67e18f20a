#!/usr/bin/env python3
"""The oracles of oracles_test.py on new runs, in user-mode Linux. GROMA_RECORD=FILE keeps them as an archive."""
import os
import pathlib

import impaired_runs
import lab
import oracles_test
import uml
from oracles_test import Iperf3, Numpy, Tshark  # noqa: F401 (cases of this file as well)


def made(folder: pathlib.Path):
    if why := uml.missing():
        lab.skip(why)
    impaired_runs.made(folder)
    if archive := os.environ.get("GROMA_RECORD"):
        lab.run("tar", "-cJf", archive, "-C", folder, *sorted(file.name for file in folder.iterdir()))


oracles_test.made = made


if __name__ == "__main__":
    lab.main()
