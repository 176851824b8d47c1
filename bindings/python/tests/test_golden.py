# SPDX-License-Identifier: MIT
"""The questions of tests/golden, with names and with numbers, and the shared cases where they are."""
import json
import os
import pathlib
import unittest

import cede

from . import GOLDEN


class Question:
    """One .ask file; tests/golden/write says what it may hold."""

    def __init__(self, path):
        self.path = path
        lines = [line.split() for line in path.read_text().splitlines()]
        self.kind, *self.values = lines[0]
        self.words = {word: values for word, *values in lines[1:]}
        self.protect = [line[1] for line in lines if line[0] == "protect"]
        self.avoid = [line[1] for line in lines if line[0] == "avoid"]
        self.now = int(self.words["now"][0]) * 1000 if "now" in self.words else None

    def document(self, name):
        return (self.path.parent / name).read_bytes()

    def engine(self):
        return cede.Engine(self.document("policy.json")).load(self.document("cluster.json"))

    def ask(self, engine, of=lambda name: name):
        """The plan's document. `of` makes of a name what the engine is asked with."""
        terms = {"now": self.now, "protect": [of(job) for job in self.protect]}
        nodes = {"avoid": [of(node) for node in self.avoid]}
        if self.kind == "job":
            return engine.plan(of(self.values[0]), **terms, **nodes).json()
        if self.kind == "batch":
            return cede.batch_json(engine.plan_batch([of(job) for job in self.values], **terms, **nodes))
        if self.kind == "claim":
            return engine.plan_claim(of(self.values[0]), [of(node) for node in self.words["nodes"]],
                                     self.words["reason"][0], **terms).json()
        kind, name = self.values[0].split(":")
        kinds = {"node": cede.Purpose.NODE, "queue": cede.Purpose.QUEUE, "job": cede.Purpose.JOB_MAX}
        target = self.values[0] if of(name) == name else (kinds[kind], of(name))
        group = of(self.words["group"][0]) if "group" in self.words else None
        return engine.plan_relief(target, group=group, partial="partial" in self.words, **terms).json()


QUESTIONS = [Question(path) for path in sorted(GOLDEN.glob("*/*.ask"))]


class GoldenTest(unittest.TestCase):
    def test_answers_to_names(self):
        self.assertGreater(len(QUESTIONS), 20)
        for question in (q for q in QUESTIONS if "fails" not in q.words):
            with self.subTest(question.path), question.engine() as engine:
                self.assertEqual(question.ask(engine), question.path.with_suffix(".json").read_text())

    def test_answers_to_numbers(self):
        for question in (q for q in QUESTIONS if "fails" not in q.words):
            with self.subTest(question.path), question.engine() as engine:
                self.assertEqual(question.ask(engine, engine.name), question.path.with_suffix(".json").read_text())

    def test_errors(self):
        for question in (q for q in QUESTIONS if "fails" in q.words):
            status, line, text = question.path.with_suffix(".error").read_text().splitlines()
            with self.subTest(question.path):
                with self.assertRaises(cede.Error) as caught, question.engine() as engine:
                    question.ask(engine)
                self.assertEqual((cede.status_name(caught.exception.status), caught.exception.line, caught.exception.text),
                                 (status, int(line), text))

    def test_records_agree_with_documents(self):
        for question in (q for q in QUESTIONS if q.kind == "job" and "fails" not in q.words):
            with self.subTest(question.path), question.engine() as engine:
                plan = engine.plan(question.values[0], now=question.now, protect=question.protect, avoid=question.avoid)
                plan.verify()
                record, document = plan.record(), plan.document()
                self.assertEqual(record.outcome.name.lower(), document["outcome"])
                self.assertEqual(record.rule or None, document["rule"])
                self.assertEqual(record.reason, document["reason"])
                self.assertEqual([(v.job, list(v.tasks), v.whole_job, v.cost) for v in record.victims],
                                 [(v["job"], v["tasks"], v["whole_job"], round(v["cost"] * 1000))
                                  for v in document["victims"]])
                self.assertEqual([[p.value for p in v.cost_parts] for v in record.victims],
                                 [[round(p * 1000) for p in v["cost_parts"].values()] for v in document["victims"]])
                self.assertEqual([(p.task, p.node, list(p.gpus)) for p in record.placement],
                                 [(p["task"], p["node"], p["gpus"]) for p in document["placement"]])
                self.assertEqual(plan.objective, document["objective"])
                self.assertEqual([c.name for c in record.proof.criteria], [name for name, _ in document["objective"]])
                self.assertEqual((record.proof.proven, record.proof.optimal, record.cost, record.bound),
                                 (document["proven"], document["optimal"], round(document["cost"] * 1000),
                                  None if document["bound"] is None else round(document["bound"] * 1000)))
                for name in ("expected_start", "latest_start"):
                    seconds = document[name]
                    self.assertEqual(getattr(record, name), None if seconds is None else seconds * 1000)
                self.assertEqual(list(record.met), document["topology"]["met"])

    @unittest.skipUnless("CEDE_DATA" in os.environ, "CEDE_DATA is not set")
    def test_shared_cases(self):
        folder = pathlib.Path(os.environ["CEDE_DATA"]).parent / "cases"
        cases = sorted(folder.glob("*.json"))
        self.assertTrue(cases, f"no cases in {folder}")
        for path in cases:
            case = json.loads(path.read_text(encoding="utf-8"))
            with self.subTest(path.name):
                try:
                    with cede.Engine(case["policy"]) as engine:
                        self.check_case(case["expect"], asked(engine.load(case["cluster"]), case["ask"]))
                except cede.Error as error:
                    self.assertIn(case["expect"].get("error", "no error"), str(error))

    def check_case(self, expect, plan):
        self.assertNotIn("error", expect)
        self.assertEqual(plan.outcome.name.lower().replace("_", "-"), expect["outcome"])
        for name in ("rule", "cause"):
            if name in expect:
                self.assertEqual(getattr(plan, name), expect[name])
        if "victims" in expect:
            found = [v.job for v in plan.victims if v.whole_job] + [f"{v.job}/{task}" for v in plan.victims
                                                                     if not v.whole_job for task in v.tasks]
            self.assertEqual(sorted(found), sorted(expect["victims"]))


def asked(engine, ask):
    if "job" in ask:
        return engine.plan(ask["job"])
    words = dict(zip(ask["args"][::2], ask["args"][1::2]))
    if "--relief" in words:
        return engine.plan_relief(words["--relief"])
    return engine.plan_claim(words["--claim"], words["--nodes"].split(","), words["--reason"])
