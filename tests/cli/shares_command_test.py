# SPDX-License-Identifier: MIT
"""`cede shares`: fair shares for people and for programs."""
import json
import unittest

from cede_run import CommandTest

POLICY = {"format": "cede-policy/1",
          "policies": {"default": {"profile": "fair-share", "settings": {"enable_aggressive_starvation": True}},
                       "other": {"profile": "priority"}}}
CLUSTER = {
    "format": "cede-cluster/1", "now": 1000, "groups": [{"id": "g"}],
    "queues": [{"id": "root"}, {"id": "b", "parent": "root", "guaranteed": {"cpu": 4}}, {"id": "a", "parent": "root"},
               {"id": "ax", "parent": "a", "fair_share": 0.125}],
    "nodes": [{"id": "n1", "resources": {"cpu": 12}}, {"id": "n2", "resources": {"disk": 3}, "state": "down"}],
    "jobs": [{"id": "big", "queue": "a", "state": "running", "started": 1,
              "tasks": [{"node": "n1", "resources": {"cpu": 1}},
                        {"node": "n1", "resources": {"cpu": 4}, "started": 5},
                        {"node": "n1", "resources": {"cpu": 3}, "started": 9},
                        {"node": "n1", "resources": {"cpu": 4}, "started": 7},
                        {"count": 3, "resources": {"cpu": 4}}]},
             {"id": "p", "queue": "b", "below_fair_share_since": 950, "tasks": [{"resources": {"cpu": 4}}]},
             {"id": "q", "queue": "b", "below_fair_share_since": 800, "tasks": [{"resources": {"cpu": 4}}]},
             {"id": "z", "queue": "ax", "tasks": [{"resources": {"cpu": 1}}]}]}


class SharesTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("policy.json", json.dumps(POLICY))
        self.write("cluster.json", json.dumps(CLUSTER))

    def ask(self, *more, **environment):
        return self.cede("shares", "--cluster", "cluster.json", "--policy", "policy.json", *more, **environment)

    def document(self, *more):
        status, out, err = self.ask("--json", *more)
        self.assertEqual((status, err, out.endswith("}\n")), (0, "", True))
        # Numbers as they are written: every digit counts.
        return json.loads(out, parse_float=str)


class DocumentTest(SharesTest):
    def test_document(self):
        document = self.document()
        self.assertEqual((document["format"], document["now"]), ("cede-shares/1", 1000))
        group, = document["groups"]
        self.assertEqual((group["id"], group["policy"], group["capacity"]), ("g", "default", {"cpu": 12}))
        self.assertEqual([queue["id"] for queue in group["queues"]], ["root", "a", "ax", "b"])
        self.assertEqual([job["id"] for job in group["jobs"]], ["big", "p", "q", "z"])
        self.assertEqual(group["queues"][3], {
            "id": "b", "parent": "root", "given": False,
            "dominant": {"usage": 0, "fair_share": "0.5", "demand": "0.666666666666", "guaranteed": "0.333333333333"},
            "usage": {"cpu": 0}, "fair_share": {"cpu": "0.5"}, "demand": {"cpu": "0.666666666666"},
            "guaranteed": {"cpu": "0.333333333333"}})
        self.assertEqual(group["queues"][0]["parent"], None)
        self.assertEqual((group["queues"][2]["given"], group["queues"][2]["dominant"]["fair_share"]), (True, "0.125"))
        self.assertEqual(group["jobs"][0], {
            "id": "big", "queue": "a", "given": False,
            "dominant": {"usage": 1, "fair_share": "0.416666666667", "demand": 2},
            "usage": {"cpu": 1}, "fair_share": {"cpu": "0.416666666667"}, "demand": {"cpu": 2},
            "status": "normal", "starvation": "non_starving", "below_since": None,
            "tasks": {"non_preemptible": ["t0"], "aggressively_preemptible": ["t1"], "preemptible": ["t3", "t2"]}})
        told = [(job["status"], job["starvation"], job["below_since"]) for job in group["jobs"][1:]]
        self.assertEqual(told, [("below_fair_share", "starving", 950),
                                ("below_fair_share", "aggressively_starving", 800),
                                ("below_fair_share", "non_starving", 1000)])

    def test_now(self):
        def starvation(*more):
            return [job["starvation"] for job in self.document(*more)["groups"][0]["jobs"]][1:]
        self.assertEqual(starvation("--now", "1030"), ["starving", "aggressively_starving", "non_starving"])
        self.assertEqual(starvation("--now", "1030.5"), ["starving", "aggressively_starving", "starving"])
        self.assertEqual(starvation("--now", "5000"), ["aggressively_starving"] * 3)
        self.assertEqual(self.document("--now", "1"), self.document())
        self.assertEqual(self.document("--now", "1030.5")["now"], "1030.5")

    def test_since_of_a_satisfied_job_is_not_told(self):
        jobs = [{**CLUSTER["jobs"][0], "below_fair_share_since": 3}, *CLUSTER["jobs"][1:]]
        self.write("cluster.json", json.dumps({**CLUSTER, "jobs": jobs}))
        self.assertEqual(self.document()["groups"][0]["jobs"][0]["below_since"], None)

    def test_groups(self):
        groups = [{"id": "h"}, {"id": "g"}, {"id": "o", "policy": "other"}]
        nodes = [{**node, "group": "g"} for node in CLUSTER["nodes"]]
        jobs = [{**job, "group": "g"} for job in CLUSTER["jobs"]]
        self.write("cluster.json", json.dumps({**CLUSTER, "groups": groups, "nodes": nodes, "jobs": jobs}))
        self.assertEqual([group["id"] for group in self.document()["groups"]], ["g", "h"])
        group, = self.document("--group", "h")["groups"]
        self.assertEqual((group["id"], group["capacity"], group["jobs"], group["queues"][0]["usage"]), ("h", {}, [], {}))
        self.assert_one_error(self.ask("--group", "o"), "cede: group: 'o' is of profile priority, ", "fair-share")
        self.assert_one_error(self.ask("--group", "x"), "cede: group: 'x' is not a group; 3 groups are known")
        self.write("cluster.json", json.dumps({"format": "cede-cluster/1", "now": 1, "groups": [groups[2]],
                                               "queues": [{"id": "root"}]}))
        self.assert_one_error(self.ask(), "cede: no group is of profile fair-share")

    def test_standard_input(self):
        expected = self.ask("--json")
        self.assertEqual(expected, self.cede("shares", "--cluster=-", "--policy=policy.json", "--json",
                                             input=self.read("cluster.json")))


