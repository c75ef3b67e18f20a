// A run in virtual time for tests: random schedules, a random network between two hosts, and the logs that both sides
// would have written. All events stay available.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/decoder/sample_logs.hpp"

namespace groma {

/// The receiver's clock against the sender's.
struct RandomClock {
    std::int64_t offset_ns = 0;
    double skew = 0;
    std::int64_t step_at_ns = 0;  ///< from the start of the run
    std::int64_t step_ns = 0;

    [[nodiscard]] std::int64_t read(std::int64_t ns) const {
        return ns + offset_ns + std::llround(skew * static_cast<double>(ns)) + (ns >= step_at_ns ? step_ns : 0);
    }
};

/// The events of a flow. Times in ns from the start of the run on the sender's clock, which is the true one.
struct RandomFlow {
    struct Sent {
        std::uint64_t seq = 0;
        std::int64_t at = 0;
        std::uint32_t size = 0;
        bool lost = false;
    };
    struct Arrived {
        std::size_t packet = 0;  ///< place in `sent`
        std::int64_t at = 0;
    };
    std::vector<Sent> sent;         ///< without packets that the host refused: their numbers are missing
    std::vector<Arrived> arrivals;  ///< every copy, in order
};

class RandomNetwork {
public:
    RandomNetwork(std::uint32_t seed, std::uint32_t flows, const RandomClock& clock) : engine_(seed), clock_(clock) {
        for (std::uint32_t i = 0; i < flows; ++i) {
            run_flow();
        }
    }

    [[nodiscard]] const std::vector<RandomFlow>& flows() const { return flows_; }
    [[nodiscard]] const RandomClock& clock() const { return clock_; }

    /// The logs of one kernel when `one_clock`, of two otherwise, and with as many probes.
    [[nodiscard]] SamplePair logs(bool one_clock, std::size_t probes) {
        SamplePair pair;
        const auto flows = static_cast<std::uint32_t>(flows_.size());
        pair.sender = empty_log(LogRole::sender, flows);
        pair.receiver = empty_log(LogRole::receiver, flows);
        pair.receiver.metadata.boot_id = one_clock ? "one-boot" : "another-boot";
        pair.receiver.metadata.started_at = wall_time_from_ns(kStartNs + clock_.read(0));
        write_records(pair);
        add_probes(pair.sender, probes);
        close(pair.sender);
        close(pair.receiver);
        return pair;
    }

private:
    std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
    double uniform() { return std::uniform_real_distribution<double>()(engine_); }
    std::int64_t exponential(double mean) { return std::llround(-mean * std::log(1 - uniform())); }

    void run_flow() {
        RandomFlow flow;
        const bool small = below(5) == 0;  // too small to carry their departure
        const double gap = 1e5 + 3e6 * uniform();
        const double into_loss = below(4) == 0 ? 0 : 0.1 * uniform() * uniform();
        const double out_of_loss = 0.1 + 0.8 * uniform();
        const double refused = below(3) == 0 ? 0.02 : 0;
        bool losing = below(20) == 0;
        std::int64_t now = static_cast<std::int64_t>(below(50'000'000));
        const std::uint64_t numbers = below(15) == 0 ? below(3) : 50 + below(1500);
        for (std::uint64_t seq = 0; seq < numbers; ++seq, now += exponential(gap)) {
            losing = uniform() < (losing ? 1 - out_of_loss : into_loss);
            if (uniform() >= refused) {
                flow.sent.push_back({seq, now, static_cast<std::uint32_t>(small ? 8 : 20 + below(1400)), losing});
            }
        }
        carry(flow);
        flows_.push_back(std::move(flow));
    }

    /// Delays above a base of up to 40 ms; some packets take a longer path, some arrive twice.
    void carry(RandomFlow& flow) {
        const auto mean = static_cast<std::int64_t>(below(40'000'000));
        const double jitter = 1e3 + 1e6 * uniform() * uniform();
        const double detour = below(3) == 0 ? 0 : 0.05;
        const double copied = below(3) == 0 ? 0 : 0.04;
        for (std::size_t i = 0; i < flow.sent.size(); ++i) {
            if (flow.sent[i].lost) {
                continue;
            }
            do {
                const std::int64_t way = mean + exponential(jitter) + (uniform() < detour ? exponential(1e7) : 0);
                flow.arrivals.push_back({i, flow.sent[i].at + way});
            } while (uniform() < copied);
        }
        std::ranges::stable_sort(flow.arrivals, {}, &RandomFlow::Arrived::at);
    }

    /// One block of each flow in turn.
    void write_records(SamplePair& pair) {
        constexpr std::size_t kBlock = 37;
        for (std::size_t from = 0; from < 2000; from += kBlock) {
            for (std::size_t i = 0; i < flows_.size(); ++i) {
                const FlowId id{static_cast<std::uint32_t>(i + 1)};
                const RandomFlow& flow = flows_[i];
                std::vector<SentRecord> sent;
                for (std::size_t k = from; k < std::min(from + kBlock, flow.sent.size()); ++k) {
                    sent.push_back(sent_packet(flow.sent[k].seq, flow.sent[k].at, flow.sent[k].size));
                }
                pair.sender.sent.emplace_back(id, std::move(sent));
                std::vector<ReceivedRecord> received;
                for (std::size_t k = from; k < std::min(from + kBlock, flow.arrivals.size()); ++k) {
                    received.push_back(record_of(flow, flow.arrivals[k]));
                }
                pair.receiver.received.emplace_back(id, std::move(received));
            }
        }
    }

    [[nodiscard]] ReceivedRecord record_of(const RandomFlow& flow, const RandomFlow::Arrived& arrival) const {
        const RandomFlow::Sent& packet = flow.sent[arrival.packet];
        return {.seq = packet.seq,
                .sent_at = packet.size < 12 ? ReceivedRecord::kNoTime : wall_time_from_ns(kStartNs + packet.at),
                .received_at = wall_time_from_ns(kStartNs + clock_.read(arrival.at)),
                .size = packet.size};
    }

    /// Twenty before the run, four a second while it lasts and beyond; never faster than 100 us in one direction.
    void add_probes(SampleLog& sender, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t t1 = i < 20 ? -1'000'000'000 + static_cast<std::int64_t>(i) * 10'000'000
                                           : static_cast<std::int64_t>(i - 20) * 250'000'000;
            const std::int64_t t2 = t1 + 100'000 + exponential(20'000);
            const std::int64_t t3 = t2 + 10'000;
            const std::int64_t t4 = t3 + 100'000 + exponential(20'000);
            ClockProbe probe;
            probe.sent = wall_time_from_ns(kStartNs + t1);
            probe.received = wall_time_from_ns(kStartNs + clock_.read(t2));
            probe.answered = wall_time_from_ns(kStartNs + clock_.read(t3));
            probe.returned = wall_time_from_ns(kStartNs + t4);
            probe.peer_host = "beta";
            probe.peer_boot_id = "another-boot";
            sender.probes.push_back(probe);
        }
    }

    std::mt19937_64 engine_;
    RandomClock clock_;
    std::vector<RandomFlow> flows_;
};

}  // namespace groma
