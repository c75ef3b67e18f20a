#!/usr/bin/env python3
"""The senders of an MPI job start at one instant."""
import json

import mpirun
import quiet
from mpi_test import FourHostsTest


class MpiStart(FourHostsTest):
    def test_senders_start_at_one_instant(self):
        self.write()
        self.mpi("--log-transport", "local", "--out", "out", "--json=report.json", "--quiet")
        senders = json.loads((self.folder / "report.json").read_text())["senders"]
        starts = [s["run"]["started_ns"] for s in senders]
        self.assertEqual(len(starts), 2)
        self.assertLess(max(starts) - min(starts), 1_000_000)  # one clock; the error is the rounding of two reads


if __name__ == "__main__":
    mpirun.skip_without_mpi()
    quiet.main()
