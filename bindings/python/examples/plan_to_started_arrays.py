#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small resource manager that speaks arrays only. Names are given to the engine once, at the beginning; from there on
everything is a number. Runs with numpy and without."""
import cede
from cede.structs import Event, Group, Job, Node, Queue, Task

POLICY = '{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}'
NAMES = ["root", "gpu", "g", "default", "n1", "low", "high", "worker"]


class Cluster:
    """What the manager knows: one struct for each job and one for its only task."""

    def __init__(self, engine, now):
        self.engine = engine
        self.root, self.gpu, group, policy, self.node, low, high, task = map(int, engine.names(NAMES))
        engine.set_now(now)
        engine.put_groups([Group(name=group, policy=policy)])
        engine.put_queues([Queue(name=self.root)])
        engine.put_nodes([Node(name=self.node, resources=self.gpus(8))])
        self.low = Job(name=low, queue=self.root, job_class=2, state=cede.JobState.RUNNING, submitted=now - 10000000,
                       started=now - 10000000, checkpoint_mode=cede.CheckpointMode.AUTO, task_count=1)
        self.low_task = Task(name=task, node=self.node, resources=self.gpus(8), gpus=0xff)
        self.high = Job(name=high, queue=self.root, job_class=8, value=100000, submitted=now - 1000000, task_count=1)
        self.high_task = Task(name=task, resources=self.gpus(4))
        engine.put_jobs([self.low, self.high], [self.low_task, self.high_task])

    def gpus(self, count):
        return self.engine.resources({self.gpu: count * 1000})

    def requeue(self, action):
        self.low.state = cede.JobState.PENDING
        self.low.started = 0
        self.low.submitted = int(action["submitted"])
        self.low.waiting_since = int(action["waiting_since"])
        self.low.preempted_count = int(action["preempted_count"])
        self.low.resume = cede.YES if action["resume"] else cede.NO
        self.low_task.node = self.low_task.gpus = 0
        self.engine.put_jobs([self.low], [self.low_task])

    def start(self, place, now):
        self.high.state = cede.JobState.RUNNING
        self.high.started = now
        self.high_task.node, self.high_task.gpus = int(place["node"]), int(place["gpus"])
        self.engine.put_jobs([self.high], [self.high_task])


def rows(array):
    """Structs as dictionaries, whether numpy or ctypes made the array."""
    if hasattr(array, "dtype"):
        return [dict(zip(array.dtype.names, row.tolist())) for row in array]
    return [{field[0]: getattr(row, field[0]) for field in row._fields_} for row in array]


def perform(cluster, action, places, now):
    """Performs one action; returns what happened: first the change of the cluster, then the event."""
    job, kind = action["job"], action["kind"]
    events = []
    if kind == cede.Do.CHECKPOINT_HINT:
        print(f"hint to job {job} for job {action['target']}")
        events.append(Event(kind=cede.EventKind.CHECKPOINT_DONE, job=job))
    elif kind == cede.Do.SUSPEND:
        print(f"stop job {job}")
        events.append(Event(kind=cede.EventKind.RELEASED, job=job))
    elif kind == cede.Do.REQUEUE:
        print(f"job {job} waits again, {'to resume' if action['resume'] else 'from the beginning'}")
        cluster.requeue(action)
    elif kind == cede.Do.START:
        place = places[action["first_place"]]
        print(f"start job {job} on node {place['node']}, devices {place['gpus']:#x}")
        cluster.start(place, now)
        events.append(Event(kind=cede.EventKind.STARTED, job=job))
    return [*events, Event(kind=cede.EventKind.ACTION_DONE, action=action["id"])]


def main():
    now = 1760000000000  # milliseconds; a real manager reads a clock
    with cede.Engine(POLICY) as engine:
        cluster = Cluster(engine, now)
        plan = engine.plan(cluster.high.name, now=now)
        for victim in rows(plan.arrays.victims):
            print(f"victim: job {victim['job']}, cost {victim['cost'] / 1000}")
        engine.commit(plan, now)
        events = []
        while len(engine.in_flight()) or events:
            step = engine.step_array(events, now=now)
            places = rows(step.arrays.places)
            events = [event for action in rows(step.arrays.actions)
                      for event in perform(cluster, action, places, now)]
            now += 1000
        print(f"{len(engine.in_flight())} entries left")
        engine.forget(engine.names(NAMES))


if __name__ == "__main__":
    main()
