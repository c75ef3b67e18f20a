#!/usr/bin/env python3
"""The Debian packages, on bare Debian 12: scripts/package builds them, and lintian finds no error; they install, run, are upgraded and
removed, start nothing, and leave nothing but what users made; and the example makes a measurement of three bare hosts.

The Dockerfile's own lines do the work: what its first stage runs builds the packages, what its second stage runs installs them. The machines
are those of bare_debian.py instead of the images that it begins FROM, so this needs no docker and no registry."""
import json
import pathlib
import re
import shlex
import shutil
import time
import unittest

import bare_debian
import completions
import ending
import lab
import systemd

FOLDER: pathlib.Path  # of all machines
PROGRAMS = ("groma-dec", "groma-key", "groma-log", "groma-mpi", "groma-plot", "groma-recv", "groma-send")
SERVICES = ("groma-log", "groma-recv", "groma-sender")
UNITS = " ".join(f"{service}.service" for service in SERVICES)
APT = "export DEBIAN_FRONTEND=noninteractive; apt-get -qq "
# What packages ask of a running systemd. This machine has none: its folder and a program of its name, where apt looks, are enough.
RECORDED = """
mkdir -p /run/systemd/system
cat >/usr/bin/systemctl <<'END'
#!/bin/sh
echo "$@" >>/asked-of-systemctl
case "$*" in
*is-enabled*) echo disabled; exit 1 ;;
*is-active*) exit 3 ;;
esac
END
chmod +x /usr/bin/systemctl
: >/asked-of-systemctl
"""
RUN = """
ip link set lo up
cd /tmp
mkdir logs
groma-recv --port 0 --port-file port --log-dir logs &
until [ -s port ]; do kill -0 $!; sleep 0.1; done
groma-send --to 127.0.0.1:$(cat port) --idt const:2000pps --packets 500 --logs run --json=report.json
groma-dec run --sqlite results.sqlite
groma-plot results.sqlite -o pictures
groma-dec report run -o report.html
ls pictures >&2
kill $!
cat report.json
"""
PYTHON = """
import groma
with groma.receiver(open_to_anyone=True) as receiver:
    result = groma.run(to=f"127.0.0.1:{receiver.port}", idt="const:2000pps", packets=500, logs="run")
print(result.ok, len(result.packets()["delay_ns"]))
"""
# A machine that starts. It cannot change anything of this one's kernel and devices.
BOOT = """
set -e
mount --rbind "$ROOT" "$ROOT"
cd "$ROOT"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
    touch dev/$device
    mount --bind /dev/$device dev/$device
done
mkdir dev/shm dev/pts
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=755 tmpfs run
hostname "$NAME"
pivot_root . .
umount --lazy .
mount --make-rshared /
exec /lib/systemd/systemd --system --unit=multi-user.target
"""
# What hosts have that were installed over a network: a manager of services, ssh, and who may log in. There is no network but among them, so that
# apt has what it would fetch.
HOST = f"""
{APT} update
{APT} install -y --no-install-recommends iproute2 openssh-server procps systemd-sysv
{APT} install -y --no-install-recommends --download-only /packages/*.deb curl libjs-dygraphs prometheus
ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519
cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys
echo StrictHostKeyChecking no >/root/.ssh/config
"""
PACKAGES = ("groma", "groma-mpi", "python3-groma")
USER_DATA = ("/etc/default/groma-recv", "/etc/groma", "/etc/groma/keys", "/etc/groma/keys/lab.key", "/var/lib/groma-recv",
             "/var/lib/private/groma-recv", "/var/lib/private/groma-recv/run.glog")


def run_well(machine: bare_debian.BareDebian, *command: str, **options) -> str:
    began = time.monotonic()
    status, said = machine.run(*command, **options)
    if status != 0:
        raise AssertionError(f"{command} ended with {status}:\n{said}")
    if (took := time.monotonic() - began) > 5:
        print(f"{' '.join(command)[:120]!r}: {took:.0f} s")
    return said


