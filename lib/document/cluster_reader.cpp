// SPDX-License-Identifier: MIT
#include "document/document.h"

#include "document/cluster_fields.h"
#include "document/cluster_object_readers.h"
#include "document/job_reader.h"
#include "document/reading.h"
#include "document/topology_reader.h"

namespace cede {

namespace {

// The lists of objects that are common to a cluster document and the `put` of a changes document.
struct Lists {
  Lists(Reading& reading, ModelEdit& edit, bool with_levels)
      : topologies(reading, edit),
        network(reading, edit, with_levels),
        group(reading, edit),
        reservation(reading, edit),
        queue(reading, edit),
        node(reading, edit),
        job(reading, edit),
        groups(reading, group),
        reservations(reading, reservation),
        queues(reading, queue),
        nodes(reading, node),
        jobs(reading, job) {}

  TopologiesSink topologies;
  NetworkSink network;
  GroupSink group;
  ReservationSink reservation;
  QueueSink queue;
  NodeSink node;
  JobSink job;
  ObjectListSink<GroupSink> groups;
  ObjectListSink<ReservationSink> reservations;
  ObjectListSink<QueueSink> queues;
  ObjectListSink<NodeSink> nodes;
  ObjectListSink<JobSink> jobs;
};

// Refuses any format but the expected one.
void check_format(Reading& reading, const Scalar& value, std::string_view expected) {
  if (value.kind != Scalar::Kind::text || value.text != expected) fail_format(reading, value, {&expected, 1});
}

class ClusterSink final : public ObjectSink<ClusterField, 9> {
 public:
  ClusterSink(Reading& reading, ModelEdit& edit)
      : ObjectSink(reading, kClusterFields), edit_(edit), lists_(reading, edit, true) {}

  void scalar(const Scalar& value) override {
    if (field() == ClusterField::format) return check_format(reading_, value, kClusterFormat);
    if (field() == ClusterField::now) {
      Time now = kNoTime;
      reading_.read_time(value, now);
      return edit_.set_now(now);
    }
    const bool object = field() == ClusterField::topologies || field() == ClusterField::network;
    if (!value.is_null()) reading_.fail_type(object ? "an object" : "a list", value);
  }
  ValueSink* object() override {
    if (field() == ClusterField::topologies) return &lists_.topologies;
    if (field() == ClusterField::network) return lists_.network.start();
    return ObjectSink::object();
  }
  ValueSink* array() override {
    switch (field()) {
      case ClusterField::groups: return &lists_.groups;
      case ClusterField::reservations: return &lists_.reservations;
      case ClusterField::queues: return &lists_.queues;
      case ClusterField::nodes: return &lists_.nodes;
      case ClusterField::jobs: return &lists_.jobs;
      default: return ObjectSink::array();
    }
  }
  void end() override {
    require_fields();
    edit_.set_site(edit_.model().blobs.intern(site_));
  }
  SiteFields* site() override { return &site_; }

 private:
  ModelEdit& edit_;
  Lists lists_;
  SiteFields site_;
};

class PutSink final : public ObjectSink<PutField, 7> {
 public:
  PutSink(Reading& reading, ModelEdit& edit)
      : ObjectSink(reading, kPutFields), lists_(reading, edit, false) {}
  void scalar(const Scalar& value) override {
    const bool object = field() == PutField::topologies || field() == PutField::network;
    if (!value.is_null()) reading_.fail_type(object ? "an object" : "a list", value);
  }
  ValueSink* object() override {
    if (field() == PutField::topologies) return &lists_.topologies;
    if (field() == PutField::network) return lists_.network.start();
    return ObjectSink::object();
  }
  ValueSink* array() override {
    switch (field()) {
      case PutField::groups: return &lists_.groups;
      case PutField::reservations: return &lists_.reservations;
      case PutField::queues: return &lists_.queues;
      case PutField::nodes: return &lists_.nodes;
      case PutField::jobs: return &lists_.jobs;
      default: return ObjectSink::array();
    }
  }

  SiteFields* site() override { return &ignored_; }

 private:
  Lists lists_;
  SiteFields ignored_;
};

// `remove`: a list of ids for each kind.
class RemoveSink final : public ObjectSink<Kind, 7> {
 public:
  RemoveSink(Reading& reading, ModelEdit& edit)
      : ObjectSink(reading, kRemoveFields), list_(reading, edit, *this) {}
  void scalar(const Scalar& value) override {
    if (!value.is_null()) reading_.fail_type("a list of ids", value);
  }
  ValueSink* array() override { return &list_; }
  SiteFields* site() override { return &ignored_; }

 private:
  class ListSink final : public ValueSink {
   public:
    ListSink(Reading& reading, ModelEdit& edit, RemoveSink& owner)
        : ValueSink(reading), edit_(edit), owner_(owner) {}
    void scalar(const Scalar& value) override {
      if (value.kind != Scalar::Kind::text) return reading_.fail_type("an id", value);
      edit_.remove(owner_.field(), value.text);
    }

   private:
    ModelEdit& edit_;
    RemoveSink& owner_;
  };
  friend class ListSink;
  ListSink list_;
  SiteFields ignored_;
};

class ChangesSink final : public ObjectSink<ChangesField, 4> {
 public:
  ChangesSink(Reading& reading, ModelEdit& edit)
      : ObjectSink(reading, kChangesFields), edit_(edit), put_(reading, edit), remove_(reading, edit) {}
  void scalar(const Scalar& value) override {
    if (field() == ChangesField::format) return check_format(reading_, value, kChangesFormat);
    if (field() == ChangesField::now) {
      Time now = kNoTime;
      reading_.read_time(value, now);
      return edit_.set_now(now);
    }
    if (!value.is_null()) reading_.fail_type("an object", value);
  }
  ValueSink* object() override {
    if (field() == ChangesField::put) return &put_;
    if (field() == ChangesField::remove) return &remove_;
    return ObjectSink::object();
  }
  void end() override { require_fields(); }
  SiteFields* site() override { return &ignored_; }

 private:
  ModelEdit& edit_;
  PutSink put_;
  RemoveSink remove_;
  SiteFields ignored_;  // a change is an event: its own site fields are not part of the model
};

}  // namespace

bool read_cluster(std::string_view text, ModelEdit& edit) {
  Reading reading(edit.problems());
  ClusterSink root(reading, edit);
  return parse_document(text, edit.limits(), reading, root);
}

bool read_changes(std::string_view text, ModelEdit& edit) {
  Reading reading(edit.problems());
  ChangesSink root(reading, edit);
  return parse_document(text, edit.limits(), reading, root);
}

}  // namespace cede
