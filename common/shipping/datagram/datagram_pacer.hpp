// Spreads sends over time: a bucket fills at a rate, and each datagram takes its size from it. A datagram may go while
// the bucket is not empty; a deficit delays the next one. Pure.
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

    /// When to try again after may_send() returned false. At a high rate, waits until a few datagrams may go at once.
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
