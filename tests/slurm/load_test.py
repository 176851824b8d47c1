#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What preempt/cede costs slurmctld when 1,000 jobs run: CPU time of each decision and per second of scheduling."""
import os
import re
import statistics
import unittest

from cede_site import LONG, build_plugin, cede_site, skip
from private_slurm import wait_until

if not LONG:
    skip("part of the long tier")
PLUGIN = build_plugin()
JOBS = int(os.environ.get("CEDE_JOBS", "1000"))
REQUESTS = {"a quarter of a node": ["-N1", "-n16"], "a whole node": ["-N1", "-n1", "--exclusive"]}
BODY = "#!/bin/bash\nexec sleep 3600\n"


class Load(unittest.TestCase):
    def test_decisions_with_a_thousand_jobs(self):
        with cede_site(PLUGIN, {"log": "all"}, cpus=64) as site:
            site.submit("-p", "low", "-n1", "-t", "600", f"--array=1-{JOBS}", "--comment=cede:ckpt=auto,est=5m",
                        script=BODY)
            wait_until(lambda: list(site.states().values()).count("RUNNING") == JOBS, 300, f"{JOBS} running jobs")
            for name, request in REQUESTS.items():
                since = len(site.log())
                asks = [site.submit("-p", "high", "-t", "60", *request, script=BODY) for _ in range(3)]
                site.wait_all(asks, "RUNNING", 120)
                self.report(name, site.log()[since:])

    def report(self, name, log):
        figures = re.findall(r"\[(\S+)\] preempt/cede: decided in (\d+) us of CPU time over \d+ jobs: (\d+) to tell "
                             r"the changes, (\d+) to plan", log)
        took = [int(figure[1]) for figure in figures]
        cycles = {}
        for stamp, whole, _, _ in figures:
            cycles[stamp[:19]] = cycles.get(stamp[:19], 0) + int(whole)
        print(f"load: {JOBS} jobs, {name}: {len(took)} decisions, median {statistics.median(took):.0f} us, largest "
              f"{max(took)} us, of it telling at most {max(int(f[2]) for f in figures)} us and planning "
              f"{max(int(f[3]) for f in figures)} us; in a second: median "
              f"{statistics.median(cycles.values()):.0f} us, largest {max(cycles.values())} us", flush=True)
        self.assertLess(max(took), 5_000_000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
