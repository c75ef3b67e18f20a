#include "receiver/delay_meter.hpp"

#include <algorithm>

#include "common/time/difference.hpp"

namespace groma {

namespace {

/// `delays` less `base`, so that the clocks' offset costs no precision.
ArrivalDelays figures_of(const Spread& delays, std::int64_t base, std::optional<double> jitter_ns) {
    ArrivalDelays figures;
    figures.packets = delays.count;
    if (delays.count == 0) {
        return figures;
    }
    const Nanos longest{delays.max - delays.min};
    const auto percentile = [&](double fraction) {  // exact, as the ends are, or of the middle of a bin
        return std::clamp(Nanos{delays.values->percentile(fraction) + delays.shift - delays.min}, Nanos{0}, longest);
    };
    const auto within = [&](double value) { return std::clamp(value, 0.0, static_cast<double>(longest.count())); };
    figures.min = held_to_longest(Nanos{delays.min + base});
    figures.p025 = percentile(0.025);
    figures.p50 = percentile(0.5);
    figures.p90 = percentile(0.9);
    figures.p975 = percentile(0.975);
    figures.p99 = percentile(0.99);
    figures.p999 = percentile(0.999);
    figures.max = longest;
    figures.mean_ns = within(delays.mean - static_cast<double>(delays.min));
    figures.deviation_ns = within(delays.deviation);
    if (jitter_ns) {
        figures.jitter_ns = within(*jitter_ns);
    }
    return figures;
}

}  // namespace

void DelayMeter::add(WallTime sent_at, WallTime received_at) {
    const Nanos delay = difference(received_at, sent_at);
    if (is_limited(delay)) {
        return;
    }
    delays_.add(delay.count());
    (void)jitter_.add(delay);
}

ArrivalDelays DelayMeter::figures() const {
    const CentredHistogram::Around delays = delays_.around();
    return figures_of(spread_of(delays.histogram), delays.base,
                      jitter_.differences() > 0 ? std::optional(jitter_.rfc3550_mean_ns()) : std::nullopt);
}

void DelaySum::add(const DelayMeter& flow) {
    delays_.add(flow.delays());
    const auto differences = static_cast<double>(flow.jitter().differences());
    if (differences > 0) {
        differences_ += differences;
        jitter_ns_ += (flow.jitter().rfc3550_mean_ns() - jitter_ns_) * (differences / differences_);
    }
}

ArrivalDelays DelaySum::figures() const {
    return figures_of(delays_.around_base(), delays_.base(),
                      differences_ > 0 ? std::optional(jitter_ns_) : std::nullopt);
}

}  // namespace groma
