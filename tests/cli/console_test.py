# SPDX-License-Identifier: MIT
import os
import subprocess
import unittest

from cede_run import COMMAND, ODD_CLUSTER, TIMEOUT, CommandTest

ESCAPE = "\033["


class ColorTest(CommandTest):
    def test_terminal_without_wish(self):
        self.assertIn(ESCAPE, self.cede_on_terminal("check", "cluster.json")[1])

    def test_environment_says_no(self):
        self.assertNotIn(ESCAPE, self.cede_on_terminal("check", "cluster.json", NO_COLOR="1")[1])
        self.assertNotIn(ESCAPE, self.cede_on_terminal("check", "cluster.json", TERM="dumb")[1])
        # The convention: an empty NO_COLOR is none.
        self.assertIn(ESCAPE, self.cede_on_terminal("check", "cluster.json", NO_COLOR="")[1])

    def test_option_beats_the_environment(self):
        self.assertIn(ESCAPE, self.cede_on_terminal("check", "--color=always", "cluster.json", NO_COLOR="1")[1])
        self.assertNotIn(ESCAPE, self.cede_on_terminal("check", "--color", "never", "cluster.json")[1])

    def test_piped(self):
        self.assertNotIn(ESCAPE, self.cede("policy")[1])
        self.assertIn(ESCAPE, self.cede("--color", "always", "policy")[1])
        self.write("odd.json", ODD_CLUSTER)
        self.assertNotIn(ESCAPE, self.cede("check", "odd.json")[2])
        self.assertIn(ESCAPE, self.cede("check", "--color=always", "odd.json")[2])

    def test_auto_undoes_an_earlier_wish(self):
        self.assertNotIn(ESCAPE, self.cede("--color", "always", "policy", "--color", "auto")[1])

    def test_unknown_wish(self):
        self.assert_one_error(self.cede("policy", "--color", "blue"), "'blue' is not auto, always or never")


class WriteErrorTest(CommandTest):
    COMMANDS = (("--help",), ("--version",), ("policy",), ("policy", "--json"), ("help", "check"),
                ("check", "cluster.json"), ("check", "--json", "cluster.json"), ("export", "--cluster", "cluster.json"))

    def run_with_output(self, arguments, output=None, **more):
        return subprocess.run([COMMAND, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False, **more)

    def test_full_device(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="utf-8") as full:
                result = self.run_with_output(arguments, full)
                self.assertEqual((result.returncode, result.stderr),
                                 (2, "cede: cannot write standard output: No space left on device\n"))

    def test_closed_output(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments=arguments):
                result = self.run_with_output(arguments, preexec_fn=lambda: os.close(1))
                self.assertEqual((result.returncode, result.stderr),
                                 (2, "cede: cannot write standard output: Bad file descriptor\n"))

    def test_reader_that_left(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments=arguments):
                reader, writer = os.pipe()
                os.close(reader)
                result = self.run_with_output(arguments, writer)
                os.close(writer)
                self.assertEqual((result.returncode, result.stderr), (2, ""))

    def test_closed_errors_do_not_reach_a_file(self):
        result = subprocess.run([COMMAND, "export", "--cluster", "cluster.json", "-o", "out.json"], cwd=self.folder,
                                timeout=TIMEOUT, check=False, preexec_fn=lambda: os.closerange(0, 3))
        self.assertEqual(result.returncode, 0)
        self.assertTrue(self.read("out.json").startswith("{"))
        result = subprocess.run([COMMAND, "check", "missing.json"], cwd=self.folder, timeout=TIMEOUT, check=False,
                                preexec_fn=lambda: os.closerange(0, 3))
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
