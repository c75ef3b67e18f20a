# How everything is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# The libraries also become part of an extension that SQLite loads; what is not its entry stays inside.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(CCACHE ccache)
if(CCACHE)
    # Objects that were compiled with a precompiled header count as the same if the header does.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${CCACHE})
endif()

add_library(groma_flags INTERFACE)
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor)
if(GROMA_TOGETHER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # To g++ all but one source of a group are headers; clang-tidy looks for anonymous namespaces in real ones.
    list(APPEND warnings -Wno-subobject-linkage)
endif()
target_compile_options(groma_flags INTERFACE ${warnings})
if(GROMA_WERROR)
    target_compile_options(groma_flags INTERFACE -Werror)
endif()
target_include_directories(groma_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(groma_flags INTERFACE GROMA_VERSION="${PROJECT_VERSION}")
if(GROMA_SANITIZE)
    set(sanitizers -fsanitize=${GROMA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(GROMA_FUZZ)
        list(APPEND sanitizers -fsanitize=fuzzer-no-link)  # precompiled headers have it as well, or clang refuses them
    endif()
    target_compile_options(groma_flags INTERFACE ${sanitizers})
    target_link_options(groma_flags INTERFACE -fsanitize=${GROMA_SANITIZE})
    if(GROMA_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Asio uses fences, which ThreadSanitizer does not follow; g++ warns of each.
        target_compile_options(groma_flags INTERFACE -Wno-tsan)
    endif()
else()
    # So that an error of memory is an end, and no way in. tests/lint/hardened.py looks whether it is there.
    target_compile_options(groma_flags INTERFACE -fstack-protector-strong -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        target_compile_options(groma_flags INTERFACE -fcf-protection)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
        target_compile_options(groma_flags INTERFACE -mbranch-protection=standard)
    endif()
    target_compile_definitions(groma_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2>)
    target_link_options(groma_flags INTERFACE -Wl,-z,relro,-z,now)
endif()

# groma_precompile(VARIABLE HEADER FLAG...): the options that put HEADER, compiled once (scripts/precompile), before each source. With
# clang; g++ 12 gains little by it, and warns of the standard library's own strings.
function(groma_precompile variable header)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        return()
    endif()
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
    execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/scripts/precompile ${header} ${CMAKE_CXX_COMPILER}
        -std=c++20 ${flags} ${sanitizers} -fvisibility=hidden -fvisibility-inlines-hidden ${ARGN}
        OUTPUT_VARIABLE place OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} -include ${place} PARENT_SCOPE)
endfunction()
