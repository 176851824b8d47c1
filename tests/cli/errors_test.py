# SPDX-License-Identifier: MIT
"""Whatever is wrong with what a command is given: status 2 and exactly one line on standard error, with --json too."""
import json
import re
import unittest

from cede_run import CLUSTER, POLICY, CommandTest

BROKEN = {
    "missing.json": None,
    "empty.json": "",
    "text.json": "hello",
    "cut.json": CLUSTER[:60],
    "list.json": "[]",
    "format.json": '{"format": "cede-nothing/1"}',
    "other.json": '{"format": "cede-changes/1"}',
    "bytes.json": b'{"format": "cede-cluster/1", "now": "\xff"}',
    "control.json": '{"format": "cede-cluster/1", "no\\u001b[31mthing\\nmore": 1}',
}
SCENARIO = {"format": "cede-scenario/1", "policy": json.loads(POLICY), "cluster": {**json.loads(CLUSTER), "jobs": []},
            "jobs": [{"id": "a", "queue": "root", "tasks": [{"resources": {"gpu": 1}}], "run": {"duration": 1}}]}


class ErrorTest(CommandTest):
    def setUp(self):
        super().setUp()
        for name, text in BROKEN.items():
            if text is not None:
                self.write(name, text)

    def assert_one_line(self, *arguments, **options):
        """One line on standard error. Standard output is empty, or a whole document that --json promises even then."""
        status, out, err = self.cede(*arguments, **options)
        told = f"{arguments}: {out!r} {err!r}"
        self.assertEqual(status, 2, told)
        self.assertRegex(err, r"\A[^\n]+\n\Z", told)
        self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", err), told)
        self.assertFalse(err.rstrip().endswith("."), told)
        if out:
            self.assertIn("--json", arguments, told)
            json.loads(out)
        return err

    def both(self, *arguments):
        plain = self.assert_one_line(*arguments)
        self.assertEqual(self.assert_one_line(*arguments, "--json"), plain, "the same line with --json")

    def test_broken_clusters(self):
        for name in BROKEN:
            with self.subTest(name=name):
                rest = ("--cluster", name, "--policy", "policy.json")
                for command in (("plan", *rest, "--job", "j1"), ("explain", *rest, "--job", "j1"), ("shares", *rest),
                                ("admit", *rest, "--queue", "root")):
                    self.both(*command)
                self.assert_one_line("export", *rest)

    def test_broken_policies(self):
        for name in BROKEN:
            with self.subTest(name=name):
                rest = ("--cluster", "cluster.json", "--policy", name)
                for command in (("plan", *rest, "--job", "j1"), ("explain", *rest, "--job", "j1"), ("shares", *rest),
                                ("admit", *rest, "--queue", "root"), ("policy", "--check", name)):
                    self.both(*command)
                self.assert_one_line("export", *rest)

    def test_broken_files_of_check(self):
        for name in BROKEN:
            if name != "other.json":  # a good document, of another format
                with self.subTest(name=name):
                    self.both("check", name)

    def test_broken_topologies(self):
        self.write("cut.xml", '<?xml version="1.0"?><topology version="2.0"><object type="Machine"')
        self.write("wrong.xml", "<system><cpu/></system>")
        self.write("bad.conf", "SwitchName=s0 Nodes=n[1-\n")
        for name in (*(name for name in BROKEN if name != "control.json"), "cut.xml", "wrong.xml", "bad.conf"):
            with self.subTest(name=name):
                self.both("topology", name)

    def test_broken_scenarios(self):
        self.write("wrong.json", json.dumps({**SCENARIO, "speed": 0}))
        self.write("event.json", json.dumps({**SCENARIO, "events": [{"event": "claims", "at": 1}]}))
        for name in (*BROKEN, "wrong.json", "event.json"):
            with self.subTest(name=name):
                self.both("run", name)
                self.both("run", "--resume", name)

    def test_two_broken_files(self):
        for first, second in (("text.json", "cut.json"), ("missing.json", "empty.json"), ("list.json", "other.json")):
            with self.subTest(first=first, second=second):
                rest = ("--cluster", first, "--policy", second)
                for command in (("plan", *rest, "--job", "j1"), ("plan", *rest, "--batch", "j1"),
                                ("explain", *rest, "--job", "j1"), ("shares", *rest), ("admit", *rest, "--queue", "root"),
                                ("admit", *rest, "--job", "j1", "--changes", first)):
                    self.both(*command)
                self.assert_one_line("export", *rest)

    def test_several_faults_in_one_file(self):
        faulty = {**json.loads(CLUSTER), "nodes": [{"id": "n1", "colour": 1}, {"id": "n2", "size": 2}, {"id": "n3", "age": 3}]}
        self.write("faulty.json", json.dumps(faulty))
        self.write("changes.json", json.dumps({"format": "cede-changes/1", "put": {"nodes": faulty["nodes"]}}))
        self.write("settings.json", POLICY.replace('"profile"', '"settings": {"a": 1, "b": 2}, "profile"'))
        self.write("scenario.json", json.dumps({**SCENARIO, "speed": 0, "patience": "x", "more": 1}))
        for cluster, policy in (("faulty.json", "policy.json"), ("cluster.json", "settings.json")):
            rest = ("--cluster", cluster, "--policy", policy)
            for command in (("plan", *rest, "--job", "j1"), ("explain", *rest, "--job", "j1"), ("shares", *rest),
                            ("admit", *rest, "--queue", "root")):
                self.both(*command)
        self.both("run", "scenario.json")
        self.both("admit", "--cluster", "cluster.json", "--policy", "policy.json", "--job", "j1", "--changes", "changes.json")
        err = self.assert_one_line("export", "--cluster", "faulty.json")
        self.assertIn("(and 2 more; 'cede check' lists them)", err)
        self.assertEqual(len(self.cede("check", "faulty.json")[2].splitlines()), 3)

    def test_wrong_questions(self):
        rest = ("--cluster", "cluster.json", "--policy", "policy.json")
        for command in (("plan", *rest, "--job", "nobody"), ("plan", *rest, "--job", "j1", "--now", "soon"),
                        ("plan", *rest), ("plan", *rest, "--batch", "j1,j1"), ("plan", *rest, "--batch", "j1,nobody"),
                        ("plan", *rest, "--relief", "nothing"), ("plan", *rest, "--relief", "node:n7"),
                        ("plan", *rest, "--claim", "root", "--nodes", "n7", "--reason", "reclaim"),
                        ("plan", *rest, "--claim", "root", "--nodes", "n1", "--reason", "fun"),
                        ("plan", *rest, "--job", "j1", "--avoid", "n7"), ("plan", *rest, "--job", "j1", "--state", "missing.json"),
                        ("plan", *rest, "--job", "j1", "--state", "text.json"), ("explain", *rest, "--job", "nobody"),
                        ("explain", *rest), ("shares", *rest), ("shares", *rest, "--group", "h"),
                        ("admit", *rest, "--job", "nobody"), ("admit", *rest, "--queue", "nowhere"),
                        ("policy", "--profile", "none"), ("check",), ("topology",), ("run",), ("run", "--demo", "--speed", "0")):
            with self.subTest(command=command):
                self.both(*command)

    def test_wrong_commands(self):
        for command in ((), ("plam",), ("plan", "--clutser", "x"), ("check", "--json=yes", "cluster.json"), ("help", "nothing"),
                        ("plan", "--job"), ("export", "--output"), ("policy", "operand"), ("--colour", "never", "check")):
            with self.subTest(command=command):
                self.assert_one_line(*command)


if __name__ == "__main__":
    unittest.main()
