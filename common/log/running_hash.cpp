#include "common/log/running_hash.hpp"

#include <xxhash.h>

#include <new>

namespace groma {

void RunningHash::Freer::operator()(XXH3_state_s* state) const noexcept {
    XXH3_freeState(state);
}

RunningHash::RunningHash() : state_(XXH3_createState()) {
    if (not state_) {
        throw std::bad_alloc();
    }
    XXH3_64bits_reset(state_.get());
}

void RunningHash::add(std::span<const std::byte> bytes) noexcept {
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
}

std::uint64_t RunningHash::value() const noexcept {
    return XXH3_64bits_digest(state_.get());
}

}  // namespace groma
