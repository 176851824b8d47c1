// SPDX-License-Identifier: MIT
#include "topology/import/nccl_tree.h"

#include <array>
#include <charconv>
#include <cstdio>

#include "base/text.h"
#include "topology/import/xml_objects.h"
#include "topology/import/xml_reader.h"
#include "topology/import/xml_scan.h"

namespace cede {
namespace {

using Token = XmlReader::Token;
constexpr int kMaxNumaId = 255;

// Takes a hexadecimal number of at most `digits` digits off the front.
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

  // Calls read_child() at each element inside the one just opened, which must leave the reader behind it.
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
    int numa = -1;  // NCCL's own word for a machine that does not tell
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
      // Behind a virtual machine's wall the address of a switch is made up.
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

}  // namespace cede
