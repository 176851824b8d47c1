# SPDX-License-Identifier: MIT
"""What a scenario lets happen to its cluster: overcommitted nodes, lowered limits, claims, nodes that go down."""
import os
import unittest

from scenario_run import SCENARIOS, RunTest, cluster, job, policy, scenario


def event(kind, at, **members):
    return {"event": kind, "at": at, **members}


class EventTest(RunTest):
    def story(self, name, **ends):
        run = self.run_scenario(os.path.join(SCENARIOS, name + ".json"))
        self.assertEqual(self.ends(run), {job["id"]: ends.get(job["id"], "completed") for job in run["jobs"]})
        return run

    @staticmethod
    def texts(run, event, subject):
        return [e["text"] for e in run["events"] if (e["event"], e["job"]) == (event, subject)]

    def relief(self, run):
        return {each["target"]: each for each in run["relief"]}


class ShippedTest(EventTest):
    def test_overcommit(self):
        run = self.story("overcommit")
        self.assert_order(run, ("overcommit", "node:n1"), ("plan", "node:n1"), ("relieved", "node:n1"),
                          ("overcommit", "job:search"), ("plan", "node:n2"), ("relieved", "node:n2"))
        for node in ("n1", "n2"):
            self.assertEqual(self.relief(run)[f"node:{node}"]["plans"], 1, "one plan is enough")
        self.assertFalse(any(each["over"] for each in run["relief"]))

    def test_lower_max(self):
        run = self.story("lower-max")
        self.assert_order(run, ("lower-max", "queue:root.ads"), ("plan", "queue:root.ads"), ("int", "ads"),
                          ("relieved", "queue:root.ads"), ("lower-max", "job:search"), ("plan", "job:search"),
                          ("term", "search"), ("relieved", "job:search"), ("wait", "search"), ("start", "ads"))
        self.assertEqual((self.relief(run)["queue:root.ads"]["plans"], self.relief(run)["job:search"]["plans"]), (1, 1))
        self.assertIn("job-max: the job would hold 4 gpu, its max is 3", self.texts(run, "wait", "search"))

    def test_reclaim(self):
        run = self.story("reclaim")
        self.assert_order(run, ("claim", "queue:root.home"), ("plan", "queue:root.home"), ("hint", "borrower"),
                          ("saved", "borrower"), ("claim-ready", "queue:root.home"), ("arrive", "house"),
                          ("start", "house"), ("claim-done", "queue:root.home"), ("resume", "borrower"))
        self.assertEqual([(c["queue"], c["nodes"], c["state"], c["victims"]) for c in run["claims"]],
                         [("root.home", ["n1", "n2"], "done", 1)])
        self.assertNotIn(("leave", "guest"), self.events(run))

    def test_sensitive(self):
        run = self.story("sensitive")
        self.assert_order(run, ("claim", "queue:root.vault"), ("plan", "queue:root.vault"), ("hint", "saver"),
                          ("defer", "saver"), ("saved", "saver"), ("claim-ready", "queue:root.vault"),
                          ("claim-done", "queue:root.vault"))
        self.assertIn("saver (checkpoint, then suspend), unsaved (terminate)", self.texts(run, "plan", "queue:root.vault")[0])

    def test_off(self):
        run = self.story("off")
        self.assertNotIn("leave", [each["event"] for each in run["events"]])
        self.assertTrue(self.texts(run, "wait", "high")[0].startswith("off: "))
        self.assert_order(run, ("start", "low-1"), ("start", "low-2"), ("complete", "low-1"), ("start", "high"))


def with_memory(nodes=1, **members):
    return {**cluster(nodes), "nodes": [{"id": f"n{i}", "resources": {"gpu": 4, "mem": 8}, **members}
                                        for i in range(1, nodes + 1)]}


def uses(name, gpus, memory, run, **members):
    return {**job(name, gpus, run, **members), "tasks": [{"resources": {"gpu": gpus, "mem": memory}}]}


