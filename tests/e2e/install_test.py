#!/usr/bin/env python3
"""An installation by `cmake --install` works in its folder."""
import os
import pathlib
import unittest

import ending
import lab


class Install(unittest.TestCase):
    def test_the_installed_programs_and_manual_pages_are_complete(self):
        with ending.TemporaryFolder() as folder:
            lab.run("cmake", "--install", os.environ["GROMA_BUILD"], "--prefix", folder)
            prefix = pathlib.Path(folder)
            programs = ["groma-dec", "groma-key", "groma-log", "groma-plot", "groma-recv", "groma-send"]
            if (lab.BIN / "groma-mpi").exists():  # where there is an MPI library
                programs.insert(3, "groma-mpi")
            for program in programs:
                self.assertRegex(lab.run(prefix / "bin" / program, "--version").stdout, rf"^{program} \d+\.\d+\.\d+\n$")
                self.assertTrue((prefix / "share" / "man" / "man1" / f"{program}.1").exists())
            self.assertTrue((prefix / "share" / "doc" / "groma" / "LICENSE").exists())
            self.assertEqual(len(list(prefix.glob("lib*/**/groma/groma_packets.so"))), 1)
            dissectors = sorted(p.name for p in (prefix / "share" / "groma" / "wireshark").iterdir())
            self.assertEqual(dissectors, ["groma.lua", "groma_control.lua", "groma_log.lua"])
            self.assertEqual(sorted(p.name for p in (prefix / "bin").iterdir()), programs)


if __name__ == "__main__":
    lab.main(root=False)
