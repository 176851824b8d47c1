# SPDX-License-Identifier: MIT
"""Runs scenarios in a folder of their own and looks for what they leave behind; what the tests share."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

COMMAND = os.environ["CEDE_COMMAND"]
SOURCE = os.environ["CEDE_SOURCE"]
SCENARIOS = os.path.join(SOURCE, "bindings/c/examples/scenarios")
# Generous, because the machine may be busy; a hang is what it catches.
TIMEOUT = 600


def cluster(nodes=1, gpus=4):
    return {"format": "cede-cluster/1", "now": 1760000000, "groups": [{"id": "g", "policy": "default"}],
            "queues": [{"id": "root"}],
            "nodes": [{"id": f"n{i}", "resources": {"gpu": gpus}} for i in range(1, nodes + 1)]}


def policy(profile="class-cost", **settings):
    return {"format": "cede-policy/1", "policies": {"default": {"profile": profile, "settings": settings}}}


def job(name, gpus=4, run=None, **members):
    return {"id": name, "queue": "root", "tasks": [{"resources": {"gpu": gpus}}], "run": run or {"duration": "1s"},
            **members}


def shell(script, **run):
    return {"command": ["sh", "-c", script], **run}


def inject(**how):
    """Environment of a command for which the system misbehaves; see fault_injection.c."""
    if "address" in os.environ.get("CEDE_SANITIZE", ""):
        raise unittest.SkipTest("the sanitizer wants to be loaded first")
    return {"LD_PRELOAD": os.environ["CEDE_FAULT_INJECTION"],
            **{f"CEDE_INJECT_{name.upper()}": str(value) for name, value in how.items()}}


def scenario(jobs, **members):
    return {"format": "cede-scenario/1", "cluster": cluster(), "policy": policy(), "jobs": jobs, **members}


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cede-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.addCleanup(self.assert_nothing_left)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, document, name="scenario.json"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return self.path(name)

    def read(self, *names):
        with open(os.path.join(self.folder, *names), encoding="utf-8") as file:
            return file.read()

    def environment(self, **changes):
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        return {**kept, "TERM": "xterm", "TMPDIR": self.folder, **changes}

    def start(self, *arguments, environment=None, **options):
        process = subprocess.Popen([COMMAND, "run", *arguments], cwd=self.folder, env=self.environment(**environment or {}),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        process.stdout.close()
        process.stderr.close()
        process.wait()

    def cede(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=TIMEOUT)
        return process.returncode, out, err

    def run_scenario(self, document, *arguments, status=0):
        """The cede-run/1 document of a run that ends with this status."""
        file = document if isinstance(document, str) else self.write(document)
        got, out, err = self.cede(file, "--json", *arguments)
        self.assertEqual((got, err), (status, ""), out)
        return json.loads(out)

    def processes(self):
        """Those of runs below this test's folder, corpses not counted."""
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    environment = file.read()
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read()
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    state = file.read().rsplit(")", 1)[1].split()[0]
            except (OSError, IndexError):
                continue
            if state not in "ZX" and (self.folder.encode() in environment or self.folder.encode() in words):
                found.append((int(name), words.replace(b"\0", b" ").decode(errors="replace")))
        return found

    def assert_nothing_left(self):
        end = time.monotonic() + 20
        while self.processes() and time.monotonic() < end:
            time.sleep(0.05)
        left = self.processes()
        for pid, _ in left:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(left, [])

    def wait_for(self, claim, what):
        end = time.monotonic() + TIMEOUT
        while not claim():
            self.assertLess(time.monotonic(), end, f"waited in vain for {what}")
            time.sleep(0.02)

    @staticmethod
    def events(document, *kinds, of=None):
        """(event, job) in order; only these kinds if any are named, only of that job."""
        return [(e["event"], e["job"]) for e in document["events"]
                if (not kinds or e["event"] in kinds) and (of is None or e["job"] == of)]

    @staticmethod
    def ends(document):
        return {j["id"]: j["end"] for j in document["jobs"]}

    def assert_order(self, document, *wanted):
        """These events happen in this order, whatever happens between them."""
        story = iter(self.events(document))
        for event in wanted:
            self.assertTrue(any(each == event for each in story),
                            f"{event} does not follow in {self.events(document)}")
