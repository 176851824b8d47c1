# SPDX-License-Identifier: MIT
"""Runs the command under test in a folder of its own; what the tests of it share."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import tempfile
import termios
import time
import unittest

COMMAND = os.environ["CEDE_COMMAND"]
SOURCE = os.environ["CEDE_SOURCE"]
# Generous, because the machine may be busy; a hang is what it catches.
TIMEOUT = 600

POLICY = '''{"format": "cede-policy/1",
 "policies": {"default": {"profile": "class-cost"}}}
'''
CLUSTER = '''{"format": "cede-cluster/1",
 "now": 1760000000,
 "groups": [{"id": "g", "policy": "default"}],
 "queues": [{"id": "root"}],
 "nodes": [{"id": "n1", "group": "g", "resources": {"cpu": 16, "gpu": 4}}],
 "jobs": [{"id": "j1", "queue": "root", "group": "g", "submitted": 1759999000,
           "tasks": [{"count": 2, "resources": {"gpu": 1}}]}]}
'''
# Guarantees of the children above the parent's: legal, and odd.
ODD_CLUSTER = '''{"format": "cede-cluster/1",
 "now": 1760000000,
 "groups": [{"id": "g", "policy": "default"}],
 "queues": [{"id": "root"},
            {"id": "root.a", "parent": "root", "guaranteed": {"gpu": 1}},
            {"id": "root.a.x", "parent": "root.a", "guaranteed": {"gpu": 2}}],
 "nodes": [{"id": "n1", "group": "g", "resources": {"gpu": 4}}]}
'''
# Three mistakes on three lines.
WRONG_CLUSTER = '''{"format": "cede-cluster/1",
 "now": 1760000000,
 "groups": [{"id": "g", "policy": "default", "polici": 1}],
 "queues": [{"id": "root"}],
 "nodes": [{"id": "n1", "group": "g", "resources": {"gpu": -1}},
           {"id": "n2", "group": "g", "state": "upp"}]}
'''
CHANGES = '{"format": "cede-changes/1", "remove": {"jobs": ["j1"]}}\n'
WRONG_CHANGES = '{"format": "cede-changes/1",\n "remove": {"jobs": ["nobody"]}}\n'


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("policy.json", POLICY)
        self.write("cluster.json", CLUSTER)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def environment(self, **changes):
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        return {**kept, "TERM": "xterm", **changes}

    def cede(self, *arguments, input=None, **environment):
        """Exit status, standard output and standard error; input is bytes or text, default none."""
        given = input.encode() if isinstance(input, str) else input
        source = {"input": given} if given is not None else {"stdin": subprocess.DEVNULL}
        result = subprocess.run([COMMAND, *arguments], cwd=self.folder, env=self.environment(**environment),
                                capture_output=True, timeout=TIMEOUT, check=False, **source)
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def cede_on_terminal(self, *arguments, columns=100, stdin=subprocess.DEVNULL, seen=None, **environment):
        """Exit status and what a terminal as both outputs shows; seen is called with what is shown so far."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([COMMAND, *arguments], cwd=self.folder, env=self.environment(**environment),
                                   stdin=stdin, stdout=theirs, stderr=theirs)
        os.close(theirs)
        shown = b""
        end = time.monotonic() + TIMEOUT
        try:
            while time.monotonic() < end:
                if not select.select([ours], [], [], 0.1)[0]:
                    continue
                try:
                    piece = os.read(ours, 65536)
                except OSError:  # the other side is closed
                    break
                if not piece:
                    break
                shown += piece
                if seen:
                    seen(shown)
            return process.wait(timeout=TIMEOUT), shown.decode().replace("\r\n", "\n")
        finally:
            process.kill()
            process.wait()
            os.close(ours)

    def assert_one_error(self, result, *parts):
        """Exit status 2, nothing on standard output, exactly one line on standard error that has the parts."""
        status, out, err = result
        self.assertEqual((status, out), (2, ""), err)
        self.assertTrue(err.endswith("\n"), err)
        self.assertEqual(err.count("\n"), 1, err)
        for part in parts:
            self.assertIn(part, err)
