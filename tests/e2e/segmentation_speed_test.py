#!/usr/bin/env python3
"""The benefit of batches that pass the sender's kernel as one message (UDP_SEGMENT): the processor time of packets,
in pairs of runs with and without."""
import json
import statistics

import lab
import quiet

PACKETS = 200_000
PAIRS = 5


class SegmentationSpeed(lab.LabTest):
    def cost(self, segmentation: str) -> float:
        """Seconds of the sender's processor time for each packet that it sent."""
        said = self.a.groma("send", "--to", self.b.address, "--idt", "const:10Mpps", "--packets", PACKETS, "--size", "const:64",
                            "--segmentation", segmentation, "--json", check=False)
        report = json.loads(said.stdout)
        usage = report["run"]
        return (usage["cpu_user_s"] + usage["cpu_system_s"]) / report["flows"][0]["sent_packets"]

    def test_a_packet_costs_less_when_it_goes_with_others(self):
        self.a.segment_in_device(True)
        self.b.receiver()
        ratios = [self.cost("auto") / self.cost("off") for _ in range(PAIRS)]
        print("with and without: " + ", ".join(f"{ratio:.2f}" for ratio in ratios), flush=True)
        self.assertLess(statistics.median(ratios), 0.8)


if __name__ == "__main__":
    quiet.main()
