# SPDX-License-Identifier: MIT
"""What `cede explain` says about a no: where the job comes nearest to fitting, and changes each of which is enough.

Every change is taken at its word: it is made in the documents, and the command is asked again.
"""
import copy
import json
import random
import re
import unittest

from cede_run import CommandTest

NOW = 1760000000
PROFILES = ("priority", "class-cost", "quota", "fair-share", "guarantee")


def node(name, leaf="leaf-a", gpus=8, **more):
    return {"id": name, "group": "g", "resources": {"gpu": gpus}, "network": [leaf], **more}


def running(name, where, gpus, **more):
    return {"id": name, "queue": "root.a", "group": "g", "state": "running", "started": NOW - 9000, "gang": True,
            "tasks": [{"node": where, "resources": {"gpu": gpus}}], **more}


def waiting(name, count, gpus, **more):
    return {"id": name, "queue": "root.b", "group": "g", "submitted": NOW - 600, "gang": True,
            "tasks": [{"count": count, "resources": {"gpu": gpus}}], **more}


def cluster(nodes, jobs, **queues):
    names = [("root", None), ("root.a", "root"), ("root.b", "root")]
    return {"format": "cede-cluster/1", "now": NOW,
            "network": {"levels": ["leaf"], "domains": [{"id": f"leaf-{x}", "level": "leaf"} for x in "abc"]},
            "groups": [{"id": "g", "policy": "default"}], "nodes": nodes, "jobs": jobs,
            "queues": [{"id": name, **({"parent": parent} if parent else {}), **queues.get(name.split(".")[-1], {})}
                       for name, parent in names]}


def policy(profile, **settings):
    return {"format": "cede-policy/1", "policies": {"default": {"profile": profile, "settings": settings}}}


def named(items, name):
    return next(item for item in items if item["id"] == name)


class Change:
    """Makes one change in the documents of a question."""

    def __init__(self, cluster_document, policy_document, question):
        self.cluster = copy.deepcopy(cluster_document)
        self.policy = copy.deepcopy(policy_document)
        self.question = list(question)

    def job(self, name):
        return named(self.cluster["jobs"], name)

    def queue(self, name):
        return named(self.cluster["queues"], name)

    def setting(self, name, value):
        self.policy["policies"]["default"].setdefault("settings", {})[name] = value

    def make(self, text, last):
        """All parts of the sentence; of alternatives the first or the last one."""
        for part in re.split(r", and |, | and ", text.replace(", or ", " or ")):
            options = part.split(" or ")
            self.make_part(options[-1 if last else 0])

    def make_part(self, text):
        for pattern, make in self.PARTS:
            match = re.fullmatch(pattern, text)
            if match:
                return make(self, *match.groups())
        raise AssertionError(f"no test makes this change: {text!r}")

    def set_class(self, job, value):
        self.job(job)["class"] = int(value)

    def set_priority(self, job, value):
        self.job(job)["priority"] = int(value)

    def set_limit(self, limit, queue, value, resource):
        self.queue(queue).setdefault({"guarantee": "guaranteed"}.get(limit, limit), {})[resource] = int(value)

    def exceed(self, queue, resource, used):
        self.queue(queue).setdefault("guaranteed", {})[resource] = int(used) + 1

    def set_job_max(self, job, value, resource):
        self.job(job)["max"][resource] = int(value)

    def set_of_queue(self, name, queue, value):
        self.queue(queue).setdefault("settings", {})[name] = int(value)

    def switch_of_queue(self, name, queue):
        self.queue(queue).setdefault("settings", {})[name] = True

    def switch_on(self, queue):
        self.queue(queue).setdefault("settings", {})["preemption"] = "on"
        self.setting("preemption", "on")

    def bring_back(self, name):
        named(self.cluster["nodes"], name)["state"] = "up"

    def prefer(self, _):
        job = next(job for job in self.cluster["jobs"] if "require" in job)
        for entry in job["require"]["network"]:
            entry["strength"] = "prefer"

    def ask_for(self, tasks):
        self.job(self.question[1])["tasks"][0]["count"] = int(tasks)

    def spare_no_more(self, job):
        at = self.question.index(job)
        del self.question[at - 1:at + 1]

    def wait_until(self, time):
        if "--now" in self.question:
            at = self.question.index("--now")
            time = max(time, self.question[at + 1])
            del self.question[at:at + 2]
        self.question += ["--now", time]

    PARTS = (
        (r"(?:raise|lower) the class of '(.*)' from \d+ to (\d+)", set_class),
        (r"raise the priority of '(.*)' from -?\d+ to (-?\d+)", set_priority),
        (r"(?:raise|lower) the (max|guaranteed|guarantee) of queue '(.*)' from \d+ to (\d+) (\w+)", set_limit),
        (r"raise the guarantee of queue '(.*)' from \d+ (\w+) to more than the (\d+) it uses", exceed),
        (r"raise the max of job '(.*)' from \d+ to (\d+) (\w+)", set_job_max),
        (r"raise max_victims from \d+ to (\d+)", lambda self, value: self.setting("max_victims", int(value))),
        (r"raise (preemptible_priority|max_preempted_count) of queue '(.*)' from \d+ to (\d+)", set_of_queue),
        (r"set (cross_node|allow_aggressive_preemption|allow_preemption_from_starving) for queue '(.*)'",
         switch_of_queue),
        (r"switch preemption on for queue '(.*)'", switch_on),
        (r"bring node '(.*)' back \(it is (?:down|draining)\)", bring_back),
        (r"lift the reservation of node '(.*)'", lambda self, _: self.cluster.pop("reservations")),
        (r"do not rule out node '(.*)'", spare_no_more),
        (r"do not protect job '(.*)'", spare_no_more),
        (r"make the requirement (.*) a preference", prefer),
        (r"ask for (\d+) tasks? instead of \d+", ask_for),
        (r"let job '(.*)' be preempted \(preemptible\)", lambda self, job: self.job(job).update(preemptible=True)),
        (r"let job '(.*)' preempt \(may_preempt\)", lambda self, job: self.job(job).update(may_preempt=True)),
        (r"let job '(.*)' write checkpoints", lambda self, job: self.job(job).update(checkpoint={"mode": "auto"})),
        (r"let job '(.*)' start first",
         lambda self, job: self.cluster["jobs"].remove(self.job(job))),
        (r"give job '(.*)' a value above ([\d.]+) minutes \(it has .*\)",
         lambda self, job, value: self.job(job).update(value=float(value) + 0.001)),
        (r"wait until ([\dTZ:.-]+)(?: \(.*\)|)", wait_until),
    )


