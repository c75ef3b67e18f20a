#!/usr/bin/env python3
"""The pictures of real runs exist, are what they say they are, and name what could not be drawn."""
import xml.etree.ElementTree

import lab
from two_hosts_test import results


class Plots(lab.LabTest):
    def draw(self, *arguments):
        lab.run(lab.BIN / "groma-plot", "results.sqlite", "-o", "pictures", *arguments, cwd=self.folder)
        return sorted((self.folder / "pictures").iterdir())

    def test_a_run_with_several_flows_is_drawn_in_both_formats(self):
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, "--flows", "4", "--idt", "exp:500pps", "--size", "unif:64:1400", "--duration",
                     "3s", "--log", "send.glog", "--receiver-log", "recv.glog")
        results(self.folder, "send.glog", "recv.glog")
        pictures = self.draw("--format", "svg,png")
        kinds = {p.suffix for p in pictures}
        self.assertEqual(kinds, {".svg", ".png"})
        names = " ".join(p.stem for p in pictures)
        for what in ("throughput", "delay", "jitter", "loss", "gap"):
            self.assertIn(what, names)
        for picture in pictures:
            if picture.suffix == ".svg":
                root = xml.etree.ElementTree.fromstring(picture.read_bytes())
                self.assertTrue(root.tag.endswith("svg"))
                self.assertGreater(len(list(root.iter())), 50, picture)
            else:
                self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_sender_alone_is_drawn_without_what_only_the_receiver_knows(self):
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, "--idt", "exp:500pps", "--packets", "400", "--log", "send.glog")
        results(self.folder, "send.glog")
        names = " ".join(p.stem for p in self.draw())
        self.assertIn("gap", names)
        self.assertNotIn("delay", names)


if __name__ == "__main__":
    lab.main()
