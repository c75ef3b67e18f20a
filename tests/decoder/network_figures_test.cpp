// Every figure of the network for random runs, against the definitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decoder/analysis/run_analysis.hpp"
#include "tests/decoder/random_network.hpp"
#include "tests/decoder/slow_figures.hpp"

namespace groma {
namespace {

constexpr std::uint32_t kRuns = 120;

/// The allowed error beyond the precision of the histograms: the uncertainty of the clocks, if the figure contains it.
struct Allowed {
    std::int64_t apart = 0;  ///< of a value
    std::int64_t base = 0;   ///< percentiles are off by at most 1/128 of how far they are from here
};

void expect_spread(const Spread& spread, const slow::Numbers& values, const Allowed& allowed, const char* what) {
    SCOPED_TRACE(what);
    ASSERT_EQ(spread.count, values.size());
    if (values.empty()) {
        return;
    }
    const auto apart = static_cast<double>(allowed.apart);
    EXPECT_NEAR(static_cast<double>(spread.min), static_cast<double>(std::ranges::min(values)), apart);
    EXPECT_NEAR(static_cast<double>(spread.max), static_cast<double>(std::ranges::max(values)), apart);
    const double mean = slow::mean(values);
    const double deviation = slow::deviation(values);
    EXPECT_NEAR(spread.mean, mean, 1e-9 * std::abs(mean) + 1e-6 + apart);
    EXPECT_NEAR(spread.deviation, deviation, 1e-6 * deviation + 1e-6 + 2 * apart);
    for (const auto& [fraction, found] :
         {std::pair(0.5, spread.p50), {0.9, spread.p90}, {0.99, spread.p99}, {0.999, spread.p999}}) {
        const std::int64_t exact = slow::percentile(values, fraction);
        EXPECT_NEAR(static_cast<double>(found), static_cast<double>(exact),
                    std::abs(static_cast<double>(exact - allowed.base)) / 128 + 1 + 2 * apart)
            << fraction;
    }
}

slow::Counts counts_of(const LogHistogram& histogram) {
    slow::Counts counts;
    for (const auto& bin : histogram.bins()) {
        counts[bin.low] += bin.count;
    }
    return counts;
}

/// As in the histogram: values from 256 on share bins.
slow::Counts in_bins(const slow::Counts& counts) {
    LogHistogram histogram;
    for (const auto& [value, count] : counts) {
        histogram.add(value, count);
    }
    return counts_of(histogram);
}

void expect_pattern(const LossPatternFigures& figures, const std::vector<bool>& is_lost) {
    ASSERT_TRUE(figures.counts) << figures.unknown_because;
    EXPECT_TRUE(figures.to_the_end);
    const slow::LossPattern expected(is_lost);
    EXPECT_EQ(figures.counts->packets, is_lost.size());
    EXPECT_EQ(figures.counts->lost, expected.lost);
    EXPECT_EQ(counts_of(figures.counts->periods), in_bins(expected.periods));
    EXPECT_EQ(counts_of(figures.counts->distances), in_bins(expected.distances));
    EXPECT_EQ(figures.counts->good_followed, expected.good_good + expected.good_bad);
    EXPECT_EQ(figures.counts->good_to_bad, expected.good_bad);
    EXPECT_EQ(figures.counts->bad_followed, expected.bad_good + expected.bad_bad);
    EXPECT_EQ(figures.counts->bad_to_good, expected.bad_good);
}

void expect_reordering(const ReceivedFigures& received, const slow::Flow& flow) {
    const slow::Reordering expected(flow.first_copies);
    EXPECT_EQ(received.reordered, expected.reordered);
    EXPECT_EQ(received.reordering.extents.count() + received.reordering.beyond, expected.reordered);
    if (received.reordering.beyond == 0) {
        EXPECT_EQ(counts_of(received.reordering.extents), in_bins(expected.extents));
    }
    for (const auto& [n, packets] : expected.n_reordered) {
        EXPECT_EQ(received.reordering.n_reordered(n), packets) << n;
    }
}

/// One flow as the run had it. `apart` of two values of delay.
class ExpectedFlow {
public:
    ExpectedFlow(const RandomFlow& flow, const RandomClock& clock, bool relative) : flow_(flow, clock, relative) {}