class MissTest(CommandTest):
    def ask(self, command, cluster_document, policy_document, question):
        self.write("cluster.json", json.dumps(cluster_document))
        self.write("policy.json", json.dumps(policy_document))
        return self.cede(command, "--cluster", "cluster.json", "--policy", "policy.json", *question)

    def miss(self, cluster_document, policy_document, *question):
        status, out, err = self.ask("explain", cluster_document, policy_document, (*question, "--json"))
        self.assertEqual(err, "")
        return status, json.loads(out)

    def assert_each_is_enough(self, document, cluster_document, policy_document, question):
        miss = document["nearest_miss"]
        tried = 0
        for text in miss["changes"] if miss else []:
            if "more jobs be preempted" in text or "more job be preempted" in text:
                continue
            for last in (False, True) if " or " in text else (False,):
                change = Change(cluster_document, policy_document, question)
                change.make(text, last)
                status, out, err = self.ask("plan", change.cluster, change.policy, change.question)
                enough = (0, 1) if document["outcome"] == "impossible" else (0,)
                self.assertIn(status, enough, f"{text}\n{out}{err}\n{json.dumps(cluster_document)}\n"
                                              f"{json.dumps(policy_document)} {question}")
                self.assertNotIn("impossible:", out)
                tried += 1
        return tried

    def check(self, changes, cluster_document, policy_document, *question, place=None, missing=None, blockers=None):
        question = question or ("--job", "p")
        status, document = self.miss(cluster_document, policy_document, *question)
        miss = document["nearest_miss"]
        self.assertEqual(status, 1, document["reason"])
        self.assertEqual(miss["changes"], changes, document["reason"])
        if place is not None:
            self.assertEqual((miss["place"], miss["missing"]), (place, missing))
        if blockers is not None:
            self.assertEqual([(each["job"], each["node"], each["rule"]) for each in miss["blockers"]], blockers)
        self.assertGreaterEqual(
            self.assert_each_is_enough(document, cluster_document, policy_document, question), len(changes))


