// The figures of docs/reference/metrics.md computed in the most obvious way, straight from the RFCs, with memory for
// every packet: what the decoder's figures are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace groma::slow {

using Numbers = std::vector<std::int64_t>;
using Counts = std::map<std::int64_t, std::uint64_t>;

/// A packet of a flow, in the order of sending.
struct Packet {
    std::uint64_t seq = 0;
    std::int64_t sent_at = 0;
    std::uint32_t size = 0;
};

/// A copy of one, in the order of arrival. `delay` is the value to be reported.
struct Copy {
    std::uint64_t seq = 0;
    std::int64_t received_at = 0;
    std::uint32_t size = 0;
    std::optional<std::int64_t> delay;
};

inline std::int64_t percentile(Numbers values, double fraction) {
    std::ranges::sort(values);
    const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

inline double mean(const Numbers& values) {
    long double sum = 0;
    for (const auto value : values) {
        sum += static_cast<long double>(value);
    }
    return static_cast<double>(sum / static_cast<long double>(values.size()));
}

inline double deviation(const Numbers& values) {
    long double sum = 0;
    const long double middle = mean(values);
    for (const auto value : values) {
        sum += (static_cast<long double>(value) - middle) * (static_cast<long double>(value) - middle);
    }
    return values.size() < 2 ? 0 : static_cast<double>(std::sqrt(sum / static_cast<long double>(values.size() - 1)));
}

/// Of a list of first copies in order of arrival: RFC 4737.
struct Reordering {
    std::uint64_t reordered = 0;
    Counts extents;
    std::map<std::size_t, std::uint64_t> n_reordered;  ///< by n, of those up to 10

    explicit Reordering(const std::vector<std::uint64_t>& s) {
        std::uint64_t next_expected = 0;
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (s[i] >= next_expected) {
                next_expected = s[i] + 1;
                continue;
            }
            ++reordered;
            const auto earliest = std::find_if(s.begin(), s.end(), [&](auto other) { return other > s[i]; });
            ++extents[static_cast<std::int64_t>(i) - (earliest - s.begin())];
            for (std::size_t n = 1; n <= std::min<std::size_t>(10, i); ++n) {
                n_reordered[n] +=
                    std::all_of(s.begin() + static_cast<std::ptrdiff_t>(i - n),
                                s.begin() + static_cast<std::ptrdiff_t>(i), [&](auto other) { return other > s[i]; })
                        ? 1
                        : 0;
            }
        }
    }
};

/// Of packets in the order of sending, each lost or not: RFC 3357, and the transitions of a Gilbert chain.
struct LossPattern {
    std::uint64_t lost = 0;
    Counts periods;
    Counts distances;
    std::uint64_t good_good = 0;
    std::uint64_t good_bad = 0;
    std::uint64_t bad_good = 0;
    std::uint64_t bad_bad = 0;

    explicit LossPattern(const std::vector<bool>& is_lost) {
        std::int64_t length = 0;
        std::int64_t last = -1;
        for (std::size_t i = 0; i < is_lost.size(); ++i) {
            if (i > 0) {
                ++(is_lost[i - 1] ? (is_lost[i] ? bad_bad : bad_good) : (is_lost[i] ? good_bad : good_good));
            }
            if (is_lost[i]) {
                ++lost;
                ++length;
                const auto place = static_cast<std::int64_t>(i);
                distances[place - last] += last >= 0 ? 1 : 0;
                last = place;
            }
            if (length > 0 and (not is_lost[i] or i + 1 == is_lost.size())) {
                ++periods[length];
                length = 0;
            }
        }
        std::erase_if(distances, [](const auto& each) { return each.second == 0; });
    }
};

/// All of one flow.
struct Flow {
    std::uint64_t sent_bytes = 0;
    Numbers sent_gaps;
    std::uint64_t received_bytes = 0;
    std::vector<std::uint64_t> first_copies;  ///< numbers in order of arrival
    std::uint64_t duplicates = 0;
    std::uint64_t copied = 0;
    Numbers arrival_gaps;
    Numbers delays;  ///< in order of arrival
    Numbers pdv;
    Numbers ipdv;
    std::uint64_t sent_neighbours = 0;  ///< pairs that were sent one after the other and both arrived
    double jitter_ditg = 0;
    double jitter_rfc3550 = 0;
    double jitter_mean = 0;  // of that of RFC 3550
    double jitter_max = 0;
    std::vector<bool> is_lost;

    Flow(const std::vector<Packet>& packets, const std::vector<Copy>& copies) {
        for (std::size_t i = 0; i < packets.size(); ++i) {
            sent_bytes += packets[i].size;
            if (i > 0 and packets[i].seq == packets[i - 1].seq + 1) {
                sent_gaps.push_back(packets[i].sent_at - packets[i - 1].sent_at);
            }
        }
        look_at_copies(copies);
        look_at_delays();
        for (const Packet& packet : packets) {
            is_lost.push_back(not times_seen_.contains(packet.seq));
            sent_neighbours += is_lost.size() > 1 and not is_lost.back() and not is_lost[is_lost.size() - 2] ? 1 : 0;
        }
    }

private:
    void look_at_copies(const std::vector<Copy>& copies) {
        for (std::size_t i = 0; i < copies.size(); ++i) {
            received_bytes += copies[i].size;
            if (i > 0) {
                arrival_gaps.push_back(copies[i].received_at - copies[i - 1].received_at);
            }
            const std::uint64_t times = ++times_seen_[copies[i].seq];
            duplicates += times > 1 ? 1 : 0;
            copied += times == 2 ? 1 : 0;
            if (times > 1) {
                continue;
            }
            first_copies.push_back(copies[i].seq);
            if (copies[i].delay) {
                delays.push_back(*copies[i].delay);
                delay_of_[copies[i].seq] = *copies[i].delay;
            }
        }
    }

    void look_at_delays() {
        for (std::size_t i = 0; i < delays.size(); ++i) {
            pdv.push_back(delays[i] - std::ranges::min(delays));
            if (i > 0) {
                const double change = std::abs(static_cast<double>(delays[i] - delays[i - 1]));
                jitter_ditg += change / static_cast<double>(delays.size() - 1);
                jitter_rfc3550 += (change - jitter_rfc3550) / 16;
                jitter_mean += jitter_rfc3550 / static_cast<double>(delays.size() - 1);
                jitter_max = std::max(jitter_max, jitter_rfc3550);
            }
        }
        for (const auto& [seq, delay] : delay_of_) {
            if (const auto before = delay_of_.find(seq - 1); before != delay_of_.end()) {
                ipdv.push_back(delay - before->second);
            }
        }
    }

    std::map<std::uint64_t, std::uint64_t> times_seen_;
    std::map<std::uint64_t, std::int64_t> delay_of_;
};

}  // namespace groma::slow
