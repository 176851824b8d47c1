#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cede-slurm snapshot: what the API tells is what slurmctld's own tables tell the plugin, and plans alike."""
import json
import os
import re
import socket
import subprocess
import unittest

from cede_site import COMMAND, SOURCE, build_plugin, cede_site, skip, write_settings
from private_slurm import wait_until

MANUAL = os.environ.get("CEDE_MANUAL") or os.path.join(SOURCE, "build/release/man")
PROGRAM = os.environ.get("CEDE_SLURM") or os.path.join(SOURCE, "build/release/plugins/slurm/cede-slurm")
if not os.path.exists(PROGRAM):
    skip("cede-slurm was not built: libslurm-dev is not installed")
PLUGIN = build_plugin()


def node_lines(site):
    """n001 and n002 small, with another GPU model; fingerprints and features differ."""
    lines = []
    for i, name in enumerate(site.names):
        old = i < 2
        lines.append(
            f"NodeName={name} NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={site.node_ports[name]} "
            f"CPUs={16 if old else 32} Boards=1 SocketsPerBoard=2 CoresPerSocket={8 if old else 16} ThreadsPerCore=1 "
            f"RealMemory=8000 Gres=gpu:{'a100:4' if old else 'h100:8'} "
            f"Feature={'old' if old else 'new,nvlink'},fp:driver={'535.1' if old else '550.54'}")
    return lines


def mixed_site(settings=None):
    site = cede_site(PLUGIN, {"log": "all", "fingerprint": {"prefix": "fp:"}, "queue": {"from": "account"},
                              **(settings or {})}, nodes=6)
    site.node_lines = node_lines(site)
    site.partitions = ["PartitionName=low Nodes=n[001-006] Default=YES PriorityTier=1 MaxTime=INFINITE",
                       "PartitionName=high Nodes=n[003-006] PriorityTier=10 MaxTime=INFINITE",
                       "PartitionName=old Nodes=n[001-002] PriorityTier=5 MaxTime=INFINITE"]
    site.extra += "\nLicenses=solver:4"
    return site


def write_gres(site):
    site.write("gres.conf", f"NodeName=n[001-002] Name=gpu Type=a100 File={site.path('gpu[0-3]')}\n"
                            f"NodeName=n[003-006] Name=gpu Type=h100 File={site.path('gpu[0-7]')}\n")


def snapshot(site, *options):
    result = subprocess.run([PROGRAM, "snapshot", *options], env=site.environment, capture_output=True, text=True,
                            timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), result.stderr


def told_jobs(site):
    """The jobs as the plugin last told them to the engine."""
    jobs = {}
    for line in site.log().splitlines():
        found = re.search(r'^(?:,|.*"jobs":\[)(\{"id":"\d+",.*\})(?:$|\])', line)
        if found:
            job, _ = json.JSONDecoder().raw_decode(found.group(1))
            jobs[job["id"]] = job
    return jobs


def cede(*words):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=60, check=False)


REQUESTS = {
    "type": ["-p", "high", "-N1", "--gres=gpu:h100:8"],
    "per job": ["-p", "high", "--gpus=12"],
    "per task": ["-p", "high", "-n6", "--gpus-per-task=2", "-c2"],
    "per node": ["-p", "high", "-N2", "--gpus-per-node=4", "--cpus-per-gpu=2"],
    "features": ["-p", "low", "-N1", "-C", "new&nvlink", "--gres=gpu:8"],
    "either": ["-p", "low", "-N4", "-C", "old|nvlink", "--gres=gpu:4"],
    "nodelist": ["-p", "low", "-N2", "-w", "n[003-004]", "--gres=gpu:8"],
    "part of it": ["-p", "low", "-N3", "-w", "n005", "--gres=gpu:4"],
    "exclude": ["-p", "low", "-N2", "-x", "n[001-003]", "--gres=gpu:8"],
    "exclusive": ["-p", "high", "-N2", "--exclusive", "--gres=gpu:8"],
    "one's own": ["-p", "high", "-N1", "--exclusive=user", "--gres=gpu:8"],
    "switches": ["-p", "high", "-N3", "--switches=1@30:00", "--gres=gpu:8"],
    "licence": ["-p", "high", "-N1", "-L", "solver:3", "--gres=gpu:8"],
    "partitions": ["-p", "high,low", "-N5", "--gres=gpu:4"],
    "array": ["-p", "high", "-N1", "--array=1-3", "--gres=gpu:8"],
    "account": ["-p", "high", "-N1", "-A", "physics", "--gres=gpu:8"],
    "cpus": ["-p", "high", "-n40", "-c3"],
}


