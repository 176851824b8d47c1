/* SPDX-License-Identifier: MIT */
/* Places without names of devices, from the moment they are promised until their entries end. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "motion_scene.h"

static const char one_group[] = "{'id':'g','policy':'priority'}";
static const char four_devices[] = "{'id':'n1','resources':{'cpu':4,'gpu':4}}";

/* `u` does not name its device and `y` does: `w` fits, and which devices it gets is not known. */
#define KNOWN_AND_WAITING                                                               \
  "{'id':'y','queue':'root','state':'running','started':1759990000,'priority':90,"      \
  "'tasks':[{'node':'n1','resources':{'gpu':1},'gpus':[0]}]},"                          \
  "{'id':'w','queue':'root','priority':50,'tasks':[{'id':'t','resources':{'gpu':2}}]}," \
  "{'id':'f','queue':'root','priority':50,'tasks':[{'id':'t','resources':{'gpu':1}}]}"
#define UNNAMED                                                                    \
  "{'id':'u','queue':'root','state':'running','started':1759990000,'priority':90," \
  "'tasks':[{'node':'n1','resources':{'gpu':1}}]}"

static cede_engine* with_unnamed(uint64_t* entry) {
  cede_engine* engine = scene(one_group, "", four_devices, KNOWN_AND_WAITING "," UNNAMED);
  cede_plan* plan = plan_of(engine, "w", CEDE_OUTCOME_FITS);
  CU_ASSERT_FALSE(names_devices(plan));
  *entry = commit(engine, plan);
  CU_ASSERT_EQUAL(state_of(engine, *entry), CEDE_ENTRY_READY);
  return engine;
}

/* Once told to start it keeps its place though all devices are known then. A restart of the host does not
 * untell it: it may run already. */
