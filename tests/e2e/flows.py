"""Runs of several flows that differ in their keys: an experiment file made of dictionaries, and its report."""
from __future__ import annotations

import json

import lab


def table(heading: str, keys: dict) -> str:
    """A table of TOML: numbers as they are, everything else in quotes."""
    values = (f"{key} = {value if isinstance(value, int) else json.dumps(str(value))}" for key, value in keys.items())
    return "\n".join([heading, *values, ""])


class FlowsTest(lab.LabTest):
    def write(self, flows, **defaults) -> str:
        """An experiment file of these flows, each a dictionary of its keys."""
        text = table("[defaults]", defaults) + "".join(table("[[flow]]", flow) for flow in flows)
        (self.folder / "flows.toml").write_text(text)
        return "flows.toml"

    def send(self, flows, *arguments, status=0, **defaults) -> dict:
        """Runs the flows from host a and returns the report, its flows by name."""
        result = self.a.groma("send", self.write(flows, **defaults), "--json", "--quiet", *arguments, check=False)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return by_name(json.loads(result.stdout))

    def report(self, name: str) -> dict:
        return by_name(json.loads((self.folder / name).read_text()))

    def assertArrived(self, flow: dict, packets: int):
        self.assertEqual((flow["sent_packets"], flow["received_packets"], flow["lost"]), (packets, packets, 0), flow)


def by_name(report: dict) -> dict:
    report["flows"] = {flow["name"]: flow for flow in report["flows"]}
    return report
