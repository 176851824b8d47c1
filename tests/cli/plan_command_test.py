# SPDX-License-Identifier: MIT
"""`cede plan` and `cede explain`: one decision, for people and for programs."""
import json
import unittest

from cede_run import CommandTest

POLICY = '{"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}}}\n'
ESCAPE = "\033["


def running(name, node, gpus, priority, **more):
    return {"id": name, "queue": "root", "group": "g", "state": "running", "priority": priority,
            "started": 999000, "tasks": [{"id": "t0", "node": node, "gpus": gpus,
                                          "resources": {"gpu": len(gpus)}}], **more}


def pending(name, gpus, priority, count=1):
    return {"id": name, "queue": "root", "group": "g", "priority": priority, "submitted": 990000,
            "tasks": [{"id": "w", "count": count, "resources": {"gpu": gpus}}]}


def cluster(*jobs):
    """Two nodes of four GPUs: n1 is full, n2 has GPU 3 free."""
    nodes = [{"id": name, "group": "g", "topology": "box", "resources": {"gpu": 4}} for name in ("n1", "n2")]
    return json.dumps({"format": "cede-cluster/1", "now": 1000000, "topologies": {"box": {"gpus": 4}},
                       "groups": [{"id": "g", "policy": "default"}], "queues": [{"id": "root"}], "nodes": nodes,
                       "jobs": [running("low", "n1", [0, 1], 1), running("high", "n1", [2, 3], 90),
                                running("top", "n2", [0, 1, 2], 95), *jobs]})


class PlanTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("policy.json", POLICY)
        self.write("cluster.json", cluster(pending("small", 1, 50), pending("p", 2, 50), pending("huge", 5, 50),
                                           pending("humble", 2, 0)))

    def ask(self, command, *more, **environment):
        return self.cede(command, "--cluster", "cluster.json", "--policy", "policy.json", *more, **environment)

    def plan(self, *more):
        """Exit status and document."""
        status, out, err = self.ask("plan", "--json", *more)
        self.assertEqual(err, "")
        return status, json.loads(out)


class BatchTest(PlanTest):
    def test_each_sees_the_ones_before(self):
        status, document = self.plan("--batch", "p,small")
        self.assertEqual((status, list(document), document["format"]), (0, ["format", "batch"], "cede-plan/1"))
        self.assertEqual([(part["job"], part["outcome"]) for part in document["batch"]],
                         [("p", "preempt"), ("small", "fits")])
        self.assertEqual(document["batch"][0], self.plan("--job", "p")[1])

    def test_exit_status_is_yes_for_all_or_no(self):
        self.assertEqual(self.plan("--batch", "p,humble")[0], 1)
        status, out, err = self.ask("plan", "--batch", "p,humble")
        self.assertEqual((status, err), (1, ""))
        self.assertIn("preempt: ", out)
        self.assertIn("\nwait: ", out)

    def test_wrong(self):
        self.assert_one_error(self.ask("plan", "--batch", "p,p"), "'p' is named twice")
        self.assert_one_error(self.ask("plan", "--batch", "p,,small"), "has an empty name")
        self.assert_one_error(self.ask("plan", "--batch", "p,nobody"), "'nobody' is not a job")
        self.assert_one_error(self.ask("plan", "--batch", "p", "--job", "p"), "are two questions")
        self.assert_one_error(self.ask("explain", "--batch", "p"), "--batch")


