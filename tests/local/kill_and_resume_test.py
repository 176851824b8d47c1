# SPDX-License-Identifier: MIT
"""The manager is killed between any two things it does to the disk, and resumed; so is the manager that resumes."""
import json
import os
import random
import signal
import subprocess
import unittest

from scenario_run import TIMEOUT, RunTest, inject, cluster, job, policy, scenario, shell

LONG = bool(os.environ.get("CEDE_LONG"))
SAMPLES = 12

# Notes every start, and that it is alone while it runs: a lock goes with the process that has it.
BEGIN = ('exec 9>"$SEEN/lock-$CEDE_JOB-$CEDE_RANK"; flock -n 9 || echo "$CEDE_JOB" >> "$SEEN/twice"; '
         'echo "$CEDE_REPORT" >> "$SEEN/starts-$CEDE_JOB-$CEDE_RANK"; ')
DONE = 'echo "$CEDE_RANK" >> "$SEEN/done-$CEDE_JOB"'
GANG = BEGIN + "sleep 0.2; " + DONE
# They cannot end before the gang has, whether it takes their place or was there first on a busy machine.
UNTIL_GANG = 'while [ "$(cat "$SEEN/done-gang" 2>/dev/null | wc -l)" != 2 ]; do sleep 0.05; done; ' + DONE
ENDED = BEGIN + UNTIL_GANG
SAVES = (BEGIN + 'trap \'touch "$CEDE_STATE/saved" "$CEDE_REPORT/done"\' USR1; if [ "$CEDE_RESUME" = 1 ]; then '
         'test -e "$CEDE_STATE/saved" || echo "$CEDE_JOB" >> "$SEEN/unsaved"; fi; ' + UNTIL_GANG)


class AnyMomentTest(RunTest):
    def a_job(self, name, gpus, script, job_class, arrival="0s", **members):
        run = shell(script, arrival=arrival, environment={"SEEN": self.path("seen")})
        return job(name, gpus, run, **{"class": job_class}, **members)

    def document(self):
        # The gang takes both nodes: one job saves and comes again, the other is ended.
        jobs = [self.a_job("saver", 4, SAVES, 2, checkpoint={"mode": "auto", "timeout": "20s"}),
                self.a_job("small", 2, ENDED, 3),
                {**self.a_job("gang", 4, GANG, 8, "0.5s"), "tasks": [{"count": 2, "resources": {"gpu": 4}}]}]
        return scenario(jobs, cluster=cluster(2, 4), policy=policy(grace="1s"))

    def begin_anew(self):
        for pid, _ in self.processes():  # of a manager that was killed before there was a run
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assert_nothing_left()
        for name in ("kept", "seen"):
            subprocess.run(["rm", "-rf", self.path(name)], check=True)
        os.mkdir(self.path("seen"))
        self.write(self.document())

    def seen(self, name):
        try:
            return self.read("seen", name).split()
        except FileNotFoundError:
            return []

    def calls_of_a_run(self):
        self.begin_anew()
        status, out, err = self.cede("scenario.json", "--folder", "kept", "--json",
                                     environment=inject(count=self.path("count")))
        self.assertEqual((status, err), (0, ""), out)
        self.assert_all_went_well(json.loads(out))
        return int(self.read("count"))

    def assert_all_went_well(self, run):
        self.assertEqual(set(self.ends(run).values()), {"completed"}, run["events"])
        self.assertEqual((self.seen("twice"), self.seen("unsaved")), ([], []))
        for name in self.ends(run):
            tasks = 2 if name == "gang" else 1
            self.assertEqual(len(self.seen(f"done-{name}")), tasks, f"{name} did its work once: {run['events']}")
            for rank in range(tasks):
                starts = self.seen(f"starts-{name}-{rank}")
                self.assertEqual(len(starts), len(set(starts)), f"no attempt of {name} began twice")

    def run_until(self, number, *arguments):
        """Whether the run was killed there."""
        process = self.start(*arguments, environment=inject(kill=number))
        out, err = process.communicate(timeout=TIMEOUT)
        if process.returncode == -signal.SIGKILL:
            return True
        self.assertEqual((process.returncode, err), (0, ""), out)
        return False

    def goes_on(self):
        """Whether there is a run to resume."""
        if not os.path.exists(self.path("kept/scenario.json")):
            return False
        with open(self.path("kept/journal"), "rb") as file:
            return b'"over":1,"stopping"' not in file.read()  # relief has an "over" of its own

    def finish(self):
        status, out, err = self.cede("--resume", "kept", "--json")
        self.assertEqual((status, err), (0, ""), out)
        self.assert_all_went_well(json.loads(out))
        self.assert_nothing_left()

    def test_once(self):
        calls = self.calls_of_a_run()
        numbers = range(1, calls + 1) if LONG else range(1, calls + 1, max(1, calls // SAMPLES))
        for number in numbers:
            with self.subTest(number=number, calls=calls):
                self.begin_anew()
                self.run_until(number, "scenario.json", "--folder", "kept")
                if self.goes_on():
                    self.finish()

    def test_again_and_again(self):
        seed = int(os.environ.get("CEDE_SEED", random.randrange(1 << 30)))
        chance = random.Random(seed)
        for number in range(60 if LONG else 4):
            with self.subTest(seed=seed, number=number):
                self.begin_anew()
                self.run_until(chance.randrange(10, 120), "scenario.json", "--folder", "kept")
                while self.goes_on() and chance.random() < 0.8:
                    self.run_until(chance.randrange(1, 60), "--resume", "kept")
                if self.goes_on():
                    self.finish()


class AnyMomentOfEventsTest(AnyMomentTest):
    """The same while a node is overcommitted and relieved, another one claimed, and the first goes down and comes back."""

    def document(self):
        until_home = ('while [ ! -e "$SEEN/done-home" ]; do sleep 0.05; done; ' + DONE)
        jobs = [self.a_job("saver", 2, SAVES.replace(UNTIL_GANG, until_home), 2, checkpoint={"mode": "auto", "timeout": "20s"}),
                self.a_job("stays", 2, BEGIN + until_home, 6), self.a_job("guest", 2, BEGIN + until_home, 3),
                self.a_job("home", 4, GANG, 2, "1.5s", queue="root.home")]
        for each, memory, node in zip(jobs, (5, 3, 3, 3), ("n1", "n1", "n2", None)):
            each["tasks"][0]["resources"]["mem"] = memory
            if node:
                each["run"]["first"] = [node]
        whole = {**cluster(2), "queues": [{"id": "root"}, {"id": "root.home", "parent": "root"}],
                 "nodes": [{"id": "n1", "resources": {"gpu": 4, "mem": 8}},
                           {"id": "n2", "resources": {"gpu": 4, "mem": 8}, "home": "root.home"}]}
        events = [{"event": "overcommit", "at": "0.4s", "node": "n1", "resources": {"mem": 6}},
                  {"event": "claim", "at": "0.4s", "queue": "root.home", "nodes": ["n2"], "reason": "reclaim"},
                  {"event": "node-down", "at": "1s", "node": "n1"}, {"event": "node-up", "at": "1.2s", "node": "n1"}]
        return scenario(jobs, cluster=whole, policy=policy(grace="1s"), events=events)

    def assert_all_went_well(self, run):
        super().assert_all_went_well(run)
        self.assertEqual([claim["state"] for claim in run["claims"]], ["done"])
        self.assertEqual([(each["target"], each["over"]) for each in run["relief"]], [("node:n1", False)])


if __name__ == "__main__":
    unittest.main()
