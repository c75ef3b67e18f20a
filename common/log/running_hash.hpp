// The 64-bit XXH3 hash of bytes that arrive in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct XXH3_state_s;

namespace groma {

class RunningHash {
public:
    RunningHash();

    void add(std::span<const std::byte> bytes) noexcept;

    /// Hash of all bytes so far.
    [[nodiscard]] std::uint64_t value() const noexcept;

private:
    struct Freer {
        void operator()(XXH3_state_s* state) const noexcept;
    };
    std::unique_ptr<XXH3_state_s, Freer> state_;
};

}  // namespace groma