class AnswerTest(PlanTest):
    def test_exit_status_follows_the_outcome(self):
        for job, outcome, expected in (("small", "fits", 0), ("p", "preempt", 0), ("humble", "wait", 1),
                                       ("low", "wait", 1), ("huge", "impossible", 1)):
            with self.subTest(job=job):
                status, document = self.plan("--job", job)
                self.assertEqual((status, document["outcome"], document["job"]), (expected, outcome, job))
                for command in ("plan", "explain"):
                    status, out, err = self.ask(command, "--job", job)
                    self.assertEqual((status, err), (expected, ""))
                    self.assertEqual(out.splitlines()[0], f"{outcome}: {document['reason']}")

    def test_json_is_the_document_and_nothing_else(self):
        status, out, err = self.ask("plan", "--job", "p", "--json", "--color", "always")
        self.assertEqual((status, err, out.endswith("}\n")), (0, "", True))
        plan = json.loads(out)
        self.assertEqual(plan["format"], "cede-plan/1")
        self.assertEqual([(v["job"], v["tasks"]) for v in plan["victims"]], [("low", ["t0"])])
        self.assertNotIn("excluded", plan)
        explained = json.loads(self.ask("explain", "--job", "p", "--json")[1])
        self.assertLessEqual({"considered", "excluded", "alternatives", "work"}, set(explained))
        self.assertEqual(plan, {key: explained[key] for key in plan})

    def test_protect(self):
        status, document = self.plan("--job", "p", "--protect", "low")
        self.assertEqual((status, document["outcome"], document["victims"]), (1, "wait", []))

    def test_protect_more_than_one(self):
        self.write("cluster.json", cluster(running("slot", "n2", [3], 2), pending("one", 1, 50)))
        self.assertEqual(self.plan("--job", "one")[0], 0)
        self.assertEqual([v["job"] for v in self.plan("--job", "one", "--protect", "low")[1]["victims"]], ["slot"])
        self.assertEqual([v["job"] for v in self.plan("--job", "one", "--protect=slot")[1]["victims"]], ["low"])
        self.assertEqual(self.plan("--job", "one", "--protect", "low", "--protect", "slot")[0], 1)

    def test_avoid(self):
        self.assertEqual([p["node"] for p in self.plan("--job", "small")[1]["placement"]], ["n2"])
        self.write("cluster.json", cluster(pending("small", 1, 50)))
        status, document = self.plan("--job", "small", "--avoid", "n2")
        self.assertEqual((status, [p["node"] for p in document["placement"]]), (0, ["n1"]))
        self.assertEqual(self.plan("--job", "small", "--avoid", "n1", "--avoid", "n2")[0], 1)

    def test_now(self):
        self.assertEqual(self.plan("--job", "small")[1]["expected_start"], 1000000)
        self.assertEqual(self.plan("--job", "small", "--now", "1000060.5")[1]["expected_start"], 1000060.5)
        self.assertEqual(self.plan("--job", "small", "--now=1000060.0019")[1]["expected_start"], 1000060.001)
        self.assertEqual(self.plan("--job", "small", "--now", "7")[1]["expected_start"], 1000000)

    def test_standard_input(self):
        text = self.read("cluster.json")
        expected = self.ask("plan", "--job", "p")
        self.assertEqual(expected,
                         self.cede("plan", "--cluster", "-", "--policy", "policy.json", "--job", "p", input=text))
        self.assertEqual(expected,
                         self.cede("plan", "--cluster", "cluster.json", "--policy=-", "--job", "p", input=POLICY))


class ViewTest(PlanTest):
    def test_preempt(self):
        cost = self.plan("--job", "p")[1]["victims"][0]["cost"]
        out = self.ask("plan", "--job", "p")[1]
        self.assertNotIn(ESCAPE, out)
        answer, victims, placement, nodes = (part.splitlines() for part in out.split("\n\n"))
        self.assertEqual(len(answer), 1)
        self.assertEqual(victims[0].split(), ["VICTIM", "TASKS", "ACTION", "REQUEUE", "COST"])
        self.assertEqual([line.split() for line in victims[1:]], [["low", "t0", "terminate", "no", f"{cost:.3f}"]])
        self.assertEqual(len(victims[0]), len(victims[1]))
        self.assertEqual([line.split() for line in placement], [["TASK", "NODE", "DEVICES"], ["w#0", "n1", "0-1"]])
        self.assertEqual(nodes, ["n1  **KK", "K kept, * victim's, given to the request"])

    def test_fits(self):
        parts = self.ask("plan", "--job", "small")[1].split("\n\n")
        self.assertEqual(len(parts), 3)
        self.assertEqual(parts[1].splitlines()[1].split(), ["w#0", "n2", "3"])
        self.assertEqual(parts[2], "n2  KKK+\nK kept, + given to the request\n")

    def test_no_is_one_sentence(self):
        self.assertEqual(self.ask("plan", "--job", "huge")[1].count("\n"), 1)

    def test_without_gpus_there_is_no_map(self):
        text = self.read("cluster.json")
        self.write("cluster.json", json.dumps({
            **json.loads(text), "nodes": [{"id": "n1", "group": "g", "resources": {"cpu": 4}}],
            "jobs": [{**pending("p", 1, 50), "tasks": [{"id": "w", "count": 1, "resources": {"cpu": 1}}]}]}))
        parts = self.ask("plan", "--job", "p")[1].split("\n\n")
        self.assertEqual([part.splitlines()[-1].split() for part in parts[1:]], [["w#0", "n1", "none"]])

    def test_many_tasks_are_cut_short(self):
        big = {**running("big", "n2", [3], 2)}
        big["tasks"] = [{"id": f"t{i}", "node": "n2", "resources": {"cpu": 1}} for i in range(8)]
        document = json.loads(cluster(big))
        document["nodes"][1]["resources"]["cpu"] = 8
        document["jobs"].append({**pending("p", 1, 50), "tasks": [{"id": "w", "count": 1, "resources": {"cpu": 8}}]})
        self.write("cluster.json", json.dumps(document))
        self.assertIn("big     t0, t1, t2, t3 and 4 more  terminate", self.ask("plan", "--job", "p")[1])

    def test_color(self):
        shown = self.cede_on_terminal("plan", "--cluster", "cluster.json", "--policy", "policy.json", "--job", "p")[1]
        self.assertIn(ESCAPE + "33m**" + ESCAPE + "0m", shown)
        plain = self.cede_on_terminal("plan", "--cluster", "cluster.json", "--policy", "policy.json", "--job", "p",
                                      NO_COLOR="1")[1]
        self.assertNotIn(ESCAPE, plain)
        self.assertEqual(plain, self.ask("plan", "--job", "p")[1])


