// SPDX-License-Identifier: MIT
#include <string>

#include "model/words.h"
#include "sequence/action.h"

namespace cede {

namespace {

enum Field : unsigned {
  kJob = 1,
  kTask = 2,
  kNode = 4,
  kEntry = 8,
  kAction = 16,
  kLength = 32,
  kCode = 64,
  kText = 128
};

struct EventFields {
  unsigned needed;
  unsigned optional;
};

EventFields fields_of(EventKind kind) {
  switch (kind) {
    case EventKind::checkpoint_progress:
    case EventKind::checkpoint_done:
    case EventKind::checkpoint_failed:
    case EventKind::released:
    case EventKind::started:
    case EventKind::cancelled: return {kJob, kTask};
    case EventKind::defer: return {kJob, kTask | kLength};
    case EventKind::exited: return {kJob, kTask | kCode};
    case EventKind::claim_done: return {kEntry, 0};
    case EventKind::node_down:
    case EventKind::node_up: return {kNode, 0};
    case EventKind::action_done: return {kAction, 0};
    case EventKind::action_failed: return {kAction, kText};
    case EventKind::gone: break;
  }
  return {kJob, 0};
}

}  // namespace

std::string event_fault(const Event& event) {
  const EventFields fields = fields_of(event.kind);
  const struct {
    const char* name;
    Field field;
    bool given;
  } members[] = {{"job", kJob, !event.job.empty()},
                 {"task", kTask, !event.task.empty()},
                 {"node", kNode, !event.node.empty()},
                 {"entry", kEntry, event.entry != kNoEntry},
                 {"action", kAction, event.action != kNoAction},
                 {"length", kLength, event.length != 0},
                 {"code", kCode, event.code != 0},
                 {"text", kText, !event.text.empty()}};
  const std::string kind(to_word(event.kind, kEventKinds));
  for (const auto& member : members) {
    if (!member.given && (fields.needed & member.field) != 0)
      return std::string(member.name) + ": missing; the event " + kind + " needs one";
    if (member.given && ((fields.needed | fields.optional) & member.field) == 0)
      return std::string(member.name) + ": the event " + kind + " has none";
  }
  return {};
}

}  // namespace cede
