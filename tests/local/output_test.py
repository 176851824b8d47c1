# SPDX-License-Identifier: MIT
"""What jobs print, however much it is."""
import os
import time
import unittest

from scenario_run import RunTest, job, scenario, shell

MOST = 64 << 20  # bytes that are kept
OUTPUT = "kept/tasks/0-0-1/output"


class OutputTest(RunTest):
    def output_of(self, script):
        self.run_scenario(scenario([job("a", 1, shell(script))]), "--folder", "kept")
        with open(self.path(OUTPUT), "rb") as file:
            return file.read()

    def test_both_streams_in_order(self):
        said = self.output_of("for i in 1 2 3; do echo out$i; echo err$i >&2; done; printf end")
        self.assertEqual(said, b"out1\nerr1\nout2\nerr2\nout3\nerr3\nend")

    def test_silence(self):
        self.assertEqual(self.output_of("true"), b"")

    def test_what_a_child_says_last(self):
        # The job has ended before its child speaks; who is ended with it has not.
        said = self.output_of('(trap "" TERM; echo early; touch "$CEDE_STATE/spoke"; sleep 1000) & '
                              'until [ -e "$CEDE_STATE/spoke" ]; do sleep 0.05; done; echo late')
        self.assertIn(b"early\n", said)
        self.assertTrue(said.endswith(b"late\n"))

    def test_a_flood(self):
        # Three times what is kept, as fast as it can be written.
        size = 3 * MOST
        self.write(scenario([job("a", 1, shell(f'echo first; head -c {size} /dev/zero | tr "\\0" x; echo; echo last'))]))
        process = self.start("scenario.json", "--folder", "kept", "--json")
        most = 0
        while process.poll() is None:
            try:
                most = max(most, os.stat(self.path(OUTPUT)).st_size)
            except FileNotFoundError:
                pass
            time.sleep(0.002)
        self.assertEqual((process.wait(), process.stderr.read()), (0, ""))
        self.assertLessEqual(most, MOST)
        with open(self.path(OUTPUT), "rb") as file:
            said = file.read()
        self.assertLessEqual(len(said), MOST)
        self.assertGreater(len(said), MOST - (64 << 10))
        self.assertTrue(said.startswith(b"first\nxxx"))
        self.assertTrue(said.endswith(b"xxx\nlast\n"))
        gap = said.index(b"\n[cede: ")
        note = said[gap:gap + 80].split(b"]\n")[0] + b"]\n"
        left_out = int(note.split()[1])
        self.assertEqual(note, b"\n[cede: %d bytes left out]\n" % left_out)
        # Not a byte is counted twice or forgotten.
        self.assertEqual(len(said) - len(note) + left_out, len("first\n") + size + len("\nlast\n"))


if __name__ == "__main__":
    unittest.main()
