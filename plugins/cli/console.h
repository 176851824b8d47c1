// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cli {

inline constexpr int kYes = 0;
inline constexpr int kNo = 1;
inline constexpr int kError = 2;

enum class Color { automatic, always, never };
enum class Style { bold, red, green, yellow };

// Standard output and standard error of one run, with colour if wanted. It reports write errors.
class Console {
 public:
  Console();

  void set_color(Color color) { color_ = color; }
  bool errors_on_terminal() const { return err_terminal_; }
  // Whether standard output is a terminal that can be drawn on, and whether colour is wanted there.
  bool can_draw() const { return out_terminal_ && !dumb_; }
  bool has_color() const { return colored(out_terminal_); }
  // Columns for people: the terminal's, or 100 when there is none.
  std::size_t columns() const;

  std::string paint_out(Style style, std::string_view text) const {
    return paint(out_terminal_, style, text);
  }
  std::string paint_err(Style style, std::string_view text) const {
    return paint(err_terminal_, style, text);
  }

  // Buffered until the end or until a line goes to standard error, so that both appear in the order written.
  void out(std::string_view text);
  // Writes the buffer now.
  void flush();
  void err_line(std::string_view text);

  // `cede: text` on standard error; returns the exit status of an error.
  int fail(std::string_view text);

  // The last call: writes the buffer. Returns the exit status, which is an error if writing failed.
  int finish(int status);

 private:
  bool colored(bool terminal) const {
    return color_ == Color::always || (color_ == Color::automatic && terminal && color_wanted_);
  }
  std::string paint(bool terminal, Style style, std::string_view text) const;

  Color color_ = Color::automatic;
  bool out_terminal_;
  bool err_terminal_;
  bool dumb_;
  bool color_wanted_;
  std::string kept_;
  int out_errno_ = 0;
};

// If the caller closed one of the descriptors 0 to 2, opens one there that always fails; otherwise a file
// opened later would receive messages. Ignores SIGPIPE and SIGXFSZ, so that writing fails instead of ending
// the process.
void secure_standard_streams();

// Writes all bytes, also after interruptions and partial writes; 0 or the errno.
int write_all(int descriptor, std::string_view bytes);

}  // namespace cli
