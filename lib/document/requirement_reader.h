// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "document/reading.h"
#include "model/edit.h"

namespace cede {

// `require` of a job. Defaults are filled in; equal requirements share one row.
class RequirementSink final : public ValueSink {
 public:
  RequirementSink(Reading& reading, ModelEdit& edit);
  ~RequirementSink() override;
  ValueSink* start(RequirementId& out);
  bool key(std::string_view key) override;
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  ValueSink* array() override;
  void end() override;
  SiteFields* site() override;

 private:
  struct Parts;
  ModelEdit& edit_;
  std::unique_ptr<Parts> parts_;
  RequirementId* out_ = nullptr;
};

}  // namespace cede
