# SPDX-License-Identifier: MIT
"""The metrics of a real run, read by the parser that Prometheus' own client has for OpenMetrics."""
import json
import os
import subprocess
import sys
import unittest

import cede_library

# Debian's package is for Debian's interpreter, which need not be the one that runs the tests.
PYTHON = "/usr/bin/python3"
READ = """
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
print(json.dumps([[sample.name, sample.labels, sample.value]
                  for family in text_string_to_metric_families(sys.stdin.read()) for sample in family.samples]))
"""
POLICY = '{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}'
CLUSTER = json.dumps({
    "format": "cede-cluster/1", "now": 1000000, "groups": [{"id": "g"}], "queues": [{"id": "root"}],
    "nodes": [{"id": "n1", "resources": {"gpu": 4}}],
    "jobs": [{"id": "v", "queue": "root", "class": 1, "state": "running", "started": 999000,
              "checkpoint": {"mode": "auto", "estimate": "1m"},
              "tasks": [{"node": "n1", "resources": {"gpu": 4}}]},
             {"id": "p", "queue": "root", "class": 8, "submitted": 999000,
              "tasks": [{"resources": {"gpu": 4}}]}]})


def readable():
    try:
        return subprocess.run([PYTHON, "-c", "import prometheus_client"], capture_output=True).returncode == 0
    except OSError:
        return False


class MetricsTest(unittest.TestCase):
    def setUp(self):
        engine = cede_library.Engine(POLICY, CLUSTER)
        self.addCleanup(engine.close)
        second = 1000
        begin = 1000000 * second
        engine.commit("p", begin, micros=150)
        engine.step(begin)
        engine.step(begin + 45 * second, (cede_library.CHECKPOINT_DONE, "v"), (cede_library.STARTED, "nobody"))
        engine.step(begin + 50 * second, (cede_library.RELEASED, "v"))
        text = engine.metrics()
        read = subprocess.run([PYTHON, "-c", READ], input=text, capture_output=True, text=True)
        self.assertEqual(read.returncode, 0, read.stderr + text)
        self.samples = json.loads(read.stdout)

    def value(self, name, **labels):
        found = [value for each, own, value in self.samples if each == name and own == labels]
        self.assertEqual(len(found), 1, f"{name} {labels} in {self.samples}")
        return found[0]

    def test_counters(self):
        self.assertEqual(self.value("cede_preemptions_total", queue="root", reason="priority"), 1)
        self.assertEqual(self.value("cede_preemption_victim_requeue_total"), 1)
        self.assertEqual(self.value("cede_preemption_failed_checkpoint_total"), 0)
        self.assertEqual(self.value("cede_plans_total", profile="class-cost", outcome="preempt"), 1)
        self.assertEqual(self.value("cede_holds"), 1)
        self.assertEqual(self.value("cede_in_flight"), 0)
        self.assertEqual(self.value("cede_ignored_events_total"), 1)
        self.assertEqual(self.value("cede_lost_work_gpu_seconds_total", queue="root"), 4 * 60)

    def test_histograms(self):
        self.assertEqual(self.value("cede_preemption_checkpoint_duration_seconds_count"), 1)
        self.assertEqual(self.value("cede_preemption_checkpoint_duration_seconds_sum"), 45)
        for name, value in (("cede_preemption_checkpoint_duration_seconds", 45), ("cede_plan_seconds", 0.00015)):
            buckets = [(float(own["le"]), count) for each, own, count in self.samples if each == name + "_bucket"]
            self.assertGreater(len(buckets), 5)
            for bound, count in buckets:
                self.assertEqual(count, 1 if value <= bound else 0, (name, bound))


if __name__ == "__main__":
    if os.environ.get("CEDE_SANITIZE") or not readable():
        print("skipped: Debian's python3-prometheus-client is not here, or the library is instrumented")
        sys.exit(77)
    unittest.main()
