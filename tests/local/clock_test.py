# SPDX-License-Identifier: MIT
"""Somebody sets the machine's clock while a scenario runs, or while its manager is gone."""
import json
import os
import signal
import unittest

from scenario_run import TIMEOUT, RunTest, inject, job, scenario, shell

HOUR = 3600
UNTIL_GO = 'echo x >> "$SEEN/starts-$CEDE_JOB"; while [ ! -e "$SEEN/go" ]; do sleep 0.05; done'


class ClockTest(RunTest):
    def setUp(self):
        super().setUp()
        self.set_clock(0)

    def set_clock(self, seconds):
        with open(self.path("clock.new"), "w", encoding="utf-8") as file:
            file.write(str(seconds))
        os.rename(self.path("clock.new"), self.path("clock"))

    def inject(self):
        return inject(clock=self.path("clock"))

    def a_job(self, name, arrival="0s"):
        return job(name, 1, shell(UNTIL_GO, arrival=arrival, environment={"SEEN": self.folder}))

    def go(self):
        open(self.path("go"), "w", encoding="utf-8").close()

    def starts(self, name):
        try:
            return self.read(f"starts-{name}").count("x")
        except FileNotFoundError:
            return 0

    def begin(self, *jobs):
        self.write(scenario(list(jobs)))
        process = self.start("scenario.json", "--folder", "kept", "--json", environment=self.inject())
        self.wait_for(lambda: self.starts(jobs[0]["id"]), "the first job")
        return process

    def finish(self, process):
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (0, ""))
        return json.loads(out)

    def test_set_back_while_it_runs(self):
        process = self.begin(self.a_job("a"))
        self.set_clock(-HOUR)
        # Only a manager whose own look-outs do not wait for that hour notices this.
        os.kill(int(self.read("kept/tasks/0-0-1/supervisor").split()[0]), signal.SIGKILL)
        self.wait_for(lambda: self.starts("a") == 2, "the job to be started again")
        self.go()
        self.assertEqual(self.ends(self.finish(process)), {"a": "completed"})

    def test_set_back_while_the_manager_is_gone(self):
        process = self.begin(self.a_job("a"), self.a_job("b", "1s"))
        process.kill()
        process.wait(TIMEOUT)
        self.set_clock(-HOUR)
        resumed = self.start("--resume", "kept", "--json", environment=self.inject())
        self.wait_for(lambda: self.starts("b"), "the job that arrives after a second")
        self.go()
        self.assertEqual(self.ends(self.finish(resumed)), {"a": "completed", "b": "completed"})

    def test_set_forward_while_the_manager_is_gone(self):
        process = self.begin(self.a_job("a"), self.a_job("b", "30m"))
        process.kill()
        process.wait(TIMEOUT)
        self.set_clock(HOUR)
        resumed = self.start("--resume", "kept", environment=self.inject())
        self.go()
        story = []
        for line in resumed.stdout:
            story.append(line.split()[1:3])
            if story[-1] == ["complete", "a"]:
                resumed.send_signal(signal.SIGINT)
        self.assertEqual((resumed.wait(TIMEOUT), resumed.stderr.read()), (1, ""))
        self.assertIn(["complete", "a"], story)
        self.assertNotIn(["arrive", "b"], story)


if __name__ == "__main__":
    unittest.main()
