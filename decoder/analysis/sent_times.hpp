// Departures of packets too small to carry them: the sender's half of the join on (flow, seq).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/time/instant.hpp"
#include "common/wire/records.hpp"

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

/// When the packet of a record with these values left: as it says, or else as the sender's records do. `known`: null
/// without them. Empty: unknown.
[[nodiscard]] inline std::optional<WallTime> departure_of(std::uint64_t seq, WallTime sent_at, const SentTimes* known) {
    if (sent_at != ReceivedRecord::kNoTime) {
        return sent_at;
    }
    return known == nullptr or seq == ReceivedRecord::kNoSeq ? std::nullopt : known->find(seq);
}

}  // namespace groma
