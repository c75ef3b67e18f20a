#!/usr/bin/env python3
"""Keys: who proves one is served, under TLS, and nobody else; what a capture on the way shows of it."""
import json
import os
import signal
import subprocess

import lab

STRANGER = """
import json, socket, sys
connection = socket.create_connection((sys.argv[1], 9000))
text = json.dumps({"type": "hello", "lowest_version": 1, "highest_version": 1, "program": "x", "run_id": "0" * 32,
                   "experiment": "x", "host": "x", "seed": 1}).encode()
connection.sendall(len(text).to_bytes(4, "big") + text)
print(connection.recv(4096).decode(errors="replace"))
"""

# Keeps what the first that connects says first.
RECORDER = """
import socket
server = socket.create_server(("", 9000))
print("listening", flush=True)
open("hello", "wb").write(server.accept()[0].recv(65536))
"""

# Of each two connections one says a byte and waits, and one begins the handshake of another, and waits.
CROWD = """
import contextlib, resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (20000, 20000))
hello = open("hello", "rb").read()
held = []
for number in range(10000):
    held.append(socket.create_connection((sys.argv[1], int(sys.argv[2]))))
    with contextlib.suppress(OSError):
        held[-1].sendall(hello if number % 2 else b"x")
print("held", flush=True)
sys.stdin.read()
"""

# Packets such as those of flow 1, with the addresses of its host, and with the start of a header of version 1 or 2.
FORGER = """
import socket, struct, sys, time
source, destination, port, size, version, first = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
for number in range(first, first + 50):
    packet = (struct.pack(">IqIHBB", number, time.time_ns(), 1, 0x6772, version, 0) + bytes(size))[:size]
    udp = struct.pack(">HHHH", 40000, port, 8 + size, 0) + packet
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, socket.inet_aton(source), socket.inet_aton(destination))
    raw.sendto(ip + udp, (destination, 0))
"""


