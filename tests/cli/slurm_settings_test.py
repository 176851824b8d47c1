# SPDX-License-Identifier: MIT
"""cede check knows the settings of the Slurm plugin."""
import json
import unittest

from cede_run import CommandTest

GOOD = {
    "format": "cede-slurm/1", "enabled": True, "library": "libcede.so.0", "x-note": "the site's own",
    "policy": {"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}},
    "groups": {"gpu": {"policy": "default"}},
    "class": {"tiers": {"10": 8}, "partitions": {"debug": 6}, "accounts": {"a": 2}, "qos": {"q": 10}, "default": 4},
    "comment_may_raise": {"qos": {"q": 9}, "accounts": {"a": 5}},
    "queue": {"from": "account", "names": {"a": "root.a"}},
    "queues": [{"id": "root"}, {"id": "root.a", "parent": "root", "max": {"gpu": 8}}],
    "priority": {"from": "job", "divide": 1000, "min": 0, "max": 100, "qos": {"q": 3}},
    "comment": {"prefix": "cede:", "keys": ["ckpt", "est", "class"]},
    "checkpoint": {"default": "none", "signal": "auto"},
    "grace": {"checkpoint": "10m", "terminate": 30},
    "fingerprint": {"prefix": "fp:"},
    "topology": {"use": True, "file": "/etc/slurm/topology.conf"},
    "hwloc": {"folder": "/etc/slurm/hwloc", "command": "/usr/bin/cede"},
    "reservations": True, "licences": False, "untranslated": "ignore", "log": "all",
    "decision_ttl": "1h30m", "leaving_timeout": 60, "max_pending": 10, "search_work": 5000, "threads": 2,
}

# What is changed, where it is told, and what is said.
WRONG = [
    ({"clas": {}}, "clas", "unknown field 'clas'; did you mean 'class'?"),
    ({"class": {"qos": {"q": 11}}}, "class.qos.q", "11 is outside 0..10"),
    ({"class": {"qos": {"q": 1.5}}}, "class.qos.q", "1.5 is no whole number"),
    ({"class": {"tiers": {"high": 1}}}, "class.tiers.high", "'high' is no PriorityTier"),
    ({"class": 4}, "class", "an object is wanted, not a number"),
    ({"groups": {"gpu": {}}}, "groups.gpu", "'policy' is missing"),
    ({"groups": {"gpu": {"polic": "x"}}}, "groups.gpu.polic", "only 'policy' is known"),
    ({"comment": {"keys": ["klass"]}}, "comment.keys", "'klass' is none of ckpt, est, timeout, restart, last, class"),
    ({"log": "some"}, "log", "'some' is none of decisions, all, none"),
    ({"decision_ttl": "soon"}, "decision_ttl", "a duration is wanted"),
    ({"decision_ttl": -1}, "decision_ttl", "a duration is wanted"),
    ({"policy_file": "/p.json"}, "policy_file", "exclude each other"),
    ({"topology": {"file": "topology.conf"}}, "topology.file", "is no absolute path"),
    ({"priority": {"min": 2, "max": 1}}, "priority.min", "'min' is above 'max'"),
    ({"threads": 0}, "threads", "0 is outside 1..256"),
    ({"policy": {"format": "cede-policy/1", "policies": {"default": {"profile": "clas-cost"}}}},
     "policy.policies.default.profile", "class-cost"),
    ({"queues": [{"id": "root"}, {"id": "a", "parent": "rot"}]}, "queues[1].parent", "'rot' is not a queue"),
]


class SlurmSettingsTest(CommandTest):
    def check(self, document):
        self.write("cede-slurm.json", json.dumps(document, indent=1))
        status, out, _ = self.cede("check", "--json", "cede-slurm.json")
        (report,) = json.loads(out)["files"]
        return status, report

    def test_everything_is_taken(self):
        status, report = self.check(GOOD)
        self.assertEqual((status, report["format"], report["findings"]), (0, "cede-slurm/1", []))
        self.assertEqual(self.check({"format": "cede-slurm/1"})[0], 0)

    def test_each_mistake_is_told_with_its_place(self):
        for change, path, text in WRONG:
            with self.subTest(change):
                status, report = self.check({**GOOD, **change})
                self.assertEqual(status, 2)
                self.assertEqual([f["path"] for f in report["findings"]], [path])
                self.assertIn(text, report["findings"][0]["text"])
                lines = json.dumps({**GOOD, **change}, indent=1).splitlines()
                line = lines[report["findings"][0]["line"] - 1]
                self.assertRegex(line, path.replace("]", "").split(".")[-1].split("[")[0].replace("keys", "klass"))

    def test_several_mistakes_at_once(self):
        _, report = self.check({**GOOD, "log": 1, "threads": 0, "lib": "x"})
        self.assertEqual(len(report["findings"]), 3)

    def test_broken_text(self):
        for text in ('{"format": "cede-slurm/1"', '{"format": "cede-slurm/1", "log": "all", "log": "none"}',
                     '{"format": "cede-slurm/1", "log": "a\\u00"}', '{"format": "cede-slurm/1"} x', "[" * 1000):
            with self.subTest(text[:40]):
                self.write("cede-slurm.json", text)
                self.assertEqual(self.cede("check", "cede-slurm.json")[0], 2)


if __name__ == "__main__":
    unittest.main()
