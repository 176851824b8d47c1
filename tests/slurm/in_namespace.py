# SPDX-License-Identifier: MIT
"""Runs a command where all it starts ends with it, however it ends: in_namespace.py COMMAND...

Processes are in a namespace of their own and temporary files in memory of it, where the kernel allows that.
"""
import ctypes
import os
import signal
import subprocess
import sys

PR_SET_PDEATHSIG = 1
UNSHARE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--mount"]
# The shell becomes the command, which then is the namespace's first process: all others end with it.
MOUNTED = 'mount -t tmpfs -o mode=755 cede "$TMPDIR" && exec "$@"'


def die_with_parent():
    """What ends this process by force ends the namespace too."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main():
    command = sys.argv[1:]
    if not command:
        sys.exit(__doc__)
    folder = os.path.abspath("world")  # of the build tree; empty outside of the namespace
    os.makedirs(folder, exist_ok=True)
    inside = {**os.environ, "TMPDIR": folder}
    try:
        allowed = subprocess.run([*UNSHARE, "sh", "-c", MOUNTED, "sh", "true"], env=inside, capture_output=True,
                                 stdin=subprocess.DEVNULL, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        allowed = False
    if allowed:
        command = [*UNSHARE, "sh", "-c", MOUNTED, "sh", *command]
    status = subprocess.run(command, env=inside if allowed else None, check=False, preexec_fn=die_with_parent).returncode
    sys.exit(status if status >= 0 else 128 - status)


main()