class PlaceTest(MissTest):
    """The best domain, what is missing there, who is in the way."""

    def setUp(self):
        super().setUp()
        self.nodes = [node("n1"), node("n2"), node("n3", "leaf-b"), node("n4", "leaf-b")]
        self.jobs = [running("batch", "n1", 7, **{"class": 2}), running("chat", "n1", 1, **{"class": 7},
                                                                         checkpoint={"mode": "auto"}),
                     running("sweep", "n2", 8, **{"class": 2}), running("api", "n3", 5, **{"class": 9},
                                                                          checkpoint={"mode": "auto"}),
                     running("eval", "n4", 8, **{"class": 2}),
                     waiting("p", 2, 8, **{"class": 5}, require={"network": [{"level": "leaf"}]})]

    def test_best_domain_and_who_is_in_the_way(self):
        self.check(["raise the class of 'p' from 5 to 8 or lower the class of 'chat' from 7 to 4",
                    "make the requirement network leaf a preference", "ask for 1 task instead of 2"],
                   cluster(self.nodes, [*self.jobs[:3], *self.jobs[3:]]) | {"nodes": [*self.nodes, node("n5", "leaf-c")]},
                   policy("class-cost"), place="leaf 'leaf-a'", missing="it has 15 of 16 gpu",
                   blockers=[("chat", "n1", "class")])

    def test_for_people(self):
        for command in ("plan", "explain"):
            out = self.ask(command, cluster(self.nodes, self.jobs), policy("class-cost"), ("--job", "p"))[1]
            self.assertIn("\nnearest   leaf 'leaf-a': it has 15 of 16 gpu once every unit that may be taken is gone\n"
                          "          job 'chat' on n1 may not be taken (class): its class 7 gives way to class 8 and "
                          "above, the\n          requester's is 5\n"
                          "would do  raise the class of 'p' from 5 to 8", out)

    def test_a_node_back_up(self):
        nodes = [*self.nodes, node("n5", state="down")]
        status, document = self.miss(cluster(nodes, self.jobs), policy("class-cost"), "--job", "p")
        self.assertEqual(status, 1)
        self.assertEqual(document["nearest_miss"]["changes"][0], "bring node 'n5' back (it is down)")
        self.assert_each_is_enough(document, cluster(nodes, self.jobs), policy("class-cost"), ("--job", "p"))

    def test_nodes_back_up_when_nothing_else_is_missing(self):
        nodes = [node("n1", state="drain"), node("n2", state="down"), node("n3", state="down")]
        self.check(["bring node 'n1' back (it is draining) and bring node 'n2' back (it is down)"],
                   cluster(nodes, [waiting("p", 2, 8)]), policy("priority"))
        self.check(["do not rule out node 'n1'"], cluster([node("n1")], [waiting("p", 1, 8)]), policy("priority"),
                   "--job", "p", "--avoid", "n1", place="node 'n1'", missing="it has 0 of 8 gpu")

    def test_reserved_node(self):
        document = cluster([node("n1")], [waiting("p", 1, 8)])
        document["reservations"] = [{"id": "maint", "nodes": ["n1"], "from": NOW + 60, "until": NOW + 600, "for": None}]
        self.check(["lift the reservation of node 'n1'"], document, policy("class-cost"))

    def test_room_for_some_tasks(self):
        nodes = [node("n1"), node("n2"), node("n3")]
        jobs = [running("low", "n1", 8, priority=1), running("high", "n2", 2, priority=9), waiting("p", 3, 8, priority=5)]
        self.check(["raise the priority of 'p' from 5 to 10", "ask for 2 tasks instead of 3"], cluster(nodes, jobs),
                   policy("quota"), place="group 'g'", missing="it has 22 of 24 gpu")
        jobs[1]["tasks"][0]["resources"]["gpu"] = 1
        nodes.append(node("n4", gpus=7))
        self.check(["raise the priority of 'p' from 5 to 10", "ask for 2 tasks instead of 3"], cluster(nodes, jobs),
                   policy("quota"), place="group 'g'",
                   missing="it has room for 2 of 3 tasks; node 'n2' has 7 of 8 gpu for the next")

    def test_impossible(self):
        self.check(["ask for 1 task instead of 2"], cluster([node("n1"), node("n2", gpus=4)], [waiting("p", 2, 8)]),
                   policy("priority"), place="group 'g'", missing="it has 12 of 16 gpu")
        self.check(["make the requirement network leaf a preference", "ask for 1 task instead of 2"],
                   cluster([node("n1"), node("n2", "leaf-b")],
                           [waiting("p", 2, 8, require={"network": [{"level": "leaf"}]})]),
                   policy("priority"), place="leaf 'leaf-a'", missing="it has 8 of 16 gpu")

    def test_nothing_to_say_about_a_yes(self):
        self.assertIsNone(self.miss(cluster([node("n1")], [waiting("p", 1, 8)]), policy("priority"), "--job", "p")
                          [1]["nearest_miss"])

    def test_no_change_where_none_is_enough(self):
        jobs = [running("own", "n1", 8, kind="sensitive"), waiting("p", 1, 8, **{"class": 9})]
        self.check([], cluster([node("n1")], jobs), policy("class-cost"), place="node 'n1'", missing="it has 0 of 8 gpu",
                   blockers=[("own", "n1", "sensitive")])


