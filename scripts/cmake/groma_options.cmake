# What a build can be asked for.
option(GROMA_TESTS "Build the tests" ON)
option(GROMA_BENCH "Build the benchmarks (tests/bench)" OFF)
option(GROMA_WERROR "Treat warnings as errors" OFF)
set(GROMA_SANITIZE "" CACHE STRING "Sanitizers: empty, 'address,undefined' or 'thread'")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()
