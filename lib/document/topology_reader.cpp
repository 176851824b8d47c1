// SPDX-License-Identifier: MIT
#include "document/topology_reader.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

#include "base/bits.h"
#include "base/text.h"
#include "document/json_writer.h"
#include "document/topology_fields.h"
#include "topology/import/hwloc_import.h"
#include "topology/import/nccl_import.h"

namespace cede {

namespace {

constexpr std::array<LinkClass, 3> kNicLevelClasses{LinkClass::pcie, LinkClass::numa, LinkClass::socket};

class NicSink final : public ObjectSink<NicField, 3> {
 public:
  NicSink(Reading& reading, SiteFields& site)
      : ObjectSink(reading, kNicFields), devices_(reading), site_(site) {}
  ValueSink* start(std::vector<NodeClass::Nic>& out) {
    ObjectSink::start();
    out_ = &out;
    index_ = out.size();
    out.emplace_back();
    return this;
  }
  void scalar(const Scalar& value) override {
    NodeClass::Nic& nic = (*out_)[index_];
    if (field() == NicField::name) return reading_.read_text(value, nic.name);
    if (field() == NicField::near) return reading_.fail_type("a list of devices", value);
    std::uint8_t level = 0;
    reading_.read_word(value, spec(), level);
    nic.level = kNicLevelClasses[level];
  }
  ValueSink* array() override {
    if (field() != NicField::near) return ObjectSink::array();
    return devices_.start((*out_)[index_].near, kMaxDevices);
  }
  SiteFields* site() override { return &site_; }
  std::string site_prefix() const override { return "nics/" + std::to_string(index_) + '/'; }

 private:
  DeviceListSink devices_;
  SiteFields& site_;
  std::vector<NodeClass::Nic>* out_ = nullptr;
  std::size_t index_ = 0;
};

class NicListSink final : public ValueSink {
 public:
  NicListSink(Reading& reading, SiteFields& site) : ValueSink(reading), nic_(reading, site) {}
  ValueSink* start(std::vector<NodeClass::Nic>& out) {
    out_ = &out;
    return this;
  }
  ValueSink* object() override {
    if (out_->size() >= kMaxDevices) {
      reading_.fail("more than " + std::to_string(kMaxDevices) + " NICs", Status::limit);
      return nullptr;
    }
    return nic_.start(*out_);
  }

 private:
  NicSink nic_;
  std::vector<NodeClass::Nic>* out_ = nullptr;
};

// A list of links of one class: `[0,1,2]`, or `{"devices": [0,1], "lanes": 4}` if the number of links is
// known.
class LinkListSink final : public ObjectSink<LinkField, 2> {
 public:
  LinkListSink(Reading& reading, SiteFields& site)
      : ObjectSink(reading, kLinkFields), list_(*this), devices_(reading), site_(site) {}
  ValueSink* start_list(std::vector<NodeClass::LinkGroup>& out, LinkClass link) {
    out_ = &out;
    link_ = link;
    return &list_;
  }
  void scalar(const Scalar& value) override {
    if (field() != LinkField::lanes) return reading_.fail_type("a list of devices", value);
    reading_.read_integer(value, spec(), out_->back().lanes);
  }
  ValueSink* array() override {
    if (field() != LinkField::devices) return ObjectSink::array();
    return devices_.start(out_->back().devices, kMaxDevices);
  }

  void end() override { move_site_fields(own_site_, link_site_prefix(out_->back()), site_); }
  SiteFields* site() override { return &own_site_; }

 private:
  class ListSink final : public ValueSink {
   public:
    explicit ListSink(LinkListSink& owner) : ValueSink(owner.reading_), owner_(owner) {}
    ValueSink* object() override {
      if (!add()) return nullptr;
      owner_.ObjectSink::start();
      owner_.own_site_.clear();
      return &owner_;
    }
    ValueSink* array() override {
      if (!add()) return nullptr;
      return owner_.devices_.start(owner_.out_->back().devices, kMaxDevices);
    }

   private:
    bool add() {
      if (owner_.out_->size() >= 4096) {
        reading_.fail("more than 4096 links", Status::limit);
        return false;
      }
      owner_.out_->push_back({owner_.link_, 0, 0});
      return true;
    }
    LinkListSink& owner_;
  };

