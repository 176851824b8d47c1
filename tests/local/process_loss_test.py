# SPDX-License-Identifier: MIT
"""What goes wrong in the middle: supervisors that die, folders that vanish, managers killed at a bad moment."""
import json
import os
import shutil
import signal
import unittest

from scenario_run import TIMEOUT, RunTest, inject, cluster, job, policy, scenario, shell

LONG = bool(os.environ.get("CEDE_LONG"))
STARTED = 'echo "$CEDE_RANK" >> "$SEEN/starts"; '
UNTIL_GO = STARTED + 'while [ ! -e "$SEEN/go" ]; do sleep 0.05; done'


class ProcessLossTest(RunTest):
    def a_job(self, name, script=UNTIL_GO, tasks=1, **members):
        return {**job(name, 1, shell(script, environment={"SEEN": self.folder}), **members),
                "tasks": [{"count": tasks, "resources": {"gpu": 1}}]}

    def starts(self):
        try:
            return self.read("starts").split()
        except FileNotFoundError:
            return []

    def begin(self, document, *options, starts=1, **more):
        self.write(document)
        process = self.start("scenario.json", "--folder", "kept", "--json", *options, **more)
        self.wait_for(lambda: len(self.starts()) == starts, "the job")
        return process

    def finish(self, process, status=0):
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (status, ""), out)
        return json.loads(out)

    def go(self):
        open(self.path("go"), "w", encoding="utf-8").close()

    def kill_supervisor(self, attempt):
        self.wait_for(lambda: os.path.exists(self.path(f"kept/tasks/{attempt}/supervisor")), "the supervisor")
        os.kill(int(self.read(f"kept/tasks/{attempt}/supervisor").split()[0]), signal.SIGKILL)


class SupervisorTest(ProcessLossTest):
    def test_one_of_a_gang(self):
        process = self.begin(scenario([self.a_job("gang", tasks=3)]), starts=3)
        self.kill_supervisor("0-1-1")
        self.wait_for(lambda: len(self.starts()) == 4, "the lost task to be started again")
        self.assertEqual(self.starts().count("1"), 2)
        self.go()
        self.assertEqual(self.ends(self.finish(process)), {"gang": "completed"})

    def test_while_a_victim_saves(self):
        saves = (STARTED + 'trap "touch $SEEN/asked" USR1; test -e "$SEEN/asked" && exit 0; '
                 'while :; do sleep 0.05; done')
        low = {**self.a_job("low", saves), "tasks": [{"resources": {"gpu": 4}}], "class": 2, "checkpoint": {"mode": "auto"}}
        high = job("high", 4, shell("true", arrival="0.5s"), **{"class": 8})
        process = self.begin(scenario([low, high], policy=policy(checkpoint_timeout="100s")))
        self.wait_for(lambda: os.path.exists(self.path("asked")), "the hint")
        self.kill_supervisor("0-0-1")
        run = self.finish(process)
        self.assertEqual(self.ends(run), {"low": "completed", "high": "completed"})
        self.assert_order(run, ("hint", "low"), ("leave", "low"), ("start", "high"), ("start", "low"))

    def test_none_ever_begins(self):
        # Killed at its first act, before it has claimed its attempt.
        self.write(scenario([self.a_job("a", "true")]))
        run = self.finish(self.start("scenario.json", "--json", environment=inject(who="supervisor", kill=1)), 1)
        self.assertEqual(self.ends(run), {"a": "failed"})
        self.assertIn("lost with its supervisor", [e["text"] for e in run["events"] if e["event"] == "failed"][0])

    def test_each_dies_somewhere(self):
        self.write(scenario([self.a_job("a", "echo x")]))
        self.finish(self.start("scenario.json", "--json", environment=inject(who="supervisor", count=self.path("count"))))
        calls = int(self.read("count"))
        self.assertGreater(calls, 6)
        for number in range(1, calls + 2, 1 if LONG else 4):
            with self.subTest(number=number):
                run = self.start("scenario.json", "--json", environment=inject(who="supervisor", kill=number))
                out, err = run.communicate(timeout=TIMEOUT)
                self.assertIn((run.returncode, err), [(0, ""), (1, "")], out)
                self.assertIn(self.ends(json.loads(out))["a"], ("completed", "failed"))
                self.assert_nothing_left()


