// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace local {

// The folder of a run: a new one named by the user, a temporary one, or that of a run to resume.
class RunFolder {
 public:
  // Each empty, or why not.
  std::string make(const std::optional<std::string>& named);
  // Whoever can write into the folder decides what runs as the user who resumes it. So it must belong to this
  // user, others must not be able to write to it, and it must hold no links.
  std::string open(const std::string& named);

  // Absolute, without links.
  const std::string& path() const { return path_; }
  // Removes it if it is temporary.
  void finish() const;

 private:
  std::string resolve();

  std::string path_;
  bool temporary_ = false;
};

}  // namespace local
