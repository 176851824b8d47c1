# SPDX-License-Identifier: MIT
"""`cede plan` and `cede explain`: one decision, for people and for programs."""
import json
import random
import re
import unittest

from cede_run import CommandTest

POLICY = '{"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}}}\n'
ESCAPE = "\033["


def running(name, node, gpus, priority, **more):
    return {"id": name, "queue": "root", "group": "g", "state": "running", "priority": priority,
            "user": "ana", "started": 999000, "tasks": [{"id": "t0", "node": node, "gpus": gpus,
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

    def test_each_is_told_under_its_name(self):
        out = self.ask("plan", "--batch", "p,humble")[1]
        self.assertIn("job p\npreempt: ", out)
        self.assertIn("\njob humble\nwait: ", out)

    def test_explained(self):
        status, out, err = self.ask("explain", "--batch", "p,humble", "--json")
        document = json.loads(out)
        self.assertEqual((status, err, [part["job"] for part in document["batch"]]), (1, "", ["p", "humble"]))
        self.assertEqual({len(part["excluded"]) for part in document["batch"]} - {0}, {2})
        self.assertIn("MAY NOT BE TAKEN", self.ask("explain", "--batch", "p,humble")[1])

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

    def test_only(self):
        self.write("cluster.json", cluster(pending("small", 1, 50)))
        self.assertEqual([p["node"] for p in self.plan("--job", "small", "--only", "n1")[1]["placement"]], ["n1"])
        self.assertEqual([p["node"] for p in self.plan("--batch", "small", "--only", "n1")[1]["batch"][0]["placement"]],
                         ["n1"])

    def test_bound_is_null_where_no_price_counts(self):
        self.assertIsNone(self.plan("--job", "p")[1]["bound"])
        self.write("policy.json", POLICY.replace('"priority"', '"priority", "settings": {"cost_model": "lost-work"}'))
        document = self.plan("--job", "p")[1]
        self.assertEqual(document["bound"], document["cost"])

    def test_now(self):
        self.assertEqual(self.plan("--job", "small")[1]["expected_start"], 1000000)
        self.assertEqual(self.plan("--job", "small", "--now", "1000060.5")[1]["expected_start"], 1000060.5)
        self.assertEqual(self.plan("--job", "small", "--now=1000060.0019")[1]["expected_start"], 1000060.001)
        self.assertEqual(self.plan("--job", "small", "--now", "7")[1]["expected_start"], 1000000)
        for text, expected in (("1970-01-12T13:47:40Z", 1000060), ("1970-01-12T15:47:40.5+02:00", 1000060.5),
                               ("1970-01-12 13:47:40Z", 1000060), ("+5m", 1000300), ("+90s", 1000090),
                               ("+1h30m", 1005400), ("+2d", 1172800), ("+0.25", 1000000.25)):
            with self.subTest(text=text):
                self.assertEqual(self.plan("--job", "small", "--now", text)[1]["expected_start"], expected)

    def test_standard_input(self):
        text = self.read("cluster.json")
        expected = self.ask("plan", "--job", "p")
        self.assertEqual(expected,
                         self.cede("plan", "--cluster", "-", "--policy", "policy.json", "--job", "p", input=text))
        self.assertEqual(expected,
                         self.cede("plan", "--cluster", "cluster.json", "--policy=-", "--job", "p", input=POLICY))


class ViewTest(PlanTest):
    def test_preempt(self):
        out = self.ask("plan", "--job", "p")[1]
        self.assertNotIn(ESCAPE, out)
        answer, victims, placement, nodes = (part.splitlines() for part in out.split("\n\n"))
        self.assertEqual(answer, ["preempt: 1 job gives way to 'p'",
                                  "starts    in 30s at the latest (1970-01-12 13:47:10Z)",
                                  "choice    proven optimal",
                                  "costs     33.3 GPU-min of work lost"])
        self.assertEqual(victims[0].split("  ")[0], "VICTIM")
        self.assertEqual([line.split() for line in victims[1:]],
                         [["low", "t0", "ana", "2", "1970-01-12", "13:30Z", "terminate", "33.3", "GPU-min"]])
        self.assertEqual(len(victims[0]), len(victims[1]))
        self.assertEqual([line.split() for line in placement], [["TASK", "NODE", "DEVICES"], ["w#0", "n1", "0-1"]])
        self.assertEqual(nodes, ["n1  **KK", "K kept, * victim's, given to the request"])

    def test_price_and_its_parts(self):
        self.write("policy.json", POLICY.replace("priority", "class-cost"))
        document = json.loads(self.read("cluster.json"))
        for job in document["jobs"]:
            job["class"] = 5 if job["id"] == "p" else 9 if job["id"] != "low" else 3
        document["jobs"][0]["checkpoint"] = {"mode": "auto", "estimate": "2m", "timeout": "8m"}
        self.write("cluster.json", json.dumps(document))
        out = self.ask("plan", "--job", "p")[1]
        self.assertIn("starts    expected in 2m30s (1970-01-12 13:49:10Z), in 18m at the latest (1970-01-12 14:04:40Z)",
                      out)
        self.assertIn("costs     4 GPU-min of work lost; price 3 min\n", out)
        self.assertIn("checkpoint, then suspend; requeued  4 GPU-min  3 min", out)
        self.assertNotIn("COST OF", out)
        verbose = self.ask("plan", "--job", "p", "--verbose")[1]
        self.assertIn("checkpoint 2 min + recompute 0 min + walltime 0 min + overhead 1 min", verbose)
        table = [part for part in verbose.split("\n\n") if part.startswith("CRITERION")][0].splitlines()
        rows = {line.split()[0]: " ".join(line.split()[1:]) for line in table[1:]}
        self.assertEqual(rows["price"], "3 min best possible")
        self.assertEqual(rows["class"], "1 of class 3 best possible")
        self.assertEqual(rows["freed"], "25 % of the group best possible")

    def test_how_good_an_unproven_choice_is(self):
        """Gangs over several nodes with hardly any work for proofs."""
        dice = random.Random(7)
        document = json.loads(cluster())
        document["nodes"] = [{"id": f"n{i:02}", "group": "g", "resources": {"gpu": 8}} for i in range(16)]
        free = {node["id"]: 8 for node in document["nodes"]}
        document["jobs"] = []
        for i in range(70):
            nodes = dice.sample(sorted(free), dice.randint(1, 4))
            gpus = min([dice.randint(1, 4), *(free[node] for node in nodes)])
            if gpus == 0:
                continue
            for node in nodes:
                free[node] -= gpus
            document["jobs"].append({**running(f"j{i}", nodes[0], [], dice.randint(0, 4)), "class": dice.randint(0, 4),
                                     "gang": True, "started": 990000 + 100 * i, "walltime": "9h",
                                     "tasks": [{"node": node, "resources": {"gpu": gpus}} for node in nodes]})
        document["jobs"].append({**pending("p", 8, 50, count=5), "class": 9, "gang": True})
        self.write("cluster.json", json.dumps(document))
        told = set()
        for profile in ("class-cost", "priority", "quota"):
            policy = {"profile": profile, "settings": {"max_victims": 40} if profile == "class-cost" else {}}
            self.write("policy.json", json.dumps({"format": "cede-policy/1", "policies": {"default": policy},
                                                  "limits": {"search_work": 1}}))
            plan = self.plan("--job", "p")[1]
            self.assertEqual((plan["outcome"], plan["optimal"]), ("preempt", False), profile)
            choice, = re.findall(r"\nchoice    (.*(?:\n          .*)*)\n", self.ask("plan", "--job", "p")[1])
            choice = " ".join(choice.split())
            gap = plan.get("gap")
            if gap and gap["criterion"] == "price" and gap["bound"] > 0:
                percent = -((gap["bound"] - gap["value"]) * 100 // gap["bound"])
                self.assertEqual(choice, f"within {percent} % of the best possible")
                told.add("within")
            elif gap and isinstance(gap["value"], int) and gap["bound"] > 0 or gap and gap["criterion"] == "priority":
                self.assertRegex(choice, "^best found: .*; no set has less than ")
                told.add("least")
            else:
                self.assertEqual(choice, "best found; no proof within the allowed work")
                told.add("unproven")
        self.assertGreater(len(told), 1, told)

    def test_requirements_met(self):
        document = json.loads(self.read("cluster.json"))
        document["network"] = {"levels": ["leaf"], "domains": [{"id": "l", "level": "leaf"}]}
        for node in document["nodes"]:
            node["network"] = ["l"]
        document["jobs"][4]["require"] = {"network": [{"level": "leaf"}]}
        self.write("cluster.json", json.dumps(document))
        self.assertIn("\nmeets     leaf\n", self.ask("plan", "--job", "p")[1])

    def test_fits(self):
        parts = self.ask("plan", "--job", "small")[1].split("\n\n")
        self.assertEqual(len(parts), 3)
        self.assertEqual(parts[0].splitlines()[1:], ["starts    now (1970-01-12 13:46:40Z)"])
        self.assertEqual(parts[1].splitlines()[1].split(), ["w#0", "n2", "3"])
        self.assertEqual(parts[2], "n2  KKK+\nK kept, + given to the request\n")

    def test_no_names_what_is_missing(self):
        lines = self.ask("plan", "--job", "huge")[1].splitlines()
        self.assertEqual(lines[1:], ["nearest   node 'n1': it has 4 of 5 gpu"])

    def test_long_lists_are_cut(self):
        document = json.loads(cluster())
        document["nodes"] = [{"id": f"n{i:02}", "group": "g", "topology": "box", "resources": {"gpu": 4}}
                             for i in range(30)]
        document["jobs"] = [running(f"v{i:02}", f"n{i:02}", [0, 1, 2, 3], 1) for i in range(30)]
        document["jobs"].append(pending("p", 4, 50, count=30))
        self.write("cluster.json", json.dumps(document))
        out = self.ask("plan", "--job", "p")[1]
        self.assertEqual([line for line in out.splitlines() if line.startswith("…")],
                         [f"… and 10 {what}s more; --verbose lists all" for what in ("victim", "task", "node")])
        verbose = self.ask("plan", "--job", "p", "--verbose")[1]
        self.assertNotIn("…", verbose)
        self.assertIn("\nv29 ", verbose)

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
        self.assertIn("\nbig     all 8  ana ", self.ask("plan", "--job", "p")[1])

    def test_color(self):
        shown = self.cede_on_terminal("plan", "--cluster", "cluster.json", "--policy", "policy.json", "--job", "p")[1]
        self.assertIn(ESCAPE + "33m**" + ESCAPE + "0m", shown)
        plain = self.cede_on_terminal("plan", "--cluster", "cluster.json", "--policy", "policy.json", "--job", "p",
                                      NO_COLOR="1")[1]
        self.assertNotIn(ESCAPE, plain)
        self.assertEqual(plain, self.ask("plan", "--job", "p")[1])


class ExplainTest(PlanTest):
    def part(self, title, *more):
        """The lines below a title."""
        parts = self.ask("explain", *more)[1].split("\n\n")
        return [part for part in parts if part.startswith(title)][0].splitlines()[1:]

    def test_excluded_units_with_rule_and_values(self):
        document = json.loads(self.ask("explain", "--job", "p", "--json")[1])
        self.assertEqual({unit["job"] for unit in document["excluded"]}, {"high", "top"})
        self.assertEqual(self.part("MAY NOT BE TAKEN", "--job", "p"),
                         ["  1 unit, priority-threshold: its priority 90 is above preemptible_priority 5 (high)",
                          "  1 unit, priority-threshold: its priority 95 is above preemptible_priority 5 (top)"])
        out = self.ask("explain", "--job", "p", "--all")[1]
        table = [part for part in out.split("\n\n") if part.startswith("EXCLUDED")][0].splitlines()
        self.assertEqual(len(table), 3)
        because = table[0].index("BECAUSE")
        for unit, line in zip(document["excluded"], table[1:]):
            self.assertEqual(line[:because].split(), [unit["job"], *unit["tasks"], unit["rule"]])
            self.assertEqual(line[because:], unit["values"])

    def test_many_units_share_a_line(self):
        document = json.loads(cluster())
        document["nodes"] = [{"id": f"n{i:03}", "group": "g", "resources": {"gpu": 4}} for i in range(500)]
        document["jobs"] = [running(f"job{i:03}", f"n{i:03}", [], 10 + i % 7 if i < 400 else 1) for i in range(500)]
        for job in document["jobs"]:
            job["tasks"] = [{"node": job["tasks"][0]["node"], "resources": {"gpu": 4}}]
        document["jobs"].append(pending("p", 4, 50))
        self.write("cluster.json", json.dumps(document))
        lines = self.part("MAY NOT BE TAKEN", "--job", "p")
        told = " ".join(line.strip() for line in lines)
        self.assertIn("58 units, priority-threshold: its priority 10 is above preemptible_priority 5 "
                      "(e.g. job000, job007, job014, …)", told)
        self.assertIn("units, priority-threshold: 4 other values, such as: ", told)
        self.assertEqual(sum(int(line.split()[0]) for line in lines if " unit" in line), 400)
        self.assertEqual(self.part("NOT NEEDED", "--job", "p"),
                         ["  99 units that may be taken (e.g. job401, job402, job403, …)"])
        self.assertLess(self.ask("explain", "--job", "p")[1].count("\n"), 40)
        self.assertGreater(self.ask("explain", "--job", "p", "--all")[1].count("\n"), 500)

    def alternative(self, profile, job, *jobs):
        self.write("policy.json", POLICY.replace("priority", profile))
        self.write("cluster.json", cluster(*jobs))
        document = json.loads(self.ask("explain", "--job", job, "--json")[1])
        return document, self.part("ALTERNATIVE", "--job", job)[0].split(maxsplit=3)

    def test_alternatives_say_by_how_much_they_are_worse(self):
        document, row = self.alternative("priority", "one", running("early", "n2", [3], 2), pending("one", 1, 50))
        self.assertEqual([v["job"] for v in document["victims"]], ["low"])
        other, = document["alternatives"]
        self.assertEqual((other["victims"], other["worse"], other["best"], other["value"]),
                         (["early"], "priority", [[1, 1]], [[2, 1]]))
        self.assertEqual(row, ["early", "16.7", "GPU-min", "1 of priority 2 instead of 0"])
        old = {**running("old", "n2", [3], 1), "class": 1, "started": 990000, "walltime": "10h"}
        document, _ = self.alternative("class-cost", "one", old, {**pending("one", 1, 50), "class": 5})
        other, = [each for each in document["alternatives"] if each["victims"] == ["old"]]
        more = (other["value"] - other["best"]) / 1000
        self.assertEqual(other["worse"], "price")
        self.assertIn(f"old  {other['cost']:.1f} min  {more:.1f} min more",
                      [" ".join(line.split()).replace(" ", "  ", 1).replace(" min ", " min  ", 1)
                       for line in self.part("ALTERNATIVE", "--job", "one")])

    def test_units_that_were_not_needed(self):
        self.write("cluster.json", cluster(running("early", "n2", [3], 2), pending("one", 1, 50)))
        document = json.loads(self.ask("explain", "--job", "one", "--json")[1])
        self.assertEqual([unit["job"] for unit in document["not_needed"]], ["early"])
        parts = self.ask("explain", "--job", "one")[1].split("\n\n")
        self.assertEqual([part.split()[0] for part in parts[1:]], ["VICTIM", "NOT", "MAY", "ALTERNATIVE"])
        self.assertEqual(parts[2].splitlines(), ["NOT NEEDED", "  1 unit that may be taken (early)"])
        parts = self.ask("explain", "--job", "one", "--all")[1].split("\n\n")
        self.assertEqual([part.split()[0] for part in parts[1:]], ["VICTIM", "NOT", "EXCLUDED", "ALTERNATIVE"])
        told = {line.split()[0] for part in parts[1:4] for line in part.splitlines()[1:]}
        self.assertEqual(told, {"low", "early", "high", "top"})

    def test_units_that_would_not_be_enough(self):
        self.write("cluster.json", cluster(pending("wide", 3, 50)))
        status, out, _ = self.ask("explain", "--job", "wide", "--all")
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
        self.assertEqual([answer[0], answer[1].split()[0]],
                         ["preempt: 1 job gives way to relieve node 'n1'", "done"])
        self.assertEqual([line.split()[0] for line in victims], ["VICTIM", "lower"])
        self.assertEqual(nodes, ["n1  KVKK", "K kept, V victim"])
        self.assertEqual(self.ask("plan", "--relief", "node:n2")[1].splitlines()[0],
                         "fits: node 'n2' is within its limits; no job has to be preempted")

    def test_every_unit_is_explained(self):
        parts = self.ask("explain", "--relief", "node:n1", "--all")[1].split("\n\n")
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
        self.assertEqual(answer[0], "preempt: 1 job leaves the nodes that queue 'owner' claims")
        self.assertEqual(victims[1].split()[:2], ["guest", "t0"])
        self.assertEqual(nodes, ["n1  VVK.", ". free, K kept, V victim"])
        explained = self.ask("explain", *self.claim("reclaim"), "--all")[1].split("\n\n")
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
                                        ("--relief=node:n1", "--avoid=n2", "--job or --batch"),
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

    def test_names_that_were_meant(self):
        for question, text in ((("--job", "smal"), "'smal' is not a job; 7 jobs are known; did you mean 'small'?"),
                               (("--job", "samll"), "did you mean 'small'?"),
                               (("--job", "p", "--protect", "hihg"), "protect: 'hihg' is not a job"),
                               (("--job", "p", "--protect", "hihg"), "did you mean 'high'?"),
                               (("--batch", "p,smalll"), "did you mean 'small'?"),
                               (("--relief", "job:humbel"), "relief: 'humbel' is not a job"),
                               (("--relief", "queue:rooot"), "1 queue is known; did you mean 'root'?")):
            with self.subTest(question=question):
                self.assert_one_error(self.ask("explain", *question), text)
        self.assertNotIn("mean", self.ask("plan", "--job", "nobody")[2])

    def test_now(self):
        for text in ("soon", "-5", "1e6", "1.", ".5", "1 ", "253402300800", "9" * 30, "2025-10-09", "2025-10-09T08:53Z",
                     "2025-13-09T08:53:20Z", "2025-02-29T08:53:20Z", "2025-10-09T08:53:20", "2025-10-09T24:00:00Z",
                     "2025-10-09T08:53:20.Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+01:00",
                     "2025-10-09T08:53:20Z ", "2025-10-09T08:53:20+2:00"):
            with self.subTest(text=text):
                self.assert_one_error(self.ask("plan", "--job", "p", f"--now={text}"), f"--now: '{text}' is not a time",
                                      "seconds since 1970")
        for text in ("+", "+5x", "+m", "+5m1h", "+-5m", "+5", "+5 m", "++5m", "+" + "9" * 30 + "d", "+1h1h"):
            with self.subTest(text=text):
                if text != "+5":
                    self.assert_one_error(self.ask("plan", "--job", "p", f"--now={text}"),
                                          f"--now: '{text[:20]}", "is not a time after the cluster's own, such as +90s")
        self.write("cluster.json", '{"format": "cede-cluster/1", "queues": [{"id": "root"}], "groups": [{"id": "g"}]}')
        self.assert_one_error(self.ask("plan", "--job", "p", "--now=+5m"), "the cluster has no 'now' to count from")

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
