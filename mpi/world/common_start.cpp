#include "mpi/world/common_start.hpp"

#include <algorithm>

namespace groma {

namespace {

/// Time for a message to reach every rank before the common start.
constexpr Nanos kMessageMargin = std::chrono::milliseconds(50);
constexpr Nanos kLongestMargin = std::chrono::seconds(60);

}  // namespace

void ClockComparison::on_pong(std::uint32_t number, MonoTime answered, MonoTime back) {
    if (not ping_ or ping_->number != number) {
        return;
    }
    const Nanos round_trip = back - ping_->sent;
    if (round_trip < shortest_) {
        shortest_ = round_trip;
        difference_ = answered - (ping_->sent + round_trip / 2);
    }
    ping_.reset();
}

std::optional<Nanos> ClockComparison::difference() const {
    return shortest_ == Nanos::max() ? std::nullopt : std::optional(difference_);
}

std::vector<MonoTime> common_start(MonoTime now, std::span<const ReadySender> senders) {
    Nanos margin{0};
    for (const ReadySender& sender : senders) {
        margin = std::max(margin, sender.margin);
    }
    const MonoTime start = now + std::min(margin, kLongestMargin) + kMessageMargin;
    std::vector<MonoTime> starts;
    for (const ReadySender& sender : senders) {
        starts.push_back(start + sender.clock_difference);
    }
    return starts;
}

}  // namespace groma
