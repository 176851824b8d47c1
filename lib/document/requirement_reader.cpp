// SPDX-License-Identifier: MIT
#include "document/requirement_reader.h"

#include <algorithm>

#include "base/text.h"
#include "document/reading.h"
#include "document/requirement_fields.h"

namespace cede {

namespace {

constexpr std::uint8_t kFirstNicLevel = static_cast<std::uint8_t>(GpuLevel::pcie);
constexpr std::size_t kMaxEntries = 16;  // of `gpus` and of `network`

// A nested object of `require`. Its `x-` fields are kept with those of the requirement.
template <class FieldEnum, std::size_t kCount>
class PartSink : public ObjectSink<FieldEnum, kCount> {
 public:
  PartSink(Reading& reading, const Fields<FieldEnum, kCount>& fields, std::string_view name)
      : ObjectSink<FieldEnum, kCount>(reading, fields), name_(name) {}
  SiteFields* site() override { return &requirement_->site_fields; }
  std::string site_prefix() const override {
    return std::string(name_) + (numbered_ ? '/' + std::to_string(number_) : std::string{}) + '/';
  }

 protected:
  void start_in(Requirement& requirement) {
    requirement_ = &requirement;
    ObjectSink<FieldEnum, kCount>::start();
  }
  void start_numbered(Requirement& requirement, std::size_t number) {
    numbered_ = true;
    number_ = number;
    start_in(requirement);
  }
  Requirement* requirement_ = nullptr;

 private:
  std::string_view name_;
  bool numbered_ = false;
  std::size_t number_ = 0;
};

class BoundsSink final : public PartSink<BoundsField, 2> {
 public:
  BoundsSink(Reading& reading, std::string_view name) : PartSink(reading, kBoundsFields, name) {}
  ValueSink* start(Requirement& requirement, Bounds& out) {
    start_in(requirement);
    out_ = &out;
    return this;
  }
  void scalar(const Scalar& value) override {
    reading_.read_integer(value, spec(), field() == BoundsField::min ? out_->min : out_->max);
  }
  void end() override {
    if (out_->min > out_->max) {
      reading_.fail_member("min",
                           std::to_string(out_->min) + " is more than 'max', " + std::to_string(out_->max));
    }
  }