class RuleTest(MissTest):
    """One test for each rule that a change can lift."""

    def full(self, profile, victim=None, own=None, settings=None, question=("--job", "p"), **queues):
        victim = {"class": 1, "priority": 1, **(victim or {})}
        own = {"class": 5, "priority": 5, **(own or {})}
        return (cluster([node("n1")], [running("v", "n1", 8, **victim), waiting("p", 1, 8, **own)], **queues),
                policy(profile, **(settings or {})), *question)

    def test_units(self):
        auto = {"mode": "auto"}
        self.check(["raise the priority of 'p' from 5 to 10"], *self.full("quota", {"priority": 9}))
        self.check(["raise the priority of 'p' from 5 to 9"],
                   *self.full("guarantee", {"priority": 9}, b={"guaranteed": {"gpu": 8}}))
        self.check(["raise the priority of 'p' from 5 to 7 and raise preemptible_priority of queue 'root.a' from 5 to 6"],
                   *self.full("priority", {"priority": 6}))
        self.check(["raise preemptible_priority of queue 'root.a' from 5 to 6"], *self.full("priority", {"priority": 6},
                                                                                          {"priority": 50}))
        self.check(["let job 'v' be preempted (preemptible)"], *self.full("class-cost", {"preemptible": False}))
        self.check(["do not protect job 'v'"], *self.full("class-cost", question=("--job", "p", "--protect", "v")))
        self.check(["switch preemption on for queue 'root.a'"],
                   *self.full("class-cost", a={"settings": {"preemption": "off"}}))
        self.check(["raise max_preempted_count of queue 'root.a' from 2 to 4"],
                   *self.full("class-cost", {"preempted_count": 3}, settings={"max_preempted_count": 2}))
        self.check(["wait until 2025-10-09T09:23:20Z (min_runtime of queue 'root.a')"],
                   *self.full("class-cost", settings={"min_runtime": "3h"}))
        self.check(["raise the class of 'p' from 5 to 9 or lower the class of 'v' from 8 to 4 and let job 'v' write checkpoints"],
                   *self.full("class-cost", {"class": 8}))
        self.check(["raise the class of 'p' from 5 to 9 or lower the class of 'v' from 8 to 4"],
                   *self.full("class-cost", {"class": 8, "checkpoint": auto}))
        self.check(["raise the class of 'p' from 3 to 4 or lower the class of 'v' from 2 to 0"],
                   *self.full("class-cost", {"class": 2}, {"class": 3}, settings={"class_rule": "banded"}))

    def test_triggers(self):
        self.check(["switch preemption on for queue 'root.b'"],
                   *self.full("class-cost", b={"settings": {"preemption": "off"}}))
        self.check(["let job 'p' preempt (may_preempt)"], *self.full("class-cost", own={"may_preempt": False}))
        self.check(["raise the max of job 'p' from 4 to 8 gpu"], *self.full("class-cost", own={"max": {"gpu": 4}}))
        self.check(["raise the priority of 'p' from 0 to 2"], *self.full("priority", own={"priority": 0}))
        self.check(["wait until 2025-10-09T08:53:40Z (preemption.delay)"],
                   *self.full("guarantee", own={"submitted": NOW - 10}, b={"guaranteed": {"gpu": 8}}))

    def test_not_first_in_line(self):
        jobs = [running("v", "n1", 8, priority=1), waiting("q", 1, 8, priority=7), waiting("p", 1, 8, priority=5)]
        self.check(["raise the priority of 'p' from 5 to 8, or let job 'q' start first"], cluster([node("n1")], jobs),
                   policy("priority"))

    def test_quotas(self):
        self.check(["raise the max of queue 'root.b' from 4 to 8 gpu"], *self.full("class-cost", b={"max": {"gpu": 4}}))
        for profile in ("class-cost", "quota"):
            with self.subTest(profile=profile):
                document = cluster([node("n1"), node("n2")],
                                   [running("v", "n1", 8, **{"class": 1, "priority": 1}),
                                    running("own", "n2", 4, queue="root.b", **{"class": 9, "priority": 9}),
                                    waiting("p", 1, 8, **{"class": 5, "priority": 5})], b={"max": {"gpu": 8}})
                self.check(["raise the max of queue 'root.b' from 8 to 12 gpu"], document, policy(profile))
        self.check(["raise the guaranteed of queue 'root.b' from 4 to 8 gpu, or let job 'p' be preempted (preemptible)"],
                   *self.full("quota", own={"preemptible": False}, b={"guaranteed": {"gpu": 4}}))

    def test_guarantees(self):
        self.check(["raise the guarantee of queue 'root.b' from 4 gpu to more than the 4 it uses"],
                   cluster([node("n1"), node("n2")], [running("v", "n1", 8), running("own", "n2", 4, queue="root.b"),
                                                      waiting("p", 1, 8)], b={"guaranteed": {"gpu": 4}}),
                   policy("guarantee"))
        self.check(["raise the guarantee of queue 'root.b' from 0 gpu to more than the 0 it uses"], *self.full("guarantee"))
        self.check(["lower the guarantee of queue 'root.a' from 8 to 0 gpu"],
                   *self.full("guarantee", a={"guaranteed": {"gpu": 8}}, b={"guaranteed": {"gpu": 8}}))

    def test_caps(self):
        jobs = [running(f"v{i}", "n1", 2, **{"class": 1}) for i in range(4)]
        self.check(["raise max_victims from 3 to 4"], cluster([node("n1")], [*jobs, waiting("p", 1, 8, **{"class": 5})]),
                   policy("class-cost"), place="node n1", missing="it would fit without jobs v[0-3]")
        self.check(["give job 'p' a value above 1201 minutes (it has 10)"],
                   *self.full("class-cost", own={"value": 10}), place="node n1", missing="it would fit without job v")

    def test_several_rules_of_several_units(self):
        jobs = [running("v1", "n1", 4, **{"class": 6}, checkpoint={"mode": "auto"}),
                running("v2", "n1", 4, **{"class": 8}, checkpoint={"mode": "auto"}), waiting("p", 1, 8, **{"class": 5})]
        self.check(["raise the class of 'p' from 5 to 9"], cluster([node("n1")], jobs), policy("class-cost"))


