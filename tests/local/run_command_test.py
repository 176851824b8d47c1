# SPDX-License-Identifier: MIT
import json
import os
import signal
import unittest

from scenario_run import SCENARIOS, RunTest, cluster, job, scenario, shell


class LoopTest(RunTest):
    def test_environment_of_a_job(self):
        script = ('echo "$CEDE_JOB $CEDE_TASK $CEDE_RANK/$CEDE_TASKS $CEDE_NODE $CEDE_RESUME '
                  '$CUDA_VISIBLE_DEVICES"; test -d "$CEDE_STATE" && test -d "$CEDE_REPORT" && test "$WHO" = me')
        task = {"id": "rank", "count": 2, "resources": {"gpu": 2}}
        document = scenario([{**job("a", run=shell(script, environment={"WHO": "me"})), "tasks": [task]}])
        self.assertEqual(self.ends(self.run_scenario(document, "--folder", "kept")), {"a": "completed"})
        said = {self.read("kept", "tasks", f"0-{task}-1", "output") for task in (0, 1)}
        self.assertEqual({line.rsplit(" ", 1)[0] for line in said},
                         {"a rank#0 0/2 n1 0", "a rank#1 1/2 n1 0"})
        devices = sorted(line.split()[-1] for line in said)
        self.assertEqual(devices, ["0,1", "2,3"])
        self.assertIn("# EOF", self.read("kept", "metrics"))

    def test_free_space_first_then_the_queue(self):
        def until_both_run():
            return shell('touch "$SEEN/$CEDE_JOB"; until [ -e "$SEEN/a" ] && [ -e "$SEEN/b" ]; do sleep 0.05; done',
                         environment={"SEEN": self.folder})
        run = self.run_scenario(scenario([job("a", 2, until_both_run()), job("b", 2, until_both_run()),
                                          job("c", 4, shell("true"))]))
        self.assertEqual(set(self.ends(run).values()), {"completed"})
        for one in "a", "b":
            self.assert_order(run, ("start", "a"), ("start", "b"), ("complete", one), ("start", "c"))
        self.assertEqual(run["summary"]["preempted"], 0)

    def test_failed_and_missing_commands(self):
        run = self.run_scenario(scenario([job("bad", 1, shell("exit 3")),
                                          job("none", 1, {"command": ["/nowhere/at-all"]}),
                                          job("good", 1, shell("true"))]), "--folder", "kept", status=1)
        self.assertEqual(self.ends(run), {"bad": "failed", "none": "failed", "good": "completed"})
        texts = {e["job"]: e["text"] for e in run["events"] if e["event"] == "failed"}
        self.assertIn("exit status 3", texts["bad"])
        self.assertIn("exit status 127", texts["none"])
        self.assertIn("cannot run '/nowhere/at-all': No such file", self.read("kept", "tasks", "1-0-1", "output"))

    def test_one_failed_task_ends_its_job(self):
        task = {"count": 2, "resources": {"gpu": 1}}
        script = 'test "$CEDE_RANK" = 0 && exit 1; sleep 100'
        run = self.run_scenario(scenario([{**job("a", run=shell(script)), "tasks": [task]}]), status=1)
        self.assertEqual(self.ends(run), {"a": "failed"})

    def test_impossible_and_refused(self):
        document = scenario([job("huge", 5), job("vain", 1, priority=3, user="u"), job("ok", 1, shell("true"))])
        document["policy"]["admission"] = {"users": {"u": {"default_priority": 0, "may_change": False}}}
        run = self.run_scenario(document, status=1)
        self.assertEqual(self.ends(run), {"huge": "impossible", "vain": "refused", "ok": "completed"})

    def test_a_job_that_cannot_start_ends_the_run_after_patience(self):
        document = scenario([job("a", 4, shell("sleep 100"), **{"class": 9}), job("b", 4, shell("true"))], patience="1s")
        document["jobs"][0]["run"]["command"] = ["sh", "-c", "true"]
        document["cluster"]["reservations"] = [{"id": "r", "nodes": ["n1"], "from": 1760000000,
                                                "until": 1760009999, "for": None}]
        run = self.run_scenario(document, status=1)
        self.assertTrue(run["summary"]["stuck"])
        self.assertEqual(set(self.ends(run).values()), {"waiting"})

    def test_interrupt_ends_everything(self):
        stubborn = "trap '' TERM; while :; do sleep 1; done"
        self.write(scenario([job("a", 2, shell(stubborn)), job("b", 2, shell("sleep 1000")), job("c", 4)]))
        process = self.start("scenario.json", "--json")
        self.wait_for(lambda: len(self.processes()) >= 5, "the jobs")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (1, ""))
        self.assertEqual(set(self.ends(json.loads(out)).values()), {"stopped"})
        self.assertEqual(self.processes(), [])
        self.assertEqual(os.listdir(self.folder), ["scenario.json"])

    def test_lines_when_piped(self):
        self.write(scenario([job("a", 1, shell("true"))]))
        status, out, err = self.cede("scenario.json")
        self.assertEqual((status, err), (0, ""))
        self.assertNotIn("\033", out)
        self.assertRegex(out, r"(?m)^ +[0-9.]+s  start +a +n1\[0\]$")
        self.assertIn("1 job: 1 completed", out)
        self.assertEqual(os.listdir(self.folder), ["scenario.json"])


