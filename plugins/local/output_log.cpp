// SPDX-License-Identifier: MIT
#include "output_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "cli/console.h"

namespace local {

namespace {

constexpr std::size_t kLast = std::size_t{1} << 20;
constexpr std::size_t kNotes = 4096;  // room for what stands between
constexpr std::size_t kFirst = OutputLog::kMostBytes - kLast - kNotes;
constexpr std::size_t kChunk = std::size_t{1} << 20;  // of one take()
constexpr auto kPause = std::chrono::milliseconds(10);

}  // namespace

int OutputLog::open() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno;
  own_end_ = ends[0];
  job_end_ = ends[1];
  ::fcntl(own_end_, F_SETFL, O_NONBLOCK);
  // A larger pipe; if the system refuses it, reading takes longer.
  ::fcntl(own_end_, F_SETPIPE_SZ, static_cast<int>(kChunk));
  return 0;
}

OutputLog::~OutputLog() {
  for (const int descriptor : {descriptor_, job_end_, own_end_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

void OutputLog::close_job_end() {
  if (job_end_ >= 0) ::close(job_end_);
  job_end_ = -1;
}

int OutputLog::readable() const { return Clock::now() < next_ ? -1 : own_end_; }

int OutputLog::timeout(int otherwise) const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_ - Clock::now()).count();
  return left <= 0 ? otherwise : static_cast<int>(std::min<std::int64_t>(left, otherwise));
}

bool OutputLog::take() {
  if (readable() < 0) return false;
  char buffer[65536];
  std::size_t taken = 0;
  while (taken < kChunk) {
    const ssize_t got = ::read(own_end_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) {  // no process will write any more
      ::close(own_end_);
      own_end_ = -1;
    }
    if (got <= 0) break;
    keep({buffer, static_cast<std::size_t>(got)});
    taken += static_cast<std::size_t>(got);
  }
  if (left_out_ > 0) next_ = Clock::now() + kPause;
  return taken > 0;
}

void OutputLog::keep(std::string_view bytes) {
  const std::size_t room = left_out_ > 0 ? 0 : kFirst - std::min(written_, kFirst);
  const std::string_view first = bytes.substr(0, room);
  if (!first.empty() && !append(first)) unwritten_ += first.size();
  if (bytes.size() > first.size()) leave_out(bytes.substr(first.size()));
}

bool OutputLog::append(std::string_view bytes) {
  if (descriptor_ < 0) {
    // A file of this name belongs to another attempt.
    ::unlink(file_.c_str());
    descriptor_ =
        ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor_ < 0) return false;
  }
  if (unwritten_ > 0) {
    const std::string note = "\n[cede: " + std::to_string(unwritten_) + " bytes could not be written]\n";
    if (!write_whole(note)) return false;
    unwritten_ = 0;
  }
  return write_whole(bytes);
}

// All of it or nothing.
bool OutputLog::write_whole(std::string_view bytes) {
  if (cli::write_all(descriptor_, bytes) == 0) {
    written_ += bytes.size();
    return true;
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(written_)) != 0) return false;
  return false;
}

void OutputLog::leave_out(std::string_view bytes) {
  left_out_ += bytes.size();
  if (bytes.size() > kLast) bytes.remove_prefix(bytes.size() - kLast);
  // In large pieces: moving a megabyte for every line would be expensive.
  if (last_.size() + bytes.size() > 2 * kLast) last_.erase(0, last_.size() - kLast);
  last_ += bytes;
}

void OutputLog::finish() {
  next_ = {};
  // Nothing of the job runs any more. Should somebody else have its pipe, then not for ever.
  for (std::size_t chunks = 0; chunks * kChunk < kMostBytes && take(); ++chunks) next_ = {};
  if (last_.size() > kLast) last_.erase(0, last_.size() - kLast);
  const std::uint64_t gone = left_out_ - last_.size();
  std::string end;
  if (gone > 0) end = "\n[cede: " + std::to_string(gone) + " bytes left out]\n";
  end += last_;
  last_.clear();
  // The file is there even when the job printed nothing.
  append(end);
}

}  // namespace local
