# SPDX-License-Identifier: MIT
"""Each scenario that is shipped shows what its profile does."""
import os
import unittest

from scenario_run import SCENARIOS, RunTest


class ShippedScenarioTest(RunTest):
    def story(self, name, **ends):
        run = self.run_scenario(os.path.join(SCENARIOS, name + ".json"))
        self.assertEqual(self.ends(run), {job["id"]: ends.get(job["id"].replace("-", "_"), "completed")
                                          for job in run["jobs"]})
        return run

    @staticmethod
    def texts(run, event, job):
        return [e["text"] for e in run["events"] if (e["event"], e["job"]) == (event, job)]

    def test_priority(self):
        run = self.story("priority", notebook="preempted")
        self.assert_order(run, ("plan", "urgent"), ("suspend", "train"), ("requeue", "train"), ("start", "urgent"),
                          ("complete", "urgent"), ("resume", "train"))
        self.assert_order(run, ("plan", "small"), ("suspend", "notebook"), ("preempted", "notebook"), ("start", "small"))
        # Its node kept what it resumes from.
        self.assertEqual(self.texts(run, "start", "train"), self.texts(run, "resume", "train"))
        self.assertNotIn(("leave", "prod"), self.events(run))

    def test_class_cost(self):
        run = self.story("class-cost")
        self.assert_order(run, ("plan", "urgent"), ("hint", "saver"), ("saved", "saver"), ("requeue", "saver"),
                          ("start", "urgent"), ("resume", "saver"))
        self.assertEqual(self.texts(run, "start", "urgent"), self.texts(run, "start", "saver"))
        self.assertTrue(self.texts(run, "wait", "worthless")[0].startswith("value-exceeded: "))
        for kept in ("unsaved", "weighty"):
            self.assertNotIn(("leave", kept), self.events(run))
        self.assertEqual(run["summary"]["lost_work"], 0)

    def test_quota(self):
        run = self.story("quota")
        self.assert_order(run, ("plan", "release"), ("term", "sweep-2"), ("leave", "sweep-2"), ("restart", "sweep-2"),
                          ("start", "release"), ("complete", "release"))
        self.assertTrue(self.texts(run, "wait", "greedy")[0].startswith("quota-min: "))
        self.assertNotIn(("leave", "sweep-1"), self.events(run))
        self.assertEqual(run["summary"]["preempted"], 1)

    def test_fair_share(self):
        run = self.story("fair-share")
        self.assertTrue(self.texts(run, "wait", "modest")[0].startswith("not-starving: "))
        self.assert_order(run, ("arrive", "modest"), ("wait", "modest"), ("plan", "modest"), ("int", "greedy"),
                          ("leave", "greedy"), ("restart", "greedy"), ("start", "modest"))
        # Never more than half of the cluster is taken from the other, however long it starves.
        self.assertLessEqual(len(self.events(run, "leave", of="greedy")), 4)
        self.assertGreaterEqual(len(self.events(run, "leave", of="greedy")), 1)

    def test_guarantee(self):
        run = self.story("guarantee")
        self.assertTrue(self.texts(run, "wait", "prod-1")[0].startswith("pending-delay: "))
        self.assert_order(run, ("wait", "prod-1"), ("plan", "prod-1"), ("hint", "test-1"), ("saved", "test-1"),
                          ("term", "test-1"), ("leave", "test-1"), ("restart", "test-1"), ("start", "prod-1"),
                          ("resume", "test-1"))
        self.assertEqual(run["summary"]["lost_work"], 0)
        # The other queue keeps what it is guaranteed, and what is stronger.
        self.assertEqual({job for _, job in self.events(run, "leave")}, {"test-1"})


if __name__ == "__main__":
    unittest.main()
