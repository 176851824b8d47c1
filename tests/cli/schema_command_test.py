# SPDX-License-Identifier: MIT
"""The schemas: valid themselves, true to the readers, and true to what the command writes."""
import glob
import json
import os
import re
import unittest

import jsonschema

import schema_agreement as agreement
from cede_library import Engine
from cede_run import SOURCE, CommandTest
from schema_documents import CHANGES, CLUSTER, POLICIES, SCENARIO, SLURM

EXAMPLES = os.path.join(SOURCE, "bindings/c/examples")
CASES = os.path.join(os.environ.get("CEDE_DATA") or os.path.join(SOURCE, "../shared/data"), "../cases")
DIALECT = "https://json-schema.org/draft/2020-12/schema"

# What a schema cannot say: which names exist, and rules about several fields at once.
ONLY_THE_READER = re.compile("|".join([
    r" is not a (domain|group|job|level|network level|node|queue|reservation|task of that job|topology)(;|$)", r"^cannot read '",
    r" is (below|above) (min|max|the lowest priority|the highest priority),? ", r" exceeds ", r"is not after '",
    r" is more than ('|the job's|the queue's max|the whole device)", r"^has \d+ entries for \d+ (NUMA nodes|gpus)$",
    r"^a pending job has a task that waits", r"^missing; a topology gives ", r"^missing; mode 'baseline' ",
    r"^names \d devices, but 'resources' gives ", r" is no PriorityTier; ", r"^'min' is above 'max'$"]))


class SchemaTest(CommandTest):
    maxDiff = None

    def schema(self, name):
        status, out, err = self.cede("schema", name)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)

    def formats(self):
        return self.cede("schema")[1].split()

    def errors(self, document, name):
        validator = jsonschema.Draft202012Validator(self.schema(name))
        return [f"{error.json_path}: {error.message:.200}" for error in validator.iter_errors(document)]


class ListTest(SchemaTest):
    def test_every_schema_is_one(self):
        formats = self.formats()
        self.assertLessEqual({"cede-cluster/1", "cede-changes/1", "cede-policy/1", "cede-plan/1"}, set(formats))
        for name in formats:
            with self.subTest(format=name):
                schema = self.schema(name)
                self.assertEqual((schema["$schema"], schema["title"]), (DIALECT, name))
                jsonschema.Draft202012Validator.check_schema(schema)

    def test_every_field_is_described(self):
        for name in self.formats():
            for definition, content in self.schema(name)["$defs"].items():
                for field, schema in content.get("properties", {}).items():
                    with self.subTest(format=name, object=definition, field=field):
                        self.assertGreater(len(schema["description"]), 3)
                        self.assertTrue(schema["$comment"])

    def test_defaults_are_valid(self):
        for name in self.formats():
            schema = self.schema(name)
            validator = jsonschema.Draft202012Validator(schema)
            for definition, content in schema["$defs"].items():
                for field, inner in content.get("properties", {}).items():
                    if "default" in inner:
                        with self.subTest(format=name, object=definition, field=field):
                            self.assertTrue(validator.evolve(schema=inner).is_valid(inner["default"]))

    def test_unknown_format(self):
        self.assert_one_error(self.cede("schema", "cede-cluser/1"), "did you mean 'cede-cluster/1'?")
        self.assert_one_error(self.cede("schema", "cede-plan/1", "cede-plan/1"), "one format at a time")


class ExamplesTest(SchemaTest):
    """Every document that is shipped or shared."""

    def documents(self):
        files = glob.glob(f"{EXAMPLES}/**/*.json", recursive=True) + glob.glob(f"{CASES}/*.json")
        for path in sorted(files):
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            if "expect" in document:
                # A case may hold a wrong document on purpose.
                if "error" not in document["expect"]:
                    yield path, document["policy"]
                    yield path, document["cluster"]
            else:
                yield path, document
                for part in ("policy", "cluster"):
                    if isinstance(document.get(part), dict) and "format" in document[part]:
                        yield f"{path}: {part}", document[part]

    def test_documents(self):
        known = set(self.formats())
        count = 0
        for path, document in self.documents():
            if document.get("format") not in known:
                continue
            count += 1
            with self.subTest(document=path):
                self.assertEqual(self.errors(document, document["format"]), [])
        self.assertGreater(count, 20)


