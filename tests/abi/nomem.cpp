// SPDX-License-Identifier: MIT
// Fails the Nth C++ allocation of every call, N = 1, 2, 3 and so on until it gets through. Each failure must
// be CEDE_E_NOMEM, leave the outputs and the engine alone, and leak nothing. The library's own operator new
// resolves to the one in this program (allocations.cpp); the test begins by proving that.
#include <cede/cede.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "allocations.h"
#include "array_cluster.h"
#include "documents.h"

namespace {

int failures = 0;

void complain(const char* call, std::size_t nth, const char* what) {
  std::fprintf(stderr, "%s, allocation %zu: %s\n", call, nth, what);
  ++failures;
}

// Everything a call may use or produce. Made anew for every try.
struct Stage {
  cede_engine* engine = nullptr;
  cede_engine* made = nullptr;
  cede_report* report = nullptr;
  cede_text* text = nullptr;
  cede_admission* made_admission = nullptr;
  cede_plan* made_plan = nullptr;
  cede_admission* admission = nullptr;  // of the waiting job of sessions_cluster_text, as is the plan
  cede_plan* plan = nullptr;
  cede_step* step = nullptr;
  cede_ledger* ledger = nullptr;
  std::string state;  // saved, where something was committed
  uint64_t entry = 0;
  cede_topology* topology = nullptr;
  cede_topology* read = nullptr;  // made before memory runs out
  ArrayCluster arrays{};          // where the engine was told of its cluster in arrays
  uint32_t number = 0;