    void expect_sent(const SentFigures& sent) const {
        EXPECT_EQ(sent.packets, flow_.packets.size());
        EXPECT_EQ(sent.bytes, flow_.slow.sent_bytes);
        expect_spread(sent.gaps_ns, flow_.slow.sent_gaps, {}, "sent gaps");
    }

    void expect_received(const ReceivedFigures& received, std::int64_t apart) const {
        const slow::Flow& slow = flow_.slow;
        EXPECT_EQ(received.packets, flow_.copies.size());
        EXPECT_EQ(received.bytes, slow.received_bytes);
        EXPECT_EQ(received.unique, slow.first_copies.size());
        EXPECT_EQ(received.duplicates, slow.duplicates);
        EXPECT_EQ(received.copied, slow.copied);
        EXPECT_EQ(received.beyond_window, 0U);
        expect_reordering(received, slow);
        expect_spread(received.gaps_ns, slow.arrival_gaps, {2 * apart, 0}, "arrival gaps");
        expect_rates(received, apart);
        expect_delays(received, apart);
    }

    [[nodiscard]] const slow::Flow& slow() const { return flow_.slow; }
    [[nodiscard]] const std::vector<slow::Copy>& copies() const { return flow_.copies; }

private:
    struct Everything {
        std::vector<slow::Packet> packets;
        std::vector<slow::Copy> copies;
        slow::Flow slow;

        Everything(const RandomFlow& flow, const RandomClock& clock, bool relative)
            : packets(packets_of(flow)), copies(copies_of(flow, clock, relative)), slow(packets, copies) {}

        static std::vector<slow::Packet> packets_of(const RandomFlow& flow) {
            std::vector<slow::Packet> packets;
            for (const auto& packet : flow.sent) {
                packets.push_back({packet.seq, packet.at, packet.size});
            }
            return packets;
        }

        static std::vector<slow::Copy> copies_of(const RandomFlow& flow, const RandomClock& clock, bool relative) {
            std::vector<slow::Copy> copies;
            std::int64_t smallest = relative ? INT64_MAX : 0;
            std::set<std::uint64_t> seen;
            for (const auto& arrival : flow.arrivals) {
                const RandomFlow::Sent& packet = flow.sent[arrival.packet];
                const std::int64_t raw = clock.read(arrival.at) - packet.at;
                smallest = relative ? std::min(smallest, seen.insert(packet.seq).second ? raw : smallest) : 0;
                copies.push_back({packet.seq, relative ? clock.read(arrival.at) : arrival.at, packet.size,
                                  relative ? raw : arrival.at - packet.at});
            }
            for (auto& copy : copies) {
                *copy.delay -= smallest;
            }
            return copies;
        }
    };

    void expect_rates(const ReceivedFigures& received, std::int64_t apart) const {
        if (flow_.copies.size() < 2) {
            EXPECT_FALSE(received.throughput_bps());
            return;
        }
        const double seconds =
            static_cast<double>(flow_.copies.back().received_at - flow_.copies.front().received_at) / 1e9;
        const auto packets = static_cast<double>(flow_.copies.size());
        const auto off = static_cast<double>(2 * apart);  // of the time from the first to the last
        const double error = 1e-15 + off / std::max(1e9 * seconds - off, 1.0);
        const double rate = (packets - 1) / seconds;
        EXPECT_NEAR(*received.packet_rate_pps(), rate, rate * error);
        const double bits = rate * 8 * static_cast<double>(flow_.slow.received_bytes) / packets;
        EXPECT_NEAR(*received.throughput_bps(), bits, bits * error);
    }

