// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text.h"
#include "document/cluster_object_readers.h"
#include "topology/import/slurm_topology.h"

namespace cede {

namespace {
constexpr FieldNames<4> kNetworkFields{{"levels", "domains", "slurm_topology", "slurm_topology_file"}};
constexpr std::string_view kLevelsStay = "levels cannot be changed; load the whole cluster instead";
enum class DomainField : std::uint8_t { id, level, parent };
constexpr FieldNames<3> kDomainFields{{"id", "level", "parent"}};
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
    if (!saw(DomainField::id)) reading_.fail_member("id", "missing");
    if (draft_.level == kNoName) reading_.fail_member("level", "missing; the name of a level is wanted");
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
