# SPDX-License-Identifier: MIT
"""Names with characters that are not seen but change how a line is shown: people get them escaped, programs exact."""
import json
import unittest

from cede_run import CommandTest

# Directions of writing and separators of lines, which names may have; the controls they may not have come last.
UNSEEN = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = "\u0085\u009b\u001b\u007f"
POLICY = {"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}, "fair": {"profile": "fair-share"}}}


def odd(name, character="\u202e"):
    return name + character + "dne"


def cluster(character="\u202e"):
    def job(name, group="g", **more):
        return {"id": odd(name, character), "queue": odd("root", character), "group": odd(group, character),
                "user": odd("u", character), **more}

    node = odd("n", character)
    return {"format": "cede-cluster/1", "now": 1000000, "topologies": {odd("box", character): {"gpus": 2}},
            "groups": [{"id": odd("g", character), "policy": "default"}, {"id": odd("f", character), "policy": "fair"}],
            "queues": [{"id": odd("root", character)}],
            "nodes": [{"id": node, "group": odd("g", character), "topology": odd("box", character),
                       "resources": {"gpu": 2}},
                      {"id": odd("m", character), "group": odd("f", character), "resources": {odd("cpu", character): 4}}],
            "jobs": [job("low", state="running", priority=1, started=999000,
                         tasks=[{"id": odd("t", character), "node": node, "gpus": [0, 1], "resources": {"gpu": 2}}]),
                     job("high", priority=50, submitted=990000, tasks=[{"resources": {"gpu": 1}}]),
                     job("fair", "f", submitted=990000, tasks=[{"resources": {odd("cpu", character): 1}}])]}


class UnseenTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("policy.json", json.dumps(POLICY))
        self.write("cluster.json", json.dumps(cluster()))

    def ask(self, command, *more):
        return self.cede(command, "--cluster", "cluster.json", "--policy", "policy.json", *more)

    def assert_seen(self, text, *names):
        """What people get: every line is shown in its own order, and the names are there."""
        self.assertEqual([c for c in text if c in UNSEEN + CONTROLS], [], text)
        for name in names:
            self.assertIn(name, text)

    def test_every_character(self):
        for character in UNSEEN:
            with self.subTest(character=f"{ord(character):04x}"):
                self.write("cluster.json", json.dumps(cluster(character)))
                status, out, err = self.ask("plan", "--job", odd("high", character))
                self.assertEqual((status, err), (0, ""))
                self.assert_seen(out, f"low\\u{ord(character):04x}dne", f"n\\u{ord(character):04x}dne")

    def test_every_view(self):
        for command in (("plan", "--job", odd("high")), ("explain", "--job", odd("high")),
                        ("plan", "--relief", "node:" + odd("n")), ("shares",)):
            with self.subTest(command=command):
                status, out, err = self.ask(*command)
                self.assertIn(status, (0, 1), err)
                self.assert_seen(out + err, "\\u202edne")

    def test_json_is_exact(self):
        _, out, _ = self.ask("plan", "--json", "--job", odd("high"))
        document = json.loads(out)
        self.assertEqual((document["job"], document["victims"][0]["job"]), (odd("high"), odd("low")))
        _, out, _ = self.cede("export", "--cluster", "cluster.json")
        self.assertEqual({job["id"] for job in json.loads(out)["jobs"]}, {odd("low"), odd("high"), odd("fair")})

    def test_messages(self):
        for character in UNSEEN + CONTROLS:
            with self.subTest(character=f"{ord(character):04x}"):
                wrong = cluster("")
                wrong["jobs"][1]["queue"] = odd("nobody", character)
                self.write("wrong.json", json.dumps(wrong))
                status, out, err = self.cede("check", "wrong.json")
                self.assertEqual(status, 2)
                self.assert_seen(out + err, f"'nobody\\u{ord(character):04x}dne'")
        self.assert_seen(self.ask("plan", "--job", odd("nobody"))[2], "'nobody\\u202edne'")
        self.assert_seen(self.cede("check", odd("missing"))[2], "missing\\u202edne")

    def test_pictures(self):
        self.write("topology.conf", f"SwitchName={odd('s')} Nodes={odd('n')}\n")
        status, out, err = self.cede("topology", "topology.conf")
        self.assertEqual((status, err), (0, ""))
        self.assert_seen(out, "\\u202e")


if __name__ == "__main__":
    unittest.main()
