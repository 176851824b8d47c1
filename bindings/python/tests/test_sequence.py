# SPDX-License-Identifier: MIT
"""From plan to started job."""
import unittest

import cede
from cede import structs

from . import CLUSTER, PACKAGE, POLICY, has, run

NOW = 1760000000000


class SequenceTest(unittest.TestCase):
    def setUp(self):
        self.engine = cede.Engine(POLICY).load(CLUSTER)
        self.addCleanup(self.engine.close)
        self.entry = self.engine.commit(self.engine.plan("high"), NOW, 25)

    def test_steps(self):
        step = self.engine.step(now=NOW)
        hint = step.actions[0]
        self.assertEqual((hint.kind, hint.job, hint.tasks, hint.preemptor, hint.entry, hint.submitted),
                         (cede.Do.CHECKPOINT_HINT, "low", ("t0",), "high", self.entry, None))
        self.assertGreater(step.next_due, NOW)
        self.assertEqual(step.document()["format"], "cede-actions/1")
        step = self.engine.step([{"event": "checkpoint-done", "job": "low"}, {"event": "checkpoint-done", "job": "who"},
                                 {"event": "action-done", "action": hint.id}], NOW)
        self.assertEqual(step.answers, (True, False, True))
        self.assertEqual([action.kind for action in step.actions], [cede.Do.SUSPEND])
        step = self.engine.step('{"format": "cede-events/1", "events": [{"event": "released", "job": "low"}]}', NOW)
        kinds = {action.kind: action for action in step.actions}
        self.assertEqual([(p.task, p.node, p.gpus) for p in kinds[cede.Do.START].places], [("t0", "n1", (0, 1, 2, 3))])
        self.assertEqual((kinds[cede.Do.REQUEUE].how, kinds[cede.Do.REQUEUE].resume), (cede.How.SAVED, True))
        self.assertIn("start", repr(step))

    def test_steps_in_arrays(self):
        step = self.engine.step_array(now=NOW)
        self.assertEqual([len(step.arrays.actions), len(step.arrays.tasks), len(step.arrays.places)], [1, 1, 0])
        low = self.engine.name("low")
        failed = structs.Event(kind=cede.EventKind.ACTION_FAILED, action=step.actions[0].id, text=0, text_size=3)
        late = structs.Event(kind=cede.EventKind.CHECKPOINT_DONE, job=low)
        self.assertEqual(self.engine.step_array([failed, late], b"why", NOW).answers, (True, False))
        with self.assertRaisesRegex(cede.InvalidError, r"events\[0\]\.job"):
            self.engine.step_array([structs.Event(kind=cede.EventKind.RELEASED)])

    def test_the_ledger(self):
        self.engine.step(now=NOW)
        ledger = self.engine.in_flight()
        self.assertEqual(len(ledger), 1)
        entry = ledger.entries[0]
        self.assertEqual((entry.entry, entry.requester, entry.state, entry.has_hold, entry.victims[0].job,
                          entry.victims[0].phase, entry.victims[0].how),
                         (self.entry, "high", cede.EntryState.WAITING, True, "low", cede.Phase.CHECKPOINTING, None))
        made = ledger.arrays
        self.assertEqual([len(made.entries), len(made.victims), len(made.tasks), len(made.places)], [1, 1, 1, 1])
        self.assertEqual(ledger.document()["format"], "cede-in-flight/1")

    def test_save_and_restore(self):
        state = self.engine.save()
        with cede.Engine(POLICY) as other:
            other.load(CLUSTER).restore(state)
            self.assertEqual(other.in_flight().entries, self.engine.in_flight().entries)
            with self.assertRaises(cede.DamagedError):
                other.restore(state[:-1] + bytes([state[-1] ^ 1]))

    def test_stale_plans(self):
        plan = self.engine.plan("high")
        self.assertEqual(plan.outcome, cede.Outcome.IN_PROGRESS)
        self.engine.cancel(self.entry, NOW)
        plan = self.engine.plan("high")
        self.engine.apply({"format": "cede-changes/1", "remove": {"jobs": ["low"]}})
        with self.assertRaises(cede.StaleError):
            self.engine.commit(plan)
        with self.assertRaises(cede.UnknownError):
            self.engine.cancel(4242)

    def test_short_entries(self):
        self.engine.apply({"format": "cede-changes/1", "put": {"nodes": [
            {"id": "n1", "resources": {"gpu": 8}, "state": "down"}, {"id": "n2", "resources": {"gpu": 8}}]}})
        step = self.engine.step(now=NOW)
        self.assertIn(cede.Do.REPLAN, [action.kind for action in step.actions])
        self.engine.extend(self.entry, self.engine.plan("high"), NOW)
        self.assertEqual(len(self.engine.in_flight()), 1)
        self.engine.apply({"format": "cede-changes/1", "put": {"nodes": [
            {"id": "n2", "resources": {"gpu": 8}, "state": "down"}]}})
        self.engine.step(now=NOW)
        self.engine.give_up(self.entry, NOW)
        self.assertEqual([e.state for e in self.engine.in_flight().entries if e.state < cede.EntryState.STARTED], [])


DOCUMENTS = """1 job gives way to 'high'
hint to low for high
stop low
low waits again, to resume
start high on n1, devices 0, 1, 2, 3
nothing in flight, state saved
"""
ARRAYS = """victim: job 6, cost 6.0
hint to job 6 for job 7
stop job 6
job 6 waits again, to resume
start job 7 on node 5, devices 0xf
0 entries left
"""


class ExamplesTest(unittest.TestCase):
    def check(self, name, wanted, **environment):
        made = run(str(PACKAGE / "examples" / name), **environment)
        self.assertEqual((made.stdout, made.returncode), (wanted, 0))

    def test_documents(self):
        self.check("plan_to_started.py", DOCUMENTS)

    def test_arrays(self):
        self.check("plan_to_started_arrays.py", ARRAYS)
        if has("numpy"):
            hidden = run("-c", "import runpy, sys; sys.modules['numpy'] = None; runpy.run_path(sys.argv[1], "
                         "run_name='__main__')", str(PACKAGE / "examples" / "plan_to_started_arrays.py"))
            self.assertEqual((hidden.stdout, hidden.returncode), (ARRAYS, 0))
