# SPDX-License-Identifier: MIT
# One list of warnings for every target of ours; third-party headers come in as system headers.
function(cede_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Werror)
endfunction()
