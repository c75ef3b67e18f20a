#!/usr/bin/env python3
"""The witness's gaps distinguish a right distribution from a wrong one, as the sender's report does."""
import math

import quiet
from fidelity_test import FidelityTest


def seen_lambda2(packets, mean_s: float, bins: int) -> float:
    """Of the gaps in a capture against exponential ones [Paxson 1994]."""
    gaps = [(after.time_ns - before.time_ns) / 1e9 for before, after in zip(packets, packets[1:])]
    counts = [0] * bins
    for gap in gaps:
        counts[min(int((1 - math.exp(-gap / mean_s)) * bins), bins - 1)] += 1
    expected = len(gaps) / bins
    x2 = sum((count - expected) ** 2 / expected for count in counts)
    return (x2 - (bins - 1)) / (len(gaps) - 1)


class FidelityGaps(FidelityTest):
    def test_the_witness_sees_the_distribution_that_the_report_finds(self):
        witness = self.b.witness("udp")
        fit = self.send("--idt", "exp:500pps", "--packets", 3000, "--seed", 7)["flows"][0]
        packets = witness.packets()
        self.assertEqual((fit["fit_gaps"], len(packets)), (2999, 3000))
        # Both are of the same gaps, up to the time that packets need to arrive.
        self.assertAlmostEqual(seen_lambda2(packets, 0.002, fit["fit_bins"]), fit["lambda2"], delta=0.1)


if __name__ == "__main__":
    quiet.main()
