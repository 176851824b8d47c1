# SPDX-License-Identifier: MIT
"""A private Slurm: its own munged, slurmctld and slurmds on loopback, in a folder of its own, gone with its process."""
import ctypes
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

GPUS = 8
# Generous, because the machine may be busy; what takes that long has failed.
CLIENT_TIMEOUT = 300
PR_SET_CHILD_SUBREAPER = 36
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None, use_errno=True)

SLURM_CONF = """\
ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmctldDebug=verbose
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
TopologyPlugin=topology/tree
GresTypes=gpu
SlurmdParameters=config_overrides
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ReturnToService=2
KillWait=1
MessageTimeout=6
MailProg=/bin/true
DebugFlags=NO_CONF_HASH
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=100000,bf_continue,batch_sched_delay=0
PriorityType=priority/basic
JobRequeue=1
PluginDir={plugins}
{extra}
"""


def missing():
    """Why a private Slurm cannot run here, or None."""
    absent = [p for p in ("munged", "slurmctld", "slurmd", "sbatch", "scontrol") if not find_program(p)]
    if absent:
        return f"not installed: {', '.join(absent)} (packaging/setup installs Debian's packages)"
    if os.geteuid() != 0:
        return "starting slurmd and making device files needs root"
    return None


def find_program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def stock_plugins():
    """Where Debian keeps Slurm's own plugins."""
    for folder in ("/usr/lib/x86_64-linux-gnu/slurm-wlm", "/usr/lib/aarch64-linux-gnu/slurm-wlm", "/usr/lib/slurm"):
        if os.path.isdir(folder):
            return folder
    raise RuntimeError("Slurm's plugin folder was not found")


def wait_until(condition, seconds, what):
    """Polls; returns what the condition returned."""
    # The seconds are those of a quiet machine; a busy one gets ten times as long.
    end = time.monotonic() + 10 * seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def free_ports(count):
    """Ports nobody listens on now, below those the kernel hands out for connections."""
    found, port = [], random.SystemRandom().randrange(7000, 31000)
    while len(found) < count:
        port = port + 1 if port < 32000 else 7000
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
    return found


