#!/usr/bin/env python3
"""`import groma`: runs, their rows and results, daemons, packets of logs, from Python with the real programs (docs/guide/python.md); its
installation; and its notebook, whose cells are run in order."""
import contextlib
import io
import json
import os
import pathlib
import shutil
import sys
from unittest import mock

import glog
import lab

BUILD = pathlib.Path(os.environ.get("GROMA_BUILD", lab.ROOT / "build" / "release"))
if not list(BUILD.glob("python/groma/_log.*.so")):
    lab.skip(f"{BUILD} has no package for Python: pybind11-dev or Python's headers were not there when it was configured")
sys.path.insert(0, str(BUILD / "python"))
import groma  # noqa: E402


class Python(lab.LabTest):
    keeps_hosts = True

    def setUp(self):
        super().setUp()
        self.here = {"bin": lab.BIN, "prefix": self.a.command()}
        self.there = {"bin": lab.BIN, "prefix": self.b.command(), "open_to_anyone": True}
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def receiver(self, **options) -> str:
        daemon = self.enterContext(groma.receiver(**self.there, timeout="2min", **options))
        return f"{self.b.address}:{daemon.port}"

    def test_a_run_of_a_dictionary_is_the_run_of_its_file(self):
        to = self.receiver()
        pathlib.Path("bytes").write_bytes(b"abc")
        experiment = {"name": "both \"ways\"", "seed": 5, "hosts": {"beta": to}, "defaults": {"to": "beta"}, "flow": [
            {"name": "paced", "idt": "exp:2000pps", "size": "unif:64:1400", "packets": 300, "payload": "file:bytes"},
            {"name": "stream", "transport": "tcp", "idt": "const:1ms", "size": 1000, "bytes": 200_000, "count": 2}]}
        result = groma.run(experiment, **self.here, timeout="2min", require={"loss": 0})
        self.assertTrue(result.ok, result.errors)
        self.assertEqual((result.report.run.experiment, result.report.run.seed), ('both "ways"', 5))
        self.assertEqual([flow.name for flow in result.flows], ["paced", "stream-1", "stream-2"])
        self.assertEqual([flow.received_packets for flow in result.flows], [300, 200, 200])
        self.assertEqual(result.flows[1].received_bytes, 200_000)
        self.assertEqual([requirement.met for requirement in result.report.requirements], [True])
        self.assertEqual(result.total.received_packets, 700)

    def test_every_member_of_a_report_has_its_value(self):
        to = self.receiver()
        report = groma.run({"flow": [{"to": to, "packets": 20, "meter": "round-trip"}, {"to": to, "packets": 20, "transport": "tcp"}]},
                           **self.here, log="send.glog", force=True).report
        text = self.a.groma("send", "--to", to, "--packets", "20", "--json").stdout
        for kind, document in ((groma.Report, json.loads(text)), (groma.Flow, json.loads(text)["flows"][0]), (groma.Total, json.loads(text)["total"])):
            self.assertEqual(set(kind.__slots__), set(document), "the program's names are those of the class")
        self.assertEqual((report.log.name, report.log.error), ("send.glog", ""))
        self.assertEqual(report.flows[0].round_trip.returned_packets, 20)
        self.assertIsNone(report.flows[1].round_trip)

    def test_rows_add_up_to_the_result(self):
        run = groma.start(to=self.receiver(), packets=400, idt="const:1000pps", interval="100ms", **self.here)
        rows = [row for row in run if row.flow == 0]
        result = run.result()
        self.assertEqual(sum(row.sent_packets for row in rows), 400)
        self.assertEqual(sum(row.received_packets for row in rows), result.total.received_packets)
        self.assertEqual(([row.type for row in rows[:-1]], rows[-1].type), (["interval"] * (len(rows) - 1), "last"))

    def test_a_run_that_is_stopped_has_a_complete_result(self):
        with groma.start(to=self.receiver(), duration="1h", interval="100ms", logs="stopped", **self.here) as run:
            next(iter(run))
            stopped = run.stop()
        self.assertFalse(stopped.ok)
        self.assertTrue(stopped.report.run.interrupted)
        self.assertIn("interrupted", stopped.errors[0])
        self.assertEqual(self.decoded("stopped")["runs"][0]["flows"][0]["received_packets"], stopped.total.received_packets)
        with groma.start(to=self.receiver(), duration="1h", **self.here) as run:
            next(iter(run))
        self.assertEqual(run.result().flows[0].end, "interrupted")

    def test_what_fails_has_the_message_of_the_program(self):
        with self.assertRaisesRegex(groma.UsageError, r"experiment.toml:4:7: idt: cannot use 'exp:2000'"):
            groma.run({"flow": [{"to": "10.99.0.2", "idt": "exp:2000"}]}, **self.here)
        with self.assertRaisesRegex(groma.RunError, "cannot connect to the receiver at 10.99.0.2:9: Connection refused"):
            groma.run(to="10.99.0.2:9", **self.here)
        with self.assertRaisesRegex(groma.DaemonError, "there is no folder nowhere"):
            groma.receiver(log_dir="nowhere", **self.there)
        taken = self.receiver().rpartition(":")[2]
        with self.assertRaisesRegex(groma.DaemonError, "Address already in use"):
            groma.receiver(port=int(taken), **self.there)

    def test_daemons_work_together(self):
        with groma.log_server(dir="logs", **self.there) as server, \
                groma.receiver(**self.there, log_servers=f"{self.b.address}:{server.port}") as receiver, \
                groma.sender_daemon(bin=lab.BIN, prefix=self.a.command(), log_servers=f"{self.b.address}:{server.port}") as sender:
            result = groma.run({"name": "shipped", "flow": [{"to": f"{self.b.address}:{receiver.port}", "packets": 100}]}, **self.here,
                               via=f"127.0.0.1:{sender.port}", log_server=f"{self.b.address}:{server.port}")
            self.assertTrue(result.ok, result.errors)
        stored, = pathlib.Path("logs").glob("shipped*")
        self.assertEqual(sum(flow["received_packets"] for flow in self.decoded(stored)["runs"][0]["flows"]), 100)

    def lossy_run(self) -> groma.Result:
        """A run with logs in the folder `run`, of whose packets to port 40000 one in ten is lost."""
        to = self.receiver()
        self.addCleanup(self.b.run, "nft", "delete", "table", "ip", "losses")
        self.b.run("nft", "-f", "-", input="table ip losses { chain in { type filter hook input priority 0; "
                   "udp dport 40000 numgen inc mod 10 == 3 drop\n }\n}\n")
        return groma.run({"seed": 4, "defaults": {"to": to}, "flow": [
            {"name": "lossy", "idt": "exp:500us", "size": "unif:64:1400", "packets": 1000, "port": 40000},
            {"name": "small", "idt": "const:1ms", "size": "unif:8:20", "packets": 300},
            {"name": "stream", "transport": "tcp", "idt": "exp:1ms", "size": "unif:100:3000", "packets": 300},
            {"name": "back", "idt": "const:2ms", "meter": "round-trip", "packets": 100}]}, logs="run", force=True, **self.here)

    def test_packets_of_a_run_have_the_figures_of_the_decoder(self):
        result = self.lossy_run()
        self.assertTrue(result.ok, result.errors)
        packets = result.packets()
        self.assertEqual((packets.kind, packets.notes, packets.names), ("matched", [], {1: "lossy", 2: "small", 3: "stream", 4: "back"}))
        for flow in self.decoded("run")["runs"][0]["flows"]:
            with self.subTest(flow["name"]):
                mine = packets.flow == flow["flow"]
                arrived = mine & (packets.received_ns != groma.UNKNOWN_NS)
                self.assertEqual(int(mine.sum()), flow["sent_packets"])
                self.assertEqual(int(packets.size[mine].sum(dtype="u8")), flow["sent_bytes"])
                self.assertEqual((int(arrived.sum()), int((mine & ~arrived).sum())), (flow["received_packets"], flow["lost"]))
                self.assertEqual(int(packets.size[arrived].sum(dtype="u8")), flow["received_bytes"])
                delays, spread = packets.delay_ns[arrived], lab.spread(flow, "delay")
                self.assertEqual((len(delays), int(delays.min()), int(delays.max())), (spread["count"], spread["min"], spread["max"]))
                self.assertAlmostEqual(float(delays.mean()), spread["mean"], delta=1)
        self.assertEqual(int((packets.received_ns == groma.UNKNOWN_NS).sum()), 100)

    def test_packets_of_each_side_are_the_records_of_its_log(self):
        self.lossy_run()
        for name, of, kind, columns in (("send", glog.SENT, "sent", ("flow", "seq", "sent_ns", "lateness_ns", "size", "batch")),
                                        ("recv", glog.RECEIVED, "received", ("flow", "seq", "sent_ns", "received_ns", "size", "ttl", "ds_byte")),
                                        ("send", glog.ROUND_TRIP, "returned", ("flow", "seq", "sent_ns", "returned_ns", "reflected_ns", "replied_ns", "size"))):
            log = self.folder / "run" / f"{name}.glog"
            packets = groma.read_log(log, kind=kind)
            unknown = {"seq": -1, "ttl": 0, "ds_byte": 0}
            wanted = [tuple(unknown.get(column, groma.UNKNOWN_NS) if value is None else value for column, value in zip(columns, it, strict=True))
                      for it in glog.records(log.read_bytes(), of)]
            self.assertEqual(list(zip(*(packets[column].tolist() for column in columns), strict=True)), wanted)
        described, = packets.logs
        self.assertEqual((described.role, described.seed, described.complete, described.gaps), ("sender", 4, True, []))


