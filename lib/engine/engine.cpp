// SPDX-License-Identifier: MIT
#include "engine/engine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "base/text.h"
#include "document/document.h"
#include "document/policy_reader.h"
#include "document/reading.h"
#include "engine/policy_check.h"
#include "model/edit.h"
#include "model/model.h"
#include "model/rows.h"

namespace cede {

namespace {

template <std::uint64_t Limits::*kMember>
std::uint64_t& limit(Options& options) {
  return options.limits.*kMember;
}

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kMostTasksPerJob = 1000 * kMillion;
static_assert(kMostTasksPerJob <= kMaxTaskCount, "a task row could not hold the count");

// The defaults equal those of Limits; a test checks that.
constexpr std::array<OptionSpec, 20> kOptions{{
    {"max_document_bytes", "1073741824", "largest document, in bytes", 1, std::uint64_t{1} << 40,
     limit<&Limits::max_document_bytes>},
    {"max_nesting", "32", "how deep objects and lists may nest in a document", 8, 256,
     limit<&Limits::max_nesting>},
    {"max_nodes", "1000000", "most nodes of a cluster", 1, 100 * kMillion, limit<&Limits::max_nodes>},
    {"max_jobs", "4000000", "most jobs of a cluster", 1, 100 * kMillion, limit<&Limits::max_jobs>},
    {"max_tasks", "16000000", "most entries of 'tasks' over all jobs", 1, 1000 * kMillion,
     limit<&Limits::max_tasks>},
    {"max_tasks_per_job", "1000000", "most tasks of one job, every 'count' written out", 1, kMostTasksPerJob,
     limit<&Limits::max_tasks_per_job>},
    {"max_queues", "65536", "most queues", 1, kMillion, limit<&Limits::max_queues>},
    {"max_queue_depth", "64", "how deep the tree of queues may be", 1, 1000, limit<&Limits::max_queue_depth>},
    {"max_resources", "256", "most distinct resource names since the last load", 1, 4096,
     limit<&Limits::max_resources>},
    {"max_groups", "4096", "most groups of nodes", 1, kMillion, limit<&Limits::max_groups>},
    {"max_levels", "16", "most network levels", 1, 64, limit<&Limits::max_levels>},
    {"max_domains", "262144", "most network domains", 1, 10 * kMillion, limit<&Limits::max_domains>},
    {"max_reservations", "65536", "most reservations", 1, kMillion, limit<&Limits::max_reservations>},
    {"max_topologies", "4096", "most node topologies", 1, kMillion, limit<&Limits::max_topologies>},
    {"max_labels", "64", "most labels, or fingerprint components, of one node", 1, 4096,
     limit<&Limits::max_labels>},
    {"max_list", "100000", "most entries of any other list in a document", 1, 10 * kMillion,
     limit<&Limits::max_list>},
    {"max_site_bytes", "65536", "most bytes of the x- fields of one object", 0, 16 * kMillion,
     limit<&Limits::max_site_bytes>},
    {"max_findings", "20", "most mistakes reported about one document", 1, 10000,
     limit<&Limits::max_findings>},
    {"threads", "0",
     "threads one decision or one large array of jobs may use; 0: as many as the machine allows", 0, 1024,
     [](Options& options) -> std::uint64_t& { return options.threads; }},
    {"audit", "0",
     "1: after every change, count from first principles that nothing is promised twice; a change after "
     "which "
     "something is fails as internal and is taken back; slow, for tests",
     0, 1, [](Options& options) -> std::uint64_t& { return options.audit; }},
}};

}  // namespace

std::span<const OptionSpec> option_specs() { return kOptions; }

Status set_option(Options& options, std::string_view text, std::string& why) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (equals == std::string_view::npos) {
    why = "option " + quote(text) + " is not of the form name=value";
    return Status::invalid;
  }
  for (const OptionSpec& spec : kOptions) {
    if (name != spec.name) continue;
    const std::string_view digits = text.substr(equals + 1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < spec.min ||
        value > spec.max) {
      why = "option " + std::string(name) + ": " + quote(digits) + " is not a whole number in " +
            std::to_string(spec.min) + ".." + std::to_string(spec.max);
      return Status::invalid;
    }
    spec.in(options) = value;
    return Status::ok;
  }
  std::vector<std::string_view> names;
  for (const OptionSpec& spec : kOptions) names.emplace_back(spec.name);
  why = "unknown option " + quote(name) + did_you_mean(name, names);
  return Status::unknown;
}

Engine::Engine(Options options)
    : options_(std::move(options)),
      workers_(std::make_shared<WorkerPool>(static_cast<std::size_t>(options_.threads))),
      edits_(std::make_shared<std::atomic<std::uint32_t>>(0)) {}