class ArgumentTest(RunTest):
    def fails(self, *arguments):
        status, out, err = self.cede(*arguments)
        self.assertEqual((status, out), (2, ""), err)
        self.assertEqual(err.count("\n"), 1, err)
        return err

    def test_one_source(self):
        self.assertIn("run needs one SCENARIO", self.fails())
        self.assertIn("run needs one SCENARIO", self.fails("--demo", "x.json"))
        self.assertIn("cannot read 'x.json'", self.fails("x.json"))

    def test_speed(self):
        self.assertIn("--speed: '0' is not a number in 0.01..10000", self.fails("--demo", "--speed", "0"))
        self.assertIn("means nothing with --resume", self.fails_to_resume("--speed", "2"))

    def fails_to_resume(self, *arguments):
        return self.fails("--resume", "nowhere", *arguments)

    def test_folder(self):
        self.assertIn("cannot resume 'nowhere': No such file", self.fails_to_resume())
        self.write(scenario([job("a", 1, shell("true"))]))
        os.mkdir(self.path("full"))
        with open(self.path("full/x"), "w", encoding="utf-8"):
            pass
        self.assertIn("is not empty", self.fails("scenario.json", "--folder", "full"))

    def test_other_documents(self):
        self.write(cluster(), "cluster.json")
        self.assertIn("format: this is a cede-cluster/1 document, and cede-scenario/1 is needed", self.fails("cluster.json"))


class DemoTest(RunTest):
    def test_demo(self):
        status, out, err = self.cede("--demo", "--json")
        self.assertEqual((status, err), (0, ""), out)
        run = json.loads(out)
        self.assertEqual(set(self.ends(run).values()), {"completed"})
        for event in (("plan", "gang"), ("hint", "sweep"), ("hint", "eval"), ("term", "scratch"), ("kill", "scratch"),
                      ("defer", "eval"), ("saved", "sweep"), ("saved", "eval"), ("resume", "sweep"), ("resume", "eval"),
                      ("start", "gang")):
            self.assertIn(event, self.events(run))
        for victim in ("sweep", "eval", "scratch"):
            self.assert_order(run, ("plan", "gang"), ("leave", victim), ("requeue", victim), ("start", "gang"))
        # Exactly where its victims were, on one leaf.
        places = {e["job"]: e["text"] for e in run["events"] if e["event"] == "start" and e["job"] == "gang"}
        self.assertEqual(places["gang"], "n5[0-7] n6[0-7]")
        self.assertEqual(run["summary"]["preempted"], 3)
        self.assertEqual(run["summary"]["resumed"], 2)
        self.assertGreater(run["summary"]["lost_work"], 0)

    def test_file_is_the_built_in_one(self):
        with open(os.path.join(SCENARIOS, "demo.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["format"], "cede-scenario/1")


if __name__ == "__main__":
    unittest.main()
