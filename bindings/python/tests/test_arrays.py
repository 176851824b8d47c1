# SPDX-License-Identifier: MIT
"""The array door, from numpy, from ctypes and from plain sequences."""
import array
import ctypes
import unittest
from unittest import mock

import cede
from cede import arrays, structs

from . import CLUSTER, POLICY, needs_numpy

GPUS = 8


class Door:
    """The cluster of tests.CLUSTER in arrays. `make` turns structs into what is passed."""

    def __init__(self, make):
        self.engine = cede.Engine(POLICY)
        words = ["root", "gpu", "g", "default", "n1", "n2", "low", "high", "t0"]
        self.number = dict(zip(words, map(int, self.engine.names(words))))
        number = self.number
        self.engine.set_now(1760000000000)
        self.engine.put_groups(make([structs.Group(name=number["g"], policy=number["default"])]))
        self.engine.put_queues(make([structs.Queue(name=number["root"])]))
        self.engine.put_nodes(make([structs.Node(name=number["n1"], resources=self.gpus(8)),
                                    structs.Node(name=number["n2"], resources=self.gpus(2))]))
        self.engine.put_jobs(
            make([structs.Job(name=number["low"], queue=number["root"], job_class=2, state=cede.JobState.RUNNING,
                              started=1759990000000, checkpoint_mode=cede.CheckpointMode.AUTO, task_count=1),
                  structs.Job(name=number["high"], queue=number["root"], job_class=8, value=100000,
                              submitted=1759999000000, task_count=1)]),
            make([structs.Task(name=number["t0"], node=number["n1"], resources=self.gpus(8), gpus=0xff),
                  structs.Task(name=number["t0"], resources=self.gpus(4))]))

    def gpus(self, count):
        return self.engine.resources({self.number["gpu"]: count * 1000})


def as_list(entries):
    return entries


def as_ctypes(entries):
    return (type(entries[0]) * len(entries))(*entries)


def as_numpy(entries):
    import numpy
    return numpy.frombuffer(as_ctypes(entries), dtype=cede.dtype(type(entries[0])))


class ArraysTest(unittest.TestCase):
    makers = [as_list, as_ctypes]

    def test_both_doors_give_the_same_plan(self):
        with cede.Engine(POLICY) as engine:
            wanted = engine.load(CLUSTER).plan("high").document()
        for make in self.makers:
            with self.subTest(make.__name__):
                door = Door(make)
                self.assertEqual(door.engine.plan(door.number["high"]).document(), wanted)
                self.assertEqual(door.engine.plan("high").document(), wanted)

    def test_answers_in_arrays(self):
        door = Door(as_list)
        plan = door.engine.plan(door.number["high"])
        self.assertEqual(plan.target, "high")
        made = plan.arrays
        victim = made.victims[0]
        self.assertEqual(field(victim, "job"), door.number["low"])
        self.assertEqual(field(made.victim_tasks[0], "node"), door.number["n1"])
        self.assertEqual((field(made.places[0], "task"), field(made.places[0], "node")),
                         (door.number["t0"], door.number["n1"]))
        self.assertEqual(sum(field(part, "value") for part in made.cost_parts), field(victim, "cost"))
        self.assertEqual([len(made.criteria), len(made.moves), len(made.violations), len(made.after_jobs)],
                         [len(plan.proof.criteria), 0, 0, 0])

    def test_after_jobs_of_a_batch(self):
        door = Door(as_list)
        number = door.engine.name("third")
        door.engine.put_jobs([structs.Job(name=number, queue=door.number["root"], job_class=8, value=100000,
                                          submitted=1759999500000, task_count=1)],
                             [structs.Task(resources=door.gpus(4))])
        plans = door.engine.plan_batch([door.number["high"], number])
        self.assertEqual((plans[1].after, list(plans[1].arrays.after_jobs)), (("high",), [door.number["high"]]))

    def test_names(self):
        with cede.Engine(POLICY) as engine:
            numbers = engine.names(["a", "bé", "c"])
            self.assertEqual(engine.name_texts(numbers), ("a", "bé", "c"))
            self.assertEqual(engine.name_texts([0, int(numbers[1])]), ("", "bé"))
            self.assertEqual((engine.find_name("bé"), engine.find_name("d")), (numbers[1], None))
            self.assertEqual((engine.name_text(int(numbers[0])), engine.name_text(999)), ("a", None))
            self.assertEqual(list(engine.names_packed("abéc".encode(), [0, 1, 4, 5])), list(numbers))
            self.assertEqual(list(engine.names([])), [])
            self.assertEqual(list(engine.names(text for text in ("a", "c"))), [numbers[0], numbers[2]])
            with self.assertRaisesRegex(cede.InvalidError, "1"):
                engine.names(["fine", ""])
            self.assertIsNone(engine.find_name("fine"))
            engine.forget(numbers)
            self.assertIsNone(engine.find_name("a"))
            with self.assertRaises(cede.InvalidError):
                engine.name_texts(numbers)

    def test_every_kind_of_number_list(self):
        with cede.Engine(POLICY) as engine:
            numbers = [engine.name("a"), engine.name("b")]
            lists = {engine.list(numbers), engine.list(tuple(numbers)), engine.list(array.array("I", numbers)),
                     engine.list((ctypes.c_uint32 * 2)(*numbers)), engine.list(array.array("q", numbers))}
            self.assertEqual(len(lists), 1)
            with self.assertRaises(OverflowError):
                engine.list([-1])

    def test_put_and_remove_everything(self):
        door = Door(as_list)
        engine, number = door.engine, door.number
        name = engine.name
        engine.import_topology(name("box"), {"gpus": 8, "numa": [[0, 1, 2, 3], [4, 5, 6, 7]]})
        engine.put_queues([structs.Queue(name=name("root.a"), parent=number["root"], guaranteed=door.gpus(2))])
        engine.put_groups([structs.Group(name=name("h"), policy=number["default"])])
        engine.put_nodes([structs.Node(name=name("n3"), group=name("h"), resources=door.gpus(8), topology=name("box"),
                                       labels=engine.part(cede.Part.LABELS, {"rack": "r1"}))])
        engine.put_reservations([structs.Reservation(name=name("r"), nodes=engine.list([number["n1"]]), from_=1, until=2,
                                                     queue=number["root"])])
        engine.put_tasks([structs.Task(job=number["high"], name=name("more"), resources=door.gpus(1))])
        exported = engine.export()
        self.assertEqual([len(exported[kind]) for kind in ("topologies", "queues", "groups", "nodes", "reservations")],
                         [1, 2, 2, 3, 1])
        engine.remove_tasks([structs.TaskName(job=number["high"], task=name("more"))])
        engine.remove_reservations([name("r")])
        engine.remove_nodes([name("n3")])
        engine.remove_topologies([name("box")])
        engine.remove_groups([name("h")])
        engine.remove_queues([name("root.a")])
        engine.remove_jobs([number["low"], number["high"]])
        engine.put_budgets([])
        engine.remove_budgets([])
        self.assertEqual(engine.export().get("jobs", []), [])
        with cede.Engine(POLICY) as other:
            other.put_levels([other.name("leaf")])
            other.put_domains([structs.Domain(name=other.name("l1"), level=other.name("leaf"))])
            other.remove_domains([other.name("l1")])

    def test_errors_name_their_place(self):
        door = Door(as_list)
        with self.assertRaisesRegex(cede.DocumentError, r"nodes\[1\]"):
            door.engine.put_nodes([structs.Node(name=door.number["n1"], resources=door.gpus(8)), structs.Node()])
        with self.assertRaisesRegex(TypeError, "Node cannot hold"):
            door.engine.put_nodes([structs.Job()])
        with self.assertRaises(AttributeError):
            structs.Node(nmae=3)
        with self.assertRaises(cede.InvalidError):
            door.engine.plan(4242)
        with self.assertRaises(cede.VersionError):
            door.engine.put_tasks([structs.Task(job=door.number["high"], leaving=cede.YES)])


