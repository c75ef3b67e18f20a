#!/usr/bin/env python3
"""Targets as people write them: literals of both families, names, ports."""
import json
import pathlib
import shutil

import lab


class Names(lab.LabTest):
    def send(self, to: str, *arguments):
        result = self.a.groma("send", "--to", to, "--idt", "const:1000pps", "--size", "const:100", "--packets", "100", "--json",
                              "--quiet", *arguments)
        self.assertEqual(json.loads(result.stdout)["flows"][0]["received"]["packets"], 100)

    def test_ipv4_and_ipv6_literals_with_and_without_a_port(self):
        self.b.receiver()
        for to in (self.b.address, f"{self.b.address}:9000", self.b.address6, f"[{self.b.address6}]:9000"):
            for transport in ("udp", "tcp"):
                with self.subTest(to=to, transport=transport):
                    self.send(to, "--transport", transport)

    def test_a_name(self):
        folder = pathlib.Path("/etc/netns") / self.a.namespace
        folder.mkdir(parents=True)
        self.addCleanup(shutil.rmtree, folder)
        (folder / "hosts").write_text(f"{self.b.address} beta\n{self.b.address6} beta6\n")
        self.b.receiver()
        self.send("beta")
        self.send("beta6:9000")

    def test_another_control_port(self):
        self.b.receiver("--port", "9555")
        self.send(f"{self.b.address}:9555")

    def test_a_receiver_on_the_same_host_needs_no_open(self):
        self.a.receiver(where=())
        self.send("127.0.0.1")
        self.send("::1")
        self.send("localhost")

    def test_a_receiver_without_open_cannot_be_reached_from_elsewhere(self):
        self.b.receiver(where=())
        result = self.a.groma("send", "--to", self.b.address, "--idt", "const:1000pps", "--packets", "10", check=False)
        self.assertSaid(result, 1, self.b.address, "groma-recv")


if __name__ == "__main__":
    lab.main()
