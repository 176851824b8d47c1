// SPDX-License-Identifier: MIT
#include "write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "console.h"

namespace cli {

namespace {

std::string write_in_place(const std::string& name, std::string_view text) {
  const int file = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return std::strerror(errno);
  int fault = write_all(file, text);
  if (::close(file) != 0 && fault == 0) fault = errno;
  return fault == 0 ? "" : std::strerror(fault);
}

mode_t mode_of_new_file() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// A link stays a link; its target is replaced.
std::string resolved(const std::string& name) {
  char* real = ::realpath(name.c_str(), nullptr);
  std::string out = real ? real : name;
  std::free(real);
  return out;
}

std::string replace(const std::string& target, mode_t mode, std::string_view text) {
  const std::size_t slash = target.rfind('/');
  std::string temporary = (slash == std::string::npos ? "" : target.substr(0, slash + 1)) + ".cede-XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return std::strerror(errno);
  int fault = write_all(file, text);
  if (fault == 0 && (::fchmod(file, mode) != 0 || ::fsync(file) != 0)) fault = errno;
  if (::close(file) != 0 && fault == 0) fault = errno;
  if (fault == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) fault = errno;
  if (fault == 0) return {};
  ::unlink(temporary.c_str());
  return std::strerror(fault);
}

}  // namespace

std::string write_file(const std::string& name, std::string_view text) {
  struct stat status {};
  if (::stat(name.c_str(), &status) != 0) {
    return errno == ENOENT ? replace(name, mode_of_new_file(), text) : std::strerror(errno);
  }
  if (!S_ISREG(status.st_mode)) return write_in_place(name, text);
  // Replacing needs a writable folder only; a file made read-only is meant to stay.
  if (::access(name.c_str(), W_OK) != 0) return std::strerror(errno);
  return replace(resolved(name), status.st_mode & 07777, text);
}

}  // namespace cli
