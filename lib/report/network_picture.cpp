// SPDX-License-Identifier: MIT
#include "report/network_picture.h"

#include <algorithm>
#include <vector>

#include "report/name_list.h"
#include "report/text_block.h"

namespace cede {
namespace {

constexpr std::size_t kDomainNameColumns = 32;
constexpr std::size_t kShown = 8;   // domains below one; one more is shown in place of `… 1 more`
constexpr std::size_t kLarge = 64;  // from so many on only the first below each is drawn with all below it

class NetworkPicture {
 public:
  explicit NetworkPicture(const NetworkDescription& network)
      : network_(network),
        children_(network.domains.size()),
        names_(network.domains.size()),
        nodes_(network.domains.size()) {
    for (const NetworkDescription::Node& node : network_.nodes) {
      names_[node.domain].push_back(node.name);
      for (std::int32_t at = static_cast<std::int32_t>(node.domain); at >= 0; at = domain(at).parent)
        ++nodes_[static_cast<std::size_t>(at)];
    }
    for (std::size_t i = 0; i < network_.domains.size(); ++i) {
      const std::int32_t parent = network_.domains[i].parent;
      (parent < 0 ? roots_ : children_[static_cast<std::size_t>(parent)]).push_back(i);
    }
  }

  TextBlock draw(std::string_view title) {
    lines_ = wrapped(headline(title), kPictureColumns, 2);
    draw_list(roots_, "", true);
    return std::move(lines_);
  }

 private:
  const NetworkDescription::Domain& domain(std::int32_t id) const {
    return network_.domains[static_cast<std::size_t>(id)];
  }

  // `topology.conf: 96 nodes; levels: 12 leaf, 6 spine, 1 core`
  std::string headline(std::string_view title) const {
    std::vector<std::size_t> count(network_.levels.size());
    for (const NetworkDescription::Domain& each : network_.domains) ++count[each.level];
    std::string out = label(title, kPictureColumns / 2) + ": " + counted(network_.nodes.size(), "node");
    for (std::size_t i = 0; i < count.size(); ++i)
      out += (i == 0 ? "; levels: " : ", ") + std::to_string(count[i]) + ' ' + network_.levels[i];
    return out;
  }

  // Nearest levels last, so that what lies at the top is seen even if the list is cut.
  void draw_list(std::vector<std::size_t> ids, const std::string& indent, bool is_top) {
    std::stable_sort(ids.begin(), ids.end(), [this](std::size_t a, std::size_t b) {
      return network_.domains[a].level > network_.domains[b].level;
    });
    const std::size_t shown = ids.size() > kShown + 1 ? kShown : ids.size();
    for (std::size_t i = 0; i < shown; ++i) {
      const bool is_last = i + 1 == ids.size();
      draw_domain(ids[i], indent + (is_top ? "" : is_last ? "└─ " : "├─ "));
      if (i > 0 && network_.domains.size() >= kLarge) continue;
      draw_list(children_[ids[i]], indent + (is_top ? "" : is_last ? "   " : "│  "), false);
    }
    if (shown == ids.size()) return;
    std::size_t nodes = 0;
    for (std::size_t i = shown; i < ids.size(); ++i) nodes += nodes_[ids[i]];
    lines_.push_back(indent + (is_top ? "" : "└─ ") + "… " + std::to_string(ids.size() - shown) +
                     " more with " + counted(nodes, "node"));
  }

  void draw_domain(std::size_t id, const std::string& indent) {
    const NetworkDescription::Domain& each = network_.domains[id];
    std::string line = indent + network_.levels[each.level] + ' ' + label(each.name, kDomainNameColumns) +
                       "  " + counted(nodes_[id], "node");
    const std::size_t used = columns_of(line) + 2;
    if (!names_[id].empty() && used + 8 <= kPictureColumns)
      line += "  " + fold_names(names_[id], kPictureColumns - used);
    lines_.push_back(label(line, kPictureColumns));
  }

  const NetworkDescription& network_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::vector<std::string_view>> names_;
  std::vector<std::size_t> nodes_;
  std::vector<std::size_t> roots_;
  TextBlock lines_;
};

}  // namespace

std::string draw_network(const NetworkDescription& network, std::string_view title) {
  std::string out;
  for (const std::string& line : NetworkPicture(network).draw(title)) out += line + '\n';
  return out;
}

}  // namespace cede
