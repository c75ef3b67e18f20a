// The real C library and kernel, for the simulator itself: the functions that tests/world/calls_*.cpp replace.
#pragma once

#include <pthread.h>

#include <cstddef>

namespace groma::world::real {

/// Makes a thread. Returns: 0, or an error number.
int create_thread(std::size_t stack_bytes, pthread_t* thread, void* (*body)(void*), void* argument);

/// The C library's function that this program's own one hides. Ends the program if there is none.
[[nodiscard]] void* function(const char* name);

/// A call of the C library by its own type: `real::call<decltype(&::close)>("close")(fd)`.
template <class Function>
[[nodiscard]] Function call(const char* name) {
    return reinterpret_cast<Function>(function(name));
}

}  // namespace groma::world::real
