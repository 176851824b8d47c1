// SPDX-License-Identifier: MIT
#include "engine/outlook.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/bits.h"
#include "model/outlook_edit.h"

namespace cede {

namespace {

// What is held on one node, or of what the group counts.
struct Load {
  std::map<std::uint32_t, Total> amounts;
  DeviceMask gpus = 0;
  std::map<std::uint32_t, std::uint32_t> shares;
  std::uint32_t unknown = 0;
};
using Loads = std::map<NodeId, Load>;
using QueueLoad = std::map<std::pair<QueueId, std::uint32_t>, Total>;

std::uint32_t whole_gpus(const Model& model, const Place& place) {
  Amount gpus = 0;
  for (const auto& [name, amount] : place.resources) {
    if (name == "gpu") gpus = amount;
  }
  const NodeId node = model.find_node(place.node);
  const std::uint32_t most = node ? model.device_count(model.nodes[node]) : 0;
  return static_cast<std::uint32_t>(std::min<Amount>((gpus + kOne - 1) / kOne, most));
}

// What entries use of each other's room.
struct Lending {
  std::map<EntryId, std::vector<const Loan*>> of;                   // by lender; the own entry's not
  std::set<std::pair<std::string_view, std::string_view>> awaited;  // victims by job and one of their tasks

  Lending(const Ledger& ledger, EntryId own) {
    for (const EntryId id : ledger.ids()) {
      const Entry& entry = *ledger.find(id);
      if (!is_live(entry.clock.state) || !entry.has_hold()) continue;
      for (const Loan& loan : entry.loans) {
        if (id != own && !loan.is_broken()) of[loan.from].push_back(&loan);
        for (const Awaited& victim : loan.victims) {
          if (victim.state == AwaitedState::coming) awaited.emplace(victim.job, victim.task);
        }
      }
    }
  }

  bool is_awaited(const VictimOrder& victim) const {
    return std::any_of(victim.tasks.begin(), victim.tasks.end(), [&](const Place& task) {
      return awaited.contains({victim.job, task.task});
    });
  }
};

// One entry of the ledger in the model.
class EntryView {
 public:
  EntryView(OutlookEdit& edit, const Entry& entry, const Lending& lending, InFlight& out)
      : edit_(edit), entry_(entry), lending_(lending), out_(out), requester_(requester_job()) {
    const Model& model = edit.model();
    const NodeId at = entry.placement().empty() ? NodeId{} : model.find_node(entry.placement().front().node);
    group_ = at ? model.nodes[at].group : GroupId{};
  }

  // Before anyone is seated, the victims of all entries are taken off.
  void clear(bool own) {
    for (const Victim& victim : entry_.victims) look_at(victim, clears(), own);
    if (is_live(entry_.clock.state) && requester_ && !own) out_.requesters.push_back(requester_);
  }

  void keep() {
    if (clears()) seat_requester();
    if (holds()) block_nodes();
    if (holds() || !freed_.empty()) {
      count_loans();
      block_surplus();
    }
  }

 private:
  JobId requester_job() const {
    return entry_.requester().kind == RequesterKind::job ? edit_.model().find_job(entry_.requester().name)
                                                         : JobId{};
  }

  bool holds() const { return is_live(entry_.clock.state) && entry_.has_hold(); }
  bool clears() const { return holds() && entry_.requester().kind == RequesterKind::job; }

  void look_at(const Victim& victim, bool clears, bool own) {
    if (victim.state.phase == VictimPhase::spared) return;
    const VictimOrder& order = entry_.order_of(victim);
    const JobId job = edit_.model().find_job(order.job);
    // Somebody else may wait for a victim that its own requester needs no more.
    const bool leaves = clears || (!victim.state.finished() && lending_.is_awaited(order));
    const bool there = victim.state.phase == VictimPhase::stuck || !victim.needed || !leaves;
    for (std::size_t i = 0; i < order.tasks.size(); ++i) {
      const Place& place = order.tasks[i];
      const Model::FoundTask found = job ? edit_.model().find_task(job, place.task) : Model::FoundTask{};
      const bool runs = found.row && runs_since(edit_.model(), found.row, place, entry_.committed);
      if (runs) out_.leaving.push_back(found.row);
      if (there && !(own && victim.state.phase != VictimPhase::stuck)) continue;
      if (runs && !is_gone(entry_.tasks[victim.first_task + i])) {
        count(order.queue, place, leaving_usage_);
      }
      if (runs) edit_.take_off(found.row);
      if (!own) count(place, freed_);
    }
  }