def dockerfile() -> list[list[str]]:
    """The RUN lines of each stage."""
    stages = (lab.ROOT / "Dockerfile").read_text().split("\nFROM ")[1:]
    return [re.findall(r"^RUN (.*)", stage, re.MULTILINE) for stage in stages]


def repacked(package: pathlib.Path, version: str, folder: pathlib.Path) -> pathlib.Path:
    """The same package with a higher version: nothing is built again."""
    files = folder / package.stem
    lab.run("dpkg-deb", "--raw-extract", package, files)
    control = files / "DEBIAN/control"
    old = re.search(r"^Version: (.*)", control.read_text(), re.MULTILINE)[1]
    control.write_text(control.read_text().replace(f"Version: {old}", f"Version: {version}").replace(f"(= {old})", f"(= {version})"))
    lab.run("dpkg-deb", "--build", files, folder)
    shutil.rmtree(files)
    return folder / package.name.replace(f"_{old}_", f"_{version}_")


def setUpModule():
    global bare, packages
    bare = bare_debian.BareDebian(FOLDER / "bare").make()
    if lab.run("git", "-C", lab.ROOT, "status", "--porcelain").stdout:
        print("what is not committed is not tested: the packages are built from a clone of HEAD")
    build = bare.copy(FOLDER / "build")
    lab.run("git", "clone", "--quiet", "--no-hardlinks", lab.ROOT, build.root / "groma")
    for command in dockerfile()[0]:
        print(run_well(build, "sh", "-ec", command, with_caches=True))
    if changed := lab.run("git", "-C", build.root / "groma", "status", "--porcelain").stdout:
        raise AssertionError(f"scripts/package changed its folder:\n{changed}")
    packages = FOLDER / "packages"
    shutil.copytree(build.root / "packages", packages)
    shutil.rmtree(build.root)


