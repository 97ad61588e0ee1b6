# Compiler settings of our own targets. Nothing here reaches a program that uses the library.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)  # but for what core/api.hpp marks
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

# No -ffast-math and no contraction: one formula gives the same bits wherever it is compiled.
# Nobody asks errno what a square root found, and nobody replaces a function of ours at run time.
set(CHICANE_CODEGEN -ffp-contract=off -fno-math-errno -fno-semantic-interposition)
if(CHICANE_ARCH MATCHES "^(native|x86-64-v[34])$")
  list(APPEND CHICANE_CODEGEN -march=${CHICANE_ARCH})
elseif(NOT CHICANE_ARCH STREQUAL "portable")
  message(FATAL_ERROR "CHICANE_ARCH is '${CHICANE_ARCH}', but must be native, portable, x86-64-v3 "
                      "or x86-64-v4")
endif()

set(CHICANE_WARNINGS
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wconversion
    -Wno-sign-conversion
    -Wdouble-promotion
    -Wformat=2
    -Wimplicit-fallthrough
    -Wnon-virtual-dtor
    -Woverloaded-virtual
    -Wold-style-cast
    -Wcast-qual
    -Wno-missing-field-initializers)  # {.a = 1} leaves the rest at its default on purpose
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND CHICANE_WARNINGS -Wduplicated-cond -Wlogical-op)
  # False alarms: of gcc 12 on std::string (gcc bug 105651), on its own AVX-512 intrinsics wherever
  # Eigen uses them (gcc bug 105593), and of the sanitizers' instrumentation.
  list(APPEND CHICANE_WARNINGS -Wno-restrict -Wno-maybe-uninitialized
       $<$<CONFIG:Debug>:-Wno-uninitialized>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Pragmas for GCC alone, and braces that C++ lets one leave out.
  list(APPEND CHICANE_WARNINGS -Wno-unknown-pragmas -Wno-missing-braces)
endif()
if(CHICANE_WERROR)
  list(APPEND CHICANE_WARNINGS -Werror)
endif()

# chicane_flags(target): how each of our own targets is compiled.
function(chicane_flags target)
  target_compile_options(
    ${target} PRIVATE ${CHICANE_CODEGEN} ${CHICANE_WARNINGS}
                      "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")  # no machine paths in __FILE__
endfunction()

# Many sources in one: what they share is read and instantiated once (the eight of language/compile
# took 22 s together and 43 s apart). For continuous integration; in daily work a change would compile its neighbours
# too. It also finds type names that stand twice in a namespace.
option(CHICANE_UNITY "Compile several sources of a target as one" OFF)

# chicane_unity(<target>): sources of the target may be compiled together.
function(chicane_unity target)
  if(NOT CHICANE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  # A class whose members are of types of its own source: that source is an included file here. And
  # a local name may be that of a neighbour.
  target_compile_options(${target} PRIVATE -Wno-shadow "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")
endfunction()
