// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "model/edit.h"

namespace cede {

namespace {

// The task entry whose `count` brings about `id#number`, or -1.
std::int64_t counted_as(const JobDraft& draft, const InternTable& names, std::string_view id,
                        std::string_view number) {
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (error != std::errc{} || end != number.data() + number.size()) return -1;
  for (std::size_t k = 0; k < draft.tasks.size(); ++k) {
    const TaskDraft& task = draft.tasks[k];
    if (!task.core.counted || index >= task.core.count) continue;
    const NameId name = task.extras.name;
    if (name == kNoName ? id == "t" + std::to_string(k) : names.view(name) == id)
      return static_cast<std::int64_t>(k);
  }
  return -1;
}

// The position that `t17` stands for, or one that no task has.
std::uint32_t position_in(std::string_view text) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  if (text.size() < 2 || text.size() > 8 || text[0] != 't') return kNone;
  std::uint32_t position = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), position);
  return error == std::errc{} && end == text.data() + text.size() ? position : kNone;
}

}  // namespace

// Task ids are unique in their job. Those without a name are `t` and their position, which a given name may
// equal.
void ModelEdit::check_task_names(const JobDraft& draft) {
  const auto name = [&](std::uint32_t i) { return draft.tasks[i].extras.name; };
  const auto path = [&](std::uint32_t position) {
    Path path = at(Kind::job, jobs_.size(), "tasks");
    path.push_back(PathStep::element(position));
    path.push_back(PathStep::member("id"));
    return path;
  };
  std::vector<std::uint32_t>& order = tasks_by_name_;
  order.clear();
  for (std::uint32_t k = 0; k < draft.tasks.size(); ++k) {
    const TaskDraft& task = draft.tasks[k];
    if (name(k) == kNoName) continue;
    order.push_back(k);
    if (!task.core.counted) continue;
    const std::size_t longest = model_.name(name(k)).size() + 1 + std::to_string(task.core.count - 1).size();
    if (longest > kMaxNameBytes) {
      fail(path(k),
           "with '#' and a number behind it, it is longer than " + std::to_string(kMaxNameBytes) + " bytes");
    }
  }
  if (draft.tasks.size() < 2) return;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::pair(name(a), a) < std::pair(name(b), b); });
  const auto twice = [&](std::uint32_t position, std::uint32_t other, std::string_view text) {
    fail(path(position), quote(text) + " is also the id of tasks[" + std::to_string(other) + ']');
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string_view text = model_.name(name(order[i]));
    if (i > 0 && name(order[i]) == name(order[i - 1])) twice(order[i], order[i - 1], text);
    if (const std::size_t hash = text.rfind('#'); hash != std::string_view::npos) {
      const std::int64_t other = counted_as(draft, model_.names, text.substr(0, hash), text.substr(hash + 1));
      if (other >= 0) twice(order[i], static_cast<std::uint32_t>(other), text);
    }
    const std::uint32_t position = position_in(text);
    if (position < draft.tasks.size() && name(position) == kNoName && text == "t" + std::to_string(position))
      twice(order[i], position, text);
  }
}

}  // namespace cede
