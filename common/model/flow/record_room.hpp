// How many records of a run the queue to the log must hold.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Flows whose records go through one queue. A queue's memory is touched before the run, which takes time. So there is
/// room for at most twice the number of packets, if known (half of it for copies of replies and for duplicates by the
/// network), and for at least a few.
class RecordRoom {
public:
    void add(const StopRule& flow) noexcept;

    /// Records; no more than `most`.
    [[nodiscard]] std::size_t records(std::size_t most) const noexcept;

private:
    std::uint64_t packets_ = 0;  ///< saturates: unknown, or too many to count
};

}  // namespace groma
