// How the delay varies from each packet to the next one that was sent: IPDV (RFC 3393, RFC 5481).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// D(i) - D(i-1) of packets with neighbouring sequence numbers of which both arrived, in whatever order. The delay of a
/// packet whose neighbour has not come is kept for as long as no other takes its place. Memory: 4 KiB of a flow that
/// lost packets or has them out of order; none of others.
class IpdvMeter {
public:
    /// The first copy of a packet; `late`: one with a larger number came before it. Requires: delays within
    /// kLongestSpan.
    void add(std::uint64_t seq, Nanos delay, bool late) {
        if (any_ and seq == last_.seq + 1 and not late) {
            variation_.add((delay - last_.delay).count());
        } else {
            add_beside({seq, delay}, late);
        }
        last_ = {seq, delay};
    }

    /// Packets with neighbouring numbers from `first` on, in order, none of them late. Requires: delays_ns not empty,
    /// and as above.
    void add(std::uint64_t first, std::span<const std::int64_t> delays_ns);

    /// Signed: a packet that took longer than the one before it is above 0. How many pairs were compared is its count.
    [[nodiscard]] const LogHistogram& variation() const { return variation_; }

private:
    struct Delay {
        std::uint64_t seq = 0;
        Nanos delay{};
    };
    struct Kept {
        std::uint64_t seq_plus_1 = 0;  ///< 0: nothing
        Nanos delay{};
    };
    using Table = std::array<Kept, 256>;  ///< by sequence number

    /// Not right behind the packet before it, or late. Only packets at the ends of a run of neighbours can have a
    /// neighbour that comes later: the others had theirs at once.
    void add_beside(const Delay& packet, bool late);
    void make_table();
    void keep(const Delay& packet);
    [[nodiscard]] const Kept* find(std::uint64_t seq) const;

    bool any_ = false;
    Delay first_;
    Delay last_;
    std::unique_ptr<Table> kept_;
    LogHistogram variation_;
};

}  // namespace groma
