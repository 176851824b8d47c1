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
        self.told(scenario([job("a", state="running")]), "jobs[0].state: the run sets this; leave it out")
        self.told(scenario([{"id": "a", "queue": "root", "tasks": [{"node": "n1"}], "run": {"duration": 1}}]),
                  "jobs[0].tasks[0].node: the run sets this; 'run.first' names where a job starts first")
        self.told(scenario([]), "jobs: a scenario needs a list of at least one job")

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
