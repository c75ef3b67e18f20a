// Default options of the sanitizers for programs and tests.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

/// AddressSanitizer keeps frames of functions that have returned, 1 MiB of each size class for a thread. Frames that
/// exceptions or coroutines have left are not released, and then each call searches all of them, which takes most of
/// the time of some tests. 64 KiB are kept.
extern "C" const char* __asan_default_options() {
    return "max_uar_stack_size_log=16";
}

/// libstdc++ counts the owners of an exception with atomics, in code that is not instrumented: the last owner seems to
/// free data that others have just read. Needs llvm-symbolizer.
extern "C" const char* __tsan_default_suppressions() {
    return "race:std::__exception_ptr::exception_ptr::_M_release\n";
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
