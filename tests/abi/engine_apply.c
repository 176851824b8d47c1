/* SPDX-License-Identifier: MIT */
/* Applying changes must end where loading the changed cluster would have ended. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

/* The parts of cluster_text, to write the clusters that changes lead to. */
#define HEAD                                                                                        \
  "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\", \"policy\": " \
  "\"default\"}], "
#define QUEUE_ROOT "{\"id\": \"root\"}"
#define QUEUE_A \
  "{\"id\": \"root.a\", \"parent\": \"root\", \"guaranteed\": {\"gpu\": 2}, \"max\": {\"gpu\": 8}}"
#define QUEUE_B "{\"id\": \"root.b\", \"parent\": \"root\"}"
#define QUEUES "\"queues\": [" QUEUE_ROOT ", " QUEUE_A ", " QUEUE_B "], "
#define NODE_1 \
  "{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"cpu\": 16, \"mem\": \"64Gi\", \"gpu\": 4}}"
#define NODE_2 \
  "{\"id\": \"n2\", \"group\": \"g\", \"resources\": {\"cpu\": 16, \"mem\": \"64Gi\", \"gpu\": 4}}"
#define NODES "\"nodes\": [" NODE_1 ", " NODE_2 "], "
#define JOB_1                                                                                           \
  "{\"id\": \"j1\", \"queue\": \"root.a\", \"group\": \"g\", \"state\": \"running\", \"priority\": 3, " \
  "\"started\": 1759990000, \"tasks\": [{\"id\": \"t0\", \"node\": \"n1\", \"resources\": {\"cpu\": "   \
  "\"500m\", "                                                                                          \
  "\"gpu\": 2}}]}"
#define JOB_2                                                                                              \
  "{\"id\": \"j2\", \"queue\": \"root.b\", \"group\": \"g\", \"priority\": 5, \"submitted\": 1759999000, " \
  "\"tasks\": [{\"count\": 2, \"resources\": {\"gpu\": 1}}]}"
#define WAITING(id, queue)                            \
  "{\"id\": \"" id "\", \"queue\": \"" queue          \
  "\", \"group\": \"g\", \"submitted\": 1760000000, " \
  "\"tasks\": [{\"resources\": {\"gpu\": 4}}]}"
#define CHANGES "{\"format\": \"cede-changes/1\", "

typedef struct Change {
  const char* name;
  const char* changes;
  const char* result;
} Change;

static const Change taken[] = {
    {"nothing", "{\"format\": \"cede-changes/1\"}", HEAD QUEUES NODES "\"jobs\": [" JOB_1 ", " JOB_2 "]}"},
    {"empty lists", CHANGES "\"put\": {\"jobs\": []}, \"remove\": {\"jobs\": [], \"nodes\": []}}",
     HEAD QUEUES NODES "\"jobs\": [" JOB_1 ", " JOB_2 "]}"},
    {"put adds", CHANGES "\"put\": {\"jobs\": [" WAITING("j3", "root.a") "]}}",
     HEAD QUEUES NODES "\"jobs\": [" JOB_1 ", " JOB_2 ", " WAITING("j3", "root.a") "]}"},
    {"put replaces the whole object, not only what it names",
     CHANGES "\"put\": {\"jobs\": [" WAITING(
         "j2", "root.b") "], \"nodes\": [{\"id\": \"n2\", \"group\": \"g\"}], "
                         "\"queues\": [{\"id\": \"root.a\", \"parent\": \"root\"}]}}",
     HEAD "\"queues\": [" QUEUE_ROOT ", {\"id\": \"root.a\", \"parent\": \"root\"}, " QUEUE_B
          "], \"nodes\": [" NODE_1 ", {\"id\": \"n2\", \"group\": \"g\"}], \"jobs\": [" JOB_1
          ", " WAITING("j2", "root.b") "]}"},
    {"remove", CHANGES "\"remove\": {\"jobs\": [\"j2\", \"j1\"], \"nodes\": [\"n1\"]}}",
     HEAD QUEUES "\"nodes\": [" NODE_2 "]}"},
    {"a queue and a job that refers to it, the reference first",
     CHANGES
     "\"put\": {\"jobs\": [" WAITING("j3", "root.c") "], \"queues\": [{\"id\": \"root.c\", \"parent\": "
                                                     "\"root\"}]}}",
     HEAD "\"queues\": [" QUEUE_ROOT ", " QUEUE_A ", " QUEUE_B
          ", {\"id\": \"root.c\", \"parent\": \"root\"}], " NODES "\"jobs\": [" JOB_1 ", " JOB_2
          ", " WAITING("j3", "root.c") "]}"},
    {"removing a queue whose job moves away in the same document",
     CHANGES "\"remove\": {\"queues\": [\"root.b\"]}, \"put\": {\"jobs\": [" WAITING("j2", "root.a") "]}}",
     HEAD "\"queues\": [" QUEUE_ROOT ", " QUEUE_A "], " NODES "\"jobs\": [" JOB_1
          ", " WAITING("j2", "root.a") "]}"},
    {"removing a node and the job that ran there",
     CHANGES "\"remove\": {\"nodes\": [\"n1\"], \"jobs\": [\"j1\"]}}",
     HEAD QUEUES "\"nodes\": [" NODE_2 "], \"jobs\": [" JOB_2 "]}"},
    {"putting what is there already", CHANGES "\"put\": {\"jobs\": [" JOB_1 "], \"nodes\": [" NODE_1 "]}}",
     HEAD QUEUES NODES "\"jobs\": [" JOB_1 ", " JOB_2 "]}"},
};

