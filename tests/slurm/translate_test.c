/* SPDX-License-Identifier: MIT */
/* The small readers of the Slurm adapters, without Slurm. */
#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "config/settings.h"
#include "translate/comment.h"
#include "translate/features.h"
#include "translate/gres_text.h"
#include "translate/translation.h"

enum { ALL_KEYS = 63 };

static void durations(void) {
  CU_ASSERT_EQUAL(seconds_of("90"), 90);
  CU_ASSERT_EQUAL(seconds_of("1h30m"), 5400);
  CU_ASSERT_EQUAL(seconds_of("2d"), 172800);
  const char* const wrong[] = {"", "m", "1x", "1h30", "-5", "1.5h", "99999999999s"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) CU_ASSERT_EQUAL(seconds_of(wrong[i]), -1);
}

static void comments(void) {
  struct comment c;
  comment_read("my run; cede:ckpt=auto,est=5m,class=2 more", "cede:", ALL_KEYS, &c);
  CU_ASSERT_EQUAL(c.given, COMMENT_CKPT | COMMENT_EST | COMMENT_CLASS);
  CU_ASSERT_EQUAL(c.ckpt, CHECKPOINT_AUTO);
  CU_ASSERT_EQUAL(c.est, 300);
  CU_ASSERT_EQUAL(c.job_class, 2);
  CU_ASSERT_STRING_EQUAL(c.wrong, "");
  comment_read("cede:class=11,est=soon", "cede:", ALL_KEYS, &c);
  CU_ASSERT_EQUAL(c.given, 0);
  CU_ASSERT_STRING_EQUAL(c.wrong, "class=11");
  comment_read("cede:class=1,ckpt=manual", "cede:", COMMENT_CKPT, &c);
  CU_ASSERT_EQUAL(c.given, COMMENT_CKPT);
  comment_read("notcede:class=1", "cede:", ALL_KEYS, &c);
  CU_ASSERT_EQUAL(c.given, 0);
}

static void features(void) {
  CU_ASSERT_EQUAL(feature_form_of(""), FEATURES_NONE);
  CU_ASSERT_EQUAL(feature_form_of("a&b"), FEATURES_ALL);
  CU_ASSERT_EQUAL(feature_form_of("a|b"), FEATURES_ANY);
  CU_ASSERT_EQUAL(feature_form_of("[a|b]"), FEATURES_SET);
  CU_ASSERT_EQUAL(feature_form_of("a*2&b"), FEATURES_SET);
  CU_ASSERT_TRUE(features_meet("a|b", "x,b"));
  CU_ASSERT_FALSE(features_meet("a|b", "x,bb"));
  CU_ASSERT_TRUE(features_meet("(a|b)&c", "c,b"));
  CU_ASSERT_FALSE(features_meet("(a|b)&c", "a,b"));
  CU_ASSERT_FALSE(features_meet("a|b&c", "a")); /* from left to right */
}

