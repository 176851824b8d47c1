# SPDX-License-Identifier: MIT
"""The manager is killed at any moment; nothing is lost and nothing starts twice."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from scenario_run import TIMEOUT, RunTest, cluster, job, policy, scenario, shell

ROUNDS = 50 if os.environ.get("CEDE_LONG") else 10

# Notes every start, and that it is alone while it runs: a lock goes with the process that has it.
BEGIN = ('exec 9>"$SEEN/lock-$CEDE_JOB-$CEDE_RANK"; flock -n 9 || echo "$CEDE_JOB" >> "$SEEN/twice"; '
         'echo "$CEDE_REPORT" >> "$SEEN/starts-$CEDE_JOB-$CEDE_RANK"; ')
WORKS = BEGIN + 'sleep 0.4; echo "$CEDE_RANK" >> "$SEEN/done-$CEDE_JOB"'
SAVES = (BEGIN + 'trap \'touch "$CEDE_STATE/saved" "$CEDE_REPORT/done"\' USR1; if [ "$CEDE_RESUME" = 1 ]; then '
         'test -e "$CEDE_STATE/saved" || echo "$CEDE_JOB" >> "$SEEN/unsaved"; echo 0 >> "$SEEN/done-$CEDE_JOB"; exit 0; '
         'fi; for i in $(seq 200); do sleep 0.05; done; echo 0 >> "$SEEN/done-$CEDE_JOB"')


class ResumeTest(RunTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("seen"))

    def a_job(self, name, gpus, script, job_class, arrival="0s", **members):
        run = shell(script, arrival=arrival, environment={"SEEN": self.path("seen")})
        return job(name, gpus, run, **{"class": job_class}, **members)

    def a_scenario(self, **members):
        saving = {"checkpoint": {"mode": "auto", "timeout": "20s"}}
        jobs = [self.a_job("a", 8, SAVES, 2, **saving), self.a_job("b", 4, SAVES, 3, **saving),
                self.a_job("c", 4, WORKS, 9), self.a_job("d", 2, WORKS, 4, "0.6s"),
                {**self.a_job("gang", 8, WORKS, 8, "0.5s"), "tasks": [{"count": 2, "resources": {"gpu": 8}}]},
                self.a_job("e", 1, WORKS, 5, "0.7s")]
        return scenario(jobs, cluster=cluster(2, 8), policy=policy(grace="1s"), **members)

    def seen(self, name):
        try:
            return self.read("seen", name).split()
        except FileNotFoundError:
            return []

    def assert_all_went_well(self, run):
        self.assertEqual(set(self.ends(run).values()), {"completed"}, run["events"])
        self.assertEqual(self.seen("twice"), [])
        self.assertEqual(self.seen("unsaved"), [])
        for name in self.ends(run):
            tasks = 2 if name == "gang" else 1
            self.assertEqual(len(self.seen(f"done-{name}")), tasks, f"{name} did its work once")
            for rank in range(tasks):
                starts = self.seen(f"starts-{name}-{rank}")
                self.assertEqual(len(starts), len(set(starts)), f"no attempt of {name} began twice")

    def resume(self, status=0):
        got, out, err = self.cede("--resume", "kept", "--json")
        self.assertEqual((got, err), (status, ""), out)
        return json.loads(out)

    def kill(self, process):
        process.kill()
        process.wait(TIMEOUT)

    def test_random_moments(self):
        seed = int(os.environ.get("CEDE_SEED", random.randrange(1 << 30)))
        chance = random.Random(seed)
        for number in range(ROUNDS):
            with self.subTest(seed=seed, number=number):
                for name in ("kept", "seen"):
                    subprocess.run(["rm", "-rf", self.path(name)], check=True)
                os.mkdir(self.path("seen"))
                self.write(self.a_scenario())
                self.kill_after(self.start("scenario.json", "--folder", "kept"), chance.uniform(0, 2))
                if not os.path.exists(self.path("kept/scenario.json")):
                    continue  # nothing had begun
                while chance.random() < 0.5:
                    self.kill_after(self.start("--resume", "kept"), chance.uniform(0, 1))
                if self.is_over():
                    continue  # it was faster
                self.assert_all_went_well(self.resume())
                self.assert_nothing_left()

    def kill_after(self, process, seconds):
        time.sleep(seconds)
        self.kill(process)

    def is_over(self):
        try:
            return '"over":1,"stopping"' in self.read_bytes("kept/journal")
        except FileNotFoundError:
            return False

    def read_bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read().decode("latin-1")

    def test_processes_are_found_again(self):
        self.write(scenario([self.a_job("a", 1, BEGIN + 'while [ ! -e "$SEEN/go" ]; do sleep 0.05; done', 4)]))
        process = self.start("scenario.json", "--folder", "kept")
        self.wait_for(lambda: self.seen("starts-a-0"), "the job")
        before = self.read("kept/tasks/0-0-1/process")
        self.kill(process)
        self.assertEqual(len([p for p in self.processes() if "run-supervisor" in p[1]]), 1)
        resumed = self.start("--resume", "kept", "--json")
        self.wait_for(lambda: self.read("kept/owner").split()[0] == str(resumed.pid), "the new manager")
        self.assertEqual(self.read("kept/tasks/0-0-1/process"), before)
        open(self.path("seen/go"), "w", encoding="utf-8").close()
        out, err = resumed.communicate(timeout=TIMEOUT)
        self.assertEqual((resumed.returncode, err), (0, ""))
        self.assertEqual(self.events(json.loads(out)), [("adopt", "a"), ("complete", "a")])
        self.assertEqual(len(self.seen("starts-a-0")), 1)

    def test_orphans_are_ended_and_started_again(self):
        self.write(scenario([self.a_job("a", 1, BEGIN + 'test -e "$SEEN/go" || sleep 1000', 4)], orphan_timeout="1s"))
        process = self.start("scenario.json", "--folder", "kept")
        self.wait_for(lambda: self.seen("starts-a-0"), "the job")
        self.kill(process)
        self.wait_for(lambda: not self.processes(), "the supervisor to give up")
        self.assertIn("orphaned", self.read("kept/tasks/0-0-1/exit"))
        open(self.path("seen/go"), "w", encoding="utf-8").close()
        run = self.resume()
        self.assert_order(run, ("leave", "a"), ("start", "a"), ("complete", "a"))
        self.assertEqual(len(self.seen("starts-a-0")), 2)

    def test_a_killed_supervisor_takes_its_job_along(self):
        self.write(scenario([self.a_job("a", 1, BEGIN + 'test -e "$SEEN/go" || sleep 1000', 4)]))
        process = self.start("scenario.json", "--folder", "kept", "--json")
        self.wait_for(lambda: self.seen("starts-a-0"), "the job")
        open(self.path("seen/go"), "w", encoding="utf-8").close()
        os.kill(int(self.read("kept/tasks/0-0-1/supervisor").split()[0]), signal.SIGKILL)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assert_order(json.loads(out), ("leave", "a"), ("start", "a"), ("complete", "a"))

    def test_only_one_manager(self):
        self.write(scenario([self.a_job("a", 1, BEGIN + 'while [ ! -e "$SEEN/go" ]; do sleep 0.05; done', 4)]))
        process = self.start("scenario.json", "--folder", "kept")
        self.wait_for(lambda: self.seen("starts-a-0"), "the job")
        status, out, err = self.cede("--resume", "kept")
        self.assertEqual((status, out), (2, ""))
        self.assertIn(f"is in use by process {process.pid}", err)
        open(self.path("seen/go"), "w", encoding="utf-8").close()
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0)
        status, out, err = self.cede("--resume", "kept")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("there is nothing to resume", err)

    def test_damaged_journal(self):
        self.write(scenario([self.a_job("a", 1, BEGIN + "true", 4)]))
        self.assertEqual(self.cede("scenario.json", "--folder", "kept")[0], 0)
        with open(self.path("kept/journal"), "r+b") as file:
            file.seek(60)
            file.write(b"#")
        status, out, err = self.cede("--resume", "kept")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^cede: '.*journal' is damaged\n$")

    def rewrite_journal(self, old, new):
        """Changes what it says, with a checksum that is right."""
        with open(self.path("kept/journal"), "rb") as file:
            head, body = file.read().split(b"\n", 1)
        name, own, engine, _ = head.split()
        self.assertIn(old, body)
        changed = body.replace(old, new, 1)
        checksum = 1469598103934665603
        for byte in changed:
            checksum = (checksum ^ byte) * 1099511628211 % (1 << 64)
        size = int(own) + len(changed) - len(body)
        with open(self.path("kept/journal"), "wb") as file:
            file.write(b"%s %d %s %d\n" % (name, size, engine, checksum) + changed)

    def test_a_journal_that_says_nonsense(self):
        # A checksum keeps out accidents, not mistakes.
        self.write(scenario([self.a_job("a", 1, BEGIN + "sleep 1000", 4)], orphan_timeout="0s"))
        process = self.start("scenario.json", "--folder", "kept")
        self.wait_for(lambda: self.seen("starts-a-0"), "the job")
        self.kill(process)
        self.wait_for(lambda: not self.processes(), "the supervisor to give up")
        with open(self.path("kept/journal"), "rb") as file:
            good = file.read()
        for old, new, told in ((b'"end":0', b'"end":7', "is damaged"), (b'"end":0', b'"end":-1', "is damaged"),
                               (b'"tasks":[{"state":1', b'"tasks":[{"state":4', "is damaged"),
                               (b'"tasks":[', b'"tasks":[{},', "is damaged"), (b'"speed":1', b'"speed":0', "is damaged"),
                               (b'"speed":1', b'"speed":1e999', "is larger than any number"), (b'"attempt":1', b'"attempt":0', "is damaged"),
                               (b'"id":"a"', b'"id":"b"', "is of another scenario"),
                               (b'"node":"n1"', b'"node":"n9"', "n9"), (b'"gpus":"1"', b'"gpus":"256"', "")):
            with self.subTest(new=new):
                with open(self.path("kept/journal"), "wb") as file:
                    file.write(good)
                self.rewrite_journal(old, new)
                status, out, err = self.cede("--resume", "kept")
                self.assertEqual((status, err.count("\n")), (2, 1), err)
                self.assertIn(told, err)
        with open(self.path("kept/journal"), "wb") as file:
            file.write(good.replace(b"cede-journal/4 ", b"cede-journal/3 "))
        self.assertRegex(self.cede("--resume", "kept")[2], r"journal' was written by another version of cede\n$")
        with open(self.path("kept/journal"), "wb") as file:
            file.write(b"cede-journal/4 18446744073709551615 %d 0\n" % len(good) + good)
        self.assertRegex(self.cede("--resume", "kept")[2], r"journal' is damaged\n$")
        os.unlink(self.path("kept/journal"))
        self.assertRegex(self.cede("--resume", "kept")[2], r"^cede: cannot read '.*journal': No such file")


if __name__ == "__main__":
    unittest.main()
