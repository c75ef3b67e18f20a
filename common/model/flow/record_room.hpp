// How much memory the records of a run need on their way to the log.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Of flows whose records go through one queue. A queue's memory is touched before the run begins, which takes time:
/// there is room for no more than twice as many records as there will be packets (the other half is for copies of
/// replies, and for those that the network makes), where their number is known, and for few at least.
class RecordRoom {
public:
    void add(const StopRule& flow) noexcept;

    /// Records; no more than `most`.
    [[nodiscard]] std::size_t records(std::size_t most) const noexcept;

private:
    std::uint64_t packets_ = 0;  ///< the largest number: not known, or too many to count
};

}  // namespace groma