class AgreementTest(SchemaTest):
    """Schema and reader accept and refuse the same values, field by field."""

    # Fields that no value of this test can reach, and why.
    EXCEPT = {("topology", "hwloc_xml"), ("topology", "hwloc_xml_file"), ("topology", "nccl_xml"),
              ("topology", "nccl_xml_file"), ("network", "slurm_topology"), ("network", "slurm_topology_file")}

    def agree(self, document, name, definitions=None):
        schema = self.schema(name)
        self.assertEqual(self.errors(document, name), [])
        asked = list(agreement.questions(document, schema, definitions))
        wrong = []
        for question, findings in zip(asked, agreement.ask_reader(self, asked)):
            refusals = question.refusals(findings)
            if question.valid and any(not ONLY_THE_READER.search(text) for text in refusals):
                wrong.append(f"{question.path}: {question.what}: only the reader refuses it: {refusals[0]}")
            if not question.valid and not refusals:
                elsewhere = [f"{f['path']}: {f['text']}" for f in findings][:2]
                wrong.append(f"{question.path}: {question.what}: only the schema refuses it {elsewhere}")
        self.assertEqual("\n".join(wrong), "", f"{len(wrong)} of {len(asked)}")
        self.assertGreater(len(asked), 100)
        return agreement.reached(document, schema)

    def test_cluster(self):
        reached = self.agree(CLUSTER, "cede-cluster/1")
        fields = {each for each in agreement.fields_of(self.schema("cede-cluster/1")) if not each[0].startswith("settings_")}
        self.assertEqual(fields - reached - self.EXCEPT, set())

    def test_changes(self):
        reached = self.agree(CHANGES, "cede-changes/1")
        wanted = {(name, field) for name, field in agreement.fields_of(self.schema("cede-changes/1"))
                  if name in ("changes", "put", "remove", "network_change")}
        self.assertEqual(wanted - reached, set())

    def test_policies(self):
        reached = set()
        for document in POLICIES:
            reached |= self.agree(document, "cede-policy/1")
        self.assertEqual(agreement.fields_of(self.schema("cede-policy/1")) - reached, set())

    def test_scenario(self):
        own = {name for name in self.schema("cede-scenario/1")["$defs"]
               if name in ("scenario", "run", "saving") or name.startswith("event_")}
        reached = self.agree(SCENARIO, "cede-scenario/1", own)
        fields = {each for each in agreement.fields_of(self.schema("cede-scenario/1")) if each[0] in own}
        self.assertEqual(fields - reached, set())

    def test_slurm(self):
        own = {name for name in self.schema("cede-slurm/1")["$defs"]
               if name.endswith("_settings") and not name.startswith("settings_")}
        reached = self.agree(SLURM, "cede-slurm/1", own)
        fields = {each for each in agreement.fields_of(self.schema("cede-slurm/1")) if each[0] in own}
        # It excludes `policy`.
        self.assertEqual(fields - reached, {("slurm_settings", "policy_file")})


