#include "common/stats/histograms/delay_variation.hpp"

#include <algorithm>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

void IpdvMeter::make_table() {
    if (kept_ == nullptr) {
        kept_ = std::make_unique<Table>();
        keep(first_);
    }
}

void IpdvMeter::keep(const Delay& packet) {
    (*kept_)[packet.seq % kept_->size()] = {packet.seq + 1, packet.delay};
}

const IpdvMeter::Kept* IpdvMeter::find(std::uint64_t seq) const {
    const Kept& kept = (*kept_)[seq % kept_->size()];
    return kept.seq_plus_1 == seq + 1 ? &kept : nullptr;
}

void IpdvMeter::add(std::uint64_t first, std::span<const std::int64_t> delays_ns) {
    add(first, Nanos{delays_ns.front()}, false);
    constexpr std::size_t kMost = 256;
    std::array<std::int64_t, kMost> changes;
    for (std::size_t begin = 1; begin < delays_ns.size(); begin += kMost) {
        const std::size_t count = std::min(kMost, delays_ns.size() - begin);
        differences_of(delays_ns.subspan(begin, count), delays_ns[begin - 1], changes);
        variation_.add(std::span(changes).first(count));
    }
    last_ = {first + delays_ns.size() - 1, Nanos{delays_ns.back()}};
}

void IpdvMeter::add_beside(const Delay& packet, bool late) {
    if (not any_) {
        any_ = true;
        first_ = packet;
        return;
    }
    make_table();
    keep(last_);
    const Kept* const before = packet.seq == 0 ? nullptr : find(packet.seq - 1);
    if (before != nullptr) {
        variation_.add((packet.delay - before->delay).count());
    }
    const Kept* const after = late ? find(packet.seq + 1) : nullptr;
    if (after != nullptr) {
        variation_.add((after->delay - packet.delay).count());
    }
    keep(packet);
}

}  // namespace groma
