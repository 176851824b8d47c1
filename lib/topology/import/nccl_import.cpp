// SPDX-License-Identifier: MIT
#include "topology/import/nccl_import.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <vector>

#include "base/text.h"
#include "topology/import/hwloc_devices.h"
#include "topology/import/hwloc_import.h"
#include "topology/import/xml_objects.h"
#include "topology/import/xml_reader.h"

namespace cede {

namespace {

using Token = XmlReader::Token;
constexpr int kMaxNumaId = 255;

// Removes a hexadecimal number of at most `digits` digits from the front.
bool take_hex(std::string_view& text, std::size_t digits, std::uint32_t& out) {
  const char* const begin = text.data();
  const auto [at, error] = std::from_chars(begin, begin + std::min(digits, text.size()), out, 16);
  if (error != std::errc{} || at == begin) return false;
  text.remove_prefix(static_cast<std::size_t>(at - begin));
  return true;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// `0x030200`
bool parse_prefixed(std::string_view text, std::uint32_t& out) {
  if (!text.starts_with("0x")) return false;
  text.remove_prefix(2);
  return take_hex(text, 8, out) && text.empty();
}

class NcclReader {
 public:
  NcclReader(std::string_view xml, NcclTree& tree, std::string& why)
      : reader_(xml, "an NCCL topology"), tree_(tree), why_(why) {}

  bool read() {
    if (reader_.next() != Token::open) return fault();
    if (reader_.name() == "graphs")
      return fail("this is an NCCL graph; its topology is the file of <system>");
    if (reader_.name() != "system") {
      return fail("the outermost element is " + quote(reader_.name()) +
                  "; an NCCL topology starts with 'system'");
    }
    const std::string_view version = reader_.attribute("version");
    if (version.data() && version != "1" && version != "2")
      return fail("version " + quote(version) + " of NCCL XML is not read; 1 and 2 are");
    const bool good = each_child([this] { return reader_.name() == "cpu" ? read_cpu() : skip(); });
    return good && (reader_.next() == Token::end || fault());
  }

 private:
  bool fail(std::string text) const {
    why_ = std::move(text) + " (line " + std::to_string(reader_.line()) + ")";
    return false;
  }
  bool fault() const {
    why_ = reader_.why();
    return false;
  }

  // Calls read_child() at each element inside the one just opened. read_child() must leave the reader behind
  // that element.
  template <class ReadChild>
  bool each_child(ReadChild read_child) {
    for (;;) {
      switch (reader_.next()) {
        case Token::open:
          if (++elements_ > kMaxXmlObjects)
            return fail("there are more than " + std::to_string(kMaxXmlObjects) + " elements");
          if (!read_child()) return false;
          break;
        case Token::close: return true;
        case Token::text: return fail("text " + quote(reader_.text()) + " between elements");
        default: return fault();
      }
    }
  }
  bool skip() {
    return each_child([this] { return skip(); });
  }

  bool number(std::string_view name, std::uint64_t max, std::uint32_t& out) const {
    const std::string_view text = reader_.attribute(name);
    std::uint64_t value = 0;
    if (!parse_decimal(text, max, value)) {
      return fail(quote(reader_.name()) + " has " + std::string(name) + ' ' + quote(text) + ", outside 0.." +
                  std::to_string(max));
    }
    out = static_cast<std::uint32_t>(value);
    return true;
  }

  bool read_cpu() {
    const std::string_view text = reader_.attribute("numaid");
    std::uint32_t id = 0;
    int numa = -1;  // NCCL's own value for unknown
    if (text != "-1") {
      if (!number("numaid", kMaxNumaId, id)) return false;
      numa = static_cast<int>(id);
    }
    // A dump of a communicator over several machines joined by NVLink shows all of them.
    const std::string_view host = reader_.attribute("host_hash");
    if (host_.data() && host != host_) return fail("the file shows several machines; a topology is of one");
    if (host.data()) host_ = host;
    tree_.cpus.push_back(numa);
    return each_child([&] {
      if (reader_.name() == "pci") return read_pci(numa, tree_.pci.size());
      return reader_.name() == "nic" ? read_nic(numa, -1) : skip();
    });
  }

  bool read_pci(int numa, std::size_t top) {
    const std::size_t own = tree_.pci.size();
    NcclTree::Pci pci;
    pci.numa = numa;
    pci.top = top;
    pci.line = reader_.line();
    const std::string_view busid = reader_.attribute("busid");
    if (!parse_pci_address(busid, pci.address)) {
      return fail("pci has busid " + quote(busid) + "; it looks like '0000:3b:00.0'");
    }
    const std::string_view pci_class = reader_.attribute("class");
    if (pci_class.data() && !parse_prefixed(pci_class, pci.pci_class))
      return fail("pci " + quote(busid) + " has class " + quote(pci_class) + "; it looks like '0x030200'");
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    if (parse_prefixed(reader_.attribute("vendor"), vendor) && vendor <= 0xffff &&
        parse_prefixed(reader_.attribute("device"), device) && device <= 0xffff) {
      pci.id = {static_cast<std::uint16_t>(vendor), static_cast<std::uint16_t>(device)};
    }
    tree_.pci.push_back(pci);
    return each_child([&] {
      if (reader_.name() == "pci") {
        ++tree_.pci[own].below;
        return read_pci(numa, top);
      }
      if (reader_.name() == "gpu") return read_gpu(own);
      return reader_.name() == "nic" ? read_nic(numa, static_cast<int>(own)) : skip();
    });
  }

  bool read_gpu(std::size_t pci) {
    NcclTree::Gpu gpu;
    gpu.pci = pci;
    gpu.line = reader_.line();
    if (!number("dev", 65535, gpu.dev)) return false;
    ++tree_.pci[pci].gpus;
    const bool good = each_child([&] {
      if (reader_.name() != "nvlink" && reader_.name() != "xgmi") return skip();
      NcclTree::Link link;
      if (!number("count", 65535, link.count)) return false;
      const std::string_view target_class = reader_.attribute("tclass");
      if (target_class.data() && !parse_prefixed(target_class, link.target_class))
        return fail("a link has tclass " + quote(target_class) + "; it looks like '0x068000'");
      // Inside a virtual machine the address of a switch is made up.
      parse_pci_address(reader_.attribute("target"), link.target);
      gpu.links.push_back(link);
      return skip();
    });
    tree_.gpus.push_back(std::move(gpu));
    return good;
  }

  bool read_nic(int numa, int pci) {
    return each_child([&] {
      if (reader_.name() == "net") {
        const std::string_view name = reader_.attribute("name");
        const bool usable =
            name.data() && name.find('&') == std::string_view::npos && name_fault(name).empty();
        tree_.nets.push_back({usable ? std::string(name) : std::string(), pci, numa});
      }
      return skip();
    });
  }

  XmlReader reader_;
  NcclTree& tree_;
  std::string& why_;
  std::string_view host_;
  std::size_t elements_ = 1;
};

}  // namespace

bool parse_pci_address(std::string_view text, PciAddress& out) {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;
  const bool good = take_hex(text, 8, domain) && take(text, ':') && take_hex(text, 2, bus) &&
                    take(text, ':') && take_hex(text, 2, device) && take(text, '.') &&
                    take_hex(text, 1, function) && text.empty();
  if (good) {
    out = {domain, static_cast<std::uint8_t>(bus), static_cast<std::uint8_t>(device),
           static_cast<std::uint8_t>(function)};
  }
  return good;
}

std::string to_string(const PciAddress& address) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%x", unsigned{address.domain},
                unsigned{address.bus}, unsigned{address.device}, unsigned{address.function});
  return text.data();
}

