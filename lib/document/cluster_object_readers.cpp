// SPDX-License-Identifier: MIT
#include "document/cluster_object_readers.h"

#include <algorithm>

#include "base/text.h"
#include "policy/settings/setting_values.h"
#include "topology/import/slurm_topology.h"

namespace cede {

GroupSink::GroupSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kGroupFields), edit_(edit), resources_(reading, edit, false) {}

ValueSink* GroupSink::start() {
  ObjectSink::start();
  draft_ = {};
  site_.clear();
  return this;
}

void GroupSink::scalar(const Scalar& value) {
  InternTable& names = edit_.model().names;
  switch (field()) {
    case GroupField::id: return reading_.read_name(value, names, draft_.row.name);
    case GroupField::policy: return reading_.read_name(value, names, draft_.row.policy);
    case GroupField::resources:
      if (!value.is_null()) reading_.fail_type("an object of amounts", value);
  }
}

ValueSink* GroupSink::object() {
  return field() == GroupField::resources ? resources_.start(draft_.row.resources) : ObjectSink::object();
}

void GroupSink::end() {
  require_fields();
  if (draft_.row.name == kNoName) return edit_.skip(Kind::group);
  draft_.row.site = edit_.model().blobs.intern(site_);
  edit_.put(draft_);
}

class QueueSink::PreemptionSink final : public ObjectSink<PreemptionField, 2> {
 public:
  PreemptionSink(Reading& reading, QueueSink& owner)
      : ObjectSink(reading, kPreemptionFields), owner_(owner) {}
  ValueSink* start() {
    ObjectSink::start();
    return this;
  }
  void scalar(const Scalar& value) override {
    QueueRow& row = owner_.draft_.row;
    if (field() == PreemptionField::policy) return reading_.read_word(value, spec(), row.policy);
    reading_.read_duration(value, spec(), row.delay);
  }
  SiteFields* site() override { return &owner_.site_; }
  std::string site_prefix() const override { return "preemption/"; }

 private:
  QueueSink& owner_;
};

QueueSink::QueueSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kQueueFields),
      edit_(edit),
      guaranteed_(reading, edit, true),
      max_(reading, edit, true),
      settings_(reading, SettingHolder::queue),
      preemption_(std::make_unique<PreemptionSink>(reading, *this)) {}

ValueSink* QueueSink::start() {
  ObjectSink::start();
  draft_ = {};
  site_.clear();
  values_ = {};
  return this;
}

void QueueSink::scalar(const Scalar& value) {
  QueueRow& row = draft_.row;
  switch (field()) {
    case QueueField::id: return reading_.read_name(value, edit_.model().names, row.name);
    case QueueField::parent: return reading_.read_name(value, edit_.model().names, draft_.parent);
    case QueueField::weight: return reading_.read_decimal(value, spec(), row.weight);
    case QueueField::kind: return reading_.read_word(value, spec(), row.kind);
    case QueueField::priority_offset: return reading_.read_integer(value, spec(), row.priority_offset);
    case QueueField::fair_share: return reading_.read_decimal(value, spec(), row.fair_share);
    case QueueField::guaranteed:
    case QueueField::max:
    case QueueField::preemption:
    case QueueField::settings:
      if (!value.is_null()) reading_.fail_type("an object", value);
  }
}

ValueSink* QueueSink::object() {
  switch (field()) {
    case QueueField::guaranteed: return guaranteed_.start(draft_.row.guaranteed);
    case QueueField::max: return max_.start(draft_.row.max);
    case QueueField::preemption: return static_cast<PreemptionSink&>(*preemption_).start();
    case QueueField::settings: return settings_.start(values_, site_);
    default: return ObjectSink::object();
  }
}

void QueueSink::end() {
  require_fields();
  if (draft_.row.name == kNoName) return edit_.skip(Kind::queue);
  Model& model = edit_.model();
  draft_.row.settings = model.blobs.intern(encode_settings(values_));
  draft_.row.site = model.blobs.intern(site_);
  edit_.put(draft_);
}