class Snapshot(unittest.TestCase):
    maxDiff = None

    def start(self, settings=None):
        site = mixed_site(settings)
        original = site.prepare
        site.prepare = lambda: (original(), write_gres(site))
        return site

    def test_both_tell_the_same(self):
        with self.start({"class": {"default": 5}}) as site:
            filler = site.submit("-p", "low", "--array=1-6", "-N1", "--gres=gpu:4", "-n1", "-t", "600", "--exclusive",
                                 "--comment=cede:ckpt=auto,est=7m,class=5")
            wait_until(lambda: list(site.states().values()).count("RUNNING") == 6, 60, "six running")
            shared = {name: site.submit("-t", "60", *options) for name, options in REQUESTS.items()}
            wait_until(lambda: set(shared.values()) <= set(told_jobs(site)), 90, "every request told")
            document, _ = snapshot(site)
            jobs = {job["id"]: job for job in document["jobs"]}
            told = told_jobs(site)
            for name, job in [*shared.items(), ("running", filler)]:
                with self.subTest(name):
                    mine = dict(jobs[job])
                    if name == "partitions":  # the plugin is asked partition by partition, the snapshot for all
                        self.assertEqual(len(mine["require"]["hosts"].pop("include")), 6)
                        for other in (mine, told[job]):
                            other["require"]["hosts"].pop("labels")
                            other.pop("class")
                    self.assertEqual(mine, told[job])
            site.write("cluster.json", json.dumps(document))
            checked = cede("check", site.path("cluster.json"))
            self.assertEqual(checked.returncode, 0, checked.stderr)
            self.check_shapes(jobs, shared, document)

    def check_shapes(self, jobs, ids, document):
        def tasks(name):
            return [(t.get("count"), t["resources"].get("gpu"), t["resources"]["cpu"]) for t in jobs[ids[name]]["tasks"]]

        def require(name):
            return jobs[ids[name]]["require"]

        self.assertEqual(tasks("type"), [(1, 8, 1)])
        self.assertEqual(require("type")["gpu_model"], ["h100"])
        self.assertEqual(tasks("per job"), [(12, 1, "84m")])
        self.assertEqual(tasks("per task"), [(6, 2, 2)])
        self.assertEqual(tasks("per node"), [(2, 4, 8)])
        self.assertEqual(require("features")["hosts"]["labels"],
                         {"partition/low": "1", "feature/new": "1", "feature/nvlink": "1"})
        self.assertEqual(require("either")["hosts"]["include"], [f"n{i:03}" for i in range(1, 7)])
        self.assertEqual(require("nodelist")["hosts"]["include"], ["n003", "n004"])
        self.assertEqual([t.get("required_node") for t in jobs[ids["part of it"]]["tasks"]], ["n005", None])
        self.assertEqual(require("exclude")["hosts"]["exclude"], ["n001", "n002", "n003"])
        self.assertEqual(require("exclusive")["exclusive"], "node")
        self.assertEqual(require("one's own")["exclusive"], "user")
        self.assertEqual(require("switches")["network"], [{"level": "leaf", "max_domains": 1, "expires": 300}])
        self.assertEqual(jobs[ids["licence"]]["tasks"][0]["resources"]["licence/solver"], 3)
        self.assertEqual(jobs[ids["array"]]["app"], ids["array"])
        self.assertEqual(jobs[ids["account"]]["queue"], "physics")
        self.assertEqual(tasks("cpus"), [(40, None, 3)])
        nodes = {node["id"]: node for node in document["nodes"]}
        self.assertEqual(nodes["n001"]["fingerprint"], {"driver": "535.1"})
        self.assertEqual(nodes["n001"]["resources"], {"cpu": 16, "gpu": 4})
        self.assertEqual(document["topologies"][nodes["n001"]["topology"]]["model"], ["a100"] * 4)
        self.assertEqual([group["id"] for group in document["groups"]], ["high"], "partitions that share nodes")
        self.assertEqual(document["groups"][0]["resources"], {"licence/solver": 4})

    def test_reservations_and_states(self):
        with self.start() as site:
            site.run("scontrol", "create", "reservation", "reservationname=maint", "starttime=now+1hour", "duration=60",
                     "nodes=n006", "users=root", "flags=maint")
            site.run("scontrol", "update", "nodename=n005", "state=drain", "reason=test")
            site.run("scontrol", "update", "nodename=n004", "state=down", "reason=test")
            asks = site.submit("-p", "high", "-N3", "--gres=gpu:8", "-t", "60")
            inside = site.submit("-p", "high", "-N1", "--gres=gpu:8", "-t", "10", "--reservation=maint")
            document, _ = snapshot(site, "--job", inside)
            self.assertEqual({n["id"]: n["state"] for n in document["nodes"]},
                             {"n001": "up", "n002": "up", "n003": "up", "n004": "down", "n005": "drain", "n006": "up"})
            (maint,) = document["reservations"]
            self.assertEqual((maint["id"], maint["nodes"], maint["for"]), ("maint", ["n006"], {"job": inside}))
            jobs = {job["id"]: job for job in document["jobs"]}
            self.assertEqual(jobs[inside]["require"]["hosts"]["include"], ["n006"])
            site.write("cluster.json", json.dumps(document))
            policy = subprocess.run([PROGRAM, "policy"], env=site.environment, capture_output=True, text=True,
                                    timeout=60, check=True).stdout
            site.write("policy.json", policy)
            plan = json.loads(cede("plan", "--json", "--cluster", site.path("cluster.json"), "--policy",
                                   site.path("policy.json"), "--job", asks).stdout)
            self.assertEqual((plan["outcome"], plan["rule"]), ("wait", "nodes-unavailable"))
            site.wait_log(rf"preempt/cede: job {asks}: wait \(nodes-unavailable\)")

    def test_what_cannot_be_translated_waits_and_is_told_once(self):
        with self.start() as site:
            site.submit("-p", "low", "-N1", "-w", "n003", "--gres=gpu:8", "-t", "600", "--comment=cede:ckpt=auto")
            site.submit("-p", "low", "-N1", "-w", "n004", "--gres=gpu:8", "-t", "600", "--comment=cede:ckpt=atuo")
            asks = site.submit("-p", "high", "-N2", "--gres=gpu:8", "-C", "[old|new]", "-t", "60")
            more = site.submit("-p", "high", "-N4", "--gres=gpu:8", "-C", "[old|nvlink]", "-t", "60")
            site.wait_log(rf"preempt/cede: job {more}: ", 20)
            line = r"preempt/cede: --constraint with \[\] or counts cannot be translated; such jobs do not preempt"
            self.assertEqual(len(re.findall(line, site.log())), 1)
            self.assertEqual(len(re.findall(r"'ckpt=atuo' in its comment is not understood", site.log())), 1)
            self.assertNotRegex(site.log(), rf"job ({asks}|{more}): preempt ")
            _, notes = snapshot(site)
            self.assertIn("cede-slurm: note: --constraint with [] or counts cannot be translated", notes)