Engine::Engine(const Engine& other)
    : options_(other.options_),
      model_(other.model_),
      names_(other.names_),
      parts_(other.parts_),
      ledger_names_(other.ledger_names_),
      policies_(other.policies_),
      revision_(other.revision_),
      sequence_(other.sequence_),
      below_since_(other.below_since_),
      overcommitted_since_(other.overcommitted_since_),
      looked_(other.looked_),
      group_indexes_(other.group_indexes_),
      workers_(other.workers_),
      edits_(other.edits_) {
  const std::lock_guard lock(other.projection_mutex_);
  projection_ = other.projection_;
}

void Engine::set_log(Log log, void* context) {
  log_ = log;
  log_context_ = context;
}

void Engine::say(LogLevel level, const std::string& text) const {
  if (log_) log_(log_context_, static_cast<std::int32_t>(level), text.c_str());
}

// The names that survive a load: those of the caller and of the ledger. The others go with their owners.
InternTable Engine::names_of_caller() const {
  if (names_.empty() && ledger_names_.empty()) return Model{}.job_names;
  InternTable names = model_.job_names;
  const auto give_up = [&](NameId name) { names.release(names.find(model_.name(name))); };
  model_.groups.for_each([&](GroupId, const GroupRow& row) { give_up(row.name); });
  model_.queues.for_each([&](QueueId, const QueueRow& row) { give_up(row.name); });
  model_.nodes.for_each([&](NodeId, const NodeRow& row) { give_up(row.name); });
  model_.jobs.for_each([&](JobId, const JobCore& job) {
    for (std::uint32_t k = 0; k < job.task_rows; ++k)
      names.release(model_.tasks.extras(TaskId{job.first_task.value + k}).name);
    names.release(job.name);
  });
  model_.reservations.for_each([&](ReservationId, const ReservationRow& row) { names.release(row.job); });
  for (std::uint32_t k = 0; k < model_.position_names; ++k)
    names.release(names.find("t" + std::to_string(k)));
  return names;
}

Engine::NumbersOfLedger Engine::numbers_with(EntryId entry) const {
  NumbersOfLedger next{model_.job_names, ledger_names_};
  next.held.take(*sequence_.ledger().find(entry), next.names);
  return next;
}

std::optional<Engine::NumbersOfLedger> Engine::numbers_without_ended() const {
  if (!ledger_names_.is_behind(sequence_.ledger())) return std::nullopt;
  NumbersOfLedger next{model_.job_names, ledger_names_};
  next.held.drop_ended(sequence_.ledger(), next.names);
  return next;
}

void Engine::adopt(std::optional<NumbersOfLedger> numbers) noexcept {
  if (!numbers) return;
  model_.job_names = std::move(numbers->names);
  ledger_names_ = std::move(numbers->held);
}

std::optional<Model> Engine::read_cluster_text(std::string_view text, Problems& problems) const {
  Model empty;
  empty.job_names = names_of_caller();
  empty.now = model_.now;  // time never runs backwards in an engine
  empty.edits = last_edit();
  ModelEdit edit(std::move(empty), options_.limits, problems, true);
  // A document has about one object per 250 bytes. This reserves so many buckets that a bulk load never
  // splits one.
  edit.model().job_names.expect(text.size() / 256);
  read_cluster(text, edit);
  Model next = edit.finish();
  if (!problems.failed() && policies_) {
    PolicyCheck policy_check(next, *policies_, problems);
    policy_check.check_groups();
    policy_check.check_queues();
    policy_check.check_jobs(edit.put_jobs(), [&](std::size_t index, std::string_view member) {
      return edit.path(Kind::job, index, member);
    });
  }
  if (!problems.failed()) {
    warn_about_queues(next, problems);
    warn_about_nodes(next, problems);
  }
  place_problems(text, problems);
  if (problems.failed()) return std::nullopt;
  return next;
}

std::optional<Model> Engine::read_changes_text(std::string_view text, Problems& problems) const {
  Model next = model_;
  next.edits = last_edit();
  RemovedNames removed;
  return read_changes_into(next, text, problems, removed) ? std::optional(std::move(next)) : std::nullopt;
}

bool Engine::read_changes_into(Model& model, std::string_view text, Problems& problems,
                               RemovedNames& removed) const {
  ModelEdit edit(model, options_.limits, problems);
  read_changes(text, edit);
  const bool good = finish_changes(edit, {PathStep::member("put")}, problems);
  place_problems(text, problems);
  if (good) removed = edit.removed();
  return good;
}

bool Engine::finish_changes(ModelEdit& edit, const Path& prefix, Problems& problems) const {
  edit.settle();
  const Model& next = edit.model();
  if (!problems.failed() && policies_) {
    PolicyCheck policy_check(next, *policies_, problems, prefix);
    if (edit.put_groups()) {
      policy_check.check_all();  // a group's new policy may have other rules for existing jobs
    } else {
      if (edit.touched_queues()) policy_check.check_queues();
      policy_check.check_jobs(edit.put_jobs(), [&](std::size_t index, std::string_view member) {
        return edit.path(Kind::job, index, member);
      });
    }
  }
  if (!problems.failed() && edit.touched_queues()) warn_about_queues(next, problems);
  return !problems.failed();
}

