# SPDX-License-Identifier: MIT
"""In which order waiting jobs are served, in every profile."""
import unittest

from scenario_run import RunTest, policy, scenario


class OrderTest(RunTest):
    def served(self, profile, jobs, queues=(), **settings):
        """The names of the jobs in the order in which they start. All of them wait for the first one to end."""
        document = scenario([self.job("first", 0, 90, job_class=9, run={"duration": "30s"})] +
                            [self.job(name, i + 1, **members) for i, (name, members) in enumerate(jobs)],
                            policy=policy(profile, preemption="off", **settings), speed=60)
        document["cluster"]["queues"] += [{"parent": "root", **queue} for queue in queues]
        run = self.run_scenario(document)
        starts = [name for event, name in self.events(run) if event == "start"]
        self.assertEqual(starts[0], "first")
        return starts[1:]

    @staticmethod
    def job(name, arrival, priority=10, job_class=4, tasks=({},), run=None, **members):
        return {"id": name, "queue": "root", "priority": priority, "class": job_class, **members,
                "tasks": [{"resources": {"gpu": 4 // len(tasks)}, **task} for task in tasks],
                "run": {"duration": "1s", **(run or {}), "arrival": f"{arrival}s"}}

    PLAIN = [("low", {"priority": 6, "job_class": 8}), ("late", {"priority": 50}), ("later", {"priority": 50}),
             ("own", {"priority": 90, "tasks": [{"priority": 2}]}), ("middle", {"priority": 7})]

    def test_priority(self):
        for profile in "priority", "quota", "guarantee":
            with self.subTest(profile):
                self.assertEqual(self.served(profile, self.PLAIN), ["late", "later", "middle", "low", "own"])

    def test_class_cost(self):
        self.assertEqual(self.served("class-cost", self.PLAIN), ["low", "late", "later", "middle", "own"])

    def test_fair_share(self):
        self.assertEqual(self.served("fair-share", self.PLAIN), [name for name, _ in self.PLAIN])

    def test_guarantee_adds_the_offsets_of_queues(self):
        jobs = [("plain", {"priority": 20}), ("raised", {"priority": 10, "queue": "root.q"})]
        self.assertEqual(self.served("guarantee", jobs, [{"id": "root.q", "priority_offset": 11}]), ["raised", "plain"])
        self.assertEqual(self.served("quota", jobs, [{"id": "root.q", "priority_offset": 11}]), ["plain", "raised"])

    def test_a_gang_counts_with_its_lowest_task(self):
        jobs = [("mixed", {"tasks": [{"priority": 80}, {"priority": 3}]}), ("single", {"priority": 20})]
        self.assertEqual(self.served("priority", jobs), ["single", "mixed"])

    def test_another_job_counts_with_the_first_task_that_may_preempt(self):
        tasks = [{"priority": 80, "may_preempt": False}, {"priority": 3}]
        jobs = [("mixed", {"tasks": tasks, "gang": False}), ("single", {"priority": 20})]
        self.assertEqual(self.served("priority", jobs)[0], "single")
        jobs[0][1]["may_preempt"] = False
        tasks[1]["may_preempt"] = False
        self.assertEqual(self.served("priority", jobs)[0], "mixed")

    def test_the_kind_of_a_queue_decides_what_is_a_gang(self):
        jobs = [("mixed", {"tasks": [{"priority": 80}, {"priority": 3}], "queue": "root.q.r"}), ("single", {"priority": 20})]
        queues = [{"id": "root.q", "kind": "service"}, {"id": "root.q.r", "parent": "root.q"}]
        self.assertEqual(self.served("priority", jobs, queues)[0], "mixed")

    def test_an_elastic_gang_counts_with_the_tasks_it_lacks(self):
        jobs = [("elastic", {"tasks": [{"priority": 80}, {"priority": 3}], "min_tasks": 1}), ("single", {"priority": 20})]
        self.assertEqual(self.served("priority", jobs)[0], "elastic")


class PreemptionTest(RunTest):
    def test_a_job_of_low_tasks_is_not_started_and_suspended_in_turns(self):
        # Served by its own priority of 50, it started whenever the node was free and was suspended for the next job.
        jobs = [OrderTest.job("first", 0, 9, run={"duration": "1m"}),
                OrderTest.job("low", 10, 50, tasks=[{"priority": 2}], run={"duration": "40s"})]
        jobs += [OrderTest.job(f"next-{i}", 20 + i, run={"duration": "20s"}) for i in range(3)]
        run = self.run_scenario(scenario(jobs, policy=policy("priority", preemption_mode="suspend"), speed=60))
        self.assertEqual(self.events(run, "leave", of="low"), [])


if __name__ == "__main__":
    unittest.main()
