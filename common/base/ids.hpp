// Names of things that appear in packets, messages and logs.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace groma {

/// A flow within one run: 1, 2, 3, ... in the order of the experiment. The number is carried in packets and logs.
struct FlowId {
    std::uint32_t value = 0;

    auto operator<=>(const FlowId&) const = default;
};

}  // namespace groma

template <>
struct std::hash<groma::FlowId> {
    std::size_t operator()(groma::FlowId id) const noexcept { return id.value; }
};
