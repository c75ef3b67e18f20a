#!/usr/bin/env python3
"""All functions that need a kernel with SCTP, DCCP and netem, in one boot of user-mode Linux: files of tests, each
of which can be named (uml_matrix_test.py message_options_test.MessageOptions). Numbers, sizes and order; no times."""
import os
import sys
import unittest

import lab
import uml

PARTS = ("transports_test", "sctp_test", "dialled_test", "message_options_test", "message_faults_test",
         "message_states_test", "netem_test", "signal_lines_test", "departure_test")


class UmlMatrix(unittest.TestCase):
    def test_inside(self):
        if why := uml.missing():
            lab.skip_test(why)
        print(uml.run_test(__file__, arguments=os.environ.get("GROMA_PARTS", " ".join(PARTS)).split()))


if __name__ == "__main__":
    if uml.INSIDE:
        lab.main(module=None)
    if names := [name for name in sys.argv[1:] if not name.startswith("-")]:
        os.environ["GROMA_PARTS"] = " ".join(names)
        sys.argv = [one for one in sys.argv if one not in names]
    lab.main()
