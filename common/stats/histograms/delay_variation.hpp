// How the delay varies between consecutive packets sent: IPDV (RFC 3393, RFC 5481).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// D(i) - D(i-1) of packets with consecutive sequence numbers that both arrived, in any order. Keeps the delay of a
/// packet whose neighbour is missing until another one replaces it. Memory: 4 KiB for a flow with lost or reordered
/// packets; none for others.
class IpdvMeter {
public:
    /// The first copy of a packet; `late`: one with a larger number arrived before it. Requires: delays within
    /// kLongestSpan.
    void add(std::uint64_t seq, Nanos delay, bool late) {
        if (any_ and seq == last_.seq + 1 and not late) {
            variation_.add((delay - last_.delay).count());
        } else {
            add_beside({seq, delay}, late);
        }
        last_ = {seq, delay};
    }

    /// Packets with consecutive numbers from `first` on, in order, none of them late. Requires: delays_ns is not empty,
    /// and as above.
    void add(std::uint64_t first, std::span<const std::int64_t> delays_ns);

    /// Signed: positive for a packet that took longer than the one before it. Its count is the number of pairs.
    [[nodiscard]] const LogHistogram& variation() const { return variation_; }

private:
    struct Delay {
        std::uint64_t seq = 0;
        Nanos delay{};
    };
    struct Kept {
        std::uint64_t seq_plus_1 = 0;  ///< 0: unused
        Nanos delay{};
    };
    using Table = std::array<Kept, 256>;  ///< by sequence number

    /// A packet that is late or does not directly follow the one before it. Only packets at the ends of a run can have
    /// a neighbour that arrives later: the others had theirs at once.
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
