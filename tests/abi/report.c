/* SPDX-License-Identifier: MIT */
/* What travels with its size, cede_finding, is tried in growth.c. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

static bool get_finding(const cede_report* report, size_t index, cede_finding* finding) {
  cede_finding all[64];
  size_t count = 0;
  if (cede_report_findings(report, all, sizeof all[0], 64, &count, NULL) != CEDE_OK || index >= count ||
      count > 64)
    return false;
  *finding = all[index];
  return true;
}

static bool findings_are_well_formed(const cede_report* report) {
  for (size_t i = 0; i < cede_report_count(report); ++i) {
    cede_finding finding;
    if (!get_finding(report, i, &finding)) return false;
    const bool error = finding.severity == CEDE_SEVERITY_ERROR && finding.status < 0;
    const bool warning = finding.severity == CEDE_SEVERITY_WARNING && finding.status == CEDE_REMARK_WARNINGS;
    if (!error && !warning) return false;
    if ((finding.line == 0) != (finding.column == 0)) return false;
    const char* path = cede_report_path(report, i);
    const char* text = cede_report_text(report, i);
    if (!path || !text || strlen(text) == 0 || strchr(text, '\n') || strchr(path, '\n')) return false;
  }
  return true;
}

static void check_refuses_what_is_missing(void) {
  cede_engine* engine = loaded_engine();
  cede_report* report = UNTOUCHED_REPORT;
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_check(NULL, cluster_text, strlen(cluster_text), &report, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_check(engine, cluster_text, strlen(cluster_text), NULL, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_check(engine, NULL, 7, &report, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_check(NULL, NULL, 0, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(report, UNTOUCHED_REPORT);
  cede_engine_destroy(engine);
}

static void a_good_document_has_no_findings(void) {
  static const char* const good[] = {cluster_text, small_cluster_text, full_cluster_text, policy_text,
                                     change_text};
  cede_engine* engine = loaded_engine();
  Snapshot before = take_snapshot(engine);
  for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
    cede_report* report = NULL;
    cede_error error;
    const int32_t status = check_text(engine, good[i], &report, &error);
    if (status != CEDE_OK) printf("\n      %s ", error.text);
    CU_ASSERT_EQUAL(status, CEDE_OK);
    CU_ASSERT_PTR_NOT_NULL(report);
    CU_ASSERT_EQUAL(cede_report_count(report), 0);
    CU_ASSERT_EQUAL(cede_report_dropped(report), 0);
    cede_report_destroy(report);
  }
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

static void reports_every_mistake_with_its_place(void) {
  static const struct {
    uint32_t line;
    const char* path;
    const char* named;
  } expected[] = {
      {3, "groups[0]", "'polici'"}, {5, "nodes[0].resources.gpu", "-1"}, {6, "nodes[1].state", "'upp'"}};
  cede_engine* engine = new_engine();
  cede_report* report = NULL;
  cede_error error;
  CU_ASSERT_EQUAL(check_text(engine, wrong_cluster_text, &report, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_DOCUMENT));
  CU_ASSERT_PTR_NOT_NULL_FATAL(report);
  CU_ASSERT_TRUE(findings_are_well_formed(report));
  CU_ASSERT_EQUAL(cede_report_count(report), 3);
  for (size_t i = 0; i < cede_report_count(report) && i < 3; ++i) {
    cede_finding finding;
    CU_ASSERT_TRUE(get_finding(report, i, &finding));
    CU_ASSERT_EQUAL(finding.severity, CEDE_SEVERITY_ERROR);
    CU_ASSERT_EQUAL(finding.status, CEDE_E_DOCUMENT);
    CU_ASSERT_EQUAL(finding.line, expected[i].line);
    CU_ASSERT_TRUE(finding.column > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(cede_report_path(report, i), expected[i].path));
    CU_ASSERT_PTR_NOT_NULL(strstr(cede_report_text(report, i), expected[i].named));
  }
  cede_report_destroy(report);
  cede_engine_destroy(engine);
}

/*
 * What a check answers is what the call itself would have answered, for every kind of document. Of a text
 * that does not say its kind a load knows more than a check: it was told that this is a cluster.
 */
static void agrees_with_the_calls(void) {
  static const char* const texts[] = {
      cluster_text,
      small_cluster_text,
      odd_cluster_text,
      full_cluster_text,
      wrong_cluster_text,
      gold_cluster_text,
      hwloc_cluster_text,
      overcommitted_cluster_text,
      policy_text,
      gold_policy_text,
      bad_policy_text,
      change_text,
      wrong_change_text,
      "",
      "{\"a\": 1}",
      "{\"format\": \"cede-cluster/2\"}",
      "{\"format\": \"cede-changes/1\"}",
      "{\"format\": \"cede-changes/1\", \"remove\": {\"jobs\": [\"none\"]}}",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    cede_engine* engine = loaded_engine();
    cede_report* report = NULL;
    cede_error of_check;
    cede_error of_call;
    const int32_t kind = cede_document_kind(texts[i], strlen(texts[i]), NULL);
    Snapshot before = take_snapshot(engine);
    const int32_t checked = check_text(engine, texts[i], &report, &of_check);
    CU_ASSERT_TRUE(unchanged_since(&before, engine));
    CU_ASSERT_PTR_NOT_NULL(report);
    CU_ASSERT_TRUE(findings_are_well_formed(report));
    CU_ASSERT_EQUAL(cede_report_count(report) == 0, checked == CEDE_OK);
    const int32_t called = kind == CEDE_DOCUMENT_POLICY    ? set_policy_text(engine, texts[i], &of_call)
                           : kind == CEDE_DOCUMENT_CHANGES ? apply_text(engine, texts[i], &of_call)
                                                           : load_text(engine, texts[i], &of_call);
    if (called != checked) printf("\n      %s: %d, %d ", texts[i], (int)checked, (int)called);
    CU_ASSERT_EQUAL(called, checked);
    if (kind > 0 && called < 0 && checked < 0) {
      CU_ASSERT_STRING_EQUAL(of_check.text, of_call.text);
      CU_ASSERT_EQUAL(of_check.line, of_call.line);
    }
    cede_report_destroy(report);
    cede_engine_destroy(engine);
  }
}

