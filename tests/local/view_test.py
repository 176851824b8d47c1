# SPDX-License-Identifier: MIT
"""The live view, on terminals of several sizes."""
import os
import re
import signal
import time
import unittest

from scenario_run import COMMAND, TIMEOUT, RunTest, cluster, job, policy, scenario, shell
from terminal import Terminal, Watched


class ViewTest(RunTest):
    def watch(self, *arguments, columns=100, rows=40, **environment):
        watched = Watched([COMMAND, "run", *arguments], columns, rows, cwd=self.folder,
                          env=self.environment(**environment))
        self.addCleanup(watched.close)
        return watched

    def until(self, watched, claim, what):
        end = time.monotonic() + TIMEOUT
        while not claim(watched.terminal.lines()):
            self.assertLess(time.monotonic(), end, f"waited in vain for {what}")
            self.assertTrue(watched.read(0.1), f"it ended before {what}: {watched.raw[-2000:]}")

    def end(self, watched):
        """Lets it end, then the exit status."""
        finish = time.monotonic() + TIMEOUT
        while watched.read(0.2):
            self.assertLess(time.monotonic(), finish)
        return watched.process.wait(TIMEOUT)

    def waiting_scenario(self):
        """Two jobs that run until a file is there, one that waits."""
        run = shell('while [ ! -e "$GO" ]; do sleep 0.05; done', environment={"GO": self.path("go")})
        self.write(scenario([job("alpha", 3, run), job("beta", 1, run), job("gamma", 4, shell("true"))]))

    def go(self):
        open(self.path("go"), "w", encoding="utf-8").close()

    def test_map_queue_and_summary(self):
        self.waiting_scenario()
        watched = self.watch("scenario.json")
        self.until(watched, lambda lines: "n1 A A A B" in lines and any("gamma" in line for line in lines), "the map")
        lines = "\n".join(watched.terminal.lines())
        self.assertIn("2 running, 1 waiting, 0 ended", lines)
        self.assertIn("A  alpha  B  beta", lines)
        self.assertRegex(lines, r"C  gamma +class 4, priority 0, \S+  \S+")
        self.assertRegex(lines, r"start +alpha +n1\[0-2\]")
        self.assertTrue(watched.terminal.alternate)
        self.go()
        self.assertEqual(self.end(watched), 0)
        # The screen is the user's again, and the story stays on it.
        self.assertEqual((watched.terminal.alternate, watched.terminal.cursor), (False, True))
        self.assertEqual(watched.terminal.faults, [])
        self.assertIn("3 jobs: 3 completed", watched.raw.rsplit("\033[?1049l", 1)[1])

    def test_relief_and_claims(self):
        # One node is claimed while its job saves, another is down and claimed in vain.
        run = shell('while [ ! -e "$GO" ]; do sleep 0.05; done', environment={"GO": self.path("go")})
        jobs = [job(name, 2, {**run, "first": [node]})
                for name, node in (("firm", "n1"), ("stays", "n1"), ("guest", "n2"))]
        for each in jobs:
            each["tasks"][0]["resources"]["mem"] = 4
        jobs[2]["checkpoint"] = {"mode": "auto", "timeout": "10m"}
        jobs[2]["run"]["command"][2] = 'trap "" USR1; ' + jobs[2]["run"]["command"][2]  # it never says done
        whole = {**cluster(3), "queues": [{"id": "root"}, {"id": "root.home", "parent": "root"}],
                 "nodes": [{"id": f"n{i}", "resources": {"gpu": 4, "mem": 8}} for i in (1, 2, 3)]}
        self.write(scenario(jobs, cluster=whole, policy=policy(), events=[
            {"event": "node-down", "at": "1s", "node": "n3"},
            {"event": "claim", "at": "1s", "queue": "root.home", "nodes": ["n2"], "reason": "sensitive", "keep": "1s"},
            {"event": "claim", "at": "1.1s", "queue": "root", "nodes": ["n3"], "reason": "sensitive"}]))
        watched = self.watch("scenario.json")
        self.until(watched, lambda lines: any("claim of root.home: waiting" in line for line in lines), "the claim")
        lines = "\n".join(watched.terminal.lines())
        self.assertIn("n2*", lines)
        self.assertIn("n3x", lines)
        self.until(watched, lambda lines: any("claim of root: refused" in line for line in lines), "the refusal")
        self.go()
        self.assertEqual(self.end(watched), 0)
        told = watched.raw.rsplit("\033[?1049l", 1)[1]
        self.assertRegex(told, r"claim of root\.home \(sensitive\): \S+")
        self.assertIn("claim of root (sensitive): waiting, claimed node 'n3' is not up", told)

    def test_narrow_and_small(self):
        for columns, rows in ((20, 6), (1, 1), (40, 12), (300, 80)):
            with self.subTest(columns=columns, rows=rows):
                if os.path.exists(self.path("go")):
                    os.unlink(self.path("go"))
                self.waiting_scenario()
                watched = self.watch("scenario.json", columns=columns, rows=rows)
                self.until(watched, lambda lines: any(lines), "a frame")
                watched.read(0.5)
                self.go()
                self.assertEqual(self.end(watched), 0)
                self.assertEqual(watched.terminal.faults, [])

    def test_resize(self):
        self.waiting_scenario()
        watched = self.watch("scenario.json")
        self.until(watched, lambda lines: "n1 A A A B" in lines, "the map")
        watched.resize(30, 10)
        os.kill(watched.process.pid, signal.SIGWINCH)
        watched.read(0.5)
        watched.terminal = Terminal(30, 10)
        watched.terminal.alternate = True
        watched.resize(28, 9)
        os.kill(watched.process.pid, signal.SIGWINCH)
        self.until(watched, lambda lines: "n1 A A A B" in lines, "the map again")
        self.assertTrue(all(len(line) <= 28 for line in watched.terminal.lines()), watched.terminal.lines())
        self.go()
        self.assertEqual(self.end(watched), 0)
        self.assertEqual(watched.terminal.faults, [])

    def test_no_color(self):
        self.waiting_scenario()
        self.go()
        for environment, colored in (({"NO_COLOR": "1"}, False), ({}, True)):
            watched = self.watch("scenario.json", **environment)
            self.assertEqual(self.end(watched), 0)
            self.assertEqual(bool(re.search(r"\033\[[0-9;]+m", watched.raw)), colored)

    def test_lines_on_demand_and_on_a_dumb_terminal(self):
        self.waiting_scenario()
        self.go()
        for arguments, environment in ((["--plain"], {}), ([], {"TERM": "dumb"})):
            watched = self.watch("scenario.json", *arguments, **environment)
            self.assertEqual(self.end(watched), 0)
            self.assertNotIn("\033[?1049h", watched.raw)
            self.assertRegex(watched.raw, r"start +alpha +n1\[0-2\]")

    def test_interrupt_from_the_keyboard(self):
        self.waiting_scenario()
        watched = self.watch("scenario.json")
        self.until(watched, lambda lines: "n1 A A A B" in lines, "the map")
        os.kill(watched.process.pid, signal.SIGINT)
        self.assertEqual(self.end(watched), 1)
        self.assertEqual(self.processes(), [])
        self.assertEqual((watched.terminal.alternate, watched.terminal.cursor), (False, True))


if __name__ == "__main__":
    unittest.main()