  void count(const Place& place, Loads& loads) const {
    const Model& model = edit_.model();
    const NodeId node = model.find_node(place.node);
    if (!node) return;
    Load& load = loads[node];
    for (const auto& [name, amount] : place.resources) {
      const std::uint32_t resource = model.find_resource(name);
      if (resource == ResourceId::kNoValue) continue;
      const bool by_group = amount_of(model.shape(model.groups[model.nodes[node].group].resources), resource,
                                      kNoAmount) != kNoAmount;
      (by_group ? loads[NodeId{}] : load).amounts[resource] += amount;
    }
    if (!place.devices_known) {
      load.unknown += whole_gpus(model, place);
      return;
    }
    load.gpus |= place.gpus;
    if (place.share > 0) load.shares[place.share_device] += place.share;
  }

  void count(std::string_view queue, const Place& place, QueueLoad& loads) const {
    const Model& model = edit_.model();
    for (QueueId at = model.find_queue(queue); at; at = model.queues[at].parent) {
      for (const auto& [name, amount] : place.resources) {
        const std::uint32_t resource = model.find_resource(name);
        if (resource != ResourceId::kNoValue) loads[{at, resource}] += amount;
      }
    }
  }

  // A manager may have put somebody else on devices that were kept.
  bool is_free(NodeId node, const Place& place) const {
    const Model& model = edit_.model();
    DeviceMask held = 0;
    for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
      held |= model.tasks.core(t).gpus;
      for (const DeviceShare& share : model.shares(model.tasks.extras(t))) {
        if ((place.gpus >> share.device & 1) != 0) return false;
      }
    }
    return (held & place.gpus) == 0 && (place.share == 0 || (held >> place.share_device & 1) == 0);
  }

  void seat_requester() {
    std::vector<OutlookEdit::Seat> seats;
    for (const Place& place : entry_.placement()) {
      const Model::FoundTask found =
          requester_ ? edit_.model().find_task(requester_, place.task) : Model::FoundTask{};
      const NodeId node = edit_.model().find_node(place.node);
      if (!node) continue;
      if (!found.row) {
        count(place, freed_);  // the job has changed: until the next step the space is still kept
        continue;
      }
      if (edit_.model().tasks.core(found.row).node) continue;  // it runs already
      const bool known = place.devices_known && is_free(node, place);
      seats.push_back({found.row, found.index, node, known ? place.gpus : 0, place.share_device,
                       known ? place.share : 0, known});
      count(place, taken_);
      count(edit_.model().name(edit_.model().queues[edit_.model().jobs[requester_].queue].name), place,
            taken_usage_);
    }
    if (seats.empty()) return;
    InFlight::Hold hold{entry_.id, requester_, edit_.seat(requester_, seats, entry_.committed),
                        entry_.clock.state == EntryState::ready};
    std::sort(hold.tasks.begin(), hold.tasks.end());
    out_.holds.push_back(std::move(hold));
  }

  // What is lent counts as taken, and what is borrowed as freed. A queue's room is counted only until the
  // victims are gone.
  void count_loans() {
    const auto count_queues = [&](const Loan& loan, QueueLoad& loads) {
      for (const QueueRoom& room : loan.queues) {
        const QueueId queue = edit_.model().find_queue(room.queue);
        const std::uint32_t resource = edit_.model().find_resource(room.resource);
        if (queue && resource != ResourceId::kNoValue && loan.is_pending())
          loads[{queue, resource}] += room.amount;
      }
    };
    for (const Place& place : entry_.lent) count(place, taken_);
    if (const auto lent = lending_.of.find(entry_.id); lent != lending_.of.end()) {
      for (const Loan* loan : lent->second) {
        for (const Place& place : loan->room) count(place, taken_);
        count_queues(*loan, taken_usage_);
      }
    }
    for (const Loan& loan : entry_.loans) {
      if (!holds() || loan.is_broken()) continue;
      for (const Place& place : loan.room) count(place, freed_);
      count_queues(loan, leaving_usage_);
    }
  }

  // Nodes that are kept as a whole: those of claims, and of tasks that can run nowhere else.
  void block_nodes() {
    const Model& model = edit_.model();
    const bool claim = entry_.requester().kind == RequesterKind::claim;
    std::vector<NodeId> nodes;
    for (const Place& place : entry_.placement()) {
      if (const NodeId node = model.find_node(place.node); node && place.whole_node) nodes.push_back(node);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const NodeId node : nodes) {
      InFlight::Blocked& blocked = out_.blocked.emplace_back();
      blocked.entry = entry_.id;
      blocked.node = node;
      blocked.group = model.nodes[node].group;
      blocked.whole_node = true;
      if (claim) blocked.queue = model.find_queue(entry_.requester().name);
    }
  }

