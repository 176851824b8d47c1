# SPDX-License-Identifier: MIT
# Compiles files of one kind together: most of the time of a build went into reading the same headers for every small
# file. A file sees what stands before it in its group, so names in unnamed namespaces are told apart within a kind.
# Without CEDE_UNITY_BUILD each file is compiled alone, which shows what it forgot to include.

# cede_unity_group(TARGET NAME KILOBYTES SOURCE...): many files make several groups with as many files each, so that a
# change of one does not compile all of them.
function(cede_unity_group target name kilobytes)
  if(NOT CEDE_UNITY_BUILD)
    return()
  endif()
  set(sources ${ARGN})
  list(SORT sources)
  list(LENGTH sources count)
  set(bytes 0)
  foreach(source ${sources})
    file(SIZE ${source} size)
    math(EXPR bytes "${bytes} + ${size}")
  endforeach()
  math(EXPR groups "${bytes} / (${kilobytes} * 1000) + 1")
  math(EXPR each "(${count} + ${groups} - 1) / ${groups}")
  set(number 0)
  foreach(source ${sources})
    math(EXPR group "${number} / ${each}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${group})
    math(EXPR number "${number} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # This warning is about headers; here it takes a source file for one.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# cede_unity(TARGET KILOBYTES SOURCE...): by folder.
function(cede_unity target kilobytes)
  set(folders)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    list(APPEND folders ${folder})
    list(APPEND sources_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    cede_unity_group(${target} ${folder} ${kilobytes} ${sources_${folder}})
  endforeach()
endfunction()