    void expect_delays(const ReceivedFigures& received, std::int64_t apart) const {
        const slow::Flow& slow = flow_.slow;
        slow::Numbers first(
            slow.delays.begin(),
            slow.delays.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(64, slow.delays.size())));
        const std::int64_t base = first.empty() ? 0 : std::ranges::min(first);
        const std::int64_t least = first.empty() ? 0 : std::ranges::min(slow.delays);
        expect_spread(received.delay_ns, slow.delays, {apart, base}, "delay");
        expect_spread(received.pdv_ns, slow.pdv, {2 * apart, base - least}, "PDV");
        EXPECT_EQ(received.ipdv_ns.count + *received.ipdv_missed, slow.sent_neighbours);
        if (received.ipdv_ns.count == slow.ipdv.size()) {
            expect_spread(received.ipdv_ns, slow.ipdv, {2 * apart, 0}, "IPDV");
        }
        EXPECT_LE(received.ipdv_ns.count, slow.ipdv.size());
        const auto off = static_cast<double>(2 * apart);
        EXPECT_NEAR(received.jitter_ditg_ns.value_or(0), slow.jitter_ditg, 1e-9 * slow.jitter_ditg + 1e-6 + off);
        for (const auto& [found, jitter] : {std::pair(received.jitter_rfc3550_ns, slow.jitter_rfc3550),
                                            std::pair(received.jitter_rfc3550_mean_ns, slow.jitter_mean),
                                            std::pair(received.jitter_rfc3550_max_ns, slow.jitter_max)}) {
            EXPECT_NEAR(found.value_or(0), jitter, 1e-9 * slow.jitter_max + 1e-6 + off);
        }
    }

    Everything flow_;
};

void expect_flow(const FlowResult& result, const RandomFlow& flow, const RandomClock& clock) {
    const ExpectedFlow expected(flow, clock, not result.clock.absolute());
    expected.expect_sent(*result.sent);
    expected.expect_received(*result.received, result.clock.absolute() ? result.clock.bound.count() : 0);
    const auto& is_lost = expected.slow().is_lost;
    EXPECT_EQ(result.loss.packets, static_cast<std::uint64_t>(std::ranges::count(is_lost, true)));
    expect_pattern(result.loss_pattern, is_lost);
}

TEST(NetworkFigures, OfOneClockAreExactlyThoseOfTheDefinitions) {
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        SCOPED_TRACE(seed);
        RandomNetwork network(seed, 1 + seed % 3, {});
        const Results results = network.logs(true, 0).analyzed();
        const auto& flows = results.runs.front().flows;
        ASSERT_EQ(flows.size(), network.flows().size());
        for (std::size_t i = 0; i < flows.size(); ++i) {
            SCOPED_TRACE(i);
            expect_flow(flows[i], network.flows()[i], network.clock());
        }
    }
}

TEST(NetworkFigures, WithoutARelationOfTheClocksAreThoseLessTheSmallestDelay) {
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        SCOPED_TRACE(seed);
        const std::int64_t a_year = 31'557'600'000'000'000;
        RandomNetwork network(seed, 1, {.offset_ns = seed % 2 == 0 ? a_year : -a_year, .skew = 40e-6});
        const Results results = network.logs(false, 0).analyzed();
        const FlowResult& flow = results.runs.front().flows.front();
        ASSERT_EQ(flow.clock.kind, ClockState::Kind::relative);
        expect_flow(flow, network.flows().front(), network.clock());
    }
}

TEST(NetworkFigures, AcrossClocksThatAreApartRunApartAndAreSetAreAsWrongAsTheyAreSaidToBeAtMost) {
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        SCOPED_TRACE(seed);
        RandomClock clock{.offset_ns = 7'000'000'000 - 2'000'000 * static_cast<std::int64_t>(seed),
                          .skew = (static_cast<double>(seed % 41) - 20) * 1e-5};
        if (seed % 3 == 0) {
            clock.step_at_ns = 700'000'000;
            clock.step_ns = seed % 2 == 0 ? 40'000'000 : -25'000'000;
        }
        RandomNetwork network(seed, 1, clock);
        const Results results = network.logs(false, 60).analyzed();
        const FlowResult& flow = results.runs.front().flows.front();
        ASSERT_EQ(flow.clock.kind, ClockState::Kind::probed);
        expect_flow(flow, network.flows().front(), clock);
    }
}

/// The part of a flow that left in [from, until).
RandomFlow cut_out(const RandomFlow& flow, std::int64_t from, std::int64_t until) {
    RandomFlow cut;
    std::map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < flow.sent.size(); ++i) {
        if (flow.sent[i].at >= from and flow.sent[i].at < until) {
            places[i] = cut.sent.size();
            cut.sent.push_back(flow.sent[i]);
        }
    }
    for (const auto& arrival : flow.arrivals) {
        if (const auto place = places.find(arrival.packet); place != places.end()) {
            cut.arrivals.push_back({place->second, arrival.at});
        }
    }
    return cut;
}