  ~Stage() {
    cede_plan_destroy(plan);
    cede_step_destroy(step);
    cede_ledger_destroy(ledger);
    cede_admission_destroy(admission);
    cede_plan_destroy(made_plan);
    cede_admission_destroy(made_admission);
    cede_topology_destroy(topology);
    cede_topology_destroy(read);
    cede_text_destroy(text);
    cede_report_destroy(report);
    cede_engine_destroy(made);
    cede_engine_destroy(engine);
  }
  bool outputs_untouched() const {
    return !made && !report && !text && !made_admission && !made_plan && !topology && !step && !ledger &&
           number == 0;
  }
};

struct Call {
  const char* name;
  const char* cluster;  // what the stage's engine has loaded, or its topology is; nullptr: neither is needed
  int32_t expected;     // what it returns once memory suffices
  int32_t (*run)(Stage&, cede_error*);
  const char* policy = policy_text;
};

int32_t load(Stage& s, const char* text, cede_error* e) {
  return cede_engine_load(s.engine, text, std::strlen(text), e);
}
int32_t apply(Stage& s, const char* text, cede_error* e) {
  return cede_engine_apply(s.engine, text, std::strlen(text), e);
}
int32_t set_policy(Stage& s, const char* text, cede_error* e) {
  return cede_engine_set_policy(s.engine, text, std::strlen(text), e);
}
int32_t check(Stage& s, const char* text, cede_error* e) {
  return cede_engine_check(s.engine, text, text ? std::strlen(text) : 0, &s.report, e);
}
int32_t create(Stage& s, const char* policy, const char* option, cede_error* e) {
  return cede_engine_create(policy, policy ? std::strlen(policy) : 0, &option, option ? 1 : 0, CEDE_VERSION,
                            &s.made, e);
}

int32_t admit(Stage& s, const char* job, const char* changes, cede_error* e) {
  return cede_engine_admit(s.engine, job, changes, changes ? std::strlen(changes) : 0, &s.made_admission, e);
}
int32_t plan(Stage& s, const char* job, const char* term, cede_error* e) {
  return cede_plan_create(s.engine, job, CEDE_NOW_OF_CLUSTER, &term, term ? 1 : 0, &s.made_plan, e);
}
int32_t read_topology(Stage& s, const char* text, cede_error* e) {
  return cede_topology_create(text, std::strlen(text), CEDE_TOPOLOGY_ANY, "t", &s.topology, e);
}
bool prepare_topology(Stage& stage, const char* text) {
  return stage.read || cede_topology_create(text, std::strlen(text), CEDE_TOPOLOGY_ANY, "t", &stage.read,
                                            nullptr) == CEDE_OK;
}

int32_t relieve(Stage& s, const char* target, const char* term, cede_error* e) {
  return cede_plan_create_relief(s.engine, target, nullptr, CEDE_NOW_OF_CLUSTER, &term, term ? 1 : 0,
                                 &s.made_plan, e);
}
int32_t claim(Stage& s, const char* node, cede_error* e) {
  return cede_plan_create_claim(s.engine, "root.owner", &node, 1, "reclaim", CEDE_NOW_OF_CLUSTER, nullptr, 0,
                                &s.made_plan, e);
}

// A cluster of arrays, whose names are not the ones of the calls below.
int32_t name(Stage& s, const char* text, cede_error* e) {
  return cede_engine_name(s.engine, text, std::strlen(text), &s.number, e);
}
int32_t part(Stage& s, int32_t kind, const char* text, cede_error* e) {
  return cede_engine_part(s.engine, kind, text, std::strlen(text), &s.number, e);
}

uint32_t number_in(Stage& s, std::string_view name) {
  return cede_engine_find_name(s.engine, name.data(), name.size());
}

int32_t packed_names(Stage& s, cede_error* e) {
  constexpr std::string_view kTexts = "anothern1and one more";
  const uint64_t offsets[] = {0, 7, 9, 21};
  uint32_t numbers[3] = {s.number, 0, 0};
  const int32_t status =
      cede_engine_names_packed(s.engine, kTexts.data(), kTexts.size(), offsets, 3, numbers, e);
  s.number = numbers[0];
  return status;
}

int32_t several_names(Stage& s, cede_error* e) {
  const char* const texts[] = {"another", "n1", "and one more", "another"};
  uint32_t numbers[4] = {s.number, 0, 0, 0};
  const int32_t status = cede_engine_names(s.engine, texts, nullptr, 4, numbers, e);
  s.number = numbers[0];
  return status;
}

// New jobs like the one that waits.
int32_t put_many_jobs(Stage& s, cede_error* e) {
  const uint32_t names[] = {s.arrays.gpu, s.arrays.leaf, s.arrays.n1, s.arrays.n2, s.arrays.l1, s.arrays.l2};
  constexpr std::size_t kMany = std::size(names);
  cede_job jobs[kMany];
  cede_task tasks[kMany];
  for (std::size_t i = 0; i < kMany; ++i) {
    jobs[i] = s.arrays.jobs[1];
    jobs[i].name = names[i];
    tasks[i] = s.arrays.tasks[1];
  }
  return cede_engine_put_jobs(s.engine, jobs, sizeof jobs[0], kMany, tasks, sizeof tasks[0], kMany, e);
}

const Call array_calls[] = {
    {"name", array_policy_text, CEDE_OK, [](Stage& s, cede_error* e) { return name(s, "another", e); }},
    {"name while a clone shares the names", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return name(s, "another", e); }},
    {"names", array_policy_text, CEDE_OK, several_names},
    {"names in one buffer", array_policy_text, CEDE_OK, packed_names},
    {"names while a clone shares the names", array_policy_text, CEDE_OK, several_names},
    {"resources", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       const cede_amount amounts[] = {{1000, s.arrays.gpu, 0}, {2000, s.arrays.leaf, 0}};
       return cede_engine_resources(s.engine, amounts, sizeof amounts[0], 2, &s.number, e);
     }},
    {"list", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_list(s.engine, &s.arrays.n1, 1, &s.number, e); }},
    {"requirement", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return part(s, CEDE_PART_REQUIREMENT, "{\"nodes\": {\"max\": 2}, \"hosts\": {\"exclude\": [\"n2\"]}}",
                   e);
     }},
    {"settings", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return part(s, CEDE_PART_QUEUE_SETTINGS, "{\"grace\": 10}", e); }},
    {"labels that are wrong", array_policy_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return part(s, CEDE_PART_LABELS, "{\"a\": 1}", e); }},
    {"forget", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       const uint32_t back[] = {s.arrays.t0, s.arrays.eight};
       return cede_engine_forget(s.engine, back, 2, e);
     }},
    {"set_now", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_set_now(s.engine, ARRAY_NOW + 1, e); }},
    {"import_topology", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_import_topology(s.engine, s.arrays.leaf, hwloc_xml_text,
                                          std::strlen(hwloc_xml_text), e);
     }},
    {"put_groups", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_put_groups(s.engine, &s.arrays.group, sizeof s.arrays.group, 1, e);
     }},
    {"put_domains", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_put_domains(s.engine, s.arrays.domains, sizeof s.arrays.domains[0], 2, e);
     }},
    {"put_queues", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_put_queues(s.engine, s.arrays.queues, sizeof s.arrays.queues[0], 2, e);
     }},
    {"put_nodes", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_put_nodes(s.engine, s.arrays.nodes, sizeof s.arrays.nodes[0], 2, e);
     }},
    {"put_jobs", array_policy_text, CEDE_OK, [](Stage& s, cede_error* e) { return put_jobs(&s.arrays, e); }},
    {"put_jobs of many", array_policy_text, CEDE_OK, put_many_jobs},
    {"put_jobs of many while a clone shares the cluster", array_policy_text, CEDE_OK, put_many_jobs},
    {"put_jobs that are wrong", array_policy_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) {
       s.arrays.jobs[1].queue = s.arrays.gpu;
       return put_jobs(&s.arrays, e);
     }},
    {"put_jobs while a clone shares the cluster", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return put_jobs(&s.arrays, e); }},
    {"put_tasks", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       cede_task task = s.arrays.tasks[1];
       task.job = s.arrays.w;
       task.name = s.arrays.t0;
       return cede_engine_put_tasks(s.engine, &task, sizeof task, 1, e);
     }},
    {"remove_tasks that are not there", array_policy_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) {
       const cede_task_name gone = {s.arrays.w, s.arrays.gpu};
       return cede_engine_remove_tasks(s.engine, &gone, sizeof gone, 1, e);
     }},
    {"put_reservations", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       cede_reservation kept{};
       kept.name = s.arrays.t0;
       kept.from = ARRAY_NOW;
       kept.nodes = s.arrays.listed;
       return cede_engine_put_reservations(s.engine, &kept, sizeof kept, 1, e);
     }},
    {"remove_jobs", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_remove_jobs(s.engine, &s.arrays.v, 1, e); }},
    {"plan of arrays", array_policy_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return plan(s, "w", nullptr, e); }},
};

