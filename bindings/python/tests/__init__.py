# SPDX-License-Identifier: MIT
"""Tests of the package: python3 -m unittest, with CEDE_LIBRARY if libcede is not installed. What they build goes to
CEDE_BUILD, or to a folder of its own."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
SOURCE = PACKAGE.parent.parent
GOLDEN = SOURCE / "tests" / "golden"
EXAMPLES = SOURCE / "bindings" / "c" / "examples"
HEADER = SOURCE / "include"

POLICY = {"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}
CLUSTER = {
    "format": "cede-cluster/1", "now": 1760000000, "groups": [{"id": "g", "policy": "default"}],
    "queues": [{"id": "root"}], "nodes": [{"id": "n1", "resources": {"gpu": 8}}, {"id": "n2", "resources": {"gpu": 2}}],
    "jobs": [
        {"id": "low", "queue": "root", "class": 2, "state": "running", "started": 1759990000,
         "checkpoint": {"mode": "auto"},
         "tasks": [{"node": "n1", "resources": {"gpu": 8}, "gpus": [0, 1, 2, 3, 4, 5, 6, 7]}]},
        {"id": "high", "queue": "root", "class": 8, "value": 100, "submitted": 1759999000,
         "tasks": [{"resources": {"gpu": 4}}]}]}
LOW, HIGH = CLUSTER["jobs"]


def build_folder():
    """A folder for what a test builds."""
    root = os.environ.get("CEDE_BUILD")
    if root:
        os.makedirs(root, exist_ok=True)
    return tempfile.TemporaryDirectory(dir=root)


def run(*words, **environment):
    """Runs Python with the package at hand; its output and errors together."""
    changed = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run([sys.executable, *words], cwd=tempfile.gettempdir(), env=changed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)


def has(module):
    return importlib.util.find_spec(module) is not None


needs_numpy = unittest.skipUnless(has("numpy"), "numpy is not installed")
