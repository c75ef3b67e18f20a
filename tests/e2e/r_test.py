#!/usr/bin/env python3
"""R reads a results file with the example of docs/guide/other-tools.md: its table and its pictures are of the report's flows."""
import shutil

import lab
import other_tools_test


class R(lab.LabTest):
    def test_it_draws_what_the_decoder_says(self):
        run = other_tools_test.decode_a_run(self, "--sqlite", "results.sqlite")
        said = lab.run("Rscript", lab.ROOT / "examples/r/delays.R", "results.sqlite", "delays.pdf", cwd=self.folder).stdout.splitlines()
        self.assertEqual(said[0].split(), ["flow", "receiver", "name", "received", "lost", "p50_ms", "p99_ms"])
        for line, flow in zip(said[1:], run["flows"], strict=True):
            number, receiver, *name, received, lost, median, tail = line.split()
            self.assertEqual([number, receiver, " ".join(name), received, lost],
                             [str(flow["flow"]), "1", flow["name"], str(flow["received_packets"]), str(flow["lost"])])
            for shown, figure in ((median, "delay_p50_ns"), (tail, "delay_p99_ns")):
                self.assertAlmostEqual(float(shown), flow[figure] / 1e6, delta=1e-3 * flow[figure] / 1e6 + 1e-6)
        pages = lab.run("pdftotext", "delays.pdf", "-", cwd=self.folder).stdout
        for text in ("voice", "it's a stream", "share of packets", "time in the run (s)"):
            self.assertIn(text, pages)


if __name__ == "__main__":
    if not shutil.which("Rscript"):
        lab.skip("R is not installed: scripts/setup test field installs it")
    lab.main()
