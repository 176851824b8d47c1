// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace local {

// What a job prints, in a file of limited size: the beginning as it comes, and the end once there is no more.
// Between them stands how much was left out. The job writes into a pipe, so that it cannot write more however
// fast it is; once the beginning is full it is read in small chunks, which slows a job that floods and keeps
// the reader from being busy with nothing else.
class OutputLog {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  explicit OutputLog(std::string file) : file_(std::move(file)) {}
  ~OutputLog();
  OutputLog(const OutputLog&) = delete;
  OutputLog& operator=(const OutputLog&) = delete;

  // Makes the pipe. 0 or the errno.
  int open();
  // Where the job writes.
  int job_end() const { return job_end_; }
  // This process keeps none of it, lest it waits for itself.
  void close_job_end();

  // What to wait for now, below 0 for nothing, and for how many milliseconds at most.
  int readable() const;
  int timeout(int otherwise) const;

  // Takes what is there. False if there was nothing, or too little time has passed.
  bool take();
  // The job has ended: takes what is left and completes the file.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void keep(std::string_view bytes);
  bool append(std::string_view bytes);
  bool write_whole(std::string_view bytes);
  void leave_out(std::string_view bytes);

  std::string file_;
  int descriptor_ = -1;
  int job_end_ = -1;
  int own_end_ = -1;
  std::size_t written_ = 0;
  std::uint64_t unwritten_ = 0;  // for lack of space, since the last byte that was written
  std::uint64_t left_out_ = 0;   // beyond the beginning, with what is in last_
  std::string last_;
  Clock::time_point next_{};
};

}  // namespace local
