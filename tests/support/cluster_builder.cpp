// SPDX-License-Identifier: MIT
#include "support/cluster_builder.h"

namespace cede {

namespace {

void append(std::string& list, std::string_view text) {
  if (text.empty()) return;
  if (!list.empty()) list += ',';
  list += text;
}

JsonObject& add_object(std::deque<JsonObject>& objects, std::string_view id) {
  return objects.emplace_back().put("id", id);
}

JsonList list_of(const std::deque<JsonObject>& objects) {
  JsonList list;
  for (const JsonObject& object : objects) list.add(object);
  return list;
}

}  // namespace

Json::Json(std::string_view value) {
  text_.reserve(value.size() + 2);
  text_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

Json Json::raw(std::string_view text) {
  Json out;
  out.text_ = text;
  return out;
}

JsonObject& JsonObject::put(std::string_view key, const Json& value) {
  append(members_, Json(key).text());
  members_ += ':';
  members_ += value.text();
  return *this;
}

JsonObject& JsonObject::put(std::initializer_list<Member> members) {
  for (const Member& member : members) put(member.key, member.value);
  return *this;
}

JsonObject& JsonObject::put_all(const JsonObject& other) {
  append(members_, other.members_);
  return *this;
}

bool JsonObject::has(std::string_view key) const {
  return members_.find(Json(key).text() + ':') != std::string::npos;
}

JsonList& JsonList::add(const Json& value) { return add_raw(value.text()); }

JsonList& JsonList::add_raw(std::string_view values) {
  append(values_, values);
  return *this;
}

JsonList number_list(std::uint64_t first, std::uint64_t count) {
  JsonList list;
  for (std::uint64_t i = 0; i < count; ++i) list.add(first + i);
  return list;
}

JsonObject& ClusterBuilder::topology(std::string_view name) {
  return topologies.emplace_back(name, JsonObject{}).second;
}

JsonObject& ClusterBuilder::domain(std::string_view id, std::string_view level, std::string_view parent) {
  JsonObject& domain = add_object(domains, id).put("level", level);
  return parent.empty() ? domain : domain.put("parent", parent);
}

JsonObject& ClusterBuilder::group(std::string_view id) { return add_object(groups, id); }

JsonObject& ClusterBuilder::queue(std::string_view id, std::string_view parent) {
  JsonObject& queue = add_object(queues, id);
  return parent.empty() ? queue : queue.put("parent", parent);
}

JsonObject& ClusterBuilder::node(std::string_view id, const JsonObject& resources) {
  return add_object(nodes, id).put("resources", resources);
}

JsonObject& ClusterBuilder::job(std::string_view id, std::string_view queue) {
  JsonObject& job = add_object(jobs, id);
  return queue.empty() ? job : job.put("queue", queue);
}

JsonObject& ClusterBuilder::reservation(std::string_view id) { return add_object(reservations, id); }

JsonObject ClusterBuilder::sections() const {
  JsonObject out;
  if (!topologies.empty()) {
    JsonObject by_name;
    for (const auto& [name, topology] : topologies) by_name.put(name, topology);
    out.put("topologies", by_name);
  }
  if (!levels.empty() || !domains.empty()) {
    JsonObject network;
    if (!levels.empty()) network.put("levels", levels);
    out.put("network", network.put("domains", list_of(domains)));
  }
  if (!groups.empty()) out.put("groups", list_of(groups));
  if (!queues.empty()) out.put("queues", list_of(queues));
  if (!nodes.empty()) out.put("nodes", list_of(nodes));
  if (!reservations.empty()) out.put("reservations", list_of(reservations));
  if (!jobs.empty()) out.put("jobs", list_of(jobs));
  return out;
}

std::string ClusterBuilder::text() const {
  JsonObject out{{"format", "cede-cluster/1"}};
  if (now) out.put("now", *now);
  return out.put_all(sections()).put_all(document).text();
}

std::string ClusterBuilder::changes() const {
  JsonObject out{{"format", "cede-changes/1"}};
  if (now) out.put("now", *now);
  return out.put("put", sections()).put_all(document).text();
}

std::string policy_text(std::string_view profile, const JsonObject& settings, const JsonObject& limits) {
  const JsonObject policy{{"profile", profile}, {"settings", settings}};
  JsonObject out{{"format", "cede-policy/1"}, {"policies", JsonObject{{"default", policy}}}};
  if (!limits.empty()) out.put("limits", limits);
  return out.text();
}

}  // namespace cede