const Call calls[] = {
    {"create", nullptr, CEDE_OK, [](Stage& s, cede_error* e) { return create(s, policy_text, nullptr, e); }},
    {"create without a policy", nullptr, CEDE_OK,
     [](Stage& s, cede_error* e) { return create(s, nullptr, nullptr, e); }},
    {"create with an option", nullptr, CEDE_OK,
     [](Stage& s, cede_error* e) { return create(s, policy_text, "max_findings=7", e); }},
    {"create with a wrong option", nullptr, CEDE_E_INVALID,
     [](Stage& s, cede_error* e) { return create(s, policy_text, "max_findings=none", e); }},
    {"create with a wrong policy", nullptr, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return create(s, bad_policy_text, nullptr, e); }},
    {"clone", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_clone(s.engine, &s.made, e); }},
    {"load", small_cluster_text, CEDE_OK, [](Stage& s, cede_error* e) { return load(s, cluster_text, e); }},
    {"load of every section", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return load(s, full_cluster_text, e); }},
    {"load of an hwloc topology", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return load(s, hwloc_cluster_text, e); }},
    {"load of other imports", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return load(s, imported_cluster_text, e); }},
    {"load with warnings", cluster_text, CEDE_REMARK_WARNINGS,
     [](Stage& s, cede_error* e) { return load(s, odd_cluster_text, e); }},
    {"load of a wrong cluster", cluster_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return load(s, wrong_cluster_text, e); }},
    {"apply", cluster_text, CEDE_OK, [](Stage& s, cede_error* e) { return apply(s, change_text, e); }},
    {"apply of wrong changes", cluster_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return apply(s, wrong_change_text, e); }},
    {"apply while a clone shares the cluster", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return apply(s, change_text, e); }},
    {"set_policy", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return set_policy(s, policy_text, e); }},
    {"set_policy that the cluster refuses", cluster_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return set_policy(s, gold_policy_text, e); }},
    {"check", cluster_text, CEDE_OK, [](Stage& s, cede_error* e) { return check(s, cluster_text, e); }},
    {"check of changes", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return check(s, change_text, e); }},
    {"check of a policy", cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return check(s, policy_text, e); }},
    {"check of what is loaded", odd_cluster_text, CEDE_REMARK_WARNINGS,
     [](Stage& s, cede_error* e) { return check(s, nullptr, e); }},
    {"check of a wrong cluster", cluster_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return check(s, wrong_cluster_text, e); }},
    {"schema", full_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_schema_json("cede-policy/1", &s.text, e); }},
    {"export", full_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_export(s.engine, &s.text, e); }},
    {"admit", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return admit(s, "w", nullptr, e); }, sessions_policy_text},
    {"admit a job of changes", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return admit(s, "s1", submission_text, e); }, sessions_policy_text},
    {"admit a job of wrong changes", sessions_cluster_text, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return admit(s, "s1", wrong_submission_text, e); }, sessions_policy_text},
    {"admit an unknown job", sessions_cluster_text, CEDE_E_UNKNOWN,
     [](Stage& s, cede_error* e) { return admit(s, "nobody", nullptr, e); }, sessions_policy_text},
    {"admission as a document", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_admission_json(s.admission, &s.text, e); },
     sessions_policy_text},
    {"plan", sessions_cluster_text, CEDE_OK, [](Stage& s, cede_error* e) { return plan(s, "w", nullptr, e); },
     sessions_policy_text},
    {"plan that leaves a job alone", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return plan(s, "w", "protect=v1", e); }, sessions_policy_text},
    {"plan for an unknown job", sessions_cluster_text, CEDE_E_UNKNOWN,
     [](Stage& s, cede_error* e) { return plan(s, "nobody", nullptr, e); }, sessions_policy_text},
    {"batch", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       const char* job = "w";
       return cede_plan_create_batch(s.engine, &job, 1, CEDE_NOW_OF_CLUSTER, nullptr, 0, &s.made_plan, e);
     },
     sessions_policy_text},
    {"batch as a document", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_plan_batch_json(&s.plan, 1, &s.text, e); },
     sessions_policy_text},
    {"plan by number", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       const cede_term term{CEDE_TERM_PROTECT, number_in(s, "v1"), 0, 0, 0, 0};
       return cede_engine_plan(s.engine, number_in(s, "w"), CEDE_NOW_OF_CLUSTER, &term, sizeof term, 1,
                               &s.made_plan, e);
     },
     sessions_policy_text},
    {"batch by number", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       const uint32_t job = number_in(s, "w");
       return cede_engine_plan_batch(s.engine, &job, 1, CEDE_NOW_OF_CLUSTER, nullptr, 0, 0, &s.made_plan, e);
     },
     sessions_policy_text},
    {"relief by number", crowded_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_plan_relief(s.engine, CEDE_FOR_NODE, number_in(s, "n1"), 0, CEDE_NOW_OF_CLUSTER,
                                      nullptr, 0, 0, &s.made_plan, e);
     },
     crowded_policy_text},
    {"claim by number", crowded_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       const uint32_t node = number_in(s, "n1");
       return cede_engine_plan_claim(s.engine, number_in(s, "root.owner"), &node, 1, CEDE_FOR_RECLAIM,
                                     CEDE_NOW_OF_CLUSTER, nullptr, 0, 0, &s.made_plan, e);
     },
     crowded_policy_text},
    {"admit by number", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_admit_job(s.engine, number_in(s, "w"), &s.made_admission, e);
     },
     sessions_policy_text},
    {"plan drawn as text", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_plan_picture(s.plan, CEDE_PICTURE_TEXT, 0, &s.text, e); },
     sessions_policy_text},
    {"plan drawn as SVG", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_plan_picture(s.plan, CEDE_PICTURE_SVG, 0, &s.text, e); },
     sessions_policy_text},
    {"step document of what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       constexpr std::string_view kEvents =
           R"({"format":"cede-events/1","events":[{"event":"exited","job":"v1"},{"event":"exited","job":"v2"}]})";
       return cede_engine_step_document(s.engine, CEDE_NOW_OF_CLUSTER, kEvents.data(), kEvents.size(),
                                        &s.step, e);
     },
     sessions_policy_text},
    {"relief", crowded_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return relieve(s, "node:n1", "protect=guest", e); }, crowded_policy_text},
    {"relief in part", crowded_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return relieve(s, "node:n3", "partial", e); }, crowded_policy_text},
    {"relief of an unknown node", crowded_cluster_text, CEDE_E_UNKNOWN,
     [](Stage& s, cede_error* e) { return relieve(s, "node:n9", nullptr, e); }, crowded_policy_text},
    {"claim", crowded_cluster_text, CEDE_OK, [](Stage& s, cede_error* e) { return claim(s, "n1", e); },
     crowded_policy_text},
    {"claim on a node of others", crowded_cluster_text, CEDE_E_INVALID,
     [](Stage& s, cede_error* e) { return claim(s, "n2", e); }, crowded_policy_text},
    {"plan as a document", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_plan_json(s.plan, &s.text, e); }, sessions_policy_text},
    {"plan explained", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_plan_explain(s.plan, &s.text, e); }, sessions_policy_text},
    {"plan verified", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_plan_verify(s.plan, e); }, sessions_policy_text},
    {"commit", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_commit(s.engine, s.plan, CEDE_NOW_OF_CLUSTER, -1, &s.entry, e);
     },
     sessions_policy_text},
    {"note", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_note(s.engine, s.plan, CEDE_NOW_OF_CLUSTER, 5, e); },
     sessions_policy_text},
    {"step of what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_step(s.engine, CEDE_NOW_OF_CLUSTER, nullptr, 0, 0, nullptr, 0, &s.step, e);
     },
     sessions_policy_text},
    {"cancel of what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_cancel(s.engine, 1, CEDE_NOW_OF_CLUSTER, e); },
     sessions_policy_text},
    {"load beside what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return load(s, sessions_cluster_text, e); }, sessions_policy_text},
    {"in_flight of what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_in_flight(s.engine, &s.ledger, e); },
     sessions_policy_text},
    {"save of what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_save(s.engine, &s.text, e); }, sessions_policy_text},
    {"restore of what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_restore(s.engine, s.state.data(), s.state.size(), e); },
     sessions_policy_text},
    {"metrics of what was committed", sessions_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_engine_metrics(s.engine, &s.text, e); }, sessions_policy_text},
    {"shares", fair_cluster_text, CEDE_OK,
     [](Stage& s, cede_error* e) {
       return cede_engine_shares(s.engine, nullptr, CEDE_NOW_OF_CLUSTER, &s.text, e);
     },
     fair_policy_text},
    {"shares of an unknown group", fair_cluster_text, CEDE_E_UNKNOWN,
     [](Stage& s, cede_error* e) {
       return cede_engine_shares(s.engine, "nobody", CEDE_NOW_OF_CLUSTER, &s.text, e);
     },
     fair_policy_text},
    {"kind", nullptr, CEDE_DOCUMENT_CLUSTER,
     [](Stage&, cede_error* e) {
       return cede_document_kind(full_cluster_text, std::strlen(full_cluster_text), e);
     }},
    {"topology of hwloc XML", nullptr, CEDE_OK,
     [](Stage& s, cede_error* e) { return read_topology(s, hwloc_xml_text, e); }},
    {"topology of NCCL XML", nullptr, CEDE_OK,
     [](Stage& s, cede_error* e) { return read_topology(s, nccl_xml_text, e); }},
    {"topology of a topology.conf", nullptr, CEDE_OK,
     [](Stage& s, cede_error* e) { return read_topology(s, slurm_topology_text, e); }},
    {"topology of another text", nullptr, CEDE_E_DOCUMENT,
     [](Stage& s, cede_error* e) { return read_topology(s, "<graphs/>", e); }},
    {"topology json", slurm_topology_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_topology_json(s.read, &s.text, e); }},
    {"topology picture of a network", slurm_topology_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_topology_picture(s.read, CEDE_PICTURE_TEXT, 0, &s.text, e); }},
    {"topology json of a machine", nccl_xml_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_topology_json(s.read, &s.text, e); }},
    {"topology picture", nccl_xml_text, CEDE_OK,
     [](Stage& s, cede_error* e) { return cede_topology_picture(s.read, CEDE_PICTURE_TEXT, 0, &s.text, e); }},
    {"kind of another text", nullptr, CEDE_E_VERSION,
     [](Stage&, cede_error* e) { return cede_document_kind("{\"format\": \"cede-cluster/2\"}", 28, e); }},
};

