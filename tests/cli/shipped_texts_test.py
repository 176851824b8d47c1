# SPDX-License-Identifier: MIT
"""The man page and the completions know what the command knows."""
import json
import os
import re
import shutil
import subprocess
import unittest

from cede_run import COMMAND, SOURCE, TIMEOUT, CommandTest

MAN = os.path.join(os.environ["CEDE_MANUAL"], "cede.1")
BASH = os.path.join(SOURCE, "packaging/completion/cede.bash")
ZSH = os.path.join(SOURCE, "packaging/completion/cede.zsh")


class ShippedTest(CommandTest):
    def setUp(self):
        super().setUp()
        section = self.cede("--help")[1].split("Commands:\n")[1].split("\n\n")[0]
        names = [line.split()[0] for line in section.splitlines()]
        self.options = {name: self.options_in(self.cede("help", name)[1]) for name in names}
        self.own = self.options_in(self.cede("--help")[1])
        self.profiles = [p["name"] for p in json.loads(self.cede("policy", "--json")[1])["profiles"]]

    @staticmethod
    def options_in(text):
        return set(re.findall(r"^  (?:(?:-\w), )?(--[a-z-]+)", text, re.MULTILINE))

    @staticmethod
    def text_of(path):
        with open(path, encoding="utf-8") as file:
            return file.read()


class ManTest(ShippedTest):
    def test_knows_every_command_and_option(self):
        page = self.text_of(MAN).replace("\\-", "-")
        for name, options in self.options.items():
            section = re.search(rf"^\.SS \"?cede {name}\b.*?(?=^\.S[SH])", page, re.MULTILINE | re.DOTALL)
            self.assertTrue(section, f"no section on '{name}'")
            for option in options - {"--color", "--help"}:
                self.assertIn(option, section.group())
        for option in self.own:
            self.assertIn(option, page)

    def test_version(self):
        self.assertIn(f'"cede {self.cede("--version")[1].split()[1]}"', self.text_of(MAN))

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_formats_without_complaint(self):
        result = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou", MAN], capture_output=True,
                                timeout=TIMEOUT, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b"EXIT STATUS", result.stdout)

    def test_examples_are_commands_that_exist(self):
        page = self.text_of(MAN).replace("\\-", "-")
        examples = re.findall(r"^(?:.*\| )?cede (\S+)(.*)$", page.split(".SH EXAMPLES")[1], re.MULTILINE)
        self.assertGreaterEqual(len(examples), 3)
        for command, rest in examples:
            self.assertIn(command, self.options)
            self.assertLessEqual(set(re.findall(r"--[a-z-]+", rest)), self.options[command])


class BashCompletionTest(ShippedTest):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; ' \
                 'COMP_POINT=${#COMP_LINE}; _cede; printf "%s\\n" "${COMPREPLY[@]}"'
        result = subprocess.run(["bash", "--norc", "-c", script, "bash", BASH, *words], cwd=self.folder,
                                capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(result.stderr, "")
        return set(result.stdout.split())

    def test_commands(self):
        self.assertEqual(self.complete("cede", ""), set(self.options))
        self.assertEqual(self.complete("cede", "--color", "never", "po"), {"policy"})
        self.assertEqual(self.complete("cede", "help", ""), set(self.options))
        self.assertEqual(self.complete("cede", "-"), self.own)

    def test_options_of_each_command(self):
        for name, options in self.options.items():
            with self.subTest(command=name):
                self.assertEqual(self.complete("cede", name, "--"), options)

    def test_values(self):
        self.assertEqual(self.complete("cede", "policy", "--profile", ""), set(self.profiles))
        self.assertEqual(self.complete("cede", "policy", "--profile", "=", "qu"), {"quota"})
        self.assertEqual(self.complete("cede", "check", "--color", "a"), {"auto", "always"})
        self.assertEqual(self.complete("cede", "admit", "--kind", "in"), {"inference", "interactive"})
        self.assertEqual(self.complete("cede", "plan", "--reason", "re"), {"reclaim"})
        self.assertEqual(self.complete("cede", "explain", "--relief", ""), {"node:", "queue:", "job:"})

    def test_formats(self):
        self.assertEqual(self.complete("cede", "schema", ""), set(self.cede("schema")[1].split()))

    def test_files(self):
        self.assertEqual(self.complete("cede", "check", "clu"), {"cluster.json"})
        self.assertEqual(self.complete("cede", "check", "--strict", "policy.json", "clu"), {"cluster.json"})
        for words in (("export", "--cluster", ""), ("export", "-o", ""), ("policy", "--check", ""),
                      ("admit", "--changes", "")):
            self.assertEqual(self.complete("cede", *words), {"cluster.json", "policy.json"})
        self.assertEqual(self.complete("cede", "policy", ""), set())


class ZshCompletionTest(ShippedTest):
    def test_knows_every_command_option_and_profile(self):
        text = self.text_of(ZSH)
        self.assertTrue(text.startswith("#compdef cede\n"))
        for name, options in self.options.items():
            section = re.search(rf"^ *{name}\).*?;;$", text, re.MULTILINE | re.DOTALL)
            self.assertTrue(section, f"nothing on '{name}'")
            self.assertRegex(text, rf"'{name}:")
            for option in options - {"--color", "--help"}:
                self.assertIn(option, section.group())
        for word in [*self.own, *self.profiles, *self.cede("schema")[1].split()]:
            self.assertIn(word, text)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_it(self):
        result = subprocess.run(["zsh", "-n", ZSH], capture_output=True, timeout=TIMEOUT, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, b""))


class BinaryTest(CommandTest):
    def test_finds_the_library_beside_it(self):
        self.assertTrue(os.access(COMMAND, os.X_OK))
        self.assertEqual(self.cede("--version")[0], 0)


if __name__ == "__main__":
    unittest.main()
