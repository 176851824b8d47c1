// SPDX-License-Identifier: MIT
#include "topology_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "json_scanner.h"
#include "json_text.h"
#include "source.h"
#include "wording.h"

namespace cli {

namespace {

constexpr std::size_t kLargestXml = 4 << 20;

std::string beside(const std::string& document_name, const std::string& file) {
  const std::size_t slash = document_name.rfind('/');
  if (file.starts_with('/') || document_name == "-" || slash == std::string::npos) return file;
  return document_name.substr(0, slash + 1) + file;
}

// The keys above the last value, outermost first.
using Keys = std::array<std::string, 4>;

// The library's way of writing a path: keys that are not plain words stand in brackets.
std::string path_of(std::span<const std::string> keys) {
  std::string out;
  for (const std::string& key : keys) {
    const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
             c == '-';
    });
    out += plain ? (out.empty() ? "" : ".") + key : '[' + quote(key) + ']';
  }
  return out;
}

// The content as a JSON text, or what is wrong with the file.
std::string read_xml(const std::string& document_name, std::string_view token, std::string& content) {
  const std::optional<std::string> file = token.starts_with('"') ? json_decoded(token) : std::nullopt;
  // A NUL would silently cut the name that the system sees.
  if (!file || file->empty() || file->find('\0') != std::string::npos)
    return quote(token) + " is not a file name";
  std::string xml;
  bool too_large = false;
  const std::string fault = read_small_file(beside(document_name, *file), kLargestXml, xml, too_large);
  if (!fault.empty()) return "cannot read " + quote(*file) + ": " + fault;
  if (too_large) return quote(*file) + " is larger than 4 MiB, the most an hwloc XML file may have";
  content = json_quoted(xml);
  return {};
}

// Whether the value just passed is a member of a topology.
bool in_topology(const JsonScanner& scanner, const Keys& keys, bool in_changes) {
  const std::vector<char>& around = scanner.around();
  const std::size_t outer = in_changes ? 1 : 0;
  return around.size() == outer + 3 && keys[outer] == "topologies" && (!in_changes || keys[0] == "put") &&
         std::find(around.begin(), around.end(), '[') == around.end();
}

}  // namespace

std::vector<Finding> inline_topology_files(const std::string& document_name, bool in_changes,
                                           std::string& text, Replacements& replaced,
                                           std::vector<TopologyXml>& topologies) {
  std::vector<Finding> findings;
  // An escaped spelling of the key is legal too, and rare enough to be looked for only where an escape is.
  if (text.find("hwloc_xml") == std::string::npos && text.find("\\u00") == std::string::npos) return findings;
  JsonScanner scanner(text);
  Keys keys;
  std::size_t key_begin = 0, key_size = 0;
  for (auto event = scanner.next();
       event != JsonScanner::Event::end && event != JsonScanner::Event::malformed; event = scanner.next()) {
    const std::size_t depth = scanner.around().size();
    if (event == JsonScanner::Event::key && depth <= keys.size()) {
      keys[depth - 1] = json_decoded(scanner.token()).value_or("");
      key_begin = scanner.begin();
      key_size = scanner.token().size();
    }
    const bool is_value = event == JsonScanner::Event::text || event == JsonScanner::Event::scalar;
    if (!is_value || !in_topology(scanner, keys, in_changes)) continue;
    const std::string path = path_of(std::span(keys).first(depth));
    if (keys[depth - 1] == "hwloc_xml") topologies.push_back({path, std::string(scanner.token())});
    if (keys[depth - 1] != "hwloc_xml_file") continue;
    std::string content;
    const std::string fault = read_xml(document_name, scanner.token(), content);
    if (!fault.empty()) {
      findings.push_back({.path = path, .text = fault});
      continue;
    }
    topologies.push_back({path, content});
    replaced.add(key_begin, key_size, "\"hwloc_xml\"");
    replaced.add(scanner.begin(), scanner.token().size(), std::move(content));
  }
  if (!replaced.empty() && findings.empty()) text = replaced.apply(text);
  return findings;
}

}  // namespace cli
