# SPDX-License-Identifier: MIT
"""Documents that give every field a value: what the test of the schemas changes, one field at a time."""

NOW = 1760000000

CLUSTER = {
    "format": "cede-cluster/1", "now": NOW,
    "topologies": {"box": {
        "gpus": 4, "model": "H100", "pci": ["0000:01:00.0", None, "0000:03:00.0", "0000:04:00.0"],
        "parent": [0, 0, 1, None], "numa": [[0, 1], [2, 3]], "sockets": [[0, 1, 2, 3]], "pcie": [[0, 1], [2, 3]],
        "host_bridges": [[0, 1, 2, 3]], "cores": [8, 8], "links": {"nvl": [[0, 1], {"devices": [2, 3], "lanes": 4}]},
        "links_known": True, "nics": [{"name": "mlx5_0", "near": [0, 1], "level": "pcie"}], "degraded": [[0, 1]]}},
    "network": {"levels": ["leaf", "spine"],
                "domains": [{"id": "l1", "level": "leaf", "parent": "s1"}, {"id": "s1", "level": "spine"}]},
    "groups": [{"id": "g", "policy": "default", "resources": {"licence": 20}}],
    "reservations": [{"id": "r1", "nodes": ["n2"], "from": NOW + 9000, "until": NOW + 10000, "for": {"queue": "root"}},
                     {"id": "r2", "nodes": ["n2"], "from": NOW + 9000, "for": {"user": "u"}},
                     {"id": "r3", "nodes": ["n2"], "from": NOW + 9000, "for": {"job": "j1"}}],
    "queues": [{"id": "root"},
               {"id": "root.a", "parent": "root", "guaranteed": {"gpu": 1}, "max": {"gpu": 8}, "weight": 1,
                "kind": "training", "preemption": {"policy": "default", "delay": "30s"}, "priority_offset": 0,
                "settings": {"grace": "30s"}, "fair_share": 0.5}],
    "nodes": [{"id": "n1", "group": "g", "resources": {"cpu": 16, "mem": "64Gi", "gpu": 4}, "topology": "box",
               "network": ["l1", "s1"], "state": "up", "home": "root.a", "fingerprint": {"driver": "550"},
               "fingerprint_at": NOW - 10, "labels": {"zone": "a"}, "overcommit_since": None},
              {"id": "n2", "group": "g", "resources": {"gpu": 4}, "fingerprint": "abc"}],
    "jobs": [
        {"id": "j1", "queue": "root.a", "group": "g", "app": "a1", "user": "u", "project": "p", "tenant": "d",
         "kind": "batch", "state": "running", "priority": 10, "class": 4, "gang": False, "submitted": NOW - 900,
         "waiting_since": NOW - 900, "started": NOW - 800, "resumed": NOW - 700, "walltime": "4h",
         "checkpoint": {"mode": "auto", "last": NOW - 100, "estimate": "5m", "timeout": "10m", "restart": "2m",
                        "via": "signal"},
         "preemptible": True, "may_preempt": True, "value": 10.5, "preempted_count": 0, "resume": False,
         "interruptible": False, "max": {"gpu": 8}, "settings": {"fair_share_starvation_timeout": "1m"},
         "fair_share": 0.5, "below_fair_share_since": NOW - 5,
         "tasks": [{"id": "t0", "node": "n1", "resources": {"cpu": 1, "gpu": 2}, "gpus": [0, 1], "started": NOW - 800,
                    "priority": 10, "originator": False, "preemptible": True, "may_preempt": True},
                   {"id": "t1", "node": "n1", "resources": {"gpu": 0.5}, "gpus": [{"index": 2, "share": 0.5}]}]},
        {"id": "j2", "queue": "root.a", "group": "g", "gang": True, "min_tasks": 2, "submitted": NOW - 9,
         "require": {"nodes": {"min": 1, "max": 2}, "tasks_per_node": {"min": 1, "max": 2}, "gpu_model": ["H100"],
                     "uniform_model": "node",
                     "gpus": [{"scope": "task", "level": "nvl", "mode": "clique", "strength": "hard"}],
                     "nic": {"level": "pcie", "per_gpu": True, "strength": "hard"}, "cpu": {"numa": "single"},
                     "network": [{"level": "leaf", "max_domains": 1, "segment": 1, "consolidate": "spine",
                                  "spread": True, "expires": "10m", "strength": "prefer"}],
                     "exclusive": "user",
                     "conformance": {"mode": "baseline", "components": ["driver"], "scope": "job", "max_age": "6h",
                                     "baseline": {"driver": "550"}},
                     "placement": "tight",
                     "hosts": {"include": ["n1", "n2"], "exclude": ["n3"], "labels": {"zone": "a"}}},
         "tasks": [{"count": 2, "resources": {"gpu": 1}}]},
        {"id": "j3", "queue": "root", "group": "g", "submitted": NOW - 9,
         "tasks": [{"resources": {"gpu": 1}, "required_node": "n1"}]}],
}

CHANGES = {
    "format": "cede-changes/1", "now": NOW,
    "put": {"topologies": {"box": {"gpus": 0}}, "network": {"domains": []},
            "groups": [{"id": "g"}], "reservations": [], "queues": [{"id": "root"}],
            "nodes": [{"id": "n1", "group": "g"}], "jobs": []},
    "remove": {"topologies": [], "domains": [], "groups": [], "reservations": [], "queues": [], "nodes": [], "jobs": []},
}

