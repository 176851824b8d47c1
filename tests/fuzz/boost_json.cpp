// SPDX-License-Identifier: MIT
// Boost.JSON compiled here, with the fuzzer's instrumentation: of the distribution's library it would see
// nothing.
#include <boost/json/src.hpp>