 private:
  Bounds* out_ = nullptr;
};

class GpuSink final : public PartSink<GpuField, 4> {
 public:
  explicit GpuSink(Reading& reading) : PartSink(reading, kGpuFields, "gpus") {}
  ValueSink* start(Requirement& requirement) {
    start_numbered(requirement, requirement.gpus.size());
    requirement.gpus.emplace_back();
    return this;
  }
  void scalar(const Scalar& value) override {
    GpuRequirement& need = requirement_->gpus.back();
    switch (field()) {
      case GpuField::scope: return reading_.read_word(value, spec(), need.scope);
      case GpuField::level: return reading_.read_word(value, spec(), need.level);
      case GpuField::mode: return reading_.read_word(value, spec(), need.mode);
      case GpuField::strength: return reading_.read_word(value, spec(), need.strength);
    }
  }
  void end() override { require_fields(); }
};

class NicNeedSink final : public PartSink<NicNeedField, 3> {
 public:
  explicit NicNeedSink(Reading& reading) : PartSink(reading, kNicNeedFields, "nic") {}
  ValueSink* start(Requirement& requirement) {
    start_in(requirement);
    requirement.nic.given = true;
    return this;
  }
  void scalar(const Scalar& value) override {
    NicRequirement& need = requirement_->nic;
    switch (field()) {
      case NicNeedField::level: {
        std::uint8_t level = static_cast<std::uint8_t>(need.level) - kFirstNicLevel;
        reading_.read_word(value, spec(), level);
        need.level = static_cast<GpuLevel>(level + kFirstNicLevel);
        return;
      }
      case NicNeedField::per_gpu: return reading_.read(value, need.per_gpu);
      case NicNeedField::strength: return reading_.read_word(value, spec(), need.strength);
    }
  }
};

class CpuSink final : public PartSink<CpuField, 1> {
 public:
  explicit CpuSink(Reading& reading) : PartSink(reading, kCpuFields, "cpu") {}
  ValueSink* start(Requirement& requirement) {
    start_in(requirement);
    return this;
  }
  void scalar(const Scalar& value) override { reading_.read_word(value, spec(), requirement_->cpu_numa); }
};

class NetworkNeedSink final : public PartSink<NetworkNeedField, 7> {
 public:
  explicit NetworkNeedSink(Reading& reading) : PartSink(reading, kNetworkNeedFields, "network") {}
  ValueSink* start(Requirement& requirement) {
    start_numbered(requirement, requirement.network.size());
    requirement.network.emplace_back();
    return this;
  }
  void scalar(const Scalar& value) override {
    NetworkRequirement& need = requirement_->network.back();
    switch (field()) {
      case NetworkNeedField::level: return reading_.read_text(value, need.level);
      case NetworkNeedField::max_domains: return reading_.read_integer(value, spec(), need.max_domains);
      case NetworkNeedField::segment: return reading_.read_integer(value, spec(), need.segment);
      case NetworkNeedField::consolidate: return reading_.read_text(value, need.consolidate);
      case NetworkNeedField::spread: return reading_.read(value, need.spread);
      case NetworkNeedField::expires: return reading_.read_duration(value, need.expires);
      case NetworkNeedField::strength: return reading_.read_word(value, spec(), need.strength);
    }
  }
  void end() override {
    NetworkRequirement& need = requirement_->network.back();
    require_fields();
    if (need.segment > 0 && !saw(NetworkNeedField::max_domains)) need.max_domains = kNoBound;
    if (need.segment == 0 && !need.consolidate.empty()) {
      reading_.fail_member("consolidate", "says where segments go together, and 'segment' is not given");
    }
    if (need.segment == 0 && need.spread) {
      reading_.fail_member("spread", "says where segments go apart, and 'segment' is not given");
    }
  }
};

class ConformanceSink final : public PartSink<ConformanceField, 5> {
 public:
  ConformanceSink(Reading& reading, const Limits& limits)
      : PartSink(reading, kConformanceFields, "conformance"),
        texts_(reading, limits),
        pairs_(reading, limits) {}
  ValueSink* start(Requirement& requirement) {
    start_in(requirement);
    return this;
  }
  void scalar(const Scalar& value) override {
    ConformanceRequirement& need = requirement_->conformance;
    switch (field()) {
      case ConformanceField::mode: return reading_.read_word(value, spec(), need.mode);
      case ConformanceField::scope: return reading_.read_word(value, spec(), need.scope);
      case ConformanceField::max_age: return reading_.read_duration(value, need.max_age);
      case ConformanceField::components:
        if (!value.is_null()) reading_.fail_type("a list of components", value);
        return;
      case ConformanceField::baseline:
        if (!value.is_null()) reading_.fail_type("an object of components", value);
        return;
    }
  }
  ValueSink* array() override {
    return field() == ConformanceField::components ? texts_.start(requirement_->conformance.components)
                                                   : PartSink::array();
  }
  ValueSink* object() override {
    return field() == ConformanceField::baseline ? pairs_.start(requirement_->conformance.baseline)
                                                 : PartSink::object();
  }
  void end() override {
    ConformanceRequirement& need = requirement_->conformance;
    std::sort(need.components.begin(), need.components.end());
    if (need.mode == ConformanceMode::baseline && need.baseline.empty()) {
      reading_.fail_member("baseline", "missing; mode 'baseline' compares with it");
    }
    if (need.mode != ConformanceMode::baseline && !need.baseline.empty()) {
      reading_.fail_member("baseline", "given, but 'mode' is not 'baseline'");
    }
  }

 private:
  TextListSink texts_;
  PairsSink pairs_;
};

class HostSink final : public PartSink<HostField, 3> {
 public:
  HostSink(Reading& reading, const Limits& limits)
      : PartSink(reading, kHostFields, "hosts"), texts_(reading, limits), pairs_(reading, limits) {}
  ValueSink* start(Requirement& requirement) {
    start_in(requirement);
    return this;
  }
  void scalar(const Scalar& value) override {
    if (!value.is_null())
      reading_.fail_type(field() == HostField::labels ? "an object" : "a list of nodes", value);
  }
  ValueSink* array() override {
    if (field() == HostField::labels) return PartSink::array();
    return texts_.start(field() == HostField::include ? requirement_->hosts.include
                                                      : requirement_->hosts.exclude);
  }
  ValueSink* object() override {
    return field() == HostField::labels ? pairs_.start(requirement_->hosts.labels) : PartSink::object();
  }
  void end() override {
    std::sort(requirement_->hosts.include.begin(), requirement_->hosts.include.end());
    std::sort(requirement_->hosts.exclude.begin(), requirement_->hosts.exclude.end());
  }

