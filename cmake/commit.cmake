# Writes OUTPUT, a header with the commit of SOURCE_DIR, if it is not there as it should be. Run at
# every build: the commit changes without any file that CMake knows of.
set(commit "")
find_program(git git)
if(git AND EXISTS "${SOURCE_DIR}/.git")
  execute_process(
    COMMAND "${git}" -C "${SOURCE_DIR}" describe --always --exclude=* --abbrev=10 --dirty=+
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#define CHICANE_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
