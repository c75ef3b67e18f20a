// How many bytes may be on their way at once: slow start, then one datagram more each round trip, half after a loss
// (NewReno as in RFC 9002 section 7). Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace groma {

class CongestionWindow {
public:
    explicit CongestionWindow(std::size_t datagram) : datagram_(datagram), window_(kFirstDatagrams * datagram) {}

    /// Datagrams are that large from now on.
    void set_datagram(std::size_t bytes);

    /// `in_flight` is what was on its way before these bytes were acknowledged: a window that was not used says nothing
    /// about the path, and does not grow. `newest` is the highest number among the acknowledged datagrams.
    void on_acked(std::size_t bytes, std::size_t in_flight, std::uint64_t newest);

    /// Datagram number `lost` is lost; `next` is the number that the next datagram will have. Several losses of one
    /// round trip count once.
    void on_lost(std::uint64_t lost, std::uint64_t next);

    /// Nothing came back for several time-outs.
    void on_silence();

    [[nodiscard]] std::size_t bytes() const { return window_; }
    [[nodiscard]] bool in_slow_start() const { return window_ < threshold_; }

private:
    static constexpr std::size_t kFirstDatagrams = 10;
    static constexpr std::size_t kFewestDatagrams = 4;

    [[nodiscard]] std::size_t smallest() const { return kFewestDatagrams * datagram_; }

    std::size_t datagram_;
    std::size_t window_;
    std::size_t threshold_ = SIZE_MAX;
    std::size_t acked_in_round_ = 0;
    std::uint64_t recovery_ends_ = 0;  ///< datagrams below it were sent before the window was last cut
};

}  // namespace groma