static void requests(void) {
  struct arena arena = {NULL};
  struct gres_list list = gres_of_text(&arena, "gres:gpu:h100:4,gres:nic:2");
  CU_ASSERT_EQUAL(list.count, 2);
  CU_ASSERT_STRING_EQUAL(list.items[0].type, "h100");
  CU_ASSERT_EQUAL(gpus_in(&list), 4);
  list = gres_of_text(&arena, "gres/gpu:h100=4,license/x=1");
  CU_ASSERT_EQUAL(list.count, 1);
  CU_ASSERT_EQUAL(gpus_in(&list), 4);
  list = gres_of_text(&arena, "gpu:a100:4(S:0-1),gpu:h100:4(S:0,1)");
  CU_ASSERT_EQUAL(gpus_in(&list), 8);
  list = gres_of_text(&arena, "gres:gpu");
  CU_ASSERT_EQUAL(gpus_in(&list), 1);
  list = gres_of_text(&arena, "gres:gpu:h100");
  CU_ASSERT_EQUAL(gpus_in(&list), 1);
  struct allocation_fact allocation;
  memset(&allocation, 0, sizeof allocation);
  allocation_of_text(&arena, "gpu:h100:3(IDX:0-1,6),nic:1", &allocation);
  CU_ASSERT_EQUAL(allocation.gpus, 3);
  CU_ASSERT_EQUAL(allocation.gpu_mask, 0x43);
  CU_ASSERT_EQUAL(allocation.gres.count, 1);
  memset(&allocation, 0, sizeof allocation);
  allocation_of_text(&arena, "gpu:2(IDX:N/A)", &allocation);
  CU_ASSERT_EQUAL(allocation.gpus, 2);
  CU_ASSERT_EQUAL(allocation.gpu_mask, 0);
  size_t count = 0;
  const struct licence_fact* licences = licences_of_text(&arena, "a:2,b", &count);
  CU_ASSERT_EQUAL(count, 2);
  CU_ASSERT_EQUAL(licences[0].count, 2);
  CU_ASSERT_EQUAL(licences[1].count, 1);
  arena_free(&arena);
}

/* Partitions a and b share node 1, b and c node 2; d is alone. */
static void groups_and_tiers(void) {
  struct arena arena = {NULL};
  uint64_t a = 3, b = 6, c = 12, d = 16;
  struct partition_fact partitions[] = {{.name = "c", .tier = 40, .nodes = &c},
                                        {.name = "b", .tier = 10, .nodes = &b},
                                        {.name = "d", .tier = 20, .nodes = &d},
                                        {.name = "a", .tier = 1, .nodes = &a}};
  const struct cluster_fact cluster = {.node_count = 6, .partitions = partitions, .partition_count = 4};
  struct grouping grouping;
  group_partitions(&cluster, &arena, &grouping);
  CU_ASSERT_EQUAL(grouping.group_of[0], 3);
  CU_ASSERT_EQUAL(grouping.group_of[1], 3);
  CU_ASSERT_EQUAL(grouping.group_of[2], 2);
  CU_ASSERT_EQUAL(grouping.group_of_node[3], 3);
  CU_ASSERT_EQUAL(grouping.group_of_node[4], 2);
  CU_ASSERT_EQUAL(grouping.group_of_node[5], NO_INDEX);
  const int expected[] = {9, 3, 6, 0};
  for (size_t p = 0; p < 4; ++p) CU_ASSERT_EQUAL(class_of_tier(&grouping, partitions[p].tier), expected[p]);
  arena_free(&arena);
}

static void bounded_policies(void) {
  struct settings* settings = settings_create();
  static const char* const pairs[][2] = {
      {"{\"a\":1}", "{\"limits\":{\"search_work\":1000000},\"a\":1}"},
      {"{\"limits\":{}}", "{\"limits\":{\"search_work\":1000000}}"},
      {"{\"limits\": {\"exact_units\": 3}}", "{\"limits\": {\"search_work\":1000000,\"exact_units\": 3}}"},
      {"{\"limits\": {\"search_work\": 7}}", "{\"limits\": {\"search_work\": 7}}"},
      {"no JSON", "no JSON"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
    char* made = settings_bounded_policy(settings, pairs[i][0]);
    CU_ASSERT_STRING_EQUAL(made, pairs[i][1]);
    free(made);
  }
  settings_destroy(settings);
}

int main(void) {
  CU_TestInfo tests[] = {{"durations", durations},
                         {"comments", comments},
                         {"features", features},
                         {"requests", requests},
                         {"groups and tiers", groups_and_tiers},
                         {"bounded policies", bounded_policies},
                         CU_TEST_INFO_NULL};
  CU_SuiteInfo suites[] = {{"translate", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
  if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) return 2;
  CU_basic_run_tests();
  const unsigned failed = CU_get_number_of_failures();
  CU_cleanup_registry();
  return failed > 0;
}
