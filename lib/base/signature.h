// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cede {

// 32 hexadecimal digits that tell texts apart: equal for equal bytes, on every machine and in every version
// (FNV-1a of 128 bits). It recognises, it does not authenticate.
std::string signature_of(std::string_view bytes);

}  // namespace cede