static void ends_where_a_load_would_have_ended(void) {
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; ++i) {
    cede_engine* changed = loaded_engine();
    cede_engine* direct = engine_with(policy_text, taken[i].result);
    cede_error error = {0};
    const int32_t status = apply_text(changed, taken[i].changes, &error);
    const bool right = status == CEDE_OK && same_export(changed, direct);
    if (!right) {
      char* got = export_of(changed);
      char* expected = export_of(direct);
      printf("\n      %s: %s %s\n%s\n%s ", taken[i].name, cede_status_name(status), error.text, got,
             expected);
      free(got);
      free(expected);
    }
    CU_ASSERT_TRUE(right);
    cede_engine_destroy(changed);
    cede_engine_destroy(direct);
  }
}

typedef struct Refusal {
  const char* changes;
  int32_t status;
  const char* named;
} Refusal;

static const Refusal refused[] = {
    {"", CEDE_E_DOCUMENT, ""},
    {"[]", CEDE_E_DOCUMENT, ""},
    {"{}", CEDE_E_DOCUMENT, "format"},
    {"{\"format\": \"cede-changes/2\"}", CEDE_E_VERSION, "cede-changes/2"},
    {HEAD QUEUES NODES "\"jobs\": []}", CEDE_E_DOCUMENT, "cede-cluster/1"},
    {CHANGES "\"puts\": {}}", CEDE_E_DOCUMENT, "'put'"},
    {CHANGES "\"put\": {\"job\": []}}", CEDE_E_DOCUMENT, "'jobs'"},
    {CHANGES "\"put\": []}", CEDE_E_DOCUMENT, "put"},
    {CHANGES "\"remove\": {\"jobs\": [7]}}", CEDE_E_DOCUMENT, "remove.jobs[0]"},
    {CHANGES "\"remove\": {\"jobs\": [\"j9\"]}}", CEDE_E_DOCUMENT, "'j9'"},
    {CHANGES "\"remove\": {\"nodes\": [\"j1\"]}}", CEDE_E_DOCUMENT, "'j1'"},
    {CHANGES "\"remove\": {\"jobs\": [\"j2\", \"j2\"]}}", CEDE_E_DOCUMENT, "'j2'"},
    /* Both for one id: whichever the sender meant, the other would be lost unseen. */
    {CHANGES "\"put\": {\"jobs\": [" JOB_2 "]}, \"remove\": {\"jobs\": [\"j2\"]}}", CEDE_E_DOCUMENT, "'j2'"},
    {CHANGES "\"remove\": {\"jobs\": [\"j3\"]}, \"put\": {\"jobs\": [" WAITING("j3", "root.a") "]}}",
     CEDE_E_DOCUMENT, "'j3'"},
    {CHANGES "\"put\": {\"jobs\": [" JOB_2 ", " JOB_2 "]}}", CEDE_E_DOCUMENT, "'j2'"},
    {CHANGES "\"put\": {\"jobs\": [" WAITING("j3", "root.c") "]}}", CEDE_E_DOCUMENT, "'root.c'"},
    {CHANGES "\"remove\": {\"queues\": [\"root.b\"]}}", CEDE_E_DOCUMENT, "root.b"},
    {CHANGES "\"remove\": {\"queues\": [\"root\"]}}", CEDE_E_DOCUMENT, "root"},
    {CHANGES "\"remove\": {\"nodes\": [\"n1\"]}}", CEDE_E_DOCUMENT, "n1"},
    {CHANGES "\"remove\": {\"groups\": [\"g\"]}}", CEDE_E_DOCUMENT, "g"},
    {CHANGES "\"put\": {\"groups\": [{\"id\": \"g\", \"policy\": \"none\"}]}}", CEDE_E_DOCUMENT, "'none'"},
    {CHANGES "\"put\": {\"queues\": [{\"id\": \"root.a\", \"parent\": \"root.a\"}]}}", CEDE_E_DOCUMENT,
     "root.a"},
    {CHANGES
     "\"put\": {\"queues\": [{\"id\": \"root.a\", \"parent\": \"root.b\"}, {\"id\": \"root.b\", \"parent\": "
     "\"root.a\"}]}}",
     CEDE_E_DOCUMENT, "root."},
    {CHANGES "\"put\": {\"queues\": [{\"id\": \"top\"}]}}", CEDE_E_DOCUMENT, "'top'"},
    {CHANGES "\"put\": {\"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"gpu\": 1}}]}}",
     CEDE_E_DOCUMENT, ""},
    {CHANGES "\"put\": {\"jobs\": [" WAITING("j3", "root.a") ", " WAITING(
         "j4", "root.c") "]}, \"remove\": {\"jobs\": "
                         "[\"j2\"]}}",
     CEDE_E_DOCUMENT, "'root.c'"},
};

