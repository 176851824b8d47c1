# SPDX-License-Identifier: MIT
"""Whose folder a run is resumed from: what lies there decides what runs as this user."""
import os
import resource
import unittest

from scenario_run import TIMEOUT, RunTest, job, scenario, shell

NOBODY = 65534
UNTIL_GO = 'touch "$SEEN/started"; while [ ! -e "$SEEN/go" ]; do sleep 0.05; done'


class RunWithFolder(RunTest):
    def setUp(self):
        super().setUp()
        self.write(scenario([job("a", 1, shell(UNTIL_GO, environment={"SEEN": self.folder}))], orphan_timeout="0s"))

    def begin(self):
        process = self.start("scenario.json", "--folder", "kept")
        self.wait_for(lambda: os.path.exists(self.path("started")), "the job")
        return process


class FolderTest(RunWithFolder):
    def abandon(self):
        """A run in `kept` whose manager was killed."""
        process = self.begin()
        process.kill()
        process.wait(TIMEOUT)
        self.wait_for(lambda: not self.processes(), "the supervisor to give up")

    def refused(self, *words, name="kept"):
        before = sorted(os.listdir(self.path("kept")))
        status, out, err = self.cede("--resume", name)
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(sorted(os.listdir(self.path("kept"))), before, "nothing is put there")

    def assert_resumable(self):
        open(self.path("go"), "w", encoding="utf-8").close()
        status, out, err = self.cede("--resume", "kept")
        self.assertEqual((status, err), (0, ""), out)

    def test_links(self):
        self.abandon()
        os.symlink("kept", self.path("link"))
        for name in ("link", "link/", "link//"):
            self.refused("'link' is a link; name the folder itself", name=name)
        for name in ("journal", "scenario.json", "lock", "owner", "tasks", "tasks/0-0-1", "tasks/0-0-1/supervisor",
                     "tasks/0-0-1/exit", "tasks/0-0-1/output", "tasks/0-0-1/control", "state"):
            with self.subTest(name=name):
                real = self.path("kept/" + name)
                os.rename(real, self.path("aside"))
                os.symlink(self.path("aside"), real)
                self.refused(name + "' is a link; a run that is resumed has none")
                os.unlink(real)
                os.rename(self.path("aside"), real)
        self.assert_resumable()

    def test_links_of_the_job_are_its_own(self):
        self.abandon()
        for place in ("kept/state/0-0/latest", "kept/tasks/0-0-1/notes"):
            os.symlink("/nowhere", self.path(place))
        self.assert_resumable()

    def test_open_to_others(self):
        self.abandon()
        for name in ("", "/tasks", "/tasks/0-0-1", "/journal"):
            with self.subTest(name=name):
                place = self.path("kept" + name)
                mode = os.stat(place).st_mode & 0o7777
                for more in (0o020, 0o002):
                    os.chmod(place, mode | more)
                    self.refused("can be written by others", f"mode {mode | more:04o}")
                os.chmod(place, mode)
        self.assert_resumable()

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_somebody_elses(self):
        self.abandon()
        for name in ("", "/journal", "/scenario.json", "/tasks", "/tasks/0-0-1", "/tasks/0-0-1/launch"):
            with self.subTest(name=name):
                os.chown(self.path("kept" + name), NOBODY, NOBODY)
                self.refused(f"kept{name}' belongs to user {NOBODY}, not to user 0; a run is resumed by its owner only")
                os.chown(self.path("kept" + name), 0, 0)
        self.assert_resumable()

    @unittest.skipIf(os.geteuid() == 0, "everything here is root's")
    def test_the_root_folder(self):
        status, out, err = self.cede("--resume", "/")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("'/' belongs to user 0", err)

    def test_no_run(self):
        os.mkdir(self.path("kept"), 0o700)
        self.refused("there is no run in the folder")
        self.assertIn("cannot resume 'nowhere': No such file", self.cede("--resume", "nowhere")[2])

    def test_a_link_is_no_place_for_a_new_run(self):
        os.mkdir(self.path("real"))
        os.symlink("real", self.path("link"))
        for name in ("link", "link/"):
            status, out, err = self.cede("scenario.json", "--folder", name)
            self.assertEqual((status, out, err), (2, "", "cede: 'link' is a link; name the folder itself\n"))
        self.assertEqual(os.listdir(self.path("real")), [])

    def test_an_open_folder_is_closed(self):
        os.mkdir(self.path("kept"))
        os.chmod(self.path("kept"), 0o777)
        process = self.begin()
        self.assertEqual(os.stat(self.path("kept")).st_mode & 0o7777, 0o700)
        open(self.path("go"), "w", encoding="utf-8").close()
        self.assertEqual(process.wait(TIMEOUT), 0)


class BlindnessTest(RunWithFolder):
    """A process that cannot look does not take that for the end of what it looks for."""

    def switches(self, pid):
        return int(self.read(f"/proc/{pid}/status").split("voluntary_ctxt_switches:")[1].split()[0])

    def test_a_supervisor_without_descriptors(self):
        # Without its manager the job would be ended at the supervisor's next look.
        process = self.begin()
        self.wait_for(lambda: os.path.exists(self.path("kept/tasks/0-0-1/process")), "the supervisor")
        pid = int(self.read("kept/tasks/0-0-1/supervisor").split()[0])
        limit = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        # Its standard streams have these numbers; fewer would break poll(2) as well.
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, limit[1]))
        before = self.switches(pid)
        self.wait_for(lambda: self.switches(pid) >= before + 5, "the supervisor to look")
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limit)
        open(self.path("go"), "w", encoding="utf-8").close()
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (0, ""), out)
        self.assertNotIn("leave", out)


if __name__ == "__main__":
    unittest.main()