static void without_a_text_it_reports_on_what_is_loaded(void) {
  cede_engine* engine = engine_with(policy_text, odd_cluster_text);
  cede_report* report = NULL;
  CU_ASSERT_EQUAL(cede_engine_check(engine, NULL, 0, &report, NULL), CEDE_REMARK_WARNINGS);
  CU_ASSERT_TRUE_FATAL(cede_report_count(report) > 0);
  CU_ASSERT_TRUE(findings_are_well_formed(report));
  for (size_t i = 0; i < cede_report_count(report); ++i) {
    cede_finding finding;
    CU_ASSERT_TRUE(get_finding(report, i, &finding));
    CU_ASSERT_EQUAL(finding.severity, CEDE_SEVERITY_WARNING);
    CU_ASSERT_EQUAL(finding.line, 0);
  }
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_report_text(report, 0), "root.a"));
  cede_report_destroy(report);
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_check(engine, NULL, 0, &report, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_report_count(report), 0);
  cede_report_destroy(report);
  cede_engine_destroy(engine);
}

static void keeps_as_many_as_the_option_says(void) {
  for (size_t keep = 1; keep <= 4; ++keep) {
    char option[32];
    const char* options[1] = {option};
    cede_engine* engine = NULL;
    cede_report* report = NULL;
    snprintf(option, sizeof option, "max_findings=%u", (unsigned)keep);
    CU_ASSERT_EQUAL_FATAL(cede_engine_create(NULL, 0, options, 1, CEDE_VERSION, &engine, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(check_text(engine, wrong_cluster_text, &report, NULL), CEDE_E_DOCUMENT);
    const size_t count = keep < 3 ? keep : 3;
    CU_ASSERT_EQUAL(cede_report_count(report), count);
    CU_ASSERT_EQUAL(cede_report_dropped(report), 3 - count);
    cede_finding first;
    CU_ASSERT_TRUE(get_finding(report, 0, &first));
    CU_ASSERT_EQUAL(first.line, 3);
    cede_report_destroy(report);
    cede_engine_destroy(engine);
  }
}

static void beyond_the_last_is_nothing(void) {
  cede_engine* engine = new_engine();
  cede_report* report = NULL;
  CU_ASSERT_TRUE(check_text(engine, wrong_cluster_text, &report, NULL) < 0);
  const size_t beyond[] = {cede_report_count(report), cede_report_count(report) + 1, SIZE_MAX};
  for (size_t i = 0; i < 3; ++i) {
    CU_ASSERT_PTR_NULL(cede_report_path(report, beyond[i]));
    CU_ASSERT_PTR_NULL(cede_report_text(report, beyond[i]));
  }
  cede_report_destroy(report);
  cede_engine_destroy(engine);
}

static void refuses_null(void) {
  cede_engine* engine = new_engine();
  cede_report* report = NULL;
  cede_finding finding;
  cede_error error;
  CU_ASSERT_TRUE(check_text(engine, wrong_cluster_text, &report, NULL) < 0);
  CU_ASSERT_EQUAL(cede_report_findings(report, NULL, sizeof finding, 1, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_report_findings(NULL, &finding, sizeof finding, 1, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_report_findings(NULL, NULL, 0, 0, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_report_count(NULL), 0);
  CU_ASSERT_EQUAL(cede_report_dropped(NULL), 0);
  CU_ASSERT_PTR_NULL(cede_report_path(NULL, 0));
  CU_ASSERT_PTR_NULL(cede_report_text(NULL, 0));
  cede_report_destroy(NULL);
  cede_report_destroy(report);
  cede_engine_destroy(engine);
}

/* A report is a handle of its own: neither changes nor the end of the engine reach it. */
static void outlives_its_engine(void) {
  cede_engine* engine = loaded_engine();
  cede_report* report = NULL;
  CU_ASSERT_TRUE(check_text(engine, wrong_cluster_text, &report, NULL) < 0);
  const char* text = cede_report_text(report, 0);
  const char* path = cede_report_path(report, 0);
  CU_ASSERT_EQUAL(load_text(engine, small_cluster_text, NULL), CEDE_OK);
  cede_engine_destroy(engine);
  CU_ASSERT_PTR_EQUAL(cede_report_text(report, 0), text);
  CU_ASSERT_PTR_EQUAL(cede_report_path(report, 0), path);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "'polici'"));
  CU_ASSERT_TRUE(findings_are_well_formed(report));
  cede_report_destroy(report);
}

CU_TestInfo report_tests[] = {
    {"check refuses what is missing", check_refuses_what_is_missing},
    {"a good document has no findings", a_good_document_has_no_findings},
    {"reports every mistake with its place", reports_every_mistake_with_its_place},
    {"agrees with the calls", agrees_with_the_calls},
    {"without a text it reports on what is loaded", without_a_text_it_reports_on_what_is_loaded},
    {"keeps as many as the option says", keeps_as_many_as_the_option_says},
    {"beyond the last is nothing", beyond_the_last_is_nothing},
    {"refuses NULL", refuses_null},
    {"outlives its engine", outlives_its_engine},
    CU_TEST_INFO_NULL,
};
