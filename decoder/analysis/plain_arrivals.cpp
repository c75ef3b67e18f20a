#include "decoder/analysis/plain_arrivals.hpp"

#include <algorithm>
#include <cstdint>

namespace groma {

PlainArrivals plain_among(const ReceivedColumns& records, const Vicinity& near) {
    const std::uint64_t numbers = ReceivedRecord::kNoSeq - records.seq.front();  // 0 without a number
    const std::size_t neighbours = neighbours_at_front(records.seq);
    PlainArrivals plain{.count = static_cast<std::size_t>(std::min<std::uint64_t>(neighbours, numbers))};
    if (plain.count == 0) {
        return {};
    }
    plain.sent = extent_of(records.sent_at.first(plain.count));
    if (const std::int64_t no_time = ns_since_epoch(ReceivedRecord::kNoTime); plain.sent.least == no_time) {
        const auto some = records.sent_at.first(plain.count);
        plain.count = static_cast<std::size_t>(std::ranges::find(some, no_time) - some.begin());
        if (plain.count == 0) {
            return {};
        }
        plain.sent = extent_of(records.sent_at.first(plain.count));
    }
    plain.received = extent_of(records.received_at.first(plain.count));
    return near.has(plain.sent.least, plain.sent.most) and near.has(plain.received.least, plain.received.most)
               ? plain
               : PlainArrivals{};
}

}  // namespace groma
