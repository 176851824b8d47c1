/* SPDX-License-Identifier: MIT */
/*
 * Counts and sizes that no memory holds: every call that takes one says so, reads nothing and changes
 * nothing. The arrays and texts passed along are small and real; only what is said about them is not.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "array_cluster.h"
#include "documents.h"
#include "fixture.h"
#include "suites.h"

/* What one call may use. */
typedef struct Stage {
  ArrayCluster arrays;
  const cede_plan* plan;
} Stage;

static const char text[] = "{\"format\": \"cede-cluster/1\"}";
static const char* const texts[] = {"a"};

static int32_t create_policy(Stage* s, size_t count, cede_error* e) {
  (void)s;
  cede_engine* engine = UNTOUCHED_ENGINE;
  const int32_t status = cede_engine_create(text, count, NULL, 0, CEDE_VERSION, &engine, e);
  CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
  return status;
}
static int32_t create_options(Stage* s, size_t count, cede_error* e) {
  (void)s;
  cede_engine* engine = UNTOUCHED_ENGINE;
  const char* const option = "threads=1";
  const int32_t status = cede_engine_create(NULL, 0, &option, count, CEDE_VERSION, &engine, e);
  CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
  return status;
}
static int32_t load(Stage* s, size_t count, cede_error* e) {
  return cede_engine_load(s->arrays.engine, text, count, e);
}
static int32_t apply(Stage* s, size_t count, cede_error* e) {
  return cede_engine_apply(s->arrays.engine, text, count, e);
}
static int32_t set_policy(Stage* s, size_t count, cede_error* e) {
  return cede_engine_set_policy(s->arrays.engine, text, count, e);
}
static int32_t kind(Stage* s, size_t count, cede_error* e) {
  (void)s;
  return cede_document_kind(text, count, e);
}
static int32_t check(Stage* s, size_t count, cede_error* e) {
  cede_report* report = NULL;
  const int32_t status = cede_engine_check(s->arrays.engine, text, count, &report, e);
  cede_report_destroy(report);
  return status;
}
static int32_t name(Stage* s, size_t count, cede_error* e) {
  uint32_t number = 7;
  const int32_t status = cede_engine_name(s->arrays.engine, text, count, &number, e);
  CU_ASSERT_EQUAL(number, 7);
  return status;
}
static int32_t names(Stage* s, size_t count, cede_error* e) {
  uint32_t number = 7;
  const int32_t status = cede_engine_names(s->arrays.engine, texts, NULL, count, &number, e);
  CU_ASSERT_EQUAL(number, 7);
  return status;
}
static int32_t name_sizes(Stage* s, size_t count, cede_error* e) {
  uint32_t number = 7;
  const int32_t status = cede_engine_names(s->arrays.engine, texts, &count, 1, &number, e);
  CU_ASSERT_EQUAL(number, 7);
  return status;
}
static int32_t packed_names(Stage* s, size_t count, cede_error* e) {
  const uint64_t offsets[] = {0, 1};
  uint32_t number = 0;
  return cede_engine_names_packed(s->arrays.engine, "a", 1, offsets, count, &number, e);
}
static int32_t packed_texts(Stage* s, size_t count, cede_error* e) {
  const uint64_t offsets[] = {0, 1};
  uint32_t number = 0;
  return cede_engine_names_packed(s->arrays.engine, "a", count, offsets, 1, &number, e);
}
static int32_t name_texts(Stage* s, size_t count, cede_error* e) {
  char out[8];
  return cede_engine_name_texts(s->arrays.engine, &s->arrays.v, count, out, sizeof out, NULL, NULL, e);
}
static int32_t plan_numbers(Stage* s, size_t count, cede_error* e) {
  const cede_term term = {.kind = CEDE_TERM_PROTECT, .job = s->arrays.v};
  cede_plan* plan = NULL;
  const int32_t status = cede_engine_plan(s->arrays.engine, s->arrays.w, CEDE_NOW_OF_CLUSTER, &term,
                                          sizeof term, count, &plan, e);
  CU_ASSERT_PTR_NULL(plan);
  return status;
}
static int32_t batch_numbers(Stage* s, size_t count, cede_error* e) {
  cede_plan* plan = NULL;
  const int32_t status = cede_engine_plan_batch(s->arrays.engine, &s->arrays.w, count, CEDE_NOW_OF_CLUSTER,
                                                NULL, 0, 0, &plan, e);
  CU_ASSERT_PTR_NULL(plan);
  return status;
}
static int32_t claim_numbers(Stage* s, size_t count, cede_error* e) {
  cede_plan* plan = NULL;
  const int32_t status = cede_engine_plan_claim(s->arrays.engine, s->arrays.root_a, &s->arrays.n1, count,
                                                CEDE_FOR_RECLAIM, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &plan, e);
  CU_ASSERT_PTR_NULL(plan);
  return status;
}
static int32_t put_budgets(Stage* s, size_t count, cede_error* e) {
  const cede_budget budget = {.name = s->arrays.v};
  return cede_engine_put_budgets(s->arrays.engine, &budget, sizeof budget, count, e);
}
static int32_t step_document(Stage* s, size_t count, cede_error* e) {
  cede_step* step = NULL;
  const int32_t status =
      cede_engine_step_document(s->arrays.engine, CEDE_NOW_OF_CLUSTER, "{", count, &step, e);
  CU_ASSERT_PTR_NULL(step);
  return status;
}
static int32_t resources(Stage* s, size_t count, cede_error* e) {
  const cede_amount amount = {1000, s->arrays.gpu, 0};
  uint32_t number = 7;
  const int32_t status = cede_engine_resources(s->arrays.engine, &amount, sizeof amount, count, &number, e);
  CU_ASSERT_EQUAL(number, 7);
  return status;
}
static int32_t list(Stage* s, size_t count, cede_error* e) {
  uint32_t number = 7;
  const int32_t status = cede_engine_list(s->arrays.engine, &s->arrays.n1, count, &number, e);
  CU_ASSERT_EQUAL(number, 7);
  return status;
}
static int32_t part(Stage* s, size_t count, cede_error* e) {
  uint32_t number = 7;
  const int32_t status = cede_engine_part(s->arrays.engine, CEDE_PART_LABELS, text, count, &number, e);
  CU_ASSERT_EQUAL(number, 7);
  return status;
}
static int32_t forget(Stage* s, size_t count, cede_error* e) {
  return cede_engine_forget(s->arrays.engine, &s->arrays.t0, count, e);
}
static int32_t put_levels(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_levels(s->arrays.engine, &s->arrays.leaf, count, e);
}
static int32_t import_topology(Stage* s, size_t count, cede_error* e) {
  return cede_engine_import_topology(s->arrays.engine, s->arrays.n1, hwloc_xml_text, count, e);
}
static int32_t put_groups(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_groups(s->arrays.engine, &s->arrays.group, sizeof s->arrays.group, count, e);
}
static int32_t put_domains(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_domains(s->arrays.engine, s->arrays.domains, sizeof s->arrays.domains[0], count, e);
}
static int32_t put_queues(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_queues(s->arrays.engine, s->arrays.queues, sizeof s->arrays.queues[0], count, e);
}
static int32_t put_nodes(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_nodes(s->arrays.engine, s->arrays.nodes, sizeof s->arrays.nodes[0], count, e);
}
static int32_t put_reservations(Stage* s, size_t count, cede_error* e) {
  const cede_reservation kept = {.name = s->arrays.n1};
  return cede_engine_put_reservations(s->arrays.engine, &kept, sizeof kept, count, e);
}
static int32_t put_many_jobs(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_jobs(s->arrays.engine, s->arrays.jobs, sizeof s->arrays.jobs[0], count,
                              s->arrays.tasks, sizeof s->arrays.tasks[0], 2, e);
}
static int32_t put_many_tasks(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_jobs(s->arrays.engine, s->arrays.jobs, sizeof s->arrays.jobs[0], 2, s->arrays.tasks,
                              sizeof s->arrays.tasks[0], count, e);
}
static int32_t put_tasks(Stage* s, size_t count, cede_error* e) {
  return cede_engine_put_tasks(s->arrays.engine, s->arrays.tasks, sizeof s->arrays.tasks[0], count, e);
}
static int32_t remove_tasks(Stage* s, size_t count, cede_error* e) {
  const cede_task_name task = {s->arrays.v, s->arrays.t0};
  return cede_engine_remove_tasks(s->arrays.engine, &task, sizeof task, count, e);
}
static int32_t remove_nodes(Stage* s, size_t count, cede_error* e) {
  return cede_engine_remove_nodes(s->arrays.engine, &s->arrays.n1, count, e);
}
static int32_t remove_jobs(Stage* s, size_t count, cede_error* e) {
  return cede_engine_remove_jobs(s->arrays.engine, &s->arrays.v, count, e);
}
static int32_t remove_queues(Stage* s, size_t count, cede_error* e) {
  return cede_engine_remove_queues(s->arrays.engine, &s->arrays.root_a, count, e);
}
static int32_t remove_groups(Stage* s, size_t count, cede_error* e) {
  return cede_engine_remove_groups(s->arrays.engine, &s->arrays.g, count, e);
}
static int32_t remove_domains(Stage* s, size_t count, cede_error* e) {
  return cede_engine_remove_domains(s->arrays.engine, &s->arrays.l1, count, e);
}
static int32_t remove_topologies(Stage* s, size_t count, cede_error* e) {
  return cede_engine_remove_topologies(s->arrays.engine, &s->arrays.l1, count, e);
}
static int32_t remove_reservations(Stage* s, size_t count, cede_error* e) {
  return cede_engine_remove_reservations(s->arrays.engine, &s->arrays.l1, count, e);
}
static int32_t admit(Stage* s, size_t count, cede_error* e) {
  cede_admission* admission = NULL;
  const int32_t status = cede_engine_admit(s->arrays.engine, "w", text, count, &admission, e);
  CU_ASSERT_PTR_NULL(admission);
  return status;
}
static int32_t plan_terms(Stage* s, size_t count, cede_error* e) {
  cede_plan* plan = NULL;
  const int32_t status = cede_plan_create(s->arrays.engine, "w", CEDE_NOW_OF_CLUSTER, texts, count, &plan, e);
  CU_ASSERT_PTR_NULL(plan);
  return status;
}
static int32_t batch_jobs(Stage* s, size_t count, cede_error* e) {
  cede_plan* plan = NULL;
  const int32_t status =
      cede_plan_create_batch(s->arrays.engine, texts, count, CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, e);
  CU_ASSERT_PTR_NULL(plan);
  return status;
}
static int32_t relief_terms(Stage* s, size_t count, cede_error* e) {
  cede_plan* plan = NULL;
  const int32_t status =
      cede_plan_create_relief(s->arrays.engine, "node:n1", NULL, CEDE_NOW_OF_CLUSTER, texts, count, &plan, e);
  CU_ASSERT_PTR_NULL(plan);
  return status;
}
static int32_t claim_nodes(Stage* s, size_t count, cede_error* e) {
  cede_plan* plan = NULL;
  const int32_t status = cede_plan_create_claim(s->arrays.engine, "root", texts, count, "reclaim",
                                                CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, e);
  CU_ASSERT_PTR_NULL(plan);
  return status;
}
static int32_t batch_json(Stage* s, size_t count, cede_error* e) {
  cede_text* made = UNTOUCHED_TEXT;
  const int32_t status = cede_plan_batch_json(&s->plan, count, &made, e);
  CU_ASSERT_PTR_EQUAL(made, UNTOUCHED_TEXT);
  return status;
}
static int32_t victims(Stage* s, size_t count, cede_error* e) {
  cede_victim out;
  return cede_plan_victims(s->plan, &out, sizeof out, count, NULL, e);
}
static int32_t victim_tasks(Stage* s, size_t count, cede_error* e) {
  cede_victim_task out;
  return cede_plan_victim_tasks(s->plan, &out, sizeof out, count, NULL, e);
}
static int32_t places(Stage* s, size_t count, cede_error* e) {
  cede_place out;
  return cede_plan_places(s->plan, &out, sizeof out, count, NULL, e);
}
static int32_t step_events(Stage* s, size_t count, cede_error* e) {
  const cede_event event = {.kind = CEDE_EVENT_ACTION_DONE, .action = 9};
  cede_step* step = NULL;
  const int32_t status =
      cede_engine_step(s->arrays.engine, CEDE_NOW_OF_CLUSTER, &event, sizeof event, count, "", 1, &step, e);
  CU_ASSERT_PTR_NULL(step);
  return status;
}
static int32_t step_texts(Stage* s, size_t count, cede_error* e) {
  cede_step* step = NULL;
  const int32_t status =
      cede_engine_step(s->arrays.engine, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, "", count, &step, e);
  CU_ASSERT_PTR_NULL(step);
  return status;
}
static int32_t restore(Stage* s, size_t count, cede_error* e) {
  return cede_engine_restore(s->arrays.engine, text, count, e);
}
static int32_t hwloc_text(Stage* s, size_t count, cede_error* e) {
  (void)s;
  cede_topology* topology = UNTOUCHED_TOPOLOGY;
  const int32_t status =
      cede_topology_create(hwloc_xml_text, count, CEDE_TOPOLOGY_HWLOC_XML, NULL, &topology, e);
  CU_ASSERT_PTR_EQUAL(topology, UNTOUCHED_TOPOLOGY);
  return status;
}
static int32_t slurm_text(Stage* s, size_t count, cede_error* e) {
  (void)s;
  cede_topology* topology = UNTOUCHED_TOPOLOGY;
  const int32_t status =
      cede_topology_create(slurm_topology_text, count, CEDE_TOPOLOGY_SLURM, NULL, &topology, e);
  CU_ASSERT_PTR_EQUAL(topology, UNTOUCHED_TOPOLOGY);
  return status;
}

