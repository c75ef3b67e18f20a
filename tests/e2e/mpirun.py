"""mpirun for tests: on this machine itself, or over the hosts of a lab, each in its own namespace."""
from __future__ import annotations

import os
import pathlib
import shutil

import lab

# Ranks and orted's own threads share few cores here; a rank that waits gives its core away.
QUIET = ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "--mca", "rtc_hwloc_vmhole", "none", "--bind-to", "none"]
ROOT = ["--allow-run-as-root"] if os.geteuid() == 0 else []


def environment(folder: pathlib.Path) -> dict:
    """Separate session folders and shared memory of Open MPI, so that concurrent jobs do not interfere, and killed
    ones leave no files."""
    temporary = pathlib.Path(folder) / "t"
    temporary.mkdir(exist_ok=True)
    return dict(os.environ, TMPDIR=str(temporary), OMPI_MCA_btl_vader_single_copy_mechanism="none",
                OMPI_MCA_btl_vader_backing_directory=str(temporary))


def here(ranks: int, *arguments) -> list[str]:
    """The command that runs groma-mpi with this number of ranks on this machine."""
    return ["mpirun", *ROOT, *QUIET, "--mca", "btl", "self,vader", "-np", str(ranks), str(lab.BIN / "groma-mpi"),
            *map(str, arguments), *lab.usual("mpi", arguments)]


def over(hosts: list[lab.Host], *arguments, first: str = "true", where=()) -> list[str]:
    """The command that runs groma-mpi with a rank on each of the hosts; to be started on the first of them. `first`
    runs before it, on the hosts of `where`, in the folder of the lab."""
    folder = hosts[0].lab.folder
    agent = folder / "mpi-agent"
    cases = "\n".join(f"    {h.address}) namespace={h.namespace} first='{first if h in where else 'true'}' ;;" for h in hosts)
    agent.write_text("#!/bin/sh\n# Called by mpirun as by ssh: HOST COMMAND...\ncase \"$1\" in\n" + cases +
                     "\n    *) echo \"no host $1\" >&2; exit 1 ;;\nesac\nshift\n"
                     f"mkdir -p {folder}/t/$namespace\nexport TMPDIR={folder}/t/$namespace\n"
                     "exec ip netns exec \"$namespace\" sh -c \"cd {folder} && $first && $*\"\n".replace("{folder}", str(folder)))
    agent.chmod(0o755)
    network = ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "10.99.0.0/24", "--mca", "oob_tcp_if_include",
               "10.99.0.0/24", "--mca", "plm_rsh_agent", str(agent), "--mca", "plm_rsh_no_tree_spawn", "1"]
    return ["mpirun", *ROOT, *QUIET, *network, "--host", ",".join(f"{h.address}:1" for h in hosts),
            "-x", "OMPI_MCA_btl_vader_single_copy_mechanism", str(lab.BIN / "groma-mpi"), *map(str, arguments),
            *lab.usual("mpi", arguments)]


def skip_without_mpi():
    """Ends the test program: skipped without MPI, which never happens in CI."""
    missing = [what for what, there in (("mpirun", shutil.which("mpirun")),
                                        ("groma-mpi", (lab.BIN / "groma-mpi").exists())) if not there]
    if missing:
        lab.skip(f"these tests need Open MPI: there is no {' and no '.join(missing)}")
