#!/usr/bin/env python3
"""The log server keeps what it has acknowledged: killed at any moment, with a full disk, with 200 shippers, some hostile."""
import contextlib
import ipaddress
import itertools
import json
import os
import pathlib
import random
import signal
import socket
import struct

import lab
import log_frames
from log_frames import Log, Shipper

LONG = bool(os.environ.get("GROMA_LONG"))
SEED = int(os.environ.get("GROMA_SEED", 1))  # another seed is another sample of the same cases
HERE = str(ipaddress.ip_address("127.64.0.0") + os.getpid())  # an address that no other program uses


class LogStore(lab.LabTest):
    hosts = 2

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.kept = self.folder / "kept"

    def serve(self, *arguments, port=0):
        """A log server on loopback of this machine, where the tests' own shippers are. Returns it and its port,
        which stays free for the next one."""
        where = self.folder / "port"
        where.unlink(missing_ok=True)
        program = lab.Program([lab.BIN / "groma-log", "--dir", self.kept, "--port", port, "--port-file", where, "--listen",
                               HERE, *arguments], self.folder, "groma-log")
        self.addCleanup(program.kill)
        program.wait_for("listening on")
        lab.wait_until("the port", where.exists)
        return program, int(where.read_text())

    def log(self, *arguments, check=True):
        return lab.run(lab.BIN / "groma-log", *arguments, check=check, cwd=self.folder)

    def catalogue(self):
        return {entry["name"]: entry for entry in json.loads(self.log("list", self.kept, "--json").stdout)["logs"]}

    def real_log(self) -> bytes:
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, "--idt", "const:20000pps", "--size", "const:100", "--packets", 10_000,
                     "--log", "real.glog")
        return (self.folder / "real.glog").read_bytes()

    # Crashes

    def test_killed_at_any_moment_it_has_what_it_acknowledged(self):
        data = self.real_log()
        for sync in ("interval", "block", "close"):
            with self.subTest(sync=sync, seed=SEED):
                self.kill_again_and_again(sync, data, 40 if LONG else 3)

    def kill_again_and_again(self, sync, data, times):
        self.kept = self.folder / f"kept-{sync}"
        logs = [Log(f"log-{number}", data, self.random.choice((100, 500, 3000))) for number in range(8)]
        options = ("--sync", sync, "--sync-interval", "20ms")
        server, port = self.serve(*options)
        for _ in range(times):
            with contextlib.suppress(ConnectionError):
                self.write_until_it_dies(port, logs, server, self.random.randrange(20, 300))
            self.files_agree_with_the_catalogue(logs)
            server, port = self.serve(*options, port=port)
        shipper = Shipper(HERE, port)
        shipper.greet()
        for number in [shipper.open(log) for log in logs]:
            shipper.finish(number)
        server.stop()
        entries = self.catalogue()
        for log in logs:
            self.assertEqual(pathlib.Path(entries[log.name]["file"]).read_bytes(), data, log.name)
            self.assertEqual(entries[log.name]["reason"], "the test is over")
        self.log("verify", self.kept)

    def write_until_it_dies(self, port, logs, server, pieces):
        """The server is killed after this number of pieces."""
        shipper = Shipper(HERE, port)
        shipper.greet()
        numbers = [shipper.open(log) for log in logs]
        shipper.socket.settimeout(0.001)
        for sent in itertools.count():
            if sent == pieces:
                server.kill()
            number = self.random.choice(numbers)
            # Slowly, so that there is always data left to write.
            if logs[number - 1].sent < len(logs[number - 1].pieces) - 1:
                shipper.socket.settimeout(20)
                shipper.send_some(number, 1)
                shipper.socket.settimeout(0.001)
            with contextlib.suppress(TimeoutError, socket.timeout):
                while True:
                    shipper.take(*shipper.next())

    def files_agree_with_the_catalogue(self, logs):
        entries = self.catalogue()
        for log in logs:
            if log.name not in entries:
                self.assertEqual(log.durable, 0)
                continue
            entry = entries[log.name]
            self.assertGreaterEqual(entry["pieces"], log.durable, log.name)
            self.assertEqual(entry["bytes"], sum(map(len, log.pieces[:entry["pieces"]])))
            if entry["bytes"]:
                there = pathlib.Path(entry["file"]).read_bytes()
                self.assertEqual(there[:entry["bytes"]], log.data[:entry["bytes"]], log.name)
        self.log("verify", self.kept)

    # No room

    def tmpfs(self, size):
        self.kept.mkdir()
        self.lab.stack.callback(lab.run, "umount", "-l", self.kept, check=False)
        lab.run("mount", "-t", "tmpfs", "-o", f"size={size}", "none", self.kept)

    def holds_and_goes_on(self, *arguments, tmpfs=None):
        """Another log fills the remaining room, until it is pruned."""
        if tmpfs:
            self.tmpfs(tmpfs)
        server = self.a.log_server("--dir", "kept", *arguments)
        self.b.receiver()
        sender = self.b.start_groma("send", "--to", self.b.address, "--idt", "exp:5000pps", "--size", "unif:20:1000",
                                    "--duration", "1h", "--log", "send.glog", "--log-server", self.a.address, "--verbose")
        server.wait_for("/sender")
        here = pathlib.Path(__file__).parent
        self.b.run("python3", "-B", "-c", f"import sys; sys.path.insert(0, {str(here)!r})\n"
                   f"import log_frames; log_frames.fill({self.a.address!r}, 9001, 'junk-00000000')")
        server.wait_for("takes nothing for now")
        lab.wait_until("the junk to be nobody's", lambda: self.catalogue()["junk"]["state"] == "incomplete")
        self.log("prune", self.kept, "junk-00000000")
        server.wait_for("has room again")
        sender.wait_for("takes logs again")
        self.assertEqual(sender.stop(signal.SIGINT), 1, sender.said)
        self.assertIn("takes nothing for now: ", sender.said)
        self.assertIn("; the log goes to the spool", sender.said)
        self.assertIn("the server took nothing for a while: ", sender.said)
        stored = [path for path in self.kept.rglob("*.glog") if "sender" in path.name]
        self.assertEqual(len(stored), 1, stored)
        self.assertEqual(stored[0].read_bytes(), (self.folder / "send.glog").read_bytes())
        self.log("verify", self.kept)

    def test_a_full_disk_holds_shippers_until_there_is_room(self):
        self.holds_and_goes_on("--reserve", "0", tmpfs="8m")

    def test_a_log_that_fills_the_last_page_of_the_disk_can_be_pruned(self):
        """The catalogue must first record that the log has no writer any more."""
        self.tmpfs("8m")
        server, port = self.serve("--reserve", "0")
        log_frames.fill(HERE, port, "junk-00000000", piece_bytes=os.sysconf("SC_PAGE_SIZE"))
        lab.wait_until("the junk to be nobody's", lambda: self.catalogue()["junk"]["state"] == "incomplete")
        junk = self.catalogue()["junk"]
        self.assertEqual(pathlib.Path(junk["file"]).stat().st_size, junk["bytes"])
        self.log("prune", self.kept, "junk-00000000")
        server.wait_for("has room again")
        self.is_served(port)

    def test_it_starts_on_a_full_disk(self):
        self.tmpfs("8m")
        self.serve("--reserve", "0")[0].stop()
        others = self.kept / "others"
        with others.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(os.sysconf("SC_PAGE_SIZE")))
        self.assertEqual(os.statvfs(self.kept).f_bavail, 0)
        server, port = self.serve("--reserve", "0")
        server.wait_for("takes nothing for now")
        others.unlink()
        server.wait_for("has room again")
        self.is_served(port)

    def is_served(self, port):
        shipper = Shipper(HERE, port)
        shipper.greet()
        log = Log("more", b"abc" * 1000, 100)
        shipper.finish(shipper.open(log))
        self.assertEqual(pathlib.Path(self.catalogue()["more"]["file"]).read_bytes(), log.data)

    def test_the_reserve_of_the_disk_is_kept_free(self):
        self.holds_and_goes_on("--reserve", "24M", tmpfs="32m")
        self.assertGreaterEqual(os.statvfs(self.kept).f_bavail * os.statvfs(self.kept).f_frsize, 24 << 20)

    def test_the_quota_of_all_logs_is_kept(self):
        self.holds_and_goes_on("--max-disk", "8M", "--reserve", "0")

    # Many and hostile

    def test_200_shippers_at_once_among_hostile_ones(self):
        data = self.real_log()
        server, port = self.serve("--max-sessions", "400")
        hostile = self.hostile_shippers(port, data[:700])
        shippers = []
        logs = []
        for number in range(200):
            shippers.append(Shipper(HERE, port))
            shippers[-1].greet()
            logs.append(Log(f"shipper-{number}", data[:2000 + 13 * number], 700))
            shippers[-1].open(logs[-1])
        for shipper in shippers:
            shipper.send_some(1, 100)
        for shipper in shippers:
            shipper.finish(1)
        for connection, expected in hostile:
            self.assertIn(expected, connection.rest_of_connection())
        entries = self.catalogue()
        for log in logs:
            self.assertEqual(pathlib.Path(entries[log.name]["file"]).read_bytes(), log.data)
        self.log("verify", self.kept)
        server.stop()
        counted = json.loads(self.log("list", self.kept, "--json").stdout)["counters"]
        self.assertEqual(counted["connections refused: no frames"], 3, counted)
        self.assertEqual(counted["connections refused: silent"], 2, counted)
        self.assertEqual(counted["connections refused: other version"], 1, counted)
        self.assertEqual(counted["logs given up"], 200, counted)

    def hostile_shippers(self, port, data):
        """Connections, and the refusal that each must get."""
        def connect(*data, greet=False):
            connection = Shipper(HERE, port)
            if greet:
                connection.greet()
            with contextlib.suppress(ConnectionError):
                connection.send(b"".join(data))
            return connection

        wrong = Shipper(HERE, port)
        wrong.greet()
        wrong.open(Log("hostile", b"", 1))
        wrong.send(log_frames.piece(1, 0, data) + log_frames.close(1, 1, len(data), 12345) +
                   log_frames.piece(9, 0, b""))
        return [
            (connect(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), b"is it a Groma program?"),
            (connect(struct.pack(">I", 0xFFFFFFF0)), b"is it a Groma program?"),
            (connect(log_frames.frame(99)), b"unknown type"),
            (connect(log_frames.hello(1)), b"same release"),
            (connect(), b"opened no log"),
            (connect(log_frames.hello()[:6]), b"opened no log"),
            (connect(log_frames.piece(1, 0, b"x"), greet=True), b"had not opened"),
            (wrong, b"hashes differ"),
        ]

    def test_names_are_never_paths(self):
        server, port = self.serve()
        for name in ("../x", "a/b", "..", ".hidden", "nul\0l", "line\nend", "n" * 101, "", b"\xff\xfe", "a\\b", "\x1b[2J"):
            shipper = Shipper(HERE, port)
            shipper.greet()
            for experiment, log in ((name, "fine"), ("fine", name)):
                shipper.send(log_frames.open_log(len(name) + (log == name), os.urandom(16), experiment, log))
                kind, _, _ = shipper.next()
                self.assertEqual(kind, log_frames.REFUSED, name)
        shipper.open(Log("höflich 礼", b"", 1, "Größe"))
        server.stop()
        self.assertEqual([str(p.relative_to(self.kept)) for p in self.kept.rglob("*.glog*")], ["Größe/höflich 礼.glog.part"])
        self.assertNotIn("\x1b", server.said)

    def test_a_shipper_that_reads_nothing_harms_nobody(self):
        server, port = self.serve()
        deaf = Shipper(HERE, port)
        deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.greet()
        deaf.socket.setblocking(False)
        questions = memoryview(b"".join(log_frames.open_log(log, bytes(16), "." + "x" * 99, "name") for log in range(1, 60000)))

        def ask():
            nonlocal questions
            with contextlib.suppress(BlockingIOError, ConnectionError):
                while questions:
                    questions = questions[deaf.socket.send(questions):]
        other = Shipper(HERE, port)
        other.greet()
        number = other.open(Log("other", b"abc" * 1000, 100))
        ask()
        other.finish(number)
        lab.wait_until("the server to say it", lambda: ask() or "does not read what it is answered" in server.said)
        server.stop()

    # Commands

    def test_an_experiment_is_exported_decoded_and_pruned(self):
        server = self.a.log_server("--dir", "kept")
        self.b.receiver()
        self.b.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--packets", "500", "--name", "games",
                     "--log", "send.glog", "--log-server", self.a.address)
        experiment = next(path.name for path in self.kept.iterdir() if path.is_dir())
        self.log("export", self.kept, experiment, "--output", "games.tar")
        lab.run("tar", "-xf", "games.tar", cwd=self.folder)
        manifest = json.loads((self.folder / experiment / "manifest.json").read_text())
        self.assertEqual({log["state"] for log in manifest["logs"]}, {"complete"})
        sent = [log["file"] for log in manifest["logs"] if "sender" in log["file"]]
        self.assertEqual((self.folder / experiment / sent[0]).read_bytes(), (self.folder / "send.glog").read_bytes())
        stored, exported = (self.decoded(folder / experiment)["runs"][0] for folder in (self.kept, self.folder))
        self.assertEqual(stored["total"], exported["total"])
        self.assertEqual(stored["total"]["received_packets"], 500)
        self.assertIn(experiment, self.log("show", self.kept, experiment).stdout)
        server.stop()
        self.log("prune", self.kept, "--older-than", "0s")
        self.assertEqual(self.catalogue(), {})


if __name__ == "__main__":
    lab.main()