def nccl_xml(gpus):
    """A machine of two NUMA nodes as NCCL writes it."""
    def socket_of(number):
        half = range(number * gpus // 2, (number + 1) * gpus // 2)
        devices = "".join(f'<pci busid="0000:{i + 1:02x}:00.0" class="0x030200" link_speed="32.0 GT/s" link_width="16">'
                          f'<gpu dev="{i}" sm="90" rank="{i}" gdr="1"/></pci>' for i in half)
        return f'<cpu numaid="{number}" affinity="ffff" arch="x86_64" vendor="AuthenticAMD">{devices}</cpu>'
    return f'<system version="1">{socket_of(0)}{socket_of(1)}</system>'


class Machines(unittest.TestCase):
    def test_pictures_of_machines(self):
        site = cede_site(PLUGIN, nodes=4)
        folder = site.path("hwloc")
        os.mkdir(folder)
        site.write("hwloc/n[001-002].xml", nccl_xml(8))
        site.write("hwloc/n003.xml", nccl_xml(4))
        write_settings(site, {"log": "all", "hwloc": {"folder": folder, "command": COMMAND}})
        with site:
            document, notes = snapshot(site)
            topology = {node["id"]: document["topologies"][node["topology"]] for node in document["nodes"]}
            self.assertEqual(topology["n001"]["numa"], [[0, 1, 2, 3], [4, 5, 6, 7]])
            self.assertEqual(topology["n002"], topology["n001"])
            self.assertEqual(topology["n001"]["model"], ["h100"] * 8, "as Slurm calls them")
            self.assertNotIn("numa", topology["n004"])
            line = "node 'n003' has 8 GPUs in Slurm and 4 in its hwloc XML, which is ignored"
            self.assertIn(line, notes)
            asks = site.submit("-p", "high", "-N4", "--gres=gpu:8", "-t", "60")
            site.wait_state(asks, "RUNNING")
            self.assertEqual(site.log().count(line), 1)
            self.assertRegex(site.log(), r'preempt/cede: cluster .*"numa":\[\[0,1,2,3\],\[4,5,6,7\]\]')

    def test_a_folder_without_files_preempts_nobody(self):
        with cede_site(PLUGIN, {"hwloc": {"folder": "/nowhere"}}, nodes=2) as site:
            self.assertIn("preempt/cede: hwloc: no file of the form NODES.xml is in '/nowhere'", site.log())


class Program(unittest.TestCase):
    def run_program(self, *words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, check=False)

    def test_the_man_page_knows_every_option_and_setting(self):
        with open(os.path.join(MANUAL, "cede-slurm.8"), encoding="utf-8") as file:
            page = file.read().replace("\\-", "-")
        for option in re.findall(r"^  (--[a-z]+|[a-z]+)(?= )", self.run_program("--help").stdout, re.MULTILINE):
            self.assertIn(option, page)
        with open(os.path.join(SOURCE, "plugins/slurm/config/settings_fields.c"), encoding="utf-8") as file:
            settings = set(re.findall(r'\.name = "(\w+)"', file.read())) - {"format"}
        self.assertGreater(len(settings), 30)
        for setting in settings:
            self.assertIn(f"\\fB{setting}\\fR", page)

    def test_help_and_mistakes(self):
        self.assertIn("Usage: cede-slurm COMMAND", self.run_program("--help").stdout)
        self.assertRegex(self.run_program("--version").stdout, r"^cede-slurm \d+\.\d+\.\d+, Slurm \d\d\.\d\d\n$")
        for words, text in ((("fly",), "unknown command 'fly'; snapshot and policy are known"),
                            ((), "one command is wanted"), (("snapshot", "--fly"), "'--fly'")):
            result = self.run_program(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(text, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
