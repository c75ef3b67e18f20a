// The flow setups of a run, in compact form while packets are sent. The log has them already; the report needs them at
// the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/log/run_metadata.hpp"

namespace groma {

/// Consecutive flows that differ only in number, name, start and addresses share the rest: about 100 bytes per flow
/// instead of 1000.
class KeptSetups {
public:
    KeptSetups() = default;
    explicit KeptSetups(std::vector<FlowSetup> setups);

    /// All setups in the order of add().
    [[nodiscard]] std::vector<FlowSetup> all() const;

private:
    /// The members that are not shared.
    struct Own {
        std::uint32_t common = 0;  ///< index in common_
        FlowId id{};
        Nanos start_delay{0};
        std::string name{};
        std::string local_address{};
        std::string remote_address{};
    };

    std::vector<FlowSpec> common_{};
    std::vector<Own> own_{};
};

}  // namespace groma
