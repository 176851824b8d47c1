// SPDX-License-Identifier: MIT
#pragma once

#include "document/field.h"
#include "model/requirement.h"

// The fields of a job's `require`.
namespace cede {

inline constexpr std::int64_t kMaxBound = 1'000'000;  // of nodes, tasks per node, domains and segments

enum class BoundsField : std::uint8_t { min, max };
inline constexpr Fields<BoundsField, 2> kBoundsFields{{{
    field_rows::or_else(field_rows::integer(BoundsField::min, "min", {1, kMaxBound}, "at least this many"),
                        "no bound"),
    field_rows::or_else(field_rows::integer(BoundsField::max, "max", {1, kMaxBound}, "at most this many"),
                        "no bound"),
}}};
inline constexpr ObjectSpec kBoundsObject{"bounds", "a number of nodes, or of tasks on each node",
                                          kBoundsFields.rows};

enum class GpuField : std::uint8_t { scope, level, mode, strength };
inline constexpr Fields<GpuField, 4> kGpuFields{{{
    field_rows::or_default(field_rows::word(GpuField::scope, "scope", kGpuScopes,
                                            "whether the GPUs of each task or of all tasks on a node count"),
                           "\"task\""),
    field_rows::required(field_rows::word(GpuField::level, "level", kGpuLevels,
                                          "the farthest that two of the GPUs may be apart"),
                         "nvl, pcie, numa or socket is wanted"),
    field_rows::or_default(
        field_rows::word(GpuField::mode, "mode", kGpuModes,
                         "whether every pair, a chain of pairs, or the group as a whole has to be that near"),
        "\"clique\""),
    field_rows::or_default(
        field_rows::word(GpuField::strength, "strength", kStrengths, "whether it must or should be met"),
        "\"hard\""),
}}};
inline constexpr ObjectSpec kGpuObject{"gpu_need", "how near the GPUs of a task or node are to each other",
                                       kGpuFields.rows};

enum class NicNeedField : std::uint8_t { level, per_gpu, strength };
inline constexpr std::array<std::string_view, 3> kNicNeedLevels{"pcie", "numa", "socket"};
inline constexpr Fields<NicNeedField, 3> kNicNeedFields{{{
    field_rows::or_default(field_rows::word(NicNeedField::level, "level", kNicNeedLevels,
                                            "how near a NIC has to be to the GPUs"),
                           "\"pcie\""),
    field_rows::or_default(field_rows::flag(NicNeedField::per_gpu, "per_gpu",
                                            "whether each GPU needs such a NIC, not only one of them"),
                           "true"),
    field_rows::or_default(
        field_rows::word(NicNeedField::strength, "strength", kStrengths, "whether it must or should be met"),
        "\"hard\""),
}}};
inline constexpr ObjectSpec kNicNeedObject{"nic_need", "a NIC near the GPUs", kNicNeedFields.rows};

enum class CpuField : std::uint8_t { numa };
inline constexpr Fields<CpuField, 1> kCpuFields{{{
    field_rows::or_default(
        field_rows::word(CpuField::numa, "numa", kCpuNumas,
                         "whether cores, memory and GPUs of a task come from one NUMA node, or from few"),
        "\"none\""),
}}};
inline constexpr ObjectSpec kCpuObject{"cpu_need", "where the cores of a task are", kCpuFields.rows};

enum class NetworkNeedField : std::uint8_t {
  level,
  max_domains,
  segment,
  consolidate,
  spread,
  expires,
  strength
};
inline constexpr Fields<NetworkNeedField, 7> kNetworkNeedFields{{{
    field_rows::required(
        field_rows::name(NetworkNeedField::level, "level", "the network level whose domains count")),
    field_rows::or_else(field_rows::integer(NetworkNeedField::max_domains, "max_domains", {1, kMaxBound},
                                            "on at most this many domains of the level"),
                        "1; with `segment` no bound"),
    field_rows::or_else(
        field_rows::integer(NetworkNeedField::segment, "segment", {1, kMaxBound},
                            "split the nodes into segments of this many, each inside one domain"),
        "no segments"),
    field_rows::or_else(field_rows::name(NetworkNeedField::consolidate, "consolidate",
                                         "all segments are inside one domain of this level"),
                        "they may be anywhere"),
    field_rows::or_default(
        field_rows::flag(NetworkNeedField::spread, "spread", "at most one segment in each domain"), "false"),
    field_rows::or_else(
        field_rows::duration(NetworkNeedField::expires, "expires",
                             "once the job has waited for this long, the entry is only a preference"),
        "never"),
    field_rows::or_default(field_rows::word(NetworkNeedField::strength, "strength", kStrengths,
                                            "whether it must or should be met"),
                           "\"hard\""),
}}};
inline constexpr ObjectSpec kNetworkNeedObject{
    "network_need", "in how many domains of a network level the nodes are", kNetworkNeedFields.rows};

enum class ConformanceField : std::uint8_t { mode, components, scope, max_age, baseline };
inline constexpr Fields<ConformanceField, 5> kConformanceFields{{{
    field_rows::or_else(
        field_rows::word(ConformanceField::mode, "mode", kConformanceModes,
                         "whether fingerprints should agree, must agree, or must equal `baseline`"),
        "prefer; uniform for sensitive jobs where some node reports a fingerprint"),
    field_rows::or_else(
        field_rows::names(ConformanceField::components, "components", "the components that are compared"),
        "all that are reported"),
    field_rows::or_default(field_rows::word(ConformanceField::scope, "scope", kConformanceScopes,
                                            "among which nodes they have to agree"),
                           "\"job\""),
    field_rows::or_else(field_rows::duration(ConformanceField::max_age, "max_age",
                                             "an older fingerprint counts as not reported"),
                        "no limit"),
    field_rows::row(ConformanceField::baseline, FieldType::texts_by_name, "baseline",
                    "the value that each component must have; only with mode `baseline`"),
}}};
inline constexpr ObjectSpec kConformanceObject{
    "conformance", "whether the nodes have the same driver, firmware and so on", kConformanceFields.rows};

enum class HostField : std::uint8_t { include, exclude, labels };
inline constexpr Fields<HostField, 3> kHostFields{{{
    field_rows::or_else(field_rows::names(HostField::include, "include", "only these nodes"), "all nodes"),
    field_rows::names(HostField::exclude, "exclude", "none of these nodes"),
    field_rows::row(HostField::labels, FieldType::texts_by_name, "labels",
                    "only nodes that have all of these labels"),
}}};
inline constexpr ObjectSpec kHostObject{"hosts", "the nodes that a job may use", kHostFields.rows};

enum class RequirementField : std::uint8_t {
  nodes,
  tasks_per_node,
  gpu_model,
  uniform_model,
  gpus,
  nic,
  cpu,
  network,
  exclusive,
  conformance,
  placement,
  hosts
};
inline constexpr std::array<std::string_view, 3> kExclusiveWords{"none", "node", "user"};
inline constexpr Fields<RequirementField, 12> kRequirementFields{{{
    field_rows::object(RequirementField::nodes, "nodes", kBoundsObject, "how many nodes the job is on"),
    field_rows::object(RequirementField::tasks_per_node, "tasks_per_node", kBoundsObject,
                       "how many of its tasks are on each of its nodes"),
    field_rows::or_else(
        field_rows::custom(
            RequirementField::gpu_model, "gpu_model", "name or list",
            R"("anyOf":[{"$ref":"#/$defs/name"},{"type":"array","items":{"$ref":"#/$defs/name"}},{"type":"null"}])",
            "the GPU model, or several of which any will do"),
        "any model"),
    field_rows::or_default(field_rows::word(RequirementField::uniform_model, "uniform_model", kUniformModels,
                                            "whether all GPUs of a node, or of the job, are of one model"),
                           "\"off\""),
    field_rows::objects(RequirementField::gpus, "gpus", kGpuObject, "how near the GPUs are to each other"),
    field_rows::object(RequirementField::nic, "nic", kNicNeedObject, "how near a NIC is to the GPUs"),
    field_rows::object(RequirementField::cpu, "cpu", kCpuObject, "where the cores of a task are"),
    field_rows::objects(RequirementField::network, "network", kNetworkNeedObject,
                        "how near the nodes are to each other"),
    field_rows::or_default(
        field_rows::custom(
            RequirementField::exclusive, "exclusive", "none, node, user or domain:LEVEL",
            R"("anyOf":[{"enum":["none","node","user",null]},{"type":"string","pattern":"^domain:."}])",
            "with whom the job shares nothing: nobody on its nodes, nobody but jobs of its user, or nobody "
            "in "
            "its domains of a level"),
        "\"none\""),
    field_rows::object(RequirementField::conformance, "conformance", kConformanceObject,
                       "whether its nodes have the same driver, firmware and so on"),
    field_rows::or_default(
        field_rows::word(RequirementField::placement, "placement", kPlacementStyles,
                         "close together, evenly over the domains, or by the names of nodes"),
        "\"tight\""),
    field_rows::object(RequirementField::hosts, "hosts", kHostObject, "the nodes it may use"),
}}};
inline constexpr ObjectSpec kRequirementObject{
    "require", "what a job demands or prefers of nodes, devices and network", kRequirementFields.rows};

}  // namespace cede
