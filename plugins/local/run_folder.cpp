// SPDX-License-Identifier: MIT
#include "run_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "cli/message_text.h"
#include "file_io.h"

namespace local {

namespace {

// What the manager and the supervisors read or write. A job may put anything else beside it.
constexpr std::array<std::string_view, 7> kFiles{"scenario.json", "journal", "lock", "owner",
                                                 "metrics",       "tasks",   "state"};
constexpr std::array<std::string_view, 7> kAttemptFiles{"launch", "supervisor", "process", "control",
                                                        "hint",   "exit",       "output"};

// With a slash behind it, a link would be followed.
std::string without_slashes(std::string name) {
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

std::string mode_text(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

// Empty, or why the file cannot be trusted. A file that does not exist is no fault.
std::string trust_fault(const std::string& name) {
  struct stat status {};
  if (::lstat(name.c_str(), &status) != 0) {
    return errno == ENOENT ? "" : "cannot look at " + cli::quote(name) + ": " + std::strerror(errno);
  }
  if (S_ISLNK(status.st_mode)) return cli::quote(name) + " is a link; a run that is resumed has none";
  if (status.st_uid != ::geteuid()) {
    return cli::quote(name) + " belongs to user " + std::to_string(status.st_uid) + ", not to user " +
           std::to_string(::geteuid()) + "; a run is resumed by its owner only";
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return cli::quote(name) + " can be written by others (mode " + mode_text(status.st_mode) +
           "); a run is resumed only where that is not so";
  }
  return {};
}

std::string trust_faults(const std::string& folder) {
  std::string fault;
  for (const std::string_view name : kFiles) {
    fault = trust_fault(folder + '/' + std::string(name));
    if (!fault.empty()) return fault;
  }
  std::error_code error;
  for (const auto& attempt : std::filesystem::directory_iterator(folder + "/tasks", error)) {
    fault = trust_fault(attempt.path());
    for (const std::string_view name : kAttemptFiles) {
      if (fault.empty()) fault = trust_fault(attempt.path() / name);
    }
    if (!fault.empty()) return fault;
  }
  return {};
}

bool is_link(const std::string& name) {
  struct stat status {};
  return ::lstat(name.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

std::string RunFolder::resolve() {
  char* real = ::realpath(path_.c_str(), nullptr);
  if (!real) return "cannot use the folder " + cli::quote(path_) + ": " + std::strerror(errno);
  path_ = real;
  std::free(real);
  return {};
}

std::string RunFolder::make(const std::optional<std::string>& named) {
  if (named) {
    path_ = without_slashes(*named);
    if (is_link(path_)) return cli::quote(path_) + " is a link; name the folder itself";
    if (Fault fault = make_folder(path_)) return fault.text;
    // An existing empty folder is made anew, so that it belongs to this user and is closed to others.
    if (::rmdir(path_.c_str()) != 0) {
      return errno == ENOTEMPTY || errno == EEXIST
                 ? "the folder " + cli::quote(path_) + " is not empty; 'cede run --resume' goes on with a run"
                 : "cannot use the folder " + cli::quote(path_) + ": " + std::strerror(errno);
    }
    if (Fault fault = make_folder(path_)) return fault.text;
    return resolve();
  }
  const char* base = std::getenv("TMPDIR");
  path_ = std::string(base && *base ? base : "/tmp") + "/cede-run-XXXXXX";
  if (!::mkdtemp(path_.data())) return "cannot make a folder like '" + path_ + "': " + std::strerror(errno);
  temporary_ = true;
  return resolve();
}

std::string RunFolder::open(const std::string& named) {
  path_ = without_slashes(named);
  if (!exists(path_)) return "cannot resume " + cli::quote(path_) + ": " + std::strerror(errno);
  if (is_link(path_)) return cli::quote(path_) + " is a link; name the folder itself";
  if (std::string fault = resolve(); !fault.empty()) return fault;
  if (std::string fault = trust_fault(path_); !fault.empty()) return fault;
  // From here on no other user can change what is in it.
  if (!exists(path_ + "/scenario.json")) return "there is no run in the folder " + cli::quote(path_);
  return trust_faults(path_);
}

void RunFolder::finish() const {
  if (temporary_) remove_folder(path_);
}

}  // namespace local
