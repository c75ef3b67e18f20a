// Flows for tests of fits: packets with drawn gaps and sizes.
#pragma once

#include <cmath>
#include <string>

#include "common/model/distributions/sampler.hpp"
#include "decoder/fit/fit_meter.hpp"

namespace groma {

struct SampleTraffic {
    std::string name = "calls";
    Transport transport = Transport::udp;
    Distribution gaps = Exponential{1e6};
    Distribution sizes = Uniform{99.5, 319.5};
    std::size_t packets = 5000;
    std::int64_t first_ns = 1'700'000'000'000'000'000;
};

inline void send(const SampleTraffic& traffic, TrafficMeter& meter, std::uint64_t seed = 1) {
    Sampler gaps(traffic.gaps, seed);
    Sampler sizes(traffic.sizes, seed + 1'000'000);
    FlowMeter* const flow = meter.begin_flow("sample.pcap", traffic.name, traffic.transport);
    double at = 0;
    for (std::size_t i = 0; i < traffic.packets; ++i) {
        const double size = std::max(std::floor(sizes.draw() + 0.5), 1.0);
        meter.add(*flow, traffic.first_ns + std::llround(at), static_cast<std::uint32_t>(size));
        at += std::max(gaps.draw(), 0.0);
    }
}

inline FitResults fitted(const std::vector<SampleTraffic>& traffic, const FitOptions& options = {}) {
    TrafficMeter meter(options);
    std::uint64_t seed = 0;
    for (const SampleTraffic& one : traffic) {
        send(one, meter, ++seed);
    }
    FitResults results;
    FitSource source;
    source.name = "sample.pcap";
    source.kind = "capture";
    results.sources.push_back(source);
    meter.fit(results, [](std::size_t, std::size_t) {});
    return results;
}

}  // namespace groma
