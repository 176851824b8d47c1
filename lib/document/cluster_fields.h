// SPDX-License-Identifier: MIT
#pragma once

#include "document/job_fields.h"
#include "document/topology_fields.h"
#include "model/drafts.h"

// The fields of cluster and changes documents, and of the objects in them that are not jobs or topologies.
namespace cede {

enum class GroupField : std::uint8_t { id, policy, resources };
inline constexpr Fields<GroupField, 3> kGroupFields{{{
    field_rows::required(field_rows::name(GroupField::id, "id", "the name of the group")),
    field_rows::or_else(field_rows::name(GroupField::policy, "policy", "the policy that decides here"),
                        "the one named default, else the only one"),
    field_rows::amounts(GroupField::resources, "resources",
                        "what the group has as a whole and on no node, such as licences"),
}}};
inline constexpr ObjectSpec kGroupObject{"group", "nodes that one policy decides about", kGroupFields.rows};

enum class ForField : std::uint8_t { queue, user, job };
inline constexpr Fields<ForField, 3> kForFields{{{
    field_rows::not_null(field_rows::name(ForField::queue, "queue", "for jobs of this queue")),
    field_rows::not_null(field_rows::name(ForField::user, "user", "for jobs of this user")),
    field_rows::not_null(field_rows::name(ForField::job, "job", "for this job")),
}}};
inline constexpr ObjectSpec kForObject{
    "for", "for whom a reservation is: exactly one of these", kForFields.rows, true,
    R"("oneOf":[{"required":["queue"]},{"required":["user"]},{"required":["job"]}])"};

enum class ReservationField : std::uint8_t { id, nodes, from, until, reserved_for };
inline constexpr Fields<ReservationField, 5> kReservationFields{{{
    field_rows::required(field_rows::name(ReservationField::id, "id", "the name of the reservation")),
    field_rows::required(field_rows::names(ReservationField::nodes, "nodes", "the nodes that are reserved")),
    field_rows::required(field_rows::time(ReservationField::from, "from", "when it begins"),
                         "a time is wanted"),
    field_rows::or_else(field_rows::time(ReservationField::until, "until", "when it ends"), "it has no end"),
    field_rows::or_else(field_rows::object(ReservationField::reserved_for, "for", kForObject,
                                           "for whom the nodes are reserved"),
                        "for nobody"),
}}};
inline constexpr ObjectSpec kReservationObject{
    "reservation", "nodes that offer nothing to a request that could still run when it begins",
    kReservationFields.rows};

enum class PreemptionField : std::uint8_t { policy, delay };
inline constexpr Fields<PreemptionField, 2> kPreemptionFields{{{
    field_rows::or_default(field_rows::word(PreemptionField::policy, "policy", kQueuePolicies,
                                            "fence: take nothing outside this queue; disabled: neither take "
                                            "nor give"),
                           "\"default\""),
    field_rows::or_default(
        field_rows::above_zero(field_rows::duration(
            PreemptionField::delay, "delay",
            "how long a request waits before it may preempt; ignored on queues that have queues below them")),
        "\"30s\""),
}}};
inline constexpr ObjectSpec kPreemptionObject{
    "preemption", "how a queue takes part in preemption in profile guarantee", kPreemptionFields.rows};

enum class QueueField : std::uint8_t {
  id,
  parent,
  guaranteed,
  max,
  weight,
  kind,
  preemption,
  priority_offset,
  settings,
  fair_share
};
inline constexpr Fields<QueueField, 10> kQueueFields{{{
    field_rows::required(field_rows::name(QueueField::id, "id", "the name of the queue")),
    field_rows::or_else(field_rows::name(QueueField::parent, "parent", "the queue above it"),
                        "it is the root, of which there is one"),
    field_rows::or_else(field_rows::amounts(QueueField::guaranteed, "guaranteed",
                                            "what its jobs are entitled to; the min of a quota"),
                        "nothing"),
    field_rows::or_else(
        field_rows::amounts(QueueField::max, "max", "the most that its jobs may use together"), "unlimited"),
    field_rows::or_default(
        field_rows::above_zero(field_rows::decimal(QueueField::weight, "weight", 3, kMaxWeight,
                                                   "its part of what is shared beyond the guarantees")),
        "1"),
    field_rows::or_else(
        field_rows::word(QueueField::kind, "kind", kJobKinds, "the kind of its jobs that state none"),
        "its parent's, and batch for the root"),
    field_rows::object(QueueField::preemption, "preemption", kPreemptionObject,
                       "how it takes part in preemption in profile guarantee"),
    field_rows::or_default(
        field_rows::integer(QueueField::priority_offset, "priority_offset", field_rows::kInt32,
                            "added to the priority of its jobs in profile guarantee"),
        "0"),
    field_rows::settings(QueueField::settings, SettingHolder::queue,
                         "settings of the policy that hold for this queue and those below it"),
    field_rows::or_else(field_rows::decimal(QueueField::fair_share, "fair_share", 12, kWholeShare,
                                            "its dominant fair share, as computed by the site"),
                        "computed here"),
}}};
inline constexpr ObjectSpec kQueueObject{
    "queue", "a place in the tree that owns guarantees, limits and weights", kQueueFields.rows};

inline constexpr std::string_view kFingerprintSchema =
    R"("anyOf":[{"$ref":"#/$defs/name"},{"$ref":"#/$defs/texts_by_name"},{"type":"null"}])";

enum class NodeField : std::uint8_t {
  id,
  group,
  resources,
  topology,
  network,
  state,
  home,
  fingerprint,
  fingerprint_at,
  labels,
  overcommit_since
};
inline constexpr Fields<NodeField, 11> kNodeFields{{{
    field_rows::required(field_rows::name(NodeField::id, "id", "the name of the node")),
    field_rows::or_else(field_rows::name(NodeField::group, "group", "the group it is in"),
                        "the only one there is"),
    field_rows::amounts(NodeField::resources, "resources", "what it has of each resource"),
    field_rows::or_else(field_rows::name(NodeField::topology, "topology", "what it looks like inside"),
                        "not known"),
    field_rows::names(NodeField::network, "network", "its network domains, at most one of each level"),
    field_rows::or_default(
        field_rows::word(NodeField::state, "state", kNodeStates, "whether it runs jobs and takes new ones"),
        "\"up\""),
    field_rows::or_else(
        field_rows::name(NodeField::home, "home", "the queue it belongs to when it is lent out"), "nobody's"),
    field_rows::or_else(
        field_rows::custom(NodeField::fingerprint, "fingerprint", "name or texts by name", kFingerprintSchema,
                           "the version of each component, or one text for all of them"),
        "not known"),
    field_rows::time(NodeField::fingerprint_at, "fingerprint_at", "when the fingerprint was taken"),
    field_rows::row(NodeField::labels, FieldType::texts_by_name, "labels",
                    "labels that a job's `require` may ask for"),
    field_rows::or_else(field_rows::time(NodeField::overcommit_since, "overcommit_since",
                                         "since when its tasks hold more than it has"),
                        "from the first time it is found so"),
}}};
inline constexpr ObjectSpec kNodeObject{"node", "one machine", kNodeFields.rows};

enum class DomainField : std::uint8_t { id, level, parent };
inline constexpr Fields<DomainField, 3> kDomainFields{{{
    field_rows::required(field_rows::name(DomainField::id, "id", "the name of the domain")),
    field_rows::required(field_rows::name(DomainField::level, "level", "its level"),
                         "the name of a level is wanted"),
    field_rows::or_else(
        field_rows::name(DomainField::parent, "parent", "the domain of a farther level it is in"), "none"),
}}};
inline constexpr ObjectSpec kDomainObject{"domain", "nodes that share a level of the network",
                                          kDomainFields.rows};

enum class NetworkField : std::uint8_t { levels, domains, slurm_topology, slurm_topology_file };
inline constexpr Fields<NetworkField, 4> kNetworkFields{{{
    field_rows::names(NetworkField::levels, "levels", "the levels of the network, nearest first"),
    field_rows::objects(NetworkField::domains, "domains", kDomainObject, "the domains of all levels"),
    field_rows::row(NetworkField::slurm_topology, FieldType::raw_text, "slurm_topology",
                    "instead of levels and domains, the text of Slurm's topology.conf"),
    field_rows::row(NetworkField::slurm_topology_file, FieldType::file, "slurm_topology_file",
                    "the file with that text, which the command reads"),
}}};
inline constexpr ObjectSpec kNetworkObject{"network", "which nodes are near each other", kNetworkFields.rows};
// Of a changes document: the levels stay as they are.
inline constexpr ObjectSpec kNetworkChangeObject{"network_change",
                                                 "domains to add or replace; levels stay as they are",
                                                 std::span(kNetworkFields.rows).subspan(1, 1)};

enum class PutField : std::uint8_t { topologies, network, groups, reservations, queues, nodes, jobs };
inline constexpr Fields<PutField, 7> kPutFields{{{
    field_rows::objects_by_name(PutField::topologies, "topologies", kTopologyObject,
                                "what kinds of machines look like, by name"),
    field_rows::object(PutField::network, "network", kNetworkChangeObject, "network domains"),
    field_rows::objects(PutField::groups, "groups", kGroupObject, "groups of nodes"),
    field_rows::objects(PutField::reservations, "reservations", kReservationObject, "reservations of nodes"),
    field_rows::objects(PutField::queues, "queues", kQueueObject, "queues"),
    field_rows::objects(PutField::nodes, "nodes", kNodeObject, "nodes"),
    field_rows::objects(PutField::jobs, "jobs", kJobObject, "jobs, each with all its fields and tasks"),
}}};
inline constexpr ObjectSpec kPutObject{
    "put", "objects that are new or take the place of those of the same name", kPutFields.rows};

inline constexpr Fields<Kind, 7> kRemoveFields{{{
    field_rows::names(Kind::topology, kKindMembers[0], "topologies that are gone"),
    field_rows::names(Kind::domain, kKindMembers[1], "network domains that are gone"),
    field_rows::names(Kind::group, kKindMembers[2], "groups that are gone"),
    field_rows::names(Kind::reservation, kKindMembers[3], "reservations that are over"),
    field_rows::names(Kind::queue, kKindMembers[4], "queues that are gone"),
    field_rows::names(Kind::node, kKindMembers[5], "nodes that are gone"),
    field_rows::names(Kind::job, kKindMembers[6], "jobs that have ended"),
}}};
inline constexpr ObjectSpec kRemoveObject{"remove", "names of objects to remove", kRemoveFields.rows};

enum class ClusterField : std::uint8_t {
  format,
  now,
  topologies,
  network,
  groups,
  reservations,
  queues,
  nodes,
  jobs
};
inline constexpr Fields<ClusterField, 9> kClusterFields{{{
    field_rows::format(ClusterField::format, kClusterFormat),
    field_rows::time(ClusterField::now, "now", "the time of the document"),
    field_rows::objects_by_name(ClusterField::topologies, "topologies", kTopologyObject,
                                "what each kind of machine looks like, by name"),
    field_rows::object(ClusterField::network, "network", kNetworkObject, "which nodes are near each other"),
    field_rows::objects(ClusterField::groups, "groups", kGroupObject, "the groups of nodes"),
    field_rows::objects(ClusterField::reservations, "reservations", kReservationObject,
                        "the reservations of nodes"),
    field_rows::objects(ClusterField::queues, "queues", kQueueObject, "the tree of queues"),
    field_rows::objects(ClusterField::nodes, "nodes", kNodeObject, "the nodes"),
    field_rows::objects(ClusterField::jobs, "jobs", kJobObject, "the jobs that wait or run"),
}}};
inline constexpr ObjectSpec kClusterObject{
    "cluster", "a cluster at one moment: what there is and who runs where", kClusterFields.rows};

enum class ChangesField : std::uint8_t { format, now, put, remove };
inline constexpr Fields<ChangesField, 4> kChangesFields{{{
    field_rows::format(ChangesField::format, kChangesFormat),
    field_rows::time(ChangesField::now, "now", "the time of the changes"),
    field_rows::object(ChangesField::put, "put", kPutObject,
                       "objects that are new or take the place of those of the same name"),
    field_rows::object(ChangesField::remove, "remove", kRemoveObject, "names of objects to remove"),
}}};
inline constexpr ObjectSpec kChangesObject{
    "changes", "what has changed in a cluster; all of it or nothing is applied", kChangesFields.rows};

}  // namespace cede
