# How everything is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(groma_flags INTERFACE)
target_compile_options(groma_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor)
if(GROMA_BATCH GREATER 1 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A source that another includes looks like a header to g++, and what only that source sees like something that many do.
    # Real headers have no such things: clang-tidy's google-build-namespaces.
    target_compile_options(groma_flags INTERFACE -Wno-subobject-linkage)
endif()
if(GROMA_WERROR)
    target_compile_options(groma_flags INTERFACE -Werror)
endif()
target_include_directories(groma_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(groma_flags INTERFACE GROMA_VERSION="${PROJECT_VERSION}")
if(GROMA_SANITIZE)
    target_compile_options(groma_flags INTERFACE -fsanitize=${GROMA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(groma_flags INTERFACE -fsanitize=${GROMA_SANITIZE})
    if(GROMA_SANITIZE MATCHES "thread")
        # Asio uses fences, which ThreadSanitizer does not follow; g++ warns of each.
        target_compile_options(groma_flags INTERFACE -Wno-tsan)
    endif()
endif()
