#!/usr/bin/env python3
"""The pictures of real runs exist and show what they claim; groma-plot names what could not be drawn."""
import math
import xml.etree.ElementTree

import lab
import pictures
from two_hosts_test import results


class Plots(lab.LabTest):
    def draw(self, *arguments):
        lab.run(lab.BIN / "groma-plot", "results.sqlite", "-o", "pictures", *arguments, cwd=self.folder)
        return sorted((self.folder / "pictures").iterdir())

    def assert_same_picture(self, pdf, seen: bool):
        """Asserts that a PDF is one page of its size with the words of the SVG of that name; `seen`: with as much
        ink in the same colours as the PNG."""
        pages, width, height = pictures.page_of_pdf(pdf)
        self.assertEqual(pages, 1, pdf)
        self.assertAlmostEqual(width, 170, delta=1)
        self.assertAlmostEqual(height, 96, delta=1)
        self.assertEqual(pictures.words_of_pdf(pdf), pictures.words_of_svg(pdf.with_suffix(".svg")), pdf)
        if seen:
            page, image = pictures.of_pdf(pdf), pictures.of_png(pdf.with_suffix(".png"))
            for clear, other in ((page, image), (image, page)):
                self.assertLessEqual(pictures.colours(clear, at_least=60), pictures.colours(other, at_least=10), pdf)
            self.assertLess(abs(math.log(pictures.ink(page) / pictures.ink(image))), math.log(1.5), pdf)

    def test_a_run_with_several_flows_is_drawn_in_every_format(self):
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, "--flows", "4", "--idt", "exp:500pps", "--size", "unif:64:1400", "--packets",
                     500, "--log", "send.glog", "--receiver-log", "recv.glog")
        results(self.folder, "send.glog", "recv.glog")
        drawn = self.draw("--format", "svg,png,pdf")
        kinds = {p.suffix for p in drawn}
        self.assertEqual(kinds, {".svg", ".png", ".pdf"})
        names = " ".join(p.stem for p in drawn)
        for what in ("throughput", "delay", "jitter", "loss", "gap"):
            self.assertIn(what, names)
        for picture in drawn:
            if picture.suffix == ".svg":
                root = xml.etree.ElementTree.fromstring(picture.read_bytes())
                self.assertTrue(root.tag.endswith("svg"))
                self.assertGreater(len(list(root.iter())), 50, picture)
            elif picture.suffix == ".png":
                self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            else:
                self.assert_same_picture(picture, seen=picture.stem in ("throughput", "gap-qq", "delay-ccdf"))

    def test_a_sender_alone_is_drawn_without_what_only_the_receiver_knows(self):
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, "--idt", "exp:500pps", "--packets", "400", "--log", "send.glog")
        results(self.folder, "send.glog")
        names = " ".join(p.stem for p in self.draw())
        self.assertIn("gap", names)
        self.assertNotIn("delay", names)


    def test_runs_are_compared_and_fitted_traffic_is_drawn(self):
        self.b.receiver()
        for name in ("first", "second"):
            self.a.groma("send", "--to", self.b.address, "--name", name, "--idt", "exp:2000pps", "--size", "unif:64:1400", "--packets",
                         2000, "--log", f"{name}.glog")
            lab.run(lab.BIN / "groma-dec", f"{name}.glog", "--sqlite", f"{name}.sqlite", "--quiet", cwd=self.folder)
        drawn = lab.run(lab.BIN / "groma-plot", "first.sqlite", "second.sqlite", "-o", "both", "--only", "sent-rate,gap-qq",
                        cwd=self.folder).stdout.split()
        self.assertEqual([p.rsplit("/", 1)[1] for p in drawn], ["sent-rate.svg", "gap-qq.svg"])
        for picture in drawn:
            text = (self.folder / picture).read_text()
            self.assertIn("first", text)
            self.assertIn("second", text)
        lab.run(lab.BIN / "groma-dec", "fit", "first.glog", "--sqlite", "fit.sqlite", cwd=self.folder)
        drawn = lab.run(lab.BIN / "groma-plot", "fit.sqlite", "-o", "fitted", "--format", "svg,pdf", cwd=self.folder).stdout
        for what in ("gap-qq", "gap-density", "size-qq", "gap-autocorrelation", "dispersion", "variance-time", "logscale"):
            self.assertIn(f"fitted/{what}.svg", drawn)
            self.assert_same_picture(self.folder / "fitted" / f"{what}.pdf", seen=False)


if __name__ == "__main__":
    lab.main()
