// SPDX-License-Identifier: MIT
#pragma once

#include "document/field.h"
#include "model/node_class.h"

// The fields of one entry of `topologies`.
namespace cede {

enum class NicField : std::uint8_t { name, near, level };
inline constexpr std::array<std::string_view, 3> kNicLevels{"pcie", "numa", "socket"};
inline constexpr Fields<NicField, 3> kNicFields{{{
    field_rows::name(NicField::name, "name", "what the machine calls the NIC"),
    field_rows::not_null(
        field_rows::row(NicField::near, FieldType::devices, "near", "the GPUs that are near the NIC")),
    field_rows::or_default(field_rows::word(NicField::level, "level", kNicLevels,
                                            "what near means: below one switch, in one "
                                            "NUMA node or on one socket"),
                           "\"pcie\""),
}}};
inline constexpr ObjectSpec kNicObject{"nic", "one NIC of a node", kNicFields.rows};

enum class LinkField : std::uint8_t { devices, lanes };
inline constexpr std::int64_t kMaxLanes = 65535;
inline constexpr Fields<LinkField, 2> kLinkFields{{{
    field_rows::not_null(field_rows::row(LinkField::devices, FieldType::devices, "devices",
                                         "the GPUs that are linked with each other, at least two")),
    field_rows::or_else(
        field_rows::integer(LinkField::lanes, "lanes", {0, kMaxLanes}, "how many links each pair has"),
        "not known"),
}}};
inline constexpr ObjectSpec kLinkObject{"link", "GPUs that are linked with each other", kLinkFields.rows};

// `links`: the keys are classes of links; NVIDIA's tools have two more names for pcie.
inline constexpr std::string_view kLinksSchema =
    R"("anyOf":[{"type":"object","properties":{"nvl":{"$ref":"#/$defs/links"},"pcie":{"$ref":"#/$defs/links"},)"
    R"("pix":{"$ref":"#/$defs/links"},"pxb":{"$ref":"#/$defs/links"},"phb":{"$ref":"#/$defs/links"},)"
    R"("numa":{"$ref":"#/$defs/links"},"socket":{"$ref":"#/$defs/links"},"node":{"$ref":"#/$defs/links"},)"
    R"("unknown":{"$ref":"#/$defs/links"}},"patternProperties":{"^x-":{}},"additionalProperties":false},{"type":"null"}])";
inline constexpr std::string_view kModelSchema =
    R"("anyOf":[{"$ref":"#/$defs/name"},{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/name"},{"type":"null"}]}},{"type":"null"}])";
inline constexpr std::string_view kPciSchema =
    R"("type":["array","null"],"items":{"anyOf":[{"$ref":"#/$defs/name"},{"type":"null"}]})";
inline constexpr std::string_view kParentSchema =
    R"("type":["array","null"],"items":{"type":["integer","null"],"minimum":0,"maximum":63})";
inline constexpr std::string_view kCoresSchema =
    R"("type":["array","null"],"items":{"type":["integer","null"],"minimum":0,"maximum":1000000})";

enum class TopologyField : std::uint8_t {
  gpus,
  model,
  pci,
  parent,
  numa,
  sockets,
  pcie,
  host_bridges,
  cores,
  links,
  links_known,
  nics,
  degraded,
  hwloc_xml,
  hwloc_xml_file,
  nccl_xml,
  nccl_xml_file
};
inline constexpr Fields<TopologyField, 17> kTopologyFields{{{
    field_rows::integer(TopologyField::gpus, "gpus", {0, kMaxDevices}, "how many GPUs the machine has"),
    field_rows::custom(TopologyField::model, "model", "name or list", kModelSchema,
                       "the model of all GPUs, or of each"),
    field_rows::custom(TopologyField::pci, "pci", "list of names", kPciSchema, "the PCI address of each GPU"),
    field_rows::custom(TopologyField::parent, "parent", "list of numbers", kParentSchema,
                       "of each GPU that is a partition, the number of the device it is a part of"),
    field_rows::row(TopologyField::numa, FieldType::device_lists, "numa", "the GPUs of each NUMA node"),
    field_rows::row(TopologyField::sockets, FieldType::device_lists, "sockets", "the GPUs of each socket"),
    field_rows::row(TopologyField::pcie, FieldType::device_lists, "pcie", "the GPUs below each PCIe switch"),
    field_rows::row(TopologyField::host_bridges, FieldType::device_lists, "host_bridges",
                    "the GPUs below each PCIe host bridge"),
    field_rows::custom(TopologyField::cores, "cores", "list of numbers", kCoresSchema,
                       "the number of cores of each NUMA node"),
    field_rows::with_object(
        field_rows::custom(TopologyField::links, "links", "lists by class", kLinksSchema,
                           "which GPUs are linked, by class of link: those of each list with each other"),
        kLinkObject),
    field_rows::or_else(field_rows::flag(TopologyField::links_known, "links_known",
                                         "whether GPUs that no list names have no link; false: not known"),
                        "true if `links` is given"),
    field_rows::objects(TopologyField::nics, "nics", kNicObject, "the NICs and the GPUs near them"),
    field_rows::row(TopologyField::degraded, FieldType::device_lists, "degraded",
                    "pairs of GPUs whose link does not work as it should"),
    field_rows::not_null(field_rows::row(TopologyField::hwloc_xml, FieldType::raw_text, "hwloc_xml",
                                         "the machine as XML that hwloc wrote")),
    field_rows::row(TopologyField::hwloc_xml_file, FieldType::file, "hwloc_xml_file",
                    "a file with that XML, which the command reads"),
    field_rows::not_null(field_rows::row(TopologyField::nccl_xml, FieldType::raw_text, "nccl_xml",
                                         "the machine as XML that NCCL wrote")),
    field_rows::row(TopologyField::nccl_xml_file, FieldType::file, "nccl_xml_file",
                    "a file with that XML, which the command reads"),
}}};
inline constexpr ObjectSpec kTopologyObject{
    "topology", "what one kind of machine looks like", kTopologyFields.rows, true,
    R"("oneOf":[{"required":["gpus"]},{"required":["hwloc_xml"]},{"required":["hwloc_xml_file"]},)"
    R"({"required":["nccl_xml"]},{"required":["nccl_xml_file"]}])"};

}  // namespace cede
