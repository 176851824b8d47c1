// SPDX-License-Identifier: MIT
#include "report/links_picture.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "report/node_class_facts.h"

namespace cede {
namespace {

class Links {
 public:
  explicit Links(const NodeClass& node_class)
      : class_(node_class), size_(node_class.devices.size()), lanes_(size_ * size_), unknown_(size_ * size_) {
    for (const NodeClass::LinkGroup& group : class_.links) {
      for (std::size_t a = 0; a < size_; ++a) {
        for (std::size_t b = 0; b < size_; ++b) {
          if (a == b || (group.devices >> a & 1) == 0 || (group.devices >> b & 1) == 0) continue;
          if (group.link == LinkClass::nvl)
            lanes_[a * size_ + b] = std::max(lanes(a, b).value_or(0), group.lanes);
          if (group.link == LinkClass::unknown) unknown_[a * size_ + b] = true;
        }
      }
    }
  }

  TextBlock draw() const {
    if (size_ < 2) return {};
    TextBlock out;
    if (class_.links.empty()) {
      out.emplace_back(class_.links_known ? "links: none" : "links: not known");
    } else if (std::optional<std::string> sentence = describe_islands()) {
      out = wrapped(*sentence, kPictureColumns, 7);
    } else if (TextBlock table = draw_table(); columns_of(table) <= kPictureColumns) {
      out = std::move(table);
    } else {
      out = list_groups();
    }
    add_other_classes(out);
    return out;
  }

 private:
  const std::optional<std::uint16_t>& lanes(std::size_t a, std::size_t b) const {
    return lanes_[a * size_ + b];
  }
  bool is_degraded(std::size_t a, std::size_t b) const {
    const std::array<std::uint8_t, 2> pair{static_cast<std::uint8_t>(std::min(a, b)),
                                           static_cast<std::uint8_t>(std::max(a, b))};
    return std::find(class_.degraded.begin(), class_.degraded.end(), pair) != class_.degraded.end();
  }
  static std::string lanes_text(std::uint16_t lanes) {
    return lanes == 0 ? std::string() : ", " + counted(lanes, "link") + " per pair";
  }

  // Nothing where a pair of an island is not linked, or not as the others are, or much is not known.
  std::optional<std::string> describe_islands() const {
    if (!class_.degraded.empty() || std::count(unknown_.begin(), unknown_.end(), true) > 0)
      return std::nullopt;
    std::string out = "links:";
    DeviceMask joined = 0;
    for (const DeviceMask island : link_islands(class_)) {
      const auto first = static_cast<std::size_t>(std::countr_zero(island));
      const auto second = static_cast<std::size_t>(std::countr_zero(island & (island - 1)));
      for (std::size_t a = 0; a < size_; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const bool inside = (island >> a & 1) != 0 && (island >> b & 1) != 0;
          if (inside && lanes(a, b) != lanes(first, second)) return std::nullopt;
        }
      }
      out += (joined == 0 ? " GPU " : "; GPU ") + index_list(island) + " each to each" +
             lanes_text(*lanes(first, second));
      joined |= island;
    }
    if (joined == 0) return std::nullopt;
    const DeviceMask all = ~DeviceMask{0} >> (kMaxDevices - size_);
    if ((all & ~joined) != 0) {
      out += "; GPU " + index_list(all & ~joined) + (class_.links_known ? " not at all" : ": not known");
    } else if (!class_.links_known) {
      out += "; others: not known";
    }
    return out;
  }

  std::string cell(std::size_t a, std::size_t b) const {
    if (a == b) return "-";
    const bool unknown = unknown_[a * size_ + b] || !class_.links_known;
    std::string out = !lanes(a, b)        ? (unknown ? "?" : ".")
                      : *lanes(a, b) == 0 ? "*"
                                          : std::to_string(*lanes(a, b));
    return is_degraded(a, b) ? out + '!' : out;
  }

  TextBlock draw_table() const {
    std::size_t width = std::to_string(size_ - 1).size();
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = 0; b < size_; ++b) width = std::max(width, cell(a, b).size());
    }
    const auto right = [&](const std::string& text) {
      return std::string(width + 1 - text.size(), ' ') + text;
    };
    TextBlock out{"links per pair (* some, . none, ? not known, ! degraded):"};
    std::string line = "  GPU" + std::string(3, ' ');
    for (std::size_t b = 0; b < size_; ++b) line += right(std::to_string(b));
    out.push_back(line);
    for (std::size_t a = 0; a < size_; ++a) {
      const std::string index = std::to_string(a);
      line = "  " + std::string(3 - index.size(), ' ') + index + std::string(3, ' ');
      for (std::size_t b = 0; b < size_; ++b) line += right(cell(a, b));
      out.push_back(line);
    }
    return out;
  }

  TextBlock list_groups() const {
    std::string text = "links:";
    for (const NodeClass::LinkGroup& group : class_.links) {
      if (group.link == LinkClass::nvl)
        text += " GPU " + index_list(group.devices) + lanes_text(group.lanes) + ';';
    }
    text += class_.links_known ? " no others" : " others: not known";
    for (const auto& pair : class_.degraded)
      text += "; " + std::to_string(pair[0]) + '-' + std::to_string(pair[1]) + " degraded";
    return wrapped(text, kPictureColumns, 7);
  }

  void add_other_classes(TextBlock& out) const {
    for (const NodeClass::LinkGroup& group : class_.links) {
      if (group.link == LinkClass::nvl || group.link == LinkClass::unknown) continue;
      const TextBlock lines = wrapped(std::string(kLinkClasses[static_cast<std::size_t>(group.link)]) +
                                          ": GPU " + index_list(group.devices) + lanes_text(group.lanes),
                                      kPictureColumns, 7);
      out.insert(out.end(), lines.begin(), lines.end());
    }
  }

  const NodeClass& class_;
  const std::size_t size_;
  std::vector<std::optional<std::uint16_t>> lanes_;
  std::vector<bool> unknown_;
};

}  // namespace

TextBlock draw_links(const NodeClass& node_class) { return Links(node_class).draw(); }

}  // namespace cede
