// SPDX-License-Identifier: MIT
#include "document/cluster_object_readers.h"

namespace cede {

namespace {
constexpr FieldNames<3> kGroupFields{{"id", "policy", "resources"}};
}

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
  if (!saw(GroupField::id)) reading_.fail_member("id", "missing");
  if (draft_.row.name == kNoName) return edit_.skip(Kind::group);
  draft_.row.site = edit_.model().blobs.intern(site_);
  edit_.put(draft_);
}

}  // namespace cede
