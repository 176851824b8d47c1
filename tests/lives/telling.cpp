// SPDX-License-Identifier: MIT
// How the library gets to know what has changed: all of it or some of it, by documents or by arrays.
#include <algorithm>

#include "arrays.h"
#include "life.h"

namespace lives {

namespace {

std::string join(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string out = std::string(" ") + what;
  for (const std::string& name : names) out += ' ' + name;
  return out;
}

std::string text_of(const Change& change) {
  return join("groups", change.groups) + join("queues", change.queues) + join("nodes", change.nodes) +
         join("jobs", change.jobs) + join("reservations", change.reservations) +
         join("without nodes", change.removed_nodes) + join("without jobs", change.removed_jobs) +
         join("without reservations", change.removed_reservations);
}

std::set<std::uint64_t> runs_of(const Cluster& cluster) {
  std::set<std::uint64_t> out;
  for (const auto& [id, job] : cluster.jobs) {
    for (const Task& task : job.tasks) {
      if (task.placed) out.insert(task.run);
    }
  }
  return out;
}

}  // namespace

void Life::tell_all() {
  const Change change = difference(real_, told_);
  if (!change.empty()) tell(change, true);
}

void Life::tell_some() {
  Change change = difference(real_, told_);
  if (change.empty()) return;
  const auto thin = [&](std::vector<std::string>& names) {
    std::erase_if(names, [&](const std::string&) { return random_.chance(50); });
  };
  for (std::vector<std::string>* names :
       {&change.groups, &change.queues, &change.nodes, &change.jobs, &change.reservations,
        &change.removed_nodes, &change.removed_jobs, &change.removed_reservations})
    thin(*names);
  if (!change.empty()) tell(change, false);
}

// A part of what has changed may disagree with what was told before; all of it may not.
bool Life::tell(const Change& change, bool must) {
  const Cluster before = told_;
  if (arrays_ && random_.chance(70)) {
    const ArrayManner manner{random_.chance(50), random_.chance(20)};
    const bool taken = put_arrays(*engine_, real_, change, manner, told_);
    say("  arrays:" + text_of(change) + (taken ? "" : " refused: " + engine_->error()));
    after_telling(before);
    observe("arrays");
    if (taken || !must) return taken;
    return tell(difference(real_, told_), true);
  }
  const std::string document = change_document(real_, change);
  // What is told counts before the call is checked: the same call has to see to it.
  Cluster after = told_;
  carry_over(real_, change, after);
  std::swap(told_, after);
  const auto back = [&] { std::swap(told_, after); };
  const bool asks_first = random_.chance(10);
  const int32_t checked = asks_first ? engine_->check(document) : 0;
  const int32_t status = engine_->apply(document);
  if (asks_first && (checked < 0) != (status < 0))
    found("check and apply disagree", std::to_string(checked) + " against " + engine_->error());
  if (status < 0) {
    back();
    ++recorder_.totals->changes_refused;
    const std::string why = engine_->error();
    say("  apply:" + text_of(change) + " refused: " + why);
    check_unchanged("apply");
    if (must) found("harness: change refused", why + " in " + document);
    return false;
  }
  say("  apply:" + text_of(change) + ' ' + document);
  after_telling(before);
  observe("apply");
  return true;
}

// Notes which entries have seen others come to what was planned for them.
void Life::after_telling(const Cluster& before) {
  const std::set<std::uint64_t> known = runs_of(before);
  std::set<std::string> crowded_groups;
  std::set<std::string> crowded_nodes;
  for (const auto& [id, job] : told_.jobs) {
    const Entry* own = book_.live_entry_of(id);
    for (const Task& task : job.tasks) {
      if (!task.placed || known.contains(task.run)) continue;
      crowded_nodes.insert(task.place.node);
      if (!own || !own->started_once) crowded_groups.insert(job.group);
    }
    const Job* old = before.job(id);
    if (old && job.runs() && (old->queue != job.queue || old->group != job.group)) {
      crowded_groups.insert(job.group);
      crowded_groups.insert(old->group);
    }
  }
  for (auto& [id, entry] : book_.entries) {
    if (crowded_groups.contains(entry.group) || before.queues != told_.queues ||
        before.groups != told_.groups)
      entry.queues_disturbed = true;
    const Job* job = told_.job(entry.requester);
    if (job && job->queue != entry.queue) entry.queues_disturbed = true;
    if (before.reservations != told_.reservations) entry.space_disturbed = true;
    for (const std::string& node : entry.claimed) {
      if (crowded_nodes.contains(node)) entry.claim_disturbed = true;
    }
  }
}

// The whole cluster anew, into the same engine.
void Life::reload() {
  const Cluster before = told_;
  told_ = real_;
  const std::string document = cluster_document(told_, clock_);
  const int32_t status = engine_->load(document);
  if (status < 0) found("harness: cluster refused", engine_->error() + " in " + document);
  say("  load");
  cluster_now_ = std::max(cluster_now_, clock_ / 1000 * 1000);
  after_telling(before);
  observe("load");
}

}  // namespace lives