class ExplainTest(PlanTest):
    def test_excluded_units_with_rule_and_values(self):
        document = json.loads(self.ask("explain", "--job", "p", "--json")[1])
        self.assertEqual({unit["job"] for unit in document["excluded"]}, {"high", "top"})
        out = self.ask("explain", "--job", "p")[1]
        table = [part for part in out.split("\n\n") if part.startswith("EXCLUDED")][0].splitlines()
        self.assertEqual(len(table), 3)
        because = table[0].index("BECAUSE")
        for unit, line in zip(document["excluded"], table[1:]):
            self.assertEqual(line[:because].split(), [unit["job"], *unit["tasks"], unit["rule"]])
            self.assertEqual(line[because:], unit["values"])

    def test_alternatives(self):
        self.write("cluster.json", cluster(running("early", "n2", [3], 2), pending("one", 1, 50)))
        document = json.loads(self.ask("explain", "--job", "one", "--json")[1])
        self.assertEqual([v["job"] for v in document["victims"]], ["low"])
        other, = document["alternatives"]
        self.assertEqual(other["victims"], ["early"])
        out = self.ask("explain", "--job", "one")[1]
        table = [part for part in out.split("\n\n") if part.startswith("ALTERNATIVE")][0].splitlines()
        self.assertEqual(len(table), 2)
        self.assertEqual(table[1].split(), ["early", f"{other['cost']:.3f}", other["worse"]])


    def test_units_that_were_not_needed(self):
        self.write("cluster.json", cluster(running("early", "n2", [3], 2), pending("one", 1, 50)))
        document = json.loads(self.ask("explain", "--job", "one", "--json")[1])
        self.assertEqual([unit["job"] for unit in document["not_needed"]], ["early"])
        parts = self.ask("explain", "--job", "one")[1].split("\n\n")
        self.assertEqual([part.split()[0] for part in parts[1:]], ["VICTIM", "NOT", "EXCLUDED", "ALTERNATIVE"])
        self.assertEqual(parts[2].splitlines(), ["NOT NEEDED  TASKS", "early       t0"])
        told = {line.split()[0] for part in parts[1:4] for line in part.splitlines()[1:]}
        self.assertEqual(told, {"low", "early", "high", "top"})

    def test_units_that_would_not_be_enough(self):
        self.write("cluster.json", cluster(pending("wide", 3, 50)))
        status, out, _ = self.ask("explain", "--job", "wide")
        self.assertEqual(status, 1)
        self.assertEqual(out.split("\n\n")[1].splitlines(), ["NOT TAKEN  TASKS", "low        t0"])