# It has saved 300 seconds of the scenario after the hint.
SLOW = {"checkpoint": {"mode": "auto", "timeout": "20m", "estimate": "5m"}}


def slow(**run):
    return {"duration": "20m", "first": ["n1"], "checkpoint": {"takes": "5m"}, **run}


class ReliefTest(EventTest):
    def overcommitted(self, *events, settings=None, **members):
        jobs = [uses("slow", 2, 4, slow(), **SLOW, **{"class": 2}),
                uses("firm", 2, 4, {"duration": "25m", "first": ["n1"]}, **{"class": 9})]
        return scenario(jobs, cluster=with_memory(2), policy=policy(**settings or {}), speed=240, events=list(events), **members)

    def test_what_is_over_comes_within_its_limits_again(self):
        # While the victim saves, the node gets its memory back: the victim runs on.
        run = self.run_scenario(self.overcommitted(event("overcommit", "2m", node="n1", resources={"mem": 6}),
                                                   event("overcommit", "4m", node="n1", resources={"mem": 8})))
        self.assert_order(run, ("overcommit", "node:n1"), ("plan", "node:n1"), ("hint", "slow"), ("overcommit", "node:n1"),
                          ("relieved", "node:n1"), ("go-on", "slow"), ("complete", "slow"))
        self.assertNotIn("leave", [e["event"] for e in run["events"]])
        self.assertEqual((run["summary"]["preempted"], self.relief(run)["node:n1"]["over"]), (0, False))

    def test_more_is_missing_while_victims_leave(self):
        # The first victim leaves as decided; what is still over then is decided anew.
        jobs = [uses(name, 1, 2, {"duration": "20m", "first": ["n1"]}, **{"class": 2}) for name in ("a", "b", "c", "d")]
        run = self.run_scenario(scenario(jobs, cluster=with_memory(2), speed=240, policy=policy(grace="2m"), events=[
            event("overcommit", "2m", node="n1", resources={"mem": 6}),
            event("overcommit", "121s", node="n1", resources={"mem": 3})]))
        self.assertEqual(set(self.ends(run).values()), {"completed"})
        self.assertGreaterEqual(len({name for _, name in self.events(run, "leave")}), 3)
        self.assertFalse(self.relief(run)["node:n1"]["over"])

    def test_why_there_is_no_other_plan(self):
        jobs = [job("v", 4, {"duration": "10m", "ignore_term": True}, **{"class": 1}),
                job("w", 4, {"duration": "1s", "arrival": "1s"}, **{"class": 5})]
        run = self.run_scenario(scenario(jobs, speed=20, events=[event("node-down", "11s", node="n1"),
                                                                 event("node-up", "40s", node="n1")]))
        for text in self.texts(run, "replan", "w"):
            self.assertRegex(text, "^nodes-unavailable: ")
        self.assert_order(run, ("plan", "w"), ("term", "v"), ("node-down", "node:n1"), ("replan", "w"), ("start", "w"))

    def test_the_node_goes_down_while_it_is_relieved(self):
        run = self.run_scenario(self.overcommitted(event("overcommit", "2m", node="n1", resources={"mem": 6}),
                                                   event("node-down", "3m", node="n1"), event("node-up", "8m", node="n1")))
        self.assert_order(run, ("plan", "node:n1"), ("hint", "slow"), ("node-down", "node:n1"), ("relieved", "node:n1"))
        self.assert_order(run, ("node-down", "node:n1"), ("leave", "slow"), ("start", "slow"))
        self.assert_order(run, ("node-down", "node:n1"), ("leave", "firm"), ("start", "firm"), ("complete", "firm"))
        for name in ("slow", "firm"):
            self.assertEqual(self.texts(run, "leave", name), ["t0: lost with its node"])
            self.assertEqual([text.split("[")[0] for text in self.texts(run, "start", name)], ["n1", "n2"])
        self.assertEqual(set(self.ends(run).values()), {"completed"})

    def test_a_refusal_is_told_once_and_asked_again(self):
        run = self.run_scenario(self.overcommitted(event("overcommit", "2m", node="n1", resources={"mem": 6}),
                                                   settings={"preemption": "off"}))
        self.assertEqual(self.texts(run, "wait", "node:n1"), ["off: preemption is switched off for node 'n1'"])
        self.assert_order(run, ("wait", "node:n1"), ("complete", "slow"), ("relieved", "node:n1"), ("complete", "firm"))

    def test_a_node_smaller_than_a_task_on_it(self):
        # No cluster says so: the event happens when the task has left.
        run = self.run_scenario(self.overcommitted(event("overcommit", "2m", node="n1", resources={"mem": 3}),
                                                   event("overcommit", "3m", node="n1", resources={"gpu": 3})))
        told = self.texts(run, "wait", "node:n1")
        self.assertTrue(told[0].startswith("refused: "), told)
        self.assertIn("holds 4 mem, node 'n1' has 3", told[0])
        self.assert_order(run, ("complete", "slow"), ("complete", "firm"))
        self.assertEqual(set(self.ends(run).values()), {"completed"})

    def test_another_event_of_a_queue_in_two_groups(self):
        two = {**cluster(2), "groups": [{"id": "g", "policy": "default"}, {"id": "h", "policy": "default"}]}
        two["nodes"] = [{**node, "group": group} for node, group in zip(two["nodes"], "gh")]
        jobs = [{**job(f"{group}{i}", 2, {"duration": "10m", "restart": True}), "group": group, "priority": i} for group in "gh" for i in (1, 2)]
        run = self.run_scenario(scenario(jobs, cluster=two, policy=policy("priority"), speed=240, events=[
            event("lower-max", "2m", queue="root", max={"gpu": 2})]))
        self.assertEqual([(r["target"], r["group"], r["plans"], r["victims"]) for r in run["relief"]],
                         [("queue:root", "g", 1, 1), ("queue:root", "h", 1, 1)])
        self.assertEqual(set(self.ends(run).values()), {"completed"})


