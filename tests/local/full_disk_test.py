# SPDX-License-Identifier: MIT
"""There is no space left, or a file may not grow: nothing is lost, and the run goes on or ends in order."""
import json
import os
import resource
import shutil
import signal
import subprocess
import unittest

from scenario_run import COMMAND, TIMEOUT, RunTest, inject, job, scenario, shell

UNTIL_GO = 'echo x >> "$SEEN/starts-$CEDE_JOB"; while [ ! -e "$SEEN/go" ]; do sleep 0.05; done'


class DiskTest(RunTest):
    def a_job(self, name, script=UNTIL_GO, arrival="0s", **members):
        return job(name, 1, shell(script, arrival=arrival, environment={"SEEN": self.folder}), **members)

    def touch(self, name):
        open(self.path(name), "w", encoding="utf-8").close()

    def starts(self, name):
        try:
            return self.read(f"starts-{name}").count("x")
        except FileNotFoundError:
            return 0

    def begin(self, jobs, *options, environment=None, **members):
        self.write(scenario(jobs, **members))
        process = self.start("scenario.json", "--folder", "kept", "--json", *options, environment=environment)
        self.wait_for(lambda: self.starts(jobs[0]["id"]), "the first job")
        return process

    def resume(self):
        status, out, err = self.cede("--resume", "kept", "--json")
        self.assertEqual((status, err), (0, ""), out)
        return json.loads(out)


class FullTest(DiskTest):
    FULL = r"^cede: warning: cannot .*: No space left on device; until that is possible nothing is started or ended\n$"

    def begin_full(self, **members):
        """A run that waits for space, with a job that runs and one that has arrived."""
        process = self.begin([self.a_job("a"), self.a_job("b", arrival="1s")],
                             environment=inject(full=self.path("full")), **members)
        self.touch("full")
        self.assertRegex(process.stderr.readline(), self.FULL)
        return process

    def test_the_run_waits_for_space(self):
        process = self.begin_full()
        journal = self.read_bytes("kept/journal")
        self.assertEqual(self.starts("b"), 0)
        os.unlink(self.path("full"))
        self.wait_for(lambda: self.starts("b"), "the job that waited")
        self.assertNotEqual(self.read_bytes("kept/journal"), journal)
        self.touch("go")
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (0, "cede: warning: the run goes on\n"))
        run = json.loads(out)
        self.assertEqual(self.ends(run), {"a": "completed", "b": "completed"})
        self.assertEqual((self.starts("a"), self.starts("b")), (1, 1))
        self.assertEqual(self.events(run, "warning"), [("warning", ""), ("warning", "")])

    def read_bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def ends_in_order(self, process):
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertRegex(err, r"^cede: cannot .*: No space left on device; 'cede run --resume .*/kept' goes on with it\n$")
        self.assertEqual(self.processes(), [])
        os.unlink(self.path("full"))
        self.touch("go")
        self.assertEqual(self.ends(self.resume()), {"a": "completed", "b": "completed"})
        self.assertEqual((self.starts("a"), self.starts("b")), (2, 1))

    def test_not_for_ever(self):
        self.ends_in_order(self.begin_full(patience="1s"))

    def test_an_interrupt_ends_the_wait(self):
        process = self.begin_full()
        process.send_signal(signal.SIGINT)
        self.ends_in_order(process)

    def test_it_may_be_killed_while_it_waits(self):
        process = self.begin_full()
        process.kill()
        process.wait(TIMEOUT)
        os.unlink(self.path("full"))
        self.touch("go")
        self.assertEqual(self.ends(self.resume()), {"a": "completed", "b": "completed"})
        self.assertEqual((self.starts("a"), self.starts("b")), (1, 1))

    def test_a_job_ends_and_its_supervisor_cannot_say_so(self):
        script = ('echo one; echo x >> "$SEEN/starts-a"; while [ ! -e "$SEEN/say" ]; do sleep 0.05; done; echo two; '
                  'while [ ! -e "$SEEN/more" ]; do sleep 0.05; done; echo three; '
                  'while [ ! -e "$SEEN/go" ]; do sleep 0.05; done')
        process = self.begin([self.a_job("a", script)],
                             environment=inject(who="supervisor", full=self.path("full"), count=self.path("count")))
        output = "kept/tasks/0-0-1/output"
        self.wait_for(lambda: os.path.exists(self.path(output)) and self.read(output) == "one\n", "the first word")
        self.touch("full")
        self.touch("say")
        self.wait_for_calls(1)
        os.unlink(self.path("full"))
        self.touch("more")
        self.wait_for(lambda: "three\n" in self.read(output), "what follows")
        self.assertEqual(self.read(output), "one\n\n[cede: 4 bytes could not be written]\nthree\n")
        self.touch("full")
        self.touch("go")
        self.wait_for_calls(3)
        os.unlink(self.path("full"))
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(self.events(json.loads(out), "leave", "complete"), [("complete", "a")])
        self.assertEqual(self.starts("a"), 1)

    def wait_for_calls(self, number):
        before = int(self.read("count"))
        self.wait_for(lambda: int(self.read("count") or 0) >= before + number, "the supervisor to try")

    def test_standard_output(self):
        self.write(scenario([self.a_job("a", "true")]))
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = subprocess.run([COMMAND, "run", "scenario.json"], cwd=self.folder, env=self.environment(),
                                   stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT,
                                   check=False)
        self.assertEqual((ended.returncode, ended.stderr),
                         (2, "cede: cannot write standard output: No space left on device\n"))

    @unittest.skipIf(os.geteuid() != 0 or not shutil.which("unshare"), "a small disk needs root and unshare")
    def test_a_disk_that_is_really_full(self):
        fills = ('echo x >> "$SEEN/starts-$CEDE_JOB"; cat /dev/zero > "$CEDE_STATE/fill" 2>/dev/null; touch "$SEEN/filled"; '
                 'while [ ! -e "$SEEN/go" ]; do sleep 0.05; done; rm "$CEDE_STATE/fill"')
        self.write(scenario([self.a_job("a", fills), self.a_job("b", "true", arrival="1s")]))
        os.mkdir(self.path("disk"))
        mounted = 'mount -t tmpfs -o size=1m cede disk && exec "$@"'
        process = subprocess.Popen(["unshare", "--mount", "sh", "-c", mounted, "sh", COMMAND, "run", "scenario.json",
                                    "--folder", "disk/kept", "--json"], cwd=self.folder, env=self.environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        warning = process.stderr.readline()
        if not os.path.exists(self.path("filled")) and process.poll() is not None:
            self.skipTest(f"no file system can be mounted here: {warning}")
        self.assertRegex(warning, self.FULL)
        self.touch("go")
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (0, "cede: warning: the run goes on\n"))
        self.assertEqual(self.ends(json.loads(out)), {"a": "completed", "b": "completed"})


