#include "python/extension/packet_match.hpp"

#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace groma {

namespace {

using RowNumbers = std::vector<std::size_t>;

/// An unknown number is the largest one.
std::uint64_t number(const PacketColumns& packets, std::size_t row) {
    return static_cast<std::uint64_t>(packets.seq[row]);
}

/// The rows of each flow, in the order of their sequence numbers; of equal ones in the order of the log.
std::map<FlowId, RowNumbers> rows_by_flow(const PacketColumns& packets) {
    std::map<FlowId, RowNumbers> found;
    for (const FlowRows& rows : packets.rows) {
        RowNumbers& of_flow = found[rows.flow];
        const std::size_t before = of_flow.size();
        of_flow.resize(before + rows.count);
        std::iota(of_flow.begin() + static_cast<std::ptrdiff_t>(before), of_flow.end(), rows.first);
    }
    const auto seq = [&](std::size_t row) { return number(packets, row); };
    for (auto& [flow, rows] : found) {
        if (not std::ranges::is_sorted(rows, {}, seq)) {
            std::ranges::stable_sort(rows, {}, seq);
        }
    }
    return found;
}

/// Rows are written into columns that are long enough for all of them: memory that is not written to costs nothing.
class Matching {
public:
    Matching(const SentPackets& sent, const ReceivedPackets& received)
        : sent_(sent), received_(received), most_(sent.count() + received.count()) {}

    void add(FlowId flow, const RowNumbers& sent, const RowNumbers& received, const ClockState* clock) {
        const std::size_t before = count_;
        clock_ = clock != nullptr and clock->absolute() ? clock : nullptr;
        auto arrival = received.begin();
        for (const std::size_t departure : sent) {
            const std::uint64_t seq = number(sent_, departure);
            for (; arrival != received.end() and number(received_, *arrival) < seq; ++arrival) {
                add_arrival(*arrival);
            }
            if (arrival == received.end() or number(received_, *arrival) != seq or seq == ReceivedRecord::kNoSeq) {
                add_departure(departure, kUnknownNs);
                continue;
            }
            for (; arrival != received.end() and number(received_, *arrival) == seq; ++arrival) {
                add_departure(departure, received_.received_ns[*arrival]);
            }
        }
        for (; arrival != received.end(); ++arrival) {
            add_arrival(*arrival);
        }
        matched_.rows.push_back({.flow = flow, .first = before, .count = count_ - before});
        std::ranges::fill(flow_.subspan(before, count_ - before), flow.value);
    }

    [[nodiscard]] MatchedPackets finish() {
        matched_.flow.shorten(count_);
        matched_.seq.shorten(count_);
        matched_.sent_ns.shorten(count_);
        matched_.received_ns.shorten(count_);
        matched_.delay_ns.shorten(count_);
        matched_.lateness_ns.shorten(count_);
        matched_.size.shorten(count_);
        return std::move(matched_);
    }

private:
    void add_departure(std::size_t row, std::int64_t received_ns) {
        add(sent_.seq[row], sent_.sent_ns[row], received_ns, sent_.lateness_ns[row], sent_.size[row]);
    }

    void add_arrival(std::size_t row) {
        add(received_.seq[row], received_.sent_ns[row], received_.received_ns[row], kUnknownNs, received_.size[row]);
    }

    void add(std::int64_t seq, std::int64_t sent_ns, std::int64_t received_ns, std::int64_t lateness_ns,
             std::uint32_t size) {
        seq_[count_] = seq;
        sent_ns_[count_] = sent_ns;
        received_ns_[count_] = received_ns;
        delay_ns_[count_] = delay(sent_ns, received_ns);
        lateness_ns_[count_] = lateness_ns;
        size_[count_] = size;
        ++count_;
    }

    [[nodiscard]] std::int64_t delay(std::int64_t sent_ns, std::int64_t received_ns) const {
        if (clock_ == nullptr or sent_ns == kUnknownNs or received_ns == kUnknownNs) {
            return kUnknownNs;
        }
        const auto delay = clock_->delay(wall_time_from_ns(received_ns), wall_time_from_ns(sent_ns));
        return delay ? delay->count() : kUnknownNs;
    }

    const SentPackets& sent_;
    const ReceivedPackets& received_;
    std::size_t most_;
    const ClockState* clock_ = nullptr;
    MatchedPackets matched_;
    std::size_t count_ = 0;
    std::span<std::uint32_t> flow_ = matched_.flow.extend(most_);
    std::span<std::int64_t> seq_ = matched_.seq.extend(most_);
    std::span<std::int64_t> sent_ns_ = matched_.sent_ns.extend(most_);
    std::span<std::int64_t> received_ns_ = matched_.received_ns.extend(most_);
    std::span<std::int64_t> delay_ns_ = matched_.delay_ns.extend(most_);
    std::span<std::int64_t> lateness_ns_ = matched_.lateness_ns.extend(most_);
    std::span<std::uint32_t> size_ = matched_.size.extend(most_);
};

}  // namespace

MatchedPackets match(const SentPackets& sent, const ReceivedPackets& received,
                     const std::map<FlowId, ClockState>& clocks) {
    auto departures = rows_by_flow(sent);
    auto arrivals = rows_by_flow(received);
    for (const auto& [flow, rows] : arrivals) {
        departures[flow];  // also flows of which the sender has no record
    }
    Matching matching(sent, received);
    for (const auto& [flow, rows] : departures) {
        const auto clock = clocks.find(flow);
        matching.add(flow, rows, arrivals[flow], clock == clocks.end() ? nullptr : &clock->second);
    }
    return matching.finish();
}

}  // namespace groma
