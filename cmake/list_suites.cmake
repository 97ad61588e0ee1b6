# Read by ctest, with name, program, each_test, cost and without set: adds the tests of the program.
set(output "")
set(status "not built")
if(EXISTS "${program}")
  execute_process(
    COMMAND "${program}" --gtest_list_tests
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
    RESULT_VARIABLE status
    TIMEOUT 120)
endif()

# A suite is a line "Suite." or "Suite/0.  # TypeParam = double"; its tests are indented below it.
string(REGEX REPLACE "#[^\n]*" "" output "${output}")
string(REGEX MATCHALL "(^|\n) *[A-Za-z_][A-Za-z0-9_/]*\\.?" lines "${output}")
set(suite "")
set(filters "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^\n" "" line "${line}")
  if(line MATCHES "^([^ ]+)\\.$")
    set(suite "${CMAKE_MATCH_1}")
    if(NOT each_test)
      list(APPEND filters "${suite}.*")
    endif()
  elseif(each_test AND suite AND line MATCHES "^ +([^ ]+)$")
    list(APPEND filters "${suite}.${CMAKE_MATCH_1}")
  endif()
endforeach()

if(NOT status STREQUAL "0" OR filters STREQUAL "")
  # A program that is missing or lists nothing is a failure with a name.
  add_test("${name}.CANNOT_LIST" "${program}" --gtest_list_tests)
  set_tests_properties("${name}.CANNOT_LIST" PROPERTIES LABELS "${name}"
                       PASS_REGULAR_EXPRESSION "there is no such output")
else()
  foreach(filter IN LISTS filters)
    string(REGEX REPLACE "\\.\\*$" "" test "${filter}")
    list(FIND without "${test}" left_out)
    if(left_out GREATER_EQUAL 0)
      continue()
    endif()
    add_test("${name}.${test}" "${program}" "--gtest_filter=${filter}")
    set_tests_properties("${name}.${test}" PROPERTIES LABELS "${name}" TIMEOUT 1200 COST ${cost})
  endforeach()
endif()
