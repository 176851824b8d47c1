// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "manager.h"
#include "run_event.h"

namespace local {

// Draws a run as lines of text with colours, for a terminal of a given size.
class View {
 public:
  explicit View(bool color) : color_(color) {}

  // At most `rows` lines of at most `columns` characters each.
  std::vector<std::string> frame(const Manager& manager, const std::vector<RunEvent>& events,
                                 std::size_t columns, std::size_t rows);

 private:
  // A line being built; it never exceeds the width.
  class Line {
   public:
    Line(std::size_t columns, bool color) : room_(columns), color_(color) {}
    Line& add(std::string_view text, std::string_view style = {});
    Line& pad_to(std::size_t column);
    std::string take() { return std::move(out_); }

   private:
    std::string out_;
    std::size_t room_;
    std::size_t used_ = 0;
    bool color_;
  };

  Line line() const { return Line(columns_, color_); }
  void heading(const Manager& manager);
  void map(const Manager& manager);
  void add_node(const Manager& manager, const NodeSpec& node, std::size_t column, Line& line);
  void queue(const Manager& manager, std::size_t most);
  void in_flight(const Manager& manager, std::size_t most);
  void events_that_wait(const Manager& manager, std::size_t most);
  void last_events(const std::vector<RunEvent>& events, std::size_t most);
  std::string style_of(std::size_t job) const;
  static char letter_of(std::size_t job);

  bool color_;
  std::size_t columns_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace local
