// SPDX-License-Identifier: MIT
#include "topology/import/device_catalogue.h"

#include <algorithm>
#include <array>

namespace cede {

namespace {

constexpr std::uint16_t kHabana = 0x1da3;
constexpr std::uint16_t kMellanox = 0x15b3;

struct CatalogueModel {
  PciId id;
  std::string_view name;
};

constexpr std::array kModels = std::to_array<CatalogueModel>({
    {{kNvidia, 0x15f7}, "P100"},  {{kNvidia, 0x15f8}, "P100"},   {{kNvidia, 0x15f9}, "P100"},
    {{kNvidia, 0x1db1}, "V100"},  {{kNvidia, 0x1db4}, "V100"},   {{kNvidia, 0x1db5}, "V100"},
    {{kNvidia, 0x1db6}, "V100"},  {{kNvidia, 0x1db8}, "V100"},   {{kNvidia, 0x1df6}, "V100S"},
    {{kNvidia, 0x1eb8}, "T4"},    {{kNvidia, 0x20b0}, "A100"},   {{kNvidia, 0x20b2}, "A100"},
    {{kNvidia, 0x20b5}, "A100"},  {{kNvidia, 0x20f1}, "A100"},   {{kNvidia, 0x20b7}, "A30"},
    {{kNvidia, 0x2235}, "A40"},   {{kNvidia, 0x2236}, "A10"},    {{kNvidia, 0x2237}, "A10G"},
    {{kNvidia, 0x27b8}, "L4"},    {{kNvidia, 0x26b5}, "L40"},    {{kNvidia, 0x26b9}, "L40S"},
    {{kNvidia, 0x2330}, "H100"},  {{kNvidia, 0x2331}, "H100"},   {{kNvidia, 0x2321}, "H100"},
    {{kNvidia, 0x2342}, "GH200"}, {{kNvidia, 0x2335}, "H200"},   {{kNvidia, 0x233b}, "H200"},
    {{kNvidia, 0x2901}, "B200"},  {{kNvidia, 0x2941}, "GB200"},  {{kNvidia, 0x3182}, "B300"},
    {{kNvidia, 0x31c2}, "GB300"}, {{kAmd, 0x6860}, "MI25"},      {{kAmd, 0x66a1}, "MI50"},
    {{kAmd, 0x738c}, "MI100"},    {{kAmd, 0x740f}, "MI210"},     {{kAmd, 0x7408}, "MI250X"},
    {{kAmd, 0x740c}, "MI250X"},   {{kAmd, 0x74a0}, "MI300A"},    {{kAmd, 0x74a1}, "MI300X"},
    {{kAmd, 0x74b5}, "MI300X"},   {{kAmd, 0x74a5}, "MI325X"},    {{kAmd, 0x75a0}, "MI350X"},
    {{kAmd, 0x75a3}, "MI355X"},   {{kIntel, 0x0bd5}, "Max1550"}, {{kIntel, 0x0bda}, "Max1100"},
    {{kHabana, 0x1000}, "Gaudi"}, {{kHabana, 0x1020}, "Gaudi2"}, {{kHabana, 0x1060}, "Gaudi3"},
});

// Graphics of service processors by AMD's predecessor. Those of other makers do not have the vendor number of
// a GPU maker.
constexpr std::array<std::uint16_t, 4> kServiceDisplays{0x4752, 0x4756, 0x515a, 0x515e};

constexpr std::array kVirtualFunctions = std::to_array<PciId>({
    {kMellanox, 0x1004}, {kMellanox, 0x1012}, {kMellanox, 0x1014}, {kMellanox, 0x1016}, {kMellanox, 0x1018},
    {kMellanox, 0x101a}, {kMellanox, 0x101c}, {kMellanox, 0x101e}, {kIntel, 0x10ca},    {kIntel, 0x10ed},
    {kIntel, 0x1515},    {kIntel, 0x1520},    {kIntel, 0x154c},    {kIntel, 0x1565},    {kIntel, 0x1571},
    {kIntel, 0x15a8},    {kIntel, 0x1889},    {kIntel, 0x37cd},    {0x14e4, 0x16dc},    {0x14e4, 0x1806},
    {0x1137, 0x0071},    {0x1137, 0x00cf},
});

// Four packages of two dies. Four links join the dies of a package, and each die has one neighbour in two of
// the other packages. The two dies of a package never share a neighbour, so no four dies are mutually linked.
constexpr std::array kMi250xNode = std::to_array<KnownLink>({
    {0, 1, 4},
    {2, 3, 4},
    {4, 5, 4},
    {6, 7, 4},
    {0, 2, 0},
    {0, 6, 0},
    {1, 3, 0},
    {1, 5, 0},
    {2, 4, 0},
    {3, 7, 0},
    {4, 6, 0},
    {5, 7, 0},
});

// Eight devices, each pair joined by one link.
constexpr std::array<KnownLink, 28> make_mesh8() {
  std::array<KnownLink, 28> mesh{};
  std::size_t at = 0;
  for (std::uint8_t a = 0; a < 8; ++a) {
    for (std::uint8_t b = static_cast<std::uint8_t>(a + 1); b < 8; ++b) mesh[at++] = {a, b, 1};
  }
  return mesh;
}
constexpr std::array<KnownLink, 28> kMi300xNode = make_mesh8();

}  // namespace

std::string_view known_model(PciId id) {
  const auto* const found =
      std::find_if(kModels.begin(), kModels.end(), [&](const CatalogueModel& m) { return m.id == id; });
  return found == kModels.end() ? std::string_view{} : found->name;
}

bool is_gpu_by_number(PciId id, std::uint16_t pci_class) {
  if (pci_class == 0x0302 || pci_class == 0x1200) {  // 3D controller, processing accelerator
    return id.vendor == kNvidia || id.vendor == kAmd || id.vendor == kIntel || id.vendor == kHabana;
  }
  if (pci_class == 0x0380) return id.vendor == kNvidia || id.vendor == kAmd || id.vendor == kIntel;
  if (pci_class != 0x0300) return false;
  if (id.vendor == kAmd) {
    return std::find(kServiceDisplays.begin(), kServiceDisplays.end(), id.device) == kServiceDisplays.end();
  }
  return id.vendor == kNvidia;
}

bool is_virtual_function(PciId id) {
  return std::find(kVirtualFunctions.begin(), kVirtualFunctions.end(), id) != kVirtualFunctions.end();
}

std::span<const KnownLink> known_links(std::span<const PciId> devices) {
  const auto all = [&](auto... model) {
    return devices.size() == 8 && std::all_of(devices.begin(), devices.end(), [&](PciId id) {
             return id.vendor == kAmd && ((id.device == model) || ...);
           });
  };
  if (all(0x7408, 0x740c)) return kMi250xNode;
  if (all(0x74a1, 0x74b5)) return kMi300xNode;  // physical or virtual functions
  return {};
}

bool claims_full_mesh(PciId id) { return id.vendor == kAmd && (id.device == 0x7408 || id.device == 0x740c); }

namespace {

char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Bytes outside ASCII count as letters.
bool is_in_word(char c) {
  const char folded = fold(c);
  return (folded >= 'a' && folded <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string fold_model(std::string_view model) {
  std::string folded(model);
  std::transform(folded.begin(), folded.end(), folded.begin(), fold);
  return folded;
}

bool names_model(std::string_view listed, std::string_view model) {
  if (listed.empty()) return false;
  const std::string text = fold_model(model);
  const std::string wanted = fold_model(listed);
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool starts = at == 0 || !is_in_word(text[at - 1]) || !is_in_word(text[at]);
    const bool ends = end == text.size() || !is_in_word(text[end]) || !is_in_word(text[end - 1]);
    if (starts && ends) return true;
  }
  return false;
}

std::vector<std::string> distinct_models(const NodeClass& node_class) {
  std::vector<std::string> models;
  for (const NodeClass::Device& device : node_class.devices) {
    if (!device.model.empty()) models.push_back(fold_model(device.model));
  }
  std::sort(models.begin(), models.end());
  models.erase(std::unique(models.begin(), models.end()), models.end());
  return models;
}

}  // namespace cede
