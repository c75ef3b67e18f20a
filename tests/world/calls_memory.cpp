// Memory of simulated programs: large allocations fail if the seed says so, as under a limit (ulimit -v, or without
// overcommit). Small ones succeed: they come from pages that exist.
#include <cstdlib>
#include <new>

#include "tests/world/calls.hpp"

namespace {

constexpr std::size_t kPage = 4096;

bool is_refused(std::size_t size) {
    if (size < kPage or groma::world::Inside::any()) {
        return false;
    }
    const groma::world::Inside here = groma::world::simulated();
    return here != nullptr and here->faults.strike(here->current().program, groma::world::Call::memory) != 0;
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
    void* const memory = is_refused(size) ? nullptr : std::malloc(size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}
