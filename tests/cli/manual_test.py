# SPDX-License-Identifier: MIT
"""The manual pages: they format without complaint, and know every field, setting, option and call."""
import json
import os
import re
import shutil
import subprocess
import unittest

from cede_run import SOURCE, TIMEOUT, CommandTest

MANUAL = os.environ["CEDE_MANUAL"]
PAGES = ["libcede.3", "cede.1", "cede-cluster.5", "cede-policy.5", "cede-plan.5", "cede-scenario.5", "cede-slurm.8"]
# Where the fields of a format stand; those of an embedded format stand on its own page.
PAGE_OF = {"cede-cluster/1": "cede-cluster.5", "cede-changes/1": "cede-cluster.5", "cede-policy/1": "cede-policy.5",
           "cede-plan/1": "cede-plan.5", "cede-in-flight/1": "cede-plan.5", "cede-events/1": "cede-plan.5", "cede-actions/1": "cede-plan.5",
           "cede-admission/1": "cede-plan.5",
           "cede-shares/1": "cede-plan.5", "cede-topology/1": "cede-plan.5", "cede-scenario/1": "cede-scenario.5",
           "cede-slurm/1": "cede-slurm.8", "cede-check/1": "cede.1", "cede-profiles/1": "cede.1", "cede-run/1": "cede.1",
           "cede-topologies/1": "cede.1"}
ELSEWHERE = {"cede-topology/1": ["cede-cluster.5"], "cede-topologies/1": ["cede-plan.5", "cede-cluster.5"], "cede-scenario/1": ["cede-cluster.5", "cede-policy.5"],
             "cede-slurm/1": ["cede-cluster.5", "cede-policy.5"], "cede-cluster/1": ["cede-policy.5"],
             "cede-changes/1": ["cede-policy.5"]}


def page(name):
    with open(os.path.join(MANUAL, name), encoding="utf-8") as file:
        return file.read()


class ManualTest(CommandTest):
    def run_clean(self, *command):
        result = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False,
                                env=self.environment(LC_ALL="C.UTF-8", MANROFFSEQ="", MANWIDTH="80"))
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_has_no_complaint(self):
        for name in PAGES:
            with self.subTest(page=name):
                self.assertIn(b"NAME", self.run_clean("groff", "-man", "-ww", "-Tutf8", "-P-cbou", os.path.join(MANUAL, name)))

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_man_has_no_complaint(self):
        for name in PAGES:
            with self.subTest(page=name):
                self.run_clean("man", "--warnings", "-l", os.path.join(MANUAL, name))

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_mandoc_has_no_complaint(self):
        for name in PAGES:
            with self.subTest(page=name):
                self.assertEqual(self.run_clean("mandoc", "-Tlint", os.path.join(MANUAL, name)), b"")

    def test_nothing_is_left_to_fill_in(self):
        version = self.cede("--version")[1].split()[1]
        for name in PAGES:
            with self.subTest(page=name):
                self.assertNotRegex(page(name), r"@[A-Z]+@|^@")
                self.assertIn(f"cede {version}\"", page(name))

    def test_every_field(self):
        for name in self.cede("schema")[1].split():
            schema = json.loads(self.cede("schema", name)[1])
            text = "".join(page(each) for each in [PAGE_OF[name], *ELSEWHERE.get(name, [])]).replace("\\-", "-")
            for definition, content in schema["$defs"].items():
                for field in content.get("properties", {}):
                    with self.subTest(format=name, object=definition, field=field):
                        self.assertIn(f".TP\n\\fB{field}\\fR\n", text)

    def test_every_setting_with_its_default(self):
        text = page("cede-policy.5").replace("\\-", "-")
        for profile in json.loads(self.cede("policy", "--json")[1])["profiles"]:
            section = text.split(f".SS Settings of {profile['name']}\n")[1].split(".SS ")[0].split(".SH ")[0]
            shared = text.split(".SS Settings of every profile\n")[1].split(".SS ")[0]
            for setting in profile["settings"]:
                if setting["name"].startswith("preemption."):
                    continue  # a field of queues
                with self.subTest(profile=profile["name"], setting=setting["name"]):
                    where = section if f"\\fB{setting['name']}\\fR" in section else shared
                    entry = " ".join(where.split(f"\\fB{setting['name']}\\fR\n")[1].split(".TP")[0].split())
                    self.assertIn(f"default {setting['default']}", entry)

    def test_every_call_constant_and_option(self):
        text = page("libcede.3").replace("\\-", "-")
        with open(os.path.join(SOURCE, "include/cede/cede.h"), encoding="utf-8") as file:
            header = file.read()
        names = set(re.findall(r"\b(cede_\w+)\(", header)) | set(re.findall(r"#define (CEDE_\w+)", header))
        names |= set(re.findall(r"^typedef struct (cede_\w+)", header, re.MULTILINE))
        self.assertGreater(len(names), 100)
        for name in names - {"CEDE_CEDE_H", "CEDE_API"}:
            self.assertRegex(text, rf"\b{name}\b")
        for section in re.findall(r"/\* ---- (.*?) -+ \*/", header):
            self.assertIn(f'.SS "{section}"', text)


if __name__ == "__main__":
    unittest.main()