class FolderTest(ProcessLossTest):
    def test_it_vanishes(self):
        process = self.begin(scenario([self.a_job("a"), job("b", 1, shell("true", arrival="1s"))]))
        while os.path.exists(self.path("kept")):  # the run may write into it in between
            shutil.rmtree(self.path("kept"), ignore_errors=True)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertRegex(err, r"^cede: cannot .*: No such file or directory[^\n]*\n$")
        self.assert_nothing_left()

    def test_a_job_removes_its_own(self):
        run = self.run_scenario(scenario([self.a_job("a", 'rm -rf "$CEDE_REPORT"')]), status=1)
        self.assertEqual(self.ends(run), {"a": "failed"})


class StoppedTest(ProcessLossTest):
    def test_killed_while_it_ends_everything(self):
        # A job that takes its time to end, so that there is a moment to kill the manager in.
        script = STARTED + "trap 'touch $SEEN/asked' TERM; while [ ! -e \"$SEEN/go\" ]; do sleep 0.05; done; exit 3"
        process = self.begin(scenario([self.a_job("a", script), self.a_job("b", "true", **{"class": 0})],
                                      cluster=cluster(1, 1)))
        process.send_signal(signal.SIGINT)
        self.wait_for(lambda: os.path.exists(self.path("asked")), "TERM")
        process.kill()
        process.wait(TIMEOUT)
        self.go()
        status, out, err = self.cede("--resume", "kept", "--json")
        self.assertEqual(status, 1, out)
        self.assertEqual(err, "cede: warning: the run was being ended when its manager was gone; that goes on\n")
        self.assertEqual(self.ends(json.loads(out)), {"a": "stopped", "b": "stopped"})

    def resumed_after(self, document, journal, status):
        """The run goes on from where its journal said this for the first time, before anything came of it."""
        self.write(document)
        process = self.start("scenario.json", "--folder", "kept", environment=inject(kill_with=journal))
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        got, out, err = self.cede("--resume", "kept", "--json")
        self.assertEqual((got, err), (status, ""), out)
        self.assert_nothing_left()
        return json.loads(out)

    def test_killed_while_a_job_fails(self):
        # One task has failed, the other would run for ever.
        script = STARTED + 'test "$CEDE_RANK" = 0 && exit 1; while :; do sleep 0.05; done'
        run = self.resumed_after(scenario([self.a_job("a", script, tasks=2)]), '"failing":1', 1)
        self.assertEqual(self.ends(run), {"a": "failed"})

    def test_killed_before_a_hint(self):
        # It looks for the file and does not know of the signal.
        saves = ('trap "" USR1; test "$CEDE_RESUME" = 1 && exit 0; while [ ! -e "$CEDE_REPORT/hint" ]; do sleep 0.05; done; '
                 'touch "$CEDE_REPORT/done"; while [ -e "$CEDE_REPORT/hint" ]; do sleep 0.05; done')
        low = {**self.a_job("low", saves), "tasks": [{"resources": {"gpu": 4}}], "class": 2, "checkpoint": {"mode": "auto"}}
        high = job("high", 4, shell("true", arrival="0.5s"), **{"class": 8})
        run = self.resumed_after(scenario([low, high], policy=policy(checkpoint_timeout="100s")), '"hinted":1', 0)
        self.assert_order(run, ("adopt", "low"), ("saved", "low"), ("start", "high"), ("resume", "low"))

    def test_killed_before_a_start(self):
        node = cluster(2, 1)
        pinned = self.a_job("a", STARTED + 'test "$CEDE_NODE" = n2')
        pinned["run"]["first"] = ["n2"]
        run = self.resumed_after(scenario([pinned], cluster=node), '"starts":1', 0)
        self.assertEqual((self.ends(run), self.starts()), ({"a": "completed"}, ["0"]))
        # What was written down and never done does not count.
        self.assertEqual(run["summary"]["started"], 1)


if __name__ == "__main__":
    unittest.main()
