/* SPDX-License-Identifier: MIT */
#include "array_cluster.h"

#include <string.h>

const char array_policy_text[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"priority\"}}}";

uint32_t number_of(cede_engine* engine, const char* name) {
  uint32_t number = 0;
  cede_engine_name(engine, name, strlen(name), &number, NULL);
  return number;
}

int prepare_arrays(ArrayCluster* c) {
  static const char require[] = "{\"network\": [{\"level\": \"leaf\"}]}";
  const char* alone = "threads=1";
  memset(c, 0, sizeof *c);
  if (cede_engine_create(array_policy_text, strlen(array_policy_text), &alone, 1, CEDE_VERSION, &c->engine,
                         NULL) != CEDE_OK)
    return 1;
  c->g = number_of(c->engine, "g");
  c->root = number_of(c->engine, "root");
  c->root_a = number_of(c->engine, "root.a");
  c->n1 = number_of(c->engine, "n1");
  c->n2 = number_of(c->engine, "n2");
  c->l1 = number_of(c->engine, "l1");
  c->l2 = number_of(c->engine, "l2");
  c->leaf = number_of(c->engine, "leaf");
  c->v = number_of(c->engine, "v");
  c->w = number_of(c->engine, "w");
  c->t0 = number_of(c->engine, "t0");
  c->gpu = number_of(c->engine, "gpu");
  const cede_amount amount = {8000, c->gpu, 0};
  if (cede_engine_list(c->engine, &c->n2, 1, &c->listed, NULL) != CEDE_OK ||
      cede_engine_resources(c->engine, &amount, sizeof amount, 1, &c->eight, NULL) != CEDE_OK ||
      cede_engine_part(c->engine, CEDE_PART_REQUIREMENT, require, strlen(require), &c->by_leaf, NULL) !=
          CEDE_OK)
    return 1;
  c->group.name = c->g;
  c->domains[0].name = c->l1;
  c->domains[1].name = c->l2;
  c->domains[0].level = c->domains[1].level = c->leaf;
  c->queues[0].name = c->root;
  c->queues[1].name = c->root_a;
  c->queues[1].parent = c->root;
  c->nodes[0].name = c->n1;
  c->nodes[1].name = c->n2;
  c->nodes[0].domain = c->l1;
  c->nodes[1].domain = c->l2;
  c->nodes[1].state = CEDE_NODE_DRAIN;
  c->nodes[0].resources = c->nodes[1].resources = c->eight;
  c->jobs[0].name = c->v;
  c->jobs[0].state = CEDE_JOB_RUNNING;
  c->jobs[0].started = ARRAY_NOW - 86400000;
  c->jobs[0].zero = CEDE_ZERO_PRIORITY;
  c->jobs[1].name = c->w;
  c->jobs[1].submitted = ARRAY_NOW - 60000;
  c->jobs[1].priority = 50;
  c->jobs[1].require = c->by_leaf;
  c->jobs[0].queue = c->jobs[1].queue = c->root_a;
  c->jobs[0].task_count = c->jobs[1].task_count = 1;
  c->tasks[0].node = c->n1;
  c->tasks[0].gpus = 0xff;
  c->tasks[1].count = 1;
  c->tasks[0].resources = c->tasks[1].resources = c->eight;
  return 0;
}

int32_t put_jobs(ArrayCluster* c, cede_error* error) {
  return cede_engine_put_jobs(c->engine, c->jobs, sizeof c->jobs[0], 2, c->tasks, sizeof c->tasks[0], 2,
                              error);
}

int put_arrays(ArrayCluster* c) {
  cede_engine* e = c->engine;
  return cede_engine_set_now(e, ARRAY_NOW, NULL) != CEDE_OK ||
         cede_engine_put_levels(e, &c->leaf, 1, NULL) != CEDE_OK ||
         cede_engine_put_groups(e, &c->group, sizeof c->group, 1, NULL) != CEDE_OK ||
         cede_engine_put_domains(e, c->domains, sizeof c->domains[0], 2, NULL) != CEDE_OK ||
         cede_engine_put_queues(e, c->queues, sizeof c->queues[0], 2, NULL) != CEDE_OK ||
         cede_engine_put_nodes(e, c->nodes, sizeof c->nodes[0], 2, NULL) != CEDE_OK ||
         put_jobs(c, NULL) != CEDE_OK;
}
