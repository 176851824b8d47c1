// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "document/reading.h"
#include "model/edit.h"

namespace cede {

// A list of lists of device indexes: `[[0,1],[2,3]]`.
class MaskListSink final : public ValueSink {
 public:
  explicit MaskListSink(Reading& reading) : ValueSink(reading), devices_(reading) {}
  ValueSink* start(std::vector<DeviceMask>& out);
  ValueSink* array() override;

 private:
  DeviceListSink devices_;
  std::vector<DeviceMask>* out_ = nullptr;
  DeviceMask unwanted_ = 0;
};

// One entry of `topologies`: the compact form of a node class, or the XML of hwloc or NCCL.
class TopologySink final : public ValueSink {
 public:
  TopologySink(Reading& reading, ModelEdit& edit);
  ~TopologySink() override;
  ValueSink* start(NameId name);
  bool key(std::string_view key) override;
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  ValueSink* array() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  struct Parts;
  void check_partition(std::string_view member, std::vector<DeviceMask>& masks, DeviceMask all);
  void check(DeviceMask all);

  ModelEdit& edit_;
  TopologyDraft draft_;
  std::map<std::string, NodeClass, std::less<>> imported_;  // by XML
  SiteFields site_;
  std::unique_ptr<Parts> parts_;
};

// `topologies`: an object that maps names to topologies.
class TopologiesSink final : public ValueSink {
 public:
  TopologiesSink(Reading& reading, ModelEdit& edit)
      : ValueSink(reading), edit_(edit), topology_(reading, edit) {}
  bool key(std::string_view key) override;
  ValueSink* object() override { return topology_.start(name_); }

 private:
  ModelEdit& edit_;
  TopologySink topology_;
  NameId name_ = kNoName;
};

}  // namespace cede
