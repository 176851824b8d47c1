// SPDX-License-Identifier: MIT
#include "engine/reports.h"

#include <algorithm>

#include "base/text.h"
#include "document/answer_writers.h"
#include "document/schema.h"
#include "engine/engine.h"
#include "model/resolve_job.h"
#include "policy/settings/effective_settings.h"
#include "policy/settings/setting.h"
#include "policy/shares/starvation.h"

namespace cede {

std::optional<AdmissionAnswer> Engine::admit(std::string_view job, std::optional<std::string_view> changes,
                                             Problems& problems) const {
  const auto fail = [&](std::string text, Status status) {
    problems.error({}, std::move(text), status);
    return std::nullopt;
  };
  if (!policies_) return fail("the engine has no policy to admit by", Status::invalid);
  std::optional<Model> changed;
  if (changes) {
    changed = read_changes_text(*changes, problems);
    if (!changed) return std::nullopt;
  }
  const std::shared_ptr<const ProjectedCluster> projection =
      changed
          ? std::make_shared<const ProjectedCluster>(project_cluster(*changed, sequence_, policies_.get()))
          : this->projection();
  const Model& model = *projection->model;
  const JobId id = model.find_job(job);
  if (!id) {
    return fail("unknown-job: " + unknown_text(model, Kind::job, job), Status::unknown);
  }
  const Policy* policy = policy_of(model, model.groups[model.jobs[id].group], *policies_);
  if (!policy) return fail("the job's group has no policy", Status::invalid);
  return cede::admit(EffectiveSettings(model, *policies_, *policy), projection->in_flight, id);
}

std::string admission_document(const AdmissionAnswer& answer) { return write_admission(answer); }

Catalogue make_catalogue() {
  Catalogue catalogue;
  for (std::size_t p = 0; p < kProfiles.size(); ++p) {
    const auto profile = static_cast<Profile>(p);
    Catalogue::ProfileTexts texts{std::string(kProfiles[p]), std::string(facts(profile).help), {}};
    for (const SettingSpec& spec : settings_of(profile)) {
      texts.settings.push_back({std::string(spec.name), show_default(spec),
                                std::string(to_word(spec.unit, kSettingUnits)), show_range(spec),
                                std::string(to_word(spec.side, kSettingSides)), std::string(spec.help)});
    }
    catalogue.profiles.push_back(std::move(texts));
  }
  return catalogue;
}

namespace {

LedgerView::Victim victim_view(const Entry& entry, const Victim& victim) {
  LedgerView::Victim out;
  const VictimOrder& order = entry.order_of(victim);
  out.job = order.job;
  for (const Place& place : order.tasks) {
    out.tasks.push_back(place.task);
    out.nodes.push_back(place.node);
  }
  out.phase_number = static_cast<std::int32_t>(victim.state.phase);
  out.exit_number = static_cast<std::int32_t>(victim.state.exit_result);
  out.phase = to_word(victim.state.phase, kVictimPhases);
  if (victim.state.exit_result != ExitResult::none)
    out.exit_result = to_word(victim.state.exit_result, kExitResults);
  out.deadline = victim.state.finished() ? kNoTime : victim.state.deadline;
  return out;
}

}  // namespace

Time next_step(const Sequence& sequence) {
  const Time due = sequence.next_due();
  return due == Ledger::kAtOnce ? sequence.now() : due;
}

LedgerView view_of(const Sequence& sequence) {
  LedgerView view;
  view.now = sequence.now();
  view.next_due = next_step(sequence);
  for (const EntryId id : sequence.ledger().ids()) {
    const Entry& entry = *sequence.ledger().find(id);
    if (entry.remembered) continue;
    LedgerView::Entry& out = view.entries.emplace_back();
    out.id = id;
    out.plan = entry.orders[entry.placed_by]->plan;
    out.state = to_word(entry.clock.state, kEntryStates);
    out.state_number = static_cast<std::int32_t>(entry.clock.state);
    out.requester_kind = to_word(entry.requester().kind, kRequesterKinds);
    out.requester_number = static_cast<std::int32_t>(entry.requester().kind);
    out.requester = entry.requester().name;
    out.cause = entry.order().cause;
    out.committed = entry.committed;
    out.deadline = is_live(entry.clock.state) ? next_due(entry.terms(), entry.clock) : kNoTime;
    out.has_hold = is_live(entry.clock.state) && entry.has_hold();
    for (const Victim& victim : entry.victims) {
      if (entry.order_of(victim).hold == kNoEntry) out.victims.push_back(victim_view(entry, victim));
    }
    for (const Place& place : entry.placement()) {
      out.placement.push_back({place.task, place.node, place.gpus, place.share_device, place.share,
                               place.devices_known, place.whole_node});
    }
  }
  return view;
}

std::size_t schema_count() { return document_specs().size(); }

const char* schema_format(std::size_t schema) {
  return schema < schema_count() ? document_specs()[schema].format.data() : nullptr;
}

bool schema_of(std::string_view format, std::string& text, std::string& why) {
  std::vector<std::string_view> known;
  for (const DocumentSpec& document : document_specs()) {
    if (document.format == format) {
      text = write_schema(document);
      return true;
    }
    known.push_back(document.format);
  }
  why = quote(format) + " is not a format with a schema: " + one_of(known);
  return false;
}

std::string ledger_document(const LedgerView& view) { return write_ledger(view); }

std::optional<std::string> Engine::shares(std::optional<std::string_view> group, Time now,
                                          Problems& problems) const {
  const auto fail = [&](std::string text, Status status) {
    problems.error({}, std::move(text), status);
    return std::nullopt;
  };
  if (!policies_) return fail("the engine has no policy to count shares by", Status::invalid);
  const auto policy = [&](GroupId id) { return policy_of(model_, model_.groups[id], *policies_); };
  std::vector<GroupId> wanted;
  if (group) {
    const GroupId id = model_.find_group(*group);
    if (!id) {
      return fail("group: " + unknown_text(model_, Kind::group, *group), Status::unknown);
    }
    if (!policy(id)) return fail("group " + quote(*group) + " has no policy", Status::invalid);
    const Profile profile = policy(id)->profile;
    if (profile != Profile::fair_share) {
      return fail("group: " + quote(*group) + " is of profile " + std::string(to_word(profile, kProfiles)) +
                      ", which has no fair shares; fair-share does",
                  Status::invalid);
    }
    wanted.push_back(id);
  } else {
    model_.groups.for_each([&](GroupId id, const GroupRow&) {
      if (policy(id) && policy(id)->profile == Profile::fair_share) wanted.push_back(id);
    });
    if (wanted.empty()) return fail("no group is of profile fair-share", Status::invalid);
    std::sort(wanted.begin(), wanted.end(), [&](GroupId a, GroupId b) {
      return model_.name(model_.groups[a].name) < model_.name(model_.groups[b].name);
    });
  }
  now = std::max(now, model_.now);
  if (now == kNoTime) return fail("no time is given, and the cluster has no 'now'", Status::invalid);
  const std::shared_ptr<const ProjectedCluster> projected = projection();
  SharesWriter writer(now);
  for (const GroupId id : wanted) {
    const EffectiveSettings effective(*projected->model, *policies_, *policy(id));
    writer.add(effective, id, FairShareStatus(effective, id, projected->in_flight, now));
  }
  return writer.finish();
}

}  // namespace cede
