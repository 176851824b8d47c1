/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/node_topology.h"

#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/json_tree.h"
#include "translate/text.h"

/* What a command prints; false where it cannot be run or does not end well. */
static bool capture(char* const* words, struct text* out) {
  int pipes[2];
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  if (pipe(pipes) != 0) return false;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipes[0]);
  posix_spawn_file_actions_addclose(&actions, pipes[1]);
  const int failed = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipes[1]);
  char block[4096];
  ssize_t got = 0;
  while (!failed && ((got = read(pipes[0], block, sizeof block - 1)) > 0 || (got < 0 && errno == EINTR))) {
    if (got < 0) continue;
    block[got] = '\0';
    text_add(out, block);
  }
  close(pipes[0]);
  int status = 0;
  while (!failed && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return !failed && WIFEXITED(status) && WEXITSTATUS(status) < 2;
}

static int by_node(const void* a, const void* b) {
  return strcmp(((const struct node_topology*)a)->node, ((const struct node_topology*)b)->node);
}

/* The compact form without what Slurm knows better (which model) or does not need (which address). */
static const char* form_of(struct arena* arena, const char* text, const struct json_value* form) {
  struct text out = {NULL, 0, 0};
  text_add(&out, "{");
  for (const struct json_value* member = form->first; member; member = member->next) {
    if (strcmp(member->key, "model") == 0 || strcmp(member->key, "pci") == 0) continue;
    text_key(&out, member->key);
    text_addf(&out, "%.*s", (int)(member->end - member->begin), text + member->begin);
  }
  const char* kept = arena_text(arena, out.data);
  text_free(&out);
  return kept; /* without its last brace */
}

/* "…/n[001-016].xml" is for the nodes n001 to n016. */
static void add_file(struct arena* arena, expand_call expand, const char* path,
                     const struct node_topology* like, struct node_topology_list* out) {
  const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  char* hosts = arena_take(arena, strlen(name) + 1);
  snprintf(hosts, strlen(name) + 1 - strlen(".xml"), "%s", name);
  size_t count = 0;
  const char** nodes = expand(arena, hosts, &count);
  struct node_topology* items = arena_take(arena, (out->count + count + 1) * sizeof *items);
  if (out->count) memcpy(items, out->items, out->count * sizeof *items);
  for (size_t i = 0; i < count; ++i) {
    items[out->count] = *like;
    items[out->count++].node = nodes[i];
  }
  out->items = items;
}

static void read_classes(struct arena* arena, const char* text, const struct json_value* root,
                         expand_call expand, struct node_topology_list* out) {
  const struct json_value* classes = json_member(root, "classes");
  for (const struct json_value* item = classes ? classes->first : NULL; item; item = item->next) {
    const struct json_value* about = json_member(item, "topology");
    const struct json_value* form = json_member(about, "topology");
    const struct json_value* gpus = json_member(form, "gpus");
    const struct json_value* signature = json_member(about, "signature");
    const struct json_value* files = json_member(item, "files");
    if (!gpus || !signature || !files) continue;
    const struct node_topology like = {.signature = arena_text(arena, signature->text),
                                       .form = form_of(arena, text, form),
                                       .gpus = strtoull(gpus->text, NULL, 10)};
    for (const struct json_value* file = files->first; file; file = file->next)
      add_file(arena, expand, file->text, &like, out);
  }
}

bool node_topologies_read(struct arena* arena, const struct settings* settings, expand_call expand,
                          struct node_topology_list* out, char* why, size_t size) {
  struct text pattern = {NULL, 0, 0}, answer = {NULL, 0, 0};
  struct json_fault fault;
  glob_t found;
  memset(out, 0, sizeof *out);
  if (*settings->hwloc_folder == '\0') return true;
  text_addf(&pattern, "%s/*.xml", settings->hwloc_folder);
  const int none = glob(pattern.data, 0, NULL, &found);
  text_free(&pattern);
  if (none) {
    snprintf(why, size, "no file of the form NODES.xml is in '%s'", settings->hwloc_folder);
    return false;
  }
  char** words = arena_take(arena, (found.gl_pathc + 4) * sizeof *words);
  words[0] = settings->hwloc_command;
  words[1] = "topology";
  words[2] = "--json";
  for (size_t i = 0; i < found.gl_pathc; ++i) words[i + 3] = found.gl_pathv[i];
  struct json_value* root =
      capture(words, &answer) && answer.data ? json_read(answer.data, answer.size, &fault) : NULL;
  if (root) read_classes(arena, answer.data, root, expand, out);
  globfree(&found);
  json_free(root);
  text_free(&answer);
  if (out->count == 0) {
    snprintf(why, size, "'%s topology --json' does not understand the files in '%s'", settings->hwloc_command,
             settings->hwloc_folder);
    return false;
  }
  qsort(out->items, out->count, sizeof *out->items, by_node);
  return true;
}

const struct node_topology* node_topology_of(const struct node_topology_list* list, const char* node) {
  const struct node_topology key = {.node = node};
  return list->count ? bsearch(&key, list->items, list->count, sizeof key, by_node) : NULL;
}
