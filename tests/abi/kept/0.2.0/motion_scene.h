/* SPDX-License-Identifier: MIT */
/* What the tests about a changing cluster need: documents that can be read, and one line per call. */
#ifndef CEDE_TESTS_ABI_MOTION_SCENE_H
#define CEDE_TESTS_ABI_MOTION_SCENE_H

#include <CUnit/CUnit.h>
#include <cede/cede.h>
#include <stdbool.h>

#define NOW INT64_C(1760000000000) /* the `now` of every scene's cluster */
#define SECOND INT64_C(1000)

/* Parts of the lists that scene() takes: one group, one node with four named devices, and jobs of queue
 * `root` with one task. `task` is what the document says of the task. */
#define ONE_GROUP "{'id':'g','policy':'priority'}"
#define GPU_NODE "{'id':'n1','topology':'box4','resources':{'cpu':4,'gpu':4}}"
#define RUNNING(id, priority, task)                                                            \
  "{'id':'" id "','queue':'root','state':'running','started':1759990000,'priority':" #priority \
  ",'tasks':[{" task "}]}"
#define WAITING(id, priority, task) \
  "{'id':'" id "','queue':'root','priority':" #priority ",'tasks':[{" task "}]}"

/* Up to eight of them as a list; and what change() puts. */
#define LIST(...) \
  LIST_OF(__VA_ARGS__, LIST_8, LIST_7, LIST_6, LIST_5, LIST_4, LIST_3, LIST_2, LIST_1, )(__VA_ARGS__)
#define LIST_OF(a, b, c, d, e, f, g, h, list, ...) list
#define LIST_1(a) a
#define LIST_2(a, ...) a "," LIST_1(__VA_ARGS__)
#define LIST_3(a, ...) a "," LIST_2(__VA_ARGS__)
#define LIST_4(a, ...) a "," LIST_3(__VA_ARGS__)
#define LIST_5(a, ...) a "," LIST_4(__VA_ARGS__)
#define LIST_6(a, ...) a "," LIST_5(__VA_ARGS__)
#define LIST_7(a, ...) a "," LIST_6(__VA_ARGS__)
#define LIST_8(a, ...) a "," LIST_7(__VA_ARGS__)
#define PUT_JOBS(...) "'jobs':[" LIST(__VA_ARGS__) "]"

/* The text with " for every '; valid until eight more were asked for. */
const char* json(const char* text);

/* An engine that counts what it has promised after every change. */
cede_engine* audited_engine(const char* policy);
/* Such an engine with one policy per profile, each under the profile's name, and this cluster. The lists are
 * written with ' for " and without their brackets; "" is an empty list. */
cede_engine* scene(const char* groups, const char* queues, const char* nodes, const char* jobs);
/* The same with settings for the policy of profile priority. */
cede_engine* scene_with(const char* settings, const char* groups, const char* queues, const char* nodes,
                        const char* jobs);
/* A cluster document as scene() loads it, for an engine that is there. */
void load_scene(cede_engine* engine, const char* groups, const char* queues, const char* nodes,
                const char* jobs);

/* Applies a change: what is put and what is removed, as the members of those objects. NULL: nothing. */
void change(cede_engine* engine, const char* put, const char* removed);

/* A plan for a job, verified; `term` may be NULL. */
cede_plan* ask(const cede_engine* engine, const char* job, const char* term);
/* Commits and destroys it; 0 and a failed assertion where it is refused. */
uint64_t commit(cede_engine* engine, cede_plan* plan);
/* Both, of a plan with that outcome. */
uint64_t take(cede_engine* engine, const char* job, int32_t outcome);
/* A plan with that outcome. */
cede_plan* plan_of(const cede_engine* engine, const char* job, int32_t outcome);
/* Plans two jobs as one batch and commits both parts, which are yes. */
void take_both(cede_engine* engine, const char* first, const char* second, uint64_t* entries);
bool has_victim(const cede_plan* plan, const char* job);
/* Whether the first place of the plan names its devices. */
bool names_devices(const cede_plan* plan);
/* The devices the plan gives out on a node, and whether it uses the node at all. */
uint64_t devices_on(const cede_plan* plan, const char* node);
bool uses(const cede_plan* plan, const char* node);

typedef struct Action {
  cede_action facts;
  char job[32];
  char node[32];  /* of the first place */
  uint64_t gpus;  /* of all places */
  uint32_t share; /* of the first */
  int32_t devices_known;
} Action;
typedef struct Actions {
  size_t count;
  Action list[64];
} Actions;

typedef struct Event {
  int32_t kind;
  const char* job;
  const char* node;
  uint64_t action;
} Event;

static const Event nothing = {0, NULL, NULL, 0};

/* A step `seconds` after NOW with at most one event; kind 0: none. */
Actions step(cede_engine* engine, int64_t seconds, Event event);
/* The first action of that kind, or NULL. */
const Action* find_action(const Actions* actions, int32_t kind);

/* The next step, a second after NOW, starts nobody and leaves the entry in this state. */
void expect_no_start(cede_engine* engine, uint64_t entry, int32_t state);

/* CEDE_ENTRY_..., or 0 where the ledger has no such entry. */
int32_t state_of(const cede_engine* engine, uint64_t entry);

extern CU_TestInfo motion_crash_tests[];
extern CU_TestInfo motion_booking_tests[];
extern CU_TestInfo motion_loss_tests[];
extern CU_TestInfo motion_batch_tests[];
extern CU_TestInfo motion_account_tests[];
extern CU_TestInfo motion_lives_tests[];
extern CU_TestInfo motion_limits_tests[];
extern CU_TestInfo motion_names_tests[];
extern CU_TestInfo motion_removal_tests[];
extern CU_TestInfo motion_requester_tests[];
extern CU_TestInfo motion_unnamed_tests[];

#endif
