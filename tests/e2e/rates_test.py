#!/usr/bin/env python3
"""Every departure of the schedule is sent, at every rate: the witness counts them. (scripts/bench measures how exact
their times are.)"""
import lab


class Rates(lab.LabTest):
    def count(self, idt: str, expected: int):
        self.b.receiver()
        witness = self.b.witness("udp")
        self.a.groma("send", "--to", self.b.address, "--idt", idt, "--size", "const:64", "--packets", expected)
        self.assertEqual(len(witness.packets()), expected)

    def test_constant_1000_packets_a_second(self):
        self.count("const:1000pps", 1000)

    def test_constant_10000_packets_a_second(self):
        self.count("const:10kpps", 10000)

    def test_a_rate_whose_gap_is_no_whole_number_of_nanoseconds(self):
        self.count("const:3000pps", 3000)


if __name__ == "__main__":
    lab.main()
