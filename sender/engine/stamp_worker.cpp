#include "sender/engine/stamp_worker.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr std::size_t kAtOnce = 256;
/// The most stamps taken from one flow per turn.
constexpr std::size_t kMostOfOne = 16 * kAtOnce;

}  // namespace

bool wants_transmit_stamps(const FlowSpec& spec) noexcept {
    return spec.options.sent_stamps.value_or(StampSource::user) != StampSource::user and
           spec.header != HeaderLevel::none;
}

StampWorker::StampWorker(std::vector<FlowSender*> flows, std::size_t queue_records)
    : stamps_(kAtOnce), queue_(queue_records) {
    for (FlowSender* flow : flows) {
        flows_.push_back({.sender = flow, .unwrapper = {}});
    }
}

std::size_t StampWorker::collect() noexcept {
    std::size_t sum = 0;
    for (Flow& flow : flows_) {
        sum += collect(flow);
    }
    return sum;
}

std::size_t StampWorker::collect(Flow& flow) noexcept {
    std::size_t taken = 0;
    while (taken < kMostOfOne) {
        const std::size_t count = flow.sender->take_transmit_stamps(stamps_);
        for (const TransmitStamp& stamp : std::span(stamps_).first(count)) {
            const TransmitRecord record{.seq = flow.unwrapper.unwrap(stamp.seq), .transmitted_at = stamp.at};
            flow.collected += queue_.push({record, flow.sender->place()}) ? 1U : 0U;
        }
        taken += count;
        if (count < stamps_.size()) {
            break;
        }
    }
    return taken;
}

bool StampWorker::has_all() const noexcept {
    return std::all_of(flows_.begin(), flows_.end(),
                       [](const Flow& flow) { return flow.collected >= flow.sender->progress().packets; });
}

std::uint64_t StampWorker::collected(std::uint32_t place) const noexcept {
    const auto found =
        std::find_if(flows_.begin(), flows_.end(), [place](const Flow& flow) { return flow.sender->place() == place; });
    return found == flows_.end() ? 0 : found->collected;
}

}  // namespace groma
