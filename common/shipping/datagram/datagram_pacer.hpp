// Spreads sends over time: a bucket that fills at a rate and that every datagram is taken from. A datagram may go while
// there is anything in the bucket; what it takes too much is waited for afterwards. Pure.
#pragma once

#include <algorithm>
#include <limits>

#include "common/time/instant.hpp"

namespace groma {

class DatagramPacer {
public:
    /// `burst`: bytes that may go at once after a pause.
    DatagramPacer(double bytes_per_second, double burst, MonoTime now)
        : rate_(bytes_per_second), burst_(burst), level_(burst), at_(now) {}

    void set(double bytes_per_second, double burst, MonoTime now) {
        fill(now);
        rate_ = bytes_per_second;
        burst_ = burst;
        level_ = std::min(level_, burst_);
    }

    [[nodiscard]] bool may_send(MonoTime now) {
        fill(now);
        return level_ > 0;
    }
    void sent(double bytes, MonoTime now) {
        fill(now);
        level_ -= bytes;
    }

    /// When it is worth coming back after may_send() said no: a few datagrams at once if the rate is high.
    [[nodiscard]] MonoTime ready_at() const {
        if (level_ > 0) {
            return at_;
        }
        const double wanted = std::min(burst_ / 2, rate_ * kQuantumSeconds) - level_;
        const double wait_ns = std::min(wanted / rate_ * 1e9, kLongestWaitNs);
        return at_ + Nanos{static_cast<Nanos::rep>(wait_ns) + 1};
    }

private:
    static constexpr double kQuantumSeconds = 0.0002;
    static constexpr double kLongestWaitNs = 1e12;

    void fill(MonoTime now) {
        if (now > at_) {
            level_ = std::min(burst_, level_ + rate_ * to_seconds(now - at_));
            at_ = now;
        }
    }

    double rate_;
    double burst_;
    double level_;
    MonoTime at_;
};

}  // namespace groma