bool read_nccl_tree(std::string_view xml, NcclTree& out, std::string& why) {
  out = {};
  if (xml.size() > kMaxXmlBytes) {
    why = "the text has " + std::to_string(xml.size()) + " bytes; at most " + std::to_string(kMaxXmlBytes) +
          " are read";
    return false;
  }
  if (!is_utf8(xml)) {
    why = "the text is not UTF-8";
    return false;
  }
  return NcclReader(xml, out, why).read();
}

namespace {

constexpr std::uint32_t kSwitchClass = 0x068000;
constexpr std::uint32_t kProcessorClass = 0x068001;

// NCCL counts every device of class 0x03 as a GPU. Devices whose PCI numbers say otherwise are left out.
bool is_gpu(const NcclTree::Pci& pci) {
  const std::uint32_t kind = pci.pci_class >> 16;
  if (kind != 0x03 && kind != 0x12) return false;
  return pci.id == PciId{} || is_gpu_by_number(pci.id, static_cast<std::uint16_t>(pci.pci_class >> 8));
}

std::string model_of(PciId id) {
  if (id == PciId{}) return {};
  if (const std::string_view known = known_model(id); !known.empty()) return std::string(known);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "0000:0000";
  for (std::size_t i = 0; i < 4; ++i) {
    text[3 - i] = kDigits[id.vendor >> 4 * i & 15];
    text[8 - i] = kDigits[id.device >> 4 * i & 15];
  }
  return text;
}

// A device that will become part of the class.
struct Device {
  std::size_t pci = 0;
  const NcclTree::Gpu* gpu = nullptr;  // null: only its class identifies it as a GPU
};

class Import {
 public:
  Import(const NcclTree& tree, std::string& why) : tree_(tree), why_(why) {}