class LivesTest(MissTest):
    """Clusters at random: whatever is proposed is enough."""

    def life(self, dice):
        nodes = [node(f"n{i}", f"leaf-{dice.choice('abc')}", dice.choice((4, 8)),
                      state=dice.choice(("up", "up", "up", "drain", "down"))) for i in range(dice.randint(1, 6))]
        free = {each["id"]: each["resources"]["gpu"] for each in nodes}
        jobs = []
        for i in range(dice.randint(0, 9)):
            where = dice.choice(nodes)["id"]
            gpus = dice.randint(1, 8)
            if gpus > free[where]:
                continue
            free[where] -= gpus
            job = running(f"j{i}", where, gpus, queue=dice.choice(("root.a", "root.b")),
                          **{"class": dice.randint(0, 9), "priority": dice.randint(0, 12)})
            job["started"] = NOW - dice.choice((60, 9000))
            job["checkpoint"] = {"mode": dice.choice(("auto", "none"))}
            job["preemptible"] = dice.choice((True, True, False))
            jobs.append(job)
        own = waiting("p", dice.randint(1, 3), dice.choice((2, 4, 8)),
                      **{"class": dice.randint(0, 9), "priority": dice.randint(0, 12)})
        if dice.random() < 0.4:
            own["require"] = {"network": [{"level": "leaf"}]}
        if dice.random() < 0.2:
            own["value"] = dice.randint(1, 2000)
        jobs.append(own)
        limits = {queue: {what: {"gpu": dice.randint(1, 20)} for what in ("max", "guaranteed") if dice.random() < 0.3}
                  for queue in ("a", "b")}
        for limit in limits.values():
            if len(limit) == 2:
                limit["max"]["gpu"] = max(limit["max"]["gpu"], limit["guaranteed"]["gpu"])
        return cluster(nodes, jobs, **limits)

    def test_every_change_is_enough(self):
        for profile in PROFILES:
            settings = {"min_runtime": "10m"} if profile != "fair-share" else {}
            tried = noes = 0
            for seed in range(60):
                document = self.life(random.Random(f"{profile} {seed}"))
                rules = policy(profile, **settings)
                with self.subTest(profile=profile, seed=seed):
                    status, answer = self.miss(document, rules, "--job", "p")
                    noes += status
                    if status == 1:
                        tried += self.assert_each_is_enough(answer, document, rules, ("--job", "p"))
            if profile != "fair-share":
                self.assertGreater(tried, noes / 3, f"{profile}: {noes} noes")


if __name__ == "__main__":
    unittest.main()
