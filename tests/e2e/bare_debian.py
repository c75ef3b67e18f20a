"""A machine with only a bare Debian 12 (mmdebstrap's minbase), from this machine's own package sources.

It is a folder that its commands see as their root. It has its own mounts, so that network namespaces and user-mode
Linux work, and its own processes. The kernel, devices and network are this machine's. Mounts and processes end with the
command that they were made for.
"""
from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import ending
import lab

LIMIT_S = 2 * 3600  # for commands that hang
KEEP = "GROMA_FIELD_KEEP"  # an environment variable: set, the folders stay

# Its own mounts and processes, which end with the command or with this program.
APART = ("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc", "--kill-child")
ENTER = """
root=$1 caches=$2
shift 2
mount --rbind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
for cache in $caches; do
    mkdir -p "root/.cache/${cache##*/}"
    mount --bind "$cache" "root/.cache/${cache##*/}"
done
pivot_root . .
umount --lazy .
cd /
"$@"
"""
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "CI": "1"}


@contextlib.contextmanager
def folder():
    """The folder for all machines of a test program: on a disk, and always removed at the end."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="groma-field-", dir=os.environ.get("TMPDIR", "/var/tmp")))
    try:
        yield place
    finally:
        if os.environ.get(KEEP):
            print(f"{place} stays, because {KEEP} is set")
        else:
            shutil.rmtree(place)


def run_apart(*command, output: pathlib.Path, **options) -> tuple[int, str]:
    """Runs a command to its end, and ends what it left running. Returns its status and its output."""
    with open(output, "wb") as out:
        process = subprocess.Popen([*APART, *map(str, command)], stdout=out, stderr=out, **options)
    try:
        process.wait(LIMIT_S)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"{' '.join(map(str, command[-3:]))} did not end within {LIMIT_S} s:\n{output.read_text(errors='replace')}") from None
    finally:
        if process.poll() is None:
            for first in ending.children(process.pid):
                os.kill(first, signal.SIGKILL)  # the kernel ends the others
            process.wait()
    return process.returncode, output.read_text(errors="replace")


def package_sources() -> str:
    """The package sources of this machine that are of Debian 12."""
    lines = lab.run("apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages").stdout.splitlines()
    found = sorted({line for line in lines if line.split()[2].partition("-")[0] == "bookworm"})
    if not found:
        raise AssertionError(f"this machine has no package sources of Debian 12 (bookworm): {lines}")
    return "\n".join(found) + "\n"


def caches() -> str:
    """The existing folders of this machine's caches. They cannot replace a package: ccache returns an object only if
    each of its headers is there unchanged, linking is not cached, and lint.tidy_test runs clang-tidy on new sources."""
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return " ".join(str(home / name) for name in ("ccache", "groma-precompiled", "groma-tidy") if (home / name).exists())


class BareDebian:
    """Requires: root, and the package mmdebstrap."""

    def __init__(self, root: pathlib.Path):
        self.root = root

    def make(self) -> "BareDebian":
        sources = self.root.with_suffix(".list")
        sources.write_text(package_sources())
        status, said = run_apart("mmdebstrap", "--variant=minbase", "bookworm", self.root, sources, output=self.root.with_suffix(".out"),
                                 env=os.environ | {"TMPDIR": str(self.root.parent)})
        if status != 0:
            raise AssertionError(f"mmdebstrap ended with {status}:\n{said}")
        return self

    def copy(self, root: pathlib.Path) -> "BareDebian":
        lab.run("cp", "--archive", "--reflink=auto", self.root, root)
        return BareDebian(root)

    def run(self, *command, with_caches: bool = False) -> tuple[int, str]:
        """Runs a command inside as root, as run_apart() does, with this machine's compiler caches or none."""
        return run_apart("env", "-i", *(f"{name}={value}" for name, value in ENVIRONMENT.items()), "sh", "-eu", "-c", ENTER, "enter", self.root,
                         caches() if with_caches else "", *command, output=self.root.with_suffix(".out"), stdin=subprocess.DEVNULL)