  void block_surplus() {
    for (const auto& [node, freed] : freed_) {
      const Load& taken = taken_[node];
      InFlight::Blocked blocked;
      blocked.entry = entry_.id;
      blocked.node = node;
      blocked.group = node ? edit_.model().nodes[node].group : group_;
      for (const auto& [resource, amount] : freed.amounts) {
        const auto used = taken.amounts.find(resource);
        const Total rest = amount - (used == taken.amounts.end() ? 0 : used->second);
        if (rest > 0) blocked.amounts.push_back({static_cast<Amount>(rest), resource, 0});
      }
      block_devices(freed, taken, blocked);
      const bool any =
          !blocked.amounts.empty() || blocked.gpus != 0 || !blocked.shares.empty() || blocked.unknown > 0;
      if (any) out_.blocked.push_back(std::move(blocked));
    }
    for (const auto& [key, amount] : leaving_usage_) {
      const auto used = taken_usage_.find(key);
      const Total rest = amount - (used == taken_usage_.end() ? 0 : used->second);
      if (rest > 0) out_.surplus.push_back({entry_.id, key.first, key.second, rest});
    }
  }

  static void block_devices(const Load& freed, const Load& taken, InFlight::Blocked& out) {
    if (taken.unknown > 0 || freed.unknown > 0) {
      // Which devices the requester gets, or which are freed, is not known: only their number is.
      const auto count = [](const Load& load) {
        return static_cast<std::uint32_t>(count_bits(load.gpus) + load.shares.size()) + load.unknown;
      };
      const std::uint32_t all = count(freed);
      const std::uint32_t used = count(taken);
      out.unknown = all > used ? all - used : 0;
      return;
    }
    out.gpus = freed.gpus & ~taken.gpus;
    for (const auto& [device, share] : taken.shares) {
      if ((out.gpus >> device & 1) == 0) continue;
      out.gpus &= ~(DeviceMask{1} << device);
      if (share < kOne) out.shares.push_back({device, static_cast<std::uint32_t>(kOne) - share});
    }
    for (const auto& [device, share] : freed.shares) {
      if ((taken.gpus >> device & 1) != 0) continue;
      const auto used = taken.shares.find(device);
      const std::uint32_t rest = used == taken.shares.end() ? share
                                 : share > used->second     ? share - used->second
                                                            : 0;
      if (rest > 0) out.shares.push_back({device, rest});
    }
  }

  OutlookEdit& edit_;
  const Entry& entry_;
  const Lending& lending_;
  InFlight& out_;
  const JobId requester_;
  GroupId group_;
  Loads freed_;
  Loads taken_;
  QueueLoad leaving_usage_;
  QueueLoad taken_usage_;
};

// Only `node-backoff` does. Others are spared a share in a table that every commit writes to.
bool asks_for_commits(const PolicySet& policies) {
  return std::any_of(policies.policies.begin(), policies.policies.end(),
                     [](const Policy& policy) { return policy.profile == Profile::fair_share; });
}

}  // namespace

bool runs_since(const Model& model, TaskId task, const Place& place, Time committed) {
  const TaskCore& core = model.tasks.core(task);
  if (!core.node || model.name(model.nodes[core.node].name) != place.node) return false;
  Time started = model.tasks.extras(task).started;
  if (started == kNoTime) started = model.job_times[core.job.value].started;
  return started == kNoTime || started <= committed;
}

Outlook look_ahead(const Model& model, const Sequence& sequence, const PolicySet* policies, EntryId own) {
  Outlook out;
  if (policies && asks_for_commits(*policies)) out.in_flight.node_commits = sequence.node_commits();
  if (sequence.ledger().size() == 0) {
    out.model = std::make_shared<const Model>(model);
    return out;
  }
  OutlookEdit edit(model);
  const Lending lending(sequence.ledger(), own);
  std::vector<EntryView> views;
  for (const EntryId id : sequence.ledger().ids()) {
    views.emplace_back(edit, *sequence.ledger().find(id), lending, out.in_flight).clear(id == own);
    if (id == own) views.pop_back();
  }
  for (EntryView& view : views) view.keep();
  out.model = std::make_shared<const Model>(edit.take());
  InFlight& known = out.in_flight;
  std::sort(known.leaving.begin(), known.leaving.end());
  std::sort(known.requesters.begin(), known.requesters.end());
  std::sort(known.holds.begin(), known.holds.end(),
            [](const InFlight::Hold& a, const InFlight::Hold& b) { return a.job < b.job; });
  return out;
}

}  // namespace cede
