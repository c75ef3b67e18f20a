#include "common/model/flow/schedule.hpp"

#include <cstdint>
#include <limits>
#include <optional>

#include "common/model/flow/draws.hpp"
#include "common/model/flow/fine_time.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/flow/rate_clock.hpp"
#include "common/model/flow/sharing.hpp"

namespace groma {

namespace {

/// Inserts OFF periods into the time line of a departure process that knows ON time only.
class OnOffClock {
public:
    /// A departure that lies this many periods ahead is not searched further: the rest of its gap passes in one ON
    /// period. Bounds the work of one call whatever the distributions are.
    static constexpr int kMaxPeriodsPerGap = 100'000;

    OnOffClock(const OnOff& on_off, ProcessSeed on_seed, ProcessSeed off_seed);

    /// Returns: where `on_time`, counted in ON time, lies on the flow's time line. An ON period contains its start and
    /// not its end. Requires: calls in order of `on_time`. An answer beyond `end` may be any instant beyond it.
    [[nodiscard]] FineTime flow_time(FineTime on_time, Nanos end, DrawCounts& counts) noexcept;

    [[nodiscard]] const FineTime& off_total() const { return off_total_; }
    [[nodiscard]] std::uint64_t periods() const { return periods_; }

private:
    GapProcess on_;
    GapProcess off_;
    FineTime on_until_;          ///< end of the current ON period, in ON time
    FineTime off_total_;         ///< all OFF periods before the current ON period
    std::uint64_t periods_ = 0;  ///< those
    bool started_ = false;
};

OnOffClock::OnOffClock(const OnOff& on_off, ProcessSeed on_seed, ProcessSeed off_seed)
    : on_(on_off.on, on_seed), off_(on_off.off, off_seed) {}

FineTime OnOffClock::flow_time(FineTime on_time, Nanos end, DrawCounts& counts) noexcept {
    if (not started_) {
        started_ = true;
        on_until_.add(on_.draw(counts));
    }
    for (int periods = 0; on_until_ <= on_time; ++periods) {
        if ((on_until_ + off_total_).rounded() > end or on_time.at_end()) {
            break;
        }
        off_total_.add(off_.draw(counts));
        ++periods_;
        on_until_.add(on_.draw(counts));
        if (periods == kMaxPeriodsPerGap) {
            on_until_ = on_time;
            on_until_.add(1);
        }
    }
    return on_time + off_total_;
}

}  // namespace

struct Schedule::State {
    explicit State(const FlowSpec& spec);

    [[nodiscard]] std::optional<Departure> next() noexcept;
    [[nodiscard]] FineTime flow_time() noexcept;

    GapProcess gaps;
    SizeProcess sizes;
    std::optional<OnOffClock> on_off;
    std::optional<RateClock> rates;
    Nanos start_delay;
    Nanos duration;  ///< departures from here on are not sent
    std::uint64_t packets_left;
    std::uint64_t bytes_left;
    /// Of the last packet of a flow that goes as fast as possible, which has what is left of the bytes; else it is
    /// whole.
    std::optional<std::uint32_t> smallest_last;
    std::uint64_t seq = 0;
    FineTime time;  ///< of the next departure; in ON time, or at the peak rate, where there is such a clock
    DrawCounts counts;
};

Schedule::State::State(const FlowSpec& spec)
    : gaps(spec.idt, seed_of(spec, Process::gap)),
      sizes(spec.size, size_limits(spec), seed_of(spec, Process::size)),
      start_delay(spec.start_delay),
      duration(spec.stop.duration.value_or(Nanos{FineTime::kLastNs})),
      packets_left(spec.stop.packets.value_or(std::numeric_limits<std::uint64_t>::max())),
      bytes_left(spec.stop.bytes.value_or(Bytes{std::numeric_limits<std::uint64_t>::max()}).count) {
    if (is_greedy(spec.idt) and spec.in_flight == 0) {
        smallest_last = size_limits(spec).smallest;
    }
    if (spec.on_off) {
        on_off.emplace(*spec.on_off, seed_of(spec, Process::on), seed_of(spec, Process::off));
    }
    if (spec.rate_over_time) {
        rates.emplace(*spec.rate_over_time);
    }
}

FineTime Schedule::State::flow_time() noexcept {
    return on_off ? on_off->flow_time(time, duration, counts) : rates ? rates->flow_time(time) : time;
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
    Departure departure{seq, start_delay + due.rounded(), sizes.draw(counts)};
    if (smallest_last and departure.size > bytes_left) {
        departure.size = std::max(static_cast<std::uint32_t>(bytes_left), *smallest_last);
    }
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

Nanos Schedule::off_time() const noexcept {
    return state_->on_off ? state_->on_off->off_total().rounded() : Nanos{0};
}

std::uint64_t Schedule::off_periods() const noexcept {
    return state_->on_off ? state_->on_off->periods() : 0;
}

}  // namespace groma
