#!/usr/bin/env python3
"""A calibration reports what it measured and where, continues where it was stopped, and is drawn. Its figures are
judged by calibration_rates_test.py."""
import signal
import sqlite3
import xml.etree.ElementTree

import lab

SMALL = ("--rates", "500,1000", "--sizes", "100", "--distributions", "const,exp", "--point-time", "300ms", "--repetitions", "1")


class CalibrationTest(lab.LabTest):
    def calibrate(self, *arguments, **options):
        return self.a.groma("send", "--calibrate", "--to", self.b.address, *arguments, **options)

    def rows(self, query: str, folder="calibration"):
        # Read while it is written, as other programs may; closed at once.
        database = sqlite3.connect(f"file:{self.folder / folder / 'calibration.db'}?mode=ro", uri=True)
        try:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(query)]
        finally:
            database.close()

    def points(self):
        return self.rows("SELECT * FROM points ORDER BY id")


class Calibration(CalibrationTest):
    def test_its_points_have_the_packets_that_a_capture_sees(self):
        self.b.receiver()
        witness = self.b.witness("udp")
        out = self.calibrate("--rates", "1000", "--sizes", "100", "--distributions", "const", "--loggings", "off", "--repetitions", "1",
                             "--point-time", "100ms")
        points = self.points()
        self.assertEqual(len([packet for packet in witness.packets() if packet.payload == 100]), sum(point["sent_packets"] for point in points))
        self.assertIn("Data sheet", out.stdout)
        self.assertEqual(out.stdout, (self.folder / "calibration" / "data-sheet.txt").read_text())

    def test_its_database_says_what_was_measured_and_where(self):
        self.b.receiver()
        self.calibrate(*SMALL, "--seed", "7")
        sweep = [point for point in self.points() if point["kind"] == "sweep"]
        self.assertEqual({(p["distribution"], p["logging"], p["rate_pps"]) for p in sweep},
                         {(*curve, rate) for curve in (("const", "local"), ("exp", "local"), ("const", "off")) for rate in (500.0, 1000.0)})
        for point in sweep:
            self.assertEqual(point["log_records"], point["sent_packets"] if point["logging"] == "local" else None)
            self.assertEqual(point["sent_packets"], point["received_packets"] + point["lost"])
            self.assertGreater(point["cpu_user_s"] + point["cpu_system_s"], 0)
            gaps = self.rows(f"SELECT SUM(count) AS n, SUM(asked_share) AS asked FROM gaps WHERE point = {point['id']}")[0]
            if point["logging"] == "local":
                self.assertEqual(gaps["n"], point["sent_packets"] - 1)
                self.assertAlmostEqual(gaps["asked"], 1, places=6)
            else:
                self.assertIsNone(gaps["n"])
        about = {(row["subject"], row["name"]): row["value"] for row in self.rows("SELECT * FROM about")}
        self.assertEqual(about["settings", "seed"], "7")
        self.assertEqual(about["receiver", "address"], f"{self.b.address}:9000")
        for host in ("sender", "receiver"):
            self.assertIn("Linux", about[host, "kernel"])
            self.assertIn("eth0 (veth", about[host, "network device"])
        self.assertEqual(len(self.rows("SELECT * FROM limits")), 2)
        self.assertFalse(list(self.folder.rglob("*.glog*")))

    def test_its_pictures_are_drawn(self):
        self.b.receiver()
        self.calibrate(*SMALL)
        pictures = sorted((self.folder / "calibration").glob("*.svg"))
        stems = {picture.stem for picture in pictures}
        self.assertLessEqual({"sent-rate", "sent-bit-rate", "logging", "lateness", "loss", "density-exp-1000pps"}, stems)
        for picture in pictures:
            root = xml.etree.ElementTree.fromstring(picture.read_bytes())
            self.assertGreater(len(list(root.iter())), 30, picture)
            self.assertEqual(picture.with_suffix(".png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def let_in(self, connections: int):
        """The receiver's host takes this number of further control connections, one for each point. Later ones wait."""
        self.b.run("nft", "-f", "-", input=f"""
            table inet wall
            delete table inet wall
            table inet wall {{
                chain in {{
                    type filter hook input priority 0
                    tcp dport 9000 tcp flags syn / syn,ack numgen inc mod 1000000 >= {connections} drop
                }}
            }}""")

    def test_one_that_was_killed_goes_on_where_it_was(self):
        self.b.receiver()
        self.let_in(4)
        command = (lab.BIN / "groma-send", "--calibrate", "--to", self.b.address, *SMALL)
        first = self.a.start(*command)
        database = self.folder / "calibration" / "calibration.db"
        lab.wait_until("three points", lambda: database.exists() and self.count() >= 3)
        first.kill()
        before = self.points()
        self.let_in(2)
        second = self.a.start(*command)
        lab.wait_until("another point", lambda: self.count() > len(before) or second.process.poll() is not None)
        self.assertEqual(second.stop(signal.SIGINT), 1)
        self.assertIn("the same command goes on from there", second.said)
        self.assertIn("NOT COMPLETE", (self.folder / "calibration" / "data-sheet.txt").read_text())
        self.let_in(1000)
        self.calibrate(*SMALL)
        after = self.points()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(len({(p["kind"], p["distribution"], p["logging"], p["rate_pps"], p["repetition"]) for p in after}), len(after))
        self.assertNotIn("NOT COMPLETE", (self.folder / "calibration" / "data-sheet.txt").read_text())
        again = self.calibrate(*SMALL)
        self.assertEqual(self.points(), after)
        self.assertIn("have been measured already", again.stderr)

    def count(self) -> int:
        try:
            return self.rows("SELECT COUNT(*) AS n FROM points")[0]["n"]
        except sqlite3.OperationalError:
            return 0  # it is being made

    def test_the_folder_of_another_one_is_refused(self):
        self.b.receiver()
        one = ("--distributions", "const", "--sizes", "100", "--loggings", "off", "--point-time", "100ms")
        self.calibrate("--rates", "1000", *one)
        before = self.points()
        other = self.calibrate("--rates", "2000", *one, check=False)
        self.assertEqual(other.returncode, 1)
        self.assertIn("--rates is 2000 now and was 1000", other.stderr)
        self.assertEqual(self.points(), before)

    def test_logs_on_a_log_server_are_compared_too(self):
        self.b.receiver()
        self.b.log_server("--dir", "logs")
        self.calibrate("--rates", "1000", "--distributions", "const", "--sizes", "100", "--point-time", "200ms",
                       "--log-server", self.b.address)
        sweep = {p["logging"]: p for p in self.points() if p["kind"] == "sweep"}
        self.assertEqual(set(sweep), {"local", "off", "tcp", "udp"})
        for way in ("local", "tcp", "udp"):
            self.assertEqual(sweep[way]["log_records"], sweep[way]["sent_packets"], way)
            self.assertGreater(sweep[way]["log_bytes"], 0, way)

    def test_without_a_receiver_it_says_so(self):
        out = self.calibrate("--quick", check=False)
        self.assertEqual(out.returncode, 1)
        self.assertIn(self.b.address, out.stderr)


if __name__ == "__main__":
    lab.main()
