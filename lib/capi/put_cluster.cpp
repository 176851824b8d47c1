// SPDX-License-Identifier: MIT
// The arrays of all objects without tasks.
#include <limits>

#include "capi/array_in.h"
#include "model/limits.h"

using cede::ArrayEdit;
using cede::Kind;
using cede::kNoName;
using cede::PartKind;
using cede::capi::ArrayIn;
using cede::capi::is_of_today;
using cede::capi::put_array;

namespace {

// Puts the draft. A draft without a name is skipped but keeps its index.
template <class Draft>
void put_named(ArrayEdit& arrays, Kind kind, Draft& draft) {
  if (draft.row.name != kNoName) return arrays.edit().put(draft);
  arrays.fail("id", "missing");
  arrays.edit().skip(kind);
}

}  // namespace

int32_t cede_engine_put_groups(cede_engine* engine, const cede_group* groups, size_t group_size,
                               size_t group_count, cede_error* error) {
  return put_array(engine, ArrayIn<cede_group>(groups, group_size, group_count), "group",
                   &cede::Limits::max_groups, error, [](ArrayEdit& arrays, const cede_group& from) {
                     is_of_today(arrays, from.reserved, 0, 0);
                     cede::GroupDraft draft;
                     draft.row.name = arrays.name(from.name, "id");
                     draft.row.policy = arrays.name(from.policy, "policy");
                     draft.row.resources = arrays.shape(from.resources, false, "resources");
                     put_named(arrays, Kind::group, draft);
                   });
}

int32_t cede_engine_put_domains(cede_engine* engine, const cede_domain* domains, size_t domain_size,
                                size_t domain_count, cede_error* error) {
  return put_array(engine, ArrayIn<cede_domain>(domains, domain_size, domain_count), "domain",
                   &cede::Limits::max_domains, error, [](ArrayEdit& arrays, const cede_domain& from) {
                     is_of_today(arrays, from.reserved, 0, 0);
                     cede::DomainDraft draft;
                     draft.row.name = arrays.name(from.name, "id");
                     draft.level = arrays.name(from.level, "level");
                     draft.parent = arrays.name(from.parent, "parent");
                     if (draft.level == kNoName)
                       arrays.fail("level", "missing; the name of a level is wanted");
                     put_named(arrays, Kind::domain, draft);
                   });
}

int32_t cede_engine_put_queues(cede_engine* engine, const cede_queue* queues, size_t queue_size,
                               size_t queue_count, cede_error* error) {
  return put_array(
      engine, ArrayIn<cede_queue>(queues, queue_size, queue_count), "queue", &cede::Limits::max_queues, error,
      [](ArrayEdit& arrays, const cede_queue& from) {
        is_of_today(arrays, from.reserved, from.zero, CEDE_ZERO_FAIR_SHARE);
        cede::QueueDraft draft;
        cede::QueueRow& row = draft.row;
        row.name = arrays.name(from.name, "id");
        draft.parent = arrays.name(from.parent, "parent");
        row.guaranteed = arrays.shape(from.guaranteed, true, "guaranteed");
        row.max = arrays.shape(from.max, true, "max");
        row.settings = arrays.bytes(PartKind::queue_settings, from.settings, "settings");
        row.weight = arrays.number(from.weight, false, 1, cede::kMaxWeight, cede::kNoAmount, "weight");
        row.delay =
            arrays.number(from.delay, false, 1, cede::kMaxDuration, cede::kNoDuration, "preemption.delay");
        row.fair_share = arrays.number(from.fair_share, (from.zero & CEDE_ZERO_FAIR_SHARE) != 0, 0,
                                       cede::kWholeShare, row.fair_share, "fair_share");
        row.kind = arrays.word(from.kind, cede::kJobKinds, cede::JobKind::absent, "kind");
        row.policy =
            arrays.word(from.policy, cede::kQueuePolicies, cede::QueuePolicy::absent, "preemption.policy");
        row.priority_offset = from.priority_offset;
        put_named(arrays, Kind::queue, draft);
      });
}

int32_t cede_engine_put_nodes(cede_engine* engine, const cede_node* nodes, size_t node_size,
                              size_t node_count, cede_error* error) {
  cede::NodeDraft draft;
  return put_array(
      engine, ArrayIn<cede_node>(nodes, node_size, node_count), "node", &cede::Limits::max_nodes, error,
      [&draft](ArrayEdit& arrays, const cede_node& from) {
        is_of_today(arrays, from.reserved, from.zero, CEDE_ZERO_FINGERPRINT_AT | CEDE_ZERO_OVERCOMMIT_SINCE);
        cede::NodeRow& row = draft.row;
        row = cede::NodeRow{};
        draft.network.clear();
        row.name = arrays.name(from.name, "id");
        draft.group = arrays.name(from.group, "group");
        row.resources = arrays.shape(from.resources, false, "resources");
        draft.topology = arrays.name(from.topology, "topology");
        if (from.domain != 0) draft.network.push_back(arrays.name(from.domain, "network"));
        arrays.list(from.network, "network", draft.network);
        draft.home = arrays.name(from.home, "home");
        row.fingerprint = arrays.bytes(PartKind::fingerprint, from.fingerprint, "fingerprint");
        row.labels = arrays.bytes(PartKind::labels, from.labels, "labels");
        row.state = arrays.word(from.state, cede::kNodeStates, cede::NodeState::up, "state");
        row.fingerprint_at =
            arrays.time(from.fingerprint_at, (from.zero & CEDE_ZERO_FINGERPRINT_AT) != 0, "fingerprint_at");
        draft.overcommit_since = arrays.time(
            from.overcommit_since, (from.zero & CEDE_ZERO_OVERCOMMIT_SINCE) != 0, "overcommit_since");
        put_named(arrays, Kind::node, draft);
      });
}

int32_t cede_engine_put_reservations(cede_engine* engine, const cede_reservation* reservations,
                                     size_t reservation_size, size_t reservation_count, cede_error* error) {
  return put_array(engine, ArrayIn<cede_reservation>(reservations, reservation_size, reservation_count),
                   "reservation", &cede::Limits::max_reservations, error,
                   [](ArrayEdit& arrays, const cede_reservation& from) {
                     is_of_today(arrays, 0, from.zero, CEDE_ZERO_FROM | CEDE_ZERO_UNTIL);
                     cede::ReservationDraft draft;
                     cede::ReservationRow& row = draft.row;
                     row.name = arrays.name(from.name, "id");
                     if (from.nodes == 0) arrays.fail("nodes", "missing");
                     arrays.list(from.nodes, "nodes", draft.nodes);
                     row.from = arrays.time(from.from, (from.zero & CEDE_ZERO_FROM) != 0, "from");
                     if (row.from == cede::kNoTime) arrays.fail("from", "missing; a time is wanted");
                     row.until = arrays.time(from.until, (from.zero & CEDE_ZERO_UNTIL) != 0, "until");
                     if ((from.queue != 0) + (from.user != 0) + (from.job != 0) > 1)
                       arrays.fail("for", "a reservation is for one party only");
                     draft.queue = arrays.name(from.queue, "for.queue");
                     row.user = arrays.name(from.user, "for.user");
                     row.job = arrays.job_name(from.job, "for.job");
                     if (from.queue != 0) row.reserved_for = cede::ReservedFor::queue;
                     if (from.user != 0) row.reserved_for = cede::ReservedFor::user;
                     if (from.job != 0) row.reserved_for = cede::ReservedFor::job;
                     put_named(arrays, Kind::reservation, draft);
                   });
}