static void a_start_that_was_sent_is_sent_again_after_a_restore(void) {
  uint64_t entry = 0;
  cede_engine* engine = with_unnamed(&entry);
  const Actions told = step(engine, 1, nothing);
  const Action* start = find_action(&told, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  change(engine, NULL, "'jobs':['u']");
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_text* state = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  cede_engine* next = scene(one_group, "", four_devices, KNOWN_AND_WAITING);
  CU_ASSERT_EQUAL_FATAL(cede_engine_restore(next, cede_text_data(state), cede_text_size(state), NULL),
                        CEDE_OK);
  CU_ASSERT_EQUAL(state_of(next, entry), CEDE_ENTRY_READY);
  const Actions again = step(next, 2, nothing);
  const Action* same = find_action(&again, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(same);
  CU_ASSERT_EQUAL(same->facts.id, start->facts.id);
  /* One that is restored and saved before its next step is no different. */
  cede_text* second = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_restore(next, cede_text_data(state), cede_text_size(state), NULL),
                        CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(next, &second, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_engine_restore(next, cede_text_data(second), cede_text_size(second), NULL),
                        CEDE_OK);
  CU_ASSERT_EQUAL(state_of(next, entry), CEDE_ENTRY_READY);
  cede_text_destroy(second);
  cede_text_destroy(state);
  cede_engine_destroy(next);
  cede_engine_destroy(engine);
}

/* A start that was not sent is chosen anew, with names, also after a restore. */
static void a_start_that_was_not_sent_gets_names_after_a_restore(void) {
  uint64_t entry = 0;
  cede_engine* engine = with_unnamed(&entry);
  cede_text* state = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  cede_engine* next = scene(one_group, "", four_devices, KNOWN_AND_WAITING);
  CU_ASSERT_EQUAL_FATAL(cede_engine_restore(next, cede_text_data(state), cede_text_size(state), NULL),
                        CEDE_OK);
  CU_ASSERT_EQUAL(state_of(next, entry), CEDE_ENTRY_SHORT);
  cede_text_destroy(state);
  cede_engine_destroy(next);
  cede_engine_destroy(engine);
}

/* `w` is gone and its entry ends with the next step. It starts nowhere, so `f` may have names beside it, as
 * no task without names is left there. */
static void names_are_given_beside_a_requester_that_is_gone(void) {
  uint64_t entry = 0;
  cede_engine* engine = with_unnamed(&entry);
  change(engine, NULL, "'jobs':['u','w','y']");
  cede_plan* plan = plan_of(engine, "f", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(names_devices(plan));
  const uint64_t named = commit(engine, plan);
  CU_ASSERT_EQUAL(state_of(engine, named), CEDE_ENTRY_READY);
  change(engine, "'jobs':[{'id':'z','queue':'root','tasks':[{'resources':{'cpu':1}}]}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, named), CEDE_ENTRY_READY);
  const Actions actions = step(engine, 1, nothing);
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_START));
  cede_engine_destroy(engine);
}

/* `a` was to get four of nine devices, it was not known which. The manager starts it on four that it
 * names, and every other task names its own by now: no reason is left to give out devices without names. */
static void a_requester_that_names_its_devices_leaves_the_others_known(void) {
  cede_engine* engine = scene(one_group, "", "{'id':'n1','resources':{'gpu':9}}",
                              "{'id':'v','queue':'root','state':'running','started':1759990000,'priority':1,"
                              "'gang':true,'tasks':[{'id':'t0','node':'n1','resources':{'gpu':1},'gpus':[0]},"
                              "{'id':'t1','node':'n1','resources':{'gpu':4}}]}," UNNAMED
                              ",{'id':'a','queue':'root','priority':50,"
                              "'tasks':[{'id':'t','resources':{'gpu':4}}]},"
                              "{'id':'b','queue':'root','priority':40,"
                              "'tasks':[{'id':'t','resources':{'gpu':1}}]}");
  cede_plan* plan = plan_of(engine, "a", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_FALSE(names_devices(plan));
  commit(engine, plan);
  step(engine, 1, nothing);
  change(engine,
         "'jobs':[{'id':'v','queue':'root','state':'running','started':1759990000,'priority':1,'gang':true,"
         "'tasks':[{'id':'t0','node':'n1','resources':{'gpu':1},'gpus':[0]},"
         "{'id':'t1','node':'n1','resources':{'gpu':4},'gpus':[1,2,3,4]}]},"
         "{'id':'a','queue':'root','state':'running','started':1760000001,'priority':50,"
         "'tasks':[{'id':'t','node':'n1','resources':{'gpu':4},'gpus':[5,6,7,8]}]}]",
         "'jobs':['u']");
  cede_plan_destroy(plan_of(engine, "b", CEDE_OUTCOME_WAIT));
  change(engine, NULL, "'jobs':['v']");
  step(engine, 2, nothing);
  plan = plan_of(engine, "b", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(names_devices(plan));
  commit(engine, plan);
  cede_engine_destroy(engine);
}

/* `b` counts on what the victim of `a` leaves. When the last tasks without names are gone, both are to be
 * planned anew, with names, and so is a job that comes in between. */
static void borrowed_room_without_names_leaves_the_others_known(void) {
  cede_engine* engine = scene(one_group, "", "{'id':'n1','resources':{'gpu':8}}",
                              "{'id':'y','queue':'root','state':'running','started':1759990000,'priority':90,"
                              "'tasks':[{'node':'n1','resources':{'gpu':1},'gpus':[7]}]},"
                              "{'id':'v','queue':'root','state':'running','started':1759990000,'priority':1,"
                              "'gang':true,'tasks':[{'id':'t0','node':'n1','resources':{'gpu':1},'gpus':[0]},"
                              "{'id':'t1','node':'n1','resources':{'gpu':3}}]}," UNNAMED
                              ",{'id':'a','queue':'root','priority':50,'tasks':[{'resources':{'gpu':3}}]},"
                              "{'id':'b','queue':'root','priority':50,'tasks':[{'resources':{'gpu':3}}]},"
                              "{'id':'c','queue':'root','priority':40,'tasks':[{'resources':{'gpu':1}}]}");
  uint64_t entries[2] = {0, 0};
  take_both(engine, "a", "b", entries);
  step(engine, 1, nothing);
  change(engine, NULL, "'jobs':['u','v']");
  CU_ASSERT_EQUAL(state_of(engine, entries[0]), CEDE_ENTRY_SHORT);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_SHORT);
  cede_plan* plan = plan_of(engine, "c", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(names_devices(plan));
  commit(engine, plan);
  cede_engine_destroy(engine);
}

/* `u` holds one of two devices, and `w` gets one and a half of them when it is gone. It is not known whether
 * the other half belongs to a device in use. */
static void the_rest_of_a_promised_part_waits_for_a_victim_without_names(void) {
  cede_engine* engine = scene(one_group, "", "{'id':'n1','resources':{'gpu':2}}",
                              "{'id':'u','queue':'root','state':'running','started':1759990000,'priority':1,"
                              "'tasks':[{'node':'n1','resources':{'gpu':1}}]},"
                              "{'id':'w','queue':'root','priority':50,'tasks':[{'resources':{'gpu':1.5}}]},"
                              "{'id':'p','queue':'root','priority':40,'tasks':[{'resources':{'gpu':0.5}}]}");
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  cede_plan_destroy(plan_of(engine, "p", CEDE_OUTCOME_WAIT));
  step(engine, 1, nothing);
  change(engine, NULL, "'jobs':['u']");
  step(engine, 2, nothing);
  cede_plan* plan = plan_of(engine, "p", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(names_devices(plan));
  commit(engine, plan);
  cede_engine_destroy(engine);
}

/* `w` was to start on n1 and starts on n0 now. Of its victims, `a` has left two devices of n1 by name and `v`
 * is still there without names: `v` may hold any device, so none is given out by name. */
static void a_victim_without_names_is_there_though_devices_are_kept(void) {
  static const char nodes[] =
      "{'id':'n0','topology':'box4','resources':{'cpu':4,'gpu':4}},"
      "{'id':'n1','topology':'box4','resources':{'cpu':4,'gpu':4}}";
  cede_engine* engine =
      scene_with("'front_only':false", one_group, "", nodes,
                 LIST(RUNNING("z", 90, "'node':'n0','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                      RUNNING("a", 1, "'node':'n1','resources':{'gpu':2},'gpus':[2,3]"),
                      WAITING("w", 40, "'resources':{'gpu':4}"), WAITING("x", 50, "'resources':{'gpu':2}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine, PUT_JOBS(RUNNING("v", 1, "'node':'n1','resources':{'gpu':1}")), NULL);
  step(engine, 1, nothing);
  CU_ASSERT_EQUAL(commit(engine, plan_of(engine, "w", CEDE_OUTCOME_PREEMPT)), entry);
  step(engine, 2, nothing);
  change(engine, PUT_JOBS(RUNNING("u", 2, "'node':'n1','resources':{'gpu':2}")), "'jobs':['z','a']");
  step(engine, 3, nothing);
  cede_plan* plan = plan_of(engine, "w", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(uses(plan, "n0"));
  CU_ASSERT_EQUAL(commit(engine, plan), entry);
  plan = plan_of(engine, "x", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_FALSE(names_devices(plan));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* The group counts the GPUs, so only the number of devices says whether `b` has one. `u` holds one of four
 * and `v` names the others: `b` counts on what `a` does not take of `v`, and starts when `v` is gone. */
static void a_number_of_devices_is_borrowed_where_a_group_counts_gpus(void) {
  cede_engine* engine =
      scene("{'id':'g','policy':'priority','resources':{'gpu':8}}", "",
            "{'id':'n1','topology':'box4','resources':{'cpu':4}}",
            LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4,'gpu':3},'gpus':[0,1,2]"),
                 RUNNING("u", 90, "'node':'n1','resources':{'gpu':1}"),
                 WAITING("a", 50, "'resources':{'cpu':2}"), WAITING("b", 50, "'resources':{'gpu':0.25}")));
  uint64_t entries[2] = {0, 0};
  take_both(engine, "a", "b", entries);
  step(engine, 1, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_WAITING);
  change(engine, NULL, "'jobs':['v']");
  step(engine, 2, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

CU_TestInfo motion_unnamed_tests[] = {
    {"unnamed: a start that was sent is sent again after a restore",
     a_start_that_was_sent_is_sent_again_after_a_restore},
    {"unnamed: a start that was not sent gets names after a restore",
     a_start_that_was_not_sent_gets_names_after_a_restore},
    {"unnamed: names are given beside a requester that is gone",
     names_are_given_beside_a_requester_that_is_gone},
    {"unnamed: a requester that names its devices leaves the others known",
     a_requester_that_names_its_devices_leaves_the_others_known},
    {"unnamed: borrowed room without names leaves the others known",
     borrowed_room_without_names_leaves_the_others_known},
    {"unnamed: the rest of a promised part waits for a victim without names",
     the_rest_of_a_promised_part_waits_for_a_victim_without_names},
    {"unnamed: a victim without names is there though devices are kept",
     a_victim_without_names_is_there_though_devices_are_kept},
    {"unnamed: a number of devices is borrowed where a group counts GPUs",
     a_number_of_devices_is_borrowed_where_a_group_counts_gpus},
    CU_TEST_INFO_NULL,
};
