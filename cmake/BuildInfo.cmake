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
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()