  bool run(NodeClass& out) {
    if (!check_addresses()) return false;
    if (!(tree_.gpus.empty() ? find_by_class() : find_by_number())) return false;
    if (devices_.size() > kMaxDevices) {
      return fail("the machine has " + std::to_string(devices_.size()) + " devices; at most " +
                  std::to_string(kMaxDevices) + " are supported");
    }
    describe_devices();
    group_places();
    read_links();
    read_nics();
    if (result_.nics.size() > kMaxNics) {
      return fail("the machine has " + std::to_string(result_.nics.size()) + " network adapters; at most " +
                  std::to_string(kMaxNics) + " are supported");
    }
    out = std::move(result_);
    return true;
  }

 private:
  bool fail(std::string text) {
    why_ = std::move(text);
    return false;
  }
  static std::string at(std::uint32_t line) { return " (line " + std::to_string(line) + ")"; }
  const NcclTree::Pci& pci_of(const Device& device) const { return tree_.pci[device.pci]; }
  bool before(std::size_t a, std::size_t b) const { return tree_.pci[a].address < tree_.pci[b].address; }

  // Links refer to their ends by address.
  bool check_addresses() {
    std::vector<std::size_t> order(tree_.pci.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return before(a, b); });
    const auto twice = std::adjacent_find(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return tree_.pci[a].address == tree_.pci[b].address;
    });
    if (twice == order.end()) return true;
    return fail("pci busid '" + to_string(tree_.pci[*twice].address) + "' is already that of line " +
                std::to_string(tree_.pci[*twice].line) + at(tree_.pci[twice[1]].line));
  }

  bool find_by_number() {
    for (const NcclTree::Gpu& gpu : tree_.gpus) devices_.push_back({gpu.pci, &gpu});
    std::stable_sort(devices_.begin(), devices_.end(),
                     [](const Device& a, const Device& b) { return a.gpu->dev < b.gpu->dev; });
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const NcclTree::Gpu& gpu = *devices_[i].gpu;
      if (gpu.dev == i) continue;
      if (gpu.dev < i) {
        return fail("gpu dev '" + std::to_string(gpu.dev) + "' is already that of line " +
                    std::to_string(devices_[i - 1].gpu->line) + at(gpu.line));
      }
      return fail("gpu dev '" + std::to_string(i) + "' is missing, and there is dev '" +
                  std::to_string(gpu.dev) + "'; a topology shows all devices" + at(gpu.line));
    }
    return true;
  }

  bool find_by_class() {
    for (std::size_t i = 0; i < tree_.pci.size(); ++i) {
      const NcclTree::Pci& pci = tree_.pci[i];
      if (pci.pci_class == 0 && pci.below == 0)
        return fail("pci '" + to_string(pci.address) + "' has no class, which alone could tell what it is" +
                    at(pci.line));
      if (is_gpu(pci)) devices_.push_back({i, nullptr});
    }
    std::stable_sort(devices_.begin(), devices_.end(),
                     [this](const Device& a, const Device& b) { return before(a.pci, b.pci); });
    return true;
  }

  void describe_devices() {
    std::vector<std::size_t> physical;
    for (const Device& device : devices_) {
      const auto found = std::find(physical.begin(), physical.end(), device.pci);
      const auto number = found - physical.begin();
      if (found == physical.end()) physical.push_back(device.pci);
      const NcclTree::Pci& pci = pci_of(device);
      result_.devices.push_back({model_of(pci.id), to_string(pci.address),
                                 pci.gpus > 1 ? static_cast<std::int16_t>(number) : std::int16_t{-1}});
    }
  }

  void group_places() {
    const int largest = std::accumulate(tree_.cpus.begin(), tree_.cpus.end(), -1,
                                        [](int a, int b) { return std::max(a, b); });
    result_.numa.resize(static_cast<std::size_t>(largest + 1));
    std::vector<std::size_t> tops;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const NcclTree::Pci& pci = pci_of(devices_[i]);
      const DeviceMask self = DeviceMask{1} << i;
      if (pci.numa >= 0) result_.numa[static_cast<std::size_t>(pci.numa)] |= self;
      const auto found = std::find(tops.begin(), tops.end(), pci.top);
      const auto number = static_cast<std::size_t>(found - tops.begin());
      if (found == tops.end()) {
        tops.push_back(pci.top);
        result_.pcie.push_back(0);
      }
      result_.pcie[number] |= self;
    }
  }

  void read_links() {
    const std::size_t count = devices_.size();
    std::vector<std::uint64_t> direct(count * count);
    std::vector<std::uint64_t> to_fabric(count);
    std::size_t seen = 0;
    std::size_t lost = 0;  // links to unknown addresses: a virtual machine may see the wrong address
    for (std::size_t i = 0; i < count; ++i) {
      if (!devices_[i].gpu) continue;
      for (const NcclTree::Link& link : devices_[i].gpu->links) {
        ++seen;
        if (link.target_class == kSwitchClass) {
          to_fabric[i] += link.count;
          continue;
        }
        bool found = link.target_class == kProcessorClass;
        for (std::size_t j = 0; j < count; ++j) {
          if (j == i || pci_of(devices_[j]).address != link.target) continue;
          direct[i * count + j] += link.count;
          found = true;
        }
        if (!found) ++lost;
      }
    }
    result_.links_known = seen > 0 && lost == 0;
    LinkPairs pairs(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint64_t lanes = std::max(std::min(direct[i * count + j], direct[j * count + i]),
                                             std::min(to_fabric[i], to_fabric[j]));
        if (lanes > 0) pairs.link(i, j, lanes);
      }
    }
    result_.links = pairs.groups();
  }

  void read_nics() {
    std::vector<NcclTree::Net> nets = tree_.nets;
    for (std::size_t i = 0; i < tree_.pci.size() && tree_.nets.empty(); ++i) {
      if (tree_.pci[i].pci_class >> 16 == 0x02) nets.push_back({{}, static_cast<int>(i), tree_.pci[i].numa});
    }
    std::stable_sort(nets.begin(), nets.end(), [this](const NcclTree::Net& a, const NcclTree::Net& b) {
      if (a.pci < 0 || b.pci < 0) return a.pci >= 0 && b.pci < 0;
      return before(static_cast<std::size_t>(a.pci), static_cast<std::size_t>(b.pci));
    });
    result_.nics_known = !nets.empty();
    for (NcclTree::Net& net : nets) {
      NodeClass::Nic nic;
      nic.name = std::move(net.name);
      for (std::size_t i = 0; i < devices_.size() && net.pci >= 0; ++i) {
        if (pci_of(devices_[i]).top == tree_.pci[static_cast<std::size_t>(net.pci)].top)
          nic.near |= DeviceMask{1} << i;
      }
      if (nic.near == 0) {
        nic.level = LinkClass::numa;
        if (net.numa >= 0) nic.near = result_.numa[static_cast<std::size_t>(net.numa)];
      }
      result_.nics.push_back(std::move(nic));
    }
  }

  const NcclTree& tree_;
  std::string& why_;
  std::vector<Device> devices_;
  NodeClass result_;
};

}  // namespace

bool import_nccl_xml(std::string_view xml, NodeClass& out, std::string& why) {
  NcclTree tree;
  return read_nccl_tree(xml, tree, why) && Import(tree, why).run(out);
}

}  // namespace cede