TEST(NetworkFigures, OfACutRunAreThoseOfARunThatHadNothingElse) {
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        SCOPED_TRACE(seed);
        RandomNetwork network(seed, 1 + seed % 2, {});
        const std::int64_t from = 20'000'000 * (seed % 40);
        const std::int64_t until = from + 30'000'000 * (1 + seed % 30);
        const Results results = network.logs(true, 0).analyzed({.cut = {.from = Nanos{from}, .until = Nanos{until}}});
        const auto& flows = results.runs.front().flows;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            SCOPED_TRACE(i);
            expect_flow(flows[i], cut_out(network.flows()[i], from, until), network.clock());
        }
    }
}

TEST(NetworkFigures, AnEndThatIsSkippedIsCountedFromTheLastDepartureOfAllFlows) {
    RandomNetwork network(3, 3, {});
    std::int64_t last = 0;
    for (const RandomFlow& flow : network.flows()) {
        for (const auto& packet : flow.sent) {
            last = std::max(last, packet.at);
        }
    }
    const Results results = network.logs(true, 0).analyzed({.cut = {.skip_end = Nanos{300'000'000}}});
    EXPECT_EQ(results.runs.front().selection.until, Nanos{last - 300'000'000});
    for (std::size_t i = 0; i < network.flows().size(); ++i) {
        expect_flow(results.runs.front().flows[i], cut_out(network.flows()[i], 0, last - 300'000'000), network.clock());
    }
}

TEST(NetworkFigures, ASelectionOfNothingIsSaid) {
    RandomNetwork network(3, 3, {});
    const Results beyond = network.logs(true, 0).analyzed({.cut = {.from = std::chrono::hours(1)}});
    EXPECT_THAT(beyond.warnings, testing::ElementsAre(testing::HasSubstr("none of its packets is among")));
    EXPECT_THAT(network.logs(true, 0).analyzed({.cut = {.from = Nanos{1}}}).warnings, testing::IsEmpty());
}

TEST(NetworkFigures, OfAllFlowsTogetherAreThoseOfAllPackets) {
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        SCOPED_TRACE(seed);
        RandomNetwork network(seed, 2 + seed % 4, {});
        const TotalResult total = network.logs(true, 0).analyzed().runs.front().total;
        slow::Numbers delays;
        slow::Numbers pdv;
        slow::Numbers ipdv;
        std::uint64_t lost = 0;
        std::uint64_t copied = 0;
        std::uint64_t good_to_bad = 0;
        std::uint64_t good = 0;
        std::uint64_t two_reordered = 0;
        for (const RandomFlow& flow : network.flows()) {
            const ExpectedFlow expected(flow, network.clock(), false);
            const slow::Flow& slow = expected.slow();
            delays.insert(delays.end(), slow.delays.begin(), slow.delays.end());
            pdv.insert(pdv.end(), slow.pdv.begin(), slow.pdv.end());
            ipdv.insert(ipdv.end(), slow.ipdv.begin(), slow.ipdv.end());
            const slow::LossPattern pattern(slow.is_lost);
            lost += pattern.lost;
            good_to_bad += pattern.good_bad;
            good += pattern.good_good + pattern.good_bad;
            copied += slow.copied;
            two_reordered += slow::Reordering(slow.first_copies).n_reordered[2];
        }
        EXPECT_EQ(total.loss.packets, lost);
        EXPECT_EQ(total.loss_pattern.counts->lost, lost);
        EXPECT_EQ(total.loss_pattern.counts->good_to_bad, good_to_bad);
        EXPECT_EQ(total.loss_pattern.counts->good_followed, good);
        EXPECT_EQ(total.received->copied, copied);
        EXPECT_EQ(total.received->reordering.n_reordered(2), two_reordered);
        // A delay was collected around its flow's smallest, and then around the first flow's.
        const std::int64_t wide = std::ranges::max(delays) - std::ranges::min(delays);
        expect_spread(total.received->delay_ns, delays, {0, std::ranges::min(delays) - wide}, "delay");
        expect_spread(total.received->pdv_ns, pdv, {0, -wide}, "PDV");
        if (total.received->ipdv_ns.count == ipdv.size()) {
            expect_spread(total.received->ipdv_ns, ipdv, {0, 0}, "IPDV");
        }
    }
}

}  // namespace
}  // namespace groma
