// SPDX-License-Identifier: MIT
#include "small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

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

// Under a name of its own. 0 or the errno.
int write_beside(const std::string& name, std::string_view text, bool lasting) {
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  int fault = cli::write_all(descriptor, text);
  if (fault == 0 && lasting && ::fsync(descriptor) != 0) fault = errno;
  if (::close(descriptor) != 0 && fault == 0) fault = errno;
  return fault;
}

std::string temporary_name(const std::string& name) { return name + ".new-" + std::to_string(::getpid()); }

}  // namespace

std::optional<std::string> read_small(const std::string& name) {
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return {};
  std::string out;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    out.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(descriptor);
  return out;
}

bool exists(const std::string& name) {
  struct stat status {};
  return ::lstat(name.c_str(), &status) == 0;
}

std::string put_file(const std::string& name, std::string_view text, bool lasting) {
  const std::string temporary = temporary_name(name);
  int fault = write_beside(temporary, text, lasting);
  if (fault == 0 && std::rename(temporary.c_str(), name.c_str()) != 0) fault = errno;
  if (fault == 0 && lasting) fault = sync_folder_of(name);
  if (fault == 0) return {};
  ::unlink(temporary.c_str());
  return "cannot write '" + name + "': " + std::strerror(fault);
}

bool claim_file(const std::string& name, std::string_view text) {
  const std::string temporary = temporary_name(name);
  if (write_beside(temporary, text, false) != 0) return false;
  const bool first = ::link(temporary.c_str(), name.c_str()) == 0;
  ::unlink(temporary.c_str());
  return first;
}

std::string make_folder(const std::string& name) {
  if (::mkdir(name.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return "cannot make the folder '" + name + "': " + std::strerror(errno);
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
