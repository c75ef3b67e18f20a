#!/usr/bin/env python3
"""The rates that a calibration measures are those of a capture on the receiving host."""
import quiet
from calibration_test import CalibrationTest


class CalibrationRates(CalibrationTest):
    def test_its_points_are_what_a_capture_sees(self):
        self.a.run("ethtool", "-K", self.a.device, "tx-udp-segmentation", "off")  # so that batches come packet by packet
        self.b.receiver()
        witness = self.b.witness("udp")
        out = self.calibrate("--rates", "1000", "--sizes", "100", "--distributions", "const", "--loggings", "off",
                             "--repetitions", "3", "--point-time", "300ms")
        points = self.points()
        self.assertGreaterEqual(len(points), 3)
        seen = [packet for packet in witness.packets() if packet.payload == 100]
        self.assertEqual(len(seen), sum(point["sent_packets"] for point in points))
        for point in points:
            its, seen = seen[:point["sent_packets"]], seen[point["sent_packets"]:]
            rate = (len(its) - 1) / ((its[-1].time_ns - its[0].time_ns) / 1e9)
            self.assertAlmostEqual(rate / point["sent_pps"], 1, delta=0.02)
            self.assertEqual(point["received_packets"], len(its))
            self.assertEqual(point["lost"], 0)
        self.assertIn("Data sheet", out.stdout)
        self.assertEqual(out.stdout, (self.folder / "calibration" / "data-sheet.txt").read_text())


if __name__ == "__main__":
    quiet.main()
