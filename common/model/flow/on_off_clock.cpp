#include "common/model/flow/on_off_clock.hpp"

namespace groma {

OnOffClock::OnOffClock(const OnOff& on_off, std::uint64_t on_seed, std::uint64_t off_seed)
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
        on_until_.add(on_.draw(counts));
        if (periods == kMaxPeriodsPerGap) {
            on_until_ = on_time;
            on_until_.add(1);
        }
    }
    return on_time + off_total_;
}

}  // namespace groma
