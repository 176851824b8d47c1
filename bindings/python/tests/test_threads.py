# SPDX-License-Identifier: MIT
"""Threads that share an engine, the log, and fork()."""
import logging
import os
import threading
import unittest
import unittest.mock

import cede
from cede._guard import Guard

from . import CLUSTER, POLICY


class ThreadsTest(unittest.TestCase):
    def test_many_threads_plan_while_one_changes(self):
        engine = cede.Engine(POLICY, threads=1).load(CLUSTER)
        stop, wrong = threading.Event(), []

        def ask():
            while not stop.is_set():
                plan = engine.plan("high")
                if plan.outcome != cede.Outcome.PREEMPT or plan.victims[0].job != "low":
                    wrong.append(plan)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(30):
            engine.load(CLUSTER)
        stop.set()
        for thread in threads:
            thread.join()
        engine.close()
        self.assertEqual(wrong, [])

    def test_close_waits_for_questions(self):
        engine = cede.Engine(POLICY).load(CLUSTER)
        started, ended = threading.Barrier(3), []

        def ask():
            started.wait()
            try:
                while True:
                    engine.plan("high")
            except ValueError as error:
                ended.append(str(error))

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        started.wait()
        engine.close()
        for thread in threads:
            thread.join()
        self.assertEqual(ended, ["the engine is closed"] * 2)

    def test_one_plan_among_threads(self):
        plan = cede.Engine(POLICY).load(CLUSTER).plan("high")
        records = []
        threads = [threading.Thread(target=lambda: records.append(plan.record())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(records, [records[0]] * 8)

    def test_an_interrupted_writer_lets_readers_go_on(self):
        guard = Guard()
        guard.start_reading()
        with unittest.mock.patch.object(guard._changed, "wait", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                self.in_thread(guard.start_changing)
        self.in_thread(guard.start_reading)
        guard.stop_reading()

    def in_thread(self, call):
        caught = []

        def run():
            try:
                call()
            except BaseException as error:
                caught.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if caught:
            raise caught[0]


class LogTest(unittest.TestCase):
    def test_lines_go_to_the_logger(self):
        with cede.Engine(POLICY) as engine, self.assertLogs("cede.test", logging.DEBUG) as heard:
            engine.set_log(logging.getLogger("cede.test").log)
            engine.load(CLUSTER)
            engine.set_log(None)
            engine.load(CLUSTER)
        self.assertTrue(heard.records)
        self.assertTrue(all(record.levelno in (logging.DEBUG, logging.INFO, logging.WARNING) for record in heard.records))

    def test_a_change_inside_the_log_is_an_error_not_a_deadlock(self):
        raised = []

        def hear(_level, _text):
            for call in (lambda: engine.load(CLUSTER), lambda: engine.plan("high")):
                try:
                    call()
                except RuntimeError as error:
                    raised.append(str(error))

        with cede.Engine(POLICY) as engine:
            engine.set_log(hear)
            engine.load(CLUSTER)
            self.assertTrue(raised)
            self.assertEqual(engine.plan("high").outcome, cede.Outcome.PREEMPT)


@unittest.skipUnless(hasattr(os, "fork"), "no fork() here")
class ForkTest(unittest.TestCase):
    def test_a_child_makes_its_own(self):
        engine = cede.Engine(POLICY).load(CLUSTER)
        engine._guard.start_changing()  # as if another thread were in the middle of a change
        child = os.fork()
        if child == 0:
            status = 1
            try:
                try:
                    engine.plan("high")
                except RuntimeError:
                    engine.close()
                    del engine
                    with cede.Engine(POLICY, threads=1) as own:
                        status = 0 if own.load(CLUSTER).plan("high").outcome == cede.Outcome.PREEMPT else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        engine._guard.stop_changing()
        self.assertEqual(engine.plan("high").outcome, cede.Outcome.PREEMPT)
