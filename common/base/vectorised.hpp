// Compiles loops over many values also for processors with wider vectors; the version is chosen when the program
// starts.
#pragma once

// Uses the dynamic linker's indirect functions. Sanitizers do not support them: they run before the sanitizer is ready.
#if defined(__x86_64__) && defined(__linux__) && defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GROMA_VECTORISED [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define GROMA_VECTORISED
#endif
