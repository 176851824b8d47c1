// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text.h"
#include "document/cluster_object_readers.h"

namespace cede {

namespace {
constexpr FieldNames<2> kFields{{"levels", "domains"}};
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
    : ObjectSink(reading, kFields),
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
  return this;
}

void NetworkSink::scalar(const Scalar& value) {
  if (!value.is_null()) reading_.fail_type("a list", value);
}

ValueSink* NetworkSink::array() {
  if (field() == NetworkField::domains) return domains_.get();
  if (!with_levels_) {
    reading_.fail("levels cannot be changed; load the whole cluster instead");
    return nullptr;
  }
  return names_.start(edit_.model().names, levels_);
}

void NetworkSink::end() {
  if (!with_levels_) return;
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
