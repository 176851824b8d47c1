/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "suites.h"

static void the_five_profiles_are_there(void) {
  static const char* const expected[] = {"priority", "class-cost", "quota", "fair-share", "guarantee"};
  CU_ASSERT_EQUAL(cede_profile_count(), 5);
  for (size_t i = 0; i < 5; ++i) {
    size_t found = 0;
    for (size_t p = 0; p < cede_profile_count(); ++p) {
      CU_ASSERT_PTR_NOT_NULL_FATAL(cede_profile_name(p));
      if (strcmp(cede_profile_name(p), expected[i]) == 0) ++found;
    }
    CU_ASSERT_EQUAL(found, 1);
  }
}

static void every_profile_has_help_and_settings(void) {
  for (size_t p = 0; p < cede_profile_count(); ++p) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(cede_profile_help(p));
    CU_ASSERT_TRUE(strlen(cede_profile_help(p)) > 0);
    CU_ASSERT_PTR_NULL(strchr(cede_profile_help(p), '\n'));
    CU_ASSERT_TRUE(cede_setting_count(p) > 0);
  }
}

static void every_setting_is_described(void) {
  for (size_t p = 0; p < cede_profile_count(); ++p) {
    for (size_t s = 0; s < cede_setting_count(p); ++s) {
      for (int32_t what = CEDE_SETTING_NAME; what <= CEDE_SETTING_HELP; ++what) {
        const char* text = cede_setting_text(p, s, what);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        CU_ASSERT_TRUE(strlen(text) > 0);
        CU_ASSERT_PTR_NULL(strchr(text, '\n'));
        CU_ASSERT_PTR_EQUAL(cede_setting_text(p, s, what), text);
      }
      const char* side = cede_setting_text(p, s, CEDE_SETTING_SIDE);
      CU_ASSERT_TRUE(strcmp(side, "requester") == 0 || strcmp(side, "victim") == 0 ||
                     strcmp(side, "both") == 0);
      for (size_t other = 0; other < s; ++other) {
        CU_ASSERT_STRING_NOT_EQUAL(cede_setting_text(p, s, CEDE_SETTING_NAME),
                                   cede_setting_text(p, other, CEDE_SETTING_NAME));
      }
    }
  }
}

static void beyond_the_last_is_null(void) {
  const size_t beyond[] = {cede_profile_count(), cede_profile_count() + 1, SIZE_MAX};
  for (size_t i = 0; i < 3; ++i) {
    CU_ASSERT_PTR_NULL(cede_profile_name(beyond[i]));
    CU_ASSERT_PTR_NULL(cede_profile_help(beyond[i]));
    CU_ASSERT_EQUAL(cede_setting_count(beyond[i]), 0);
    CU_ASSERT_PTR_NULL(cede_setting_text(beyond[i], 0, CEDE_SETTING_NAME));
  }
  CU_ASSERT_PTR_NULL(cede_setting_text(0, cede_setting_count(0), CEDE_SETTING_NAME));
  CU_ASSERT_PTR_NULL(cede_setting_text(0, SIZE_MAX, CEDE_SETTING_NAME));
  CU_ASSERT_PTR_NULL(cede_setting_text(0, 0, -1));
  CU_ASSERT_PTR_NULL(cede_setting_text(0, 0, CEDE_SETTING_HELP + 1));
  CU_ASSERT_PTR_NULL(cede_setting_text(0, 0, INT32_MAX));
  CU_ASSERT_PTR_NULL(cede_setting_text(0, 0, INT32_MIN));
}

static int32_t try_setting(const char* profile, const char* setting, const char* quote, const char* value) {
  char text[512];
  cede_engine* engine = NULL;
  const int size =
      snprintf(text, sizeof text,
               "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"%s\", "
               "\"settings\": {\"%s\": %s%s%s}}}}",
               profile, setting, quote, value, quote);
  CU_ASSERT_TRUE_FATAL(size > 0 && (size_t)size < sizeof text);
  const int32_t status = cede_engine_create(text, (size_t)size, NULL, 0, CEDE_VERSION, &engine, NULL);
  cede_engine_destroy(engine);
  return status;
}

/*
 * The list tells people what to write; writing its own words back must work, as JSON or as a text. Behind a
 * semicolon stands where another default applies.
 */
static void every_default_is_accepted(void) {
  size_t tried = 0;
  for (size_t p = 0; p < cede_profile_count(); ++p) {
    for (size_t s = 0; s < cede_setting_count(p); ++s) {
      const char* profile = cede_profile_name(p);
      const char* name = cede_setting_text(p, s, CEDE_SETTING_NAME);
      char value[64];
      snprintf(value, sizeof value, "%s", cede_setting_text(p, s, CEDE_SETTING_DEFAULT));
      value[strcspn(value, ";")] = '\0';
      if (strcmp(value, "none") == 0 || strncmp(name, "preemption.", 11) == 0) continue;
      const bool accepted =
          try_setting(profile, name, "", value) >= 0 || try_setting(profile, name, "\"", value) >= 0;
      if (!accepted) printf("\n      %s: %s = %s is refused ", profile, name, value);
      CU_ASSERT_TRUE(accepted);
      ++tried;
    }
  }
  CU_ASSERT_TRUE(tried > 20);
}

CU_TestInfo profile_tests[] = {
    {"the five profiles are there", the_five_profiles_are_there},
    {"every profile has help and settings", every_profile_has_help_and_settings},
    {"every setting is described", every_setting_is_described},
    {"beyond the last is NULL", beyond_the_last_is_null},
    {"every default is accepted", every_default_is_accepted},
    CU_TEST_INFO_NULL,
};
