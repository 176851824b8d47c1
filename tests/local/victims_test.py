# SPDX-License-Identifier: MIT
"""Victims of every kind, as real processes."""
import os
import shutil
import unittest

from scenario_run import TIMEOUT, RunTest, job, policy, scenario, shell

# A job that saves when it is asked to, and tells so.
SAVES = ('trap \'echo kept > "$CEDE_STATE/step"; touch "$CEDE_REPORT/done"\' USR1; '
         'test "$CEDE_RESUME" = 1 && exec cat "$CEDE_STATE/step"; while :; do sleep 0.05; done')


class VictimTest(RunTest):
    def against(self, script, checkpoint=True, victim=None, status=0, requester=None, **settings):
        """A run in which one job has the node and a stronger one comes."""
        low = job("low", 4, shell(script), **{"class": 2}, **(victim or {}))
        if checkpoint:
            low["checkpoint"] = {"mode": "auto"}
        high = job("high", 4, shell("true", arrival="0.5s", **(requester or {})), **{"class": 8})
        times = {"grace": "1s", "checkpoint_timeout": "20s", **settings}
        return self.run_scenario(scenario([low, high], policy=policy(**times)), "--folder", "kept", status=status)

    def test_saves_and_resumes(self):
        run = self.against(SAVES)
        self.assert_order(run, ("start", "low"), ("plan", "high"), ("hint", "low"), ("saved", "low"), ("suspend", "low"),
                          ("leave", "low"), ("requeue", "low"), ("start", "high"), ("complete", "high"),
                          ("resume", "low"), ("complete", "low"))
        self.assertEqual(self.read("kept", "tasks", "0-0-2", "output"), "kept\n")
        self.assertEqual((run["summary"]["preempted"], run["summary"]["lost_work"]), (1, 0))

    def test_ignores_term(self):
        first = 'test -e "$HOME_OF_TEST/once" && exit 0; touch "$HOME_OF_TEST/once"; '
        victim = shell(first + "trap '' TERM; while :; do sleep 0.05; done", environment={"HOME_OF_TEST": self.folder})
        document = scenario([job("low", 4, victim, **{"class": 2}),
                             job("high", 4, shell("true", arrival="0.5s"), **{"class": 8})], policy=policy(grace="1s"))
        run = self.run_scenario(document)
        self.assert_order(run, ("plan", "high"), ("term", "low"), ("kill", "low"), ("leave", "low"), ("requeue", "low"),
                          ("start", "high"), ("start", "low"), ("complete", "low"))
        self.assertGreater(run["summary"]["lost_work"], 0)

    def test_children_that_run_away_are_ended_too(self):
        # In a session of its own and deaf: neither the group nor TERM reaches it.
        script = ("test -e \"$CEDE_STATE/../seen\" && exit 0; touch \"$CEDE_STATE/../seen\"; "
                  "setsid sh -c \"trap '' TERM; sleep 1000\" & setsid sleep 1000 & sleep 1000")
        run = self.against(script, checkpoint=False)
        self.assertEqual(set(self.ends(run).values()), {"completed"})
        self.assertEqual(self.processes(), [])

    def test_exits_at_the_moment_of_the_hint(self):
        run = self.against("trap 'exit 0' USR1; while :; do sleep 0.05; done")
        self.assert_order(run, ("hint", "low"), ("complete", "low"), ("start", "high"))
        self.assertNotIn(("requeue", "low"), self.events(run))
        self.assertEqual(run["summary"]["preempted"], 0)

    def test_dies_of_the_hint(self):
        # It never said what to do with the signal; that is no success of its own.
        script = 'test -e "$CEDE_STATE/../seen" && exit 0; touch "$CEDE_STATE/../seen"; sleep 1000'
        run = self.against(script)
        self.assert_order(run, ("hint", "low"), ("leave", "low"), ("requeue", "low"), ("start", "high"),
                          ("start", "low"), ("complete", "low"))

    def test_saves_too_late(self):
        # It saves only when it is told to end, after its time to save: it starts from the beginning.
        script = ('trap "" USR1; trap \'touch "$CEDE_REPORT/done"; exit 1\' TERM; '
                  'test -e "$CEDE_STATE/../seen" && exit 0; touch "$CEDE_STATE/../seen"; while :; do sleep 0.05; done')
        run = self.against(script, checkpoint_timeout="1s")
        self.assert_order(run, ("hint", "low"), ("term", "low"), ("requeue", "low"), ("start", "high"))
        self.assertNotIn(("resume", "low"), self.events(run))

    def test_says_that_it_cannot_save(self):
        script = ('trap \'touch "$CEDE_REPORT/failed"\' USR1; test -e "$CEDE_STATE/../seen" && exit 0; '
                  'touch "$CEDE_STATE/../seen"; while :; do sleep 0.05; done')
        run = self.against(script)
        self.assert_order(run, ("hint", "low"), ("unsaved", "low"), ("term", "low"), ("start", "high"))

    def test_asks_to_defer(self):
        script = ('trap \'echo 1 > "$CEDE_REPORT/defer"; touch "$CEDE_REPORT/done"\' USR1; '
                  'test "$CEDE_RESUME" = 1 && exit 0; while :; do sleep 0.05; done')
        run = self.against(script)
        self.assert_order(run, ("hint", "low"), ("defer", "low"), ("saved", "low"), ("start", "high"), ("resume", "low"))

    def test_a_gang_saves_only_with_all_its_tasks(self):
        script = ('trap \'test "$CEDE_RANK" = 0 && touch "$CEDE_REPORT/done"\' USR1; '
                  'test -e "$CEDE_STATE/../seen$CEDE_RANK" && exit 0; touch "$CEDE_STATE/../seen$CEDE_RANK"; '
                  'while :; do sleep 0.05; done')
        run = self.against(script, victim={"tasks": [{"count": 2, "resources": {"gpu": 2}}]}, checkpoint_timeout="2s")
        self.assert_order(run, ("hint", "low"), ("term", "low"), ("requeue", "low"), ("start", "high"))
        self.assertNotIn(("saved", "low"), self.events(run))

    def test_each_task_of_another_job_saves_on_its_own(self):
        script = ('trap \'test "$CEDE_RANK" = 0 && touch "$CEDE_REPORT/done" || touch "$CEDE_REPORT/failed"\' USR1; '
                  'test -e "$CEDE_STATE/../seen$CEDE_RANK" && echo "$CEDE_RESUME" && exit 0; '
                  'touch "$CEDE_STATE/../seen$CEDE_RANK"; while :; do sleep 0.05; done')
        run = self.against(script, victim={"tasks": [{"count": 2, "resources": {"gpu": 2}}], "gang": False})
        self.assertEqual(sorted(self.events(run, "hint", "suspend", "term", "requeue", of="low")),
                         [(kind, "low") for kind in ("hint", "hint", "requeue", "requeue", "suspend", "term")])
        self.assertEqual([self.read("kept", "tasks", f"0-{task}-2", "output") for task in (0, 1)], ["1\n", "0\n"])
        self.assertEqual((self.ends(run)["low"], run["summary"]["preempted"]), ("completed", 1))

    def test_is_deaf_to_the_hint_and_ends_in_time(self):
        run = self.against("trap '' USR1; " + 'while [ ! -e "$CEDE_REPORT/hint" ]; do sleep 0.05; done')
        self.assert_order(run, ("hint", "low"), ("complete", "low"), ("start", "high"))
        self.assertEqual(self.events(run, "term", "kill", "requeue", "leave"), [])


