// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cede {

// One JSON value, kept as its text. Numbers, truth values and texts convert by themselves.
class Json {
 public:
  Json(bool value) : text_(value ? "true" : "false") {}
  template <std::integral Number>
  Json(Number value) : text_(std::to_string(value)) {}
  Json(std::string_view value);
  Json(const char* value) : Json(std::string_view(value)) {}
  Json(const std::string& value) : Json(std::string_view(value)) {}

  // A value that is JSON already.
  static Json raw(std::string_view text);

  const std::string& text() const { return text_; }

 private:
  Json() = default;
  std::string text_;
};

// A JSON object to which members are added at the end. Nothing is checked: a test may want a mistake.
class JsonObject {
 public:
  struct Member {
    std::string_view key;
    Json value;
  };
  JsonObject() = default;
  JsonObject(std::initializer_list<Member> members) { put(members); }
  // Members as they stand in a document: `"priority":3,"class":2`.
  JsonObject(std::string_view members) : members_(members) {}
  JsonObject(const char* members) : members_(members) {}
  JsonObject(std::string members) : members_(std::move(members)) {}

  JsonObject& put(std::string_view key, const Json& value);
  JsonObject& put(std::initializer_list<Member> members);
  JsonObject& put_all(const JsonObject& other);
  // Also true if an inner object has such a member.
  bool has(std::string_view key) const;
  bool empty() const { return members_.empty(); }

  const std::string& members() const { return members_; }
  std::string text() const { return '{' + members_ + '}'; }
  operator Json() const { return Json::raw(text()); }

 private:
  std::string members_;
};

class JsonList {
 public:
  JsonList() = default;
  JsonList(std::initializer_list<Json> values) {
    for (const Json& value : values) add(value);
  }

  JsonList& add(const Json& value);
  // Values as they stand in a document: `{"count":2},{"count":1}`.
  JsonList& add_raw(std::string_view values);
  bool empty() const { return values_.empty(); }

  std::string text() const { return '[' + values_ + ']'; }
  operator Json() const { return Json::raw(text()); }

 private:
  std::string values_;
};

// The first `count` numbers from `first` on: devices, mostly.
JsonList number_list(std::uint64_t first, std::uint64_t count);

// A cluster document. Each function adds one object with what it cannot do without and returns it, so that
// the caller can go on: `cluster.node("n1", {{"gpu", 8}}).put("state", "drain")`. The objects stay where they
// are.
class ClusterBuilder {
 public:
  ClusterBuilder() = default;
  explicit ClusterBuilder(std::int64_t seconds) : now(seconds) {}

  JsonObject& topology(std::string_view name);
  JsonObject& domain(std::string_view id, std::string_view level, std::string_view parent = {});
  JsonObject& group(std::string_view id = "g");
  JsonObject& queue(std::string_view id, std::string_view parent = {});
  JsonObject& node(std::string_view id, const JsonObject& resources);
  // Without a name of a queue the caller adds that member.
  JsonObject& job(std::string_view id, std::string_view queue = "root");
  JsonObject& reservation(std::string_view id);

  std::string text() const;
  // The same objects as changes to another cluster.
  std::string changes() const;

  std::optional<std::int64_t> now;
  JsonObject document;  // further members of the document itself
  JsonList levels;      // of the network, from the lowest; a document without any has no network
  std::deque<std::pair<std::string, JsonObject>> topologies;
  std::deque<JsonObject> domains, groups, queues, nodes, jobs, reservations;

 private:
  JsonObject sections() const;
};

// A policy document with one policy, `default`.
std::string policy_text(std::string_view profile, const JsonObject& settings = {},
                        const JsonObject& limits = {});

}  // namespace cede