static const struct Call {
  const char* name;
  int32_t (*run)(Stage*, size_t count, cede_error*);
} calls[] = {
    {"create, policy_size", create_policy},
    {"create, option_count", create_options},
    {"load", load},
    {"apply", apply},
    {"set_policy", set_policy},
    {"document_kind", kind},
    {"check", check},
    {"name", name},
    {"names", names},
    {"names, sizes", name_sizes},
    {"names_packed, name_count", packed_names},
    {"names_packed, texts_size", packed_texts},
    {"name_texts", name_texts},
    {"plan, term_count", plan_numbers},
    {"plan_batch, job_count", batch_numbers},
    {"plan_claim, node_count", claim_numbers},
    {"put_budgets", put_budgets},
    {"step_document", step_document},
    {"resources", resources},
    {"list", list},
    {"part", part},
    {"forget", forget},
    {"put_levels", put_levels},
    {"import_topology", import_topology},
    {"put_groups", put_groups},
    {"put_domains", put_domains},
    {"put_queues", put_queues},
    {"put_nodes", put_nodes},
    {"put_reservations", put_reservations},
    {"put_jobs, job_count", put_many_jobs},
    {"put_jobs, task_count", put_many_tasks},
    {"put_tasks", put_tasks},
    {"remove_tasks", remove_tasks},
    {"remove_nodes", remove_nodes},
    {"remove_jobs", remove_jobs},
    {"remove_queues", remove_queues},
    {"remove_groups", remove_groups},
    {"remove_domains", remove_domains},
    {"remove_topologies", remove_topologies},
    {"remove_reservations", remove_reservations},
    {"admit", admit},
    {"plan_create, term_count", plan_terms},
    {"plan_create_batch, job_count", batch_jobs},
    {"plan_create_relief, term_count", relief_terms},
    {"plan_create_claim, node_count", claim_nodes},
    {"plan_batch_json", batch_json},
    {"plan_victims", victims},
    {"plan_victim_tasks", victim_tasks},
    {"plan_places", places},
    {"step, event_count", step_events},
    {"step, texts_size", step_texts},
    {"restore", restore},
    {"topology_create of hwloc XML", hwloc_text},
    {"topology_create of a topology.conf", slurm_text},
};

