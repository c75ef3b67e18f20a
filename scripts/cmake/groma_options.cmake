# What a build can be asked for.
option(GROMA_TESTS "Build the tests" ON)
option(GROMA_EVERY_TEST "Build all unit tests in a build without sanitizers, too; else only those that need one" OFF)
option(GROMA_TOGETHER "Compile sources of a folder together, about eight at a time" ON)
option(GROMA_BENCH "Build the benchmarks (tests/bench)" OFF)
option(GROMA_FUZZ "Build the libFuzzer targets (tests/fuzz); needs clang" OFF)
option(GROMA_WERROR "Treat warnings as errors" OFF)
set(GROMA_PYTHON AUTO CACHE STRING "Build the package for Python: ON, OFF, or AUTO: where pybind11 and Python's headers are found")
set(GROMA_SANITIZE "" CACHE STRING "Sanitizers: empty, 'address,undefined' or 'thread'")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

# Tests of sanitizer builds have names of their own, so that one ctest can run all builds' tests.
if(GROMA_SANITIZE STREQUAL "thread")
    set(GROMA_TEST_PREFIX "tsan.")
elseif(GROMA_SANITIZE)
    set(GROMA_TEST_PREFIX "asan.")
endif()
