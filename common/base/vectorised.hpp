// Loops over many values, compiled once more for processors with wider vectors; the program takes what its processor
// has.
#pragma once

// By the dynamic linker's indirect functions, which sanitizers do not stand (they run before the sanitizer is ready).
#if defined(__x86_64__) && defined(__linux__) && defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GROMA_VECTORISED [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define GROMA_VECTORISED
#endif
