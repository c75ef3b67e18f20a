// Memory of simulated programs: pieces of some size are refused when a seed wants that, as where a limit is set
// (ulimit -v, or overcommit is off); the small ones come from pages that are there.
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
