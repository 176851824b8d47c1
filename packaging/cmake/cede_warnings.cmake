# SPDX-License-Identifier: MIT
# One list of warnings for every target of ours; third-party headers come in as system headers.
function(cede_warnings target)
  if(CEDE_FUZZ) # another compiler, with other opinions
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Werror)
endfunction()