class ReservationSink::ForSink final : public ObjectSink<ForField, 3> {
 public:
  ForSink(Reading& reading, ReservationSink& owner) : ObjectSink(reading, kForFields), owner_(owner) {}
  ValueSink* start() {
    ObjectSink::start();
    return this;
  }
  void scalar(const Scalar& value) override {
    if (value.is_null()) return reading_.fail_type("a name", value);
    ReservationDraft& draft = owner_.draft_;
    if (draft.row.reserved_for != ReservedFor::nobody)
      return reading_.fail("a reservation is for one party only");
    Model& model = owner_.edit_.model();
    switch (field()) {
      case ForField::queue:
        draft.row.reserved_for = ReservedFor::queue;
        return reading_.read_name(value, model.names, draft.queue);
      case ForField::user:
        draft.row.reserved_for = ReservedFor::user;
        return reading_.read_name(value, model.names, draft.row.user);
      case ForField::job:
        draft.row.reserved_for = ReservedFor::job;
        return reading_.read_name(value, model.job_names, draft.row.job);
    }
  }
  void end() override {
    if (owner_.draft_.row.reserved_for == ReservedFor::nobody) {
      reading_.fail("names no party; 'queue', 'user' or 'job' is wanted, or null if it is for none");
    }
  }
  SiteFields* site() override { return &owner_.site_; }
  std::string site_prefix() const override { return "for/"; }

 private:
  ReservationSink& owner_;
};

ReservationSink::ReservationSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kReservationFields),
      edit_(edit),
      nodes_(reading, edit.limits()),
      for_(std::make_unique<ForSink>(reading, *this)) {}

ValueSink* ReservationSink::start() {
  ObjectSink::start();
  draft_.row = {};
  draft_.queue = kNoName;
  draft_.nodes.clear();
  site_.clear();
  return this;
}

void ReservationSink::scalar(const Scalar& value) {
  switch (field()) {
    case ReservationField::id: return reading_.read_name(value, edit_.model().names, draft_.row.name);
    case ReservationField::from: return reading_.read_time(value, draft_.row.from);
    case ReservationField::until: return reading_.read_time(value, draft_.row.until);
    case ReservationField::nodes: return reading_.fail_type("a list of nodes", value);
    case ReservationField::reserved_for:
      if (!value.is_null()) reading_.fail_type("an object", value);
  }
}

ValueSink* ReservationSink::object() {
  return field() == ReservationField::reserved_for ? static_cast<ForSink&>(*for_).start()
                                                   : ObjectSink::object();
}

ValueSink* ReservationSink::array() {
  return field() == ReservationField::nodes ? nodes_.start(edit_.model().names, draft_.nodes)
                                            : ObjectSink::array();
}

void ReservationSink::end() {
  require_fields();
  if (draft_.row.name == kNoName) return edit_.skip(Kind::reservation);
  draft_.row.site = edit_.model().blobs.intern(site_);
  edit_.put(draft_);
}

NodeSink::NodeSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kNodeFields),
      edit_(edit),
      resources_(reading, edit, false),
      network_(reading, edit.limits()),
      pairs_(reading, edit.limits()) {}

ValueSink* NodeSink::start() {
  ObjectSink::start();
  draft_.row = NodeRow{};
  draft_.overcommit_since = kNoTime;
  draft_.group = draft_.topology = draft_.home = kNoName;
  draft_.network.clear();
  labels_.clear();
  fingerprint_.clear();
  site_.clear();
  return this;
}

void NodeSink::scalar(const Scalar& value) {
  InternTable& names = edit_.model().names;
  NodeRow& row = draft_.row;
  switch (field()) {
    case NodeField::id: return reading_.read_name(value, names, row.name);
    case NodeField::group: return reading_.read_name(value, names, draft_.group);
    case NodeField::topology: return reading_.read_name(value, names, draft_.topology);
    case NodeField::home: return reading_.read_name(value, names, draft_.home);
    case NodeField::state: {
      NodeState state = row.state;
      reading_.read_word(value, spec(), state);
      row.state = state;
      return;
    }
    case NodeField::fingerprint_at: return reading_.read_time(value, row.fingerprint_at);
    case NodeField::overcommit_since: return reading_.read_time(value, draft_.overcommit_since);
    case NodeField::fingerprint:
      // One text is the value for all components: the pair with the empty key.
      if (!value.is_null()) reading_.read_text(value, fingerprint_.emplace_back().second);
      return;
    case NodeField::network:
      if (!value.is_null()) reading_.fail_type("a list of domains", value);
      return;
    case NodeField::resources:
    case NodeField::labels:
      if (!value.is_null()) reading_.fail_type("an object", value);
  }
}

ValueSink* NodeSink::object() {
  switch (field()) {
    case NodeField::resources: return resources_.start(draft_.row.resources);
    case NodeField::fingerprint: return pairs_.start(fingerprint_);
    case NodeField::labels: return pairs_.start(labels_);
    default: return ObjectSink::object();
  }
}

ValueSink* NodeSink::array() {
  return field() == NodeField::network ? network_.start(edit_.model().names, draft_.network)
                                       : ObjectSink::array();
}

BlobId NodeSink::intern_pairs(const PairsSink::Pairs& pairs) {
  return edit_.model().blobs.intern(encode_pairs({pairs.begin(), pairs.end()}));
}

