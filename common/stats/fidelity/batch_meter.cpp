#include "common/stats/fidelity/batch_meter.hpp"

#include <algorithm>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

namespace {

/// How many packets after the first one shared its send call, checked all at once: 0 unless that holds for all
/// available packets of the call, and they are many.
std::size_t others_of_train(std::span<const std::uint64_t> batches, std::span<const std::int64_t> sent_at) {
    constexpr std::size_t kMany = 8;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(batches.front(), batches.size()));
    if (count < kMany or equals_at_front(batches.first(count)) < count) {
        return 0;
    }
    const Extent times = extent_of(sent_at.first(count));
    return times.least == times.most ? count - 1 : 0;
}

}  // namespace

// Packets of one call share its stamp. Where records are missing, the next call has another one.
void BatchMeter::add(std::span<const std::uint64_t> batches, std::span<const std::int64_t> sent_at) {
    if (rest_ == 0 and batches.front() <= 1 and equals_at_front(batches) == batches.size()) {
        alone_ += batches.size();
        count_calls(batches.front(), batches.size());
        return;
    }
    std::uint64_t size = 0;
    std::uint64_t calls = 0;  // of this many packets, one after the other
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const std::uint64_t batch = batches[i];
        ++(batch > 1 ? batched_ : alone_);
        if (rest_ > 0 and batch == before_ and sent_at[i] == before_at_) {
            --rest_;
        } else {
            if (batch != size) {
                count_calls(size, calls);
                size = batch;
                calls = 0;
            }
            ++calls;
            rest_ = batch > 0 ? static_cast<std::uint32_t>(batch - 1) : 0;
            const std::size_t others = others_of_train(batches.subspan(i), sent_at.subspan(i));
            batched_ += others;
            rest_ -= static_cast<std::uint32_t>(others);
            i += others;
        }
        before_ = batch;
        before_at_ = sent_at[i];
    }
    count_calls(size, calls);
}

void BatchMeter::count_calls(std::uint64_t size, std::uint64_t calls) {
    if (calls > 0) {
        sizes_.add(static_cast<std::int64_t>(size), calls);
        largest_ = std::max(largest_, static_cast<std::uint32_t>(size));
    }
}

}  // namespace groma
