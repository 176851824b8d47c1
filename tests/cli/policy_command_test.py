# SPDX-License-Identifier: MIT
import json
import unittest

from cede_run import CLUSTER, POLICY, CommandTest

PROFILES = ["class-cost", "fair-share", "guarantee", "priority", "quota"]


class PolicyTest(CommandTest):
    def document(self, *arguments):
        status, out, err = self.cede("policy", "--json", *arguments)
        self.assertEqual((status, err), (0, ""))
        document = json.loads(out)
        self.assertEqual(document["format"], "cede-profiles/1")
        return document["profiles"]

    def test_json(self):
        profiles = self.document()
        self.assertEqual(sorted(p["name"] for p in profiles), PROFILES)
        for profile in profiles:
            self.assertTrue(profile["help"])
            self.assertIn("max_victims", [s["name"] for s in profile["settings"]])
            for setting in profile["settings"]:
                self.assertEqual(list(setting), ["name", "default", "unit", "range", "side", "help"])
                self.assertTrue(all(setting.values()), setting)
                self.assertIn(setting["side"], ("requester", "victim", "both"))

    def test_json_of_one_profile(self):
        only, = self.document("--profile", "quota")
        self.assertEqual(only, next(p for p in self.document() if p["name"] == "quota"))

    def test_table_has_every_setting(self):
        status, out, err = self.cede("policy", "--profile", "class-cost")
        self.assertEqual((status, err), (0, ""))
        # The summary may take two lines.
        summary, table = out.split("\n  SETTING", 1)
        self.assertTrue(summary.startswith("class-cost: "), summary)
        titles, *rows = ("  SETTING" + table).splitlines()
        # At 100 columns the help stands below each row, further in.
        rows = [row for row in rows if row[2:3].strip()]
        settings = self.document("--profile", "class-cost")[0]["settings"]
        self.assertEqual([row.split()[0] for row in rows], [s["name"] for s in settings])
        for title, member in (("UNIT", "unit"), ("READ ON", "side")):
            column = titles.index(title)
            self.assertEqual([row[column:].split("  ")[0] for row in rows], [s[member] for s in settings])
        words = " ".join(out.split())
        for setting in settings:
            self.assertIn(setting["help"], words)

    def test_help_beside_the_rest_on_a_wide_terminal(self):
        shown = self.cede_on_terminal("policy", "--color=never", "--profile=class-cost", columns=200)[1].splitlines()
        self.assertTrue(shown[1].endswith("  HELP"), shown[1])
        grace = next(s for s in self.document("--profile", "class-cost")[0]["settings"] if s["name"] == "grace")
        row = next(line for line in shown if line.split()[0] == "grace")
        self.assertEqual(row[shown[1].index("HELP"):], grace["help"])

    def test_all_profiles(self):
        out = self.cede("policy")[1]
        for profile in PROFILES:
            self.assertIn(f"\n{profile}: ", "\n" + out)

    def test_width(self):
        self.assertLessEqual(max(map(len, self.cede("policy")[1].splitlines())), 100)
        for columns in (50, 80, 100, 132, 200):
            with self.subTest(columns=columns):
                shown = self.cede_on_terminal("policy", "--color=never", columns=columns)[1]
                self.assertLessEqual(max(map(len, shown.splitlines())), columns)
        narrow = self.cede_on_terminal("policy", "--color=never", columns=50)[1]
        self.assertLess(shown.count("\n"), narrow.count("\n"))

    def test_unknown_profile(self):
        self.assert_one_error(self.cede("policy", "--profile", "class-cots"),
                              "cede: unknown profile 'class-cots'; did you mean 'class-cost'?")
        result = self.cede("policy", "--json", "--profile", "zzz")
        self.assert_one_error(result, "unknown profile 'zzz'; known are ", *PROFILES)


class PolicyCheckTest(CommandTest):
    def test_good(self):
        self.assertEqual(self.cede("policy", "--check", "policy.json"), (0, "policy.json: ok, cede-policy/1\n", ""))
        self.assertEqual(self.cede("policy", "--check", "-", input=POLICY)[0], 0)

    def test_wrong(self):
        self.write("wrong.json", POLICY.replace('"class-cost"', '"class-cost", "settings": {"max_victim": 3}'))
        result = self.cede("policy", "--check", "wrong.json")
        self.assert_one_error(result, "wrong.json:2:", ": policies.default.settings.max_victim: ", "'max_victims'")
        status, out, err = self.cede("policy", "--json", "--check", "wrong.json")
        self.assertEqual((status, err), (2, result[2]))
        self.assertFalse(json.loads(out)["files"][0]["ok"])

    def test_other_document(self):
        self.write("cluster.json", CLUSTER)
        self.assert_one_error(self.cede("policy", "--check", "cluster.json"),
                              "cluster.json: format: this is a cede-cluster/1 document, and cede-policy/1 is needed")

    def test_missing(self):
        self.assert_one_error(self.cede("policy", "--check", "no.json"), "No such file or directory")

    def test_not_both(self):
        self.assert_one_error(self.cede("policy", "--profile=quota", "--check=policy.json"), "not both")


if __name__ == "__main__":
    unittest.main()