void NodeSink::end() {
  require_fields();
  if (draft_.row.name == kNoName) return edit_.skip(Kind::node);
  draft_.row.labels = intern_pairs(labels_);
  draft_.row.fingerprint = intern_pairs(fingerprint_);
  draft_.row.site = edit_.model().blobs.intern(site_);
  edit_.put(draft_);
}

namespace {
constexpr std::string_view kLevelsStay = "levels cannot be changed; load the whole cluster instead";
}  // namespace

class NetworkSink::DomainSink final : public ObjectSink<DomainField, 3> {
 public:
  DomainSink(Reading& reading, ModelEdit& edit) : ObjectSink(reading, kDomainFields), edit_(edit) {}
  ValueSink* start() {
    ObjectSink::start();
    draft_ = {};
    site_.clear();
    return this;
  }
  void scalar(const Scalar& value) override {
    InternTable& names = edit_.model().names;
    switch (field()) {
      case DomainField::id: return reading_.read_name(value, names, draft_.row.name);
      case DomainField::level: return reading_.read_name(value, names, draft_.level);
      case DomainField::parent: return reading_.read_name(value, names, draft_.parent);
    }
  }
  void end() override {
    require_fields();
    if (draft_.row.name == kNoName) return edit_.skip(Kind::domain);
    draft_.row.site = edit_.model().blobs.intern(site_);
    edit_.put(draft_);
  }
  SiteFields* site() override { return &site_; }

 private:
  ModelEdit& edit_;
  DomainDraft draft_;
  SiteFields site_;
};

NetworkSink::NetworkSink(Reading& reading, ModelEdit& edit, bool with_levels)
    : ObjectSink(reading, kNetworkFields),
      edit_(edit),
      with_levels_(with_levels),
      names_(reading, edit.limits()),
      domain_(std::make_unique<DomainSink>(reading, edit)),
      domains_(std::make_unique<ObjectListSink<DomainSink>>(reading, *domain_)) {}
NetworkSink::~NetworkSink() = default;

ValueSink* NetworkSink::start() {
  ObjectSink::start();
  site_.clear();
  levels_.clear();
  imported_ = false;
  network_ = {};
  return this;
}

void NetworkSink::scalar(const Scalar& value) {
  if (value.is_null()) return;
  switch (field()) {
    case NetworkField::slurm_topology: return read_slurm(value);
    case NetworkField::slurm_topology_file:
      return reading_.fail(
          "the library reads no files; the cede command does, or give the text as 'slurm_topology'");
    default: reading_.fail_type("a list", value);
  }
}

void NetworkSink::read_slurm(const Scalar& value) {
  if (value.kind != Scalar::Kind::text) return reading_.fail_type("a text", value);
  if (!with_levels_) return reading_.fail(std::string(kLevelsStay));
  imported_ = true;
  SlurmLimits limits;
  limits.nodes = static_cast<std::size_t>(edit_.limits().max_nodes);
  limits.domains = static_cast<std::size_t>(edit_.limits().max_domains);
  limits.levels = static_cast<std::size_t>(edit_.limits().max_levels);
  SlurmFault fault;
  if (read_slurm_topology(value.text, limits, network_, fault)) return;
  reading_.fail(fault.message(), fault.is_limit ? Status::limit : Status::document);
}

ValueSink* NetworkSink::array() {
  if (field() == NetworkField::domains) return domains_.get();
  if (field() != NetworkField::levels) return ObjectSink::array();
  if (!with_levels_) {
    reading_.fail(std::string(kLevelsStay));
    return nullptr;
  }
  return names_.start(edit_.model().names, levels_);
}

void NetworkSink::end() {
  if (!with_levels_) return;
  if (imported_) {
    if (saw(NetworkField::levels) || saw(NetworkField::domains))
      return reading_.fail("'slurm_topology' says it all; neither levels nor domains may stand beside it");
    edit_.set_network_site(edit_.model().blobs.intern(site_));
    return edit_.set_network(std::move(network_));
  }
  if (levels_.size() > edit_.limits().max_levels) {
    reading_.problems().error(
        {PathStep::member("network"), PathStep::member("levels")},
        "more than " + std::to_string(edit_.limits().max_levels) + " (limit max_levels)", Status::limit);
    return;
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (std::find(levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(i), levels_[i]) !=
        levels_.begin() + static_cast<std::ptrdiff_t>(i)) {
      reading_.fail_member("levels", quote(edit_.model().name(levels_[i])) + " is listed twice");
    }
  }
  edit_.set_levels(levels_);
  edit_.set_network_site(edit_.model().blobs.intern(site_));
}

}  // namespace cede
