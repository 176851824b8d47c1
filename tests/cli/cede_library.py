# SPDX-License-Identifier: MIT
"""The few calls of the C ABI that the tests of the command need: an engine that commits and saves."""
import ctypes
import json
import os

LIBRARY = os.environ.get("CEDE_LIBRARY", "")
CLUSTER_NOW = -2**63


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("line", ctypes.c_uint32), ("text", ctypes.c_char * 248)]


CHECKPOINT_DONE, RELEASED, STARTED = "checkpoint-done", "released", "started"


class Engine:
    def __init__(self, policy, cluster):
        self.library = ctypes.CDLL(LIBRARY)
        self.library.cede_text_data.restype = ctypes.POINTER(ctypes.c_char)
        self.library.cede_text_size.restype = ctypes.c_size_t
        self.engine = ctypes.c_void_p()
        version = self.library.cede_version()
        self.call("cede_engine_create", policy.encode(), ctypes.c_size_t(len(policy.encode())), None,
                  ctypes.c_size_t(0), ctypes.c_uint32(version), ctypes.byref(self.engine))
        self.call("cede_engine_load", self.engine, cluster.encode(), ctypes.c_size_t(len(cluster.encode())))

    def call(self, name, *arguments):
        error = Error()
        status = getattr(self.library, name)(*arguments, ctypes.byref(error))
        if status < 0:
            raise AssertionError(f"{name}: {error.text.decode()}")
        return status

    def commit(self, job, now=CLUSTER_NOW, micros=-1):
        plan, entry = ctypes.c_void_p(), ctypes.c_uint64()
        self.call("cede_plan_create", self.engine, job.encode(), ctypes.c_int64(now), None, ctypes.c_size_t(0),
                  ctypes.byref(plan))
        self.call("cede_engine_commit", self.engine, plan, ctypes.c_int64(now), ctypes.c_int64(micros),
                  ctypes.byref(entry))
        self.library.cede_plan_destroy(plan)
        return entry.value

    def step(self, now, *events):
        """Events are (what, job)."""
        document = json.dumps({"format": "cede-events/1",
                               "events": [{"event": what, "job": job} for what, job in events]}).encode()
        step = ctypes.c_void_p()
        self.call("cede_engine_step_document", self.engine, ctypes.c_int64(now), document,
                  ctypes.c_size_t(len(document)), ctypes.byref(step))
        self.library.cede_step_destroy(step)

    def text(self, name, handle=None):
        made = ctypes.c_void_p()
        self.call(name, handle or self.engine, ctypes.byref(made))
        size = self.library.cede_text_size(made)
        data = ctypes.string_at(self.library.cede_text_data(made), size)
        self.library.cede_text_destroy(made)
        return data

    def in_flight(self):
        ledger = ctypes.c_void_p()
        self.call("cede_engine_in_flight", self.engine, ctypes.byref(ledger))
        text = self.text("cede_ledger_json", ledger).decode()
        self.library.cede_ledger_destroy(ledger)
        return text

    def save(self):
        return self.text("cede_engine_save")

    def metrics(self):
        return self.text("cede_engine_metrics").decode()

    def close(self):
        self.library.cede_engine_destroy(self.engine)
