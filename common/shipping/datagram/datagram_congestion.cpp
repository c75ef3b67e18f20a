#include "common/shipping/datagram/datagram_congestion.hpp"

#include <algorithm>

namespace groma {

namespace {

// No receiver of ours has a buffer as large, so a larger window has no use.
constexpr std::size_t kLargestWindow = 16U << 20U;

}  // namespace

void CongestionWindow::set_datagram(std::size_t bytes) {
    datagram_ = bytes;
    window_ = std::max(window_, smallest());
}

void CongestionWindow::on_acked(std::size_t bytes, std::size_t in_flight, std::uint64_t newest) {
    if (newest < recovery_ends_ or in_flight < window_ / 2) {
        return;
    }
    if (in_slow_start()) {
        window_ += bytes;
    } else {
        acked_in_round_ += bytes;
        if (acked_in_round_ >= window_) {
            acked_in_round_ -= window_;
            window_ += datagram_;
        }
    }
    window_ = std::min(window_, kLargestWindow);
}

void CongestionWindow::on_lost(std::uint64_t lost, std::uint64_t next) {
    if (lost < recovery_ends_) {
        return;
    }
    recovery_ends_ = next;
    acked_in_round_ = 0;
    window_ = std::max(window_ / 2, smallest());
    threshold_ = window_;
}

void CongestionWindow::on_silence() {
    threshold_ = std::max(window_ / 2, smallest());
    window_ = smallest();
    acked_in_round_ = 0;
}

}  // namespace groma