bool prepare(Stage& stage, const Call& call) {
  if (!call.cluster) return true;
  if (call.cluster == array_policy_text) {
    const bool made = prepare_arrays(&stage.arrays) == 0 && put_arrays(&stage.arrays) == 0;
    stage.engine = stage.arrays.engine;
    return made;
  }
  if (call.cluster == slurm_topology_text || call.cluster == nccl_xml_text)
    return prepare_topology(stage, call.cluster);
  const char* alone = "threads=1";  // the allocations are counted without a lock
  if (cede_engine_create(call.policy, std::strlen(call.policy), &alone, 1, CEDE_VERSION, &stage.engine,
                         nullptr) != CEDE_OK ||
      cede_engine_load(stage.engine, call.cluster, std::strlen(call.cluster), nullptr) < 0) {
    return false;
  }
  if (call.policy != sessions_policy_text) return true;
  const bool ready =
      cede_engine_admit(stage.engine, "w", nullptr, 0, &stage.admission, nullptr) == CEDE_OK &&
      cede_plan_create(stage.engine, "w", CEDE_NOW_OF_CLUSTER, nullptr, 0, &stage.plan, nullptr) == CEDE_OK &&
      cede_plan_outcome(stage.plan) == CEDE_OUTCOME_PREEMPT;
  if (!ready || !std::strstr(call.name, "was committed")) return ready;
  cede_text* state = nullptr;
  if (cede_engine_commit(stage.engine, stage.plan, CEDE_NOW_OF_CLUSTER, -1, &stage.entry, nullptr) !=
          CEDE_OK ||
      cede_engine_save(stage.engine, &state, nullptr) != CEDE_OK)
    return false;
  stage.state.assign(cede_text_data(state), cede_text_size(state));
  cede_text_destroy(state);
  return true;
}

