#!/usr/bin/env python3
"""groma_packets.so in the sqlite3 shell (docs/guide/sqlite-extension.md): packets of real logs as rows, against an independent reader of the
logs and against groma-dec's figures."""
import collections
import json
import re
import sqlite3
import statistics

import glog
import lab

EXTENSION = lab.BIN / "groma_packets"


class SqliteExtension(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()
        (self.folder / "run.toml").write_text(f"""
            seed = 4
            [[flow]]
            name = "small"
            to = "{self.b.address}"
            idt = "exp:2ms"
            size = "unif:8:60"
            packets = 1000
            [[flow]]
            name = "fast"
            to = "{self.b.address}"
            idt = "const:200us"
            size = 200
            packets = 10000
            [[flow]]
            name = "there and back"
            to = "{self.b.address}"
            idt = "const:5ms"
            meter = "round-trip"
            packets = 200
        """)
        self.a.groma("send", "run.toml", "--log", "send.glog", "--receiver-log", "recv.glog", "--quiet")
        self.sent, self.received = ((self.folder / name).read_bytes() for name in ("send.glog", "recv.glog"))

    def shell(self, *statements, check=True):
        return lab.run("sqlite3", ":memory:", f".load {EXTENSION}", ".mode json", *statements, cwd=self.folder, check=check)

    def ask(self, statement: str) -> list[dict]:
        said = self.shell(statement).stdout
        return json.loads(said) if said.strip() else []

    def test_every_packet_is_a_row(self):
        rows = self.ask("SELECT flow, seq, at_ns, sent_at_ns, size, delay_ns, ttl FROM groma_packets('recv.glog')")
        self.assertEqual([tuple(row.values()) for row in rows], [
            (it.flow, it.seq, it.received_at, it.sent_at, it.size, glog.minus(it.received_at, it.sent_at), it.ttl)
            for it in glog.records(self.received, glog.RECEIVED)])
        rows = self.ask("SELECT flow, seq, at_ns, size, batch, round(lateness_us * 1000) AS late, name FROM groma_packets('send.glog') "
                        "WHERE kind = 'sent'")
        names = {1: "small", 2: "fast", 3: "there and back"}
        self.assertEqual([tuple(row.values()) for row in rows], [
            (it.flow, it.seq, it.sent_at, it.size, it.batch, it.lateness, names[it.flow]) for it in glog.records(self.sent, glog.SENT)])
        rows = self.ask("SELECT seq, at_ns, reflected_at_ns, replied_at_ns, round(rtt_us * 1000) AS rtt FROM groma_packets('send.glog') "
                        "WHERE kind = 'returned'")
        self.assertEqual([tuple(row.values()) for row in rows], [
            (it.seq, it.returned_at, it.reflected_at, it.replied_at, it.returned_at - it.sent_at)
            for it in glog.records(self.sent, glog.ROUND_TRIP)])

    def test_figures_are_those_of_the_decoder(self):
        report = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"]
        rows = self.ask("SELECT flow, count(*) AS packets, sum(size) AS bytes, min(delay_ns) AS least, max(delay_ns) AS most, "
                        "avg(delay_us) AS mean FROM groma_packets('recv.glog', 'send.glog') GROUP BY flow ORDER BY flow")
        for row, flow in zip(rows, report, strict=True):
            self.assertEqual((row["flow"], row["packets"], row["bytes"]),
                             (flow["flow"], flow["received_packets"], flow["received_bytes"]))
            if flow["undated"] == 0 and flow["flow"] > 1:  # small packets' delays need a join
                spread = lab.spread(flow, "delay")
                self.assertEqual((row["least"], row["most"]), (spread["min"], spread["max"]))
                self.assertAlmostEqual(row["mean"] * 1000, spread["mean"], delta=1)

    def test_ranges_of_time_and_number(self):
        records = glog.records(self.received, glog.RECEIVED)
        times = sorted(it.received_at for it in records)
        first, last = times[len(times) // 3], times[len(times) // 2]
        found = self.ask(f"SELECT count(*) AS n, sum(seq) AS s FROM groma_packets('recv.glog') WHERE flow = 2 AND at_ns BETWEEN "
                         f"{first} AND {last}")
        wanted = [it.seq for it in records if it.flow == 2 and first <= it.received_at <= last]
        self.assertEqual(found, [{"n": len(wanted), "s": sum(wanted)}])
        found = self.ask("SELECT seq, at_ns FROM groma_packets('send.glog') WHERE flow = 2 AND kind = 'sent' AND seq IN (17, 9000, 4321)")
        wanted = {it.seq: it.sent_at for it in glog.records(self.sent, glog.SENT) if it.flow == 2}
        self.assertEqual({row["seq"]: row["at_ns"] for row in found}, {seq: wanted[seq] for seq in (17, 9000, 4321)})

    def test_packets_that_carry_no_time_get_it_from_the_senders_log(self):
        found = self.ask("SELECT r.seq, r.at_ns - s.at_ns AS delay FROM groma_packets('recv.glog') r JOIN groma_packets('send.glog') s "
                         "ON s.flow = r.flow AND s.seq = r.seq AND s.kind = 'sent' WHERE r.flow = 1 ORDER BY r.seq")
        sent = {it.seq: it.sent_at for it in glog.records(self.sent, glog.SENT) if it.flow == 1}
        self.assertEqual([tuple(row.values()) for row in found], sorted(
            (it.seq, it.received_at - sent[it.seq]) for it in glog.records(self.received, glog.RECEIVED) if it.flow == 1))
        report = lab.spread(self.decoded("send.glog", "recv.glog")["runs"][0]["flows"][0], "delay")
        delays = [row["delay"] for row in found]
        self.assertEqual((len(delays), min(delays), max(delays)), (report["count"], report["min"], report["max"]))
        self.assertAlmostEqual(statistics.fmean(delays), report["mean"], delta=1)

    def test_the_queries_of_the_page_work(self):
        page = (lab.ROOT / "docs/guide/sqlite-extension.md").read_text()
        asked = 0
        for block in re.findall(r"^```sql\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
            statement = block.partition(";")[0] + ";"
            self.assertTrue(self.ask(statement), statement)
            asked += 1
        self.assertGreaterEqual(asked, 5)

    def test_damage_and_what_is_no_log(self):
        damaged = bytearray(self.received)
        spoiled = [block for block in glog.blocks(self.received) if block.type == glog.RECEIVED][3]
        damaged[spoiled.offset + 80] ^= 1
        (self.folder / "bad.glog").write_bytes(damaged[:-100])
        rows = self.ask("SELECT flow, count(*) AS n FROM groma_packets('bad.glog') GROUP BY flow")
        counts = collections.Counter(it.flow for it in glog.records(self.received, glog.RECEIVED))
        counts[spoiled.flow] -= spoiled.count
        self.assertEqual({row["flow"]: row["n"] for row in rows}, counts)
        gaps = self.ask("SELECT * FROM groma_gaps('bad.glog')")
        self.assertEqual((gaps[0]["offset"], gaps[0]["bytes"]), (spoiled.offset, glog.BLOCK_HEADER + len(spoiled.payload)))
        self.assertEqual(gaps[-1]["reason"], "log cut short: totals missing")
        (self.folder / "no.glog").write_bytes(b"hello")
        for statement, why in (("SELECT * FROM groma_packets('no.glog')", "is not a Groma log"),
                               ("SELECT * FROM groma_packets('none.glog')", "cannot open none.glog"),
                               ("SELECT * FROM groma_packets('send.glog', 'recv.glog')", "not a receiver's and its sender's")):
            self.assertIn(why, self.shell(statement, check=False).stderr)

    def test_python_loads_it_as_well(self):
        if not hasattr(sqlite3.Connection, "enable_load_extension"):
            lab.skip_test("this Python was built without extensions of SQLite; Debian's, /usr/bin/python3, has them")
        with sqlite3.connect(":memory:") as connection:
            connection.enable_load_extension(True)
            connection.load_extension(str(EXTENSION))
            count, = connection.execute("SELECT count(*) FROM groma_packets(?)", (str(self.folder / "recv.glog"),)).fetchone()
            self.assertEqual(count, len(glog.records(self.received, glog.RECEIVED)))


if __name__ == "__main__":
    lab.main()
