// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/intern_table.h"
#include "document/value_sink.h"
#include "model/edit.h"
#include "model/node_class.h"

namespace cede {

// A list whose elements are all objects, each read by one restarted `item`.
template <class Item>
class ObjectListSink final : public ValueSink {
 public:
  ObjectListSink(Reading& reading, Item& item) : ValueSink(reading), item_(item) {}
  ValueSink* object() override { return item_.start(); }

 private:
  Item& item_;
};

// A list of names, interned.
class NameListSink final : public ValueSink {
 public:
  NameListSink(Reading& reading, const Limits& limits) : ValueSink(reading), limits_(limits) {}
  ValueSink* start(InternTable& table, std::vector<NameId>& out);
  void scalar(const Scalar& value) override;

 private:
  const Limits& limits_;
  InternTable* table_ = nullptr;
  std::vector<NameId>* out_ = nullptr;
};

// A list of texts, each a name.
class TextListSink final : public ValueSink {
 public:
  TextListSink(Reading& reading, const Limits& limits) : ValueSink(reading), limits_(limits) {}
  ValueSink* start(std::vector<std::string>& out);
  void scalar(const Scalar& value) override;

 private:
  const Limits& limits_;
  std::vector<std::string>* out_ = nullptr;
};

// An object whose keys are the user's: names to texts, sorted by name at the end.
class PairsSink final : public ValueSink {
 public:
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  PairsSink(Reading& reading, const Limits& limits) : ValueSink(reading), limits_(limits) {}
  ValueSink* start(Pairs& out);
  bool key(std::string_view key) override;
  void scalar(const Scalar& value) override;
  void end() override;

 private:
  const Limits& limits_;
  Pairs* out_ = nullptr;
  std::string key_;
};

// An object of resource names to amounts, interned as a shape. Limits keep explicit zeros, which forbid.
class ResourceSink final : public ValueSink {
 public:
  ResourceSink(Reading& reading, ModelEdit& edit, bool keep_zeros)
      : ValueSink(reading), edit_(edit), keep_zeros_(keep_zeros) {}
  ValueSink* start(ShapeId& out);
  bool key(std::string_view key) override;
  void scalar(const Scalar& value) override;
  void end() override;

 private:
  ModelEdit& edit_;
  const bool keep_zeros_;
  ShapeId* out_ = nullptr;
  std::uint32_t resource_ = 0;
  std::vector<ResourceAmount> entries_;
  // The keys of the object before, by position: documents repeat them object after object.
  std::vector<std::pair<std::string, std::uint32_t>> last_keys_;
  bool look_up(std::string_view key);
};

// A list of device indexes as a mask.
class DeviceListSink final : public ValueSink {
 public:
  using ValueSink::ValueSink;
  // Indexes must be below `bound`.
  ValueSink* start(DeviceMask& out, std::uint32_t bound);
  void scalar(const Scalar& value) override;

 private:
  DeviceMask* out_ = nullptr;
  std::uint32_t bound_ = kMaxDevices;
};

}  // namespace cede