class ViewTest(SharesTest):
    def test_table(self):
        status, out, err = self.ask()
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(lines[0], "group 'g': 2 of 4 jobs starve, 1 aggressively; it has 12 cpu")
        rows = [line.split() for line in lines[3:11]]
        self.assertEqual([line[4:12].rstrip() for line in lines[3:11]],
                         ["root", "  a", "    big", "    ax", "      z", "  b", "    p", "    q"])
        self.assertEqual([line[:4].strip() for line in lines[3:11]], ["", "", "", "", "", "", "!", "!!"])
        self.assertEqual(rows[0], ["root", "100.000%", "100.000%", "275.000%", "0.000%"])
        self.assertEqual(rows[2], ["big", "100.000%", "41.667%", "200.000%", "2", "1", "1", "normal", "non_starving"])
        self.assertEqual(rows[3], ["ax", "0.000%", "12.500%*", "8.333%", "0.000%"])
        self.assertEqual(rows[5], ["b", "0.000%", "50.000%", "66.667%", "33.333%"])
        self.assertEqual(rows[6][1:], ["p", "0.000%", "25.000%", "33.333%", "0", "0", "0", "below_fair_share", "starving"])
        self.assertEqual(rows[7][-1], "aggressively_starving")

    def test_nobody_starves(self):
        self.write("cluster.json", json.dumps({**CLUSTER, "jobs": CLUSTER["jobs"][3:]}))
        self.assertTrue(self.ask()[1].startswith("group 'g': 0 of 1 job starve; it has 12 cpu\n"), self.ask()[1])

    def test_names_do_not_reach_the_terminal(self):
        self.write("cluster.json", json.dumps({**CLUSTER, "jobs": [{**CLUSTER["jobs"][3], "id": "z\u009b1m"}]}))
        self.assertNotIn("\u009b", self.ask()[1])


class WrongTest(SharesTest):
    def test_options(self):
        self.assert_one_error(self.cede("shares"), "shares needs --cluster=FILE; see 'cede help shares'")
        self.assert_one_error(self.cede("shares", "--cluster", "c"), "shares needs --policy=FILE")
        self.assert_one_error(self.cede("shares", "--cluster=-", "--policy=-"), "standard input is named twice")
        self.assert_one_error(self.ask("--now", "soon"), "--now: 'soon' is not a time, such as 2025-10-09T08:53:20Z")
        self.assert_one_error(self.ask("more"), "more")

    def test_documents(self):
        self.assert_one_error(self.cede("shares", "--cluster=policy.json", "--policy=policy.json"), "cede-cluster/1 is needed")
        self.write("cluster.json", json.dumps({**CLUSTER, "now": None}))
        self.assertEqual(self.ask()[0], 2)


if __name__ == "__main__":
    unittest.main()
