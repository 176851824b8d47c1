// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace cede {

// The threads that may work on one decision. They are made when they are first needed, and never change an
// answer: work is cut into pieces whose number does not depend on them.
class Crew {
 public:
  // 0: as many as the process allows.
  explicit Crew(std::size_t threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Calls work(0) … work(pieces - 1), in any order and at the same time. Signals stay with the threads that
  // were there before.
  void each(std::size_t pieces, const std::function<void(std::size_t)>& work);

 private:
  struct Arena;
  const std::size_t threads_;
  std::unique_ptr<Arena> arena_;
};

// Without a crew the pieces are done one after the other.
void each_piece(Crew* crew, std::size_t pieces, const std::function<void(std::size_t)>& work);

}  // namespace cede
