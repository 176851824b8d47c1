// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/model.h"

namespace cede {

// The model as a cluster document that loads back to the same model. Objects are in the order of their names,
// so equal models give equal bytes, whatever their history.
std::string write_cluster(const Model& model);

}  // namespace cede
