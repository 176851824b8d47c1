#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs packaging/setup against a pretended apt: setup_script.py ROOT. Nothing is installed."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SETUP = os.path.join(os.path.abspath(sys.argv.pop(1)), "packaging", "setup")
REAL = ("bash", "env", "awk", "grep", "cat", "dirname")

# State in files of $STATE: `installed` and `refused` packages, what installing `removes`, every call in `calls`.
DPKG_QUERY = """
for package in "$@"; do
  if grep -qxF "$package" "$STATE/installed"; then echo "$package installed"; fi
done
exit 1
"""
APT_GET = """
echo "apt-get $*" >>"$STATE/calls"
if [ -t 0 ]; then echo "apt-get could ask" >>"$STATE/calls"; fi
case " $* " in
  *" -s "*)
    [ -s "$STATE/refused" ] && { echo "E: Unable to locate package" >&2; exit 100; }
    while read -r package; do echo "Remv $package [1.74]"; done <"$STATE/removes"
    ;;
  *" install "*)
    [ "$DEBIAN_FRONTEND" = noninteractive ] || exit 99
    case " $* " in *" --no-remove "*) [ -s "$STATE/removes" ] && exit 100 ;; esac
    for word in "$@"; do echo "$word" >>"$STATE/installed"; done
    ;;
esac
exit 0
"""


class Setup(unittest.TestCase):
    def setUp(self):
        self.state = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.state)
        for name in ("installed", "refused", "removes", "calls"):
            self.write(name, "")
        os.mkdir(self.path("bin"))
        for name in REAL:
            os.symlink(shutil.which(name), self.path("bin", name))
        self.command("id", 'echo "${FAKE_UID:-0}"')
        self.command("dpkg-query", DPKG_QUERY)
        self.command("apt-get", APT_GET)

    def path(self, *names):
        return os.path.join(self.state, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def command(self, name, body):
        self.write(os.path.join("bin", name), "#!/usr/bin/env bash\n" + body)
        os.chmod(self.path("bin", name), 0o755)

    def calls(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return file.read()

    def copy_of_setup(self):
        """In a tree of its own, where nothing is built."""
        os.mkdir(self.path("packaging"))
        return shutil.copy(SETUP, self.path("packaging"))

    def run_setup(self, *options, uid=0, stdin=subprocess.DEVNULL, source=SETUP):
        environment = {"PATH": self.path("bin"), "STATE": self.state, "FAKE_UID": str(uid)}
        return subprocess.run([shutil.which("bash"), source, *options], env=environment, stdin=stdin,
                              capture_output=True, text=True, timeout=30, check=False)

    def run_on_terminal(self, answer):
        keyboard, terminal = os.openpty()
        try:
            os.write(keyboard, answer)
            return self.run_setup(stdin=terminal)
        finally:
            os.close(keyboard)
            os.close(terminal)

    def needed(self, *options):
        return self.run_setup("--check", *options).stderr.partition("missing: ")[2].split()

    def assert_one_line(self, result, *words):
        self.assertEqual(result.returncode, 1, result)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_check_tells_and_changes_nothing(self):
        self.assert_one_line(self.run_setup("--check"), "g++", "libboost-json1.81-dev", "libcunit1-dev")
        self.assertEqual(self.calls(), "")

    def test_long_needs_more(self):
        self.assertIn("clang-tidy-14", self.needed("--long"))
        self.assertIn("libclang-rt-14-dev", self.needed("--long"))
        self.assertNotIn("clang-tidy-14", self.needed())

    def test_what_comes_from_pypi_is_optional(self):
        # There is no python3 on this PATH to install it with.
        packages = [p for p in self.needed("--long") if p not in ("highspy", "numpy", "mypy")]
        self.write("installed", "\n".join(packages) + "\n")
        result = self.run_setup("--long", source=self.copy_of_setup())
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("going on without highspy", result.stderr)
        self.assertIn("going on without numpy mypy", result.stderr)

    def test_slurm_is_a_step_of_its_own(self):
        # Both unpack a source package.
        self.assertEqual(set(self.needed("--slurm")) & set(self.needed("--long")), {"dpkg-dev", "patch"})
        self.assertIn("slurmctld", self.needed("--slurm"))

    def test_nothing_missing_never_calls_apt(self):
        self.write("installed", "\n".join(self.needed()) + "\n")
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertEqual(self.run_setup("--check").returncode, 0)
        self.assertEqual(self.calls(), "")

    def test_installs_only_what_is_missing(self):
        self.write("installed", "\n".join(p for p in self.needed() if p != "libtbb-dev") + "\n")
        result = self.run_setup()
        self.assertEqual(result.returncode, 0, result)
        install = self.calls().splitlines()[-1]
        self.assertIn("libtbb-dev", install)
        self.assertNotIn("g++", install)
        self.assertNotIn("could ask", self.calls())

    def test_removal_needs_yes(self):
        self.write("removes", "libboost1.74-dev\nlibboost-dev\n")
        self.assert_one_line(self.run_setup(), "libboost1.74-dev libboost-dev", "--yes")
        self.assertNotIn("install -y", self.calls())
        result = self.run_setup("--yes")
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("libboost1.74-dev", result.stdout)

    def test_removal_asks_on_a_terminal(self):
        self.write("removes", "libboost1.74-dev\n")
        self.assertEqual(self.run_on_terminal(b"n\n").returncode, 1)
        self.assertEqual(self.run_on_terminal(b"\n").returncode, 1)
        self.assertNotIn("install -y", self.calls())
        result = self.run_on_terminal(b"y\n")
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("install -y", self.calls())
        self.assertNotIn("could ask", self.calls())

    def test_yes_without_removal_forbids_it(self):
        self.assertEqual(self.run_setup("--yes").returncode, 0)
        self.assertIn("--no-remove", self.calls())

    def test_unknown_package(self):
        self.write("refused", "yes\n")
        result = self.run_setup("--yes")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Debian 12", result.stderr)
        self.assertNotIn("install -y", self.calls())

    def test_still_missing_is_an_error(self):
        self.command("apt-get", "exit 0")
        self.assert_one_line(self.run_setup(), "still missing", "g++")

    def test_without_apt(self):
        os.remove(self.path("bin", "apt-get"))
        self.assert_one_line(self.run_setup(), "by hand", "libhwloc-dev", "--no-setup")

    def test_not_root_without_sudo(self):
        self.assert_one_line(self.run_setup(uid=1000), "no sudo", "apt-get install g++")
        self.assertEqual(self.calls(), "")

    def test_not_root_and_sudo_wants_a_password(self):
        self.command("sudo", 'echo "sudo: a password is required" >&2; exit 1')
        self.assert_one_line(self.run_setup(uid=1000), "password", "apt-get install g++")
        self.assertEqual(self.calls(), "")

    def test_not_root_with_sudo(self):
        self.command("sudo", '[ "$1" = -n ] && shift; [ "$1" = true ] && exit 0; echo sudo >>"$STATE/calls"; "$@"')
        result = self.run_setup(uid=1000)
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("sudo\napt-get", self.calls())

    def test_unknown_option(self):
        self.assert_one_line(self.run_setup("--ye"), "'--ye'", "--yes")


unittest.main()
