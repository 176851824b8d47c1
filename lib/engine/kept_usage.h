// SPDX-License-Identifier: MIT
#pragma once

#include "policy/group_usage.h"
#include "verify/queue_usage.h"

namespace cede {

// The usage that planning maintains, in the form that the verifier reads.
class KeptUsage final : public QueueUsage {
 public:
  explicit KeptUsage(const GroupUsage& usage) : usage_(usage) {}
  Total used(QueueId queue, std::uint32_t r) const override { return usage_.used(queue, r); }
  Total fixed_used(QueueId queue, std::uint32_t r) const override { return usage_.fixed_used(queue, r); }
  Total fixed_requested(QueueId queue, std::uint32_t r) const override {
    return usage_.fixed_requested(queue, r);
  }
  Total capacity(std::uint32_t resource) const override { return usage_.capacity(resource); }

 private:
  const GroupUsage& usage_;
};

}  // namespace cede
