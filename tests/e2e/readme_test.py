#!/usr/bin/env python3
"""The README's tour works as it is written: its commands, in its order, on three hosts."""
import os
import re
import shlex

import lab
import mpirun


def commands(text: str):
    """(prompt, words) of every command line of our programs in the README's blocks; lines that end in '\\' go on. The first
    word is the program without its "groma-", or mpirun."""
    for block in re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            found = re.match(r"([abc]?)\$ (?:groma-|(?=mpirun ))(.*)", line)
            if found:
                yield found[1], shlex.split(found[2])


class Readme(lab.LabTest):
    hosts = 3

    def test_every_command_of_the_tour_does_what_it_should(self):
        (self.folder / "examples").symlink_to(lab.ROOT / "examples")
        hosts = {"": self.a, "a": self.a, "b": self.b, "c": self.more[0]}
        seen = set()
        for prompt, (program, *arguments) in commands((lab.ROOT / "README.md").read_text()):
            seen.add(program)
            host = hosts[prompt]
            if program == "mpirun":
                with_path = dict(mpirun.environment(self.folder), PATH=f"{lab.BIN}:{os.environ['PATH']}")
                host.run(program, *mpirun.ROOT, *mpirun.QUIET, *arguments, *lab.usual("mpi", arguments), env=with_path)
            elif "--open" in arguments:  # a daemon
                host.start_groma(program, *arguments, keep_logs=True).wait_for("listening on")
            elif "--dial" in arguments:  # behind the next sender
                host.start_groma(program, *arguments, keep_logs=True).wait_for("dialling")
            else:
                host.groma(program, *arguments, keep_logs=True)
        self.assertEqual(seen, {"recv", "send", "dec", "plot", "log", "mpi", "mpirun"})
        for name in ("series.csv", "results.sqlite", "pictures/throughput.svg"):
            self.assertGreater((self.folder / name).stat().st_size, 100, name)


if __name__ == "__main__":
    lab.main()
