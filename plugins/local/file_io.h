// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace local {

// None of these follows a link at the end of a name: what lies in a run's folder is what the run put there.

// The whole of a small file; empty where there is none, where it is no regular file, or where it has more
// than `most` bytes.
std::optional<std::string> read_small(const std::string& name, std::size_t most = std::size_t{1} << 20);

// The same for a file of any size. 0, or the errno of what is wrong: ELOOP of a link, EINVAL of what is no
// file.
int read_whole(const std::string& name, std::string& text);

// A file that the kernel makes up. 0 or the errno.
int read_proc(const std::string& name, std::string& text);

bool exists(const std::string& name);

// Why something could not be done with a file or a process; false where it could.
struct Fault {
  int number = 0;      // errno
  std::string text{};  // with the file's name

  explicit operator bool() const { return number != 0; }
  // Whether the next try may succeed without anybody changing the run: the disk is full, say.
  bool may_pass() const;
};

// Puts a file there whole or not at all. `lasting`: it also survives a power cut.
Fault replace_file(const std::string& name, std::string_view text, bool lasting);

// The same, but EEXIST where there is such a file already: of several who try, one succeeds.
Fault create_file(const std::string& name, std::string_view text);

// Makes a folder; that it is there already is no fault, that it is a link or a file is.
Fault make_folder(const std::string& name);

// Removes what a process that was killed did not finish putting there. Nobody else may be putting anything.
void remove_unfinished(const std::string& folder);

// Removes everything in a folder but not the folder.
void empty_folder(const std::string& name);
void remove_folder(const std::string& name);

}  // namespace local
