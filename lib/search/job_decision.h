// SPDX-License-Identifier: MIT
#pragma once

#include "search/decision.h"

namespace cede {

// Decides for a waiting job.
class JobDecision final : public Decision {
 public:
  using Decision::Decision;
  Plan run() override;
  // Why each unit was not taken in this plan, which is about the same question.
  void tell(Plan& plan);

 private:
  bool place(const Needs& needs, const Placer& placer, const Space& space, Placement& placement) const;
  Plan fits(const Placement& placement, const Placer& placer);
  std::string why_impossible(const Placer& placer, const Space& empty) const;
  bool gives_way() const;
  bool would_fit_if_known(const Placer& placer, const Space& space) const;
  bool worth_waiting(const Needs& needs, std::string* why) const;
  std::string done_text(std::size_t jobs) const override;
  std::string_view no_set_rule(const std::vector<const Unit*>& all) override;
};

}  // namespace cede
