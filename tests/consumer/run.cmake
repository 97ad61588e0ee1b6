# Installs the build, moves the installed tree elsewhere, then configures, builds and runs the
# project beside this file against it.
#
#   cmake -DSOURCE_DIR= -DBUILD_DIR= -DGENERATOR= -DCXX_COMPILER= -DVERSION= -DPYTHON=
#         -DKIND=static|shared -DARCH=native|portable -P run.cmake
#
# What is built must be of that kind, and the library compiled for that machine.

if(NOT KIND MATCHES "^(static|shared)$" OR NOT ARCH MATCHES "^(native|portable)$")
  message(FATAL_ERROR "KIND is '${KIND}' and ARCH '${ARCH}'")
endif()
set(work "${BUILD_DIR}/consumer")
set(prefix "${work}/moved")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  message(STATUS "${output}")
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${status}): ${command}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/installed")
file(RENAME "${work}/installed" "${prefix}")

foreach(file IN ITEMS bin/chicane share/man/man1/chicane.1
                      share/bash-completion/completions/chicane share/zsh/site-functions/_chicane
                      share/fish/vendor_completions.d/chicane.fish)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

file(GLOB_RECURSE package_files "${prefix}/*.cmake")
foreach(package_file IN LISTS package_files)
  file(READ "${package_file}" text)
  foreach(path IN ITEMS "${SOURCE_DIR}" "${BUILD_DIR}")
    string(FIND "${text}" "${path}/" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${package_file} names ${path}: the package cannot be moved")
    endif()
  endforeach()
endforeach()

run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/consumer" -B "${work}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}"
    -DCMAKE_BUILD_TYPE=Release)
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/consumer")
if(VERSION AND NOT output MATCHES "chicane ${VERSION}")
  message(FATAL_ERROR "the consumer did not report version ${VERSION}")
endif()
if(output MATCHES "-march=native")
  set(arch native)
else()
  set(arch portable)
endif()
if(NOT output MATCHES "flags " OR NOT arch STREQUAL ARCH)
  message(FATAL_ERROR "the library is not ${ARCH}")
endif()

# expect_kind(<program>): it takes the shared library of the moved tree, or none.
function(expect_kind program)
  run("${CMAKE_COMMAND}" -E env LD_TRACE_LOADED_OBJECTS=1 "${program}")
  if(KIND STREQUAL "static" AND output MATCHES "libchicane")
    message(FATAL_ERROR "${program} is not linked statically")
  elseif(KIND STREQUAL "shared" AND NOT output MATCHES "=> ${prefix}/[^ ]*libchicane\\.so")
    message(FATAL_ERROR "${program} does not take the shared library of the moved tree")
  endif()
endfunction()
expect_kind("${work}/build/consumer")

# The examples, and the listing of the page about C++.
set(page "${work}/page")
run("${PYTHON}" "${SOURCE_DIR}/tests/consumer/listing.py" "${SOURCE_DIR}/docs/howto/cpp.md" "${page}")
foreach(project IN ITEMS "${SOURCE_DIR}/examples/cpp" "${page}")
  get_filename_component(name "${project}" NAME)
  run("${CMAKE_COMMAND}" -S "${project}" -B "${work}/${name}-build" -G "${GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}"
      -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
  run("${CMAKE_COMMAND}" --build "${work}/${name}-build")
endforeach()
expect_kind("${work}/cpp-build/read_signals")
expect_kind("${work}/page-build/drive")
run("${work}/cpp-build/read_signals")
run("${work}/cpp-build/change_rates")
run("${work}/cpp-build/own_block")
if(NOT output MATCHES "already a kind of block 'servo'")
  message(FATAL_ERROR "a name of a block can be taken twice")
endif()
run("${work}/page-build/drive")
if(NOT output MATCHES "2.0 s  [0-9.]+ m/s")
  message(FATAL_ERROR "the page's program did not print speeds")
endif()

if(EXISTS "${prefix}/bin/chicane")
  run("${prefix}/bin/chicane" --help)
endif()
