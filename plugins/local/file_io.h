// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace local {

// None of these functions follows a link at the end of a name: a run's folder must hold only the run's files.

// The content of a small file; empty if there is none, if it is not a regular file, or if it has more than
// `most` bytes.
std::optional<std::string> read_small(const std::string& name, std::size_t most = std::size_t{1} << 20);

// The same for a file of any size. 0 or the errno: ELOOP for a link, EINVAL for what is not a regular file.
int read_whole(const std::string& name, std::string& text);

// The same for a file in /proc. 0 or the errno.
int read_proc(const std::string& name, std::string& text);

bool exists(const std::string& name);

// Why a file or process operation failed; converts to false if it did not.
struct Fault {
  int number = 0;      // errno
  std::string text{};  // with the file's name

  explicit operator bool() const { return number != 0; }
  // Whether a later try may succeed, for example because the disk is full now.
  bool may_pass() const;
};

// Replaces a file atomically. `lasting`: it also survives a power cut.
Fault replace_file(const std::string& name, std::string_view text, bool lasting);

// The same, but EEXIST if the file exists: if several processes try, one succeeds.
Fault create_file(const std::string& name, std::string_view text);

// Makes a folder if there is none. It is a fault if the name is a link or a file.
Fault make_folder(const std::string& name);

// Removes temporary files of a process that was killed. No other process may be writing files there.
void remove_unfinished(const std::string& folder);

// Removes everything in a folder but not the folder.
void empty_folder(const std::string& name);
void remove_folder(const std::string& name);

}  // namespace local
