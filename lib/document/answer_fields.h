// SPDX-License-Identifier: MIT
#pragma once

#include "document/cluster_fields.h"
#include "document/plan_fields.h"
#include "policy/shares/starvation.h"
#include "policy/shares/task_split.h"

// The fields of the documents that are only written, except plans.
namespace cede {

enum class EntryVictimField : std::uint8_t { job, tasks, phase, released, deadline };
inline constexpr Fields<EntryVictimField, 5> kEntryVictimFields{{{
    field_rows::always(field_rows::name(EntryVictimField::job, "job", "the job that gives way")),
    field_rows::always(field_rows::names(EntryVictimField::tasks, "tasks", "its tasks that leave")),
    field_rows::text(EntryVictimField::phase, "phase", "how far it is on its way out"),
    field_rows::not_null(field_rows::row(EntryVictimField::released, FieldType::raw_text, "released",
                                         "once it is gone: what became of it")),
    field_rows::seconds_or_null(EntryVictimField::deadline, "deadline", "when the phase ends by itself"),
}}};
inline constexpr ObjectSpec kEntryVictimObject{"entry_victim", "a victim on its way out",
                                               kEntryVictimFields.rows, false};

enum class EntryPlaceField : std::uint8_t { node, task, gpus };
inline constexpr Fields<EntryPlaceField, 3> kEntryPlaceFields{{{
    field_rows::always(field_rows::name(EntryPlaceField::node, "node", "the node; alone, all of it is kept")),
    field_rows::not_null(field_rows::name(EntryPlaceField::task, "task", "the task that starts there")),
    field_rows::with_object(
        field_rows::custom(EntryPlaceField::gpus, "gpus", kDevicesShown, kPlacedGpusSchema,
                           "the GPUs it gets; null where only their number is known"),
        kPlacedShareObject),
}}};
inline constexpr ObjectSpec kEntryPlaceObject{"entry_place", "space that an entry keeps",
                                              kEntryPlaceFields.rows, false};

enum class EntryField : std::uint8_t {
  entry,
  state,
  kind,
  name,
  cause,
  committed,
  deadline,
  hold,
  victims,
  placement
};
inline constexpr Fields<EntryField, 10> kEntryFields{{{
    field_rows::count(EntryField::entry, "entry", "the number of the entry"),
    field_rows::text(EntryField::state, "state", "what it waits for"),
    field_rows::text(EntryField::kind, "for", "the kind of its requester"),
    field_rows::text(EntryField::name, "name", "the name of its requester"),
    field_rows::text(EntryField::cause, "cause", "why something is preempted"),
    field_rows::seconds_or_null(EntryField::committed, "committed", "when it was decided"),
    field_rows::seconds_or_null(EntryField::deadline, "deadline", "when its wait or its hold ends by itself"),
    field_rows::always(field_rows::flag(EntryField::hold, "hold", "whether it keeps space")),
    field_rows::always(
        field_rows::objects(EntryField::victims, "victims", kEntryVictimObject, "who gives way")),
    field_rows::always(
        field_rows::objects(EntryField::placement, "placement", kEntryPlaceObject, "what space it keeps")),
}}};
inline constexpr ObjectSpec kEntryObject{"entry", "a decision that is not finished", kEntryFields.rows,
                                         false};

enum class InFlightField : std::uint8_t { format, now, next_due, entries };
inline constexpr Fields<InFlightField, 4> kInFlightFields{{{
    field_rows::format(InFlightField::format, kInFlightFormat),
    field_rows::seconds_or_null(InFlightField::now, "now", "the latest time the engine knows"),
    field_rows::seconds_or_null(InFlightField::next_due, "next_due", "when the next step is due"),
    field_rows::always(field_rows::objects(InFlightField::entries, "entries", kEntryObject,
                                           "every decision that is not finished")),
}}};
inline constexpr ObjectSpec kInFlightObject{"in_flight", "what is decided and not finished",
                                            kInFlightFields.rows, false};

inline constexpr std::string_view kPriorityShown = "object, or null";
inline constexpr std::string_view kOfferedPrioritySchema =
    R"("anyOf":[{"$ref":"#/$defs/offered_priority"},{"type":"null"}])";
inline constexpr std::string_view kOfferedOptOutSchema =
    R"("anyOf":[{"type":"boolean"},{"$ref":"#/$defs/offered_range"}])";

enum class OfferedPriorityField : std::uint8_t { min, max, fallback, may_change };
inline constexpr Fields<OfferedPriorityField, 4> kOfferedPriorityFields{{{
    field_rows::number(OfferedPriorityField::min, "min", "the lowest"),
    field_rows::number(OfferedPriorityField::max, "max", "the highest"),
    field_rows::number(OfferedPriorityField::fallback, "default", "that of a job that states none"),
    field_rows::always(field_rows::flag(OfferedPriorityField::may_change, "may_change",
                                        "whether another than the default may be asked for")),
}}};
inline constexpr ObjectSpec kOfferedPriorityObject{"offered_priority", "the priorities on offer",
                                                   kOfferedPriorityFields.rows, false};
inline constexpr ObjectSpec kOfferedRangeObject{"offered_range", "a range of priorities",
                                                std::span(kOfferedPriorityFields.rows).first(2), false};

enum class OfferField : std::uint8_t { priority, max_class, may_opt_out };
inline constexpr Fields<OfferField, 3> kOfferFields{{{
    field_rows::with_object(
        field_rows::written(OfferField::priority, "priority", kPriorityShown, kOfferedPrioritySchema,
                            "the priorities that the job may have; null: none"),
        kOfferedPriorityObject),
    field_rows::count(OfferField::max_class, "max_class", "the highest class it may have"),
    field_rows::with_object(
        field_rows::written(OfferField::may_opt_out, "may_opt_out", "true, false or a range",
                            kOfferedOptOutSchema,
                            "whether it may ask not to be preempted, or at which priorities"),
        kOfferedRangeObject),
}}};
inline constexpr ObjectSpec kOfferObject{"offer", "what the owner of a job may ask for", kOfferFields.rows,
                                         false};

enum class QuotaField : std::uint8_t { answer, reason };
inline constexpr Fields<QuotaField, 2> kQuotaFields{{{
    field_rows::text(QuotaField::answer, "answer", "within, or the limit that makes it wait"),
    field_rows::text(QuotaField::reason, "reason", "one sentence with the figures"),
}}};
inline constexpr ObjectSpec kQuotaObject{"quota", "whether the job is within its quotas now",
                                         kQuotaFields.rows, false};

enum class AdmissionAnswerField : std::uint8_t {
  format,
  job,
  policy,
  profile,
  admitted,
  rule,
  reason,
  priority,
  job_class,
  preemptible,
  offer,
  quota
};
inline constexpr Fields<AdmissionAnswerField, 12> kAdmissionAnswerFields{{{
    field_rows::format(AdmissionAnswerField::format, kAdmissionFormat),
    field_rows::text(AdmissionAnswerField::job, "job", "the job"),
    field_rows::text(AdmissionAnswerField::policy, "policy", "the policy that decided"),
    field_rows::always(field_rows::word(AdmissionAnswerField::profile, "profile", kProfiles, "its profile")),
    field_rows::always(
        field_rows::flag(AdmissionAnswerField::admitted, "admitted", "whether it is taken as submitted")),
    field_rows::always_or_null(field_rows::row(AdmissionAnswerField::rule, FieldType::raw_text, "rule",
                                               "the rule that refuses it: priority, class or opt-out")),
    field_rows::text(AdmissionAnswerField::reason, "reason", "one sentence"),
    field_rows::number(AdmissionAnswerField::priority, "priority", "the priority that counts for it"),
    field_rows::count(AdmissionAnswerField::job_class, "class", "the class that counts for it"),
    field_rows::written(AdmissionAnswerField::preemptible, "preemptible", "true, false or last-resort",
                        R"("enum":[true,false,"last-resort"])", "whether it may be taken"),
    field_rows::always(
        field_rows::object(AdmissionAnswerField::offer, "offer", kOfferObject, "what its owner may ask for")),
    field_rows::not_null(field_rows::object(AdmissionAnswerField::quota, "quota", kQuotaObject,
                                            "in profile quota: whether it is within its quotas now")),
}}};
inline constexpr ObjectSpec kAdmissionAnswerObject{"admission_answer", "whether a job is taken as submitted",
                                                   kAdmissionAnswerFields.rows, false};

enum class DominantField : std::uint8_t { usage, fair_share, demand, guaranteed };
inline constexpr Fields<DominantField, 4> kDominantFields{{{
    field_rows::number(DominantField::usage, "usage", "what it uses"),
    field_rows::number(DominantField::fair_share, "fair_share", "its fair share"),
    field_rows::number(DominantField::demand, "demand", "what it uses and waits for"),
    field_rows::custom(DominantField::guaranteed, "guaranteed", "number", R"("type":"number")",
                       "of a queue: its guarantee"),
}}};
inline constexpr ObjectSpec kDominantObject{"dominant", "parts of the group, of the dominant resource",
                                            kDominantFields.rows, false};

enum class TiersField : std::uint8_t { protected_tasks, aggressive, preemptible };
inline constexpr Fields<TiersField, 3> kTiersFields{{{
    field_rows::always(
        field_rows::names(TiersField::protected_tasks, kTaskTiers[0], "no other job takes these")),
    field_rows::always(field_rows::names(TiersField::aggressive, kTaskTiers[1],
                                         "only aggressively starving jobs take these")),
    field_rows::always(field_rows::names(TiersField::preemptible, kTaskTiers[2], "starving jobs take these")),
}}};
inline constexpr ObjectSpec kTiersObject{"tiers", "which jobs may take the tasks of a job", kTiersFields.rows,
                                         false};

enum class ShareHolderField : std::uint8_t {
  id,
  parent,
  queue,
  dominant,
  usage,
  fair_share,
  demand,
  guaranteed,
  given,
  status,
  starvation,
  below_since,
  tasks
};
inline constexpr Fields<ShareHolderField, 13> kShareHolderFields{{{
    field_rows::always(field_rows::name(ShareHolderField::id, "id", "the queue or job")),
    field_rows::name(ShareHolderField::parent, "parent", "of a queue: the queue above it"),
    field_rows::not_null(field_rows::name(ShareHolderField::queue, "queue", "of a job: its queue")),
    field_rows::always(field_rows::object(ShareHolderField::dominant, "dominant", kDominantObject,
                                          "of its dominant resource")),
    field_rows::written(ShareHolderField::usage, "usage", "numbers by resource", kNumbersSchema,
                        "what it uses"),
    field_rows::written(ShareHolderField::fair_share, "fair_share", "numbers by resource", kNumbersSchema,
                        "its fair share"),
    field_rows::written(ShareHolderField::demand, "demand", "numbers by resource", kNumbersSchema,
                        "what it uses and waits for"),
    field_rows::custom(ShareHolderField::guaranteed, "guaranteed", "numbers by resource", kNumbersSchema,
                       "of a queue: its guarantee"),
    field_rows::always(
        field_rows::flag(ShareHolderField::given, "given", "whether the site gave the fair share")),
    field_rows::not_null(field_rows::word(ShareHolderField::status, "status", kShareStatuses,
                                          "of a job: whether it is below its fair share")),
    field_rows::not_null(field_rows::word(ShareHolderField::starvation, "starvation", kStarvations,
                                          "of a job: whether it starves")),
    field_rows::custom(ShareHolderField::below_since, "below_since", "time, or null", kSecondsSchema,
                       "of a job: since when it is below its fair share"),
    field_rows::not_null(field_rows::object(ShareHolderField::tasks, "tasks", kTiersObject,
                                            "of a job: its tasks by who may take them")),
}}};
inline constexpr ObjectSpec kShareHolderObject{"share_holder", "a queue or a job and its shares",
                                               kShareHolderFields.rows, false};

enum class ShareGroupField : std::uint8_t { id, policy, capacity, queues, jobs };
inline constexpr Fields<ShareGroupField, 5> kShareGroupFields{{{
    field_rows::always(field_rows::name(ShareGroupField::id, "id", "the group")),
    field_rows::text(ShareGroupField::policy, "policy", "its policy"),
    field_rows::written(ShareGroupField::capacity, "capacity", "numbers by resource", kNumbersSchema,
                        "what its nodes have"),
    field_rows::always(field_rows::objects(ShareGroupField::queues, "queues", kShareHolderObject,
                                           "its queues, each before those below it")),
    field_rows::always(field_rows::objects(ShareGroupField::jobs, "jobs", kShareHolderObject, "its jobs")),
}}};
inline constexpr ObjectSpec kShareGroupObject{"share_group", "a group of the profile fair-share",
                                              kShareGroupFields.rows, false};

enum class SharesField : std::uint8_t { format, now, groups };
inline constexpr Fields<SharesField, 3> kSharesFields{{{
    field_rows::format(SharesField::format, kSharesFormat),
    field_rows::number(SharesField::now, "now", "the time, in seconds since 1970"),
    field_rows::always(field_rows::objects(SharesField::groups, "groups", kShareGroupObject,
                                           "the groups of the profile fair-share")),
}}};
inline constexpr ObjectSpec kSharesObject{"shares", "who uses how much of its fair share", kSharesFields.rows,
                                          false};

enum class TopologyAnswerField : std::uint8_t { format, name, kind, signature, topology, network, nodes };
inline constexpr Fields<TopologyAnswerField, 7> kTopologyAnswerFields{{{
    field_rows::format(TopologyAnswerField::format, kTopologyFormat),
    field_rows::text(TopologyAnswerField::name, "name", "the name it was given"),
    field_rows::text(TopologyAnswerField::kind, "kind", "what it was read from"),
    field_rows::text(TopologyAnswerField::signature, "signature", "equal for equal machines or networks"),
    field_rows::not_null(field_rows::object(TopologyAnswerField::topology, "topology", kTopologyObject,
                                            "of a machine: as a cluster document has it")),
    field_rows::not_null(field_rows::object(TopologyAnswerField::network, "network", kNetworkObject,
                                            "of a network: as a cluster document has it")),
    field_rows::not_null(field_rows::objects(TopologyAnswerField::nodes, "nodes", kNodeObject,
                                             "of a network: the nodes and their domains")),
}}};
inline constexpr ObjectSpec kTopologyAnswerObject{
    "topology_answer", "what a text says about a machine or a network", kTopologyAnswerFields.rows, false};

}  // namespace cede
