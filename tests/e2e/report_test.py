#!/usr/bin/env python3
"""groma-dec report writes one self-contained HTML file of a real run, also without gnuplot."""
import base64
import html.parser
import os
import re
import shutil
import xml.etree.ElementTree

import lab
import pictures

SVG_URI = "data:image/svg+xml;base64,"


class Page(html.parser.HTMLParser):
    """The contents of a page: tags with their attributes, and the text."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        self.text += data

    def names(self) -> list[str]:
        return [tag for tag, _ in self.tags]

    def pictures(self) -> list[xml.etree.ElementTree.Element]:
        sources = [attributes["src"].removeprefix(SVG_URI) for tag, attributes in self.tags if tag == "img"]
        return [xml.etree.ElementTree.fromstring(base64.b64decode(source, validate=True)) for source in sources]


class Report(lab.LabTest):
    def logs(self, *arguments):
        self.b.receiver()
        self.a.groma("send", "--to", self.b.address, *arguments, "--log", "send.glog", "--receiver-log", "recv.glog")

    def assertInert(self, tags, refers_to: str):
        """Asserts that no tag runs code or refers to other files."""
        for tag, attributes in tags:
            self.assertNotIn(tag, ("script", "foreignObject", "iframe", "set"))
            for name, value in attributes.items():
                self.assertFalse(name.startswith("on"), (tag, name))
                if name.endswith(("href", "src")):
                    self.assertTrue(value.startswith(refers_to), (tag, name, value))

    def page(self, name="report.html") -> Page:
        text = (self.folder / name).read_text()
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertInert(page.tags, SVG_URI)
        self.assertEqual(re.findall(r"https?://", text), [])
        # Browsers run no code and load no files for an image; groma-plot's images need neither.
        for root in page.pictures():
            self.assertEqual(root.tag, pictures.SVG + "svg")
            self.assertInert([(element.tag.removeprefix(pictures.SVG), element.attrib) for element in root.iter()], "#")
        return page

    def report(self, *arguments, **options):
        return lab.run(lab.BIN / "groma-dec", "report", "send.glog", "recv.glog", *arguments, cwd=self.folder, **options)

    def test_a_run_is_one_page_with_pictures(self):
        self.logs("--name", "<b>it's & more", "--flows", "3", "--idt", "exp:500pps", "--size", "unif:64:1400", "--packets", 500,
                  "--seed", "4711")
        (self.folder / "e.toml").write_text("# <i>the file</i>\nname = \"x\"\n")
        self.report("-o", "report.html", "--experiment", "e.toml", "--require", "loss=0")
        page = self.page()
        self.assertGreaterEqual(page.names().count("img"), 8)
        for part in ("Sent ", "<b>it's & more", "4711", "# <i>the file</i>", "one clock", "groma-send", "groma-recv", "met: "):
            self.assertIn(part, page.text)
        self.assertNotIn("i", page.names())
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLess((self.folder / "report.html").stat().st_size, 3_000_000)
        again = self.report(check=False)
        self.assertEqual(again.returncode, 2)
        self.assertIn("--force", again.stderr)

    def test_without_gnuplot_it_has_tables_and_says_why(self):
        self.logs("--idt", "const:500pps", "--packets", "400")
        path = self.folder / "path"
        path.mkdir()
        for name in ("groma-dec", "groma-plot"):
            shutil.copy(lab.BIN / name, path / name)
        environment = dict(os.environ, PATH=str(path))
        result = lab.run(path / "groma-dec", "report", "send.glog", "recv.glog", cwd=self.folder, env=environment)
        self.assertIn("gnuplot is not installed", result.stderr)
        page = self.page()
        self.assertNotIn("img", page.names())
        self.assertIn("gnuplot is not installed", page.text)
        self.assertIn("What the network did", page.text)
        (path / "groma-plot").unlink()
        result = lab.run(path / "groma-dec", "report", "send.glog", "recv.glog", "--force", cwd=self.folder, env=environment)
        self.assertIn("no groma-plot", result.stderr)

    def test_of_a_damaged_log_it_says_so(self):
        self.logs("--idt", "const:500pps", "--packets", "400")
        whole = (self.folder / "recv.glog").read_bytes()
        (self.folder / "recv.glog").write_bytes(whole[:len(whole) * 2 // 3])
        result = self.report("--no-pictures", check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cut short", self.page().text)

    def test_of_300_flows_it_is_small(self):
        self.logs("--flows", "300", "--idt", "const:10pps", "--size", "64", "--packets", 10)
        self.report()
        page = self.page()
        self.assertIn("of 300 flows", page.text)
        self.assertIn("10 % to 90 % of the flows", "".join("".join(picture.itertext()) for picture in page.pictures()))
        self.assertLess((self.folder / "report.html").stat().st_size, 2_000_000)


if __name__ == "__main__":
    lab.main()