SCENARIO = {
    "format": "cede-scenario/1", "title": "every field", "speed": 60, "orphan_timeout": "60s", "patience": "10m",
    "cleanup_delay": "5s",
    "policy": {"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}},
    "cluster": {"format": "cede-cluster/1", "now": NOW, "groups": [{"id": "g"}], "queues": [{"id": "root"}],
                "nodes": [{"id": "n1", "resources": {"gpu": 4}, "home": "root"}]},
    "jobs": [{"id": "a", "queue": "root", "checkpoint": {"mode": "auto", "estimate": "1m"},
              "tasks": [{"id": "t0", "resources": {"gpu": 1}}, {"count": 2, "resources": {"gpu": 1}}],
              "run": {"command": ["true"], "arrival": "1s", "duration": "1m", "ignore_term": False, "first": ["n1"],
                      "restart": False, "environment": {"A": "b"},
                      "checkpoint": {"signal": "USR1", "takes": "1s", "defer": "1s"}}}],
    "events": [{"event": "overcommit", "at": "1m", "node": "n1", "resources": {"gpu": 2}, "partial": False},
               {"event": "overcommit", "at": "1m", "job": "a", "task": "t0", "resources": {"gpu": 2}},
               {"event": "lower-max", "at": "1m", "queue": "root", "max": {"gpu": 2}, "partial": False},
               {"event": "lower-max", "at": "1m", "job": "a", "max": {"gpu": 2}},
               {"event": "claim", "at": "1m", "queue": "root", "nodes": ["n1"], "reason": "reclaim", "keep": "1m"},
               {"event": "node-down", "at": "1m", "node": "n1"}, {"event": "node-up", "at": "2m", "node": "n1"}],
}

SLURM = {
    "format": "cede-slurm/1", "enabled": True, "library": "libcede.so.0",
    "policy": {"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}},
    "groups": {"debug": {"policy": "default"}},
    "class": {"tiers": {"1": 2}, "partitions": {"debug": 6}, "accounts": {"teaching": 2}, "qos": {"urgent": 9},
              "default": 4},
    "comment_may_raise": {"accounts": {"teaching": 5}, "qos": {"urgent": 10}},
    "queue": {"from": "account", "names": {"teaching": "root.t"}},
    "queues": [{"id": "root"}, {"id": "root.t", "parent": "root"}],
    "priority": {"from": "qos", "qos": {"urgent": 100}, "divide": 1, "min": -10, "max": 100},
    "comment": {"prefix": "cede:", "keys": ["ckpt", "class"]},
    "checkpoint": {"default": "none", "signal": "auto"}, "grace": {"checkpoint": "5m", "terminate": "30s"},
    "fingerprint": {"prefix": "fp:"}, "topology": {"use": True, "file": "/etc/topology.conf"},
    "hwloc": {"folder": "/etc/hwloc", "command": "cede"}, "reservations": True, "licences": True,
    "untranslated": "wait", "log": "decisions", "decision_ttl": "30s", "leaving_timeout": "5m", "max_pending": 1000,
    "search_work": 1000000, "threads": 1,
}

EVERY_PROFILE = {
    "preemption": "on", "checkpoint_timeout": "10m", "grace": "30s", "max_deferral": "5m", "timeout_extension": 0.5,
    "checkpoint_first": True, "checkpoint_estimate": "5m", "requeue": "always", "min_runtime": "0s", "max_victims": 3,
    "max_preempted_count": 5, "wait_horizon": "0s", "cost_model": "formula", "hold_timeout": "10m",
    "entry_timeout": "1h", "action_timeout": "60s", "max_action_retries": 3, "soft_evict_timeout": "1h",
    "tasks_per_plan": 1, "overcommit_grace": "0s"}

OWN = {
    "priority": {"preemptible_priority": 5, "preemption_order": "oldest", "preemption_mode": "suspend",
                 "suspend_keep": "nothing", "victim_scope": "group", "front_only": True},
    "class-cost": {"class_rule": "lower", "near_completion_threshold": "5m", "near_completion_fraction": 0.9,
                   "just_started_fraction": 0.1, "victim_overhead": 1, "checkpoint_weight": 1, "recompute_weight": 1,
                   "value_per_gpu_hour": 5, "class_first": False, "protect_home": True, "avoid_borrowed": True,
                   "reclaim": "auto", "borrowed_discount": 0.5},
    "quota": {"disable_default_preemptible": False, "disable_default_trigger_preemption": False, "evict": "delete",
              "check_parent_quota": True},
    "fair-share": {"fair_share_starvation_timeout": "30s", "fair_share_aggressive_starvation_timeout": "2m",
                   "fair_share_starvation_tolerance": 0.8, "preemption_satisfaction_threshold": 1,
                   "aggressive_preemption_satisfaction_threshold": 0.2,
                   "non_preemptible_resource_usage_threshold": {"gpu": 1}, "preemptive_scheduling_backoff": "5s",
                   "allocation_preemption_timeout": "30s", "enable_aggressive_starvation": False,
                   "allow_aggressive_preemption": True, "allow_preemption_from_starving": False},
    "guarantee": {"strict_opt_out": False, "within_guarantee": False, "cross_node": False, "attempt_interval": "15s",
                  "intra_queue": False},
}

POLICIES = [
    {"format": "cede-policy/1", "preemption": "on",
     "policies": {"default": {"profile": profile, "settings": {**EVERY_PROFILE, **own}}},
     "admission": {"projects": {"p": {"default_priority": 10, "may_change": True, "min": 0, "max": 50,
                                      "may_opt_out": {"min": 1, "max": 50}, "max_class": 9}},
                   "users": {"u": {"default_priority": 10, "may_opt_out": True}}},
     "limits": {"max_preemptions_per_window": {"queue": 3, "user": 2}, "max_lost_work_per_window": 10.5, "window": "10m",
                "cooldown": "1m", "exact_units": 20, "search_work": 1000000}}
    for profile, own in OWN.items()]
