// SPDX-License-Identifier: MIT
#include "document/cluster_object_readers.h"

namespace cede {

namespace {
constexpr FieldNames<11> kNodeFields{{"id", "group", "resources", "topology", "network", "state", "home",
                                      "fingerprint", "fingerprint_at", "labels", "overcommit_since"}};
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
      reading_.read_word(value, kNodeStates, state);
      row.state = state;
      return;
    }
    case NodeField::fingerprint_at: return reading_.read_time(value, row.fingerprint_at);
    case NodeField::overcommit_since: return reading_.read_time(value, draft_.overcommit_since);
    case NodeField::fingerprint:
      // One text stands for all components: the pair with the empty key.
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
  if (!saw(NodeField::id)) reading_.fail_member("id", "missing");
  if (draft_.row.name == kNoName) return edit_.skip(Kind::node);
  draft_.row.labels = intern_pairs(labels_);
  draft_.row.fingerprint = intern_pairs(fingerprint_);
  draft_.row.site = edit_.model().blobs.intern(site_);
  edit_.put(draft_);
}

}  // namespace cede