class ReliefTest(PlanTest):
    """Node n1 has 4 CPUs and 6 in use: either `low` or `lower` is enough, and `high` may not be taken."""

    def setUp(self):
        super().setUp()
        self.document = json.loads(cluster())
        self.document["queues"].append({"id": "q", "parent": "root", "max": {"gpu": 1}})
        for node in self.document["nodes"]:
            node["resources"]["cpu"] = 4
        self.document["jobs"] = [running("low", "n1", [0], 1), running("lower", "n1", [1], 0),
                                 running("high", "n1", [2, 3], 90),
                                 {**running("over", "n2", [3], 3), "queue": "q", "max": {"gpu": 0}}]
        for job in self.document["jobs"]:
            job["tasks"][0]["resources"]["cpu"] = 2
        self.write("cluster.json", json.dumps(self.document))

    def test_targets(self):
        for target, outcome, victims in (("node:n1", "preempt", ["lower"]), ("node:n2", "fits", []),
                                         ("queue:q", "fits", []), ("job:over", "preempt", ["over"])):
            with self.subTest(target=target):
                status, document = self.plan("--relief", target)
                self.assertEqual((status, document["outcome"], document["job"], document["for"]),
                                 (0, outcome, None, target))
                self.assertEqual([victim["job"] for victim in document["victims"]], victims)
                self.assertEqual(document["placement"], [])
        self.assertEqual(self.plan("--relief=queue:q", "--group=g")[1]["outcome"], "fits")
        self.assertEqual([v["job"] for v in self.plan("--relief=node:n1", "--protect=lower")[1]["victims"]], ["low"])

    def test_for_people(self):
        answer, victims, nodes = (part.splitlines() for part in
                                  self.ask("plan", "--relief", "node:n1")[1].split("\n\n"))
        self.assertEqual(answer, ["preempt: 1 job gives way to relieve node 'n1'"])
        self.assertEqual([line.split()[0] for line in victims], ["VICTIM", "lower"])
        self.assertEqual(nodes, ["n1  KVKK", "K kept, V victim"])
        self.assertEqual(self.ask("plan", "--relief", "node:n2")[1],
                         "fits: node 'n2' is within its limits; no job has to be preempted\n")

    def test_every_unit_is_explained(self):
        parts = self.ask("explain", "--relief", "node:n1")[1].split("\n\n")
        self.assertEqual([part.split("  ")[0] for part in parts[1:]],
                         ["VICTIM", "NOT NEEDED", "EXCLUDED", "ALTERNATIVE"])
        told = [line.split()[0] for part in parts[1:4] for line in part.splitlines()[1:]]
        self.assertEqual(sorted(told), ["high", "low", "lower", "over"])

    def test_partial(self):
        pinned = running("pinned", "n1", [], 90, kind="sensitive")
        pinned["tasks"][0]["resources"] = {"cpu": 4}
        self.document["jobs"].append(pinned)
        self.write("cluster.json", json.dumps(self.document))
        status, plan = self.plan("--relief", "node:n1", "--protect", "high")
        self.assertEqual((status, plan["rule"], plan["victims"]), (1, "no-set", []))
        status, plan = self.plan("--relief", "node:n1", "--protect", "high", "--partial")
        self.assertEqual((status, plan["outcome"], plan["optimal"]), (0, "preempt", False))
        self.assertEqual([victim["job"] for victim in plan["victims"]], ["low", "lower"])
        self.assertEqual(plan["reason"], "2 jobs give way to relieve node 'n1'; it is still 2 cpu over")

    def test_wrong(self):
        self.assert_one_error(self.ask("plan", "--relief", "n1"), "'n1' is not node:NAME, queue:NAME or job:NAME")
        self.assert_one_error(self.ask("plan", "--relief", "node:n9"), "'n9' is not a node")
        self.assert_one_error(self.ask("explain", "--relief", "queue:q", "--group", "x"), "'x' is not a group")


class ClaimTest(PlanTest):
    """Node n1 is at home in `owner`; `guest` and `own` run there."""

    def setUp(self):
        super().setUp()
        self.write("policy.json", POLICY.replace("priority", "class-cost"))
        document = json.loads(cluster())
        document["queues"] += [{"id": "owner", "parent": "root"}, {"id": "out", "parent": "root"}]
        document["nodes"][0]["home"] = "owner"
        document["jobs"] = [{**running("guest", "n1", [0, 1], 0), "queue": "out"},
                            {**running("own", "n1", [2], 0), "queue": "owner"}]
        self.write("cluster.json", json.dumps(document))

    def claim(self, *more):
        return "--claim", "owner", "--nodes", "n1", "--reason", *more

    def test_claims(self):
        status, document = self.plan(*self.claim("reclaim"))
        self.assertEqual((status, document["outcome"], document["cause"], document["for"]),
                         (0, "preempt", "reclaim", "claim:owner"))
        self.assertEqual([victim["job"] for victim in document["victims"]], ["guest"])
        status, document = self.plan(*self.claim("reclaim", "--protect", "guest"))
        self.assertEqual((status, document["rule"], document["victims"]), (1, "claim-blocked", []))
        document = self.plan("--claim=owner", "--nodes=n1,n2", "--reason=sensitive", "--protect=guest")[1]
        self.assertEqual([victim["job"] for victim in document["victims"]], ["guest"])

    def test_for_people(self):
        answer, victims, nodes = (part.splitlines() for part in
                                  self.ask("plan", *self.claim("reclaim"))[1].split("\n\n"))
        self.assertEqual(answer, ["preempt: 1 job leaves the nodes that queue 'owner' claims"])
        self.assertEqual(victims[1].split()[:2], ["guest", "t0"])
        self.assertEqual(nodes, ["n1  VVK.", ". free, K kept, V victim"])
        explained = self.ask("explain", *self.claim("reclaim"))[1].split("\n\n")
        self.assertEqual(explained[2].splitlines()[1].split(), ["own", "t0"])

    def test_wrong(self):
        self.assert_one_error(self.ask("plan", *self.claim("because")), "'because' is not reclaim or sensitive")
        self.assert_one_error(self.ask("plan", "--claim=owner", "--nodes=n1,,n2", "--reason=reclaim"),
                              "--nodes: 'n1,,n2' has an empty name")
        self.assert_one_error(self.ask("plan", "--claim=owner", "--nodes=n2", "--reason=reclaim"),
                              "'n2' is not at home in queue 'owner'")
        self.assert_one_error(self.ask("plan", "--claim=owner", "--reason=reclaim"), "--claim needs --nodes=NODE,NODE")
        self.assert_one_error(self.ask("plan", "--claim=owner", "--nodes=n1"), "--claim needs --reason=REASON")


