# SPDX-License-Identifier: MIT
"""The document door, and what an engine, a plan and an error look like in Python."""
import dataclasses
import json
import pickle
import unittest
import weakref
from unittest import mock

import cede

from . import CLUSTER, HIGH, POLICY


class EngineTest(unittest.TestCase):
    def setUp(self):
        self.engine = cede.Engine(POLICY, threads=1).load(CLUSTER)
        self.addCleanup(self.engine.close)

    def test_documents_are_texts_bytes_or_dictionaries(self):
        for kind in (lambda d: d, json.dumps, lambda d: json.dumps(d).encode()):
            with cede.Engine(kind(POLICY)) as engine:
                self.assertEqual(engine.load(kind(CLUSTER)).plan("high").outcome, cede.Outcome.PREEMPT)

    def test_a_closed_engine_says_so(self):
        plan = self.engine.plan("high")
        self.engine.close()
        self.engine.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            self.engine.plan("high")
        self.assertEqual(plan.victims[0].job, "low")  # a plan outlives its engine

    def test_options(self):
        with self.assertRaisesRegex(cede.UnknownError, "thread.*threads"):
            cede.Engine(POLICY, thread=2)
        self.assertIn("threads", {option.name for option in cede.options()})

    def test_a_clone_is_independent(self):
        with self.engine.clone() as copy:
            copy.apply({"format": "cede-changes/1", "remove": {"jobs": ["low"]}})
            self.assertEqual(copy.plan("high").outcome, cede.Outcome.FITS)
        self.assertEqual(self.engine.plan("high").outcome, cede.Outcome.PREEMPT)
        self.assertGreater(self.engine.revision, 0)

    def test_export_loads_back(self):
        exported = self.engine.export()
        with cede.Engine(POLICY) as other:
            self.assertEqual(other.load(exported).export(), exported)

    def test_check(self):
        self.assertEqual(self.engine.check(), cede.Report(cede.Status.OK, (), 0))
        wrong = '{"format": "cede-cluster/1",\n "now": "soon",\n "polici": 1}'
        report = self.engine.check(wrong)
        self.assertEqual(report.status, cede.Status.E_DOCUMENT)
        self.assertEqual([(f.severity, f.line, f.path) for f in report.findings],
                         [(cede.Severity.ERROR, 2, "now"), (cede.Severity.ERROR, 3, "polici")])

    def test_admission(self):
        admission = self.engine.admit("high")
        self.assertTrue(admission)
        self.assertEqual((admission.rule, admission.ruling.job_class), ("", 8))
        self.assertEqual(admission.document()["format"], "cede-admission/1")
        self.assertEqual(self.engine.admit(self.engine.name("high")).ruling, admission.ruling)
        changed = {"format": "cede-changes/1", "put": {"jobs": [{**HIGH, "class": 3}]}}
        self.assertEqual(self.engine.admit("high", changed).ruling.job_class, 3)
        self.assertIsInstance(admission.quota + admission.reason, str)

    def test_policy_and_shares(self):
        self.engine.set_policy({"format": "cede-policy/1", "policies": {"default": {"profile": "fair-share"}}})
        self.assertEqual(self.engine.shares()["format"], "cede-shares/1")
        self.assertEqual(self.engine.shares("g"), self.engine.shares())
        with self.assertRaises(cede.UnknownError):
            self.engine.shares("h")

    def test_metrics_and_note(self):
        self.engine.note(self.engine.plan("high"), plan_micros=12)
        self.assertIn("# EOF", self.engine.metrics())

    def test_catalogue(self):
        self.assertEqual(cede.version_text(), cede.__version__)
        self.assertTrue(cede.has_feature("arrays"))
        self.assertFalse(cede.has_feature("magic"))
        self.assertEqual(cede.document_kind(CLUSTER), cede.DocumentKind.CLUSTER)
        self.assertIn("cede-cluster/1", cede.schema_formats())
        self.assertEqual(cede.schema("cede-cluster/1")["title"], "cede-cluster/1")
        with self.assertRaises(cede.Error):
            cede.schema("cede-poem/1")
        profiles = {profile.name: profile for profile in cede.profiles()}
        self.assertEqual(sorted(profiles), ["class-cost", "fair-share", "guarantee", "priority", "quota"])
        self.assertIn("grace", {setting.name for setting in profiles["quota"].settings})


