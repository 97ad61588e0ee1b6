# chicane_test_suites(<program> [EACH_TEST] [COST <number>] [WITHOUT <name>...]): one test of ctest
# for each suite of a GoogleTest program, named <program>.<suite>, or with EACH_TEST for each of its tests. To start a
# process for each of 1600 tests costs minutes under the sanitizers; what failed inside a suite is
# in the output, as "[  FAILED  ] Suite.Test". EACH_TEST is for tests that start programs anyway,
# and take long: so both cores have work till the end.
#
# ctest asks the program for its suites when it starts. A greater COST begins sooner, as long as
# ctest has not measured for itself. WITHOUT: suites, or tests where each is one, that are not run.
set(CHICANE_LIST_SUITES "${CMAKE_CURRENT_LIST_DIR}/list_suites.cmake")

function(chicane_test_suites program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EACH_TEST" "COST" "WITHOUT")
  if(NOT arg_COST)
    set(arg_COST 1)
  endif()
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake")
  file(
    GENERATE
    OUTPUT "${list}"
    CONTENT "set(name [==[${program}]==])
set(program [==[$<TARGET_FILE:${program}>]==])
set(each_test ${arg_EACH_TEST})
set(cost ${arg_COST})
set(without [==[${arg_WITHOUT}]==])
include([==[${CHICANE_LIST_SUITES}]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${list}")
endfunction()
