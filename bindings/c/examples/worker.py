#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A job of `cede run` that can be preempted, as worker.sh, with a deferral and progress."""
import os
import pathlib
import signal
import sys
import time

STATE = pathlib.Path(os.environ["CEDE_STATE"])
REPORT = pathlib.Path(os.environ["CEDE_REPORT"])
hinted = False


def hear(*_):
    global hinted
    hinted = True


def save(step):
    """In pieces, so that the manager sees that it is getting on."""
    for percent in (0, 50):
        (REPORT / "progress").write_text(f"{percent}\n", encoding="utf-8")
        time.sleep(0.1)
    (STATE / "step.new").write_text(f"{step}\n", encoding="utf-8")
    (STATE / "step.new").rename(STATE / "step")
    (REPORT / "done").touch()


def main():
    global hinted
    signal.signal(signal.SIGUSR1, hear)
    step = int((STATE / "step").read_text(encoding="utf-8")) if os.environ["CEDE_RESUME"] == "1" else 0
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    while step < steps:
        # Check the file as well: a hint may have come before this process handled the signal.
        if hinted or (REPORT / "hint").exists():
            hinted = False
            # The epoch ends soon, and saving then is cheaper.
            (REPORT / "defer").write_text("0.3\n", encoding="utf-8")
            time.sleep(0.3)
            step += 1
            save(step)
            while (REPORT / "hint").exists():  # until TERM, or until the hint is taken back
                time.sleep(0.1)
            continue
        time.sleep(0.2)
        step += 1
        print(f"step {step}", flush=True)


if __name__ == "__main__":
    main()
