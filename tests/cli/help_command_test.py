# SPDX-License-Identifier: MIT
import re
import unittest

from cede_run import CommandTest


class HelpTest(CommandTest):
    def commands(self):
        section = self.cede("--help")[1].split("Commands:\n")[1].split("\n\n")[0]
        return [line.split()[0] for line in section.splitlines()]

    def test_general_help(self):
        status, out, err = self.cede("--help")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual((0, out, ""), self.cede("help"))
        self.assertEqual((0, out, ""), self.cede("-h"))
        for part in ("Usage: cede ", "Options:\n", "--version", "Examples:\n", "Exit status: 0"):
            self.assertIn(part, out)
        self.assertLessEqual({"plan", "explain", "check", "export", "admit", "policy", "help"}, set(self.commands()))

    def test_help_of_each_command(self):
        for command in self.commands():
            with self.subTest(command=command):
                status, out, err = self.cede("help", command)
                self.assertEqual((status, err), (0, ""))
                self.assertTrue(out.startswith(f"Usage: cede {command}"), out)
                self.assertRegex(out, rf"Examples:\n  (.*\| )?cede {command}")
                self.assertLessEqual({"--color", "--help"}, set(re.findall(r"--[a-z]+", out.split("Options:")[1])))
                self.assertLessEqual(max(map(len, out.splitlines())), 80)
                self.assertEqual((0, out, ""), self.cede(command, "--help"))
                self.assertEqual((0, out, ""), self.cede(command, "-h"))

    def test_synopsis_names_every_own_option(self):
        for command in self.commands():
            out = self.cede("help", command)[1]
            own = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", out, re.MULTILINE)) - {"--color", "--help"}
            synopsis = out.split("\n\n")[0]
            for option in own - {"--output"}:
                self.assertIn(option, synopsis)

    def test_version(self):
        status, out, err = self.cede("--version")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"^cede (\d+\.\d+\.\d+) \(library \1, ABI \d+\)\n$")

    def test_no_arguments(self):
        status, out, err = self.cede()
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith("usage: cede COMMAND"), err)
        self.assertEqual(err.count("\n"), 1)
        self.assertEqual(self.cede("--color", "never")[0], 2)


class MisspeltTest(CommandTest):
    def test_command(self):
        self.assert_one_error(self.cede("chekc"), "cede: unknown command 'chekc'; did you mean 'check'?")
        self.assert_one_error(self.cede("expo"), "did you mean 'export'?")
        self.assert_one_error(self.cede("help", "polcy"), "unknown command 'polcy'; did you mean 'policy'?")

    def test_command_like_no_other(self):
        self.assert_one_error(self.cede("xyzzy"),
                              "unknown command 'xyzzy'; known are plan, explain, check, export, shares, admit, policy, topology, run, schema and help")
        self.assert_one_error(self.cede("x" * 5000), "x…'; known are ")
        self.assert_one_error(self.cede(""), "unknown command ''; known are ")

    def test_option(self):
        self.assert_one_error(self.cede("check", "--jsno", "f"),
                              "cede: unknown option '--jsno' of cede check; did you mean '--json'?")
        self.assert_one_error(self.cede("export", "--clutser=f"), "'--clutser'", "did you mean '--cluster'?")
        self.assert_one_error(self.cede("--versoin"), "unknown option '--versoin' of cede; did you mean '--version'?")
        self.assert_one_error(self.cede("check", "-q", "f"), "unknown option '-q' of cede check; known are --json")

    def test_value(self):
        self.assert_one_error(self.cede("export", "--cluster"), "option '--cluster' needs a value: --cluster=FILE")
        self.assert_one_error(self.cede("export", "--cluster", "--policy", "p"), "option '--cluster' needs a value")
        self.assert_one_error(self.cede("export", "--cluster="), "the value of option '--cluster' is empty")
        self.assert_one_error(self.cede("check", "--json=yes", "f"), "option '--json' takes no value")
        self.assert_one_error(self.cede("export", "--cluster=a", "--cluster=b"), "'--cluster' is given twice")

    def test_operand_that_is_not_taken(self):
        self.assert_one_error(self.cede("export", "cluster.json"), "export takes no operand, and 'cluster.json' is one")
        self.assert_one_error(self.cede("help", "check", "export"), "help takes one command at a time")


if __name__ == "__main__":
    unittest.main()
