#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""preempt/cede when things go wrong: settings, library, reconfiguration, restart."""
import os
import signal
import time
import unittest

from cede_site import build_plugin, cede_site, fill, stays, went, write_settings
from private_slurm import wait_until

PLUGIN = build_plugin()
NODES = [f"n{i:03}" for i in range(1, 17)]
TWO = {"n001": "cede:ckpt=auto,est=20m", "n002": "cede:ckpt=auto,est=22m"}


class Running(unittest.TestCase):
    def test_bad_settings_preempt_nobody(self):
        with cede_site(PLUGIN, {"clas": {}}, nodes=2) as site:
            jobs = fill(site, TWO)
            self.assertRegex(site.log(), r"error: preempt/cede: .*cede-slurm.json:1:\d+: clas: unknown field 'clas'; "
                                         r"did you mean 'class'\?")
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            self.assertTrue(stays(site, asks, "PENDING"))
            self.assertEqual(went(site, jobs), [])
            write_settings(site)
            site.run("scontrol", "reconfigure")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n001"])

    def test_without_the_library_the_controller_starts(self):
        with cede_site(PLUGIN, {"library": "/nowhere/libcede.so.0"}, nodes=2) as site:
            self.assertIn("preempt/cede: libcede cannot be loaded: /nowhere/libcede.so.0", site.log())
            jobs = fill(site, TWO)
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            self.assertTrue(stays(site, asks, "PENDING"))
            self.assertEqual(went(site, jobs), [])

    def test_reconfigure_changes_classes(self):
        with cede_site(PLUGIN, {"class": {"partitions": {"low": 5, "high": 5}}}, nodes=2) as site:
            jobs = fill(site, {"n001": "cede:ckpt=auto,est=9m", "n002": "cede:ckpt=auto,est=2m"})
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            site.wait_log(rf"preempt/cede: job {asks}: wait")
            write_settings(site, {"class": {"partitions": {"low": 5, "high": 6}}})
            site.run("scontrol", "reconfigure")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n002"])

    def test_a_partition_loses_nodes_under_running_jobs(self):
        partitions = ["PartitionName=low Nodes=n[001-004] Default=YES PriorityTier=1 MaxTime=INFINITE",
                      "PartitionName=high Nodes=n[001-002] PriorityTier=10 MaxTime=INFINITE"]
        with cede_site(PLUGIN, nodes=4, partitions=partitions) as site:
            jobs = fill(site, {"n001": "cede:ckpt=auto,est=9m", "n002": "cede:ckpt=auto,est=5m",
                               "n003": "cede:ckpt=auto,est=1m", "n004": "cede:ckpt=auto,est=1m"})
            site.run("scontrol", "update", "partitionname=low", "nodes=n[001-002]")
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(went(site, jobs), ["n002"])
            self.assertNotIn("libcede does not take the cluster", site.log())

    def test_restart_in_the_middle(self):
        with cede_site(PLUGIN, {"grace": {"checkpoint": "5s"}}, nodes=4) as site:
            stubborn = "#!/bin/bash\ntrap '' TERM CONT\nwhile :; do sleep 1; done\n"
            jobs = {}
            for node, estimate in zip(NODES, (30, 20, 2, 40)):
                jobs[node] = site.submit("-p", "low", "-N1", "--gres=gpu:8", "-t", "600", "--signal=USR1@1",
                                         f"--comment=cede:ckpt=auto,est={estimate}m", script=stubborn)
            site.wait_all(jobs.values(), "RUNNING")
            asks = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "60")
            wait_until(lambda: site.job(jobs["n003"]).get("PreemptTime", "None") not in ("None", ""), 60,
                       "the victim in its grace time")
            seen = time.time()
            wait_until(lambda: os.path.getmtime(site.path("state", "job_state")) > seen, 30,
                       "state is saved with the request")
            site.kill_controller(signal.SIGKILL)
            site.start_controller()
            site.wait_state(asks, "RUNNING", 120)
            self.assertEqual(went(site, jobs), ["n003"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
