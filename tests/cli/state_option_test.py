# SPDX-License-Identifier: MIT
"""`--state` of `cede plan` and `cede explain`: a decision beside what is in flight."""
import json
import os
import unittest

import cede_library
from cede_run import CommandTest
from plan_command_test import cluster, pending

POLICY = ('{"format": "cede-policy/1", "policies": {"default": {"profile": "priority", '
          '"settings": {"front_only": false, "preemptible_priority": 95}}}}')


@unittest.skipIf(os.environ.get("CEDE_SANITIZE"), "an instrumented library does not load into a plain interpreter")
class StateTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("policy.json", POLICY)
        text = cluster(pending("p", 2, 50), pending("q", 2, 93))
        self.write("cluster.json", text)
        engine = cede_library.Engine(POLICY, text)
        engine.commit("p")
        engine.step(1000000000)
        self.state = engine.save()
        engine.close()
        self.save("state", self.state)

    def save(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)

    def ask(self, command, job, *more):
        return self.cede(command, "--cluster", "cluster.json", "--policy", "policy.json", "--job", job, *more)

    def test_victims_in_flight_are_not_taken_again(self):
        status, out, err = self.ask("plan", "p", "--json")
        self.assertEqual((status, [v["job"] for v in json.loads(out)["victims"]], err), (0, ["low"], ""))
        status, out, err = self.ask("plan", "p", "--json", "--state", "state")
        self.assertEqual((status, json.loads(out)["outcome"], err), (1, "in-progress", ""))
        status, out, err = self.ask("explain", "q", "--json", "--state", "state")
        document = json.loads(out)
        # What is being made for p is not p's yet, and q is stronger.
        self.assertEqual((status, [(v["hold"], v["job"]) for v in document["victims"]], err), (0, [(1, "p")], ""))
        self.assertIn(("low", "held"), [(unit["job"], unit["rule"]) for unit in document["excluded"]])

    def test_entries_are_shown(self):
        for command in ("plan", "explain"):
            status, out, err = self.ask(command, "q", "--state", "state")
            self.assertEqual((status, err), (0, ""))
            lines = out.splitlines()
            at = next(i for i, line in enumerate(lines) if "IN FLIGHT" in line)
            self.assertRegex(lines[at + 1], r"^ *1 +job p +waiting +\d+ +n1 +low terminating$")

    def test_damage_is_told(self):
        self.save("cut", self.state[:-3])
        self.assert_one_error(self.ask("plan", "p", "--state", "cut"), "cut: ")
        self.assert_one_error(self.ask("plan", "p", "--state", "none"), "none: ", "No such file")
        self.assert_one_error(self.ask("plan", "p", "--state", "policy.json"), "policy.json: ")


if __name__ == "__main__":
    unittest.main()
