# SPDX-License-Identifier: MIT
"""The examples for people who write jobs or managers."""
import os
import re
import subprocess
import sys
import unittest

from scenario_run import SOURCE, TIMEOUT, RunTest, job, scenario, shell

EXAMPLES = os.path.join(SOURCE, "bindings/c/examples")


class WorkerTest(RunTest):
    def resumes(self, command, before=""):
        # Only the first attempt is endless.
        script = ('if [ "$CEDE_RESUME" = 1 ]; then n=$(cat "$CEDE_STATE/step"); exec "$@" $((n + 2)); fi; '
                  'exec "$@" 1000')
        run = {"command": ["sh", "-c", before + script, "sh", *command]}
        low = job("low", 4, run, checkpoint={"mode": "auto"}, **{"class": 2})
        high = job("high", 4, shell("true", arrival="2s"), **{"class": 8})
        run = self.run_scenario(scenario([low, high]), "--folder", "kept")
        self.assert_order(run, ("hint", "low"), ("saved", "low"), ("suspend", "low"), ("requeue", "low"),
                          ("start", "high"), ("resume", "low"), ("complete", "low"))
        return run, self.read("kept", "tasks", "0-0-1", "output"), self.read("kept", "tasks", "0-0-2", "output")

    def test_shell(self):
        _, before, after = self.resumes([os.path.join(EXAMPLES, "worker.sh")])
        self.assertIn("low: step 1 on n1, GPUs 0,1,2,3\n", before)
        self.assertNotIn("step 1 ", after)
        self.assertEqual(after.count("\n"), 2)

    def test_python(self):
        # Python may take longer to start than the hint takes to come.
        run, before, after = self.resumes([sys.executable, os.path.join(EXAMPLES, "worker.py")], "trap '' USR1; ")
        self.assertIn(("defer", "low"), self.events(run))
        self.assertNotIn("step 1\n", after)
        self.assertEqual(after.count("\n"), 2)
        self.assertLess(before.count("\n"), 1000)


class CustomManagerTest(RunTest):
    @unittest.skipIf(os.environ.get("CEDE_SANITIZE"), "a plain program cannot load a sanitized library")
    def test_compiles_and_runs(self):
        program = self.path("custom_manager")
        subprocess.run([os.environ["CEDE_CC"], "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror",
                        "-I" + os.path.join(SOURCE, "include"), os.path.join(EXAMPLES, "custom_manager.c"), "-ldl",
                        "-o", program], check=True, timeout=TIMEOUT)
        result = subprocess.run([program, os.environ["CEDE_LIBRARY"]], capture_output=True, text=True, timeout=TIMEOUT,
                                check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.splitlines(),
                         ["1 job gives way to 'high'", "hint to low for high", "restored", "hint to low for high",
                          "stop low", "low waits again, to resume", "start high on n1, devices 0xf"])

    @unittest.skipIf(os.environ.get("CEDE_SANITIZE"), "a plain program cannot load a sanitized library")
    def test_in_arrays(self):
        program = self.path("array_manager")
        library = os.environ["CEDE_LIBRARY"]
        subprocess.run([os.environ["CEDE_CC"], "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror",
                        "-I" + os.path.join(SOURCE, "include"), os.path.join(EXAMPLES, "array_manager.c"), library,
                        "-Wl,-rpath," + os.path.dirname(library), "-o", program], check=True, timeout=TIMEOUT)
        result = subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"^plan for job \d+: \d+ of \d+ criteria proven, expected in \d+ s$")
        low, high = (re.search(r"job (\d+)", line).group(1) for line in (lines[1], lines[0]))
        self.assertEqual(lines[2:], [f"hint to job {low} for job {high}", f"stop job {low}",
                                     f"job {low} waits again, to resume",
                                     f"start job {high} on node 5, devices 0xf", "0 entries left"])


if __name__ == "__main__":
    unittest.main()
