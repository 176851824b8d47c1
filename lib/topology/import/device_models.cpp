// SPDX-License-Identifier: MIT
#include "topology/import/device_models.h"

#include <algorithm>

namespace cede {
namespace {

char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Bytes of other scripts count as letters.
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
