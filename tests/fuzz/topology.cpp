// SPDX-License-Identifier: MIT
// A text about a machine or a network: hwloc XML, NCCL XML or Slurm's topology.conf, as CEDE_FUZZ_TOPOLOGY
// says. What cede_topology_create() takes, a cluster document takes as well, and the other way round.
#include <algorithm>

#include "fuzz.h"

namespace {

void append_escaped(std::string_view text, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == '"' || c == '\\') {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
}

std::string cluster_of(std::string_view text) {
  std::string out = R"({"format":"cede-cluster/1",)";
  out += CEDE_FUZZ_TOPOLOGY == CEDE_TOPOLOGY_SLURM       ? R"("network":{"slurm_topology":")"
         : CEDE_FUZZ_TOPOLOGY == CEDE_TOPOLOGY_HWLOC_XML ? R"("topologies":{"t":{"hwloc_xml":")"
                                                         : R"("topologies":{"t":{"nccl_xml":")";
  append_escaped(text, out);
  return out + (CEDE_FUZZ_TOPOLOGY == CEDE_TOPOLOGY_SLURM ? R"("}})" : R"("}}})");
}

void look_at(const cede_topology* topology) {
  cede_topology_facts facts;
  fuzz::Error error;
  error.status(cede_topology_get(topology, &facts, sizeof facts, error.out()), "cede_topology_get");
  fuzz::expect(facts.kind == CEDE_FUZZ_TOPOLOGY, "cede_topology_get", "another kind");
  fuzz::expect(facts.devices <= 64 && facts.physical_devices <= facts.devices, "cede_topology_get",
               "devices");
  fuzz::expect(std::string_view(cede_topology_signature(topology)).size() == 32, "cede_topology_signature",
               "size");
  std::size_t domains = 0;
  for (std::size_t level = 0; level < facts.levels; ++level) {
    fuzz::expect(cede_topology_level(topology, level) != nullptr, "cede_topology_level", "NULL");
    for (std::size_t i = 0; i < cede_topology_domain_count(topology, level); ++i, ++domains)
      fuzz::expect(cede_topology_domain(topology, level, i) != nullptr, "cede_topology_domain", "NULL");
  }
  fuzz::expect(domains == facts.domains, "cede_topology_domain_count", "not all domains are on a level");
  cede_text* text = nullptr;
  error.status(cede_topology_json(topology, &text, error.out()), "cede_topology_json");
  fuzz::taken(text, "cede_topology_json");
  error.status(cede_topology_picture(topology, CEDE_PICTURE_TEXT, 100, &text, error.out()),
               "cede_topology_picture");
  const std::string picture = fuzz::taken(text, "cede_topology_picture");
  fuzz::expect_visible(picture, "cede_topology_picture", true);
  for (std::size_t at = 0; at < picture.size();) {
    const std::size_t end = std::min(picture.find('\n', at), picture.size());
    const auto columns = std::count_if(
        picture.begin() + static_cast<std::ptrdiff_t>(at), picture.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; });
    fuzz::expect(columns <= 100, "cede_topology_picture", "a line of more than 100 characters");
    at = end + 1;
  }
  for (const std::uint32_t width : {200u, 10000u}) {
    error.status(cede_topology_picture(topology, CEDE_PICTURE_SVG, width, &text, error.out()),
                 "cede_topology_picture");
    fuzz::taken(text, "cede_topology_picture");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  cede_topology* made = nullptr;
  fuzz::Error error;
  const std::int32_t status =
      error.status(cede_topology_create(text.data(), size, CEDE_FUZZ_TOPOLOGY, "t", &made, error.out()),
                   "cede_topology_create");
  const fuzz::Owned<cede_topology> topology(made);
  fuzz::expect((status == CEDE_OK) == (made != nullptr), "cede_topology_create", "a topology, or none");
  if (made) look_at(made);
  // A JSON text cannot hold what is no UTF-8, and these texts are refused for it too.
  const fuzz::Owned<cede_engine> engine = fuzz::new_engine({});
  const std::int32_t loaded = fuzz::load(engine.get(), cluster_of(text));
  fuzz::expect((loaded >= 0) == (status >= 0), "cede_engine_load",
               "takes other texts than cede_topology_create");
  if (loaded >= 0) fuzz::expect_round_trip(engine.get());
  return 0;
}
