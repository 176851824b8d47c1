#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The same full cluster and the same request under preempt/partition_prio and preempt/cede, side by side."""
import unittest

from cede_site import CEDE, STOCK, build_plugin, cede_site, fill, went

PLUGIN = build_plugin()
GPUS = 8
# Minutes each node's job needs to save its state. Slurm goes by tier and size, then by the order of its list.
MINUTES = (40, 36, 12, 30, 28, 26, 9, 24, 38, 34, 4, 32, 11, 3, 22, 20)
NODES = [f"n{i:03}" for i in range(1, 17)]
REQUESTS = {
    "1 node": ["-N1"],
    "2 nodes of one leaf": ["-N2", "--switches=1@60:00"],
    "4 nodes": ["-N4"],
}


def lost(names):
    """GPU-minutes until the victims' states are saved."""
    return GPUS * sum(MINUTES[NODES.index(name)] for name in names)


def victims_of(extra, request):
    jobs = {node: f"cede:ckpt=auto,est={value}m" for node, value in zip(NODES, MINUTES)}
    with cede_site(PLUGIN, extra=extra) as site:
        ids = fill(site, jobs)
        asks = site.submit("-p", "high", "--gres=gpu:8", "-t", "60", *request)
        site.wait_state(asks, "RUNNING")
        return went(site, ids)


class Comparison(unittest.TestCase):
    def test_never_worse_than_slurm(self):
        print("| request | Slurm's own order | GPU-minutes | preempt/cede | GPU-minutes |\n|---|---|---|---|---|")
        for name, request in REQUESTS.items():
            stock, ours = victims_of(STOCK, request), victims_of(CEDE, request)
            print(f"| {name} | {', '.join(stock)} | {lost(stock)} | {', '.join(ours)} | {lost(ours)} |", flush=True)
            with self.subTest(name):
                self.assertLessEqual(len(ours), len(stock))
                self.assertLess(lost(ours), lost(stock))
                self.assertEqual(ours, self.best(name), "the cheapest there is")

    @staticmethod
    def best(name):
        leaves = (NODES[:8], NODES[8:])
        if name == "2 nodes of one leaf":
            return min((sorted(sorted(leaf, key=lambda n: lost([n]))[:2]) for leaf in leaves), key=lost)
        return sorted(sorted(NODES, key=lambda n: lost([n]))[:1 if name == "1 node" else 4])


if __name__ == "__main__":
    unittest.main(verbosity=2)