std::shared_ptr<const PolicySet> Engine::read_policy_text(std::string_view text, Problems& problems) const {
  auto next = std::make_shared<PolicySet>();
  if (!read_policy(text, options_.limits, problems, *next)) return nullptr;
  // This text does not contain the cluster, so these problems have no position in it.
  PolicyCheck(model_, *next, problems).check_all();
  if (problems.failed()) return nullptr;
  return next;
}

Engine::Next Engine::look(const Model& model, const PolicySet* policies) const {
  Next next;
  next.looked = true;
  const Time now = moment_of(model);
  // Without a cluster there is nothing to see; what a restored state has is kept for the cluster to come.
  if (!policies || now == kNoTime || (model.now == kNoTime && model.nodes.live() == 0)) return next;
  next.overcommitted = look_at_overcommitted(model, *policies, overcommitted_since_, now);
  next.clocks.emplace();
  if (!keeps_clocks(model, *policies)) return next;
  auto projection = std::make_shared<ProjectedCluster>(project_cluster(model, sequence_, policies));
  next.clocks = look_at_clocks(*projection, *policies, below_since_, now);
  remember_overcommitted(*projection->model, projection->in_flight, *next.overcommitted);
  next.projection = std::move(projection);
  return next;
}

std::shared_ptr<const ProjectedCluster> Engine::projection() const {
  const std::lock_guard lock(projection_mutex_);
  if (projection_) return projection_;
  projection_ = std::make_shared<const ProjectedCluster>(follow_ledger());
  return projection_;
}

// A projector that fails halfway is not kept.
ProjectedCluster Engine::follow_ledger() const {
  const PolicySet* const policies = policies_.get();
  if (sequence_.ledger().size() == 0) {
    ProjectedCluster cluster = project_cluster(model_, sequence_, policies);
    remember_clocks(model_, cluster.in_flight, below_since_);
    remember_overcommitted(model_, cluster.in_flight, overcommitted_since_);
    return cluster;
  }
  std::unique_ptr<ClusterProjector> projector = std::move(projector_);
  const bool followed = projector && projector->follow(sequence_.ledger());
  if (!followed) {
    projector = std::make_unique<ClusterProjector>(model_, sequence_.ledger());
    remember_clocks(projector->model(), projector->in_flight(), below_since_);
    remember_overcommitted(projector->model(), projector->in_flight(), overcommitted_since_);
  }
  ProjectedCluster cluster = projector->cluster(sequence_, policies);
  if (followed && options_.audit != 0) {
    const std::string fault = projection_fault(cluster, project_cluster(model_, sequence_, policies));
    if (!fault.empty()) throw std::logic_error("audit: the projected cluster is out of date: " + fault);
  }
  projector_ = std::move(projector);
  return cluster;
}

bool Engine::is_of_now(const Plan& plan) const {
  const InFlight* made_on = plan.in_flight->origin ? plan.in_flight->origin.get() : plan.in_flight.get();
  const std::lock_guard lock(projection_mutex_);
  return projection_ && made_on == &projection_->in_flight;
}

void Engine::adopt_commit() noexcept {
  projection_ = nullptr;
  book_ = nullptr;
  looked_ = false;
  ++revision_;
}

void Engine::adopt(Next next) noexcept {
  projector_ = nullptr;
  book_ = nullptr;
  projection_ = std::move(next.projection);
  if (next.clocks) below_since_.swap(*next.clocks);
  if (next.overcommitted) overcommitted_since_.swap(*next.overcommitted);
  looked_ = next.looked;
  ++revision_;
}

// The log line about a new state. It is logged after the state is adopted.
std::string Engine::summary(std::string_view what, const Model& model) const {
  if (!log_) return {};
  return std::string(what) + ": " + std::to_string(model.nodes.live()) + " nodes, " +
         std::to_string(model.queues.live()) + " queues and " + std::to_string(model.jobs.live()) +
         " jobs now";
}

namespace {

// What of `before` is not in `next`.
RemovedNames removed_by(const Model& next, const Model& before) {
  RemovedNames removed;
  before.jobs.for_each([&](JobId id, const JobCore&) {
    if (const std::string_view name = before.job_name(id); !next.find_job(name))
      removed.add(removed.jobs, name);
  });
  before.nodes.for_each([&](NodeId, const NodeRow& node) {
    if (const std::string_view name = before.name(node.name); !next.find_node(name))
      removed.add(removed.nodes, name);
  });
  return removed;
}

}  // namespace

