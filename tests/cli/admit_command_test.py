# SPDX-License-Identifier: MIT
"""`cede admit`: whether a job is taken as submitted, for people and for programs."""
import json
import unittest

from cede_run import CommandTest

POLICY = {"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}},
          "admission": {"projects": {"p": {"min": 5, "max": 50, "max_class": 7}, "top": {"max_class": 10}},
                        "users": {"u": {"default_priority": 20, "may_opt_out": False},
                                  "fixed": {"default_priority": 30, "may_change": False},
                                  "owner": {"may_opt_out": {"min": 50}}}}}


def job(name, **members):
    return {"id": name, "queue": "root", "tasks": [{}], **members}


def cluster(*jobs):
    return {"format": "cede-cluster/1", "now": 1000000, "groups": [{"id": "g"}], "queues": [{"id": "root"}],
            "nodes": [{"id": "n1", "resources": {"gpu": 4}}], "jobs": jobs}


def changes(*jobs):
    return json.dumps({"format": "cede-changes/1", "put": {"jobs": jobs}})


class AdmitTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("policy.json", json.dumps(POLICY))
        self.write("cluster.json", json.dumps(cluster(job("w", project="p", user="u"),
                                                      job("high", project="p", priority=60))))

    def ask(self, *more, **environment):
        return self.cede("admit", "--cluster", "cluster.json", "--policy", "policy.json", *more, **environment)

    def admission(self, *more):
        """Exit status and document."""
        status, out, err = self.ask("--json", *more)
        self.assertEqual((err, out.endswith("}\n"), out.count("\n")), ("", True, 1))
        return status, json.loads(out)