  ListSink list_;
  DeviceListSink devices_;
  SiteFields& site_;
  SiteFields own_site_;  // of the current object; its devices may come last
  std::vector<NodeClass::LinkGroup>* out_ = nullptr;
  LinkClass link_ = LinkClass::nvl;
};

// `links`: an object that maps link classes to lists.
class LinksSink final : public ValueSink {
 public:
  LinksSink(Reading& reading, SiteFields& site) : ValueSink(reading), list_(reading, site), site_(site) {}
  SiteFields* site() override { return &site_; }
  std::string site_prefix() const override { return "links/"; }
  ValueSink* start(std::vector<NodeClass::LinkGroup>& out) {
    out_ = &out;
    seen_ = 0;
    return this;
  }
  bool key(std::string_view key) override {
    // NVIDIA's tools have two names for this class.
    if (key == "pix" || key == "pxb") key = "pcie";
    const auto link = from_word<LinkClass>(key, kLinkClasses);
    if (!link) {
      fail_unknown(reading_, key, kLinkClasses);
      return false;
    }
    const unsigned bit = 1u << static_cast<unsigned>(*link);
    if ((seen_ & bit) != 0) {
      fail_twice(reading_, key);
      return false;
    }
    seen_ |= bit;
    link_ = *link;
    return true;
  }
  ValueSink* array() override { return list_.start_list(*out_, link_); }

 private:
  LinkListSink list_;
  SiteFields& site_;
  std::vector<NodeClass::LinkGroup>* out_ = nullptr;
  LinkClass link_ = LinkClass::nvl;
  unsigned seen_ = 0;
};

// A list with one entry per device or NUMA node: texts, or numbers, with null for none.
class PerDeviceSink final : public ValueSink {
 public:
  using ValueSink::ValueSink;
  ValueSink* start_texts(std::vector<std::string>& out) {
    texts_ = &out;
    numbers_ = nullptr;
    return this;
  }
  ValueSink* start_numbers(std::vector<std::int64_t>& out, std::int64_t max) {
    texts_ = nullptr;
    numbers_ = &out;
    max_ = max;
    return this;
  }
  void scalar(const Scalar& value) override {
    if ((texts_ ? texts_->size() : numbers_->size()) >= 4096)
      return reading_.fail("too many entries", Status::limit);
    if (texts_) {
      reading_.read_text(value, texts_->emplace_back());
    } else {
      reading_.read_integer(value, 0, max_, numbers_->emplace_back(-1));
    }
  }

 private:
  std::vector<std::string>* texts_ = nullptr;
  std::vector<std::int64_t>* numbers_ = nullptr;
  std::int64_t max_ = 0;
};

}  // namespace

// Kept out of the header: the sinks of the fields and the values read so far.
struct TopologySink::Parts {
  Parts(Reading& reading, SiteFields& site)
      : masks(reading), nics(reading, site), links(reading, site), list(reading) {}
  TopologyField field{};
  std::uint64_t seen = 0;
  std::int64_t gpus = 0;
  std::vector<std::string> models;
  bool one_model = false;
  std::vector<std::string> pci;
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> cores;
  std::vector<DeviceMask> degraded;
  std::optional<bool> links_known;
  bool imported = false;
  MaskListSink masks;
  NicListSink nics;
  LinksSink links;
  PerDeviceSink list;

