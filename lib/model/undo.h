// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "model/model.h"

namespace cede {

// Lets a model be changed in place, all or nothing: what happens to it after this is made is taken back when
// this goes away, unless keep() was called. Costs what is changed, not the size of the cluster.
// A copy to go back to would be simpler, but every write after it duplicates a page: with copies here and in
// SequenceUndo a decision of k8s-basic/same on 1,000 nodes takes 86 us of CPU time instead of 70.
class Undo {
 public:
  explicit Undo(Model& model);
  ~Undo();
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  void keep() noexcept;

 private:
  Model& model_;
  bool kept_ = false;
  // The members that are no tables, in the order the model tells them.
  std::vector<std::uint64_t> numbers_;
  std::vector<std::vector<NameId>> lists_;
};

}  // namespace cede
