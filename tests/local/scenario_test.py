# SPDX-License-Identifier: MIT
"""Scenarios are checked as every other document is: one line per mistake, with its place."""
import json
import os
import subprocess
import unittest

from scenario_run import COMMAND, SCENARIOS, TIMEOUT, RunTest, cluster, job, policy, scenario, shell


class ScenarioTest(RunTest):
    def check(self, document):
        text = document if isinstance(document, str) else json.dumps(document)
        with open(self.path("s.json"), "w", encoding="utf-8") as file:
            file.write(text)
        result = subprocess.run([COMMAND, "check", "s.json"], cwd=self.folder, capture_output=True, text=True,
                                timeout=TIMEOUT, check=False)
        return result.returncode, result.stdout, result.stderr

    def told(self, document, *lines):
        """Exactly these findings, without their places."""
        status, out, err = self.check(document)
        self.assertEqual((status, out), (2, ""), err)
        self.assertEqual([line.split(": ", 1)[1] for line in err.splitlines()], list(lines))

    def test_good_ones(self):
        self.assertEqual(self.check(scenario([job("a")])), (0, "s.json: ok, cede-scenario/1\n", ""))
        for name in os.listdir(SCENARIOS):
            with open(os.path.join(SCENARIOS, name), encoding="utf-8") as file:
                self.assertEqual(self.check(file.read()), (0, "s.json: ok, cede-scenario/1\n", ""), name)

    def test_parts_in_files(self):
        for name, document in (("cluster.json", cluster()), ("policy.json", policy())):
            self.write(document, name)
        whole = scenario([job("a", run=shell("true"))], cluster="cluster.json", policy="policy.json")
        self.assertEqual(self.check(whole)[0], 0)
        self.assertEqual(self.ends(self.run_scenario(whole)), {"a": "completed"})
        self.write({**cluster(), "nodes": [{"id": "n1", "group": "nobody's"}]}, "cluster.json")
        status, _, err = self.check(whole)
        self.assertEqual(status, 2)
        self.assertRegex(err, r"^s\.json:1:\d+: cluster: cluster\.json:1:\d+: nodes\[0\]\.group: .*nobody's")

    def test_places(self):
        text = json.dumps(scenario([job("a"), job("b", **{"class": 11})]), indent=1)
        line = 1 + text[:text.index('"class": 11')].count("\n")
        self.assertRegex(self.check(text)[2], rf"^s\.json:{line}:\d+: jobs\[1\]\.class: 11 is outside 0\.\.10\n$")
        status, _, err = self.check(scenario([job("a", queue="nowhere")]))
        self.assertEqual(status, 2)
        self.assertRegex(err, r"jobs\[0\]\.queue: 'nowhere' is not a queue")

    def test_inside_cluster_and_policy(self):
        wrong = scenario([job("a")], cluster={**cluster(), "nodess": []})
        self.assertIn("cluster.nodess: ", self.check(wrong)[2])
        wrong = scenario([job("a")], policy=policy("class-cots"))
        self.assertIn("policy.policies.default.profile: ", self.check(wrong)[2])

    def test_own_fields(self):
        self.told(scenario([job("a", run={"command": "sleep"})]),
                  "jobs[0].run.command: 'sleep' is not a list of at least one text")
        self.told(scenario([job("a", run={"duration": "soon"})]), "jobs[0].run.duration: 'soon' is not a duration; a "
                  "number of seconds or a text such as '90s' is")
        self.told(scenario([job("a", run={"duration": 1, "arival": 2})]),
                  "jobs[0].run.arival: unknown field 'arival'; did you mean 'arrival'?")
        self.told(scenario([job("a", run={"arrival": 1})]),
                  "jobs[0].run: needs a 'command', or a 'duration' for the built-in worker")
        self.told(scenario([job("a", run={"duration": 1, "checkpoint": {"signal": "KILL"}})]),
                  "jobs[0].run.checkpoint.signal: 'KILL' is not USR1, USR2, HUP, INT, QUIT, ALRM, CONT or TERM")
        self.told(scenario([job("a")], speed=0), "speed: '0' is outside 0.01..10000")
        self.told(scenario([job("a")], speed="2"), "speed: this is not a number in 0.01..10000")
        self.told(scenario([job("a", state="running")]), "jobs[0].state: the run sets this; leave it out")
        self.told(scenario([{"id": "a", "queue": "root", "tasks": [{"node": "n1"}], "run": {"duration": 1}}]),
                  "jobs[0].tasks[0].node: the run sets this; 'run.first' names where a job starts first")
        self.told(scenario([]), "jobs: a scenario needs a list of at least one job")

    def test_events(self):
        def event(kind, profile="class-cost", **members):
            limited = {**cluster(), "queues": [{"id": "root", "guaranteed": {"gpu": 2}, "max": {"gpu": 4}},
                                               {"id": "root.home", "parent": "root"}]}
            limited["nodes"][0]["home"] = "root"
            return scenario([job("a")], cluster=limited, policy=policy(profile), events=[{"event": kind, "at": 1, **members}])

        for good in (event("overcommit", node="n1", resources={"gpu": 3}), event("overcommit", job="a", resources={"gpu": 1}),
                     event("overcommit", job="a", task="t0", resources={"gpu": 1}, partial=True),
                     event("lower-max", queue="root", max={"gpu": "2"}), event("lower-max", job="a", max={"gpu": 0.5}),
                     event("claim", queue="root.home", nodes=["n1"], reason="reclaim"),
                     event("claim", queue="root.home", nodes=["n1"], reason="sensitive", keep="1m"),
                     event("node-down", node="n1"), event("node-up", node="n1")):
            self.assertEqual(self.check(good), (0, "s.json: ok, cede-scenario/1\n", ""))
        self.told(scenario([job("a")], events={}), "events: this is not a list of events")
        self.told(scenario([job("a")], events=["claim"]), "events[0]: an event is an object")
        self.told(scenario([job("a")], events=[{"at": 1}]), "events[0].event: an event needs this: one of overcommit, "
                  "lower-max, claim, node-down and node-up")
        self.told(event("raise-max"), "events[0].event: 'raise-max' is not an event; known are overcommit, lower-max, "
                  "claim, node-down and node-up")
        self.told(event("claims"), "events[0].event: 'claims' is not an event; did you mean 'claim'?")
        self.told(event("node-down", node="n1", at="soon"), "events[0].at: 'soon' is not a duration; a number of "
                  "seconds or a text such as '90s' is")
        self.told(scenario([job("a")], events=[{"event": "node-up", "node": "n1"}]),
                  "events[0].at: an event needs this: how long after the start it happens")
        self.told(event("node-down", node="n2"), "events[0].node: 'n2' is not a node; did you mean 'n1'?")
        self.told(event("node-down"), "events[0]: node-down needs one 'node'")
        self.told(event("node-down", node="n1", task="t0"), "events[0].task: unknown field 'task'; known are event, at and node")
        self.told(event("overcommit", node="n1", job="a", resources={"gpu": 1}), "events[0]: overcommit needs one 'node' or 'job'")
        self.told(event("overcommit", node="n1"), "events[0].resources: overcommit needs at least one resource here")
        self.told(event("overcommit", node="n1", resources={"gpu": -1}), "events[0].resources.gpu: '-1' is negative")
        self.told(event("overcommit", job="a", resources={"gpu": -1}), "events[0].resources.gpu: '-1' is negative")
        self.told(event("overcommit", job="a", task="t1", resources={"gpu": 1}),
                  "events[0].task: 't1' is not a task of that job; did you mean 't0'?")
        self.told(event("overcommit", node="n1", task="t0", resources={"gpu": 1}),
                  "events[0].task: needs the task's 'job' beside it")
        self.told(event("overcommit", node="n1", resources={"gpu": 1}, partial=1), "events[0].partial: 1 is not true or false")
        self.told(event("lower-max", queue="root.homes", max={"gpu": 1}),
                  "events[0].queue: 'root.homes' is not a queue; did you mean 'root.home'?")
        self.told(event("lower-max", queue="root", max={"gpu": 1}), "events[0].max.gpu: guaranteed 2 is more than the queue's max, 1")
        self.told(event("lower-max", job="b", max={"gpu": 1}), "events[0].job: 'b' is not a job; did you mean 'a'?")
        self.told(event("lower-max", job="a", max={"gpu": True}), "events[0].max.gpu: true is not an amount")
        self.told(event("claim", queue="root.home", nodes=["n1", "n3"], reason="fun"),
                  "events[0].nodes[1]: 'n3' is not a node; did you mean 'n1'?", "events[0].reason: 'fun' is not 'reclaim' or 'sensitive'")
        self.told(event("claim", queue="root.home"), "events[0].nodes: a claim needs at least one node here",
                  "events[0].reason: a claim needs 'reclaim' or 'sensitive'")
        self.told(event("claim", queue="root.home", nodes=["n1", "n1"], reason="reclaim"), "events[0].nodes: 'n1' is named twice")
        self.told(event("claim", "quota", queue="root", nodes=["n1"], reason="reclaim"),
                  "events[0]: profile quota knows no claims; class-cost does")
        lent = event("claim", queue="root", nodes=["n1"], reason="reclaim")
        lent["cluster"]["nodes"][0]["home"] = "root.home"
        self.told(lent, "events[0].nodes: 'n1' is not at home in queue 'root' or above it")

    def test_names_that_lead_nowhere(self):
        def first(*nodes):
            return job("a", run={"duration": 1, "first": list(nodes)})
        self.told(scenario([first("n1", "n2")]), "jobs[0].run.first[1]: 'n2' is not a node; did you mean 'n1'?")
        self.told(scenario([first("elsewhere")]), "jobs[0].run.first[0]: 'elsewhere' is not a node; 1 node is known")
        self.told(scenario([first("n1", "n1")]), "jobs[0].run.first[1]: 'n1' is given twice")
        two = {**cluster(2), "groups": [{"id": "g", "policy": "default"}, {"id": "h", "policy": "default"}]}
        two["nodes"] = [{**node, "group": group} for node, group in zip(two["nodes"], "gh")]
        self.told(scenario([{**first("n2"), "group": "g"}], cluster=two),
                  "jobs[0].run.first[0]: 'n2' is a node of group 'h', the job is of 'g'")
        self.told(scenario([job("a"), job("a")]), "jobs[1].id: 'a' is given twice, first in jobs[0]")
        for name, told in (("a", None), ("aa", "'aa' is not a job; did you mean 'a'?"), ("train", "'train' is not a job; 1 job is known")):
            reserved = scenario([job("a")])
            reserved["cluster"]["reservations"] = [{"id": "r", "nodes": ["n1"], "from": 1, "until": 2, "for": {"job": name}}]
            if told:
                self.told(reserved, "cluster.reservations[0].for.job: " + told)
                self.write(reserved["cluster"], "cluster.json")
                self.told({**reserved, "cluster": "cluster.json"},
                          "cluster: cluster.json: reservations[0].for.job: " + told)
            else:
                self.assertEqual(self.check(reserved)[0], 0)
        self.told(scenario([job("a", run={"command": [""]})]), "jobs[0].run.command[0]: '' is not a program")
        self.told(scenario([job("a", run=shell("true", environment={"CEDE_RANK": "1", "CUDA_VISIBLE_DEVICES": "0"}))]),
                  "jobs[0].run.environment.CEDE_RANK: the run sets this; leave it out",
                  "jobs[0].run.environment.CUDA_VISIBLE_DEVICES: the run sets this; leave it out")
        self.told(scenario([job("a", checkpoint={"mode": "auto", "last": 1})]),
                  "jobs[0].checkpoint.last: the run sets this; leave it out")

    def warned(self, document, *lines):
        status, out, err = self.check(document)
        self.assertEqual((status, out.strip().split(", ")[:2]), (0, ["s.json: ok", "cede-scenario/1"]), err)
        self.assertEqual([line.split(": ", 1)[1] for line in err.splitlines()], list(lines))

    def test_what_is_odd(self):
        self.warned(scenario([job("a", run={"command": ["/nowhere/at-all"]})]),
                    "jobs[0].run.command[0]: warning: there is no program '/nowhere/at-all' on this machine")
        self.warned(scenario([job("a", run={"command": ["no-such-program"]})]),
                    "jobs[0].run.command[0]: warning: there is no program 'no-such-program' on this machine")
        # Found as the job will find it.
        with open(self.path("mine"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        os.chmod(self.path("mine"), 0o700)
        self.warned(scenario([job("a", run={"command": ["mine"], "environment": {"PATH": self.folder}}),
                              job("b", run={"command": ["./mine"]})]))
        self.warned(scenario([job("a", run=shell("true", ignore_term=True, checkpoint={"takes": 1, "defer": 1}))]),
                    *(f"jobs[0].run.{name}: warning: only the built-in worker heeds this, and there is a 'command'"
                      for name in ("ignore_term", "checkpoint.takes", "checkpoint.defer")))
        licensed = scenario([{**job("a"), "tasks": [{"resources": {"gpu": 1, "licence": 1, "gpi": 1}}]}])
        licensed["cluster"]["groups"][0]["resources"] = {"licence": 2}
        self.warned(licensed, "jobs[0].tasks[0].resources.gpi: warning: no node and no group has this resource; "
                              "did you mean 'gpu'?")
        odd = {**cluster(), "queues": [{"id": "root", "guaranteed": {"gpu": 1}, "max": {"gpu": 2}},
                                       {"id": "q", "parent": "root", "guaranteed": {"gpu": 2}}]}
        self.write(odd, "cluster.json")
        inside, outside = (self.check(scenario([job("a")], cluster=each)) for each in (odd, "cluster.json"))
        self.assertIn("s.json: ok, cede-scenario/1, 1 warning", inside[1])
        self.assertIn("s.json: ok, cede-scenario/1, 1 warning", outside[1])
        self.assertRegex(outside[2], r"^s\.json:1:\d+: cluster: warning: cluster\.json:1:\d+: queues\[")

    def test_everything_at_once(self):
        # Whoever finds it, and in the order of the document.
        wrong = scenario([job("a", run={"duration": 1, "first": ["n7"], "later": 1}), job("b", queue="nowhere"),
                          {"id": "c", "queue": "nowhere", "tasks": [], "run": {"duration": 1}}])
        wrong["cluster"]["nodes"][0]["colour"] = "red"
        wrong["policy"]["policies"]["default"]["profle"] = "x"
        status, _, err = self.check(wrong)
        self.assertEqual(status, 2)
        self.assertEqual([line.split(": ")[1] for line in err.splitlines()],
                         ["cluster.nodes[0].colour", "policy.policies.default.profle", "jobs[0].run.first[0]",
                          "jobs[0].run.later", "jobs[2].tasks"])
        # Jobs are held against a cluster that loads.
        del wrong["cluster"]["nodes"][0]["colour"]
        status, _, err = self.check(wrong)
        self.assertIn(": jobs[1].queue: 'nowhere' is not a queue", err)
        self.assertNotIn("jobs[2].queue", err)

    def test_other_versions(self):
        self.told({**scenario([job("a")]), "format": "cede-scenario/2"}, "format: 'cede-scenario/2' is not cede-scenario/1")

    def test_a_time_as_text(self):
        # The reservation is that of a test of numbers; at any other time the job would run.
        document = scenario([job("a", 4, shell("true"))], patience="1s")
        document["cluster"].update(now="2025-10-09T08:53:20Z", reservations=[
            {"id": "r", "nodes": ["n1"], "from": 1760000000, "until": 1760009999, "for": None}])
        self.assertTrue(self.run_scenario(document, status=1)["summary"]["stuck"])

    def test_several_at_once(self):
        status, _, err = self.check(scenario([job("a", run={"duration": "x"}), job("b", run={"duration": "y"})]))
        self.assertEqual((status, err.count("\n")), (2, 2))

    def test_missing_parts(self):
        self.told('{"format": "cede-scenario/1", "jobs": []}', "policy: a scenario needs this",
                  "cluster: a scenario needs this", "jobs: a scenario needs a list of at least one job")

    def test_not_json(self):
        for text in ('{"format": "cede-scenario/1", "jobs": [}', '{"format": "cede-scenario/1", "speed": 01}',
                     '{"format": "cede-scenario/1", "title": "a", "title": "b"}',
                     '{"format": "cede-scenario/1", "jobs": ' + "[" * 100 + "]" * 100 + "}"):
            status, out, err = self.check(text)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertTrue(err.startswith("s.json:1:"), err)

    def test_jobs_of_the_cluster_are_refused(self):
        wrong = scenario([job("a")])
        wrong["cluster"]["jobs"] = [{"id": "x", "queue": "root", "tasks": [{"resources": {"gpu": 1}}]}]
        self.assertIn("cluster.jobs: a scenario's jobs stand in its own 'jobs'", self.check(wrong)[2])


if __name__ == "__main__":
    unittest.main()
