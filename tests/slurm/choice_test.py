#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whom preempt/cede takes, inside a real slurmctld: 16 real slurmds with 8 fake GPUs each, two leaves."""
import os
import unittest

from cede_site import build_plugin, cede_site, fill, stays, went

PLUGIN = build_plugin()
NODES = [f"n{i:03}" for i in range(1, 17)]


def minutes(*values):
    """Jobs that can save their state, by minutes the checkpoint takes: Slurm would take the first of equals."""
    return {node: f"cede:ckpt=auto,est={value}m" for node, value in zip(NODES, values)}


RISING = minutes(*range(20, 52, 2))


class Choice(unittest.TestCase):
    def test_veto(self):
        with cede_site(PLUGIN, {"class": {"partitions": {"low": 5, "high": 5}}}) as site:
            jobs = fill(site, RISING)
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            site.wait_log(rf"preempt/cede: job {asks}: wait")
            self.assertTrue(stays(site, asks, "PENDING"))
            self.assertEqual(went(site, jobs), [])

    def check_cheapest(self, folder):
        costs = dict(RISING, n007="cede:ckpt=auto,est=1m", n012="cede:ckpt=auto,est=3m")
        with cede_site(folder) as site:
            jobs = fill(site, costs)
            asks = site.submit("-p", "high", "-N2", "--gres=gpu:8", "-t", "60")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n007", "n012"])
            self.assertEqual(sorted(site.gpus_of(asks)), ["n007", "n012"])
            self.assertRegex(site.log(), rf"preempt/cede: job {asks}: preempt {jobs['n007']} by requeue, "
                                         rf"{jobs['n012']} by requeue, cost \d+\.\d\d\d: ")

    def test_victims_by_checkpoint_cost(self):
        self.check_cheapest(PLUGIN)

    def test_victims_by_checkpoint_cost_decided_late(self):
        """The way of Slurm 25.05 and later: decided at the first question about order or mode."""
        self.check_cheapest(os.path.join(PLUGIN, "late"))

    def test_victims_share_a_leaf(self):
        # The cheapest two are on different leaves; the cheapest pair of one leaf is n009 and n010.
        costs = dict(RISING, n001="cede:ckpt=auto,est=1m", n009="cede:ckpt=auto,est=2m", n010="cede:ckpt=auto,est=9m")
        with cede_site(PLUGIN) as site:
            jobs = fill(site, costs)
            asks = site.submit("-p", "high", "-N2", "--gres=gpu:8", "-t", "60", "--switches=1@60:00")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n009", "n010"])
            self.assertEqual(sorted(site.gpus_of(asks)), ["n009", "n010"])

    def test_exact_gpus_on_a_shared_node(self):
        with cede_site(PLUGIN, nodes=2) as site:
            def half(node, estimate):
                return site.submit("-p", "low", "-w", node, "-N1", "--gres=gpu:4", "-t", "600",
                                   f"--comment=cede:ckpt=auto,est={estimate}m")
            jobs = [half("n001", 30), half("n001", 20), half("n002", 25), half("n002", 2)]
            site.wait_all(jobs, "RUNNING")
            freed = site.gpus_of(jobs[3])
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:h100:4", "-t", "60")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(site.gpus_of(asks), freed)
            self.assertEqual([site.state(job) for job in jobs[:3]], ["RUNNING"] * 3)

    def test_requeue_and_cancel(self):
        with cede_site(PLUGIN, nodes=2) as site:
            back = fill(site, {"n001": "cede:ckpt=auto,est=1m"}, "--requeue")["n001"]
            ends = fill(site, {"n002": "cede:ckpt=auto,est=1m"}, "--no-requeue")["n002"]
            asks = site.submit("-p", "high", "-N2", "--gres=gpu:8", "-t", "60")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(site.job(back)["Restarts"], "1")
            self.assertEqual((site.state(back), site.state(ends)), ("PENDING", "PREEMPTED"))
            self.assertRegex(site.log(), rf"{back} by requeue, {ends} by cancel")

    def test_a_comment_lowers_the_class_and_cannot_raise_it(self):
        with cede_site(PLUGIN, {"class": {"partitions": {"low": 4, "high": 6}}}, nodes=2) as site:
            jobs = fill(site, {"n001": "cede:ckpt=auto,est=1m,class=9", "n002": "cede:ckpt=auto,est=50m,class=1"})
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60", "--comment=cede:class=2")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n002"], "class 2 may take class 1, not 4")

    def test_a_comment_raises_the_class_as_far_as_its_account_may(self):
        settings = {"class": {"partitions": {"low": 4, "high": 4}}, "comment_may_raise": {"accounts": {"lab": 5}}}
        with cede_site(PLUGIN, settings, nodes=2) as site:
            fill(site, {"n001": "cede:ckpt=auto,est=1m", "n002": "cede:ckpt=auto,est=1m"})
            refused = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60", "--comment=cede:class=9", "-A", "other")
            site.wait_log(rf"preempt/cede: job {refused}: wait")
            granted = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60", "--comment=cede:class=9", "-A", "lab")
            site.wait_state(granted, "RUNNING")
            self.assertEqual(site.state(refused), "PENDING")

    def test_overlapping_partitions(self):
        costs = dict(RISING, n001="cede:ckpt=auto,est=1m", n013="cede:ckpt=auto,est=9m")
        partitions = ["PartitionName=low Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE",
                      "PartitionName=high Nodes=n[009-016] PriorityTier=10 MaxTime=INFINITE"]
        with cede_site(PLUGIN, partitions=partitions) as site:
            jobs = fill(site, costs)
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n013"], "n001 is cheaper, but in another partition")

    def test_a_drained_node_is_no_place(self):
        costs = dict(RISING, n005="cede:ckpt=auto,est=1m", n006="cede:ckpt=auto,est=2m")
        with cede_site(PLUGIN) as site:
            jobs = fill(site, costs)
            site.run("scontrol", "update", "nodename=n005", "state=drain", "reason=test")
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n006"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
