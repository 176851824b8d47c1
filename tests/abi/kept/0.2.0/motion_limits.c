/* SPDX-License-Identifier: MIT */
/* What random lives (tests/lives) have found about limits and clocks while the cluster moves. */
#include <CUnit/CUnit.h>
#include <stdio.h>

#include "motion_scene.h"

/* `w` loses its node and then, to `v`, the room that a limit leaves. `s` takes `v` away, so that there will
 * be room for both of them: `w` starts when `v` is gone, not before. */
static void room_of_a_limit_comes_back_with(const char* groups, const char* queues) {
  cede_engine* engine =
      scene(groups, queues, "{'id':'n1','resources':{'cpu':3}},{'id':'n2','resources':{'cpu':2}}",
            "{'id':'w','queue':'root.a','priority':80,'tasks':[{'required_node':'n2',"
            "'resources':{'cpu':2,'licence':2}}]}");
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  step(engine, 0, nothing);
  change(engine,
         "'nodes':[{'id':'n2','state':'down','resources':{'cpu':2}}],"
         "'jobs':[{'id':'v','queue':'root.a','priority':1,'state':'running','started':1760000000,"
         "'tasks':[{'node':'n1','resources':{'cpu':3,'licence':3}}]},"
         "{'id':'s','queue':'root.a','priority':50,'tasks':[{'resources':{'cpu':1,'licence':1}}]}]",
         NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  change(engine, "'nodes':[{'id':'n2','resources':{'cpu':2}}]", NULL);
  step(engine, 1, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  take(engine, "s", CEDE_OUTCOME_PREEMPT);
  Actions actions = step(engine, 2, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  change(engine, NULL, "'jobs':['v']");
  step(engine, 3, (Event){CEDE_EVENT_EXITED, "v", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

static void lost_room_in_a_queue_comes_back_when_it_is_there(void) {
  room_of_a_limit_comes_back_with("{'id':'g','policy':'priority','resources':{'licence':9}}",
                                  "{'id':'root.a','parent':'root','max':{'cpu':4}}");
}

static void lost_room_of_a_group_comes_back_when_it_is_there(void) {
  room_of_a_limit_comes_back_with("{'id':'g','policy':'priority','resources':{'licence':4}}",
                                  "{'id':'root.a','parent':'root'}");
}

static const char two_queues[] =
    "{'id':'root.a','parent':'root','max':{'licence':4}},{'id':'root.b','parent':'root'}";

/* The victim of `w` uses all of the queue. A plan that takes the hold of `w` takes over its victim, and with
 * it the victim's room in the queue. */
static void a_hold_is_taken_with_the_queue_room_of_its_victims(void) {
  cede_engine* engine =
      scene_with("'preemptible_priority':60", "{'id':'g','policy':'priority','resources':{'licence':4}}",
                 two_queues, "{'id':'n1','resources':{'cpu':8}}",
                 "{'id':'v','queue':'root.a','state':'running','started':1759990000,'priority':1,"
                 "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':4}}]},"
                 "{'id':'w','queue':'root.b','priority':50,'tasks':[{'resources':{'cpu':1,'licence':4}}]}");
  const uint64_t taken = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine,
         "'jobs':[{'id':'s','queue':'root.a','priority':90,'tasks':[{'resources':{'cpu':1,'licence':4}}]}]",
         NULL);
  const uint64_t entry = take(engine, "s", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(state_of(engine, taken), CEDE_ENTRY_SHORT);
  Actions actions = step(engine, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  step(engine, 2, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

/* `b` counts on what the victim of `a` leaves. When the group has less, it takes the hold of `a` as well. */
static void an_entry_planned_anew_takes_the_hold_it_counts_on(void) {
  cede_engine* engine =
      scene_with("'preemptible_priority':60,'front_only':false",
                 "{'id':'g','policy':'priority','resources':{'licence':4}}", two_queues,
                 "{'id':'n1','resources':{'cpu':8}}",
                 "{'id':'v1','queue':'root.a','state':'running','started':1759990000,'priority':1,"
                 "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':2}}]},"
                 "{'id':'v2','queue':'root.a','state':'running','started':1759995000,'priority':1,"
                 "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':2}}]},"
                 "{'id':'a','queue':'root.b','priority':50,'tasks':[{'resources':{'cpu':1,'licence':1}}]},"
                 "{'id':'b','queue':'root.a','priority':55,'tasks':[{'resources':{'cpu':1,'licence':3}}]}");
  static const char* const jobs[] = {"a", "b"};
  cede_plan* plans[2];
  CU_ASSERT_EQUAL_FATAL(cede_plan_create_batch(engine, jobs, 2, CEDE_NOW_OF_CLUSTER, NULL, 0, plans, NULL),
                        CEDE_OK);
  commit(engine, plans[0]);
  const uint64_t entry = commit(engine, plans[1]);
  change(engine, "'groups':[{'id':'g','policy':'priority','resources':{'licence':3}}]", NULL);
  step(engine, 0, nothing);
  CU_ASSERT_EQUAL_FATAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_plan* plan = ask(engine, "b", NULL);
  CU_ASSERT_TRUE(has_victim(plan, "a"));
  cede_error error = {0, 0, ""};
  const int32_t status = cede_engine_extend(engine, entry, plan, CEDE_NOW_OF_CLUSTER, -1, &error);
  if (status != CEDE_OK) fprintf(stderr, "extend: %s\n", error.text);
  CU_ASSERT_EQUAL(status, CEDE_OK);
  cede_plan_destroy(plan);
  step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v2", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_WAITING);
  step(engine, 2, (Event){CEDE_EVENT_RELEASED, "v1", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

/* The usage of a queue is counted inside one group: victims in another group do not matter. */
static void a_queue_is_not_filled_by_victims_of_another_group(void) {
  cede_engine* engine =
      scene("{'id':'g','policy':'priority'},{'id':'h','policy':'priority'}",
            "{'id':'root.a','parent':'root','max':{'cpu':4}}",
            "{'id':'n1','group':'g','resources':{'cpu':4}},{'id':'n2','group':'h','resources':{'cpu':4}}",
            "{'id':'v','queue':'root.a','group':'g','state':'running','started':1759990000,'priority':1,"
            "'tasks':[{'node':'n1','resources':{'cpu':4}}]},"
            "{'id':'w','queue':'root','group':'g','priority':50,'tasks':[{'resources':{'cpu':4}}]},"
            "{'id':'f','queue':'root.a','group':'h','priority':50,'tasks':[{'resources':{'cpu':4}}]}");
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  take(engine, "f", CEDE_OUTCOME_FITS);
  cede_engine_destroy(engine);
}

/* The cluster's time is ahead of the steps'. That `w` is changed ends its entry, but makes its victim no
 * older: KILL comes a whole grace after TERM. */
static void a_change_of_the_cluster_moves_no_clock_of_a_victim(void) {
  cede_engine* engine = scene(
      "{'id':'g','policy':'priority'}", "", "{'id':'n1','resources':{'cpu':4}}",
      LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4}"), WAITING("w", 50, "'resources':{'cpu':2}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  Actions actions = step(engine, 0, nothing);
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_SIGNAL));
  CU_ASSERT_TRUE(cede_engine_set_now(engine, NOW + 100 * SECOND, NULL) >= 0);
  change(engine, PUT_JOBS(WAITING("w", 50, "'resources':{'cpu':3}")), NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_CANCELLED);
  actions = step(engine, 29, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_SIGNAL));
  actions = step(engine, 30, nothing);
  const Action* kill = find_action(&actions, CEDE_DO_SIGNAL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(kill);
  CU_ASSERT_EQUAL(kill->facts.signal, CEDE_SIGNAL_KILL);
  cede_engine_destroy(engine);
}

/* `b` counts on what `a` does not take of `v`. The manager starts `b` before `v` is gone, on room that `y`
 * has left. It may: the limit is 8, and `v` and `b` use that. But nothing of the room of `v` is free then, so
 * none is left for `f`. */
static void room_of_a_victim_is_in_use_until_it_is_gone(const char* groups, const char* queues) {
  cede_engine* engine =
      scene(groups, queues, "{'id':'n1','resources':{'cpu':9,'licence':99}}",
            "{'id':'v','queue':'root.a','priority':1,'state':'running','started':1759990000,"
            "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':5}}]},"
            "{'id':'y','queue':'root.a','priority':90,'state':'running','started':1759990000,"
            "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':2}}]},"
            "{'id':'a','queue':'root.a','priority':50,'tasks':[{'resources':{'cpu':1,'licence':2}}]},"
            "{'id':'b','queue':'root.a','priority':50,'tasks':[{'resources':{'cpu':1,'licence':3}}]},"
            "{'id':'f','queue':'root.a','priority':40,'tasks':[{'resources':{'cpu':1,'licence':2}}]}");
  uint64_t entries[2];
  take_both(engine, "a", "b", entries);
  step(engine, 0, nothing);
  change(engine,
         "'jobs':[{'id':'b','queue':'root.a','priority':50,'state':'running','started':1760000000,"
         "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':3}}]}]",
         "'jobs':['y']");
  cede_plan_destroy(plan_of(engine, "f", CEDE_OUTCOME_WAIT));
  step(engine, 1, nothing);
  cede_plan_destroy(plan_of(engine, "f", CEDE_OUTCOME_WAIT));
  change(engine,
         "'jobs':[{'id':'a','queue':'root.a','priority':50,'state':'running','started':1760000002,"
         "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':2}}]}]",
         "'jobs':['v']");
  step(engine, 2, (Event){CEDE_EVENT_EXITED, "v", NULL, 0});
  take(engine, "f", CEDE_OUTCOME_FITS);
  cede_engine_destroy(engine);
}

static void a_borrower_that_starts_early_leaves_the_room_in_use(void) {
  room_of_a_victim_is_in_use_until_it_is_gone("{'id':'g','policy':'priority','resources':{'licence':8}}",
                                              "{'id':'root.a','parent':'root'}");
  room_of_a_victim_is_in_use_until_it_is_gone(ONE_GROUP,
                                              "{'id':'root.a','parent':'root','max':{'licence':8}}");
}

/* `v` leaves both nodes for `w`, which needs one of them. Whoever takes the hold of `w` also gets the room
 * that `v` leaves on the other node, so the hold is on that node too. */
static void a_hold_is_where_its_victims_leave_room(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", "{'id':'n1','resources':{'gpu':2}},{'id':'n2','resources':{'gpu':2}}",
      "{'id':'v','queue':'root','gang':true,'priority':1,'state':'running','started':1759990000,"
      "'fair_share':0,'tasks':[{'node':'n1','resources':{'gpu':2}},{'node':'n2','resources':{'gpu':2}}]},"
      "{'id':'w','queue':'root','priority':50,'fair_share':0,"
      "'tasks':[{'required_node':'n2','resources':{'gpu':1}}]},"
      "{'id':'r','queue':'root','gang':true,'priority':40,'fair_share':1,"
      "'below_fair_share_since':1759990000,'tasks':[{'required_node':'n1','resources':{'gpu':1}},"
      "{'required_node':'n1','resources':{'gpu':1}}]}");
  const uint64_t taken = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 6, nothing); /* a profile's back-off on the node is over */
  change(engine, "'groups':[{'id':'g','policy':'fair-share'}]", NULL);
  const uint64_t entry = take(engine, "r", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(state_of(engine, taken), CEDE_ENTRY_SHORT);
  step(engine, 7, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

CU_TestInfo motion_limits_tests[] = {
    {"limits: lost room in a queue comes back when it is there",
     lost_room_in_a_queue_comes_back_when_it_is_there},
    {"limits: lost room of a group comes back when it is there",
     lost_room_of_a_group_comes_back_when_it_is_there},
    {"limits: a hold is taken with the queue room of its victims",
     a_hold_is_taken_with_the_queue_room_of_its_victims},
    {"limits: an entry planned anew takes the hold it counts on",
     an_entry_planned_anew_takes_the_hold_it_counts_on},
    {"limits: a queue is not filled by victims of another group",
     a_queue_is_not_filled_by_victims_of_another_group},
    {"limits: a change of the cluster moves no clock of a victim",
     a_change_of_the_cluster_moves_no_clock_of_a_victim},
    {"limits: a borrower that starts early leaves the room in use",
     a_borrower_that_starts_early_leaves_the_room_in_use},
    {"limits: a hold is where its victims leave room", a_hold_is_where_its_victims_leave_room},
    CU_TEST_INFO_NULL,
};
