#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Request after request on one slurmctld with preempt/cede: nothing is left over."""
import unittest

from cede_site import CEDE, LONG, build_plugin, cede_site
from private_slurm import wait_until

PLUGIN = build_plugin()


class Churn(unittest.TestCase):
    REQUESTS = 1000 if LONG else 100

    def test_requests_without_a_leak(self):
        """Request after request takes a victim each; the controller's memory comes to rest."""
        with cede_site(PLUGIN, nodes=4, extra=CEDE + "\nMinJobAge=2") as site:
            site.submit("-p", "low", "-N1", "--gres=gpu:1", "-t", "600", "--array=1-900",
                        "--comment=cede:ckpt=auto,est=1m", seconds=3600)
            wait_until(lambda: list(site.states().values()).count("RUNNING") == 32, 90, "a full cluster")
            memory = []
            for count in range(1, self.REQUESTS + 1):
                asks = site.submit("-p", "high", "-N1", "--gres=gpu:2", "-t", "60", seconds=1)
                if count % 5 == 0:
                    wait_until(lambda job=asks: site.state(job) in ("COMPLETED", "COMPLETING", "RUNNING", "GONE"), 90,
                               f"request {count} started")
                    memory.append(site.memory_kb())
            taken = site.log().count("has been requeued to reclaim")
            print(f"churn: {self.REQUESTS} requests, {taken} victims, slurmctld {memory[0]} to {memory[-1]} kB")
            self.assertGreaterEqual(taken, self.REQUESTS // 10)
            half = len(memory) // 2
            growth = max(memory[half:]) - max(memory[:half])
            self.assertLess(growth, 4000, f"kB more in the second half: {memory}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
