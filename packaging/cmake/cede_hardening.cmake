# SPDX-License-Identifier: MIT
# Makes mistakes in memory harder to abuse, in every library and program of ours; tests/install/hardening.py looks at
# what came out. cede_hardening(TARGET) goes behind the target's definition.
#
#   stack protector, fortified calls of the C library where the build optimises (a sanitizer sees more than they do)
#   control-flow enforcement (CET): all code carries its marks, so the ELF note may say so
#   position independent programs, all symbols bound at start and read-only from then on, no executable stack
include(CheckCSourceCompiles)
include(CheckPIESupported)
check_pie_supported()

set(CEDE_HAS_CET OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT CEDE_SANITIZE)
  set(CEDE_HAS_CET ON)
  # The linker drops the note when one object lacks it, and Debian 12 builds the start files of its C library without.
  set(CMAKE_REQUIRED_FLAGS -fcf-protection=full)
  set(CMAKE_REQUIRED_LINK_OPTIONS LINKER:-z,cet-report=error)
  check_c_source_compiles("int main(void) { return 0; }" CEDE_START_FILES_HAVE_CET)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()

function(cede_hardening target)
  get_target_property(type ${target} TYPE)
  target_compile_options(${target} PRIVATE -fstack-protector-strong)
  # Whoever builds a package may have chosen a level.
  if(NOT CEDE_SANITIZE AND NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "_FORTIFY_SOURCE")
    target_compile_options(${target} PRIVATE
      "$<$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>,$<CONFIG:MinSizeRel>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  endif()
  if(CEDE_HAS_CET)
    target_compile_options(${target} PRIVATE -fcf-protection=full)
  endif()
  if(NOT type MATCHES "^(SHARED_LIBRARY|MODULE_LIBRARY|EXECUTABLE)$")
    return()
  endif()
  target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  if(CEDE_HAS_CET AND CEDE_START_FILES_HAVE_CET)
    target_link_options(${target} PRIVATE LINKER:-z,cet-report=error)
  elseif(CEDE_HAS_CET)
    # The note is set although the start files lack it. It stays true: they return where they were called from, and
    # none of their unmarked entries is reached. _init and _fini, which do nothing here, are not called (no function
    # has the name that stands in their place), and a program is entered in front of _start.
    target_link_options(${target} PRIVATE LINKER:-z,ibt LINKER:-z,shstk LINKER:-init=cede_no_init
                                          LINKER:-fini=cede_no_fini)
    if(type STREQUAL EXECUTABLE)
      target_sources(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/marked_entry.c)
      target_link_options(${target} PRIVATE LINKER:--entry=cede_marked_entry)
    endif()
  endif()
endfunction()