class AnswerTest(AdmitTest):
    def test_document_of_a_loaded_job(self):
        self.assertEqual(self.admission("--job", "w"), (0, {
            "format": "cede-admission/1", "job": "w", "policy": "default", "profile": "priority",
            "admitted": True, "rule": None,
            "reason": "job 'w' is taken with priority 20 and class 4, and may be preempted",
            "priority": 20, "class": 4, "preemptible": True,
            "offer": {"priority": {"min": 5, "max": 50, "default": 20, "may_change": True},
                      "max_class": 7, "may_opt_out": False}}))

    def test_refused(self):
        status, document = self.admission("--job", "high")
        self.assertEqual((status, document["admitted"], document["rule"]), (1, False, "priority"))
        self.assertEqual(document["reason"], "priority 60 is above 50, the limit of project 'p'")

    def test_every_option_reaches_the_library(self):
        queue = ("--queue", "root")
        for more, status, rule, values in (
                ((), 0, None, (10, 4, True)),
                (("--project", "p", "--priority", "51"), 1, "priority", (51, 4, True)),
                (("--project", "p", "--priority", "4"), 1, "priority", (4, 4, True)),
                (("--project", "p", "--class", "8"), 1, "class", (10, 8, True)),
                (("--project=p", "--class=7", "--opt-out"), 0, None, (10, 7, False)),
                (("--user", "u", "--opt-out"), 1, "opt-out", (20, 4, False)),
                (("--user", "owner", "--opt-out"), 1, "opt-out", (10, 4, False)),
                (("--user", "owner", "--opt-out", "--priority", "50"), 0, None, (50, 4, False)),
                (("--user", "fixed"), 0, None, (30, 4, True)),
                (("--user", "fixed", "--priority", "31"), 1, "priority", (31, 4, True)),
                (("--kind", "sensitive"), 1, "class", (10, 10, False)),
                (("--kind", "sensitive", "--project", "top"), 0, None, (10, 10, False))):
            with self.subTest(options=more):
                got, document = self.admission(*queue, *more)
                self.assertEqual((got, document["rule"]), (status, rule))
                self.assertEqual((document["priority"], document["class"], document["preemptible"]), values)
                self.assertEqual(self.ask(*queue, *more)[0], status)

    def test_opting_out_by_priority(self):
        owner = ("--queue", "root", "--user", "owner")
        _, document = self.admission(*owner)
        self.assertEqual(document["offer"]["may_opt_out"], {"min": 50, "max": 100})
        status, document = self.admission(*owner, "--opt-out")
        self.assertEqual((status, document["reason"]),
                         (1, "preemptible is false at priority 10, and user 'owner' may opt out of preemption "
                             "only at 50 and above"))
        self.assertIn("preemptible  true   true or last-resort; false at priority 50..100\n", self.ask(*owner)[1])

    def test_wrong_ranges_are_one_line(self):
        for value, text in (({"min": 60, "max": 50}, "60 is above max 50"),
                            ({"min": 101}, "101 is above the highest priority, 100"),
                            ({"most": 50}, "unknown field 'most'; known are min and max"),
                            ([5, 10], "a list is not true, false or a range of priorities"),
                            (50, "true, false or a range of priorities")):
            self.write("policy.json", json.dumps({**POLICY, "admission": {"users": {"u": {"may_opt_out": value}}}}))
            with self.subTest(value=value):
                self.assert_one_error(self.ask("--job", "w"), "policy.json:1:", "admission.users.u.may_opt_out", text)

    def test_group_decides(self):
        two = {**POLICY, "policies": {"default": {"profile": "priority"}, "q": {"profile": "quota"}}}
        self.write("policy.json", json.dumps(two))
        groups = [{"id": "g"}, {"id": "h", "policy": "q"}]
        self.write("cluster.json", json.dumps({**cluster(), "groups": groups, "nodes": []}))
        self.assertEqual(self.admission("--queue", "root", "--group", "h")[1]["priority"], 0)
        self.assertEqual(self.admission("--queue", "root", "--group", "h", "--priority", "-5")[1]["priority"], -5)
        self.assertEqual(self.admission("--queue", "root", "--group", "g")[1]["profile"], "priority")
        self.assert_one_error(self.ask("--queue", "root"), "cede: --group: ")

    def test_changes(self):
        self.write("changes.json", changes(job("s", project="p", priority=60), job("w", user="u", class_=3)))
        self.assert_one_error(self.ask("--job", "s", "--changes", "changes.json"), "changes.json:1:",
                              "put.jobs[1].class_: unknown field")
        self.write("changes.json", changes(job("s", project="p", priority=60),
                                           {**job("w", user="u"), "class": 9}))
        self.assertEqual(self.admission("--job", "s", "--changes", "changes.json")[1]["rule"], "priority")
        status, document = self.admission("--job", "w", "--changes", "changes.json")
        self.assertEqual((status, document["class"], document["offer"]["max_class"]), (0, 9, 9))
        self.assertEqual(self.admission("--job", "w")[1]["class"], 4)

    def test_new_job_replaces_none(self):
        self.write("cluster.json", json.dumps(cluster(job("new-job"), job("new-job-2"))))
        self.assertEqual(self.admission("--queue", "root")[1]["job"], "new-job-3")

    def test_standard_input(self):
        text = self.read("cluster.json")
        expected = self.ask("--job", "w")
        self.assertEqual(expected[0], 0)
        self.assertEqual(expected, self.cede("admit", "--cluster=-", "--policy=policy.json", "--job=w", input=text))
        asked = changes(job("w", project="p", user="u"))
        self.assertEqual(expected, self.ask("--job", "w", "--changes", "-", input=asked))


class ViewTest(AdmitTest):
    def test_admitted(self):
        status, out, err = self.ask("--job", "w")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out, "admitted: job 'w' is taken with priority 20 and class 4, and may be preempted\n"
                              "\n"
                              "FIELD        VALUE  MAY BE\n"
                              "priority     20     5..50, default 20\n"
                              "class        4      0..7\n"
                              "preemptible  true   true or last-resort\n")

    def test_refused(self):
        out = self.ask("--queue", "root", "--kind", "sensitive")[1]
        self.assertEqual(out, "refused: kind sensitive counts as class 10, which is above 9, the limit where no "
                              "rule grants more\n"
                              "\n"
                              "FIELD        ASKED  MAY BE\n"
                              "priority     10     0..100, default 10\n"
                              "class        10     0..9\n"
                              "preemptible  false  true, last-resort or false\n")

    def test_ranges(self):
        rules = {"users": {"low": {"max": 7}, "high": {"min": 7}, "fixed": {"default_priority": 3, "may_change": False},
                           "none": {"min": 101}}}
        policies = {"default": {"profile": "quota"}, "strict": {"profile": "priority"}}
        self.write("policy.json", json.dumps({"format": "cede-policy/1", "policies": policies, "admission": rules}))
        groups = [{"id": "g"}, {"id": "s", "policy": "strict"}]
        self.write("cluster.json", json.dumps({**cluster(), "groups": groups, "nodes": []}))
        for group, user, shown in (("g", "nobody", "any, default 0"), ("g", "low", "up to 7, default 0"),
                                   ("g", "high", "7 and above, default 7"), ("g", "fixed", "the default 3 only"),
                                   ("s", "low", "0..7, default 7"), ("s", "none", "nothing")):
            with self.subTest(group=group, user=user):
                out = self.ask("--queue", "root", "--group", group, "--user", user)[1]
                line, = [line for line in out.splitlines() if line.startswith("priority ")]
                self.assertEqual(line.split("  ")[-1].strip(), shown)

    def test_color(self):
        shown = self.cede_on_terminal("admit", "--cluster=cluster.json", "--policy=policy.json", "--job=w")[1]
        self.assertTrue(shown.startswith("\033[32madmitted\033[0m: "), shown)
        shown = self.cede_on_terminal("admit", "--cluster=cluster.json", "--policy=policy.json", "--job=high")[1]
        self.assertTrue(shown.startswith("\033[31mrefused\033[0m: "), shown)

    def test_names_are_anybodys_bytes(self):
        self.assertEqual(self.ask("--queue", "root", "--user", b"\xff")[0], 0)
        self.assertEqual(self.ask("--queue", "root", "--user", '"},{"')[0], 0)
        self.assert_one_error(self.ask("--queue", "root", "--user", "\033[31m"), "cede: --user: ")


