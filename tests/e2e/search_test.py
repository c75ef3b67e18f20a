#!/usr/bin/env python3
"""The highest rate without loss, searched on a path whose limit is known: nftables lets so many packets a second through, and
counts what it drops. At the rate that is found nothing is lost, as a capture says."""
import json

import lab

LIMIT, BURST, PACKETS, PORT = 1000, 50, 1000, 5000
# The limit decides, not how exactly a busy machine sends.
TOLERANT = "rate=1000,lateness-max=10min"


class Search(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()

    def limit(self):
        self.b.run("nft", "add table inet t; add chain inet t in { type filter hook input priority 0; }; "
                   f"add rule inet t in udp dport {PORT} limit rate over {LIMIT}/second burst {BURST} packets counter drop")

    def dropped(self) -> int:
        rules = json.loads(self.b.run("nft", "-j", "list", "table", "inet", "t").stdout)["nftables"]
        return next(part["counter"]["packets"] for it in rules for part in it.get("rule", {}).get("expr", ()) if "counter" in part)

    def search(self, *more, packets=PACKETS, check=True):
        return self.a.groma("send", "--to", self.b.address, "--port", PORT, "--size", 100, "--search", "rate",
                            "--packets", packets, *more, check=check)

    def test_finds_what_a_limit_lets_through(self):
        self.limit()
        result = self.search("--rate", "500pps", "--search-from", "20pps", "--search-to", "8kpps", "--search-resolution", "10%",
                             "--require", f"loss=0,{TOLERANT}", "--json=found.json")
        found = json.loads((self.folder / "found.json").read_text())
        self.assertEqual(result.stderr, "")  # no progress in a pipe
        for text in "Found: ", "Above, the requirements fail at", "share of packets lost", "resolution 10 %":
            self.assertIn(text, result.stdout)
        self.assertEqual((found["found"], found["complete"], found["missed_result"]), (True, True, "missed"))
        self.assertIn("share of packets lost", found["missed_because"])
        # A burst passes at the beginning, and as much may be late at the end.
        self.assertLess(found["kept_pps"], LIMIT * (PACKETS + BURST) / (PACKETS - 2 * BURST))
        self.assertLessEqual(found["missed_pps"], 1.1 * found["kept_pps"])
        kept = [it for it in found["trials"] if it["asked_pps"] == found["kept_pps"] and it["result"] == "kept"]
        self.assertEqual([it["confirms"] for it in kept], [False, True, True])
        for it in kept:
            self.assertEqual((it["total"]["sent_packets"], it["total"]["received_packets"], it["total"]["lost"]), (PACKETS, PACKETS, 0))
        # What the trials lost is what the limit dropped, but for what a receiver that stands still drops itself.
        self.assertEqual(sum(it["total"]["lost"] - it["total"]["kernel_drops"] for it in found["trials"]), self.dropped())

    def test_every_trial_sends_what_it_says_as_a_capture_shows(self):
        witness = self.b.witness(f"udp port {PORT}")
        result = self.search("--rate", "500pps", "--search-to", "1kpps", "--search-confirm", 1, "--require", TOLERANT,
                             "--json", packets=200)
        found = json.loads(result.stdout)
        self.assertEqual((found["kept_pps"], found["missed_pps"], found["missed_because"]), (1000, None, None))
        self.assertEqual([(it["asked_pps"], it["result"]) for it in found["trials"]], [(500, "kept"), (1000, "kept"), (1000, "kept")])
        self.assertEqual(sum(map(len, witness.messages("udp"))), 3 * 200)

    def test_nothing_is_found_where_nothing_keeps_the_requirements(self):
        result = self.search("--rate", "1kpps", "--search-from", "500pps", "--require", "delay-p50=1ns", packets=20, check=False)
        self.assertSaid(result, 1, "no rate was found that keeps delay-p50=1ns,loss=0")
        self.assertIn("Nothing found: no rate down to", result.stdout)
        self.assertIn("the p50 of delay of flow 'flow' is", result.stdout)

    def test_says_why_it_cannot_judge(self):
        result = self.search("--require", "rtt-p99=1ms", packets=20, check=False)
        self.assertSaid(result, 1, "trial 1 decides nothing: the p99 of the round-trip time is not known of any flow")
        result = self.search("--log", "send.glog", check=False)
        self.assertSaid(result, 2, "--log is about the logs of a run")

    def test_round_trips_over_tcp_in_several_flows(self):
        result = self.search("--transport", "tcp", "--meter", "round-trip", "--flows", 2, "--rate", "100pps", "--search-to", "400pps",
                             "--require", f"rtt-max=10min,{TOLERANT}", "--json", packets=20)
        found = json.loads(result.stdout)
        self.assertEqual((found["found"], found["kept_pps"]), (True, 400))
        self.assertEqual({it["total"]["flows"] for it in found["trials"]}, {2})


if __name__ == "__main__":
    lab.main()
