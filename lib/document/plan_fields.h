// SPDX-License-Identifier: MIT
#pragma once

#include "document/field.h"
#include "model/plan.h"
#include "policy/settings/profile.h"

// The fields of plan documents. They are only written: tests hold what is written against these tables.
namespace cede {

inline constexpr std::string_view kNumbersSchema =
    R"("type":"object","additionalProperties":{"type":"number"})";
inline constexpr std::string_view kCountSchema =
    R"("type":"object","additionalProperties":{"type":"integer","minimum":1})";
inline constexpr std::string_view kSecondsSchema = R"("type":["number","null"],"minimum":0)";
inline constexpr std::string_view kDevicesShown = "list of devices, or null";
inline constexpr std::string_view kPlacedGpusSchema =
    R"("anyOf":[{"type":"array","items":{"anyOf":[{"type":"integer","minimum":0,"maximum":63},)"
    R"({"$ref":"#/$defs/placed_share"}]}},{"type":"null"}])";
inline constexpr std::string_view kObjectiveSchema =
    R"("type":"array","items":{"type":"array","prefixItems":[{"type":"string"},{"anyOf":[{"type":"integer"},)"
    R"({"type":"array","items":{"anyOf":[{"type":"number"},{"type":"array","items":{"type":"integer"},)"
    R"("minItems":2,"maxItems":2}]}}]}],"minItems":2,"maxItems":2})";

inline constexpr std::string_view kValueSchema =
    R"("anyOf":[{"type":"integer"},{"type":"array","items":{"anyOf":[{"type":"number"},{"type":"array",)"
    R"("items":{"type":"integer"},"minItems":2,"maxItems":2}]}}])";

namespace field_rows {

// A number or text of a document that is only written.
constexpr FieldSpec seconds_or_null(auto field, std::string_view name, std::string_view help) {
  return always(in_unit(custom(field, name, "time, or null", kSecondsSchema, help), "seconds since 1970"));
}
constexpr FieldSpec written(auto field, std::string_view name, std::string_view shown,
                            std::string_view schema, std::string_view help) {
  return always(custom(field, name, shown, schema, help));
}
constexpr FieldSpec text(auto field, std::string_view name, std::string_view help) {
  return always(row(field, FieldType::raw_text, name, help));
}
constexpr FieldSpec number(auto field, std::string_view name, std::string_view help) {
  return written(field, name, "number", R"("type":"number")", help);
}
constexpr FieldSpec count(auto field, std::string_view name, std::string_view help) {
  return written(field, name, "whole number", R"("type":"integer","minimum":0)", help);
}

}  // namespace field_rows

enum class PlacedShareField : std::uint8_t { index, share };
inline constexpr Fields<PlacedShareField, 2> kPlacedShareFields{{{
    field_rows::count(PlacedShareField::index, "index", "the index of the GPU"),
    field_rows::number(PlacedShareField::share, "share", "the part of it"),
}}};
inline constexpr ObjectSpec kPlacedShareObject{"placed_share", "a part of one GPU", kPlacedShareFields.rows,
                                               false};

enum class PlacedField : std::uint8_t { task, node, gpus, devices };
inline constexpr Fields<PlacedField, 4> kPlacedFields{{{
    field_rows::always(field_rows::name(PlacedField::task, "task", "the task")),
    field_rows::always(field_rows::name(PlacedField::node, "node", "the node it goes to")),
    field_rows::with_object(field_rows::written(PlacedField::gpus, "gpus", kDevicesShown, kPlacedGpusSchema,
                                                "the GPUs it gets; null where only their number is known"),
                            kPlacedShareObject),
    field_rows::custom(PlacedField::devices, "devices", "word", R"("const":"assumed")",
                       "there if `gpus` is null: which GPUs are free is not known"),
}}};
inline constexpr ObjectSpec kPlacedObject{"placed", "where a task goes", kPlacedFields.rows, false};

enum class PlanVictimField : std::uint8_t {
  hold,
  job,
  tasks,
  whole_job,
  action,
  then,
  requeue,
  cost,
  cost_parts,
  frees
};
inline constexpr Fields<PlanVictimField, 10> kPlanVictimFields{{{
    field_rows::not_null(field_rows::integer(PlanVictimField::hold, "hold", {1, INT64_MAX},
                                             "the number of the entry whose hold is taken; only then")),
    field_rows::always(field_rows::name(PlanVictimField::job, "job", "the job that gives way")),
    field_rows::always(field_rows::names(PlanVictimField::tasks, "tasks", "its tasks that leave")),
    field_rows::not_null(
        field_rows::flag(PlanVictimField::whole_job, "whole_job", "whether none of its placed tasks stays")),
    field_rows::not_null(
        field_rows::word(PlanVictimField::action, "action", kVictimActions, "the first step of its way out")),
    field_rows::not_null(field_rows::word(PlanVictimField::then, "then", kVictimActions,
                                          "the step after a checkpoint; only with action checkpoint")),
    field_rows::not_null(
        field_rows::flag(PlanVictimField::requeue, "requeue", "whether it waits again afterwards")),
    field_rows::number(PlanVictimField::cost, "cost", "its price in minutes, or whatever the profile counts"),
    field_rows::written(PlanVictimField::cost_parts, "cost_parts", "numbers by name", kNumbersSchema,
                        "the parts of the price"),
    field_rows::written(PlanVictimField::frees, "frees", "numbers by resource", kNumbersSchema,
                        "what its tasks hold"),
}}};
inline constexpr ObjectSpec kPlanVictimObject{"victim", "a job that gives way, with all its chosen tasks",
                                              kPlanVictimFields.rows, false};

enum class PlanTopologyField : std::uint8_t { met, missed };
inline constexpr Fields<PlanTopologyField, 2> kPlanTopologyFields{{{
    field_rows::always(
        field_rows::names(PlanTopologyField::met, "met", "the demands and preferences that are met")),
    field_rows::always(
        field_rows::names(PlanTopologyField::missed, "preferred_missed", "the preferences that are not met")),
}}};
inline constexpr ObjectSpec kPlanTopologyObject{"plan_topology", "what became of the job's `require`",
                                                kPlanTopologyFields.rows, false};

enum class ExcludedField : std::uint8_t { job, tasks, rule, values };
inline constexpr Fields<ExcludedField, 4> kExcludedFields{{{
    field_rows::always(field_rows::name(ExcludedField::job, "job", "the job")),
    field_rows::always(field_rows::names(ExcludedField::tasks, "tasks", "the tasks of the unit")),
    field_rows::text(ExcludedField::rule, "rule", "the first rule that excluded it"),
    field_rows::text(ExcludedField::values, "values", "the values that the rule compared"),
}}};
inline constexpr ObjectSpec kExcludedObject{"excluded", "a running unit that a rule excluded",
                                            kExcludedFields.rows, false};
inline constexpr ObjectSpec kNotNeededObject{"not_needed", "a unit that could have been taken",
                                             std::span(kExcludedFields.rows).first(2), false};

enum class AlternativeField : std::uint8_t { victims, cost, worse, best, value };
inline constexpr Fields<AlternativeField, 5> kAlternativeFields{{{
    field_rows::always(field_rows::names(AlternativeField::victims, "victims", "who would give way")),
    field_rows::number(AlternativeField::cost, "cost", "what it would cost"),
    field_rows::text(AlternativeField::worse, "worse",
                     "the criterion that made it worse; `names` if all are equal"),
    field_rows::custom(AlternativeField::best, "best", "as in `objective`", kValueSchema,
                       "the plan's value of that criterion; not with `names`"),
    field_rows::custom(AlternativeField::value, "value", "as in `objective`", kValueSchema,
                       "its own value of that criterion; not with `names`"),
}}};
inline constexpr ObjectSpec kAlternativeObject{"alternative", "another set of victims",
                                               kAlternativeFields.rows, false};

enum class LeavingField : std::uint8_t { job, user, queue, gpus, since, lost_work };
inline constexpr Fields<LeavingField, 6> kLeavingFields{{{
    field_rows::always(field_rows::name(LeavingField::job, "job", "the job that gives way")),
    field_rows::always_or_null(field_rows::name(LeavingField::user, "user", "whose job it is")),
    field_rows::always(field_rows::name(LeavingField::queue, "queue", "its queue")),
    field_rows::number(LeavingField::gpus, "gpus", "the GPUs that its chosen tasks hold"),
    field_rows::seconds_or_null(LeavingField::since, "since",
                                "since when they run, the first of them; null for a hold"),
    field_rows::number(LeavingField::lost_work, "lost_work",
                       "the work that is lost, in GPU-minutes; node-minutes for tasks without GPUs"),
}}};
inline constexpr ObjectSpec kLeavingObject{"leaving", "what people ask about a victim first",
                                           kLeavingFields.rows, false};

enum class BlockerField : std::uint8_t { job, tasks, node, rule, values };
inline constexpr Fields<BlockerField, 5> kBlockerFields{{{
    field_rows::always(field_rows::name(BlockerField::job, "job", "the job")),
    field_rows::always(field_rows::names(BlockerField::tasks, "tasks", "the tasks of the unit")),
    field_rows::always_or_null(field_rows::name(BlockerField::node, "node", "where it is in the way")),
    field_rows::text(BlockerField::rule, "rule", "the first rule that excludes it"),
    field_rows::text(BlockerField::values, "values", "the values that the rule compared"),
}}};
inline constexpr ObjectSpec kBlockerObject{"blocker", "a unit in the way that may not be taken",
                                           kBlockerFields.rows, false};

enum class MissField : std::uint8_t { place, missing, blocked, blockers, changes };
inline constexpr Fields<MissField, 5> kMissFields{{{
    field_rows::text(MissField::place, "place",
                     "the node, domain, group or queue in which the job comes nearest to fitting once every "
                     "unit that may be taken is gone; empty if no space is missing"),
    field_rows::text(MissField::missing, "missing", "what is missing there"),
    field_rows::count(MissField::blocked, "blocked", "how many units there may not be taken"),
    field_rows::always(field_rows::objects(MissField::blockers, "blockers", kBlockerObject,
                                           "those of them whose leaving would help most")),
    field_rows::written(MissField::changes, "changes", "list of texts",
                        R"("type":"array","items":{"type":"string"})",
                        "changes that would do, the cheapest first: each is enough on its own and was tried"),
}}};
inline constexpr ObjectSpec kMissObject{"nearest_miss", "how near a refused job is to fitting",
                                        kMissFields.rows, false};

enum class MapField : std::uint8_t { id, cells };
inline constexpr Fields<MapField, 2> kMapFields{{{
    field_rows::always(field_rows::name(MapField::id, "id", "the node")),
    field_rows::text(MapField::cells, "cells",
                     "a sign per GPU: . free, ? not known, K kept, V a victim's, + given to the job, * both"),
}}};
inline constexpr ObjectSpec kMapObject{"node_map", "a node that the plan touches", kMapFields.rows, false};

enum class GapField : std::uint8_t { criterion, value, bound };
inline constexpr Fields<GapField, 3> kGapFields{{{
    field_rows::text(GapField::criterion, "criterion", "the first criterion that is not proven"),
    field_rows::written(GapField::value, "value", "as in `objective`", kValueSchema, "its value"),
    field_rows::written(GapField::bound, "bound", "as in `objective`", kValueSchema,
                        "no set that equals this one in the criteria before it has a better value"),
}}};
inline constexpr ObjectSpec kGapObject{"gap", "by how much a plan may be off", kGapFields.rows, false};

enum class WorkField : std::uint8_t { placements };
inline constexpr Fields<WorkField, 1> kWorkFields{{{
    field_rows::count(WorkField::placements, "placements", "the counted work of the search"),
}}};
inline constexpr ObjectSpec kWorkObject{"work", "what the answer took", kWorkFields.rows, false};

enum class PlanField : std::uint8_t {
  format,
  after,
  job,
  subject,
  policy,
  profile,
  cause,
  outcome,
  rule,
  reason,
  victims,
  placement,
  objective,
  proven,
  cost,
  bound,
  optimal,
  gap,
  topology,
  expected_start,
  latest_start,
  units,
  now,
  considered,
  excluded,
  not_needed,
  alternatives,
  leaving,
  nearest_miss,
  nodes,
  work
};
inline constexpr Fields<PlanField, 31> kPlanFields{{{
    field_rows::format(PlanField::format, kPlanFormat),
    field_rows::not_null(
        field_rows::names(PlanField::after, "after",
                          "the requesters whose decisions come first: the plan counts on their space")),
    field_rows::always_or_null(
        field_rows::name(PlanField::job, "job", "the waiting job; null if there is none")),
    field_rows::always_or_null(field_rows::row(
        PlanField::subject, FieldType::raw_text, "for",
        "if there is no job: `node:`, `queue:`, `job:` or `claim:` and the name of what it is for")),
    field_rows::text(PlanField::policy, "policy", "the policy that decided"),
    field_rows::always(field_rows::word(PlanField::profile, "profile", kProfiles, "its profile")),
    field_rows::text(PlanField::cause, "cause", "why anything would have to be preempted"),
    field_rows::always(field_rows::word(PlanField::outcome, "outcome", kOutcomes, "the answer")),
    field_rows::always_or_null(field_rows::row(PlanField::rule, FieldType::raw_text, "rule",
                                               "the rule that decided; null if the outcome is preempt")),
    field_rows::text(PlanField::reason, "reason", "one sentence that a person can act on"),
    field_rows::always(field_rows::objects(PlanField::victims, "victims", kPlanVictimObject,
                                           "who gives way, ordered by name")),
    field_rows::always(
        field_rows::objects(PlanField::placement, "placement", kPlacedObject, "where each task goes")),
    field_rows::written(PlanField::objective, "objective", "list of pairs", kObjectiveSchema,
                        "the criteria, each with its value: a number, counts of values, or start times"),
    field_rows::count(PlanField::proven, "proven", "how many of the first criteria are proven best"),
    field_rows::number(PlanField::cost, "cost", "what all victims cost"),
    field_rows::always_or_null(
        field_rows::custom(PlanField::bound, "bound", "number, or null", R"("type":["number","null"])",
                           "no set of victims costs less; null where the profile does not compare costs")),
    field_rows::always(field_rows::flag(PlanField::optimal, "optimal",
                                        "whether no set is better up to the number of victims")),
    field_rows::not_null(field_rows::object(PlanField::gap, "gap", kGapObject,
                                            "if not optimal: how much better another set could be")),
    field_rows::always(field_rows::object(PlanField::topology, "topology", kPlanTopologyObject,
                                          "what became of the job's `require`")),
    field_rows::seconds_or_null(PlanField::expected_start, "expected_start",
                                "when the job can probably start"),
    field_rows::seconds_or_null(PlanField::latest_start, "latest_start", "when it can start at the latest"),
    field_rows::count(PlanField::units, "units", "how many running units were looked at"),
    field_rows::custom(PlanField::now, "now", "time", kSecondsSchema, "explained: the time of the decision"),
    field_rows::custom(PlanField::considered, "considered", "numbers by rule", kCountSchema,
                       "explained: how many units each rule excluded"),
    field_rows::not_null(field_rows::objects(PlanField::excluded, "excluded", kExcludedObject,
                                             "explained: the units that a rule excluded")),
    field_rows::not_null(field_rows::objects(PlanField::not_needed, "not_needed", kNotNeededObject,
                                             "explained: the units that could be taken and are not needed")),
    field_rows::not_null(field_rows::objects(PlanField::alternatives, "alternatives", kAlternativeObject,
                                             "explained: the next best sets of victims, at most 5")),
    field_rows::not_null(field_rows::objects(PlanField::leaving, "leaving", kLeavingObject,
                                             "explained: about each victim, in their order")),
    field_rows::object(PlanField::nearest_miss, "nearest_miss", kMissObject,
                       "explained: what is missing if the answer is no; else null"),
    field_rows::not_null(field_rows::objects(PlanField::nodes, "nodes", kMapObject,
                                             "explained: the nodes that the plan touches")),
    field_rows::not_null(
        field_rows::object(PlanField::work, "work", kWorkObject, "explained: what the answer took")),
}}};
inline constexpr ObjectSpec kPlanObject{"plan", "the answer to one question", kPlanFields.rows, false};

enum class BatchField : std::uint8_t { format, batch };
inline constexpr Fields<BatchField, 2> kBatchFields{{{
    field_rows::format(BatchField::format, kPlanFormat),
    field_rows::always(
        field_rows::objects(BatchField::batch, "batch", kPlanObject, "the plans in their order")),
}}};
inline constexpr ObjectSpec kBatchObject{"batch", "the answers to a batch of questions", kBatchFields.rows,
                                         false};

}  // namespace cede
