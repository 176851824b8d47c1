# SPDX-License-Identifier: MIT
# Compiles the files of one folder together: most of the time of a build went into reading the same headers for every
# small file. A file sees what stands before it in its group, so names in unnamed namespaces are told apart within a
# folder. Without CEDE_UNITY_BUILD each file is compiled alone, which shows what it forgot to include.
#
# cede_unity(TARGET KILOBYTES SOURCE...): a larger folder makes several groups, so that a change of one file does not
# compile all of it, and with as many files each.
function(cede_unity target kilobytes)
  if(NOT CEDE_UNITY_BUILD)
    return()
  endif()
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
    list(SORT sources_${folder})
    list(LENGTH sources_${folder} count)
    set(bytes 0)
    foreach(source ${sources_${folder}})
      file(SIZE ${source} size)
      math(EXPR bytes "${bytes} + ${size}")
    endforeach()
    math(EXPR groups "${bytes} / (${kilobytes} * 1000) + 1")
    math(EXPR each "(${count} + ${groups} - 1) / ${groups}")
    set(number 0)
    foreach(source ${sources_${folder}})
      math(EXPR group "${number} / ${each}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # It is about headers; here it takes a source file for one.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()