class Keys(lab.LabTest):
    hosts = 3
    keeps_hosts = True

    def setUp(self):
        super().setUp()
        self.c, = self.more
        self.user_key = self.folder / "lab.key"
        self.make("new", "lab", to=self.user_key)

    def make(self, *arguments, to):
        with open(to, "wb") as out:
            subprocess.run([lab.BIN / "groma-key", *map(str, arguments)], stdout=out, check=True)

    def part(self, host: lab.Host, *names, options=()):
        """The host's part of the user's key, in a folder of its own."""
        keys = self.folder / f"keys-{host.name}"
        keys.mkdir(mode=0o700, exist_ok=True)
        self.make("host", self.user_key, *(names or (host.address,)), *options, to=keys / "lab.key")
        return keys

    def other_part(self, key: str, name: str):
        """A folder with a part of another key for this name."""
        keys = self.folder / f"keys-{key}"
        keys.mkdir(mode=0o700)
        self.make("host", self.folder / key, name, to=keys / key)
        return keys

    def send(self, *arguments, status=0, key="lab.key", env=None, flow=("--packets", "20", "--idt", "const:1000pps")):
        keyed = ["--key", key] if key else []
        result = self.a.groma("send", *flow, *keyed, *arguments, "--json", check=False, env=env)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout) if status == 0 else result.stderr

    def received(self, report) -> list:
        return [flow["received_packets"] for flow in report["flows"]]

    def test_what_passes_between_the_hosts_says_nothing_to_others(self):
        self.b.receiver("--keys", self.part(self.b))
        witness = self.a.witness("tcp port 9000", bytes_kept=65535, direction="inout")
        report = self.send("--to", self.b.address, "--name", "experiment-in-clear", "--log", "send.glog", "--receiver-log", "recv.glog")
        self.assertEqual(self.received(report), [20])
        streams = witness.captured()
        self.assertGreater(len(streams), 1000)
        for word in (b"experiment-in-clear", b"groma", b"hello", b"welcome", b"recv.glog", b"boot"):
            self.assertNotIn(word, streams)
        self.assertEqual(len(self.decoded("send.glog", "recv.glog")["runs"]), 1)

    def test_who_has_no_key_or_another_learns_what_to_do(self):
        receiver = self.b.receiver("--keys", self.part(self.b))
        self.assertIn("give yours with --key FILE", self.send("--to", self.b.address, key=None, status=1))
        self.make("new", "other", to=self.folder / "other.key")
        said = self.send("--to", self.b.address, key="other.key", status=1)
        self.assertIn(f"does not take the key 'other' for the host '{self.b.address}'", said)
        self.assertIn(f"groma-key host FILE {self.b.address}", said)
        receiver.wait_for("turned away")
        # The host's part is not good for who holds it to pass for the user elsewhere.
        self.assertIn("is a host's part", self.send("--to", self.b.address, key=self.folder / f"keys-{self.b.name}/lab.key", status=2))

    def attacked(self, receiver, *arguments, forged, first=0):
        """A run into which another host sends packets in the name of the sender's. Returns: its report, and that of its flow."""
        before = receiver.count("Udp.InDatagrams")
        run = self.a.start_groma("send", "--to", self.b.address, "--key", "lab.key", "--port", "5600", "--duration", "1h", "--idt",
                                 "const:400pps", "--json=attacked.json", *arguments)
        lab.wait_until("packets of the run", lambda: receiver.count("Udp.InDatagrams") >= before + 20)
        for size, version in forged:
            self.c.run("python3", "-c", FORGER, self.a.address, self.b.address, "5600", str(size), str(version), str(first))
        run.stop(signal.SIGINT)
        self.said = run.said
        report = json.loads((self.folder / "attacked.json").read_text())
        return report, report["flows"][0]

    def test_who_forges_packets_of_a_sealed_flow_changes_none_of_its_figures(self):
        receiver = self.b.receiver("--keys", self.part(self.b))
        witness = self.b.witness("udp port 5600", bytes_kept=256)
        report, flow = self.attacked(receiver, "--size", "100", "--log", "send.glog", "--receiver-log", "recv.glog",
                                     forged=((100, 1), (100, 2), (20, 1), (27, 1), (3, 1)))
        self.assertTrue(flow["sealed"])
        self.assertEqual((flow["forged_packets"], flow["malformed_packets"], flow["foreign_packets"]), (250, 0, 0))
        self.assertEqual((flow["received_packets"], flow["duplicates"], flow["lost"]), (flow["sent_packets"], 0, 0))
        self.assertIn("250 forged packets came in, none of which was measured", report["verdict"]["text"])
        logged = self.decoded("send.glog", "recv.glog")["runs"][0]["flows"][0]
        self.assertEqual((logged["received_packets"], logged["lost"]), (flow["sent_packets"], 0))
        # By the witness: each has a seal of its own.
        seals = [packet.segment[28:36] for packet in witness.packets() if packet.payload == 100 and packet.segment[26] == 2]
        self.assertEqual(len(set(seals) - {bytes(8)}), flow["sent_packets"])

    def test_strangers_at_a_flow_without_a_seal_are_told(self):
        receiver = self.b.receiver("--keys", self.part(self.b))
        for arguments in (["--size", "20"], ["--size", "100", "--seal", "off"], ["--size", "unif:20:100"]):
            with self.subTest(arguments=arguments):
                report, flow = self.attacked(receiver, *arguments, forged=((100, 9), (100, 2)))
                self.assertFalse(flow["sealed"])
                self.assertEqual((flow["forged_packets"], flow["malformed_packets"]), (0, 100))
                self.assertIn("100 packets of others came in, who can forge those", report["verdict"]["text"])
        self.attacked(receiver, "--size", "100", "--seal", "off", forged=((100, 1),), first=1_000_000)
        self.assertRegex(self.said, r"the receiver's counts contradict what was sent: \d+ packets arrived, \d+ were sent")
        self.assertIn("by a sealed flow: sizes are from 28", self.send("--to", self.b.address, "--seal", "on", "--size", "20", status=2))

    def test_a_seal_is_on_every_transport_and_way(self):
        self.b.receiver("--keys", self.part(self.b))
        paced, sized = ["--packets", "20", "--idt", "const:1000pps"], ["--size", "200"]
        ways = [[*paced, *sized, "--transport", transport, *meter] for transport in ("udp", "tcp", "icmp", "udplite", "mptcp")
                for meter in ([], ["--meter", "round-trip"])]
        ways += [[*paced, *sized, *more] for more in (["--bidir"], ["--reverse", "--transport", "tcp"], ["--association", "3", "--parallel", "4"],
                                                      ["--response", "300"])]
        ways += [["--request", "100", "--connect-each", "--transport", "tcp", "--packets", "20"], [*paced, "--size", "exp:40", "--seal", "on"],
                 ["--idt", "max", "--bytes", "1000001", "--transport", "tcp"], ["--idt", "max", "--bytes", "1000001"]]
        for way in ways:
            with self.subTest(way=way):
                report = self.send("--to", self.b.address, flow=way)
                for flow in report["flows"]:
                    self.assertTrue(flow["sealed"])
                    self.assertEqual((flow["received_packets"], flow["forged_packets"], flow["malformed_packets"]), (flow["sent_packets"], 0, 0))
                    back = flow["round_trip"]
                    self.assertTrue(back is None or (back["returned_packets"], back["forged_packets"]) == (flow["sent_packets"], 0), back)

    def test_keys_are_read_again_on_hangup(self):
        keys = self.part(self.b)
        (keys / "lab.key").rename(self.folder / "later.key")
        receiver = self.b.receiver("--keys", keys)
        self.send("--to", self.b.address, status=1)
        (self.folder / "later.key").rename(keys / "lab.key")
        receiver.send_signal(signal.SIGHUP)
        receiver.wait_for("1 key in")
        self.assertEqual(self.received(self.send("--to", self.b.address)), [20])
        (keys / "lab.key").unlink()
        receiver.send_signal(signal.SIGHUP)
        receiver.wait_for("no file *.key is in")
        self.send("--to", self.b.address, status=1)

    def test_keys_change_under_load(self):
        keys = self.part(self.b)
        receiver = self.b.receiver("--keys", keys)
        before = receiver.count("Udp.InDatagrams")
        old = self.a.start_groma("send", "--to", self.b.address, "--key", "lab.key", "--duration", "1h", "--idt", "const:400pps", "--json=old.json")
        lab.wait_until("packets of the run", lambda: receiver.count("Udp.InDatagrams") >= before + 20)
        self.make("new", "lab", to=self.folder / "lab2.key")
        self.make("host", self.folder / "lab2.key", self.b.address, to=keys / "lab2.key")
        for number, good in ((2, ("lab.key", "lab2.key")), (1, ("lab2.key",))):
            if number == 1:
                (keys / "lab.key").unlink()
            receiver.send_signal(signal.SIGHUP)
            receiver.wait_for(f"has read the keys again: {number} key")
            for key in good:
                self.assertEqual(self.received(self.send("--to", self.b.address, key=key)), [20])
        self.send("--to", self.b.address, status=1)
        old.stop(signal.SIGINT)
        flow = json.loads((self.folder / "old.json").read_text())["flows"][0]
        self.assertEqual((flow["received_packets"], flow["lost"], flow["forged_packets"]), (flow["sent_packets"], 0, 0))
        (keys / "lab2.key").unlink()  # the folder is that of all tests

    def test_what_is_under_way_ends_with_its_key_if_it_is_to(self):
        log_keys, keys = self.part(self.c), self.part(self.b)
        ended = "with the key lab: ended: its key was removed here, or has expired"
        for who, transport in (("nobody", "tcp"), ("receiver", "tcp"), ("server", "tcp"), ("server", "udp")):
            self.part(self.b), self.part(self.c)
            server = self.c.log_server("--keys", log_keys, "--dir", f"{who}-{transport}", *(["--end-with-key"] if who == "server" else []))
            receiver = self.b.receiver("--keys", keys, *(["--end-with-key"] if who == "receiver" else []))
            before = receiver.count("Udp.InDatagrams")
            run = self.a.start_groma("send", "--to", self.b.address, "--key", "lab.key", "--duration", "1h", "--idt", "const:400pps",
                                     "--log-server", self.c.address, "--log-transport", transport, "--receiver-log-server", "none", "--json=ends.json")
            lab.wait_until("packets of the run", lambda: receiver.count("Udp.InDatagrams") >= before + 20)
            for daemon, folder in ((receiver, keys), (server, log_keys)):
                (folder / "lab.key").unlink()
                daemon.send_signal(signal.SIGHUP)
                daemon.wait_for("has read the keys again")
            if who == "nobody":
                self.assertNotIn("ended: its key", receiver.said)
                run.stop(signal.SIGINT)
            elif who == "receiver":
                receiver.wait_for(ended)
                self.assertEqual(run.wait(), 1)
                self.assertIn("this receiver takes the key 'lab' no more: it was removed there, or has expired", run.said)
            else:
                server.wait_for(ended)
                run.kill()  # it would wait for the server to take its key again
                lab.wait_until("the log to be left", lambda: "its key was removed here, or has expired" in lab.run(
                    lab.BIN / "groma-log", "list", "--dir", self.folder / f"{who}-{transport}").stdout)
            receiver.stop()
            server.stop()

    def test_a_daemon_says_why_it_ends_a_run_with_its_key(self):
        keys = self.part(self.c)
        self.b.receiver("--keys", self.part(self.b))
        daemon = self.c.start_groma("send", "--daemon", "--open", "--keys", keys, "--end-with-key", "--log-dir", self.folder)
        daemon.wait_for("takes runs on")
        for number, more in ((1, []), (2, ["--log", "ended.glog"])):
            run = self.a.start_groma("send", "--via", self.c.address, "--to", self.b.address, *more, "--key", "lab.key", "--duration", "1h", "--idt", "const:400pps")
            daemon.wait_for("begins", times=number)
            (keys / "lab.key").unlink()
            daemon.send_signal(signal.SIGHUP)
            self.assertEqual(run.wait(), 1)
            self.assertIn("the daemon has stopped the run", run.said)
            self.assertIn("this daemon takes the key 'lab' no more: it was removed there, or has expired", run.said)
            self.part(self.c)
            daemon.send_signal(signal.SIGHUP)
            daemon.wait_for("has read the keys again: 1 key", times=number)

    def test_the_role_on_the_host_counts(self):
        self.b.receiver("--keys", self.part(self.b, options=("--role", "receive")))
        self.assertEqual(self.received(self.send("--to", self.b.address)), [20])
        self.assertIn("takes the role send", self.send("--to", self.b.address, "--reverse", status=1))

    def test_the_limits_of_the_key_on_the_host_count(self):
        keys = self.part(self.b, options=("--limits", "sessions=2,flows=2,rate=10kpps,rate=20Mbps,duration=1min"))
        receiver = self.b.receiver("--keys", keys)
        within = ["--packets", "20", "--idt", "const:1000pps", "--duration", "10s"]
        for way in ([], ["--reverse"]):
            self.assertEqual(self.received(self.send("--to", self.b.address, *way, "--parallel", "2", flow=within)), [20, 20])
            for more, said in ((["--parallel", "3", *within], "(flows=2), and this asks for 3"),
                               (["--idt", "const:11kpps", "--duration", "1s"], "(rate=10kpps), and this asks for 11kpps"),
                               (["--idt", "const:2kpps", "--size", "1400", "--duration", "1s"], "(rate=20Mbps), and this asks for 22.4Mbps"),
                               (["--idt", "max", "--duration", "1s"], "and this asks for one without a bound"),
                               (["--idt", "const:1kpps", "--duration", "61s"], "(duration=60s), and this asks for 61s"),
                               (["--idt", "const:1kpps", "--packets", "20"], "and this asks for one without an end")):
                with self.subTest(way=way, more=more):
                    refused = self.send("--to", self.b.address, *way, flow=more, status=1)
                    self.assertIn("the key 'lab' allows", refused)
                    self.assertIn(said, refused)
                    self.assertIn("groma-key host FILE HOST --limits", refused)
        endless = ("send", "--key", "lab.key", "--to", self.b.address, "--idt", "const:1000pps", "--duration", "1min")
        run = self.a.start_groma(*endless, "--parallel", "2")
        receiver.wait_for("begins", times=3)
        self.assertIn("(flows=2), and this asks for 1 beside 2 of other sessions or runs under this key",
                      self.send("--to", self.b.address, flow=within, status=1))
        run.stop(signal.SIGINT)
        runs = [self.a.start_groma(*endless) for _ in range(2)]
        receiver.wait_for("begins", times=5)
        self.assertIn("at most 2 sessions at once", self.send("--to", self.b.address, flow=within, status=1))
        for run in runs:
            run.stop(signal.SIGINT)

    def test_a_daemon_sends_where_it_and_the_key_allow(self):
        self.b.receiver("--keys", self.part(self.b))
        witness = self.b.witness("udp and (multicast or port 53 or port 5353)")
        start = ["send", "--daemon", "--open", "--keys", self.part(self.c, options=("--limits", f"to={self.b.address}+239.1.0.0/16"))]
        anywhere = self.c.start_groma(*start)
        anywhere.wait_for("takes runs on")
        via = ["--via", self.c.address, "--to", self.b.address]
        self.assertEqual(self.received(self.send(*via)), [20])
        for flow, said in ((["--group", "224.0.0.251", "--port", "5353"], "it sends to no multicast group that it was not told"),
                           (["--port", "53"], "(ports=1024-65535), and this asks for 53")):
            self.assertIn(said, self.send(*via, *flow, status=1))
        self.assertIn("the key 'lab' allows these networks only", self.send("--via", self.c.address, "--to", self.a.address, status=1))
        anywhere.stop()
        bounded = self.c.start_groma(*start, "--allow", f"{self.a.address},239.0.0.0/8")
        bounded.wait_for("takes runs on")
        self.assertIn(f"sends nothing to {self.b.address}", self.send(*via, status=1))
        bounded.stop()
        told = self.c.start_groma(*start, "--allow", f"{self.b.address},239.0.0.0/8")
        told.wait_for("takes runs on")
        self.assertIn("the key 'lab' allows these networks only", self.send(*via, "--group", "239.2.0.1", "--port", "5600", status=1))
        self.assertEqual(self.received(self.send(*via, "--group", "239.1.0.1", "--port", "5600")), [20])
        self.assertEqual({(packet.destination, packet.port) for packet in witness.packets()}, {(bytes([239, 1, 0, 1]), 5600)})

    def test_both_directions_and_fetched_logs_under_a_key(self):
        self.b.receiver("--keys", self.part(self.b))
        for _ in range(5):
            self.assertEqual(self.received(self.send("--to", self.b.address, "--bidir")), [20, 20])
        self.assertEqual(self.received(self.send("--to", self.b.address, "--logs", "logs")), [20])
        self.assertEqual(len(list((self.folder / "logs").iterdir())), 2)

    def test_a_daemon_proves_the_users_key_to_the_receivers(self):
        self.b.receiver("--keys", self.part(self.b))
        daemon = self.c.start_groma("send", "--daemon", "--open", "--keys", self.part(self.c))
        daemon.wait_for("takes runs on")
        report = self.send("--via", self.c.address, "--to", self.b.address)
        self.assertEqual(self.received(report), [20])
        self.assertIn("give yours with --key FILE", self.send("--via", self.c.address, "--to", self.b.address, key=None, status=1))
        # What the daemon may do on its own host, its clients may not.
        self.c.receiver("--keys", self.folder / f"keys-{self.c.name}", where=())
        found = os.environ | {"GROMA_KEY": str(self.user_key)}  # which is not proved over loopback
        self.assertIn("there is none for 127.0.0.1:9000: give yours",
                      self.send("--via", self.c.address, "--to", "localhost", key=None, env=found, status=1))

    def test_a_receiver_that_dials_proves_its_key(self):
        sender = self.a.start_groma("send", "--passive", "9002", "--to", "beta", "--packets", "20", "--idt", "const:1000pps",
                                    "--keys", self.part(self.a), "--json")
        self.b.groma("recv", "--dial", self.a.address, "--as", "beta", "--once", "--key", "lab.key")
        self.assertEqual(sender.wait(), 0, sender.said)
        report = json.loads(sender.output.read_text())
        self.assertEqual(self.received(report), [20])

    def test_other_users_of_the_host_need_a_key_and_its_own_do_not(self):
        self.a.receiver("--keys", self.part(self.a, "127.0.0.1"), where=())
        flow = ["--to", "127.0.0.1", "--packets", "20", "--idt", "const:1000pps", "--json"]
        self.assertEqual(self.received(json.loads(self.a.groma("send", *flow).stdout)), [20])
        own = self.a.run("python3", "-c", STRANGER, "127.0.0.1").stdout
        self.assertIn('"type":"welcome"', own)
        other = self.a.run("setpriv", "--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c", STRANGER, "127.0.0.1").stdout
        self.assertIn("give yours with --key FILE", other)
        for word in ("welcome", "groma-recv", "boot_id", self.a.run("uname", "-r").stdout.strip()):
            self.assertNotIn(word, other)
        self.assertEqual(self.received(self.send("--to", "127.0.0.1")), [20])

    def test_logs_travel_under_keys_and_only_of_who_may_ship(self):
        keys = self.part(self.c)
        server = self.c.log_server("--keys", keys, "--dir", "travelled")
        shipper = self.folder / "shipper.key"
        self.make("new", "shipper", "--role", "ship", to=shipper)
        self.make("host", shipper, self.c.address, to=keys / "shipper.key")
        server.send_signal(signal.SIGHUP)
        server.wait_for("2 keys in")
        receiver = self.b.receiver("--keys", self.part(self.b), "--key", shipper)
        shipped = ["--to", self.b.address, "--log-server", self.c.address]
        for times, transport in enumerate(("tcp", "udp"), 1):
            witness = self.c.witness(f"{transport} port 9001", bytes_kept=65535, direction="inout")
            report = self.send(*shipped, "--name", f"in-clear-{transport}", "--log", "send.glog", "--receiver-log", "recv.glog",
                               "--log-transport", transport)
            self.assertEqual(self.received(report), [20])
            streams = witness.captured()
            self.assertGreater(len(streams), 2000)
            for word in (b"in-clear", b"groma", b"sender", b"receiver", b"GLOG", self.b.address.encode()):
                self.assertNotIn(word, streams)
            for name, own in (("sender.glog", "send.glog"), ("receiver-*.glog", "recv.glog")):
                kept, = (self.folder / "travelled").glob(f"in-clear-{transport}-*/{name}")
                self.assertEqual(kept.read_bytes(), (self.folder / own).read_bytes())
                self.assertEqual((kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777), (0o640, 0o750))
            server.wait_for("with the key lab: completed", times=times)
            server.wait_for("with the key shipper: completed", times=times)
        owners = json.loads(lab.run(lab.BIN / "groma-log", "list", self.folder / "travelled", "--json").stdout)["logs"]
        self.assertEqual(sorted(log["owner"] for log in owners), ["lab", "lab", "shipper", "shipper"])
        # Without a key, with one that has not the role, and a receiver without one.
        self.a.receiver(where=())
        alone = ["--to", "127.0.0.1", "--log-server", self.c.address, "--receiver-log-server", "none"]
        self.assertIn("this log server takes senders and receivers that have a key", self.send(*alone, key=None, status=1))
        self.assertIn("takes shippers that have a key", self.send(*alone, "--log-transport", "udp", key=None, status=1))
        self.make("new", "other", to=self.folder / "other.key")
        self.a.receiver("--keys", self.other_part("other.key", "127.0.0.1"), "--port", "9100", where=())
        for transport in ("tcp", "udp"):
            said = self.send("--to", "127.0.0.1:9100", *alone[2:], "--log-transport", transport, key="other.key", status=1)
            self.assertIn(f"does not take the key 'other' for the host '{self.c.address}'", said)
        self.make("host", self.user_key, self.c.address, "--role", "receive,send", to=keys / "lab.key")
        server.send_signal(signal.SIGHUP)
        server.wait_for("2 keys in", times=2)
        for transport in ("tcp", "udp"):
            said = self.send(*shipped, "--receiver-log-server", "none", "--log-transport", transport, status=1)
            self.assertIn("this takes the role ship", said)
        receiver.stop()
        self.b.receiver("--keys", self.folder / f"keys-{self.b.name}")
        for transport, asked in (("tcp", "this log server takes senders and receivers that have a key"), ("udp", "takes shippers that have a key")):
            said = self.send("--to", self.b.address, "--receiver-log-server", self.c.address, "--receiver-log-transport", transport, status=1)
            self.assertIn(asked, said)
            self.assertRegex(said, "it was asked by groma-recv on .*, which has no key for it: start it there with --key FILE")

    def test_a_key_that_has_its_bytes_of_logs_waits_and_others_go_on(self):
        others_key = self.folder / "other.key"
        self.make("new", "other", to=others_key)
        keys, receivers = self.folder / "keys-limited", self.folder / "keys-of-two"
        for folder, host, limits in ((keys, self.c, ("--limits", "log-bytes=100kB")), (receivers, self.b, ())):
            folder.mkdir(mode=0o700)
            self.make("host", self.user_key, host.address, *limits, to=folder / "lab.key")
            self.make("host", others_key, host.address, to=folder / "other.key")
        server = self.c.log_server("--keys", keys, "--dir", "limited")
        self.b.receiver("--keys", receivers)
        shipped = ["--to", self.b.address, "--log-server", self.c.address, "--receiver-log-server", "none", "--spool-dir", "spool"]
        run = self.a.start_groma("send", *shipped, "--key", "lab.key", "--duration", "1h", "--idt", "exp:5000pps", "--size", "unif:28:1000",
                                 "--log", "send.glog", "--verbose")
        server.wait_for("takes nothing for the key lab for now")
        run.wait_for("the key 'lab' allows at most 100 kB of logs (log-bytes=100kB), of which ")
        self.assertEqual(self.received(self.send(*shipped, "--log", "other.glog", key=others_key)), [20])
        server.wait_for("with the key other: completed")
        refused = self.send(*shipped, status=1)
        self.assertIn("takes no more logs for now: the key 'lab' allows at most 100 kB of logs", refused)
        self.assertIn("groma-key host FILE HOST --limits", refused)
        # Its operator gives the key more: that counts once a log was opened with it.
        self.make("host", self.user_key, self.c.address, "--limits", "log-bytes=1GB", to=keys / "lab.key")
        server.send_signal(signal.SIGHUP)
        server.wait_for("2 keys in")
        self.assertEqual(self.received(self.send(*shipped)), [20])
        server.wait_for("has room again for the key lab")
        run.wait_for("takes logs again")
        run.stop(signal.SIGINT)
        self.assertIn("the server took nothing for a while: the key 'lab' allows", run.said)
        for own in ("send.glog", "other.glog"):
            self.assertIn((self.folder / own).read_bytes(), [path.read_bytes() for path in (self.folder / "limited").glob("*/sender.glog")])

    def test_a_log_on_a_host_ends_at_the_limit_of_the_key(self):
        limits = ("--limits", "log-bytes=20kB")
        said = "the key 'lab' allows at most 20 kB of logs (log-bytes=20kB), of which "
        self.b.receiver("--keys", self.part(self.b, options=limits), "--log-dir", self.folder)
        self.c.start_groma("send", "--daemon", "--open", "--keys", self.part(self.c, options=limits), "--log-dir",
                           self.folder).wait_for("takes runs on")
        flow = ["--idt", "const:10kpps", "--packets", "20000", "--size", "100"]
        for own, way in (("recv.glog", ["--receiver-log", "recv.glog"]), ("daemon.glog", ["--via", self.c.address, "--log", "daemon.glog"])):
            result = self.a.groma("send", "--to", self.b.address, "--key", "lab.key", *flow, *way, "--json", check=False)
            self.assertEqual(result.returncode, 1, result.stderr)
            report = json.loads(result.stdout)
            self.assertEqual(self.received(report), [20000])
            self.assertIn(said, " ".join(report["errors"]))
            missing = report["flows"][0]["received_records_missing" if own == "recv.glog" else "sent_records_missing"]
            self.assertGreater(missing, 5000)
            part, = self.folder.glob(f"{own}*")
            self.assertEqual(part.name, f"{own}.part")
            self.assertLessEqual(part.stat().st_size, 20_000)
        result = self.a.groma("send", "--to", self.b.address, "--key", "lab.key", *flow, "--receiver-log", "next.glog", check=False)
        self.assertIn(said, result.stdout + result.stderr)
        self.assertLess((self.folder / "next.glog.part").stat().st_size, 20_000 - (self.folder / "recv.glog.part").stat().st_size + 1)
        (self.folder / "recv.glog.part").unlink()
        (self.folder / "next.glog.part").unlink()
        self.a.groma("send", "--to", self.b.address, "--key", "lab.key", "--packets", "20", "--receiver-log", "last.glog")
        self.assertTrue((self.folder / "last.glog").exists())

    def test_a_log_in_the_spool_needs_the_key_again(self):
        keys = self.part(self.c)
        server = self.c.log_server("--keys", keys, "--dir", "resumed")
        self.a.receiver("--keys", self.part(self.a, "127.0.0.1"), where=())
        run = self.a.start_groma("send", "--to", "127.0.0.1", "--key", "lab.key", "--log-server", self.c.address, "--receiver-log-server",
                                 "none", "--spool-dir", "spool", "--duration", "10min", "--idt", "const:1000pps")
        lab.wait_until("a part of the log", lambda: any(path.stat().st_size for path in (self.folder / "resumed").glob("*/*.part")))
        server.kill()
        run.wait_for("is back")
        run.kill()
        self.c.log_server("--keys", keys, "--dir", "resumed")
        resume = ["send", "--resume-spool", "--spool-dir", "spool"]
        self.assertIn("takes senders and receivers that have a key", self.a.groma(*resume, check=False).stdout)
        self.assertIn("delivered, incomplete", self.a.groma(*resume, "--key", "lab.key").stdout)

    def test_a_daemon_ships_under_the_key_of_its_client(self):
        self.c.log_server("--keys", self.part(self.c), "--dir", "of-daemon")
        daemon = self.b.start_groma("send", "--daemon", "--open", "--keys", self.part(self.b), "--log-servers", f"{self.c.address},localhost")
        daemon.wait_for("takes runs on")
        self.b.receiver("--keys", self.folder / f"keys-{self.b.name}")
        said = self.send("--via", self.b.address, "--to", self.b.address, "--log-server", f"{self.c.address}:22", status=1)
        self.assertIn(f"this host ships no logs to {self.c.address}:22", said)
        # What its own programs may do on its host without a key, its clients may not.
        found = os.environ | {"GROMA_KEY": str(self.user_key)}  # which is not offered to loopback
        self.b.log_server("--keys", self.folder / f"keys-{self.b.name}", "--dir", "exempt")
        for transport in ("tcp", "udp"):
            said = self.send("--via", self.b.address, "--to", self.b.address, "--log-server", "localhost", "--receiver-log-server", "none",
                             "--log-transport", transport, key=None, env=found, status=1)
            self.assertIn("those of a daemon's client are none", said)
        for way in (["--via", self.b.address], ["--reverse"]):
            report = self.send(*way, "--to", self.b.address, "--log-server", self.c.address,
                               *(["--receiver-log-server", "none"] if "--via" in way else []))
            self.assertEqual(self.received(report), [20])
        self.assertEqual(len(list((self.folder / "of-daemon").glob("*/*.glog"))), 3)

    def test_logs_of_the_servers_own_user_need_no_key_over_loopback_and_those_of_others_do(self):
        self.a.log_server("--keys", self.part(self.a), "--dir", "of-users")
        self.a.receiver(where=())
        self.folder.chmod(0o777)
        for transport in ("tcp", "udp"):
            for address in ("127.0.0.1", "[::1]"):
                run = ["--to", "127.0.0.1", "--packets", "2", "--log-server", address, "--receiver-log-server", "none",
                       "--log-transport", transport, "--spool-dir"]
                self.a.groma("send", *run, "spool-of-own")
                other = self.a.run("setpriv", "--reuid", "65534", "--clear-groups", lab.BIN / "groma-send", *run, "spool-of-another",
                                   check=False)
                self.assertEqual(other.returncode, 1, other.stdout)
                self.assertIn("that have a key: give yours with --key FILE", other.stderr)
        self.assertEqual(len(list((self.folder / "of-users").glob("*/*.glog"))), 4)

    def audit(self, file: str) -> list:
        """What was decided, about whom, and whose key it was."""
        events = [json.loads(line) for line in (self.folder / file).read_text().splitlines()]
        return [(event["what"], event["verdict"], event["from"].split(":")[0], event.get("key")) for event in events]

    def test_an_audit_has_a_line_for_each_that_is_served_or_refused(self):
        self.c.log_server("--keys", self.part(self.c), "--dir", "audited", "--audit", "log.audit")
        self.b.receiver("--keys", self.part(self.b), "--audit", "recv.audit")
        daemon = self.c.start_groma("send", "--daemon", "--open", "--keys", self.folder / f"keys-{self.c.name}", "--audit", "send.audit")
        daemon.wait_for("takes runs on")
        self.send("--to", self.b.address, "--log-server", self.c.address, "--receiver-log-server", "none")
        self.send("--to", self.b.address, key=None, status=1)
        self.send("--to", self.b.address, "--receiver-log-server", "10.99.0.9", status=1)
        self.send("--via", self.c.address, "--to", self.b.address)
        self.send("--via", self.c.address, "--to", self.b.address, key=None, status=1)
        a, c = self.a.address, self.c.address
        self.assertEqual(self.audit("recv.audit"), [("session", "allowed", a, "lab"), ("connection", "refused", a, None),
                                                    ("session", "allowed", a, "lab"), ("session", "refused", a, "lab"),
                                                    ("session", "allowed", c, "lab")])
        self.assertEqual(self.audit("log.audit"), [("log", "allowed", a, "lab")])
        self.assertEqual(self.audit("send.audit"), [("run", "allowed", a, "lab"), ("connection", "refused", a, None)])

    def test_a_crowd_without_keys_keeps_nobody_out(self):
        recorder = self.b.start("/usr/bin/python3", "-c", RECORDER)
        recorder.wait_for("listening")
        self.send("--to", self.b.address, status=1)
        self.assertEqual(recorder.wait(), 0)
        self.c.log_server("--keys", self.part(self.c), "--dir", "crowded")
        self.b.receiver("--keys", self.part(self.b), "--key", "lab.key")
        for host, port in ((self.b, 9000), (self.c, 9001)):
            self.a.start("/usr/bin/python3", "-c", CROWD, host.address, port, stdin=subprocess.PIPE).wait_for("held")
        self.assertEqual(self.received(self.send("--to", self.b.address, "--log-server", self.c.address)), [20])
        self.assertEqual(len(list((self.folder / "crowded").glob("*/*.glog"))), 2)

    def test_another_tls_client_gets_an_alert_and_nothing_else(self):
        self.b.receiver("--keys", self.part(self.b))
        for offered in (["-psk", "00" * 32, "-psk_identity", "stranger"], []):
            result = self.a.run("openssl", "s_client", "-connect", f"{self.b.address}:9000", "-tls1_3", *offered, check=False, stdin=subprocess.DEVNULL)
            self.assertIn("alert", result.stderr)
            self.assertIn("SSL handshake has read 7 bytes", result.stdout)


if __name__ == "__main__":
    lab.main()
