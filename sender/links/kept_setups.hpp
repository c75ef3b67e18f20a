// The flows of a run as they were set up, in little memory, while packets are sent: the log has told them, and the
// report needs them again at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/log/run_metadata.hpp"

namespace groma {

/// Flows in a row that differ in number, name, start and addresses only keep those, and the rest once: some 100 bytes a
/// flow and not a thousand.
class KeptSetups {
public:
    KeptSetups() = default;
    explicit KeptSetups(std::vector<FlowSetup> setups);

    /// The same in the same order.
    [[nodiscard]] std::vector<FlowSetup> all() const;

private:
    /// What is a flow's own.
    struct Own {
        std::uint32_t common = 0;  ///< its place in common_
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