class WrongTest(PlanTest):
    def test_one_question_at_a_time(self):
        self.assert_one_error(self.ask("plan"), "plan needs --job=ID, --batch=ID,ID, --relief=TARGET or --claim=QUEUE; see")
        self.assert_one_error(self.ask("plan", "--job=p", "--relief=node:n1"),
                              "--job and --relief are two questions; a plan answers one")
        self.assert_one_error(self.ask("explain", "--relief=node:n1", "--claim=root"),
                              "--relief and --claim are two questions", "see 'cede help explain'")
        for question, option, owner in (("--job=p", "--group=g", "--relief"), ("--job=p", "--partial", "--relief"),
                                        ("--job=p", "--nodes=n1", "--claim"),
                                        ("--relief=node:n1", "--reason=reclaim", "--claim"),
                                        ("--relief=node:n1", "--avoid=n2", "--job"),
                                        ("--claim=root", "--partial", "--relief")):
            with self.subTest(question=question, option=option):
                self.assert_one_error(self.ask("plan", question, option),
                                      f"{option.split('=')[0]} goes with {owner} only")
        self.assert_one_error(self.ask("plan", "--nodes=n1"), "--nodes goes with --claim only")

    def test_missing_options(self):
        for command in ("plan", "explain"):
            self.assert_one_error(self.cede(command), f"{command} needs --cluster=FILE; see 'cede help {command}'")
        self.assert_one_error(self.cede("plan", "--cluster", "c"), "plan needs --policy=FILE")
        self.assert_one_error(self.ask("plan"), "plan needs --job=ID")
        self.assert_one_error(self.ask("plan", "--job", "p", "--job", "small"), "'--job' is given twice")
        self.assert_one_error(self.cede("plan", "--cluster=-", "--policy=-", "--job=p"),
                              "standard input is named twice")

    def test_unknown_names(self):
        self.assert_one_error(self.ask("plan", "--job", "nobody"), "cede: ", "'nobody'")
        self.assert_one_error(self.ask("plan", "--job", "p", "--avoid", "n9"), "'n9'")
        self.assert_one_error(self.ask("explain", "--job", "p", "--protect", "nobody"), "'nobody'")

    def test_now(self):
        for text in ("soon", "-5", "1e6", "1.", ".5", "1 ", "253402300800", "9" * 30):
            self.assert_one_error(self.ask("plan", "--job", "p", f"--now={text}"),
                                  f"--now: '{text}' is not a number of seconds since 1970")

    def test_documents(self):
        self.write("cluster.json", cluster(pending("p", 2, 101)))
        for more in ((), ("--json",)):
            self.assert_one_error(self.ask("plan", "--job", "p", *more), "cluster.json:",
                                  "jobs[3].priority: 101 is outside 0..100")
        self.assert_one_error(self.cede("plan", "--cluster=policy.json", "--policy=policy.json", "--job=p"),
                              "policy.json: format: this is a cede-policy/1 document, and cede-cluster/1 is needed")
        self.assert_one_error(self.cede("plan", "--cluster=none.json", "--policy=policy.json", "--job=p"),
                              "none.json", "No such file")


if __name__ == "__main__":
    unittest.main()
