/* SPDX-License-Identifier: MIT */
/* What random lives (tests/lives) have found about limits while the cluster moves. */
#include <CUnit/CUnit.h>
#include <stdio.h>

#include "motion_scene.h"

static const Event nothing = {0, NULL, NULL, 0};

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

CU_TestInfo motion_limits_tests[] = {
    {"limits: lost room in a queue comes back when it is there",
     lost_room_in_a_queue_comes_back_when_it_is_there},
    {"limits: lost room of a group comes back when it is there",
     lost_room_of_a_group_comes_back_when_it_is_there},
    CU_TEST_INFO_NULL,
};