bool export_into(const cede_engine* engine, std::string& document) {
  cede_text* text = nullptr;
  if (!engine) return true;
  if (cede_engine_export(engine, &text, nullptr) != CEDE_OK) return false;
  document.assign(cede_text_data(text), cede_text_size(text));
  cede_text_destroy(text);
  return true;
}

// One try; true while an allocation was there to fail.
bool try_once(const Call& call, std::size_t nth, bool for_good) {
  Stage stage;
  std::string before;
  std::string after;
  if (!prepare(stage, call) || !export_into(stage.engine, before)) {
    complain(call.name, nth, "the stage cannot be made");
    return false;
  }
  Stage clone;  // keeps sharing the cluster, so that what is written must first be copied
  if (std::strstr(call.name, "clone shares the") &&
      cede_engine_clone(stage.engine, &clone.engine, nullptr) != CEDE_OK) {
    complain(call.name, nth, "the clone cannot be made");
    return false;
  }
  const uint64_t revision = cede_engine_revision(stage.engine);
  cede_error error;
  std::memset(&error, 'x', sizeof error);
  allocations::fail_after(nth, for_good);
  const int32_t status = call.run(stage, &error);
  const bool delivered = allocations::stop_failing();
  if (!delivered) {
    if (status != call.expected)
      complain(call.name, nth, "does not end as expected although memory sufficed");
    return false;
  }
  if (status != CEDE_E_NOMEM) complain(call.name, nth, cede_status_name(status));
  if (error.status != status || !std::memchr(error.text, 0, sizeof error.text) || error.text[0] == '\0') {
    complain(call.name, nth, "the error was not filled in");
  }
  if (status < 0 && !stage.outputs_untouched()) complain(call.name, nth, "an output was touched");
  if (cede_engine_revision(stage.engine) != revision) complain(call.name, nth, "the revision changed");
  if (!export_into(stage.engine, after) || before != after) complain(call.name, nth, "the engine changed");
  // The same call again, with memory: what failed must not stand in its way.
  const int32_t again = call.run(stage, nullptr);
  if (again != call.expected) complain(call.name, nth, "does not get through afterwards");
  return true;
}