 private:
  TextListSink texts_;
  PairsSink pairs_;
};

// `gpus` and `network`: short lists of objects.
template <class Item>
class ShortListSink final : public ValueSink {
 public:
  explicit ShortListSink(Reading& reading) : ValueSink(reading), item_(reading) {}
  ValueSink* start(Requirement& requirement) {
    requirement_ = &requirement;
    count_ = 0;
    return this;
  }
  ValueSink* object() override {
    if (++count_ <= kMaxEntries) return item_.start(*requirement_);
    reading_.fail("more than " + std::to_string(kMaxEntries) + " entries", Status::limit);
    return nullptr;
  }

 private:
  Item item_;
  Requirement* requirement_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace

struct RequirementSink::Parts {
  Parts(Reading& reading, const Limits& limits)
      : nodes(reading, "nodes"),
        tasks_per_node(reading, "tasks_per_node"),
        models(reading, limits),
        gpus(reading),
        nic(reading),
        cpu(reading),
        network(reading),
        conformance(reading, limits),
        hosts(reading, limits) {}
  RequirementField field{};
  std::uint64_t seen = 0;
  Requirement requirement;
  BoundsSink nodes;
  BoundsSink tasks_per_node;
  TextListSink models;
  ShortListSink<GpuSink> gpus;
  NicNeedSink nic;
  CpuSink cpu;
  ShortListSink<NetworkNeedSink> network;
  ConformanceSink conformance;
  HostSink hosts;
};

RequirementSink::RequirementSink(Reading& reading, ModelEdit& edit)
    : ValueSink(reading), edit_(edit), parts_(std::make_unique<Parts>(reading, edit.limits())) {}
RequirementSink::~RequirementSink() = default;

ValueSink* RequirementSink::start(RequirementId& out) {
  out_ = &out;
  parts_->seen = 0;
  parts_->requirement = {};
  return this;
}

SiteFields* RequirementSink::site() { return &parts_->requirement.site_fields; }

bool RequirementSink::key(std::string_view key) {
  return enter_field(reading_, kRequirementFields, key, parts_->seen, parts_->field);
}

void RequirementSink::scalar(const Scalar& value) {
  Requirement& r = parts_->requirement;
  const FieldSpec& spec = kRequirementFields[parts_->field];
  switch (parts_->field) {
    case RequirementField::gpu_model:
      if (!value.is_null()) reading_.read_text(value, r.gpu_models.emplace_back());
      return;
    case RequirementField::uniform_model: return reading_.read_word(value, spec, r.uniform_model);
    case RequirementField::placement: return reading_.read_word(value, spec, r.placement);
    case RequirementField::exclusive:
      if (value.kind == Scalar::Kind::text && value.text.starts_with("domain:") && value.text.size() > 7) {
        r.exclusive = Exclusive::domain;
        r.exclusive_level = value.text.substr(7);
        return;
      }
      if (value.kind == Scalar::Kind::text && !from_word<Exclusive>(value.text, kExclusiveWords)) {
        return reading_.fail(quote(value.text) + " is not none, node, user or domain:LEVEL");
      }
      return reading_.read_word(value, kExclusiveWords, r.exclusive);
    case RequirementField::gpus:
    case RequirementField::network:
      if (!value.is_null()) reading_.fail_type("a list", value);
      return;
    default:
      if (!value.is_null()) reading_.fail_type("an object", value);
  }
}

ValueSink* RequirementSink::object() {
  Parts& p = *parts_;
  switch (p.field) {
    case RequirementField::nodes: return p.nodes.start(p.requirement, p.requirement.nodes);
    case RequirementField::tasks_per_node:
      return p.tasks_per_node.start(p.requirement, p.requirement.tasks_per_node);
    case RequirementField::nic: return p.nic.start(p.requirement);
    case RequirementField::cpu: return p.cpu.start(p.requirement);
    case RequirementField::conformance: return p.conformance.start(p.requirement);
    case RequirementField::hosts: return p.hosts.start(p.requirement);
    default: return ValueSink::object();
  }
}

ValueSink* RequirementSink::array() {
  Parts& p = *parts_;
  switch (p.field) {
    case RequirementField::gpu_model: return p.models.start(p.requirement.gpu_models);
    case RequirementField::gpus: return p.gpus.start(p.requirement);
    case RequirementField::network: return p.network.start(p.requirement);
    default: return ValueSink::array();
  }
}

void RequirementSink::end() {
  Requirement& r = parts_->requirement;
  std::sort(r.gpu_models.begin(), r.gpu_models.end());
  *out_ = r == Requirement{} ? RequirementId{} : edit_.intern_requirement(r);
}

}  // namespace cede
