// The C library and the kernel as they are, for the simulator itself: what tests/world/calls_*.cpp stand in front of.
#pragma once

#include <pthread.h>

#include <cstddef>

namespace groma::world::real {

/// Makes a thread. Returns: 0, or an error number.
int create_thread(std::size_t stack_bytes, pthread_t* thread, void* (*body)(void*), void* argument);

/// The function of that name behind this program's own. Ends the program if there is none.
[[nodiscard]] void* function(const char* name);

/// A call of the C library by its own type: `real::call<decltype(&::close)>("close")(fd)`.
template <class Function>
[[nodiscard]] Function call(const char* name) {
    return reinterpret_cast<Function>(function(name));
}

}  // namespace groma::world::real
