/* SPDX-License-Identifier: MIT */
/* What answers say without JSON, and the documents of a step. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

enum { kMost = 32 };

static const char class_policy[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"class-cost\"}}}";
static const char class_cluster[] =
    "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\", \"policy\": "
    "\"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"}], \"nodes\": [{\"id\": \"n1\", \"resources\": {\"gpu\": 8}}],\n"
    " \"jobs\": [{\"id\": \"low\", \"queue\": \"root\", \"class\": 2, \"state\": \"running\", \"started\": "
    "1759990000,\n"
    "   \"checkpoint\": {\"mode\": \"auto\", \"estimate\": \"2m\"}, \"walltime\": \"8h\",\n"
    "   \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 8}, \"gpus\": [0, 1, 2, 3, 4, 5, 6, 7]}]},\n"
    "  {\"id\": \"high\", \"queue\": \"root\", \"class\": 8, \"value\": 1000, \"submitted\": 1759999000,\n"
    "   \"tasks\": [{\"resources\": {\"gpu\": 4}}]}]}";

static cede_plan* plan_for(const cede_engine* engine, const char* job) {
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create(engine, job, CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, NULL), CEDE_OK);
  return plan;
}

static void a_plan_tells_all_without_json(void) {
  cede_engine* engine = engine_with(class_policy, class_cluster);
  cede_plan* plan = plan_for(engine, "high");
  cede_plan_facts facts;
  cede_victim victim;
  cede_cost_part parts[kMost];
  cede_criterion criteria[kMost];
  size_t count = 0;
  CU_ASSERT_EQUAL(cede_plan_get(plan, &facts, sizeof facts, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(facts.outcome, CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(facts.purpose, CEDE_FOR_JOB);
  CU_ASSERT_EQUAL(facts.cause, CEDE_CAUSE_PRIORITY);
  CU_ASSERT_STRING_EQUAL(cede_plan_cause(plan), "priority");
  CU_ASSERT_STRING_EQUAL(cede_plan_policy(plan), "default");
  CU_ASSERT_STRING_EQUAL(cede_plan_profile(plan), "class-cost");
  CU_ASSERT_EQUAL(facts.now, 1760000000000);
  CU_ASSERT_EQUAL(facts.expected_start, 1760000000000 + 150000); /* the estimate and the grace */
  CU_ASSERT_TRUE(facts.latest_start > facts.expected_start);
  CU_ASSERT_EQUAL(facts.optimal, 1);
  CU_ASSERT_EQUAL(facts.proven, facts.criterion_count);
  CU_ASSERT_EQUAL(facts.gap_value, CEDE_NONE);
  CU_ASSERT_EQUAL(facts.gap_bound, CEDE_NONE);
  CU_ASSERT_EQUAL(facts.units, 1);
  CU_ASSERT_EQUAL(facts.cost, cede_plan_cost(plan));
  CU_ASSERT_EQUAL(facts.revision, cede_engine_revision(engine));
  CU_ASSERT_EQUAL_FATAL(facts.victim_count, 1);
  CU_ASSERT_EQUAL(cede_plan_victims(plan, &victim, sizeof victim, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(victim.action, CEDE_ACTION_CHECKPOINT);
  CU_ASSERT_EQUAL(victim.then, CEDE_ACTION_SUSPEND);
  CU_ASSERT_EQUAL(victim.unsaved, CEDE_ACTION_TERMINATE);
  CU_ASSERT_EQUAL(victim.requeue, 1);
  CU_ASSERT_EQUAL(victim.move_count, 0);
  CU_ASSERT_EQUAL(cede_plan_cost_parts(plan, parts, sizeof parts[0], kMost, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(count, victim.cost_part_count);
  int64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    CU_ASSERT_EQUAL(parts[i].victim, 0);
    if (parts[i].kind == CEDE_COST_CHECKPOINT) CU_ASSERT_EQUAL(parts[i].value, 2000);
    if (parts[i].kind == CEDE_COST_OVERHEAD) CU_ASSERT_EQUAL(parts[i].value, 1000);
    sum += parts[i].value;
  }
  CU_ASSERT_EQUAL(sum, victim.cost);
  CU_ASSERT_EQUAL(cede_plan_criteria(plan, criteria, sizeof criteria[0], kMost, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(count, facts.criterion_count);
  CU_ASSERT_STRING_EQUAL(cede_plan_criterion_name(plan, 0), "last-resort");
  CU_ASSERT_PTR_NULL(cede_plan_criterion_name(plan, count));
  for (size_t i = 0; i < count; ++i) {
    CU_ASSERT_EQUAL(criteria[i].proven, 1);
    if (strcmp(cede_plan_criterion_name(plan, i), "price") == 0)
      CU_ASSERT_EQUAL(criteria[i].value, victim.cost);
  }
  CU_ASSERT_EQUAL(facts.met_count, 0);
  CU_ASSERT_PTR_NULL(cede_plan_met(plan, 0));
  CU_ASSERT_PTR_NULL(cede_plan_missed(plan, 0));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void a_plan_is_drawn(void) {
  cede_engine* engine = engine_with(class_policy, class_cluster);
  cede_plan* plan = plan_for(engine, "high");
  cede_text* text = NULL;
  cede_error error;
  CU_ASSERT_EQUAL(cede_plan_picture(plan, CEDE_PICTURE_TEXT, 60, &text, &error), CEDE_OK);
  CU_ASSERT_STRING_EQUAL(cede_text_data(text),
                         "high: preempt: 1 job gives way to 'high'\n"
                         "n1  ****VVVV\n"
                         "V leaves, * leaves, given to the request\n");
  cede_text_destroy(text);
  CU_ASSERT_EQUAL(cede_plan_picture(plan, CEDE_PICTURE_SVG, 400, &text, &error), CEDE_OK);
  const char* svg = cede_text_data(text);
  CU_ASSERT_EQUAL(strncmp(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\"", 50), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(svg, "given to the request"));
  CU_ASSERT_STRING_EQUAL(svg + cede_text_size(text) - 7, "</svg>\n");
  cede_text_destroy(text);
  text = UNTOUCHED_TEXT;
  CU_ASSERT_EQUAL(cede_plan_picture(plan, 3, 0, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_picture(plan, CEDE_PICTURE_TEXT, 39, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "width: 39 is outside 40..1000");
  CU_ASSERT_EQUAL(cede_plan_picture(NULL, CEDE_PICTURE_TEXT, 0, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_picture(plan, CEDE_PICTURE_TEXT, 0, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(text, UNTOUCHED_TEXT);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static cede_step* told(cede_engine* engine, const char* document) {
  cede_step* step = NULL;
  cede_error error;
  const int32_t status = cede_engine_step_document(engine, CEDE_NOW_OF_CLUSTER, document,
                                                   document ? strlen(document) : 0, &step, &error);
  if (status != CEDE_OK) printf("%s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(status, CEDE_OK);
  return step;
}

static bool says(const cede_step* step, const char* part) {
  cede_text* text = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_step_json(step, &text, NULL), CEDE_OK);
  const bool found = strstr(cede_text_data(text), part) != NULL;
  if (!found) printf("%s is not in %s\n", part, cede_text_data(text));
  cede_text_destroy(text);
  return found;
}

static void a_step_in_documents(void) {
  cede_engine* engine = engine_with(class_policy, class_cluster);
  cede_plan* plan = plan_for(engine, "high");
  uint64_t entry = 0;
  CU_ASSERT_EQUAL_FATAL(cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  cede_step* step = told(engine, NULL);
  CU_ASSERT_TRUE(says(step, "{\"format\":\"cede-actions/1\",\"now\":1760000000,"));
  CU_ASSERT_TRUE(says(step, "{\"action\":1,\"do\":\"checkpoint-hint\",\"entry\":1,"));
  CU_ASSERT_TRUE(says(
      step, "\"for\":\"job\",\"name\":\"high\",\"cause\":\"priority\",\"job\":\"low\",\"tasks\":[\"t0\"],"));
  cede_step_destroy(step);
  step = told(engine,
              "{\"format\": \"cede-events/1\", \"events\": [{\"event\": \"action-done\", \"action\": 1},\n"
              " {\"event\": \"checkpoint-done\", \"job\": \"low\", \"task\": \"t0\"},\n"
              " {\"event\": \"released\", \"job\": \"nobody\"}]}");
  CU_ASSERT_TRUE(says(step, "\"answers\":[\"taken\",\"taken\",\"ignored\"]"));
  CU_ASSERT_TRUE(says(step, "\"do\":\"suspend\""));
  cede_step_destroy(step);
  step = told(engine,
              "{\"format\": \"cede-events/1\", \"events\": [{\"event\": \"released\", \"job\": \"low\"}]}");
  CU_ASSERT_TRUE(says(step, "\"do\":\"requeue\""));
  CU_ASSERT_TRUE(says(step, "\"resume\":true"));
  CU_ASSERT_TRUE(says(step, "\"placement\":[{\"task\":\"t0\",\"node\":\"n1\",\"gpus\":[0,1,2,3]}]"));
  cede_step_destroy(step);
  static const struct {
    const char* events;
    const char* error;
  } wrong[] = {{"[{\"event\": \"relased\", \"job\": \"low\"}]", "did you mean 'released'?"},
               {"[{\"job\": \"low\"}]", "events[0].event: missing; the name of an event is wanted"},
               {"[{\"event\": \"exited\"}]", "events[0].job: missing; the event exited needs one"},
               {"[{\"event\": \"node-up\", \"node\": \"n1\", \"job\": \"low\"}]",
                "events[0].job: the event node-up has none"},
               {"[{\"event\": \"job-is-gone\", \"job\": \"low\"}]", "events[0].event: 'job-is-gone'"},
               {"{}", "events"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    char document[512];
    cede_error error;
    snprintf(document, sizeof document, "{\"format\": \"cede-events/1\", \"events\": %s}", wrong[i].events);
    step = (cede_step*)&untouched;
    CU_ASSERT_EQUAL(
        cede_engine_step_document(engine, CEDE_NOW_OF_CLUSTER, document, strlen(document), &step, &error),
        CEDE_E_DOCUMENT);
    if (!strstr(error.text, wrong[i].error)) printf("%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, wrong[i].error));
    CU_ASSERT_PTR_EQUAL(step, (cede_step*)&untouched);
  }
  cede_engine_destroy(engine);
}

/* Seconds where milliseconds are wanted, and thousandths where whole GPUs are meant. */
static void mistakes_of_the_unit_are_warnings(void) {
  cede_engine* engine = new_engine();
  static const char cluster[] =
      "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\"}], \"queues\": "
      "[{\"id\": \"root\"}],\n"
      " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"gpu\": 8}}], \"jobs\": [\n"
      " {\"id\": \"early\", \"queue\": \"root\", \"group\": \"g\", \"state\": \"running\", \"started\": "
      "1760000,\n"
      "  \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 4}}]},\n"
      " {\"id\": \"small\", \"queue\": \"root\", \"group\": \"g\", \"tasks\": [{\"resources\": {\"gpu\": "
      "0.008}}]}]}";
  cede_report* report = NULL;
  CU_ASSERT_EQUAL(check_text(engine, cluster, &report, NULL), CEDE_REMARK_WARNINGS);
  CU_ASSERT_EQUAL_FATAL(cede_report_count(report), 2);
  CU_ASSERT_STRING_EQUAL(cede_report_path(report, 0), "jobs[0].started");
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_report_text(report, 0), "before the year 2000"));
  CU_ASSERT_STRING_EQUAL(cede_report_path(report, 1), "jobs[1].tasks[0].resources.gpu");
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_report_text(report, 1), "less than a tenth of a GPU"));
  cede_report_destroy(report);
  CU_ASSERT_EQUAL(load_text(engine, cluster, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_check(engine, NULL, 0, &report, NULL), CEDE_REMARK_WARNINGS);
  CU_ASSERT_EQUAL_FATAL(cede_report_count(report), 2);
  CU_ASSERT_STRING_EQUAL(cede_report_path(report, 0), "jobs.early.started");
  cede_report_destroy(report);
  cede_engine_destroy(engine);
}

CU_TestInfo answer_tests[] = {
    {"a plan tells all without JSON", a_plan_tells_all_without_json},
    {"a plan is drawn", a_plan_is_drawn},
    {"a step in documents", a_step_in_documents},
    {"mistakes of the unit are warnings", mistakes_of_the_unit_are_warnings},
    CU_TEST_INFO_NULL,
};
