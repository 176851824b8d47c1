// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "document/cluster_fields.h"
#include "document/policy_reader.h"
#include "document/reading.h"
#include "model/edit.h"

namespace cede {

// Readers for `network` and for one entry each of `groups`, `reservations`, `queues` and `nodes`. Each fills
// a draft and puts it when its object closes. An object without a usable id only keeps its place in the
// numbering.

class GroupSink final : public ObjectSink<GroupField, 3> {
 public:
  GroupSink(Reading& reading, ModelEdit& edit);
  ValueSink* start();
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  ModelEdit& edit_;
  GroupDraft draft_;
  SiteFields site_;
  ResourceSink resources_;
};

class ReservationSink final : public ObjectSink<ReservationField, 5> {
 public:
  ReservationSink(Reading& reading, ModelEdit& edit);
  ValueSink* start();
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  ValueSink* array() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  class ForSink;
  friend class ForSink;
  ModelEdit& edit_;
  ReservationDraft draft_;
  SiteFields site_;
  NameListSink nodes_;
  std::unique_ptr<ValueSink> for_;
};

class QueueSink final : public ObjectSink<QueueField, 10> {
 public:
  QueueSink(Reading& reading, ModelEdit& edit);
  ValueSink* start();
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  class PreemptionSink;
  friend class PreemptionSink;
  ModelEdit& edit_;
  QueueDraft draft_;
  SiteFields site_;
  SettingValues values_;
  ResourceSink guaranteed_;
  ResourceSink max_;
  SettingsSink settings_;
  std::unique_ptr<ValueSink> preemption_;
};

class NodeSink final : public ObjectSink<NodeField, 11> {
 public:
  NodeSink(Reading& reading, ModelEdit& edit);
  ValueSink* start();
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  ValueSink* array() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  BlobId intern_pairs(const PairsSink::Pairs& pairs);

  ModelEdit& edit_;
  NodeDraft draft_;
  SiteFields site_;
  ResourceSink resources_;
  NameListSink network_;
  PairsSink pairs_;
  PairsSink::Pairs labels_;
  PairsSink::Pairs fingerprint_;
};

class NetworkSink final : public ObjectSink<NetworkField, 4> {
 public:
  // Changes may contain domains, but only a cluster document sets the levels.
  NetworkSink(Reading& reading, ModelEdit& edit, bool with_levels);
  ~NetworkSink() override;
  ValueSink* start();
  void scalar(const Scalar& value) override;
  ValueSink* array() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  class DomainSink;
  void read_slurm(const Scalar& value);

  ModelEdit& edit_;
  const bool with_levels_;
  SiteFields site_;
  std::vector<NameId> levels_;
  bool imported_ = false;
  NetworkDescription network_;
  NameListSink names_;
  std::unique_ptr<DomainSink> domain_;
  std::unique_ptr<ValueSink> domains_;
};

}  // namespace cede
