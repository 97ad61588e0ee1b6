# Precompiled headers of the tests: every source of theirs spends seconds on the standard library and
# GoogleTest. (The library's own sources would gain 3 %, and gcc 12 then warns of its own
# std::string.) They hold headers of others only, so no change of ours compiles them again. They hide
# an #include that is missing; builds without them show it (preset thread, any build with ccache).
#
# ccache could use them only when told to trust times and macros; it has the better part already.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  set(precompile_by_default OFF)
else()
  set(precompile_by_default ON)
endif()
option(CHICANE_PRECOMPILE "Precompile the headers of others" ${precompile_by_default})

set(CHICANE_COMMON_HEADERS
    <algorithm>
    <array>
    <cmath>
    <complex>
    <cstdint>
    <functional>
    <limits>
    <map>
    <memory>
    <numbers>
    <optional>
    <set>
    <span>
    <stdexcept>
    <string>
    <string_view>
    <utility>
    <variant>
    <vector>
    <fmt/format.h>)

# chicane_precompile(<target> <group> [<header>...]): the common headers and those named. Targets of
# one group are compiled with the same flags and share what the first of them makes.
function(chicane_precompile target group)
  if(NOT CHICANE_PRECOMPILE)
    return()
  endif()
  get_property(maker GLOBAL PROPERTY CHICANE_PRECOMPILED_${group})
  if(maker)
    target_precompile_headers(${target} REUSE_FROM ${maker})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${CHICANE_COMMON_HEADERS} ${ARGN})
  set_property(GLOBAL PROPERTY CHICANE_PRECOMPILED_${group} ${target})
endfunction()
