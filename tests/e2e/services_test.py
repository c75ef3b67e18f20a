#!/usr/bin/env python3
"""The units for systemd: a real systemd, in namespaces of its own, starts them from an installation, under all their
restrictions; and what daemons of root give up that are started by hand."""
import json
import os
import pathlib
import signal
import unittest

import ending
import lab
import systemd

SYSTEMD = pathlib.Path("/lib/systemd/systemd")
SERVICES = ("groma-recv", "groma-log", "groma-sender")
# What it and the services write to is hidden under folders that go with the namespace, or cannot be written to.
BOOT = """
set -e
for folder in /run /var/lib; do mount -t tmpfs tmpfs $folder; done
mkdir -p /run/etc/new /run/etc/work /run/credentials
mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/etc/new,workdir=/run/etc/work /etc
umount /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t proc proc /proc
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
mount --bind "$PREFIX" /usr/local
mkdir -p /etc/groma/keys
ip link set lo up
mount --make-rshared /
exec /lib/systemd/systemd --system --unit=basic.target --log-target=console
"""
# What other units would bring, and output where a test can read it.
UNITS = {name: "[Unit]\nDescription=there already\n" for name in ("basic.target", "sysinit.target", "network-online.target", "shutdown.target")} | {
    "groma-.service.d/output.conf": "[Service]\nStandardOutput=append:/run/%p.out\nStandardError=append:/run/%p.out\n",
    "groma-guarded.service": "[Service]\nExecStart=/usr/local/bin/groma-recv --port 9100 --log-dir /\n",
    "groma-guarded.service.d/shorter.conf": "[Service]\nWatchdogSec=5\nRestart=no\n",
}
NET_RAW, DAC_OVERRIDE = 1 << 13, 1 << 1  # capabilities(7)


def status_of(process: str) -> dict:
    return dict(line.split(":\t", 1) for line in (pathlib.Path("/proc") / process / "status").read_text().splitlines())


