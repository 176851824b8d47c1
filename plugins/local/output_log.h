// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace local {

// Keeps what a job prints in a file of limited size: the beginning and the end, with a note between them that
// says how much was left out. The job writes into a pipe, so it cannot exceed the limit. Once the beginning
// is full, the pipe is read in small chunks: that slows down a job that floods it and keeps the reader free.
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
  // Closes this process's copy of the job's end; otherwise the pipe would never report its end.
  void close_job_end();

  // The descriptor to wait for, below 0 for none; and for how many milliseconds at most.
  int readable() const;
  int timeout(int otherwise) const;

  // Reads what is there. False if there was nothing or the pause is not over.
  bool take();
  // Call this when the job has ended: reads the rest and completes the file.
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
  std::uint64_t unwritten_ = 0;  // lost for lack of space since the last successful write
  std::uint64_t left_out_ = 0;   // beyond the beginning, including last_
  std::string last_;
  Clock::time_point next_{};
};

}  // namespace local
