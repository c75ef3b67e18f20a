// Writes the logs of a sender and a receiver for very many packets, to measure reading without sending: write_logs
// FLOWS PACKETS RATE makes send.glog and recv.glog of FLOWS flows, with PACKETS packets each, at RATE packets a second
// a flow. Lateness and delays are log-normal, from a table of draws.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/log/file_sink.hpp"
#include "common/log/log_writer.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

constexpr std::uint32_t kSize = 64;

class Draws {
public:
    Draws(double median_ns, double sigma, unsigned seed) {
        std::mt19937_64 engine(seed);
        std::lognormal_distribution<double> draw(std::log(median_ns), sigma);
        for (Nanos& value : values_) {
            value = Nanos{std::llround(draw(engine))};
        }
    }
    [[nodiscard]] Nanos next() { return values_[place_++ % values_.size()]; }

private:
    std::array<Nanos, 65'521> values_{};  // a prime: alternating flows do not repeat the same draws
    std::size_t place_ = 0;
};

struct Asked {
    std::uint32_t flows = 0;
    std::uint64_t packets = 0;
    double rate = 0;
};

RunMetadata metadata(const Asked& asked, LogRole role) {
    RunMetadata said{.run_id = "0123456789abcdef0123456789abcdef",
                     .experiment = "large",
                     .role = role,
                     .host = role == LogRole::sender ? "alpha" : "beta",
                     .boot_id = "one-boot",
                     .program = "write_logs",
                     .timestamps = "none",
                     .started_at = wall_time_from_ns(kStart),
                     .seed = 1,
                     .flows = {}};
    for (std::uint32_t id = 1; id <= asked.flows; ++id) {
        FlowSetup flow;
        flow.spec.id = FlowId{id};
        flow.spec.name = "flow-" + std::to_string(id);
        flow.spec.idt = Constant{1e9 / asked.rate};
        flow.spec.size = Constant{kSize};
        flow.local_address = role == LogRole::sender ? "10.0.0.1:40000" : "10.0.0.2:9000";
        flow.remote_address = role == LogRole::sender ? "10.0.0.2:9000" : "10.0.0.1:40000";
        said.flows.push_back(flow);
    }
    return said;
}

LogTotals totals(const Asked& asked) {
    LogTotals said{.ended_at = wall_time_from_ns(kStart), .end = "complete", .flows = {}};
    for (std::uint32_t id = 1; id <= asked.flows; ++id) {
        said.flows.push_back({.flow = FlowId{id},
                              .packets = asked.packets,
                              .bytes = asked.packets * kSize,
                              .records = asked.packets,
                              .records_lost = 0,
                              .counters = {}});
    }
    return said;
}

/// Adds a second of each flow after the other, then writes the held records, as the programs do.
void write(const Asked& asked) {
    const auto sent_file = open_file_sink("send.glog");
    const auto received_file = open_file_sink("recv.glog");
    LogWriter sent_log(*sent_file, metadata(asked, LogRole::sender));
    LogWriter received_log(*received_file, metadata(asked, LogRole::receiver));
    Draws lateness(300, 1, 1);
    Draws delays(30'000, 0.3, 2);
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    const double gap_ns = 1e9 / asked.rate;
    for (std::uint64_t first = 0; first < asked.packets;) {
        const auto end =
            std::min(asked.packets, first + std::max<std::uint64_t>(1, static_cast<std::uint64_t>(asked.rate)));
        for (std::uint32_t id = 1; id <= asked.flows; ++id) {
            const double offset = gap_ns * id / asked.flows;
            sent.clear();
            received.clear();
            for (std::uint64_t seq = first; seq < end; ++seq) {
                const Nanos late = lateness.next();
                const WallTime at =
                    wall_time_from_ns(kStart + std::llround(static_cast<double>(seq) * gap_ns + offset)) + late;
                sent.push_back({seq, at, late, kSize, 1});
                received.push_back({seq, at, at + delays.next(), kSize});
            }
            sent_log.add(FlowId{id}, std::span(std::as_const(sent)));
            received_log.add(FlowId{id}, std::span(std::as_const(received)));
        }
        sent_log.flush();
        received_log.flush();
        first = end;
    }
    sent_log.close(totals(asked));
    received_log.close(totals(asked));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        static_cast<void>(std::fputs("usage: write_logs FLOWS PACKETS RATE\n", stderr));
        return 2;
    }
    const Asked asked{static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)),
                      std::strtoull(argv[2], nullptr, 10), std::strtod(argv[3], nullptr)};
    if (asked.flows == 0 or asked.packets == 0 or not(asked.rate > 0 and asked.rate < 1e9)) {
        static_cast<void>(std::fputs("write_logs: FLOWS, PACKETS and RATE are above 0, RATE below 1e9\n", stderr));
        return 2;
    }
    write(asked);
    return 0;
}