class WrongTest(AdmitTest):
    def test_missing_and_contradicting_options(self):
        self.assert_one_error(self.cede("admit"), "admit needs --cluster=FILE; see 'cede help admit'")
        self.assert_one_error(self.cede("admit", "--cluster", "c"), "admit needs --policy=FILE")
        self.assert_one_error(self.ask(), "admit needs --job=ID, or --queue=QUEUE")
        self.assert_one_error(self.ask("--user", "u"), "admit needs --job=ID, or --queue=QUEUE")
        self.assert_one_error(self.ask("--job", "w", "--opt-out"), "--opt-out describes a new one; not both")
        self.assert_one_error(self.ask("--changes", "c", "--queue", "root"), "--changes needs --job=ID")
        self.assert_one_error(self.ask("--job", "w", "--changes=-", "--cluster=-"), "'--cluster' is given twice")
        self.assert_one_error(self.cede("admit", "--cluster=-", "--policy=policy.json", "--job=w", "--changes=-"),
                              "standard input is named twice")

    def test_values(self):
        self.assert_one_error(self.ask("--job", "nobody"), "cede: unknown-job: 'nobody' is not a job; 2 jobs are known")
        for more, text in ((("--queue", "rot"), "cede: --queue: 'rot' is not a queue; 1 queue is known"),
                           (("--queue", "root", "--group", "x"), "cede: --group: 'x' is not a group"),
                           (("--queue", "root", "--kind", "x"), "cede: --kind: 'x' is not batch, "),
                           (("--queue", "root", "--class", "11"), "cede: --class: 11 is outside 0..10"),
                           (("--queue", "root", "--priority", "101"), "cede: --priority: 101 is outside 0..100"),
                           (("--queue", "root", "--priority", "-1"), "cede: --priority: -1 is outside 0..100")):
            with self.subTest(options=more):
                self.assert_one_error(self.ask(*more), text)
        for text in ("1.5", "x", "", "1e2", " 1", "+1", "0x1", "9" * 30, "1}"):
            status, out, err = self.ask("--queue=root", f"--priority={text}")
            self.assertEqual((status, out, err.count("\n")), (2, "", 1))
            self.assertIn("--priority", err)

    def test_documents(self):
        self.assert_one_error(self.ask("--job", "w", "--changes", "policy.json"),
                              "policy.json: format: this is a cede-policy/1 document, and cede-changes/1 is needed")
        self.assert_one_error(self.ask("--job", "w", "--changes", "none.json"), "none.json", "No such file")
        self.write("changes.json", changes(job("s", priority=101)))
        self.assert_one_error(self.ask("--job", "s", "--changes", "changes.json"), "changes.json:1:",
                              "put.jobs[0].priority: 101 is outside 0..100")
        self.write("changes.json", changes(job("s")))
        self.assert_one_error(self.ask("--job", "t", "--changes", "changes.json"), "unknown-job: 't'")
        self.write("cluster.json", json.dumps(cluster(job("w", priority=101))))
        self.assert_one_error(self.ask("--job", "w"), "cluster.json:1:", "jobs[0].priority: 101")


if __name__ == "__main__":
    unittest.main()
