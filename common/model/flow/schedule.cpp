#include "common/model/flow/schedule.hpp"

#include <limits>

#include "common/model/distributions/stream.hpp"
#include "common/model/flow/fine_time.hpp"
#include "common/model/flow/gap_process.hpp"
#include "common/model/flow/on_off_clock.hpp"
#include "common/model/flow/sharing.hpp"
#include "common/model/flow/size_process.hpp"

namespace groma {

struct Schedule::State {
    explicit State(const FlowSpec& spec);

    [[nodiscard]] std::optional<Departure> next() noexcept;
    [[nodiscard]] FineTime flow_time() noexcept;

    GapProcess gaps;
    SizeProcess sizes;
    std::optional<OnOffClock> on_off;
    Nanos start_delay;
    Nanos duration;  ///< departures from here on are not sent
    std::uint64_t packets_left;
    std::uint64_t bytes_left;
    std::uint64_t seq = 0;
    FineTime time;  ///< of the next departure; in ON time where there are ON periods
    DrawCounts counts;
};

Schedule::State::State(const FlowSpec& spec)
    : gaps(spec.idt, stream_seed(spec.seed, spec.id, Process::gap)),
      sizes(spec.size, size_limits(spec), stream_seed(spec.seed, spec.id, Process::size)),
      start_delay(spec.start_delay),
      duration(spec.stop.duration.value_or(Nanos{FineTime::kLastNs})),
      packets_left(spec.stop.packets.value_or(std::numeric_limits<std::uint64_t>::max())),
      bytes_left(spec.stop.bytes.value_or(Bytes{std::numeric_limits<std::uint64_t>::max()}).count) {
    if (spec.on_off) {
        on_off.emplace(*spec.on_off, stream_seed(spec.seed, spec.id, Process::on),
                       stream_seed(spec.seed, spec.id, Process::off));
    }
}

FineTime Schedule::State::flow_time() noexcept {
    return on_off ? on_off->flow_time(time, duration, counts) : time;
}

std::optional<Departure> Schedule::State::next() noexcept {
    if (packets_left == 0 or bytes_left == 0) {
        return std::nullopt;
    }
    if (seq > 0) {
        time.add(gaps.draw(counts));
    }
    const FineTime due = flow_time();
    if (due.rounded() >= duration or due.at_end()) {
        packets_left = 0;
        return std::nullopt;
    }
    const Departure departure{seq, start_delay + due.rounded(), sizes.draw(counts)};
    ++seq;
    --packets_left;
    bytes_left -= departure.size < bytes_left ? departure.size : bytes_left;
    return departure;
}

Schedule::Schedule(const FlowSpec& spec) : state_(std::make_unique<State>(spec)) {}
Schedule::Schedule(Schedule&&) noexcept = default;
Schedule& Schedule::operator=(Schedule&&) noexcept = default;
Schedule::~Schedule() = default;

std::optional<Departure> Schedule::next() noexcept {
    return state_->next();
}

const DrawCounts& Schedule::draw_counts() const noexcept {
    return state_->counts;
}

}  // namespace groma
