// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace local {

// Where a run lies: a new folder, named by the user or one that goes when the run has ended, or that of a run
// to go on with.
class RunFolder {
 public:
  // Each empty, or why not.
  std::string make(const std::optional<std::string>& named);
  // Whoever may write into such a folder decides what runs as the user who resumes it: it has to be this
  // user's, closed to others, and without links.
  std::string open(const std::string& named);

  // Absolute, without links.
  const std::string& path() const { return path_; }
  // Removes it if nobody asked to keep it.
  void finish() const;

 private:
  std::string resolve();

  std::string path_;
  bool temporary_ = false;
};

}  // namespace local
