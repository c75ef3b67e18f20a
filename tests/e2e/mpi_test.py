#!/usr/bin/env python3
"""groma-mpi: one run under mpirun, on hosts of the lab, and on this machine as a new user would start it."""
import json
import pathlib
import subprocess
import sys
import unittest

import ending
import lab
import mpirun

EXPERIMENT = """
name = "four"
seed = 11
[hosts]
alpha = "10.99.0.1"
beta = "10.99.0.2"
gamma = "10.99.0.3"
[defaults]
to = "gamma"
{stop}
[[flow]]
name = "a-udp"
from = "alpha"
idt = "exp:2000pps"
size = "unif:64:1400"
{more}
[[flow]]
name = "a-tcp"
from = "alpha"
transport = "tcp"
idt = "const:300pps"
size = "2000"
[[flow]]
name = "b-udp"
from = "beta"
idt = "const:3000pps"
size = "200"
"""

STRANGER = """
import socket, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
connection.sendall(b"\\0\\0\\0\\2{}")
print(connection.recv(4096).decode(errors="replace"))
"""


def glogs(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(folder.glob("*.glog"))


def command_of(pid: str) -> str:
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


class FourHostsTest(lab.LabTest):
    hosts = 4

    def write(self, stop="packets = 1000", more=""):
        (self.folder / "four.toml").write_text(EXPERIMENT.format(stop=stop, more=more))

    def mpi(self, *arguments, check=True):
        command = self.a.command(*mpirun.over(self.lab.hosts, "four.toml", *arguments))
        return lab.run(*command, cwd=self.folder, env=mpirun.environment(self.folder), check=check)

    def start(self, *arguments) -> lab.Program:
        command = self.a.command("env", f"TMPDIR={mpirun.environment(self.folder)['TMPDIR']}",
                                 *mpirun.over(self.lab.hosts, "four.toml", *arguments))
        program = lab.Program(command, self.folder, "mpirun")
        self.addCleanup(program.kill)
        return program


class FourHosts(FourHostsTest):
    def check_logs(self, transport):
        """The log server's logs equal those that were kept where they were made, byte by byte."""
        self.write()
        witness = self.more[0].witness("udp dst portrange 1024-65535 and src net 10.99.0.0/24")
        self.mpi("--log-transport", transport, "--local-logs", "--out", "out", "--json=report.json")
        seen = [p for p in witness.packets()]
        local = {log.name: log.read_bytes() for log in glogs(self.folder / "out/logs")}
        served, = (self.folder / "out/log-server").glob("four-*")
        remote = {log.name: log.read_bytes() for log in glogs(served)}
        self.assertEqual(sorted(remote), ["receiver-gamma-from-alpha.glog", "receiver-gamma-from-beta.glog",
                                          "sender-alpha.glog", "sender-beta.glog"])
        self.assertEqual(remote, local)
        report = json.loads((self.folder / "report.json").read_text())
        flows = {flow["name"]: flow for flow in report["flows"]}
        ports = {name: int(flow["remote_address"].rsplit(":", 1)[1]) for name, flow in flows.items()}
        for name in ("a-udp", "b-udp"):
            count = sum(1 for p in seen if p.port == ports[name])
            self.assertEqual(count, 1000)
            self.assertEqual((flows[name]["sent_packets"], flows[name]["received_packets"]), (count, count))
        run, = self.decoded(*sorted(served.glob("*.glog")))["runs"]
        self.assertEqual({f["name"]: f["sent_packets"] for f in run["flows"]},
                         {name: f["sent_packets"] for name, f in flows.items()})

    def test_logs_shipped_over_tcp_equal_the_local_ones_and_a_witness(self):
        self.check_logs("tcp")

    def test_logs_shipped_over_udp_equal_the_local_ones_and_a_witness(self):
        self.check_logs("udp")

    def test_logs_shipped_over_mpi_equal_the_local_ones_and_a_witness(self):
        self.check_logs("mpi")

    def test_all_results_are_there_with_local_logs(self):
        self.write()
        result = self.mpi("--log-transport", "local", "--out", "out", "--plots")
        self.assertIn("3 flows from 2 senders on 4 ranks", result.stdout)
        self.assertIn("Result: ", result.stdout)
        self.assertEqual(len(glogs(self.folder / "out/logs")), 4)
        self.assertTrue(list((self.folder / "out/plots").glob("*.svg")))
        for name in ("report.json", "report.txt", "results.sqlite"):
            self.assertTrue((self.folder / "out" / name).exists(), name)
        self.assertIn("nothing to do: 3", result.stderr)

    def test_logs_of_hosts_with_disks_of_their_own_are_fetched(self):
        self.write()
        (self.folder / "out").mkdir()
        own_disks = "mount -t tmpfs own-disk out"  # visible to that host's programs only
        command = self.a.command(*mpirun.over(self.lab.hosts, "four.toml", "--log-transport", "tcp", "--local-logs", "--out",
                                              "out", "--sqlite", first=own_disks, where=self.lab.hosts[1:]))
        lab.run(*command, cwd=self.folder, env=mpirun.environment(self.folder))
        names = ["receiver-gamma-from-alpha.glog", "receiver-gamma-from-beta.glog", "sender-alpha.glog", "sender-beta.glog"]
        self.assertEqual([log.name for log in glogs(self.folder / "out/logs")], names)
        served, = (self.folder / "out/log-server").glob("four-*")
        for name in names:
            self.assertEqual((served / name).read_bytes(), (self.folder / "out/logs" / name).read_bytes(), name)
        self.assertTrue((self.folder / "out/results.sqlite").exists())

    def test_a_receiver_that_refuses_ends_the_job_with_its_reason(self):
        self.write(more="port = 7777")
        self.more[0].start(sys.executable, "-c", "import signal, socket; s = socket.socket(type=socket.SOCK_DGRAM); "
                           "s.bind(('10.99.0.3', 7777)); signal.pause()", name="squatter")
        lab.wait_until("the port to be taken", lambda: "7777" in self.more[0].run("ss", "-lun").stdout)
        result = self.mpi("--log-transport", "local", "--out", "out", check=False)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("7777", result.stderr)
        self.assertIn("rank 0 (alpha", result.stderr)
        self.assertIn("rank 2 (gamma", result.stderr)

    def kill_rank(self, rank, *arguments):
        """Kills one rank of an endless run as soon as there are records: the job ends, names the rank and leaves a
        report."""
        self.write('duration = "1h"')
        job = self.start("--out", "out", *arguments)
        logs = self.folder / "out/logs"
        lab.wait_until("records", lambda: any(p.stat().st_size > 40_000 for p in logs.glob("sender-alpha*")))
        lab.wait_until("a report of what was sent so far", self.sent_so_far)
        pids = lab.run("ip", "netns", "pids", self.lab.hosts[rank].namespace).stdout.split()
        killed = [pid for pid in pids if command_of(pid) == "groma-mpi"]
        self.assertEqual(len(killed), 1, pids)
        subprocess.run(["kill", "-KILL", killed[0]], check=True)
        self.assertNotEqual(job.wait(), 0)
        self.assertIn(f"rank {rank}", job.said)
        self.assertEqual(len(self.sent_so_far()), 3)

    def sent_so_far(self) -> dict:
        """Packets of each flow in the report that the run keeps; {} without one."""
        file = self.folder / "out/report.json"
        report = json.loads(file.read_text()) if file.exists() else {}
        flows = {flow["name"]: flow["sent_packets"] for flow in report.get("flows", [])}
        return flows if len(flows) == 3 and all(flows.values()) else {}

    def check_kept_logs(self):
        logs = self.folder / "out/logs"
        kept = sorted(logs.glob("*.glog*"))
        self.assertEqual(len(kept), 4, kept)
        run, = self.decoded(*kept, check=False)["runs"]
        self.assertEqual(len(run["flows"]), 3)
        for flow in run["flows"]:
            self.assertGreater(flow["sent_packets"], 0)
            self.assertGreater(flow["received_packets"], 0)

    def test_a_log_server_that_is_killed_ends_the_job_and_the_local_logs_are_there(self):
        self.kill_rank(3, "--log-transport", "mpi", "--local-logs")
        self.assertTrue(list((self.folder / "out/spool").glob("*/*.pieces")))
        self.check_kept_logs()
        served, = (self.folder / "out/log-server").glob("four-*")
        run, = self.decoded(*sorted(served.glob("*.glog.part")), check=False)["runs"]
        self.assertEqual(len(run["flows"]), 3)

    def test_a_rank_that_is_killed_ends_the_job_and_leaves_what_was_measured(self):
        self.kill_rank(2, "--log-transport", "local")
        self.check_kept_logs()


class Strangers(lab.LabTest):
    def start(self, *arguments) -> lab.Program:
        program = lab.Program(self.a.command(*mpirun.here(3, *arguments)), self.folder, "mpirun", env=mpirun.environment(self.folder))
        self.addCleanup(program.kill)
        return program

    def ports(self) -> list[str]:
        """Where a receiver and a log server of the job listen."""
        listening = [line.split() for line in self.a.run("ss", "-Hltnp", "src", "127.0.0.1").stdout.splitlines()]
        return [at.rsplit(":", 1)[1] for _, _, _, at, _, who in listening if '"groma-mpi"' in who]

    def test_a_job_serves_its_own_ranks_only(self):
        (self.folder / "job.toml").write_text('name = "job"\n[[flow]]\nto = "127.0.0.1"\nidt = "const:100pps"\nduration = "5s"\n')
        job = self.start("job.toml", "--log-transport", "tcp", "--out", "out", "--json=report.json")
        lab.wait_until("the ranks to listen", lambda: len(self.ports()) == 2)
        other_user = ["setpriv", "--reuid", "65534", "--clear-groups"]
        for port in self.ports():
            for who in (other_user, []):
                said = self.a.run(*who, "/usr/bin/python3", "-c", STRANGER, port).stdout
                self.assertIn("of its own job only", said)
                self.assertNotIn("groma-recv ", said)
        self.assertIsNone(job.process.poll(), "the job ended too early to be tried")
        self.assertEqual(job.wait(), 0, job.said)
        flow, = json.loads((self.folder / "report.json").read_text())["flows"]
        self.assertEqual(flow["received_packets"], flow["sent_packets"])
        served, = (self.folder / "out/log-server").glob("job-*")
        self.assertEqual(len(glogs(served)), 2)


class OneMachine(unittest.TestCase):
    """Without namespaces, as a new user would start it."""

    def setUp(self):
        folder = ending.TemporaryFolder(prefix="groma-mpi-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def mpi(self, ranks, *arguments, check=True):
        return lab.run(*mpirun.here(ranks, *arguments), cwd=self.folder, env=mpirun.environment(self.folder), check=check)

    def test_the_first_example_runs_with_three_ranks(self):
        result = self.mpi(3, lab.ROOT / "examples/loopback.toml", "--packets", "200")
        self.assertIn("Result: ", result.stdout)
        run, = self.folder.glob("groma-run-loopback-*")
        served, = (run / "log-server").glob("loopback-*")
        self.assertEqual([p.name for p in glogs(served)], ["receiver-here-from-rank0.glog", "sender-rank0.glog"])

    def test_two_ranks_or_one_will_do(self):
        for ranks in (1, 2):
            result = self.mpi(ranks, lab.ROOT / "examples/loopback.toml", "--packets", "100", "--out", f"out{ranks}")
            self.assertIn("Result: ", result.stdout)
            self.assertEqual(len(glogs(self.folder / f"out{ranks}/logs")), 2)

    def test_errors_are_said_once_before_anything_starts(self):
        (self.folder / "bad.toml").write_text('[[flow]]\nto = "h"\npacktes = 3\n')
        result = self.mpi(3, "bad.toml", check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("did you mean 'packets'?"), 1, result.stderr)
        (self.folder / "many.toml").write_text('[hosts]\na = "10.0.0.1"\nb = "10.0.0.2"\nc = "10.0.0.3"\n' + "".join(
            f'[[flow]]\nto = "{to}"\npackets = 1\n' for to in "abc"))
        result = self.mpi(2, "many.toml", check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("mpirun -np 4", result.stderr)


if __name__ == "__main__":
    mpirun.skip_without_mpi()
    lab.main()
