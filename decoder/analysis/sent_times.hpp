// Departures of packets too small to carry them: the sender's half of the join on (flow, seq).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// Memory: 16 bytes a packet. Only packets that cannot carry their time of departure belong here.
class SentTimes {
public:
    /// In rising order of `seq`; what is out of order is ignored.
    void add(std::uint64_t seq, WallTime sent_at);

    /// O(log n).
    [[nodiscard]] std::optional<WallTime> find(std::uint64_t seq) const;

    [[nodiscard]] std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        std::uint64_t seq;
        WallTime sent_at;
    };
    std::vector<Entry> entries_;
};

}  // namespace groma
