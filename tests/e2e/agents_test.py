#!/usr/bin/env python3
"""Flows from many hosts in one run: by agents, without mpirun."""
import json
import re
import signal

import lab
from flows import table


class AgentsTest(lab.LabTest):
    keeps_hosts = True

    def write(self, flows, **agents) -> str:
        """An experiment of these flows: (from, to, packets), by the numbers of hosts; from 0: from who runs it."""
        hosts = "".join(f'{host.name} = {{ address = "{host.address}"{agents.get(host.name, "")} }}\n' for host in self.lab.hosts)
        rows = [{"name": f"{start}-{end}", "to": f"host{end}", "packets": packets, "idt": "const:1000pps"} | ({"from": f"host{start}"} if start else {})
                for start, end, packets in flows]
        (self.folder / "hosts.toml").write_text(f"[hosts]\n{hosts}" + "".join(table("[[flow]]", row) for row in rows))
        return "hosts.toml"

    def receivers(self, *hosts) -> list:
        """Each with a folder of its own for its logs."""
        for host in hosts:
            (self.folder / host.name).mkdir(exist_ok=True)
        return [host.receiver("--log-dir", self.folder / host.name) for host in hosts]

    def agents(self, *hosts, options=("--open-to-anyone",)) -> list:
        started = [host.start_groma("send", "--agent", *options) for host in hosts]
        for agent in started:
            agent.wait_for("takes runs on")
        return started

    def report(self, *arguments, status=0) -> dict:
        result = self.a.groma("send", *arguments, "--json", "--quiet", keep_logs=True, check=False)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return json.loads(result.stdout)


