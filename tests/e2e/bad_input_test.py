#!/usr/bin/env python3
"""Usage errors: each ends soon, with a helpful message and the right exit status."""
import lab


class BadCommandLines(lab.LabTest):
    def refused(self, *arguments, status=2, says=()):
        result = self.a.groma("send", *arguments, check=False)
        self.assertSaid(result, status, *says)
        self.assertNotIn("terminate called", result.stderr)
        self.assertEqual(list(self.folder.glob("*.glog*")), [], "nothing may look like a log")

    def test_an_unknown_option(self):
        self.refused("--to", "127.0.0.1", "--idtt", "const:1000pps", says=["--idtt"])

    def test_a_negative_rate(self):
        self.refused("--to", "127.0.0.1", "--idt=const:-5pps", "--log", "x.glog", says=["-5pps"])

    def test_a_rate_without_a_unit(self):
        self.refused("--to", "127.0.0.1", "--idt", "exp:2000", "--log", "x.glog", says=["exp:2000", "pps"])

    def test_sizes_that_no_packet_has(self):
        self.refused("--to", "127.0.0.1", "--size", "const:0", "--log", "x.glog", says=["const:0"])
        self.refused("--to", "127.0.0.1", "--size", "const:100000", "--log", "x.glog", says=["100000", "65507"])

    def test_several_errors_are_told_together(self):
        self.refused("--to", "127.0.0.1", "--size", "const:0", "--idt", "exp:2000", "--duration", "soon",
                     says=["const:0", "exp:2000", "soon"])

    def test_a_value_behind_a_space_of_an_option_that_may_stand_alone(self):
        self.refused("--to", "127.0.0.1", "--json", "out.json", status=2, says=["out.json", "write --json=out.json"])
        self.refused("--to", "127.0.0.1", "--dry-run", "json", status=2, says=["write --dry-run=json"])
        self.refused("--daemon", "9077", status=2, says=["write --daemon=9077"])
        self.assertSaid(self.a.groma("recv", "--live", "2s", check=False), 2, "write --live=2s")

    def test_no_target(self):
        self.refused("--idt", "const:10pps", says=["--to"])

    def test_a_host_that_does_not_answer(self):
        self.refused("--to", "10.99.0.77", "--log", "x.glog", status=1, says=["10.99.0.77"])

    def test_a_host_without_a_receiver(self):
        self.refused("--to", self.b.address, "--log", "x.glog", status=1, says=[self.b.address, "is groma-recv running there, and was it started with --open or --open-to-anyone?"])

    def test_a_host_in_place_of_an_experiment(self):
        self.refused("10.77.0.2", says=["10.77.0.2", "did you mean --to 10.77.0.2?"])

    def test_a_name_that_nobody_knows(self):
        self.refused("--to", "no-such-host.invalid", "--log", "x.glog", status=1, says=["no-such-host.invalid"])

    def test_a_log_that_cannot_be_written(self):
        self.b.receiver()
        self.refused("--to", self.b.address, "--packets", "1", "--log", "/proc/x.glog", status=1, says=["/proc/x.glog"])
        self.refused("--to", self.b.address, "--packets", "1", "--log", "no/such/folder/x.glog", status=1,
                     says=["no/such/folder/x.glog"])

    def test_a_receivers_log_with_a_path_in_its_name(self):
        self.b.receiver()
        self.refused("--to", self.b.address, "--packets", "1", "--receiver-log", "../evil.glog", status=1, says=["../evil.glog"])

    def test_a_data_port_that_is_taken(self):
        self.b.receiver()
        holder = self.b.start("python3", "-c", "import signal,socket\ns=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)\n"
                              f"s.bind(('{self.b.address}',7000))\nprint('bound',flush=True)\nsignal.pause()", name="holder")
        holder.wait_for("bound")
        self.refused("--to", self.b.address, "--port", "7000", "--packets", "1", "--log", "x.glog", status=1, says=["7000", "in use"])

    def test_two_flows_on_one_port(self):
        (self.folder / "two.toml").write_text(f"""
            [[flow]]
            name = "one"
            to = "{self.b.address}"
            port = 7000
            packets = 1
            [[flow]]
            name = "two"
            to = "{self.b.address}"
            port = 7000
            packets = 1
        """)
        self.refused("two.toml", says=["7000"])

    def test_an_experiment_with_five_errors_is_told_all_five_with_their_places(self):
        (self.folder / "five.toml").write_text("\n".join([
            "seed = \"many\"",                       # line 1
            "[[flow]]",
            "to = \"127.0.0.1\"",
            "idt = \"exp:2000\"",                    # line 4
            "size = \"const:0\"",                    # line 5
            "colour = \"red\"",                      # line 6
            "transport = \"carrier-pigeon\"",        # line 7
            "duration = \"1s\"",
        ]) + "\n")
        self.refused("five.toml", says=[f"five.toml:{line}:" for line in (1, 4, 5, 6, 7)])

    def test_an_experiment_that_is_not_there(self):
        self.refused("none.toml", status=1, says=["none.toml"])


