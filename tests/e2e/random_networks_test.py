#!/usr/bin/env python3
"""Every figure of groma-dec, of networks that are drawn with a seed (random_networks.py), is computed once more: by the
definitions of docs/reference/metrics.md, from the packets that the logs still have and the totals that they name.
Figures that have no formula there are in NOT_COMPUTED. GROMA_SEEDS=7,12 takes other seeds."""
from __future__ import annotations

import json
import os
import pathlib
import unittest

import ending
import lab
import network_oracle
import oracle_statistics
import random_networks

SEEDS = [int(seed) for seed in os.environ.get("GROMA_SEEDS", "").split(",") if seed] or range(40)
NOT_COMPUTED = {
    "program": "its version", "idt": "a text of models.md", "size": "a text of models.md", "notes": "sentences", "warnings": "sentences", "no_schedule_because": "a sentence, of flows without a schedule, which are not drawn",
    "lambda2_error": "in total only: how the covariances of flows add up is not documented"}
ROWS = {"n_reordering": ["n"], "reorder_density": ["displacement"], "gap_scales": ["side", "gaps"]}  # of a flow, and what tells them apart


class RandomNetworks(unittest.TestCase):
    def setUp(self):
        temporary = ending.TemporaryFolder(prefix="groma-random-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def decoded(self, network) -> dict:
        for role, log in network.kept.items():
            (self.folder / f"{role}.glog").write_bytes(log)
        result = lab.run(lab.BIN / "groma-dec", *(f"{role}.glog" for role in network.kept), "--thorough", "--json", "--interval", f"{oracle_statistics.INTERVAL}ns",
                         cwd=self.folder, check=False)
        return json.loads(result.stdout)

    def compared(self, where: str, found: dict, wanted: dict):
        """What is wrong, a sentence each."""
        yield from (f"{where} has {name}, which is neither computed nor in NOT_COMPUTED" for name in found.keys() - wanted.keys() - NOT_COMPUTED.keys())
        yield from (f"{where} lacks {name}" for name in wanted.keys() - found.keys())
        for name in found.keys() & wanted.keys():
            if not oracle_statistics.agrees(found[name], wanted[name]):
                yield f"{where} {name}: {found[name]} instead of {wanted[name]}"

    def compared_flows(self, where: str, found: dict, wanted: dict):
        if wanted["ks_p_low"] and found["ks"] is not None:
            for name, more in (("ks_p_low", found["ks_within"]), ("ks_p_high", 0)):
                wanted[name] = oracle_statistics.Near(oracle_statistics.kolmogorov(min(found["ks"] + more, 1), found["fit_gaps"]), 1e-5)
        lists = {"series", *ROWS} & wanted.keys()
        yield from self.compared(where, *({**figures, **{name: len(figures[name]) for name in lists}} for figures in (found, wanted)))
        for row, its in zip(found["series"], wanted["series"]):
            yield from self.compared(f"{where}, {its['t_s']} s,", row, its)
        for name in ROWS.keys() & wanted.keys():
            for row, its in zip(found[name], wanted[name]):
                yield from self.compared(f"{where}, {name} {', '.join(str(its[key]) for key in ROWS[name])},", row, its)

    def wrong(self, network) -> list[str]:
        said = self.decoded(network)
        run, = said["runs"]
        clock = network_oracle.Clock(network, run)
        parts = [network_oracle.Part(network, flow, clock) for flow in network.flows]
        wrong = [*self.compared("report", said, {"schema": "groma-dec 2", "complete": network.whole, "runs": said["runs"]})]
        wrong += self.compared("run", run, network_oracle.run_figures(network, clock) | {name: run[name] for name in ("logs", "flows", "total")})
        for found, wanted in zip(run["logs"], network_oracle.log_figures(network), strict=True):
            wrong += self.compared(found["log"], found | {"gaps": [(it["offset"], it["bytes"]) for it in found["gaps"]]}, wanted)
        for part, found in zip(parts, run["flows"], strict=True):
            wrong += self.compared_flows(f"flow {found['flow']}", found, network_oracle.FlowFigures(part, clock).all(found))
        return wrong + [*self.compared_flows("total", run["total"], network_oracle.TotalFigures(parts, clock, run["flows"]).all())]

    def test_every_figure(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                network = random_networks.drawn(seed)
                wrong = self.wrong(network)
                self.assertFalse(wrong, "\n".join(["", f"seed {seed} ({network.damage or 'undamaged'}, {network.clock}):", *wrong]))

    def test_a_step_of_the_clock_is_in_no_figure_of_arrivals(self):
        """Nor is it in the delay; the fit before and after it is less sure than that of the whole run."""
        for seed in (170, 368):
            with self.subTest(seed=seed):
                network = random_networks.drawn(seed)
                stepped = random_networks.drawn(seed, 5 * random_networks.SECOND, random_networks.quiet_time(network))
                (before, ), (after, ) = (self.decoded(one)["runs"] for one in (network, stepped))
                step, = after["clock_steps"]
                within = before["clock_bound_ns"] + step["error_ns"]
                for plain, other in zip([*before["flows"], before["total"]], [*after["flows"], after["total"]], strict=True):
                    for name in ("arrival_gap_count", "arrival_gap_min_ns", "arrival_gap_max_ns", "delay_min_ns", "delay_mean_ns", "delay_max_ns"):
                        self.assertAlmostEqual(other[name], plain[name], delta=within, msg=name)
                    self.assertAlmostEqual(other["duration_s"], plain["duration_s"], delta=within / 1e9)
                    for row, its in zip(other["series"], plain["series"], strict=True):
                        self.assertEqual(row["received_packets"], its["received_packets"], its["t_s"])

    def test_one_packet_that_is_not_as_in_the_log_is_noticed(self):
        for role, field, more in (("sender", "sent_at", 10_000), ("sender", "lateness", 10_000), ("sender", "size", 1), ("sender", "batch", 1),
                                  ("receiver", "received_at", 10_000), ("receiver", "size", 1)):
            with self.subTest(role=role, field=field):
                network = random_networks.drawn(0)
                packet = network.recorded[role][20]
                network.recorded[role][20] = packet._replace(**{field: getattr(packet, field) + more})
                self.assertTrue(self.wrong(network))


if __name__ == "__main__":
    lab.main(root=False)