def field(row, name):
    return row[name] if hasattr(row, "dtype") else getattr(row, name)


class WithoutNumpyTest(ArraysTest):
    """The same where numpy cannot be imported."""

    def setUp(self):
        patch = mock.patch.object(arrays, "numpy", lambda: None)
        patch.start()
        self.addCleanup(patch.stop)

    def test_what_is_given_back(self):
        self.assertIsInstance(cede.zeros(structs.Job, 3), ctypes.Array)
        with self.assertRaises(ImportError):
            cede.dtype(structs.Budget)


@needs_numpy
class NumpyTest(ArraysTest):
    makers = [as_list, as_ctypes, as_numpy]

    def test_arrays_are_passed_without_a_copy(self):
        jobs = cede.zeros(structs.Job, 1000)
        passed = arrays.pass_structs(jobs, structs.Job)
        self.assertEqual((passed.address, passed.length), (jobs.ctypes.data, 1000))
        numbers = jobs["name"].copy()
        self.assertEqual(arrays.pass_numbers(numbers).address, numbers.ctypes.data)

    def test_parts_of_arrays(self):
        door = Door(as_list)
        nodes = cede.zeros(structs.Node, 6)
        nodes["name"] = door.engine.names([f"m{i}" for i in range(6)])
        nodes["resources"] = door.gpus(8)
        door.engine.put_nodes(nodes[::2])
        self.assertEqual(len(door.engine.export()["nodes"]), 5)
        door.engine.remove_nodes(nodes["name"][::2])
        self.assertEqual(len(door.engine.export()["nodes"]), 2)

    def test_other_arrays_are_refused(self):
        import numpy
        door = Door(as_list)
        for wrong in (numpy.zeros(3), numpy.zeros((2, 2), cede.dtype(structs.Node)), cede.zeros(structs.Job, 1)):
            with self.assertRaisesRegex(TypeError, "structs.Node"):
                door.engine.put_nodes(wrong)
        with self.assertRaises(OverflowError):
            door.engine.remove_nodes(numpy.array([-1]))
        with self.assertRaises(TypeError):
            door.engine.remove_nodes(numpy.array([1.5]))
        self.assertEqual(door.engine.list(numpy.array([door.number["n1"]], dtype=numpy.int64)),
                         door.engine.list([door.number["n1"]]))

    def test_numpy_s_integers_are_numbers(self):
        import numpy
        door = Door(as_list)
        high = numpy.uint32(door.number["high"])
        self.assertEqual(door.engine.plan(high, avoid=[numpy.uint32(door.number["n2"])]).target, "high")
        self.assertEqual(door.engine.name_text(high), "high")
        self.assertEqual(door.engine.list([high]), door.engine.list([int(high)]))
        self.assertEqual(structs.Job(name=high).name, high)

    def test_answers_are_numpy(self):
        door = Door(as_list)
        plan = door.engine.plan(door.number["high"])
        self.assertEqual(plan.arrays.victims.dtype, cede.dtype(structs.Victim))
        self.assertEqual(plan.arrays.victims["job"].tolist(), [door.number["low"]])