def die_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class PrivateSlurm:
    """16 nodes n001..n016 of 8 fake GPUs and 32 cores, two leaves of 8 nodes."""

    def __init__(self, plugin_folder=None, nodes=16, partitions=None, node_lines=None, extra="", topology=None,
                 gpus=GPUS, cpus=32):
        self.folder = tempfile.mkdtemp(prefix="cede-slurm-")
        os.chmod(self.folder, 0o755)
        self.names = [f"n{i:03}" for i in range(1, nodes + 1)]
        self.daemons = {}
        self.plugin_folder = plugin_folder
        self.gpus = gpus
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        ports = free_ports(nodes + 1)
        self.port, self.node_ports = ports[0], dict(zip(self.names, ports[1:]))
        self.environment = {**os.environ, "SLURM_CONF": self.path("slurm.conf"), "LC_ALL": "C", "TZ": "UTC"}
        for name in [n for n in self.environment if n.startswith(("SLURM_", "SBATCH_")) and n != "SLURM_CONF"]:
            del self.environment[name]
        self.partitions = partitions or [
            "PartitionName=low Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE",
            "PartitionName=high Nodes=ALL PriorityTier=10 MaxTime=INFINITE"]
        self.node_lines = node_lines or [
            f"NodeName={name} NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={self.node_ports[name]} "
            f"CPUs={cpus} Boards=1 SocketsPerBoard=2 CoresPerSocket={cpus // 2} ThreadsPerCore=1 RealMemory=8000 "
            f"Gres=gpu:h100:{gpus}" for name in self.names]
        self.extra = extra
        half = nodes // 2
        self.topology = topology or [
            f"SwitchName=leaf1 Nodes=n[001-{half:03}]", f"SwitchName=leaf2 Nodes=n[{half + 1:03}-{nodes:03}]",
            "SwitchName=spine Switches=leaf[1-2]"]

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def write_conf(self, extra=None):
        if extra is not None:
            self.extra = extra
        plugins = stock_plugins()
        if self.plugin_folder:
            plugins = f"{self.plugin_folder}:{plugins}"
        text = SLURM_CONF.format(host=socket.gethostname(), port=self.port, folder=self.folder, plugins=plugins,
                                 extra=self.extra)
        self.write("slurm.conf", "\n".join([text, *self.node_lines, *self.partitions, ""]))

    def __enter__(self):
        try:
            self.prepare()
            self.start("munged", [find_program("munged"), "--foreground", "--force", f"--key-file={self.path('munge.key')}",
                                  f"--socket={self.path('munge.socket')}", f"--pid-file={self.path('munged.pid')}",
                                  f"--log-file={self.path('munged.log')}", f"--seed-file={self.path('munge.seed')}"])
            wait_until(lambda: os.path.exists(self.path("munge.socket")), 30, "munged's socket")
            self.start_controller()
            for name in self.names:
                self.start(name, [find_program("slurmd"), "-D", "-N", name, "-f", self.path("slurm.conf")])
            wait_until(self.all_idle, 60, "every node idle")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def prepare(self):
        for name in ("state", "spool", "out"):
            os.mkdir(self.path(name))
        os.chmod(self.path("out"), 0o777)
        for i in range(self.gpus):
            os.mknod(self.path(f"gpu{i}"), 0o666 | 0o020000, os.makedev(1, 3))
        with open(self.path("munge.key"), "wb") as key:
            key.write(os.urandom(128))
        os.chmod(self.path("munge.key"), 0o400)
        self.write("gres.conf", f"Name=gpu Type=h100 File={self.path(f'gpu[0-{self.gpus - 1}]')}\n")
        self.write("topology.conf", "\n".join(self.topology) + "\n")
        self.write_conf()

    def start(self, name, command, environment=None):
        with open(self.path(f"{name}.out"), "ab") as out:
            self.daemons[name] = subprocess.Popen(  # pylint: disable=consider-using-with
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment or self.environment,
                cwd=self.folder, preexec_fn=die_with_parent)

    def start_controller(self):
        self.start("slurmctld", [find_program("slurmctld"), "-D", "-f", self.path("slurm.conf")])
        wait_until(self.controller_answers, 60, "slurmctld answers")

    def controller_answers(self):
        if self.daemons["slurmctld"].poll() is not None:
            raise AssertionError(f"slurmctld ended with {self.daemons['slurmctld'].returncode}:\n{self.log()[-3000:]}")
        return self.run("scontrol", "ping", check=False, timeout=3).find(" UP") >= 0

    def kill_controller(self, how=signal.SIGKILL):
        daemon = self.daemons.pop("slurmctld")
        daemon.send_signal(how)
        daemon.wait(30)

    def all_idle(self):
        return len(re.findall(r"idle", self.run("sinfo", "-h", "-N", "-p", self.partition_name(), "-o", "%t",
                                                check=False))) == len(self.names)

    def partition_name(self):
        return re.match(r"PartitionName=(\S+)", self.partitions[0]).group(1)

    def run(self, *command, check=True, timeout=CLIENT_TIMEOUT):
        """A client's standard output. Clients wait half a minute for an absent controller, so none may."""
        try:
            result = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                    text=True, timeout=timeout, check=False, cwd=self.path("out"))
        except subprocess.TimeoutExpired:
            if check:
                raise
            return ""
        if check and result.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: {result.stderr.strip()}")
        return result.stdout

    def submit(self, *options, seconds=600, script=None):
        """The id of a new batch job that sleeps."""
        body = script or f"#!/bin/bash\nsleep {seconds}\n"
        self.write("out/job.sh", body)
        line = self.run("sbatch", "--parsable", "--output=/dev/null", *options, self.path("out", "job.sh"))
        return line.strip().split(";")[0]

    def job(self, job):
        """The fields of `scontrol show job`."""
        text = self.run("scontrol", "-d", "show", "job", "-o", str(job), check=False)
        return dict(re.findall(r"(\w+(?::\w+)?)=(\S*)", text))

    def state(self, job):
        return self.job(job).get("JobState", "GONE")

    def states(self):
        lines = self.run("squeue", "-h", "-a", "-r", "-t", "all", "-o", "%i %T").split("\n")
        return dict(line.split() for line in lines if line)

    def wait_state(self, job, states, seconds=60):
        wanted = {states} if isinstance(states, str) else set(states)
        return wait_until(lambda: self.state(job) in wanted, seconds, f"job {job} {'/'.join(wanted)}, is {self.job(job)}")

    def wait_all(self, jobs, state, seconds=60):
        def reached():
            now = self.states()
            return all(now.get(job) == state for job in jobs)
        wait_until(reached, seconds, f"jobs {state}")

    def gpus_of(self, job):
        """{node: (indexes)} of a running job."""
        text = self.run("scontrol", "-d", "show", "job", str(job))
        found = {}
        for nodes, indexes in re.findall(r"Nodes=(\S+) CPU_IDs=\S+ Mem=\S+ GRES=gpu:\w+:\d+\(IDX:([0-9,-]+)\)", text):
            for node in self.run("scontrol", "show", "hostnames", nodes).split():
                found[node] = expand(indexes)
        return found

    def log(self):
        with open(self.path("slurmctld.log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def decisions(self):
        """What the plugin said it decided, oldest first."""
        return re.findall(r"preempt/cede: (job .*)", self.log())

    def wait_log(self, pattern, seconds=60, since=0):
        return wait_until(lambda: re.search(pattern, self.log()[since:]), seconds, f"log line {pattern!r}")

    def memory_kb(self):
        with open(f"/proc/{self.daemons['slurmctld'].pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))

    def cancel_all(self):
        self.run("scancel", "--user=root", "--signal=KILL", "--full", check=False)
        self.run("scancel", "--user=root", check=False)
        wait_until(lambda: not self.run("squeue", "-h", "-o", "%i").split(), 30, "an empty queue")
        wait_until(self.all_idle, 20, "every node idle")

    def close(self):
        for name in ["slurmctld"] + [n for n in self.daemons if n not in ("slurmctld", "munged")] + ["munged"]:
            daemon = self.daemons.pop(name, None)
            if daemon:
                daemon.kill()
                daemon.wait()
        kill_orphans()
        if os.environ.get("CEDE_KEEP"):
            print("kept", self.folder)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def expand(indexes):
    out = []
    for part in indexes.split(","):
        first, _, last = part.partition("-")
        out += range(int(first), int(last or first) + 1)
    return tuple(out)


def kill_orphans():
    """Ends what the daemons left: slurmstepds and jobs, which became children of this process."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getpid())], capture_output=True, text=True,
                                  check=False).stdout.split()
        alive = []
        for pid in children:
            try:
                os.kill(int(pid), signal.SIGKILL)
                os.waitpid(int(pid), 0)
                alive.append(pid)
            except (ProcessLookupError, ChildProcessError):
                pass
        if not alive:
            return
