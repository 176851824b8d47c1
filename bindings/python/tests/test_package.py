# SPDX-License-Identifier: MIT
"""The package as a user gets it: its README, its types, its installation."""
import ast
import importlib.metadata
import re
import shutil
import subprocess
import sys
import unittest

from . import PACKAGE, build_folder, has, run

README = (PACKAGE / "README.md").read_text(encoding="utf-8")
QUICK_STARTS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)


class ReadmeTest(unittest.TestCase):
    def test_quick_starts_print_what_they_say(self):
        self.assertEqual(len(QUICK_STARTS), README.count("```") // 4)
        for source, printed in QUICK_STARTS:
            if 'jobs["name"]' in source and not has("numpy"):
                continue
            with self.subTest(source.splitlines()[1]):
                made = run("-c", source)
                self.assertEqual((made.stdout, made.returncode), (printed, 0))


class PackageTest(unittest.TestCase):
    def test_grammar_of_the_oldest_python(self):
        for path in [*(PACKAGE / "cede").glob("*.py"), *(PACKAGE / "examples").glob("*.py")]:
            ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))

    def test_a_missing_or_foreign_library(self):
        made = run("-c", "import cede", CEDE_LIBRARY="/nowhere/libcede.so.0")
        self.assertIn("ImportError: /nowhere/libcede.so.0: ", made.stdout)
        self.assertIn("name the file in CEDE_LIBRARY", made.stdout)
        made = run("-c", "import cede", CEDE_LIBRARY="libc.so.6")
        self.assertIn("ImportError: libc.so.6 has no cede_version: it is older than this package", made.stdout)

    @unittest.skipUnless(has("mypy"), "mypy is not installed")
    def test_types(self):
        with build_folder() as folder:
            use = ("import cede\n\ndef jobs(plan: cede.Plan) -> list[str]:\n    return [v.job for v in plan.victims]\n\n"
                   "engine = cede.Engine({}, threads=2)\nentry: int = engine.commit(engine.load('{}').plan('a'))\n")
            with open(f"{folder}/use.py", "w", encoding="utf-8") as file:
                file.write(use + "wrong: str = entry\n")
            words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", f"{folder}/cache"]
            made = subprocess.run([*words, "-p", "cede"], cwd=PACKAGE, capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            shutil.copytree(PACKAGE / "cede", f"{folder}/cede")
            made = subprocess.run([*words, "use.py"], cwd=folder, capture_output=True, text=True, check=False)
            self.assertRegex(made.stdout, r"\Ause\.py:8: error: .*\nFound 1 error")

    @unittest.skipUnless(has("pip") and has("setuptools"), "pip or setuptools is not installed")
    def test_installation_without_a_network(self):
        if int(importlib.metadata.version("setuptools").split(".")[0]) < 71 and not has("wheel"):
            self.skipTest("setuptools before 70.1 needs the package wheel, which is not installed")
        with build_folder() as folder:
            # pip builds inside the source tree, so it gets a tree of its own.
            shutil.copytree(PACKAGE, f"{folder}/source", ignore=shutil.ignore_patterns("tests", "__pycache__"))
            made = run("-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--target",
                       f"{folder}/site", f"{folder}/source", PIP_DISABLE_PIP_VERSION_CHECK="1")
            self.assertEqual(made.returncode, 0, made.stdout)
            made = run("-c", "import cede, importlib.metadata as m; print(cede.__file__, m.version('cede'), cede.__version__)",
                       PYTHONPATH=f"{folder}/site")
            self.assertEqual(made.stdout, f"{folder}/site/cede/__init__.py 0.2.0 0.2.0\n")
            shipped = {path.name for path in (PACKAGE / "cede").iterdir() if path.is_file()}
            self.assertLessEqual(shipped, set(subprocess.run(["ls", f"{folder}/site/cede"], capture_output=True, text=True,
                                                             check=True).stdout.split()))

    def test_versions_agree(self):
        import cede
        from cede._calls import HEADER_VERSION
        numbers = [int(part) for part in cede.__version__.split(".")]
        self.assertEqual(numbers[0] * 1000000 + numbers[1] * 1000 + numbers[2], HEADER_VERSION)
        self.assertIn(f'version = "{cede.__version__}"', (PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))