class Packages(unittest.TestCase):
    def setUp(self):
        self.machine = bare.copy(FOLDER / self._testMethodName)
        shutil.copytree(packages, self.machine.root / "packages")

    def tearDown(self):
        shutil.rmtree(self.machine.root)

    def run_well(self, *command: str) -> str:
        return run_well(self.machine, *command)

    def shell(self, script: str) -> str:
        return self.run_well("sh", "-ec", script)

    def install(self, *words: str):
        self.shell(f"{APT} update; {APT} install -y --no-install-recommends {shlex.join(words)}")

    def file_of(self, package: str) -> str:
        return "/packages/" + next(packages.glob(f"{package}_*.deb")).name

    def asked(self) -> list[str]:
        """What was asked of systemctl since the last call."""
        file = self.machine.root / "asked-of-systemctl"
        lines = file.read_text().splitlines()
        file.write_text("")
        return lines

    def assertNothingBegins(self) -> list[str]:
        asked = self.asked()
        self.assertIn("--system daemon-reload", asked)
        self.assertEqual([line for line in asked if re.search(r"(?<!-)\b(start|restart|enable|reenable)\b", line)], [])
        self.assertEqual([path for path in (self.machine.root / "etc/systemd/system").rglob("*groma*")], [])
        return asked

    def groma_files(self) -> set[str]:
        return set(self.shell("find / -xdev -path /packages -prune -o -path '*groma*' -print").splitlines())

    def test_they_run_are_documented_and_complete(self):
        self.install(*map(self.file_of, ("groma", "groma-mpi")), "bash-completion", "fonts-dejavu-core", "gnuplot-nox", "iproute2", "man-db", "systemd", "zsh")
        for program in PROGRAMS:
            self.assertRegex(self.run_well(program, "--version"), rf"^{program} \d+\.\d+\.\d+\n$")
        self.assertIn("Runs an experiment as one MPI job", self.run_well("groma-mpi", "--help"))
        report = self.run_well("unshare", "--net", "sh", "-ec", RUN)
        self.assertIn("delay.svg", report)
        self.assertEqual(json.loads(report[report.rindex("\n{"):])["flows"][0]["received_packets"], 500)
        for page in (*PROGRAMS, "groma-dec-fit", "groma", "groma-models"):
            self.assertIn("SEE ALSO", self.run_well("env", "LC_ALL=C.UTF-8", "MANPAGER=cat", "man", page), page)
        for program in PROGRAMS:
            load = f". /usr/share/bash-completion/bash_completion; _completion_loader {program}"
            self.assertIn("--version", self.run_well(*completions.in_bash(load, program, "--ver")).split(), program)
        for typed, line in [("groma-send --transport usr", "groma-send --transport usrsctp "), ("groma-send --idt wei", "groma-send --idt weibull:"),
                            ("groma-dec rep", "groma-dec report "), ("groma-dec report --no-p", "groma-dec report --no-pictures "),
                            ("groma-plot --format svg,pn", "groma-plot --format svg,png "), ("groma-key new a --exper", "groma-key new a --experiments="),
                            ("groma-mpi --log-transport=m", "groma-mpi --log-transport=mpi "), ("groma-log --data", "groma-log --data"),
                            ("groma-recv --log-d", "groma-recv --log-dir=")]:
            self.assertIn(f"<{line}>", self.run_well(*completions.in_zsh(typed)))
        self.shell("ls /usr/share/doc/groma/docs/guide/services.md /usr/share/doc/groma/examples/loopback.toml /usr/share/groma/wireshark/groma.lua "
                   "/usr/lib/*/groma/groma_packets.so")
        self.assertEqual(self.run_well("stat", "--format", "%a %U", "/etc/groma/keys"), "750 root\n")
        for service in SERVICES:
            # Units that this machine lacks are named, too.
            said = self.machine.run("systemd-analyze", "verify", f"/lib/systemd/system/{service}.service")[1]
            self.assertNotIn("groma", said)
            self.assertIn("disabled", self.machine.run("systemctl", "--root=/", "is-enabled", service)[1])

    def test_python_imports_groma_with_its_types(self):
        self.install(*map(self.file_of, ("groma", "python3-groma")), "iproute2")
        self.assertEqual(self.run_well("unshare", "--net", "sh", "-ec", 'ip link set lo up; cd /tmp; python3 -c "$1"', "sh", PYTHON), "True 500\n")
        place = self.machine.root / "usr/lib/python3/dist-packages/groma"
        self.assertEqual([name for name in ("_log.pyi", "py.typed") if not (place / name).exists()], [])

    def test_nothing_begins_and_nothing_stays_but_what_users_made(self):
        names = [f"/packages/{package.name}" for package in sorted(packages.glob("*.deb"))]
        self.shell(f"{RECORDED} {APT} update; {APT} install -y --no-install-recommends {shlex.join(names)}")
        self.assertNothingBegins()
        # A key, options and a log of a service.
        self.shell("umask 077; groma-key new lab >/etc/groma/keys/lab.key; echo OPTIONS= >/etc/default/groma-recv; "
                   "mkdir -p /var/lib/private/groma-recv; ln -s private/groma-recv /var/lib/groma-recv; touch /var/lib/groma-recv/run.glog")
        version = re.search(r"_(.*)_", names[0])[1]
        later = [repacked(package, version + "+later", self.machine.root / "packages") for package in sorted(packages.glob("*.deb"))]
        self.shell(f"{RECORDED} {APT} install -y {shlex.join(f'/packages/{package.name}' for package in later)}")
        self.assertEqual(self.run_well("dpkg-query", "--show", "--showformat", "${Version} ", *PACKAGES), f"{version}+later " * 3)
        self.assertIn(f"try-restart {UNITS}", self.assertNothingBegins())
        self.shell(f"{RECORDED} {APT} remove -y {' '.join(PACKAGES)}")
        self.assertIn(f"stop {UNITS}", self.asked())
        self.assertNotIn("/usr/bin/groma-send", self.groma_files())
        self.shell(f"{RECORDED} {APT} purge -y {' '.join(PACKAGES)}")
        self.assertEqual(self.groma_files(), set(USER_DATA))
        self.assertNotIn("groma", self.run_well("dpkg-query", "--show"))

    def test_the_image_has_what_the_programs_need(self):
        for command in dockerfile()[1]:
            self.shell(command)
        for program in PROGRAMS:
            self.assertRegex(self.run_well(program, "--version"), rf"^{program} \d+\.\d+\.\d+\n$")
        self.assertRegex(self.run_well("gnuplot", "--version"), r"^gnuplot \d")
        self.assertEqual(list((self.machine.root / "packages").glob("*")), [])


