"""A kernel with SCTP, DCCP and netem: user-mode Linux, booted as a process on this machine's own file system.

run(command) boots it, runs the command inside as root with this process's environment, and returns its exit status and
output. Inside, lab.py's hosts work as outside. Reading its clock takes tens of microseconds: it is for function and
arithmetic, never for speed.
"""
from __future__ import annotations

import contextlib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import unittest

import ending
import lab

INSIDE = bool(os.environ.get("GROMA_INSIDE"))  # whether this runs inside
BIN = pathlib.Path(os.environ.get("GROMA_BIN", "build/release/bin")).resolve()
REGISTERS = BIN / "libuml_registers.so"
KERNEL = shutil.which("linux.uml")
# The guest's clock is this machine's: while other programs keep its processors busy, the guest stands still.
PRIORITY = ("chrt", "--rr", "1") if subprocess.run(["chrt", "--rr", "1", "true"], capture_output=True).returncode == 0 else ()
MODULES = ("ipv6", "md5", "sha1_generic", "hmac", "crc32c_generic", "sctp", "sctp_diag", "dccp", "dccp_ipv4", "dccp_ipv6", "sch_netem", "sch_tbf", "sch_fq", "sch_etf",
           "sch_prio", "cls_u32", "veth", "bridge", "udp_diag", "nf_tables", "nft_masq", "nft_chain_nat", "nf_reject_ipv4",
           "nf_reject_ipv6", "nft_reject", "nft_reject_ipv4", "nft_reject_inet", "cuse")

INIT = """#!/bin/sh
export PATH={path}
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm 2>/dev/null
mkdir -p /run/kernel/lib/modules
mount --bind /usr/lib/uml/modules /run/kernel/lib/modules
for module in {modules}; do modprobe -q -d /run/kernel $module; done
ip link set lo up
hostname inside
cd {folder}
{environment} {command} >{output} 2>&1 </dev/null
echo $? >{status}
sync
poweroff -f
"""


def missing() -> str:
    """Why it cannot be used here; empty if it can."""
    if not KERNEL:
        return "user-mode Linux is not installed (Debian package user-mode-linux)"
    if not shutil.which("modprobe"):
        return "modprobe is not installed (Debian package kmod)"
    return "" if os.geteuid() == 0 else "user-mode Linux on this file system takes root"


def load_tests_of_matrix(outside, inside):
    """The load_tests of a file that is part of the one guest of the gate (uml_matrix_test.py): the cases `outside` run on this machine's
    own kernel, the cases `inside` in the guest."""
    def load_tests(loader, _tests, _pattern):
        cases = inside if INSIDE else outside
        if not cases:
            lab.skip("this file is for a kernel with SCTP, DCCP and netem: run uml_matrix_test.py with its name (without .py)")
        return unittest.TestSuite(map(loader.loadTestsFromTestCase, cases))

    return load_tests


def load_tests_inside(file, *inside):
    """The load_tests of a file of tests whose cases all run inside, as one test."""
    class InUserModeLinux(unittest.TestCase):
        def test_inside(self):
            if why := missing():
                lab.skip_test(why)
            print(run_test(file))

    def load_tests(loader, _tests, _pattern):
        return unittest.TestSuite(map(loader.loadTestsFromTestCase, inside if INSIDE else [InUserModeLinux]))

    return load_tests


def run_test(file, limit: float = 1500, arguments=()) -> str:
    """Runs a file of tests inside, where GROMA_INSIDE is set. Returns its output; fails if it fails."""
    environment = {name: os.environ[name] for name in ("GROMA_BIN", "GROMA_ROOT", "GROMA_BUILD") if name in os.environ}
    status, said = run([sys.executable, "-B", pathlib.Path(file).resolve(), *arguments], environment | {"GROMA_INSIDE": "1"}, limit)
    if status == lab.SKIPPED:
        raise unittest.SkipTest(f"{lab.INCONCLUSIVE} in there:\n{said}")
    if status != 0 or "OK" not in said:
        raise AssertionError(f"{file} ended with {status}:\n{said}")
    return said


def run(command, environment=None, limit: float = 1500, memory: str = "1G", arguments=(), before=()):
    """Returns (exit status, output); fails when the kernel did not come to the end of the command. `arguments` are
    for the kernel, `before` precedes its own command."""
    with ending.TemporaryFolder(prefix="groma-uml-") as folder:
        folder = pathlib.Path(folder)
        output, status, init = folder / "output", folder / "status", folder / "init"
        # This folder is removed with everything that ended programs inside leave.
        variables = " ".join(f"{key}={shlex.quote(value)}" for key, value in ({"TMPDIR": str(folder)} | (environment or {})).items())
        init.write_text(INIT.format(path=os.environ["PATH"], modules=" ".join(MODULES), folder=shlex.quote(os.getcwd()),
                                    environment=f"env {variables}", output=output, status=status,
                                    command=" ".join(shlex.quote(str(c)) for c in command)))
        init.chmod(0o755)
        console = folder / "console"
        own = os.environ | ({"LD_PRELOAD": str(REGISTERS)} if REGISTERS.exists() else {})
        with open(console, "wb") as out:
            kernel = subprocess.Popen([*before, *PRIORITY, KERNEL, f"mem={memory}", "rootfstype=hostfs", "rootflags=/", "rw",
                                       f"init={init}", f"uml_dir={folder}", "con=null", "con0=fd:0,fd:1", "quiet", *arguments],
                                      stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, cwd=folder, env=own)
            with contextlib.suppress(subprocess.TimeoutExpired):
                kernel.wait(limit)
            if kernel.poll() is None:
                os.killpg(kernel.pid, 9)
                kernel.wait()
        said = output.read_text(errors="replace") if output.exists() else ""
        if not status.exists():
            raise AssertionError(f"user-mode Linux did not come to the end of {command} within {limit} s:\n{said}\n"
                                 f"{console.read_text(errors='replace')[-3000:]}")
        return int(status.read_text()), said