class ClaimTest(EventTest):
    def claimed(self, jobs, *events, **members):
        whole = {**cluster(2), "queues": [{"id": "root"}, {"id": "root.home", "parent": "root"},
                                          {"id": "root.other", "parent": "root"}]}
        for node in whole["nodes"]:
            node["home"] = "root.home"
        return scenario(jobs, cluster=whole, speed=240, events=list(events), **members)

    def claim(self, at, *nodes, queue="root.home", reason="reclaim", **members):
        return event("claim", at, queue=queue, nodes=list(nodes), reason=reason, **members)

    def test_a_job_that_may_not_be_taken_blocks_a_claim(self):
        run = self.run_scenario(self.claimed(
            [job("secret", 4, {"duration": "5m", "first": ["n1"]}, queue="root.other", preemptible=False),
             job("other", 4, {"duration": "15m", "first": ["n2"]}, queue="root.other")],
            self.claim("2m", "n1", "n2", keep="2m"), policy=policy(avoid_borrowed=False)))
        self.assertEqual([text.split(":")[0] for text in self.texts(run, "wait", "queue:root.home")], ["claim-blocked"])
        self.assert_order(run, ("wait", "queue:root.home"), ("complete", "secret"), ("plan", "queue:root.home"),
                          ("leave", "other"), ("claim-ready", "queue:root.home"), ("claim-done", "queue:root.home"),
                          ("start", "other"), ("complete", "other"))
        self.assertEqual([(c["state"], c["victims"]) for c in run["claims"]], [("done", 1)])

    def test_the_node_of_a_claim_goes_down_and_comes_back(self):
        for keep, down in (("20m", "4m"), (None, "125s")):  # ready, and while its victim leaves
            with self.subTest(keep=keep):
                run = self.run_scenario(self.claimed(
                    [job("slow", 4, slow(), **SLOW, queue="root.other"), job("home", 4, {"arrival": "20m", "duration": "2m"}, queue="root.home")],
                    self.claim("2m", "n1", **({"keep": keep} if keep else {})), event("node-down", down, node="n1"),
                    event("node-up", "12m", node="n1")))
                self.assert_order(run, ("claim", "queue:root.home"), ("node-down", "node:n1"), ("node-up", "node:n1"),
                                  ("claim-ready", "queue:root.home"), ("claim-done", "queue:root.home"))
                self.assertEqual(set(self.ends(run).values()), {"completed"})
                self.assertEqual([c["state"] for c in run["claims"]], ["done"])

    def test_a_claim_nobody_uses_does_not_keep_the_run_for_ever(self):
        run = self.run_scenario(self.claimed([job("a", 4, {"duration": "1m", "arrival": "3m"}, queue="root.other"),
                                              job("b", 4, {"duration": "1m", "arrival": "3m"}, queue="root.other")],
                                             self.claim("1m", "n1", "n2"), patience="20m"), status=1)
        self.assertTrue(run["summary"]["stuck"])
        self.assertEqual([c["state"] for c in run["claims"]], ["ready"])

    def test_two_queues_claim_the_same_node(self):
        run = self.run_scenario(self.claimed([job("a", 4, {"duration": "20m", "first": ["n2"]}, queue="root.other")],
                                             self.claim("1m", "n1", keep="5m"),
                                             self.claim("2m", "n1", queue="root.other", reason="sensitive", keep="1m")))
        self.assert_order(run, ("claim-ready", "queue:root.home"), ("wait", "queue:root.other"),
                          ("claim-done", "queue:root.home"), ("claim-ready", "queue:root.other"),
                          ("claim-done", "queue:root.other"))


