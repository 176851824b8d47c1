// SPDX-License-Identifier: MIT
// Canonical encodings of the two interned structures. They never leave the process. Equal values have equal
// bytes, and different values have different bytes.
#include <type_traits>

#include "model/model.h"

namespace cede {

namespace {

class Encoder {
 public:
  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>) Encoder& operator<<(Number number) {
    auto left = static_cast<std::uint64_t>(number);
    for (int i = 0; i < 8; ++i, left >>= 8) bytes_.push_back(static_cast<char>(left & 0xFF));
    return *this;
  }
  Encoder& operator<<(const std::string& text) {
    *this << text.size();
    bytes_ += text;
    return *this;
  }
  template <class First, class Second>
  Encoder& operator<<(const std::pair<First, Second>& pair) {
    return *this << pair.first << pair.second;
  }
  template <class Item>
  Encoder& operator<<(const std::vector<Item>& items) {
    *this << items.size();
    for (const Item& item : items) *this << item;
    return *this;
  }
  Encoder& operator<<(const std::array<std::uint8_t, 2>& pair) { return *this << pair[0] << pair[1]; }
  Encoder& operator<<(const NodeClass::Device& d) { return *this << d.model << d.parent; }
  Encoder& operator<<(const NodeClass::LinkGroup& l) { return *this << l.link << l.devices << l.lanes; }
  Encoder& operator<<(const NodeClass::Nic& n) { return *this << n.name << n.near << n.level; }
  Encoder& operator<<(const Bounds& b) { return *this << b.min << b.max; }
  Encoder& operator<<(const GpuRequirement& n) { return *this << n.scope << n.level << n.mode << n.strength; }
  Encoder& operator<<(const NetworkRequirement& n) {
    return *this << n.level << n.max_domains << n.segment << n.consolidate << n.spread << n.expires
                 << n.strength;
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace

std::string encode_class(const NodeClass& c) {
  Encoder out;
  out << c.devices << c.numa << c.sockets << c.pcie << c.host_bridges << c.cores << c.links << c.links_known
      << c.nics << c.nics_known << c.degraded;
  return out.take();
}

std::string encode_requirement(const Requirement& r) {
  Encoder out;
  out << r.nodes << r.tasks_per_node << r.gpu_models << r.uniform_model << r.gpus;
  out << r.nic.given << r.nic.level << r.nic.per_gpu << r.nic.strength << r.cpu_numa << r.network;
  out << r.exclusive << r.exclusive_level;
  out << r.conformance.mode << r.conformance.scope << r.conformance.components << r.conformance.max_age
      << r.conformance.baseline;
  out << r.placement << r.hosts.include << r.hosts.exclude << r.hosts.labels << r.site_fields;
  return out.take();
}

}  // namespace cede