class ThreeHosts(AgentsTest):
    hosts = 3

    def setUp(self):
        super().setUp()
        self.c, = self.more

    def test_flows_from_several_hosts_are_one_run_with_one_start_and_one_report(self):
        for host in self.lab.hosts:
            host.receiver("--log-dir", self.folder)
        self.agents(self.b, self.c, options=("--open-to-anyone", "--log-dir", self.folder))
        witness = self.a.witness(f"udp and src {self.c.address}")
        file = self.write([(0, 2, 50), (2, 3, 60), (3, 1, 70), (3, 2, 80)], host2=", agent = 9003")
        report = self.report(file, "--agents", "host3", "--log", "send.glog", "--receiver-log", "recv.glog")
        self.assertEqual([(flow["name"], flow["sent_packets"], flow["received_packets"]) for flow in report["flows"]],
                         [("0-2", 50, 50), ("2-3", 60, 60), ("3-1", 70, 70), ("3-2", 80, 80)])
        self.assertEqual(len(witness.packets()), 70)
        received = ["recv.glog", "recv-from-host2.glog", "recv-from-host3-10.99.0.1.glog", "recv-from-host3-10.99.0.2.glog"]
        self.assertEqual({path.name for path in self.folder.glob("*.glog")}, {"send.glog", "send-host2.glog", "send-host3.glog", *received})
        decoded, = self.decoded("send.glog", "send-host2.glog", "send-host3.glog")["runs"]
        self.assertEqual((decoded["run_id"], len(decoded["flows"])), (report["run"]["run_id"], 4))

    def test_a_host_without_an_agent_is_named_and_nothing_is_sent(self):
        receiver = self.b.receiver()
        before = receiver.count("Udp.InDatagrams")
        self.agents(self.b)
        result = self.a.groma("send", self.write([(0, 2, 50), (2, 2, 50), (3, 2, 50)]), "--agents", "host2,host3", check=False)
        self.assertSaid(result, 1, f"host3: cannot connect to the agent at {self.c.address}:9003", "is groma-send --agent running there")
        self.assertEqual(receiver.count("Udp.InDatagrams"), before)

    def test_what_was_measured_is_kept_when_a_host_fails(self):
        receiver = self.a.receiver()
        before = receiver.count("Udp.InDatagrams")
        _, failing = self.agents(self.b, self.c)
        run = self.a.start_groma("send", self.write([(2, 1, 3000), (3, 1, 10_000_000)]), "--agents", "host2,host3", "--json=kept.json")
        lab.wait_until("packets of both", lambda: receiver.said.count("begins") == 2 and receiver.count("Udp.InDatagrams") > before + 50)
        failing.kill()
        self.assertEqual(run.wait(), 1, run.said)
        self.assertRegex(run.said, f"host3: {self.c.address}:9003: (closed the connection|was silent)")
        report = json.loads((self.folder / "kept.json").read_text())
        self.assertEqual([(flow["name"], flow["sent_packets"], flow["received_packets"]) for flow in report["flows"]],
                         [("2-1", 3000, 3000), ("3-1", 0, None)])
        self.assertRegex("".join(report["errors"]), f"what was sent is not known: host3: {self.c.address}:9003: closed the connection")
        self.assertRegex(run.said, r"NOT\s+sent\s+as\s+asked")

    def test_the_logs_of_all_hosts_come_here(self):
        self.receivers(*self.lab.hosts)
        self.agents(self.b, self.c)
        file = self.write([(0, 2, 50), (2, 3, 60), (3, 1, 70), (3, 2, 80)])
        report = self.report(file, "--agents", "host2,host3", "--fetch-logs", "run")
        received = ["recv.glog", "recv-from-host2.glog", "recv-from-host3-10.99.0.1.glog", "recv-from-host3-10.99.0.2.glog"]
        self.assertEqual({path.name for path in (self.folder / "run").iterdir()}, {"send.glog", "send-host2.glog", "send-host3.glog", *received})
        self.assertEqual({receiver["log_file"] for receiver in report["receivers"]}, {f"run/{name}" for name in received})
        self.assertEqual({log["name"] for log in report["remote_logs"]}, {"run/send-host2.glog", "run/send-host3.glog"})
        for host, senders in zip(self.lab.hosts, (["host3"], ["host3"], ["host2"])):  # receivers of agents keep theirs
            self.assertEqual([path.stem.rpartition("-from-")[2].partition("-")[0] for path in (self.folder / host.name).iterdir()], senders)
        decoded, = self.decoded("run")["runs"]
        self.assertEqual([(flow["sent_packets"], flow["received_packets"], flow["lost"]) for flow in decoded["flows"]],
                         [(count, count, 0) for count in (50, 60, 70, 80)])
        self.assertEqual([flow["from_host"] for flow in report["flows"]], ["", "host2", "host3", "host3"])
        result = self.a.groma("send", file, "--agents", "host2,host3", "--logs", "run", keep_logs=True, check=False)
        self.assertSaid(result, 2, "has a log of another run")

    def test_the_logs_of_the_others_come_when_a_host_fails(self):
        receiver, = self.receivers(self.a)
        before = receiver.count("Udp.InDatagrams")
        _, failing = self.agents(self.b, self.c)
        run = self.a.start_groma("send", self.write([(2, 1, 3000), (3, 1, 10_000_000)]), "--agents", "host2,host3", "--logs", "rest", "--json=kept.json", keep_logs=True)
        lab.wait_until("packets of both", lambda: receiver.said.count("begins") == 2 and receiver.count("Udp.InDatagrams") > before + 50)
        failing.kill()
        self.assertEqual(run.wait(), 1, run.said)
        self.assertEqual({path.name for path in (self.folder / "rest").iterdir()}, {"send-host2.glog", "recv-from-host2.glog", "send-host3.glog.part"})
        self.assertIn("send-host3.glog.part is empty", self.a.groma("dec", "rest").stderr)
        report = json.loads((self.folder / "kept.json").read_text())
        self.assertEqual(report["network"]["result"], "unknown")
        self.assertIn("nothing is known of 1 flow", report["network"]["text"])

    def test_ctrl_c_ends_the_flows_of_all_hosts(self):
        receiver = self.a.receiver()
        before = receiver.count("Udp.InDatagrams")
        agents = self.agents(self.b, self.c)
        run = self.a.start_groma("send", self.write([(2, 1, 10_000_000), (3, 1, 10_000_000)]), "--agents", "host2,host3", "--json=ended.json")
        lab.wait_until("packets of both", lambda: receiver.said.count("begins") == 2 and receiver.count("Udp.InDatagrams") > before + 50)
        run.stop(signal.SIGINT)
        report = json.loads((self.folder / "ended.json").read_text())
        self.assertEqual([flow["lost"] for flow in report["flows"]], [0, 0])
        self.assertTrue(report["run"]["interrupted"])
        for agent in agents:
            agent.wait_for("the run ended: interrupted after")

    def test_under_keys(self):
        (self.folder / "lab.key").touch(mode=0o600)
        (self.folder / "lab.key").write_text(self.a.groma("key", "new", "lab", "--role", "send,receive", keep_logs=True).stdout)
        options = []
        for host in self.lab.hosts:
            keys = self.folder / f"keys-{host.name}"
            keys.mkdir(mode=0o700, exist_ok=True)
            part = self.a.groma("key", "host", "lab.key", host.address, keep_logs=True).stdout
            (keys / "lab.key").touch(mode=0o600)
            (keys / "lab.key").write_text(part)
            options.append(("--open", "--keys", keys))
            host.receiver("--keys", keys)
        for host, own in zip(self.lab.hosts[1:], options[1:]):
            self.agents(host, options=own)
        file = self.write([(0, 2, 50), (2, 3, 50), (3, 2, 50)])
        report = self.report(file, "--agents", "host2,host3", "--key", "lab.key", "--logs", "sealed")
        self.assertEqual({path.name for path in (self.folder / "sealed").iterdir()},
                         {"send.glog", "recv.glog", "send-host2.glog", "recv-from-host2.glog", "send-host3.glog", "recv-from-host3.glog"})
        self.assertEqual([(flow["received_packets"], flow["sealed"], flow["forged_packets"]) for flow in report["flows"]], [(50, True, 0)] * 3)
        result = self.a.groma("send", file, "--agents", "host2,host3", "--key", "none", check=False)
        self.assertSaid(result, 1, "takes clients that have a key")