class EveryProfileTest(RunTest):
    """A victim that can save does so before its profile's own exit."""

    def against(self, script, profile, checkpoint=True, restart=False, cleanup_delay="1s", **settings):
        low = job("low", 4, shell(script, restart=restart), priority=1)
        if checkpoint:
            low["checkpoint"] = {"mode": "auto"}
        high = job("high", 4, shell("true", arrival="0.5s"), priority=50)
        times = {"grace": "2s", "checkpoint_timeout": "20s", **settings}
        document = scenario([low, high], policy=policy(profile, **times), cleanup_delay=cleanup_delay)
        shutil.rmtree(self.path("kept"), ignore_errors=True)
        return self.run_scenario(document, "--folder", "kept")

    def preemptions(self):
        lines = self.read("kept", "metrics").splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith("cede_preemptions_total"))

    def text(self, run, event, name="low"):
        return [e["text"] for e in run["events"] if (e["event"], e["job"]) == (event, name)]

    def test_terminated_and_submitted_again_by_its_owner(self):
        run = self.against(SAVES, "priority", restart=True)
        self.assert_order(run, ("hint", "low"), ("saved", "low"), ("term", "low"), ("leave", "low"), ("restart", "low"),
                          ("start", "high"), ("resume", "low"), ("complete", "low"))
        self.assertEqual(self.read("kept", "tasks", "0-0-2", "output"), "kept\n")
        self.assertEqual(run["summary"]["lost_work"], 0)

    def test_terminated_for_good_says_that_its_state_is_saved(self):
        run = self.against(SAVES, "quota")
        self.assert_order(run, ("hint", "low"), ("saved", "low"), ("term", "low"), ("preempted", "low"))
        self.assertEqual(self.text(run, "preempted"), ["its state is saved; the policy does not requeue it"])

    def test_suspended_with_a_checkpoint_resumes_from_it(self):
        run = self.against(SAVES, "priority", preemption_mode="suspend")
        self.assert_order(run, ("hint", "low"), ("saved", "low"), ("suspend", "low"), ("requeue", "low"),
                          ("start", "high"), ("resume", "low"))
        self.assertEqual(self.text(run, "requeue"), ["to resume from its checkpoint"])

    def test_suspended_without_a_checkpoint_starts_anew(self):
        script = 'test -e "$CEDE_STATE/../seen" && exit 0; touch "$CEDE_STATE/../seen"; sleep 1000'
        run = self.against(script, "priority", checkpoint=False, preemption_mode="suspend")
        self.assert_order(run, ("suspend", "low"), ("requeue", "low"), ("start", "high"), ("start", "low"))
        self.assertEqual(self.text(run, "requeue"), ["from the beginning"])
        self.assertEqual(self.events(run, "resume", "hint"), [])

    def test_failed_and_suspended_starts_anew(self):
        script = ('trap \'touch "$CEDE_REPORT/failed"\' USR1; test -e "$CEDE_STATE/../seen" && exit 0; '
                  'touch "$CEDE_STATE/../seen"; while :; do sleep 0.05; done')
        run = self.against(script, "priority", preemption_mode="suspend")
        self.assert_order(run, ("hint", "low"), ("unsaved", "low"), ("suspend", "low"), ("requeue", "low"),
                          ("start", "high"), ("start", "low"))
        self.assertEqual(self.text(run, "requeue"), ["from the beginning"])

    def test_marked_once_it_has_saved(self):
        # It leaves when it reads that it is to be evicted.
        script = ('trap \'grep -q ^evict "$CEDE_REPORT/hint" && exit 0; touch "$CEDE_REPORT/done"\' USR1; '
                  'while :; do sleep 0.05; done')
        run = self.against(script, "quota", evict="soft", soft_evict_timeout="30s")
        self.assert_order(run, ("hint", "low"), ("saved", "low"), ("mark", "low"), ("start", "high"))
        self.assertEqual(self.events(run, "term", "kill"), [])

    def test_marked_and_deleted_by_the_operator(self):
        run = self.against(SAVES, "quota", evict="soft")
        self.assert_order(run, ("hint", "low"), ("saved", "low"), ("mark", "low"), ("delete", "low"), ("leave", "low"),
                          ("preempted", "low"), ("start", "high"), ("complete", "high"))
        self.assertEqual(self.events(run, "term", "kill"), [])
        self.assertEqual(self.text(run, "preempted"), ["its state is saved; the policy does not requeue it"])

    def test_marked_without_a_checkpoint_is_deleted_and_hears_no_signal(self):
        # It knows nothing of the signal of a hint, and would die of it at once.
        run = self.against("sleep 1000", "quota", checkpoint=False, evict="soft")
        self.assert_order(run, ("mark", "low"), ("delete", "low"), ("leave", "low"), ("start", "high"))
        self.assertEqual(self.text(run, "leave"), ["t0: ended by signal Terminated"])

    def test_marked_and_done_before_the_operator_comes_is_not_preempted(self):
        script = 'while [ ! -e "$CEDE_REPORT/hint" ]; do sleep 0.05; done'
        for checkpoint in (False, True):
            run = self.against(script if not checkpoint else "trap '' USR1; " + script, "quota", checkpoint=checkpoint,
                               evict="soft", checkpoint_timeout="1s", cleanup_delay="10m")
            self.assert_order(run, ("complete", "low"), ("start", "high"))
            self.assertEqual((run["summary"]["preempted"], self.events(run, "leave", "delete")), (0, []))
            self.assertEqual(self.preemptions(), 0)

    def test_not_asked_where_the_policy_says_so(self):
        run = self.against(SAVES, "priority", checkpoint_first=False)
        self.assert_order(run, ("term", "low"), ("leave", "low"), ("start", "high"))
        self.assertEqual(self.events(run, "hint", "saved"), [])


class ManyTest(RunTest):
    def test_five_hundred_short_jobs(self):
        document = scenario([job(f"j{i}", 1, shell("exit 0")) for i in range(500)])
        document["cluster"]["nodes"] = [{"id": f"n{i}", "resources": {"gpu": 8}} for i in range(4)]
        self.write(document)
        process = self.start("scenario.json", "--folder", "kept")
        descriptors = 0
        running, most = set(), 0
        for line in process.stdout:
            words = line.split()
            if len(words) > 2 and words[1] == "start":
                running.add(words[2])
                most = max(most, len(running))
            if len(words) > 2 and words[1] == "complete":
                running.discard(words[2])
                descriptors = max(descriptors, len(os.listdir(f"/proc/{process.pid}/fd")))
        self.assertEqual((process.wait(TIMEOUT), process.stderr.read()), (0, ""))
        self.assertEqual((running, most), (set(), 32))
        self.assertLess(descriptors, 32)
        self.assertEqual(self.processes(), [])
        # Each was started once, and nothing is held any more.
        self.assertEqual(sorted(os.listdir(self.path("kept/tasks"))), sorted(f"{i}-0-1" for i in range(500)))


if __name__ == "__main__":
    unittest.main()
