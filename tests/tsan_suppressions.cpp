// What ThreadSanitizer takes for a race and is none; for programs and tests of that build. Needs llvm-symbolizer.

/// libstdc++ counts the holders of an exception with atomics, in code that is not instrumented: who lets go last seems
/// to free what others have just read.
extern "C" const char*
__tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
    return "race:std::__exception_ptr::exception_ptr::_M_release\n";
}