bool Engine::load(std::string_view text, Problems& problems) {
  std::optional<Model> next = read_cluster_text(text, problems);
  if (!next) return false;
  const std::string line = summary("cluster loaded", *next);
  Undo sequence(sequence_);
  tell_sequence(*next, removed_by(*next, model_));
  Next prepared = look(*next, policies_.get());
  audit_change(*next, nullptr);
  GroupIndexCache group_indexes;  // the cluster is another one; copies of this engine keep their indexes
  sequence.keep();
  model_ = std::move(*next);
  names_.leave_elsewhere();
  adopt(std::move(prepared));
  group_indexes_ = std::move(group_indexes);
  say(LogLevel::info, line);
  return true;
}

// The model was changed in place. Everything that may fail runs before the change is kept.
void Engine::keep(Undo<Model>& undo, const RemovedNames& removed) {
  const std::string line = summary("changes applied", model_);
  Undo sequence(sequence_);
  std::shared_ptr<const Book> book = tell_sequence(model_, removed);
  Next prepared = look(model_, policies_.get());
  audit_change(model_, nullptr);
  sequence.keep();
  undo.keep();
  adopt(std::move(prepared));
  book_ = std::move(book);
  say(LogLevel::debug, line);
}

bool Engine::apply(std::string_view text, Problems& problems) {
  Undo undo(model_);
  model_.edits = last_edit();
  RemovedNames removed;
  if (!read_changes_into(model_, text, problems, removed)) return false;
  keep(undo, removed);
  return true;
}

bool Engine::take(ArrayEdit& arrays) {
  if (!finish_changes(arrays.edit(), {}, arrays.problems())) return false;
  keep(arrays.undo(), arrays.edit().removed());
  arrays.keep_names();
  return true;
}

std::size_t Engine::name_all(const TextList& texts, std::uint32_t* numbers) {
  NameRegistry names = names_;
  Undo undo(model_);
  // If more names come than are known, most of them are new.
  if (texts.size() > model_.job_names.live()) model_.job_names.expect(model_.job_names.live() + texts.size());
  std::vector<std::uint32_t> given(texts.size());
  const std::size_t good = names.add_all(model_.job_names, texts, given.data());
  if (good < texts.size()) return good;
  undo.keep();
  names_ = std::move(names);
  std::copy(given.begin(), given.end(), numbers);
  return good;
}

bool Engine::forget(std::span<const std::uint32_t> numbers, Problems& problems) {
  NameRegistry names = names_;
  InternTable texts = model_.job_names;
  InternTable others = model_.names;
  PartRegistry parts = parts_;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (names.forget(texts, others, numbers[i]) || parts.forget(numbers[i])) continue;
    problems.error({PathStep::member("numbers"), PathStep::element(i)},
                   std::to_string(numbers[i]) + " is not the number of a name or part", Status::unknown);
    return false;
  }
  names_ = std::move(names);
  model_.job_names = std::move(texts);
  model_.names = std::move(others);
  parts_ = std::move(parts);
  return true;
}

bool Engine::set_policy(std::string_view text, Problems& problems) {
  std::shared_ptr<const PolicySet> next = read_policy_text(text, problems);
  if (!next) return false;
  std::string line = "policy set: " + std::to_string(next->policies.size()) +
                     (next->policies.size() == 1 ? " policy" : " policies");
  sequence_.set_storm_window(next->limits.window);
  policies_ = std::move(next);
  searched_at_.reset();  // other limits may apply now
  adopt(Next{});
  say(LogLevel::info, line);
  return true;
}

void Engine::check(std::string_view text, Problems& problems) const {
  const DocumentKind kind = document_kind(text, options_.limits, problems);
  switch (kind) {
    case DocumentKind::unknown: break;
    case DocumentKind::cluster:
    case DocumentKind::changes: {
      const std::optional<Model> next = kind == DocumentKind::cluster ? read_cluster_text(text, problems)
                                                                      : read_changes_text(text, problems);
      if (!next) break;
      warn_about_units(*next, problems);
      place_problems(text, problems);
      break;
    }
    case DocumentKind::policy: read_policy_text(text, problems); break;
  }
}

void Engine::check_loaded(Problems& problems) const {
  warn_about_queues(model_, problems);
  warn_about_nodes(model_, problems);
  warn_about_units(model_, problems);
}

std::string Engine::export_cluster() const { return write_cluster(model_); }

DocumentKind document_kind(std::string_view text, const Limits& limits, Problems& problems) {
  Reading reading(problems);
  const std::string format = document_format(text, limits, reading);
  if (problems.failed()) return DocumentKind::unknown;
  if (format == kClusterFormat) return DocumentKind::cluster;
  if (format == kChangesFormat) return DocumentKind::changes;
  if (format == kPolicyFormat) return DocumentKind::policy;
  return DocumentKind::unknown;
}

}  // namespace cede
