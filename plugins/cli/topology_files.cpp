// SPDX-License-Identifier: MIT
#include "topology_files.h"

#include <cede/cede.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "input.h"
#include "json_scanner.h"
#include "json_text.h"
#include "limited_child.h"
#include "message_text.h"

namespace cli {

namespace {

// A member that names a file, and the one that the library takes in its place.
struct FileMember {
  std::string_view file;
  std::string_view text;
  std::string_view what;
  std::size_t limit;  // in MiB
  bool of_topology;   // else of the network
};

constexpr std::array kFileMembers{
    FileMember{"hwloc_xml_file", "hwloc_xml", "an hwloc XML file", 4, true},
    FileMember{"nccl_xml_file", "nccl_xml", "an NCCL XML file", 4, true},
    FileMember{"slurm_topology_file", "slurm_topology", "a topology.conf", 16, false},
};

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
std::string read_member(const std::string& document_name, const FileMember& member, std::string_view token,
                        std::string& content) {
  const std::optional<std::string> file = token.starts_with('"') ? json_decoded(token) : std::nullopt;
  // A NUL would silently cut the name that the system sees.
  if (!file || file->empty() || file->find('\0') != std::string::npos)
    return quote(token) + " is not a file name";
  std::string text;
  bool too_large = false;
  const std::string fault =
      read_small_file(beside(document_name, *file), member.limit << 20, text, too_large);
  if (!fault.empty()) return "cannot read " + quote(*file) + ": " + fault;
  if (too_large) {
    return quote(*file) + " is larger than " + std::to_string(member.limit) + " MiB, the most " +
           std::string(member.what) + " may have";
  }
  content = json_quoted(text);
  return {};
}

// Which member the value just passed is, in a topology or in the network; null: none of them.
const FileMember* find_member(const JsonScanner& scanner, const Keys& keys, bool in_changes) {
  const std::vector<char>& around = scanner.around();
  const std::size_t outer = in_changes ? 1 : 0;
  if (around.size() < outer + 2 || around.size() > outer + 3 || (in_changes && keys[0] != "put"))
    return nullptr;
  const bool of_topology = around.size() == outer + 3;
  if (keys[outer] != (of_topology ? "topologies" : "network")) return nullptr;
  if (std::find(around.begin(), around.end(), '[') != around.end()) return nullptr;
  const std::string& key = keys[around.size() - 1];
  const auto* const found =
      std::find_if(kFileMembers.begin(), kFileMembers.end(), [&](const FileMember& member) {
        return member.of_topology == of_topology && (key == member.file || key == member.text);
      });
  return found == kFileMembers.end() ? nullptr : found;
}

// Whether the text may name a file at all. An escaped spelling of a key is legal too, and rare enough to be
// looked for only where an escape is.
bool may_have_members(std::string_view text) {
  return text.find("\\u00") != std::string_view::npos ||
         std::any_of(kFileMembers.begin(), kFileMembers.end(), [text](const FileMember& member) {
           return text.find(member.text) != std::string_view::npos;
         });
}

void load_topology(const TopologyXml& topology) {
  const std::string document = "{\"format\":\"cede-cluster/1\",\"topologies\":{\"t\":{\"" + topology.member +
                               "\":" + topology.token + "}}}";
  cede_engine* engine = nullptr;
  cede_report* report = nullptr;
  if (cede_engine_create(nullptr, 0, nullptr, 0, CEDE_VERSION, &engine, nullptr) < 0) return;
  // Other mistakes in an XML that can be parsed are reported when the document is checked.
  cede_engine_check(engine, document.data(), document.size(), &report, nullptr);
  cede_report_destroy(report);
  cede_engine_destroy(engine);
}

}  // namespace

std::vector<Finding> inline_topology_files(const std::string& document_name, bool in_changes,
                                           std::string& text, Replacements& replaced,
                                           std::vector<TopologyXml>& topologies) {
  std::vector<Finding> findings;
  if (!may_have_members(text)) return findings;
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
    const FileMember* const member = is_value ? find_member(scanner, keys, in_changes) : nullptr;
    if (!member) continue;
    const std::string path = path_of(std::span(keys).first(depth));
    std::string content(scanner.token());
    if (keys[depth - 1] == member->file) {
      const std::string fault = read_member(document_name, *member, scanner.token(), content);
      if (!fault.empty()) {
        findings.push_back({.path = path, .text = fault});
        continue;
      }
      replaced.add(key_begin, key_size, '"' + std::string(member->text) + '"');
      replaced.add(scanner.begin(), scanner.token().size(), content);
    }
    if (member->of_topology) topologies.push_back({path, std::string(member->text), std::move(content)});
  }
  if (!replaced.empty() && findings.empty()) text = replaced.apply(text);
  return findings;
}

std::string path_of_file(const std::string& path) {
  const bool known = std::any_of(kFileMembers.begin(), kFileMembers.end(), [&path](const FileMember& member) {
    return path.ends_with('.' + std::string(member.text));
  });
  return known ? path + "_file" : path;
}

std::vector<Finding> try_topologies(const std::vector<TopologyXml>& topologies) {
  const std::optional<ChildEnd> end =
      run_limited(topologies.size(), [&](std::size_t i) { load_topology(topologies[i]); });
  if (!end) return {};
  if (end->by_system) return {{.by_system = true, .text = end->why}};
  return {{.path = topologies[end->piece].path, .text = end->why}};
}

}  // namespace cli
