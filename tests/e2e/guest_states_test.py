#!/usr/bin/env python3
"""The round trips of SCTP's connections in logs, over a path that takes 20 ms each way, in user-mode Linux."""
import lab
import uml
from message_states_test import StatesTest


class GuestStates(StatesTest):
    def test_sctp_knows_how_long_the_way_is(self):
        sender = self.states("sctp")["sender"]
        self.assertGreater(len(sender["samples"]), 10)
        self.assertGreaterEqual(sender["rtt_p50_ns"], 40_000_000, "twice 20 ms")


load_tests = uml.load_tests_inside(__file__, GuestStates)


if __name__ == "__main__":
    lab.main()
