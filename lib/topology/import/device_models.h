// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"

namespace cede {

// A model's name in the spelling in which two names are compared: ASCII letters in lower case.
std::string fold_model(std::string_view model);

// Whether an entry of `gpu_model` means this device: the names are equal, or the listed one stands in the
// device's as whole words, since tools report the same device as `H100` and as `NVIDIA H100 80GB HBM3`. Words
// end where a character is neither letter nor digit, so `H100` is not in `GH100`, nor `MI250` in `MI250X`.
// Letter case does not count. An empty name means nothing.
bool names_model(std::string_view listed, std::string_view model);

// The models of a class, folded, sorted, each once; devices without one are left out. For `uniform_model`
// `job` each of them is tried in turn (see TaskTerms::model).
std::vector<std::string> distinct_models(const NodeClass& node_class);

}  // namespace cede