  bool saw(TopologyField f) const { return (seen >> static_cast<unsigned>(f) & 1) != 0; }
};

ValueSink* MaskListSink::start(std::vector<DeviceMask>& out) {
  out_ = &out;
  out_->clear();
  return this;
}

ValueSink* MaskListSink::array() {
  if (out_->size() >= 4096) {
    reading_.fail("more than 4096 entries", Status::limit);
    return devices_.start(unwanted_, kMaxDevices);
  }
  return devices_.start(out_->emplace_back(0), kMaxDevices);
}

TopologySink::TopologySink(Reading& reading, ModelEdit& edit)
    : ValueSink(reading), edit_(edit), parts_(std::make_unique<Parts>(reading, site_)) {}
TopologySink::~TopologySink() = default;

ValueSink* TopologySink::start(NameId name) {
  draft_ = {};
  draft_.row.name = name;
  site_.clear();
  Parts& p = *parts_;
  p.seen = 0;
  p.gpus = 0;
  p.models.clear();
  p.one_model = false;
  p.pci.clear();
  p.parents.clear();
  p.cores.clear();
  p.degraded.clear();
  p.links_known.reset();
  p.imported = false;
  return this;
}

bool TopologySink::key(std::string_view key) {
  return enter_field(reading_, kTopologyFields, key, parts_->seen, parts_->field);
}

void TopologySink::scalar(const Scalar& value) {
  Parts& p = *parts_;
  switch (p.field) {
    case TopologyField::gpus:
      if (value.is_null()) p.seen &= ~(std::uint64_t{1} << static_cast<unsigned>(TopologyField::gpus));
      return reading_.read_integer(value, kTopologyFields[p.field], p.gpus);
    case TopologyField::model:
      if (value.is_null()) return;
      p.one_model = true;
      return reading_.read_text(value, p.models.emplace_back());
    case TopologyField::links_known:
      if (!value.is_null()) reading_.read(value, p.links_known.emplace(true));
      return;
    case TopologyField::hwloc_xml:
    case TopologyField::nccl_xml: {
      if (value.kind != Scalar::Kind::text) return reading_.fail_type("a text", value);
      std::string why;
      p.imported = true;
      // Equal nodes often have the same text, so it is imported once.
      if (const auto known = imported_.find(value.text); known != imported_.end()) {
        draft_.node_class = known->second;
        return;
      }
      const auto import = p.field == TopologyField::hwloc_xml ? import_hwloc_xml : import_nccl_xml;
      if (!import(value.text, draft_.node_class, why)) return reading_.fail(std::move(why));
      imported_.emplace(value.text, draft_.node_class);
      return;
    }
    case TopologyField::hwloc_xml_file:
    case TopologyField::nccl_xml_file:
      return reading_.fail("the library reads no files; the cede command does, or give the text as '" +
                           std::string(p.field == TopologyField::hwloc_xml_file ? "hwloc_xml" : "nccl_xml") +
                           '\'');
    default:
      if (!value.is_null())
        reading_.fail_type(p.field == TopologyField::links ? "an object" : "a list", value);
  }
}

ValueSink* TopologySink::object() {
  if (parts_->field != TopologyField::links) return ValueSink::object();
  draft_.node_class.links_known = true;
  return parts_->links.start(draft_.node_class.links);
}

ValueSink* TopologySink::array() {
  Parts& p = *parts_;
  NodeClass& c = draft_.node_class;
  switch (p.field) {
    case TopologyField::model: return p.list.start_texts(p.models);
    case TopologyField::pci: return p.list.start_texts(p.pci);
    case TopologyField::parent: return p.list.start_numbers(p.parents, kMaxDevices - 1);
    case TopologyField::cores: return p.list.start_numbers(p.cores, 1'000'000);
    case TopologyField::numa: return p.masks.start(c.numa);
    case TopologyField::sockets: return p.masks.start(c.sockets);
    case TopologyField::pcie: return p.masks.start(c.pcie);
    case TopologyField::host_bridges: return p.masks.start(c.host_bridges);
    case TopologyField::degraded: return p.masks.start(p.degraded);
    case TopologyField::nics: c.nics_known = true; return p.nics.start(c.nics);
    default: return ValueSink::array();
  }
}

void TopologySink::check_partition(std::string_view member, std::vector<DeviceMask>& masks, DeviceMask all) {
  DeviceMask seen = 0;
  for (const DeviceMask mask : masks) {
    if ((mask & ~all) != 0) {
      reading_.fail_member(member,
                           "device " + std::to_string(std::countr_zero(mask & ~all)) + " is outside 'gpus'");
    } else if ((mask & seen) != 0) {
      reading_.fail_member(member,
                           "device " + std::to_string(std::countr_zero(mask & seen)) + " is listed twice");
    }
    seen |= mask;
  }
}

void TopologySink::check(DeviceMask all) {
  Parts& p = *parts_;
  NodeClass& c = draft_.node_class;
  check_partition("numa", c.numa, all);
  check_partition("sockets", c.sockets, all);
  check_partition("pcie", c.pcie, all);
  check_partition("host_bridges", c.host_bridges, all);
  const auto per_device = [&](std::string_view member, std::size_t size) {
    if (size != 0 && size != c.devices.size()) {
      reading_.fail_member(member, "has " + std::to_string(size) + " entries for " +
                                       std::to_string(c.devices.size()) + " gpus");
      return false;
    }
    return size != 0;
  };
  if (p.one_model) {
    for (NodeClass::Device& device : c.devices) device.model = p.models.front();
  } else if (per_device("model", p.models.size())) {
    for (std::size_t i = 0; i < c.devices.size(); ++i) c.devices[i].model = p.models[i];
  }
  if (per_device("pci", p.pci.size())) {
    for (std::size_t i = 0; i < c.devices.size(); ++i) c.devices[i].pci = p.pci[i];
  }
  if (per_device("parent", p.parents.size())) {
    for (std::size_t i = 0; i < c.devices.size(); ++i)
      c.devices[i].parent = static_cast<std::int16_t>(p.parents[i]);
  }
  if (!p.cores.empty() && p.cores.size() != c.numa.size()) {
    reading_.fail_member("cores", "has " + std::to_string(p.cores.size()) + " entries for " +
                                      std::to_string(c.numa.size()) + " NUMA nodes");
  }
  for (const std::int64_t cores : p.cores)
    c.cores.push_back(static_cast<std::uint32_t>(std::max<std::int64_t>(cores, 0)));
  if (p.links_known) c.links_known = *p.links_known;
  for (const NodeClass::LinkGroup& group : c.links) {
    if ((group.devices & ~all) != 0) reading_.fail_member("links", "names a device outside 'gpus'");
    if (count_bits(group.devices) < 2) reading_.fail_member("links", "a link joins at least two devices");
  }
  std::sort(c.links.begin(), c.links.end(), [](const NodeClass::LinkGroup& a, const NodeClass::LinkGroup& b) {
    return std::tie(a.link, a.devices, a.lanes) < std::tie(b.link, b.devices, b.lanes);
  });
  c.links.erase(std::unique(c.links.begin(), c.links.end()), c.links.end());
  for (const NodeClass::Nic& nic : c.nics) {
    if ((nic.near & ~all) != 0) reading_.fail_member("nics", "names a device outside 'gpus'");
  }
  for (const DeviceMask pair : p.degraded) {
    if (count_bits(pair) != 2 || (pair & ~all) != 0) {
      reading_.fail_member("degraded", "each entry is a pair of devices");
      continue;
    }
    const int low = std::countr_zero(pair);
    const int high = 63 - std::countl_zero(pair);
    c.degraded.push_back({static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)});
  }
  std::sort(c.degraded.begin(), c.degraded.end());
}

void TopologySink::end() {
  Parts& p = *parts_;
  if (p.imported) {
    if (count_bits(p.seen) > 1) {
      const std::string_view import = p.saw(TopologyField::hwloc_xml) ? "hwloc_xml" : "nccl_xml";
      reading_.fail(quote(import) + " says it all; no other field may stand beside it");
    }
  } else if (!p.saw(TopologyField::gpus)) {
    return reading_.fail_member("gpus",
                                "missing; a topology gives 'gpus' and more, 'hwloc_xml' or 'nccl_xml'");
  } else {
    draft_.node_class.devices.resize(static_cast<std::size_t>(p.gpus));
    check(p.gpus == kMaxDevices ? ~DeviceMask{0} : (DeviceMask{1} << p.gpus) - 1);
  }
  draft_.row.site = edit_.model().blobs.intern(site_);
  edit_.put(draft_);
}

bool TopologiesSink::key(std::string_view key) {
  std::string fault = name_fault(key);
  if (!fault.empty()) {
    reading_.fail_key(std::move(fault));
    return false;
  }
  name_ = edit_.model().names.intern(key);
  return true;
}

}  // namespace cede