class Package(lab.unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(lab.ending.TemporaryFolder(prefix="groma-python-")))

    def loaded_from(self, packages: pathlib.Path):
        """A fresh Python that finds the package there only reads a log with it."""
        script = "import groma, sys; print(groma.__file__); print(len(groma.read_log(sys.argv[1])))"
        said = lab.run(sys.executable, "-B", "-c", script, lab.ROOT / "tests/golden/sender.glog", cwd=self.folder,
                       env=os.environ | {"PYTHONPATH": str(packages)}).stdout.splitlines()
        self.assertEqual(said, [str(packages / "groma/__init__.py"), str(len(glog.records((lab.ROOT / "tests/golden/sender.glog").read_bytes(), glog.SENT)))])

    def test_pip_installs_it(self):
        shutil.copytree(lab.ROOT / "python", self.folder / "source/python")  # it leaves files there
        shutil.copy(lab.ROOT / "CMakeLists.txt", self.folder / "source")
        lab.run(sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--target", self.folder / "pip",
                self.folder / "source/python", env=os.environ | {"GROMA_BUILD": str(BUILD), "PIP_ROOT_USER_ACTION": "ignore"})
        self.loaded_from(self.folder / "pip")
        self.assertTrue((self.folder / "pip/groma/py.typed").exists())

    def test_cmake_installs_it(self):
        lab.run("cmake", "--install", BUILD / "python", "--prefix", self.folder)
        packages, = self.folder.glob("lib/python3*/site-packages")
        self.loaded_from(packages)

    def test_the_notebook_works(self):
        self.enterContext(mock.patch.dict(os.environ, GROMA_BIN=str(lab.BIN), XDG_STATE_HOME=str(self.folder)))
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        notebook = json.loads((lab.ROOT / "docs/guide/python.ipynb").read_text())
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            for number, cell in enumerate(notebook["cells"]):
                if cell["cell_type"] == "code":
                    exec(compile("".join(cell["source"]), f"cell {number} of python.ipynb", "exec"), names)
        self.assertIn("2000 sent, 2000 received, 0 lost", said.getvalue())
        self.assertEqual(names["result"].flows[0].received_packets, 2000)
        self.assertEqual((names["office"].ok, len(names["packets"]), len(names["frame"])), (False, 1200, 1200))
        self.assertIn("'exp:2000' has no unit", names["message"])
        self.assertEqual(sum(row.sent_packets for row in names["rows"]), 300)
        self.assertIn("interrupted", names["stopped"].errors[0])
        self.assertIn("is damaged", names["damage"])
        self.assertEqual((names["shipped"].ok, len(names["collected"])), (True, 100))


if __name__ == "__main__":
    lab.main()
