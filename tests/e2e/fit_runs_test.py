#!/usr/bin/env python3
"""A profile is sent, and its log and a capture fit again."""
import math

import lab
import quiet
from fit_test import family, fit


class FitRuns(lab.LabTest):
    """A busy machine delays packets, and then no fit is better than the actual departures."""

    def setUp(self):
        super().setUp()
        self.b.receiver()

    def test_a_profile_is_sent_and_its_log_and_a_capture_fit_again(self):
        (self.folder / "flows.toml").write_text(f"""
[defaults]
to = "{self.b.address}"
packets = 1500
[[flow]]
name = "game"
idt = "exp:300pps"
size = "normal:300:40"
[[flow]]
name = "mixed"
idt = "unif:2ms:6ms"
size = "discrete:64=7,594=4,1400=1"
start = "0.5s"
""")
        self.a.groma("send", "flows.toml", "--log", "first.glog", "--seed", 3)
        first = fit("first.glog", "--profile=profile.toml", "--to", self.b.address, cwd=self.folder)
        witness = self.b.witness("udp")
        self.a.groma("send", "profile.toml", "--log", "again.glog", "--seed", 4)
        (self.folder / "seen.pcap").write_bytes(witness.captured())
        again = fit("again.glog", cwd=self.folder)
        seen = fit("seen.pcap", cwd=self.folder)
        sent = self.decoded("again.glog")["runs"][0]["flows"]
        self.assertEqual([flow["name"] for flow in again["flows"]], ["game", "mixed"])
        captured = {flow["bytes"]: flow for flow in seen["flows"]}
        for one, log, asked in zip(first["flows"], again["flows"], sent):
            self.assertAlmostEqual(log["packets"] / one["packets"], 1, delta=10 / math.sqrt(one["packets"]))
            capture = captured[log["bytes"]]
            self.assertEqual(capture["packets"], log["packets"])
            self.assertEqual(capture["sizes"]["families"], log["sizes"]["families"])
            self.assertEqual(one["sizes"]["families"][0]["family"], log["sizes"]["families"][0]["family"])
            self.assertAlmostEqual(log["gaps_ns"]["mean"] / (1e9 * log["duration_s"] / (log["packets"] - 1)), 1, delta=1e-6)
            # No values are farther from their likeliest family than from the one asked for, up to a parameter's error.
            name = asked["idt"].split(":")[0]
            if asked["ks"] is None:  # gaps of a sender that stood still can fit best a family with values below 0, as normal has
                self.assertIn("raised to 0", asked["no_fit_because"])
                continue
            near = 5 / math.sqrt(log["packets"])
            self.assertLess(log["gaps_ns"]["families"][0]["ks"], asked["ks"] + asked["ks_within"] + near)
            # A family similar to the one asked for may fit as well. A late packet alone is outside unif's range.
            if asked["lateness_max_ns"] < 0.04 * log["gaps_ns"]["mean"]:
                self.assertLess(family(log["gaps_ns"], name)["ks"], asked["ks"] + asked["ks_within"] + near)


if __name__ == "__main__":
    quiet.main()