class PlanTest(unittest.TestCase):
    def setUp(self):
        self.engine = cede.Engine(POLICY).load(CLUSTER)
        self.addCleanup(self.engine.close)
        self.plan = self.engine.plan("high")

    def test_what_a_plan_says(self):
        plan = self.plan
        self.assertEqual((plan.target, plan.outcome, plan.rule, plan.cause, plan.policy, plan.profile, plan.gap),
                         ("high", cede.Outcome.PREEMPT, "", "priority", "default", "class-cost", None))
        self.assertEqual((plan.revision, plan.cost >= (plan.bound or 0) > 0), (self.engine.revision, True))
        self.assertEqual([(v.job, v.action, v.then, v.requeue, v.hold) for v in plan.victims],
                         [("low", cede.VictimAction.CHECKPOINT, cede.VictimAction.SUSPEND, True, 0)])
        self.assertEqual([(p.task, p.node, len(p.gpus), p.devices_known) for p in plan.placement], [("t0", "n1", 4, True)])
        self.assertLessEqual(plan.expected_start, plan.latest_start)
        self.assertIn("low", repr(self.plan.explain()))
        self.assertIn("preempt", repr(plan))

    def test_records_are_plain_data(self):
        record = self.plan.record()
        self.assertEqual(pickle.loads(pickle.dumps(record)), record)
        self.assertEqual(record, self.engine.plan("high").record())
        self.assertEqual(dataclasses.asdict(record)["victims"][0]["job"], "low")
        with self.assertRaises(dataclasses.FrozenInstanceError):
            record.cost = 0

    def test_pictures(self):
        self.assertIn("n1", self.plan.picture())
        self.assertTrue(self.plan._repr_html_().lstrip().startswith("<svg"))
        self.assertIn('width="400"', self.plan.picture(cede.Picture.SVG, 400))
        with self.assertRaises(cede.InvalidError):
            self.plan.picture(width=3)

    def test_questions(self):
        self.assertEqual(self.engine.plan("high", protect=["low"]).outcome, cede.Outcome.WAIT)
        self.assertEqual(self.engine.plan("high", only=["n2"]).outcome, cede.Outcome.WAIT)
        self.assertEqual(self.engine.plan("high", avoid=["n1"]).outcome, cede.Outcome.WAIT)
        self.assertEqual(self.engine.plan("high", terms=["protect=low"]).outcome, cede.Outcome.WAIT)
        self.assertEqual(self.engine.plan_relief("node:n1").outcome, cede.Outcome.FITS)
        claim = self.engine.plan_claim("root", ["n1"], cede.Purpose.SENSITIVE)
        self.assertEqual((claim.target, claim.outcome), ("root", cede.Outcome.FITS))
        self.assertEqual(self.engine.plan("high", now=1760000001000).facts.now, 1760000001000)

    def test_topology(self):
        topology = cede.Topology("SwitchName=leaf0 Nodes=n[0-3]\nSwitchName=leaf1 Nodes=n[4-7]\n"
                                 "SwitchName=spine Switches=leaf[0-1]\n")
        self.assertEqual((topology.facts.kind, topology.facts.nodes), (cede.TopologyKind.SLURM, 8))
        self.assertEqual([len(domains) for domains in topology.levels.values()], [2, 1])
        self.assertEqual(len(topology.signature), 32)
        self.assertEqual(topology.document()["format"], "cede-topology/1")
        self.assertTrue(topology._repr_html_().lstrip().startswith("<svg"))
        with self.assertRaises(cede.DocumentError) as caught:
            cede.Topology("SwitchName=a Nodes=n[0-3]\nSwitchNam=b\n")
        self.assertEqual(caught.exception.line, 2)


class ErrorTest(unittest.TestCase):
    def test_every_failing_status_has_its_exception(self):
        found = {cede.errors.error_of(status, 0, "").__class__ for status in cede.Status if status < 0}
        self.assertEqual(len(found), sum(status < 0 for status in cede.Status))
        self.assertTrue(all(issubclass(kind, cede.Error) and kind is not cede.Error for kind in found))

    def test_lines_and_texts(self):
        with self.assertRaises(cede.DocumentError) as caught, cede.Engine(POLICY) as engine:
            engine.load('{"format": "cede-cluster/1",\n "nodes": 1}')
        self.assertEqual((caught.exception.status, caught.exception.line), (cede.Status.E_DOCUMENT, 2))
        self.assertEqual(str(caught.exception), caught.exception.text)
        self.assertIn("nodes: ", caught.exception.text)
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).text, caught.exception.text)

    def test_python_s_own_kinds(self):
        with cede.Engine(POLICY) as engine:
            engine.load(CLUSTER)
            with self.assertRaises(LookupError):
                engine.plan("nobody")
            with self.assertRaises(ValueError):
                engine.plan("a\0b")
            with self.assertRaises(cede.DocumentError):
                engine.load("\udc80")
            with self.assertRaises(ValueError):
                engine.load({"now": float("nan")})

    def test_numbers_of_a_newer_library_are_kept(self):
        outcome = cede.Outcome(77)
        self.assertEqual((outcome, outcome.name), (77, "UNKNOWN_77"))

    def test_a_forgotten_engine_is_destroyed_at_once(self):
        engine = cede.Engine(POLICY).load(CLUSTER)
        plan = weakref.ref(engine.plan("high"))
        destroyed = mock.Mock()
        engine._engine._destroy = destroyed
        del engine
        self.assertIsNone(plan())
        destroyed.assert_called_once()