class Services(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not SYSTEMD.exists():
            lab.skip("systemd is not installed: scripts/setup test installs it")
        cls.folder = pathlib.Path(cls.enterClassContext(ending.TemporaryFolder()))
        prefix = cls.folder / "prefix"
        lab.run("cmake", "--install", os.environ["GROMA_BUILD"], "--prefix", prefix)
        units = prefix / "lib/systemd/system"
        for unit in units.glob("groma-*.service"):
            unit.write_text(unit.read_text().replace(str(prefix), "/usr/local"))
        for name, text in UNITS.items():
            (units / name).parent.mkdir(exist_ok=True)
            (units / name).write_text(text)
        cls.systemd = cls.enterClassContext(systemd.Systemd(BOOT, "basic.target", PREFIX=str(prefix), SYSTEMD_UNIT_PATH="/usr/local/lib/systemd/system"))
        cls.inside = cls.systemd.inside

    def ctl(self, *arguments, **options) -> str:
        return self.inside("systemctl", *arguments, **options).stdout

    def shown(self, service: str, what: str) -> str:
        return self.ctl("show", "--property", what, "--value", service).strip()

    def said(self, service: str) -> str:
        return self.inside("cat", f"/run/{service}.out").stdout

    def key(self, *arguments, to: str):
        self.inside("sh", "-c", f"umask 077; groma-key {' '.join(arguments)} >{to}")

    def test_1_without_keys_a_service_does_not_start_and_says_why(self):
        for service in SERVICES:
            self.assertIn("Assertion failed", self.inside("systemctl", "start", service, check=False).stderr)
            self.assertEqual(self.shown(service, "AssertResult"), "no")

    def test_2_all_serve_who_proves_a_key(self):
        self.key("new", "lab", to="/run/lab.key")
        self.key("host", "/run/lab.key", "127.0.0.1", to="/etc/groma/keys/lab.key")
        self.inside("sh", "-c", "echo OPTIONS=--log-servers 127.0.0.1 >/etc/default/groma-sender")
        self.ctl("start", *SERVICES)
        for transport in ("udp", "tcp", "icmp", "usrsctp"):
            run = ["groma-send", "--to", "127.0.0.1", "--transport", transport, "--packets", "50", "--idt", "const:2000pps", "--json",
                   "--timeout", "2min", "--key", "/run/lab.key"]
            report = json.loads(self.inside(*run).stdout)
            self.assertEqual(report["flows"][0]["received_packets"], 50, transport)
        shipped = json.loads(self.inside(*run, "--via", "127.0.0.1", "--log-server", "127.0.0.1", "--receiver-log-server", "none").stdout)
        self.assertEqual(shipped["flows"][0]["received_packets"], 50)
        self.assertIn('"what":"run","verdict":"allowed"', self.said("groma-sender"))
        self.assertRegex(self.inside("groma-log", "list", "--dir", "/var/lib/private/groma-log").stdout, r"complete")
        run[-1] = "none"
        self.assertIn("give yours with --key", self.inside(*run, check=False).stderr)

    def test_3_each_runs_under_its_restrictions(self):
        for service, kept in zip(SERVICES, (NET_RAW, 0, NET_RAW)):
            with self.subTest(service):
                self.assertEqual(self.shown(service, "ActiveState"), "active")
                status = json.loads(self.inside("python3", "-c", "import json, sys; print(json.dumps(dict(line.rstrip().split(':\\t', 1) for line in "
                                                f"open('/proc/{self.shown(service, 'MainPID')}/status'))))").stdout)
                self.assertNotIn("0", status["Uid"].split())
                self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))
                for capabilities in ("CapPrm", "CapEff", "CapBnd"):
                    self.assertEqual(int(status[capabilities], 16), kept, capabilities)
                self.inside("systemd-analyze", "security", "--threshold=25", "--no-pager", service)

    def test_4_a_service_that_stands_still_is_ended_to_be_started_again(self):
        self.ctl("start", "groma-guarded")
        for _ in range(2):
            last = self.shown("groma-guarded", "WatchdogTimestampMonotonic")
            lab.wait_until("a sign of life", lambda: self.shown("groma-guarded", "WatchdogTimestampMonotonic") != last)
        self.assertEqual(self.shown("groma-guarded", "ActiveState"), "active")
        os.kill(self.host_pid(self.shown("groma-guarded", "MainPID")), signal.SIGSTOP)
        lab.wait_until("its end", lambda: self.shown("groma-guarded", "ActiveState") == "failed")
        self.assertEqual(self.shown("groma-guarded", "Result"), "watchdog")
        for service in SERVICES:
            self.assertEqual(self.shown(service, "Restart"), "on-failure")

    def test_5_they_end_when_they_are_told_to(self):
        self.ctl("stop", *SERVICES)
        for service in SERVICES:
            self.assertEqual((self.shown(service, "Result"), self.shown(service, "ActiveState")), ("success", "inactive"))

    def host_pid(self, inner: str) -> int:
        """Of a process with this number in the manager's namespace."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            numbers = status_of(process.name).get("NSpid", "").split()
            if len(numbers) > 1 and numbers[-1] == inner and "groma" in status_of(process.name)["Name"]:
                return int(process.name)
        raise AssertionError(f"there is no process {inner}")


class ByHand(lab.LabTest):
    keeps_hosts = True

    def capabilities(self, program: lab.Program) -> int:
        status = status_of(str(program.process.pid))
        self.assertEqual(status["CapPrm"], status["CapEff"])
        self.assertEqual(status["NoNewPrivs"], "1")
        return int(status["CapPrm"], 16)

    def test_a_daemon_of_root_keeps_what_its_work_takes(self):
        self.assertEqual(self.capabilities(self.a.receiver()), 1 << 10 | 1 << 12 | NET_RAW)
        self.assertEqual(self.capabilities(self.b.receiver("--realtime", "auto")), 1 << 10 | 1 << 12 | NET_RAW | 1 << 14 | 1 << 23)
        self.assertEqual(self.capabilities(self.a.log_server()), 1 << 10 | 1 << 12)

    def test_a_daemon_of_root_writes_to_folders_of_a_user(self):
        users = self.folder / "users"
        users.mkdir(mode=0o750)
        os.chown(users, 1000, 1000)
        (users / "roots").mkdir()
        for folder in (users, users / "roots"):
            receiver = self.b.receiver("--log-dir", folder)
            self.assertTrue(self.capabilities(receiver) & DAC_OVERRIDE)
            self.a.groma("send", "--to", self.b.address, "--packets", "20", "--idt", "const:2000pps", "--receiver-log", "recv.glog")
            self.assertEqual(os.stat(folder / "recv.glog").st_mode & 0o777, 0o640)
            receiver.stop()


if __name__ == "__main__":
    lab.main()
