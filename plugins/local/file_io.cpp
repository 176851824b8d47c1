// SPDX-License-Identifier: MIT
#include "file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "cli/console.h"

namespace local {

namespace {

// The folder's own entry has to last too.
int sync_folder_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : name.substr(0, slash);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int fault = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return fault;
}

// Writes under a name of its own. 0 or the errno.
int write_beside(const std::string& name, std::string_view text, bool lasting) {
  // A file of this name is left over from a process that was killed.
  ::unlink(name.c_str());
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  int fault = cli::write_all(descriptor, text);
  if (fault == 0 && lasting && ::fsync(descriptor) != 0) fault = errno;
  if (::close(descriptor) != 0 && fault == 0) fault = errno;
  return fault;
}

// 0 or the errno; EFBIG if there is more.
int read_up_to(const std::string& name, std::size_t most, bool a_file, std::string& text) {
  // Not blocking, because the name may be a pipe.
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return errno;
  struct stat status {};
  int fault = ::fstat(descriptor, &status) == 0 ? 0 : errno;
  if (fault == 0 && a_file && !S_ISREG(status.st_mode)) fault = EINVAL;
  text.clear();
  char buffer[4096];
  while (fault == 0) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fault = errno;
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > most) fault = EFBIG;
  }
  ::close(descriptor);
  return fault;
}

constexpr const char* kUnfinished = ".new-";

std::string temporary_name(const std::string& name) {
  return name + kUnfinished + std::to_string(::getpid());
}

}  // namespace

int read_whole(const std::string& name, std::string& text) {
  return read_up_to(name, std::numeric_limits<std::size_t>::max(), true, text);
}

int read_proc(const std::string& name, std::string& text) {
  return read_up_to(name, std::numeric_limits<std::size_t>::max(), false, text);
}

std::optional<std::string> read_small(const std::string& name, std::size_t most) {
  std::string text;
  return read_up_to(name, most, true, text) == 0 ? std::optional(std::move(text)) : std::nullopt;
}

bool exists(const std::string& name) {
  struct stat status {};
  return ::lstat(name.c_str(), &status) == 0;
}

bool Fault::may_pass() const {
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case ENOMEM:
    case EAGAIN:
    case EMFILE:
    case ENFILE: return true;
    default: return false;
  }
}

Fault replace_file(const std::string& name, std::string_view text, bool lasting) {
  const std::string temporary = temporary_name(name);
  int fault = write_beside(temporary, text, lasting);
  if (fault == 0 && std::rename(temporary.c_str(), name.c_str()) != 0) fault = errno;
  if (fault == 0 && lasting) fault = sync_folder_of(name);
  if (fault == 0) return {};
  ::unlink(temporary.c_str());
  return {fault, "cannot write '" + name + "': " + std::strerror(fault)};
}

Fault create_file(const std::string& name, std::string_view text) {
  const std::string temporary = temporary_name(name);
  int fault = write_beside(temporary, text, false);
  if (fault == 0 && ::link(temporary.c_str(), name.c_str()) != 0) fault = errno;
  ::unlink(temporary.c_str());
  if (fault == 0) return {};
  return {fault, "cannot write '" + name + "': " + std::strerror(fault)};
}

Fault make_folder(const std::string& name) {
  if (::mkdir(name.c_str(), 0700) == 0) return {};
  const int fault = errno;
  struct stat status {};
  if (fault == EEXIST && ::lstat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return {};
  return {fault, "cannot make the folder '" + name + "': " + std::strerror(fault)};
}

void remove_unfinished(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().find(kUnfinished) != std::string::npos)
      ::unlink(entry.path().c_str());
  }
}

void empty_folder(const std::string& name) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(name, ignored))
    std::filesystem::remove_all(entry.path(), ignored);
}

void remove_folder(const std::string& name) {
  std::error_code ignored;
  std::filesystem::remove_all(name, ignored);
}

}  // namespace local
