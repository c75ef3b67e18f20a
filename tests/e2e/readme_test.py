#!/usr/bin/env python3
"""The README and the tour work as written: their commands, in their order, on three hosts."""
import os
import re
import shlex

import lab
import mpirun


COMMAND = re.compile(r"([abc]?)\$ (?:groma-|(?=mpirun ))(.*)")
DAEMONS = {"--open-to-anyone": "listening on", "--dial": "dialling"}  # the latter follows the next sender


def commands(text: str):
    """(prompt, words) of every command of our programs in a page's blocks and in the cells of its tables; lines that
    end in '\\' continue. The first word is the program without its "groma-", or mpirun."""
    for block, row in re.findall(r"^```\n(.*?)^```|^(\| .*)$", text, re.MULTILINE | re.DOTALL):
        lines = re.findall(r"`([^`]+)`", row) if row else block.replace("\\\n", " ").splitlines()
        for found in filter(None, map(COMMAND.match, lines)):
            yield found[1], shlex.split(found[2])


class Readme(lab.LabTest):
    hosts = 3

    def do(self, page: str) -> set[str]:
        """Runs the commands of a page. Returns the programs that it names."""
        (self.folder / "examples").symlink_to(lab.ROOT / "examples")
        hosts = {"": self.a, "a": self.a, "b": self.b, "c": self.more[0]}
        seen = set()
        for prompt, (program, *arguments) in commands((lab.ROOT / page).read_text()):
            seen.add(program)
            host = hosts[prompt]
            said = next((DAEMONS[word] for word in arguments if word in DAEMONS and "--passive" not in arguments), None)
            if program == "mpirun":
                with_path = dict(mpirun.environment(self.folder), PATH=f"{lab.BIN}:{os.environ['PATH']}")
                host.run(program, *mpirun.ROOT, *mpirun.QUIET, *arguments, *lab.usual("mpi", arguments), env=with_path)
            elif said:
                host.start_groma(program, *arguments, keep_logs=True).wait_for(said)
            else:
                host.groma(program, *arguments, keep_logs=True)
        return seen

    def test_every_command_of_the_readme_does_what_it_should(self):
        self.assertEqual(self.do("README.md"), {"recv", "send", "dec", "plot", "log", "mpirun"})
        for name in ("series.csv", "results.sqlite", "pictures/throughput.svg", "report.html", "run.pcapng", "again.toml"):
            self.assertGreater((self.folder / name).stat().st_size, 100, name)

    def test_every_command_of_the_tour_does_what_it_should(self):
        self.assertEqual(self.do("docs/guide/tour.md"), {"recv", "send", "dec", "plot", "log", "mpi", "mpirun"})
        for name in ("series.csv", "results.sqlite", "pictures/throughput.svg"):
            self.assertGreater((self.folder / name).stat().st_size, 100, name)


if __name__ == "__main__":
    lab.main()