# Runs a command on the host of an address, as ssh does.
RUNNER = """#!/bin/sh
host=${1##*.}; shift
exec ip netns exec %sx$host sh -c "PATH=%s:\\$PATH; exec $*"
"""


class StartedAgents(AgentsTest):
    hosts = 3

    def setUp(self):
        super().setUp()
        self.c, = self.more
        self.a.receiver()
        runner = self.folder / "runner"
        runner.write_text(RUNNER % (self.a.namespace.rpartition("x")[0], lab.BIN))
        runner.chmod(0o755)
        self.command = ["--agents", "ssh:host2,host3", "--agent-command", str(runner)]

    def left(self) -> str:
        """What runs on the hosts that agents are started on."""
        return "".join(lab.run("ip", "netns", "pids", host.namespace).stdout for host in (self.b, self.c))

    def test_they_send_and_end_with_the_run(self):
        self.c.log_server("--dir", "collected")
        report = self.report(self.write([(2, 1, 50), (3, 1, 60)]), *self.command)
        self.assertEqual([(flow["sent_packets"], flow["received_packets"]) for flow in report["flows"]], [(50, 50), (60, 60)])
        lab.wait_until("the agents to end", lambda: len(self.left().split()) == 1)
        report = self.report(self.write([(2, 1, 50), (3, 1, 60)]), *self.command, "--log-server", self.c.address, "--receiver-log-server", "none")
        self.assertEqual(sorted(path.name for path in (self.folder / "collected").glob("*/*.glog")), ["sender-host2.glog", "sender-host3.glog"])

    def test_they_hand_on_their_logs(self):
        self.report(self.write([(2, 1, 50), (3, 1, 60)]), *self.command, "--logs", "brought")
        self.assertEqual({path.name for path in (self.folder / "brought").iterdir()},
                         {"send-host2.glog", "recv-from-host2.glog", "send-host3.glog", "recv-from-host3.glog"})

    def test_nothing_is_left_when_the_leader_dies(self):
        run = self.a.start_groma("send", self.write([(2, 1, 10_000_000), (3, 1, 10_000_000)]), *self.command)
        lab.wait_until("agents", lambda: len(self.left().split()) >= 2)
        lab.wait_until("packets", lambda: self.a.run("ss", "-Huna").stdout)
        run.kill()
        lab.wait_until("the agents to end", lambda: not self.left())

    def test_one_that_cannot_be_started_is_named(self):
        result = self.a.groma("send", self.write([(2, 1, 50)]), "--agents", "ssh:host2", "--agent-command", "echo no way to", check=False)
        self.assertSaid(result, 1, "host2: no agent could be started", "it said: no way to 10.99.0.2 groma-send --agent=0 --open --keys -")

    def test_the_key_of_the_leader_is_asked_for(self):
        result = self.b.groma("send", "--agent=0", "--open", "--keys", "-", check=False)
        self.assertSaid(result, 2, "standard input does not begin with a line with a key", "--keys DIR")


class TwentyHosts(AgentsTest):
    hosts = 21

    def test_each_sends_to_the_next(self):
        others = self.lab.hosts[1:]
        self.receivers(*others)
        self.agents(*others)
        flows = [(number, number + 1 if number < 21 else 2, 100) for number in range(2, 22)]
        report = self.report(self.write(flows), "--agents", ",".join(host.name for host in others), "--logs", "run")
        self.assertEqual([(flow["sent_packets"], flow["received_packets"]) for flow in report["flows"]], [(100, 100)] * 20)
        self.assertTrue(re.fullmatch("[0-9a-f]{32}", report["run"]["run_id"]))
        self.assertEqual(len([*(self.folder / "run").iterdir()]), 40)
        decoded, = self.decoded("run")["runs"]
        self.assertEqual(decoded["run_id"], report["run"]["run_id"])
        self.assertEqual([(flow["sent_packets"], flow["received_packets"], flow["lost"]) for flow in decoded["flows"]], [(100, 100, 0)] * 20)


if __name__ == "__main__":
    lab.main()
