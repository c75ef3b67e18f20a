// What sanitizers are told of programs and tests.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

/// AddressSanitizer keeps frames of functions that have returned, 1 MiB of each size class for a thread. Those that
/// exceptions or coroutines have left are not given back, and then each call searches all of them: most of the time of
/// some tests. 64 KiB are kept.
extern "C" const char* __asan_default_options() {
    return "max_uar_stack_size_log=16";
}

/// libstdc++ counts the holders of an exception with atomics, in code that is not instrumented: who lets go last seems
/// to free what others have just read. Needs llvm-symbolizer.
extern "C" const char* __tsan_default_suppressions() {
    return "race:std::__exception_ptr::exception_ptr::_M_release\n";
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
