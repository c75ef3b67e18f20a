// How much sessions of a receiver, or runs of a daemon, ask for. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct Load {
    std::uint64_t sessions = 1;
    std::uint64_t flows = 0;
    /// The mean while they are ON, at their peak; infinite: not known, or as fast as possible.
    double packets_per_s = 0;
    double bits_per_s = 0;
    std::optional<Nanos> duration = Nanos{0};  ///< nothing: it has no end

    void add(const FlowSpec& flow);
    /// Beside it.
    void add(const Load& other);
};

}  // namespace groma