class WrittenTest(SchemaTest):
    """What the command writes is what the schemas say, and no field of a plan goes unseen."""

    def setUp(self):
        super().setUp()
        self.seen = set()

    def check(self, name, text):
        document = json.loads(text)
        self.assertEqual(self.errors(document, name), [])
        self.seen |= agreement.reached(document, self.schema(name))
        return document

    def questions(self):
        """(policy, cluster, arguments) of the shipped examples and, where they are, of the shared cases."""
        waiting = {}
        for path in sorted(glob.glob(f"{EXAMPLES}/topology/*.json")) + [f"{EXAMPLES}/cluster.json"]:
            with open(path, encoding="utf-8") as file:
                cluster = json.load(file)
            waiting[path] = [job["id"] for job in cluster.get("jobs", []) if job.get("state", "pending") == "pending"]
            for job in waiting[path][:1]:
                yield os.path.join(EXAMPLES, "policy.json"), path, ["--job", job]
        for path in sorted(glob.glob(f"{CASES}/*.json")):
            with open(path, encoding="utf-8") as file:
                case = json.load(file)
            if "error" in case["expect"]:
                continue
            self.write("p.json", json.dumps(case["policy"]))
            self.write("c.json", json.dumps(case["cluster"]))
            yield "p.json", "c.json", ["--job", case["ask"]["job"]] if "job" in case["ask"] else case["ask"]["args"]

    def test_plans(self):
        for policy, cluster, ask in self.questions():
            with self.subTest(cluster=cluster, ask=ask):
                for command in ("plan", "explain"):
                    status, out, err = self.cede(command, "--policy", policy, "--cluster", cluster, "--json", *ask)
                    self.assertIn(status, (0, 1), err)
                    self.check("cede-plan/1", out)
        job = json.loads(self.read("cluster.json"))["jobs"][0]["id"]
        self.check("cede-plan/1", self.cede("plan", "--cluster", "cluster.json", "--policy", "policy.json", "--batch", job,
                                            "--json")[1])
        # Without any work for proofs, a plan says how far it may be off.
        self.write("hurried.json", json.dumps({"format": "cede-policy/1", "limits": {"search_work": 1},
                                               "policies": {"default": {"profile": "class-cost"}}}))
        self.check("cede-plan/1", self.cede("plan", "--cluster", f"{EXAMPLES}/cluster.json", "--policy", "hurried.json",
                                            "--job", "large-model", "--json")[1])
        rare = {("plan", "after"), ("victim", "hold"), ("placed", "devices"), ("placed_share", "index"),
                ("placed_share", "share")}
        self.assertEqual(agreement.fields_of(self.schema("cede-plan/1")) - self.seen - rare, set())

    def test_admission(self):
        self.write("quota.json", json.dumps({"format": "cede-policy/1", "policies": {"default": {"profile": "quota"}}}))
        for policy in ("policy.json", "quota.json"):
            self.check("cede-admission/1", self.cede("admit", "--cluster", "cluster.json", "--policy", policy, "--job", "j1",
                                                     "--json")[1])
        self.assertEqual({each for each in agreement.fields_of(self.schema("cede-admission/1")) - self.seen
                          if each[0] != "offered_range"}, set())

    def test_shares(self):
        self.write("fair.json", json.dumps(POLICIES[3]))
        out = self.cede("shares", "--cluster", "cluster.json", "--policy", "fair.json", "--json")[1]
        self.check("cede-shares/1", out)
        self.assertEqual(agreement.fields_of(self.schema("cede-shares/1")) - self.seen, set())

    def test_in_flight(self):
        path = os.path.join(EXAMPLES, "cluster.json")
        with open(path, encoding="utf-8") as file, open(os.path.join(EXAMPLES, "policy.json"), encoding="utf-8") as other:
            cluster, policy = file.read(), other.read()
        engine = Engine(policy, cluster)
        self.check("cede-in-flight/1", engine.in_flight())
        for job in json.loads(cluster)["jobs"]:
            if job.get("state", "pending") == "pending":
                try:
                    engine.commit(job["id"])
                except AssertionError:
                    continue
        self.check("cede-in-flight/1", engine.in_flight())
        rare = {("entry_victim", "released"), ("placed_share", "index"), ("placed_share", "share")}
        self.assertEqual(agreement.fields_of(self.schema("cede-in-flight/1")) - self.seen - rare, set())

    def test_reports(self):
        self.write("odd.json", '{"format": "cede-cluster/1", "jobz": 1, "groups": [' + '{"id": 1},' * 30 + "1]}")
        self.check("cede-check/1", self.cede("check", "--json", "policy.json", "odd.json")[1])
        self.check("cede-profiles/1", self.cede("policy", "--json")[1])
        self.write("machine.conf", "SwitchName=s1 Nodes=n[1-4]\n")
        self.write("broken.conf", "SwitchName=\n")
        self.check("cede-topologies/1", self.cede("topology", "--json", "machine.conf", "broken.conf")[1])
        for name in ("check", "profiles", "topologies"):
            schema = self.schema(f"cede-{name}/1")
            own = {each for each in agreement.fields_of(schema) if each[0] in (
                "check", "checked_file", "finding", "profiles", "profile", "setting", "topologies", "topology_class",
                "failed_file")}
            self.assertEqual(own - self.seen, set())

    def test_run(self):
        scenario = {**SCENARIO, "speed": 1000, "patience": "1m"}
        scenario["jobs"] = [{"id": "a", "queue": "root", "tasks": [{"resources": {"gpu": 1}}], "run": {"duration": "30s"}}]
        scenario["events"] = [
            {"event": "overcommit", "at": "1s", "job": "a", "resources": {"gpu": 2}},
            {"event": "claim", "at": "50s", "queue": "root", "nodes": ["n1"], "reason": "reclaim", "keep": "10s"}]
        self.write("scenario.json", json.dumps(scenario))
        status, out, err = self.cede("run", "scenario.json", "--json")
        self.assertIn(status, (0, 1), err)
        self.check("cede-run/1", out)
        self.assertEqual(agreement.fields_of(self.schema("cede-run/1")) - self.seen, set())

    def test_export(self):
        for path in (os.path.join(EXAMPLES, "cluster.json"), *glob.glob(f"{EXAMPLES}/topology/*.json")):
            self.check("cede-cluster/1", self.cede("export", "--cluster", path)[1])
        self.write("every.json", json.dumps(CLUSTER))
        self.check("cede-cluster/1", self.cede("export", "--cluster", "every.json")[1])


if __name__ == "__main__":
    unittest.main()
