// SPDX-License-Identifier: MIT
#include "input.h"

#include <cede/cede.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "input_check.h"
#include "message_text.h"
#include "progress.h"

namespace cli {

namespace {

constexpr std::size_t kHead = 64 << 10;
constexpr std::size_t kChunk = 1 << 20;

// Closes what it opened, and standard input never.
class Descriptor {
 public:
  explicit Descriptor(const std::string& name)
      : number_(name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC)),
        owned_(name != "-") {}
  ~Descriptor() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
  bool owned_;
};

std::string amount_of(std::size_t bytes) {
  if (bytes % (1 << 30) == 0) return std::to_string(bytes >> 30) + " GiB";
  if (bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
  return counted(bytes, "byte");
}

// Appends up to `size` bytes; 0 at the end, -1 with errno.
ssize_t read_some(int descriptor, std::size_t size, std::string& text) {
  const std::size_t before = text.size();
  text.resize(before + size);
  ssize_t got = 0;
  do {
    got = ::read(descriptor, text.data() + before, size);
  } while (got < 0 && errno == EINTR);
  text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return got;
}

}  // namespace

std::string shown_name(const std::string& name) { return name == "-" ? "standard input" : one_line(name); }

std::size_t library_default(std::string_view option, std::size_t fallback) {
  for (std::size_t i = 0; i < cede_option_count(); ++i) {
    if (cede_option_name(i) != option) continue;
    const std::string_view text = cede_option_default(i);
    std::from_chars(text.data(), text.data() + text.size(), fallback);
  }
  return fallback;
}

ReadFault read_document(const std::string& name, const Console& console, std::string& text) {
  const auto system_fault = [&name](int number) {
    const std::string what = name == "-" ? "standard input" : quote(name);
    return ReadFault{true, "cannot read " + what + ": " + std::strerror(number)};
  };
  const std::size_t limit = library_default("max_document_bytes", std::size_t{1} << 30);
  const auto too_large = [&name, limit] {
    return ReadFault{
        true, shown_name(name) + ": larger than " + amount_of(limit) + ", the most a document may have"};
  };

  const Descriptor source(name);
  struct stat status {};
  if (source.number() < 0 || ::fstat(source.number(), &status) != 0) return system_fault(errno);
  const bool is_file = S_ISREG(status.st_mode);
  if (is_file && static_cast<std::size_t>(status.st_size) > limit) return too_large();

  text.clear();
  if (is_file) text.reserve(static_cast<std::size_t>(status.st_size) + kChunk);
  Progress progress(console, "reading " + shown_name(name));
  InputCheck check;
  for (;;) {
    const std::size_t before = text.size();
    const ssize_t got = read_some(source.number(), before < kHead ? kHead - before : kChunk, text);
    if (got < 0) return system_fault(errno);
    if (got == 0) return {false, check.at_end()};
    if (text.size() > limit) return too_large();
    progress.set_bytes(text.size(), is_file ? static_cast<std::uint64_t>(status.st_size) : 0);
    // A file has an end, so only its head is looked at; a stream may have none.
    if (!is_file || before < kHead) check.feed(std::string_view(text).substr(before));
    if (!check.refusal().empty()) return {false, check.refusal()};
    if (text.size() < kHead) continue;
    if (!check.doubt().empty()) return {false, check.doubt()};
    if (!check.at_end().empty()) return {false, check.at_end() + " in the first 64 KiB"};
  }
}

ReadFault read_text(const std::string& name, std::size_t limit, std::string& text) {
  const Descriptor source(name);
  text.clear();
  for (;;) {
    const ssize_t got = source.number() < 0 ? -1 : read_some(source.number(), kHead, text);
    if (got < 0) {
      const std::string what = name == "-" ? "standard input" : quote(name);
      return {true, "cannot read " + what + ": " + std::strerror(errno)};
    }
    if (got == 0) return {};
    if (text.size() > limit) return {false, "larger than " + amount_of(limit) + ", the most it may have"};
  }
}

std::string read_small_file(const std::string& name, std::size_t limit, std::string& text, bool& too_large) {
  too_large = false;
  // A document names this file, so it is a file: neither standard input nor a pipe that nobody ever writes
  // to.
  struct stat facts {};
  if (::stat(name.c_str(), &facts) != 0) return std::strerror(errno);
  if (S_ISDIR(facts.st_mode)) return std::strerror(EISDIR);
  if (!S_ISREG(facts.st_mode)) return "not a regular file";
  const Descriptor source(name == "-" ? "./-" : name);
  if (source.number() < 0) return std::strerror(errno);
  text.clear();
  for (;;) {
    const ssize_t got = read_some(source.number(), kHead, text);
    if (got < 0) return std::strerror(errno);
    if (got == 0) return {};
    if (text.size() > limit) {
      too_large = true;
      return {};
    }
  }
}

}  // namespace cli
