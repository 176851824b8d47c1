#!/bin/sh
# SPDX-License-Identifier: MIT
# A job of `cede run` that can be preempted: it counts steps, saves its progress when asked, and resumes from there.
# All it needs is two folders and a signal.
#
#   CEDE_STATE   a folder that keeps its content across restarts
#   CEDE_RESUME  1 if there is something to resume from
#   CEDE_REPORT  `hint` appears here; `progress`, `done`, `failed` and `defer` are the answers
step=0
steps=${1:-10}
if [ "$CEDE_RESUME" = 1 ]; then read -r step <"$CEDE_STATE/step"; fi

save() {
  echo "$step" >"$CEDE_STATE/step.new"
  mv "$CEDE_STATE/step.new" "$CEDE_STATE/step" && touch "$CEDE_REPORT/done" || touch "$CEDE_REPORT/failed"
}
trap save USR1

while [ "$step" -lt "$steps" ]; do
  sleep 0.2
  step=$((step + 1))
  echo "$CEDE_JOB: step $step on $CEDE_NODE, GPUs $CUDA_VISIBLE_DEVICES"
  # It has said done: it waits for TERM, or for the hint to be taken back.
  while [ -e "$CEDE_REPORT/done" ] && [ -e "$CEDE_REPORT/hint" ]; do sleep 0.1; done
done
