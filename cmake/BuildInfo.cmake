# chicane_build_info(<variable>): generates build_info.cpp, the facts behind core/build_info.hpp,
# and stores its path.
function(chicane_build_info variable)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  list(JOIN CHICANE_CODEGEN " " codegen)
  set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${codegen}")
  string(REGEX REPLACE "[ \t]+" " " flags "${flags}")
  string(STRIP "${flags}" flags)
  string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" flags "${flags}")

  set(output "${PROJECT_BINARY_DIR}/generated/core/build_info.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in" "${output}" @ONLY)

  set(commit_header "${PROJECT_BINARY_DIR}/generated/core/commit.hpp")
  add_custom_target(
    chicane_commit ALL
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${commit_header}" -P
            "${PROJECT_SOURCE_DIR}/cmake/commit.cmake"
    BYPRODUCTS "${commit_header}"
    COMMENT "")
  set_source_files_properties("${output}" PROPERTIES OBJECT_DEPENDS "${commit_header}")
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()