class TakenNames(lab.LabTest):
    hosts = 3

    def setUp(self):
        super().setUp()
        (self.folder / "kept").mkdir()
        self.witness = self.b.witness("udp and dst port 7000")

    def send(self, *arguments, to=None, **options):
        return self.a.groma("send", "--to", to or self.b.address, "--packets", "3", "--port", "7000", *arguments, keep_logs=True,
                            limit=30, **options)

    def test_a_log_that_is_there_is_kept_and_nothing_is_sent(self):
        self.b.receiver("--log-dir", "kept", keep_logs=True)
        self.send("--log", "send.glog", "--receiver-log", "recv.glog")
        before = {name: (self.folder / name).read_bytes() for name in ("send.glog", "kept/recv.glog")}
        self.assertSaid(self.send("--log", "send.glog", check=False), 2, "send.glog: it is there already", "--force")
        passive = self.a.groma("send", "--passive", "9002", "--open-to-anyone", "--log", "send.glog", keep_logs=True, check=False, limit=30)
        self.assertSaid(passive, 2, "send.glog: it is there already")
        refused = self.send("--log", "more.glog", "--receiver-log", "recv.glog", check=False)
        self.assertSaid(refused, 1, "recv.glog: it is there already", "--replace-logs")
        self.assertEqual({path.name for path in self.folder.rglob("*.glog*")}, {"send.glog", "recv.glog"})
        self.assertEqual({name: (self.folder / name).read_bytes() for name in before}, before)
        self.send("--log", "send.glog", "--force", "--receiver-log", "other.glog")
        self.assertNotEqual((self.folder / "send.glog").read_bytes(), before["send.glog"])
        self.assertEqual(len(self.witness.packets()), 6)

    def test_a_run_that_one_of_two_receivers_refuses_leaves_no_log_with_the_other(self):
        other, = self.more
        taken = self.folder / "kept" / f"recv-{other.address}.glog"
        taken.write_bytes(b"no log")
        (self.folder / "two.toml").write_text("".join(
            f'[[flow]]\nto = "{host.address}"\nport = 7000\npackets = 3\n' for host in (self.b, other)))
        run = ("send", "two.toml", "--log", "send.glog", "--receiver-log", "recv.glog")
        receivers = [host.receiver("--log-dir", "kept", keep_logs=True) for host in (self.b, other)]
        self.assertSaid(self.a.groma(*run, keep_logs=True, check=False, limit=30), 1, taken.name)
        lab.wait_until("the run to end", lambda: "its log is not kept" in receivers[0].said)
        self.assertEqual([path.name for path in self.folder.rglob("*.glog*")], [taken.name])
        taken.unlink()
        self.a.groma(*run, keep_logs=True, limit=30)
        self.assertEqual(len(self.witness.packets()), 3)

    def test_devices_and_pipes_are_no_logs_to_be_kept(self):
        self.b.receiver()
        for _ in range(2):
            self.send("--log", "/dev/null")
        self.a.run("mkfifo", "pipe")
        for name in ("one", "two"):
            reader = self.a.start("sh", "-c", f"cat pipe >{name}.glog")
            self.send("--log", "pipe")
            self.assertEqual(reader.wait(), 0)
            self.assertEqual(self.decoded(f"{name}.glog")["runs"][0]["total"]["sent_packets"], 3)


