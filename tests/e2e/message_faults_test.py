#!/usr/bin/env python3
"""peer_faults_test.py for SCTP and DCCP, in user-mode Linux (uml_matrix_test.py)."""
import lab
import links
import uml
from peer_faults_test import Faults


class MessageFaults(Faults):
    STRUCK = (("sctp", 7000), ("dccp", 7001))
    RATE, PACKETS, OUTAGE = 100, 250, 50

    def test_a_receiver_that_stops_reading_for_a_while_holds_up_sctp_and_loses_what_dccp_has_no_room_for(self):
        self.stop_reading()
        flows = self.end()
        self.assertArrived(flows["sctp"], self.PACKETS)
        self.assertAccounted(flows["dccp"])
        for name in ("sctp", "dccp"):
            self.assertComplete(flows[name])

    def test_a_receiver_that_dies_ends_its_flows_only(self):
        self.begin(status=1)
        self.struck.kill()
        flows = self.end()
        for name in ("sctp", "dccp"):
            self.assertFailed(flows[name], self.b.address)

    def test_a_route_that_is_withdrawn_and_comes_back(self):
        links.route(self.a, self.c, self.b, 98)
        ip = links.Ip(self.a)
        self.outage(lambda: ip("route del 10.98.0.0/24"), lambda: ip(f"route add 10.98.0.0/24 via {self.c.address}"),
                    to=links.address_of(self.b, 98))
        self.check_outage(self.end())

    def test_an_interface_of_the_receiver_that_goes_down_and_comes_back(self):
        ip = links.Ip(self.b)
        self.outage(lambda: ip("link set eth0 down"), lambda: ip("link set eth0 up"))
        self.check_outage(self.end())

    def check_outage(self, flows):
        """SCTP retransmits what the outage took; DCCP does not, and is slow for a while."""
        self.assertComplete(flows["sctp"])
        self.assertArrived(flows["sctp"], self.PACKETS)
        self.assertComplete(flows["dccp"])
        self.assertAccounted(flows["dccp"])
        # Packets on their way are lost, and more at each new attempt; congestion control chooses how often that is.
        self.assertGreater(flows["dccp"]["lost"] + flows["dccp"]["dropped"], 0)


load_tests = uml.load_tests_of_matrix([], [MessageFaults])


if __name__ == "__main__":
    lab.main()
