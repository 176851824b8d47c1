# SPDX-License-Identifier: MIT
import json
import re
import unittest

from cede_run import CHANGES, CLUSTER, ODD_CLUSTER, POLICY, WRONG_CHANGES, WRONG_CLUSTER, CommandTest


def very_odd_cluster(warnings):
    queues = "".join(f',\n{{"id": "q{i}", "parent": "root", "guaranteed": {{"gpu": 1}}}}, '
                     f'{{"id": "q{i}.x", "parent": "q{i}", "guaranteed": {{"gpu": 2}}}}'
                     for i in range(warnings))
    return CLUSTER.replace('{"id": "root"}', '{"id": "root"}' + queues)


class CheckTest(CommandTest):
    def test_each_format_alone(self):
        self.assertEqual(self.cede("check", "cluster.json"), (0, "cluster.json: ok, cede-cluster/1\n", ""))
        self.assertEqual(self.cede("check", "policy.json"), (0, "policy.json: ok, cede-policy/1\n", ""))

    def test_files_together_in_any_order(self):
        self.write("changes.json", CHANGES)
        status, out, err = self.cede("check", "changes.json", "cluster.json", "policy.json")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out, "changes.json: ok, cede-changes/1\ncluster.json: ok, cede-cluster/1\n"
                              "policy.json: ok, cede-policy/1\n")

    def test_cluster_is_checked_against_the_first_policy(self):
        self.write("other.json", POLICY.replace('"default"', '"other"'))
        status, out, err = self.cede("check", "other.json", "policy.json", "cluster.json")
        self.assertEqual(status, 2, out)
        self.assertIn("cluster.json:3:", err)
        self.assertIn("groups[0].policy: ", err)
        self.assertEqual(self.cede("check", "policy.json", "other.json", "cluster.json")[0], 0)

    def test_cluster_beside_a_wrong_policy(self):
        self.write("wrong.json", POLICY.replace("class-cost", "class-cots"))
        status, out, err = self.cede("check", "wrong.json", "cluster.json")
        self.assertEqual(status, 2)
        self.assertIn("wrong.json:2:", err)
        self.assertIn("policies.default.profile: ", err)
        self.assertEqual(out, "cluster.json: ok, cede-cluster/1, not checked against wrong.json\n")

    def test_changes_are_checked_against_the_cluster(self):
        self.write("changes.json", WRONG_CHANGES)
        status, out, err = self.cede("check", "cluster.json", "changes.json")
        self.assertEqual((status, out), (2, "cluster.json: ok, cede-cluster/1\n"))
        self.assertRegex(err, r"^changes\.json:2:\d+: remove\.jobs\[0\]: .*'nobody'.*\n$")

    def test_changes_beside_a_wrong_cluster_are_not_blamed(self):
        self.write("changes.json", CHANGES)
        self.write("wrong.json", WRONG_CLUSTER)
        status, out, err = self.cede("check", "wrong.json", "changes.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("changes.json: not checked: wrong.json is not a cluster that loads\n", err)

    def test_every_finding_is_told_with_its_place(self):
        self.write("wrong.json", WRONG_CLUSTER)
        status, out, err = self.cede("check", "wrong.json")
        self.assertEqual((status, out), (2, ""))
        lines = err.splitlines()
        self.assertEqual(len(lines), 3, err)
        for line, path in zip(sorted(lines), (r"3:\d+: groups\[0\]\.polici: ", r"5:\d+: nodes\[0\]\.resources\.gpu: ",
                                              r"6:\d+: nodes\[1\]\.state: ")):
            self.assertRegex(line, r"^wrong\.json:" + path)

    def many(self, **changes):
        """A cluster of three nodes and nine jobs, with other members."""
        document = {"format": "cede-cluster/1", "now": 1760000000, "groups": [{"id": "gpu", "policy": "default"}],
                    "queues": [{"id": "root"}, {"id": "root.research", "parent": "root"}],
                    "nodes": [{"id": f"n{i}", "group": "gpu", "resources": {"gpu": 8}} for i in range(3)],
                    "jobs": [{"id": f"j{i}", "queue": "root.research", "group": "gpu", "submitted": 1759990000,
                              "tasks": [{"resources": {"gpu": 1}}]} for i in range(9)]}
        self.write("cluster.json", json.dumps({**document, **changes}, indent=1))
        return document

    def test_one_cause_is_told_once(self):
        document = self.many()
        for job in document["jobs"]:
            job["queue"] = "root.reserch"
        document["jobs"][4]["queue"] = "rooot"
        self.many(jobs=document["jobs"])
        status, out, err = self.cede("check", "cluster.json")
        self.assertEqual((status, out), (2, ""))
        self.assertEqual([re.sub(r"^cluster.json:\d+:\d+: ", "", line) for line in err.splitlines()],
                         ["jobs[0].queue: 'root.reserch' is not a queue; 2 queues are known; did you mean "
                          "'root.research'? (and in 7 more places)",
                          "jobs[4].queue: 'rooot' is not a queue; 2 queues are known; did you mean 'root'?"])

    def test_an_empty_list_is_told_once(self):
        for member, first, others in (("groups", "nodes[0].group: 'gpu' is not a group; 0 groups are known", 11),
                                      ("queues", "jobs[0].queue: 'root.research' is not a queue; 0 queues are known", 8)):
            for changes in ({member: []}, {member: []}):
                with self.subTest(member=member):
                    self.many(**changes)
                    status, out, err = self.cede("check", "cluster.json")
                    self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
                    self.assertIn(f"{first} (and in {others} more places)\n", err)
        document = self.many()
        for job in document["jobs"]:
            del job["group"]
        self.many(groups=[], nodes=[], jobs=document["jobs"])
        self.assertIn("jobs[0].group: missing, and there are 0 groups to choose from (and in 8 more places)\n",
                      self.cede("check", "cluster.json")[2])

    def test_other_causes_are_told_beside_it(self):
        document = self.many()
        for job in document["jobs"]:
            job["queue"] = "elsewhere"
        document["jobs"][8]["tasks"][0]["node"] = "n-2"
        self.many(jobs=document["jobs"])
        told = self.cede("check", "cluster.json")[2]
        self.assertIn("jobs[0].queue: 'elsewhere' is not a queue; 2 queues are known (and in 8 more places)\n", told)
        self.assertIn("jobs[8].tasks[0].node: 'n-2' is not a node; 3 nodes are known; did you mean 'n2'?", told)

    def test_more_findings_than_are_kept(self):
        self.write("odd.json", very_odd_cluster(100))
        status, out, err = self.cede("check", "odd.json")
        *findings, last = err.splitlines()
        self.assertEqual(last, f"odd.json: … and {100 - len(findings)} more")
        self.assertEqual((status, out), (0, "odd.json: ok, cede-cluster/1, 100 warnings\n"))

    def test_more_errors_than_are_kept(self):
        nodes = ",\n".join(f'{{"id": "n{i}", "group": "g", "state": "upp"}}' for i in range(2, 500))
        self.write("wrong.json", CLUSTER.replace('"nodes": [', '"nodes": [' + nodes + ","))
        status, out, err = self.cede("check", "wrong.json")
        self.assertEqual((status, out), (2, ""))
        *findings, last = err.splitlines()
        self.assertGreater(len(findings), 10)
        self.assertRegex(last, r"^wrong\.json: … and (\d+|perhaps) more$")

    def test_warnings_are_told_and_strict_counts_them(self):
        self.write("odd.json", ODD_CLUSTER)
        status, out, err = self.cede("check", "odd.json")
        self.assertEqual((status, out), (0, "odd.json: ok, cede-cluster/1, 1 warning\n"))
        self.assertRegex(err, r"^odd\.json:(\d+:\d+:)? \S+: warning: .*\n$")
        self.assertEqual(self.cede("check", "--strict", "odd.json")[0], 1)
        self.assertEqual(self.cede("check", "--strict", "cluster.json")[0], 0)
        self.write("wrong.json", WRONG_CLUSTER)
        self.assertEqual(self.cede("check", "--strict", "odd.json", "wrong.json")[0], 2)

    def test_not_json_is_told_with_its_place(self):
        self.write("broken.json", CLUSTER.replace('"nodes": [', '"nodes": [,'))
        status, out, err = self.cede("check", "broken.json")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^broken\.json:5:\d+: ")

    def test_unknown_format(self):
        self.write("other.json", '{"format": "cede-clutser/1"}')
        self.assert_one_error(self.cede("check", "other.json"), "other.json:1:", "format: ")

    def test_missing_file_does_not_stop_the_others(self):
        status, out, err = self.cede("check", "missing.json", "cluster.json")
        self.assertEqual((status, out), (2, "cluster.json: ok, cede-cluster/1\n"))
        self.assertEqual(err, "cede: cannot read 'missing.json': No such file or directory\n")

    def test_no_file(self):
        self.assert_one_error(self.cede("check"), "cede: check needs at least one FILE")

    def test_file_that_begins_with_a_dash(self):
        self.write("-x.json", CLUSTER)
        self.assertEqual(self.cede("check", "--", "-x.json")[0], 0)
        self.assert_one_error(self.cede("check", "-x.json"), "unknown option '-x.json' of cede check")


class CheckJsonTest(CommandTest):
    def check(self, *arguments, status):
        got, out, err = self.cede("check", "--json", *arguments)
        document = json.loads(out)
        self.assertEqual((got, document["format"]), (status, "cede-check/1"))
        # Errors are told on standard error too, each in a line.
        errors = [f["text"] for file in document["files"] for f in file["findings"] if f["severity"] == "error"]
        self.assertEqual(len(err.splitlines()), len(errors), err)
        for line, text in zip(err.splitlines(), errors):
            self.assertTrue(line.endswith(text), line)
        return document["files"]

    def test_good_file(self):
        self.assertEqual(self.check("cluster.json", status=0),
                         [{"file": "cluster.json", "format": "cede-cluster/1", "ok": True, "findings": []}])

    def test_findings(self):
        self.write("wrong.json", WRONG_CLUSTER)
        self.write("odd.json", ODD_CLUSTER)
        wrong, odd = self.check("wrong.json", "odd.json", status=2)
        self.assertEqual([f["severity"] for f in wrong["findings"]], ["error"] * 3)
        self.assertFalse(wrong["ok"])
        state = next(f for f in wrong["findings"] if f["path"] == "nodes[1].state")
        self.assertEqual(state["line"], 6)
        self.assertGreater(state["column"], 1)
        self.assertIn("'upp'", state["text"])
        self.assertEqual((odd["ok"], [f["severity"] for f in odd["findings"]]), (True, ["warning"]))

    def test_strict(self):
        self.write("odd.json", ODD_CLUSTER)
        self.check("--strict", "odd.json", status=1)

    def test_unreadable_and_unrecognised_files(self):
        self.write("text.json", "hello")
        missing, text = self.check("missing.json", "text.json", status=2)
        self.assertEqual((missing["format"], missing["ok"]), (None, False))
        self.assertIn("No such file", missing["findings"][0]["text"])
        self.assertEqual(text["findings"], [{"severity": "error", "path": "", "line": 0, "column": 0,
                                             "text": "not a JSON document: starts with 'h'"}])

    def test_name_that_is_not_utf8(self):
        with open(self.folder.encode() + b"/\xff\n.json", "wb") as file:
            file.write(CLUSTER.encode())
        self.assertEqual(self.check(b"\xff\n.json", status=0)[0]["file"], "\ufffd\n.json")

    def test_dropped_findings_are_counted(self):
        self.write("odd.json", very_odd_cluster(100))
        odd, = self.check("odd.json", status=0)
        self.assertEqual(odd["dropped"], 100 - len(odd["findings"]))


if __name__ == "__main__":
    unittest.main()