enum class Leaks { ignored, counted };

void try_all(const Call& call, bool for_good, Leaks leaks) {
  constexpr std::size_t kFarTooMany = 1000000;
  std::size_t nth = 1;
  for (; nth < kFarTooMany && failures < 20; ++nth) {
    const std::ptrdiff_t living = allocations::living();
    const bool more = try_once(call, nth, for_good);
    if (leaks == Leaks::counted && allocations::living() != living)
      complain(call.name, nth, "something was not freed");
    if (!more) break;
  }
  std::printf("%-40s %6zu allocations failed %s\n", call.name, nth - 1, for_good ? "and all after" : "once");
}

// The lists have no status to return: without memory they are there or empty, never cut short, and once there
// is memory they are complete. Called before anything else, so that what is made on first use is not made
// yet.
void lists_survive() {
  allocations::fail_after(1, true);
  std::size_t missing = 0;
  if (!cede_version_text() || !cede_status_name(CEDE_E_NOMEM) || cede_has_feature("check") != 1) ++missing;
  for (std::size_t i = 0; i < cede_option_count(); ++i) {
    if (!cede_option_name(i) || !cede_option_default(i) || !cede_option_help(i)) ++missing;
  }
  for (std::size_t p = 0; p < cede_profile_count(); ++p) {
    if (!cede_profile_name(p) || !cede_profile_help(p)) ++missing;
    for (std::size_t s = 0; s < cede_setting_count(p); ++s) {
      for (int32_t what = CEDE_SETTING_NAME; what <= CEDE_SETTING_HELP; ++what) {
        if (!cede_setting_text(p, s, what)) ++missing;
      }
    }
  }
  allocations::stop_failing();
  if (missing > 0 || cede_profile_count() == 0) complain("the lists", missing, "texts are missing");
}

}  // namespace

int main() {
  lists_survive();
  const std::size_t made = allocations::made();
  // The first pass also meets what the library may make once and keep: only from the second on must all be
  // freed.
  for (const Call& call : calls) try_all(call, false, Leaks::ignored);
  for (const Call& call : array_calls) try_all(call, false, Leaks::ignored);
  if (allocations::made() == made)
    complain("the library", 0, "does not allocate through this program's operator new");
  for (const Call& call : calls) {
    try_all(call, false, Leaks::counted);
    try_all(call, true, Leaks::counted);
  }
  for (const Call& call : array_calls) {
    try_all(call, false, Leaks::counted);
    try_all(call, true, Leaks::counted);
  }
  return failures == 0 ? 0 : 1;
}
