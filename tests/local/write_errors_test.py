# SPDX-License-Identifier: MIT
"""No space is left for one moment, at any moment: every run comes to its good end all the same."""
import errno
import json
import os
import subprocess
import unittest

from scenario_run import RunTest, inject, job, policy, scenario, shell

LONG = bool(os.environ.get("CEDE_LONG"))


class AnyWriteTest(RunTest):
    """Each call that needs space fails once: in the manager, in every supervisor, in the worker that saves."""

    def document(self):
        saver = {**job("saver", 4, {"duration": "1s", "checkpoint": {"takes": "0.1s"}}, **{"class": 2}),
                 "checkpoint": {"mode": "auto", "timeout": "20s"}}
        return scenario([saver, job("b", 1, shell("echo x", arrival="0.3s"), **{"class": 8})], policy=policy(grace="1s"))

    def calls_of(self, who):
        subprocess.run(["rm", "-rf", self.path("kept")], check=True)
        self.write(self.document())
        status, out, err = self.cede("scenario.json", "--folder", "kept", "--json",
                                     environment=inject(who=who, count=self.path("count")))
        self.assertEqual((status, err), (0, ""), out)
        return int(self.read("count"))

    def fail_each(self, who, samples):
        calls = self.calls_of(who)
        self.assertGreater(calls, 2)
        numbers = range(1, calls + 1) if LONG or calls <= samples else range(1, calls + 1, calls // samples)
        for number in numbers:
            with self.subTest(number=number, calls=calls):
                subprocess.run(["rm", "-rf", self.path("kept")], check=True)
                status, out, err = self.cede("scenario.json", "--folder", "kept", "--json", environment=inject(
                    who=who, fault=f"{number}-{number}:{errno.ENOSPC}"))
                if status == 2:  # before anything had begun
                    self.assertRegex(err, r"^cede: cannot .*: No space left on device\n$")
                    self.assertEqual((out, os.path.exists(self.path("kept/scenario.json"))), ("", False))
                    continue
                self.assertEqual(status, 0, out + err)
                self.assertEqual(set(self.ends(json.loads(out)).values()), {"completed"}, out)
                self.assert_nothing_left()

    def test_in_the_manager(self):
        self.fail_each("manager", 8)

    def test_in_the_supervisors(self):
        self.fail_each("supervisor", 8)

    def test_in_the_worker(self):
        self.fail_each("worker", 8)


if __name__ == "__main__":
    unittest.main()