class BadLogs(lab.LabTest):
    def setUp(self):
        super().setUp()
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--packets", "500", "--log", "send.glog",
                     "--receiver-log", "recv.glog")

    def test_garbage_is_no_log(self):
        (self.folder / "garbage.glog").write_bytes(bytes(range(256)) * 40)
        result = lab.run(lab.BIN / "groma-dec", "garbage.glog", cwd=self.folder, check=False)
        self.assertSaid(result, 2, "garbage.glog", "not a Groma log")

    def test_a_log_that_is_not_there(self):
        result = lab.run(lab.BIN / "groma-dec", "none.glog", cwd=self.folder, check=False)
        self.assertSaid(result, 1, "none.glog")

    def test_results_behind_a_space_are_not_taken_for_a_log_that_is_missing(self):
        def refused(*words, says):
            self.assertSaid(lab.run(lab.BIN / "groma-dec", *words, cwd=self.folder, check=False), 2, says)

        for option in ("--json", "--csv", "--jsonl"):
            refused(option, "results", "send.glog", says=f"write {option}=results")
        refused("--follow", "5s", "send.glog", says="write --follow=5s")
        (self.folder / "old.json").write_text("{}")
        refused("--json", "old.json", "send.glog", says="write --json=old.json")
        refused("fit", "--profile", "x.toml", "send.glog", says="write --profile=x.toml")
        refused("batch", "--csv", "x.csv", "sweep", says="write --csv=x.csv")
        lab.run(lab.BIN / "groma-dec", "--json", "send.glog", cwd=self.folder)

    def test_a_log_cut_anywhere_is_decoded_to_the_cut_and_said_to_be_cut(self):
        whole = (self.folder / "send.glog").read_bytes()
        for part in (0.3, 0.6, 0.9, 0.999):
            (self.folder / "cut.glog").write_bytes(whole[:int(len(whole) * part)])
            result = lab.run(lab.BIN / "groma-dec", "cut.glog", cwd=self.folder, check=False)
            self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
            self.assertIn("cut.glog", result.stderr + result.stdout)

    def test_results_are_not_written_over_a_file_that_is_something_else(self):
        (self.folder / "precious.sqlite").write_text("my thesis")
        result = lab.run(lab.BIN / "groma-dec", "send.glog", "--sqlite", "precious.sqlite", cwd=self.folder, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual((self.folder / "precious.sqlite").read_text(), "my thesis")


class BadDaemons(lab.LabTest):
    def test_a_control_port_that_is_taken(self):
        for program, other in (("recv", ()), ("log", ("--dir", "other"))):
            first = self.a.start_groma(program, "--port", "9123")
            first.wait_for("listening on")
            second = self.a.groma(program, "--port", "9123", *other, check=False)
            self.assertSaid(second, 1, "9123", "in use")
            first.stop()

    def test_an_address_of_the_network_without_open(self):
        for program in ("recv", "log"):
            result = self.a.groma(program, "--listen", self.a.address, check=False)
            self.assertSaid(result, 2, "add --open and --keys DIR", "groma-key new", "groma-key host", "--open-to-anyone")

    def test_a_daemon_that_does_not_say_who_may_come(self):
        for daemon in (["recv", "--open"], ["log", "--open"], ["send", "--daemon", "--open"], ["send", "--passive", "9002", "--packets", "1"]):
            result = self.a.groma(*daemon, check=False)
            self.assertSaid(result, 2, "does not say who may come", "groma-key new", "groma-key host", "--open-to-anyone")

    def test_whoever_reaches_a_daemon_is_told_where_it_starts_and_in_reports(self):
        receiver = self.b.receiver()
        self.assertIn("--open-to-anyone: whoever reaches the port can have this host receive and log", receiver.said)
        run = ["send", "--to", self.b.address, "--packets", "2"]
        for report in (self.a.groma(*run).stdout, self.a.groma(*run, "--verbose").stdout):
            self.assertIn(f"the receiver {self.b.address}:9000 serves anyone (--open-to-anyone)", report)
        report = lab.json.loads(self.a.groma(*run, "--json").stdout)
        self.assertEqual((report["receivers"][0]["serves"], report["run"]["serves"]), ("anyone (--open-to-anyone)", ""))
        self.b.start_groma("send", "--daemon", "--open-to-anyone").wait_for("takes runs on")
        via = ["--via", self.b.address]
        self.assertRegex(self.a.groma(*run, *via).stdout, r"the sender on \S+ serves anyone \(--open-to-anyone\): strangers")
        report = lab.json.loads(self.a.groma(*run, *via, "--json").stdout)
        self.assertEqual(report["run"]["serves"], "anyone (--open-to-anyone)")

    def test_garbage_on_the_control_port_harms_nobody(self):
        receiver = self.b.receiver()
        for garbage in ("x" * 1000, "\\x00\\x00\\x00\\x05hello", "\\xff\\xff\\xff\\xff", ""):
            self.a.run("bash", "-c", f"printf '{garbage}' >/dev/tcp/{self.b.address}/9000", check=False)
        self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--packets", "50")
        self.assertIsNone(receiver.process.poll())


if __name__ == "__main__":
    lab.main()