class ThreeHosts(lab.LabTest):
    hosts = 3

    def started(self, host: lab.Host, root: bare_debian.BareDebian) -> systemd.Systemd:
        for file, text in (("etc/hostname", f"{host.name}\n"), ("etc/hosts", "".join(f"{one.address} {one.name}\n" for one in self.lab.hosts))):
            (root.root / file).write_text("127.0.0.1 localhost\n" * (file == "etc/hosts") + text)
        return self.enterContext(systemd.Systemd(BOOT, "multi-user.target", host, ROOT=str(root.root), NAME=host.name))

    def test_the_example_makes_a_measurement_of_three_bare_hosts(self):
        folder = FOLDER / "hosts"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        first = bare.copy(folder / "host1")
        shutil.copytree(packages, first.root / "packages")
        run_well(first, "sh", "-ec", HOST)
        shutil.rmtree(first.root / "packages")
        roots = [first, first.copy(folder / "host2"), first.copy(folder / "host3")]
        shutil.copytree(packages, first.root / "root/packages")
        shutil.copy(lab.ROOT / "examples/three-hosts.sh", first.root / "root/packages")
        sender, *receivers = [self.started(host, root) for host, root in zip(self.lab.hosts, roots)]
        said = sender.inside("sh", "-c", "cd /root/packages && sh three-hosts.sh host2 host3", limit=bare_debian.LIMIT_S).stdout
        for receiver in receivers:
            for question in ("is-active", "is-enabled"):
                self.assertIn(receiver.inside("systemctl", question, "groma-recv").stdout, ("active\n", "enabled\n"))
        arrived = [flow["received_packets"] for flow in
                   json.loads(sender.inside("groma-dec", "/root/packages/run", "--json").stdout)["runs"][0]["flows"]]
        self.assertEqual(len(arrived), 2)
        for host, receiver, count in zip(self.lab.hosts[1:], receivers, arrived, strict=True):
            watched = [int(number) for number in re.findall(rf'^{host.name}\ngroma_receiver_packets_total (\d+)\n\d,"flow\d",', said, re.MULTILINE)]
            self.assertEqual(watched, sorted(watched))
            self.assertTrue(0 < watched[-1] <= count, (watched, count))
            names, shown = (json.loads(receiver.inside("curl", "-s", f"localhost:9110/api/runs{run}").stdout) for run in ("", "/1"))
            self.assertEqual(shown["so_far"][[figure["name"] for figure in names["figures"]].index("received_packets")], count)
        self.assertGreaterEqual(int(re.search(r"^(\d+) packets, mean delay [\d.e-]+ ms$", said, re.MULTILINE)[1]), sum(arrived))
        scraped = [json.loads(line)["data"]["result"][0]["value"][1] for line in said.splitlines() if line.startswith('{"status"')]
        self.assertEqual([int(value) for value in scraped], arrived)


if __name__ == "__main__":
    if not shutil.which("mmdebstrap"):
        lab.skip("mmdebstrap is not installed: scripts/setup test field installs it")
    ending.listen()
    with bare_debian.folder() as FOLDER:
        lab.main()