static void counts_beyond_memory_are_refused(void) {
  Stage stage;
  memset(&stage, 0, sizeof stage);
  CU_ASSERT_EQUAL_FATAL(prepare_arrays(&stage.arrays), 0);
  CU_ASSERT_EQUAL_FATAL(put_arrays(&stage.arrays), 0);
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create(stage.arrays.engine, "w", CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, NULL),
                        CEDE_OK);
  stage.plan = plan;
  const size_t counts[] = {SIZE_MAX,      SIZE_MAX - 1,  SIZE_MAX / 2,
                           SIZE_MAX / 16, SIZE_MAX / 64, (size_t)1 << 48};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
      cede_error error;
      Snapshot before = take_snapshot(stage.arrays.engine);
      const int32_t status = calls[i].run(&stage, counts[k], &error);
      const bool refused = status == CEDE_E_INVALID || status == CEDE_E_LIMIT || status == CEDE_E_NOMEM;
      if (!refused) printf("%s with %zu: %s\n", calls[i].name, counts[k], cede_status_name(status));
      CU_ASSERT_TRUE(refused);
      CU_ASSERT_TRUE(well_formed(&error, status));
      CU_ASSERT_TRUE(unchanged_since(&before, stage.arrays.engine));
    }
  }
  CU_ASSERT_EQUAL(cede_engine_find_name(stage.arrays.engine, "v", SIZE_MAX), 0);
  cede_plan_destroy(plan);
  cede_engine_destroy(stage.arrays.engine);
}

CU_TestInfo size_tests[] = {
    {"counts beyond memory are refused", counts_beyond_memory_are_refused},
    CU_TEST_INFO_NULL,
};
