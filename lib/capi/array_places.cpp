// SPDX-License-Identifier: MIT
#include "capi/array_places.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace cede::capi {

namespace {

// What follows these members is inside a part that was given as JSON.
constexpr std::array<std::string_view, 4> kParts{"settings", "require", "labels", "fingerprint"};

// The steps behind the element as the struct has them.
Path fields_of(const Path& path, std::size_t from) {
  Path out(path.begin(), path.begin() + static_cast<Path::difference_type>(from));
  for (std::size_t i = from; i < path.size(); ++i) {
    const std::string& key = path[i].key;
    const std::string_view next =
        i + 1 < path.size() ? std::string_view(path[i + 1].key) : std::string_view();
    if (key == "id") {
      out.push_back(PathStep::member("name"));
    } else if (key == "class") {
      out.push_back(PathStep::member("job_class"));
    } else if (key == "checkpoint" && !next.empty()) {
      out.push_back(PathStep::member("checkpoint_" + std::string(next)));
      ++i;
    } else if ((key == "preemption" || key == "for") && !next.empty()) {
      out.push_back(PathStep::member(next));
      ++i;
    } else if (key == "for") {
      out.push_back(PathStep::member("queue"));  // the first of the fields that say for whom
    } else if (key == "gpus" && (next == "share" || next == "index")) {
      out.push_back(PathStep::member(next == "share" ? "share" : "share_device"));
      ++i;
    } else {
      out.push_back(path[i]);
      if (std::find(kParts.begin(), kParts.end(), key) == kParts.end()) continue;
      out.insert(out.end(), path.begin() + static_cast<Path::difference_type>(i) + 1, path.end());
      break;
    }
  }
  return out;
}

}  // namespace

void use_field_names(Problems& problems) {
  // The first two steps are the list and the element, or the name of what was put earlier.
  for (Problem& problem : problems.all()) {
    if (problem.path.size() > 2) problem.path = fields_of(problem.path, 2);
  }
}

}  // namespace cede::capi
