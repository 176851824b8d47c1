// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/model.h"

namespace cede {

// The resource vectors of a model, each looked up once; for loops over all tasks. Valid while the model
// exists and does not change.
class ShapeViews {
 public:
  explicit ShapeViews(const Model& model) : views_(model.shapes.id_bound()) {
    for (ShapeId id = 0; id < views_.size(); ++id) views_[id] = model.shape(id);
  }

  ResourceView operator[](ShapeId id) const { return views_[id]; }

 private:
  std::vector<ResourceView> views_;
};

}  // namespace cede
