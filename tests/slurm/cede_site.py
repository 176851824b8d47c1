# SPDX-License-Identifier: MIT
"""Private Slurm clusters with preempt/cede, and what the tests ask of them."""
import json
import os
import re
import subprocess
import sys

from private_slurm import PrivateSlurm, missing, wait_until

SOURCE = os.environ.get("CEDE_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = os.environ.get("CEDE_LIBRARY") or os.path.join(SOURCE, "build/release/lib/libcede.so.0")
COMMAND = os.environ.get("CEDE_COMMAND") or os.path.join(SOURCE, "build/release/plugins/cli/cede")
LONG = bool(os.environ.get("CEDE_LONG"))
SKIPPED = 77
CEDE = "PreemptType=preempt/cede\nPreemptMode=REQUEUE"
STOCK = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def build_plugin():
    """The folder of preempt_cede.so for the Slurm that is installed."""
    reason = missing()
    if reason:
        skip(reason)
    if os.environ.get("CEDE_SANITIZE"):
        skip("Debian's slurmctld cannot load a library with sanitizers")
    built = subprocess.run([os.path.join(SOURCE, "packaging/slurm")], stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, check=False)
    if built.returncode != 0:
        # No source package is no fault of ours; a plugin that does not compile is.
        if "slurm: " in built.stderr and "error:" not in built.stderr:
            skip(built.stderr.strip().splitlines()[-1])
        sys.exit(built.stderr)
    return os.path.dirname(built.stdout.strip().splitlines()[-1])


def cede_site(folder, settings=None, extra=CEDE, **options):
    """A cluster whose settings file has these members; grace times are nothing unless said."""
    site = PrivateSlurm(plugin_folder=folder, extra=extra, **options)
    write_settings(site, settings)
    return site


def write_settings(site, settings=None):
    document = {"format": "cede-slurm/1", "library": LIBRARY, "grace": {"checkpoint": 0}, **(settings or {})}
    site.write("cede-slurm.json", json.dumps(document))


def fill(site, jobs, *options):
    """Running jobs of one whole node each, in the order given: {name: id} of {name: comment}."""
    ids = {}
    for name, comment in jobs.items():
        ids[name] = site.submit("-p", "low", "-N1", f"--gres=gpu:{site.gpus}", "-t", "600",
                                f"--comment={comment}", *options)
    site.wait_all(ids.values(), "RUNNING")
    return ids


def went(site, ids):
    """Names of those that are no longer running where they were."""
    states = site.states()
    return sorted(name for name, job in ids.items() if states.get(job) != "RUNNING")


def cycles(site):
    """How many cycles the main scheduler and the backfill scheduler have run."""
    return [int(count) for count in re.findall(r"Total cycles:\s*(\d+)", site.run("sdiag"))]


def stays(site, job, state, rounds=3):
    """Whether a job keeps this state over so many cycles of both schedulers."""
    before = cycles(site)
    wait_until(lambda: site.state(job) != state or
               all(now >= then + rounds for now, then in zip(cycles(site), before)), 60, f"{rounds} scheduling cycles")
    return site.state(job) == state