static void refuses_all_of_it_or_nothing(void) {
  cede_engine* engine = loaded_engine();
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
    Snapshot before = take_snapshot(engine);
    cede_error error;
    const int32_t status = apply_text(engine, refused[i].changes, &error);
    bool right =
        status == refused[i].status && well_formed(&error, status) && strstr(error.text, refused[i].named);
    if (!unchanged_since(&before, engine)) right = false;
    if (!right) printf("\n      %s\n      %s %s ", refused[i].changes, cede_status_name(status), error.text);
    CU_ASSERT_TRUE(right);
  }
  /* After all those the engine still takes a good one, to the same end as an engine that never saw them. */
  cede_engine* fresh = loaded_engine();
  CU_ASSERT_EQUAL(apply_text(engine, change_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(apply_text(fresh, change_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(same_export(engine, fresh));
  cede_engine_destroy(fresh);
  cede_engine_destroy(engine);
}

/* Every way one object can name another. */
static const char linked_cluster[] = HEAD
    "\"topologies\": {\"box\": {\"gpus\": 2}}, "
    "\"network\": {\"levels\": [\"leaf\", \"spine\", \"core\"], \"domains\": ["
    "{\"id\": \"l\", \"level\": \"leaf\", \"parent\": \"s\"}, {\"id\": \"s\", \"level\": \"spine\"}, "
    "{\"id\": \"empty\", \"level\": \"spine\", \"parent\": \"c\"}, {\"id\": \"c\", \"level\": \"core\"}]}, "
    "\"queues\": [{\"id\": \"root\"}, {\"id\": \"owner\", \"parent\": \"root\"}, "
    "{\"id\": \"guest\", \"parent\": \"root\"}], "
    "\"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"gpu\": 2}, \"topology\": \"box\", "
    "\"network\": [\"l\"], \"home\": \"owner\"}, {\"id\": \"n2\", \"group\": \"g\", \"resources\": {\"gpu\": "
    "2}}, "
    "{\"id\": \"n3\", \"group\": \"g\"}], "
    "\"reservations\": [{\"id\": \"r\", \"nodes\": [\"n3\"], \"from\": 1760000100, \"until\": 1760000200, "
    "\"for\": {\"queue\": \"guest\"}}], "
    "\"jobs\": [{\"id\": \"j\", \"queue\": \"root\", \"group\": \"g\", "
    "\"tasks\": [{\"resources\": {\"gpu\": 1}, \"required_node\": \"n2\"}]}]}";

static const Change unlinked[] = {
    {"a node's topology", CHANGES "\"remove\": {\"topologies\": [\"box\"]}}", "box"},
    {"a node's domain", CHANGES "\"remove\": {\"domains\": [\"l\"]}}", "l"},
    {"a domain's parent", CHANGES "\"remove\": {\"domains\": [\"s\"]}}", "s"},
    {"a node's home", CHANGES "\"remove\": {\"queues\": [\"owner\"]}}", "owner"},
    {"the queue that a reservation is for", CHANGES "\"remove\": {\"queues\": [\"guest\"]}}", "guest"},
    {"a reservation's node", CHANGES "\"remove\": {\"nodes\": [\"n3\"]}}", "n3"},
    {"the node a task requires", CHANGES "\"remove\": {\"nodes\": [\"n2\"]}}", "n2"},
    {"everybody's group", CHANGES "\"remove\": {\"groups\": [\"g\"]}}", "g"},
    {"a parent that is no longer farther than its child",
     CHANGES "\"put\": {\"network\": {\"domains\": [{\"id\": \"s\", \"level\": \"leaf\"}]}}}", "s"},
    {"the same where no node is below",
     CHANGES "\"put\": {\"network\": {\"domains\": [{\"id\": \"c\", \"level\": \"leaf\"}]}}}", "c"},
    {"a topology with fewer devices than the node has",
     CHANGES "\"put\": {\"topologies\": {\"box\": {\"gpus\": 1}}}}", "box"},
};

static void what_is_named_must_stay(void) {
  cede_engine* engine = engine_with(policy_text, linked_cluster);
  for (size_t i = 0; i < sizeof unlinked / sizeof unlinked[0]; ++i) {
    Snapshot before = take_snapshot(engine);
    cede_error error;
    const int32_t status = apply_text(engine, unlinked[i].changes, &error);
    bool right =
        status == CEDE_E_DOCUMENT && well_formed(&error, status) && strstr(error.text, unlinked[i].result);
    if (!unchanged_since(&before, engine)) right = false;
    if (!right) printf("\n      %s: %s %s ", unlinked[i].name, cede_status_name(status), error.text);
    CU_ASSERT_TRUE(right);
    if (status >= 0) CU_ASSERT_EQUAL(load_text(engine, linked_cluster, NULL), CEDE_OK);
  }
  cede_engine_destroy(engine);
}

static void refuses_what_is_missing(void) {
  cede_engine* engine = loaded_engine();
  Snapshot before = take_snapshot(engine);
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_apply(NULL, change_text, strlen(change_text), &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_apply(engine, NULL, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_apply(engine, NULL, 3, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_apply(NULL, NULL, 0, NULL), CEDE_E_INVALID);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

static void builds_a_cluster_from_nothing(void) {
  static const char all[] = CHANGES "\"put\": {\"jobs\": [" JOB_1 ", " JOB_2 "], \"nodes\": [" NODE_1
                                    ", " NODE_2 "], \"queues\": [" QUEUE_B ", " QUEUE_A ", " QUEUE_ROOT
                                    "], \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}]}}";
  static const char none[] = CHANGES
      "\"remove\": {\"groups\": [\"g\"], \"queues\": [\"root\", \"root.a\", \"root.b\"], \"nodes\": [\"n1\", "
      "\"n2\"], "
      "\"jobs\": [\"j1\", \"j2\"]}}";
  static const char bare[] = "{\"format\": \"cede-cluster/1\", \"now\": 1760000000}";
  cede_engine* engine = engine_with(policy_text, bare);
  cede_engine* direct = loaded_engine();
  Snapshot before = take_snapshot(engine);
  CU_ASSERT_EQUAL(apply_text(engine, all, NULL), CEDE_OK);
  CU_ASSERT_TRUE(same_export(engine, direct));
  CU_ASSERT_EQUAL(apply_text(engine, none, NULL), CEDE_OK);
  char* after = export_of(engine);
  CU_ASSERT_STRING_EQUAL(after, before.document);
  free(after);
  free(before.document);
  cede_engine_destroy(engine);
  cede_engine_destroy(direct);
}

static void remarks_like_a_load(void) {
  cede_engine* engine = loaded_engine();
  CU_ASSERT_EQUAL(apply_text(engine,
                             CHANGES "\"put\": {\"queues\": [{\"id\": \"root.a.x\", \"parent\": \"root.a\", "
                                     "\"guaranteed\": {\"gpu\": 3}}]}, \"remove\": {\"jobs\": [\"j1\"]}}",
                             NULL),
                  CEDE_REMARK_WARNINGS);
  cede_engine_destroy(engine);
}

CU_TestInfo engine_apply_tests[] = {
    {"ends where a load would have ended", ends_where_a_load_would_have_ended},
    {"refuses all of it or nothing", refuses_all_of_it_or_nothing},
    {"what is named must stay", what_is_named_must_stay},
    {"refuses what is missing", refuses_what_is_missing},
    {"builds a cluster from nothing", builds_a_cluster_from_nothing},
    {"remarks like a load", remarks_like_a_load},
    CU_TEST_INFO_NULL,
};