class SizeLimitTest(DiskTest):
    """RLIMIT_FSIZE: the system sends SIGXFSZ, which ends whoever has not thought of it."""

    def test_from_the_beginning(self):
        self.write(scenario([self.a_job("a")]))
        process = self.start("scenario.json", "--folder", "kept",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertRegex(err, r"^cede: cannot write '.*/kept/journal': File too large\n$")

    def test_while_it_runs(self):
        process = self.begin([self.a_job("a"), self.a_job("b", arrival="1s")])
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertRegex(err, r"^cede: cannot write '.*/kept/journal': File too large; "
                              r"'cede run --resume .*/kept' goes on with it\n$")
        self.assertEqual(self.processes(), [])
        self.touch("go")
        self.assertEqual(self.ends(self.resume()), {"a": "completed", "b": "completed"})
        self.assertEqual((self.starts("a"), self.starts("b")), (2, 1))

    def test_jobs_meet_it_as_everywhere(self):
        self.write(scenario([job("a", 1, shell('ulimit -f 1; head -c 100000 /dev/zero > "$CEDE_STATE/x"; '
                                               'test $? -eq $((128 + 25))'))]))
        self.assertEqual(self.cede("scenario.json")[0], 0)

    def test_standard_output(self):
        self.write(scenario([self.a_job("a", "true")]))
        with open(self.path("said"), "w", encoding="utf-8") as file:
            ended = subprocess.run([COMMAND, "run", "--demo", "--help"], cwd=self.folder, env=self.environment(),
                                   stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, text=True, check=False,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        self.assertEqual((ended.returncode, ended.stderr), (2, "cede: cannot write standard output: File too large\n"))


if __name__ == "__main__":
    unittest.main()