class BatchTest(EventTest):
    def test_waiting_jobs_are_decided_together(self):
        # In one batch the small jobs use what the victims of the large one leave over.
        jobs = [job("low", 4, {"duration": "20m", "first": ["n1"]}, **{"class": 1}),
                job("high", 3, {"arrival": "2m", "duration": "2m"}, **{"class": 8}),
                job("rest", 1, {"arrival": "2m", "duration": "2m"}, **{"class": 5})]
        run = self.run_scenario(scenario(jobs, speed=240))
        self.assertEqual(self.events(run, "plan"), [("plan", "high")])
        self.assert_order(run, ("leave", "low"), ("start", "high"), ("start", "rest"), ("start", "low"))

    def test_many_jobs(self):
        jobs = [job(f"j{i}", 1, {"duration": "1m"}, **{"class": i % 9}) for i in range(40)]
        run = self.run_scenario(scenario(jobs, cluster=cluster(3), speed=240))
        self.assertEqual(set(self.ends(run).values()), {"completed"})


class OffTest(EventTest):
    def test_everywhere(self):
        # The switch on the policy, a group's policy and a queue; and a queue that is `disabled`.
        for profile, settings, queue in (("class-cost", {"preemption": "off"}, {}),
                                         ("priority", {"preemption": "off"}, {}),
                                         ("quota", {"preemption": "off"}, {}),
                                         ("fair-share", {"preemption": "off"}, {}),
                                         ("guarantee", {"preemption": "off"}, {}),
                                         ("class-cost", {}, {"settings": {"preemption": "off"}}),
                                         ("guarantee", {}, {"preemption": {"policy": "disabled"}})):
            with self.subTest(profile=profile, settings=settings, queue=queue):
                idle = {**cluster(), "queues": [{"id": "root", "max": {"gpu": 4}, **queue}]}
                run = self.run_scenario(scenario([job("a"), job("b", run={"duration": "1s", "arrival": "1s"})],
                                                 cluster=idle, policy=policy(profile, **settings), speed=10))
                self.assertEqual(self.ends(run), {"a": "completed", "b": "completed"})
                self.assertEqual(self.events(run, "leave"), [])


if __name__ == "__main__":
    unittest.main()
