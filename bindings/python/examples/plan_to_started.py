#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small resource manager in documents: load, plan, commit, step, save. It has no processes: perform() shows where a
real manager would act on them, under its own locks."""
import cede

POLICY = {"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}
LOW = {"id": "low", "queue": "root", "class": 2, "state": "running", "started": 1759990000,
       "checkpoint": {"mode": "auto"},
       "tasks": [{"node": "n1", "resources": {"gpu": 8}, "gpus": [0, 1, 2, 3, 4, 5, 6, 7]}]}
HIGH = {"id": "high", "queue": "root", "class": 8, "value": 100, "submitted": 1759999000,
        "tasks": [{"resources": {"gpu": 4}}]}
CLUSTER = {"format": "cede-cluster/1", "now": 1760000000, "groups": [{"id": "g", "policy": "default"}],
           "queues": [{"id": "root"}], "nodes": [{"id": "n1", "resources": {"gpu": 8}}], "jobs": [LOW, HIGH]}


def put(engine, job):
    engine.apply({"format": "cede-changes/1", "put": {"jobs": [job]}})


def perform(engine, action, now):
    """Performs one action; returns what happened: first the change of the cluster, then the event."""
    events = []
    if action.kind == cede.Do.CHECKPOINT_HINT:
        print(f"hint to {action.job} for {action.preemptor}")
        # A real job needs time and reports this itself.
        events.append({"event": "checkpoint-done", "job": action.job})
    elif action.kind == cede.Do.SUSPEND:
        print(f"stop {action.job}")
        events.append({"event": "released", "job": action.job})
    elif action.kind == cede.Do.REQUEUE:
        print(f"{action.job} waits again, {'to resume' if action.resume else 'from the beginning'}")
        job = {key: value for key, value in LOW.items() if key not in ("state", "started")}
        put(engine, {**job, "submitted": action.submitted / 1000, "waiting_since": action.waiting_since / 1000,
                     "resume": action.resume, "preempted_count": action.preempted_count,
                     "tasks": [{"resources": {"gpu": 8}}]})
    elif action.kind == cede.Do.START:
        place = action.places[0]
        print(f"start {action.job} on {place.node}, devices {', '.join(map(str, place.gpus))}")
        put(engine, {**HIGH, "state": "running", "started": now / 1000,
                     "tasks": [{"node": place.node, "resources": {"gpu": 4}, "gpus": list(place.gpus)}]})
        events.append({"event": "started", "job": action.job})
    return [*events, {"event": "action-done", "action": action.id}]


def main():
    now = 1760000000000  # milliseconds; a real manager reads a clock
    with cede.Engine(POLICY) as engine:
        plan = engine.load(CLUSTER).plan("high")
        print(plan.reason)
        engine.commit(plan, now)
        events = []
        while len(engine.in_flight()) or events:
            step = engine.step(events, now)
            saved = engine.save()  # a real manager writes this to a disk before it performs anything
            events = [event for action in step.actions for event in perform(engine, action, now)]
            now += 1000
    print("nothing in flight, state saved" if saved else "no state")


if __name__ == "__main__":
    main()
