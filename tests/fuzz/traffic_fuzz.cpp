// Untrusted captures and logs, read by `groma-dec fit`: their packets are counted once, in sources and in flows.
// fit_fuzz tests the fits, which take a thousand times as long.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "common/base/errors.hpp"
#include "decoder/fit/fit_sources.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace groma;  // a program of one file

void expect_counted(const FitSource& source) {
    const std::uint64_t left_out = std::accumulate(source.left_out.begin(), source.left_out.end(), std::uint64_t{0});
    check(source.used + source.bare + source.flowless + left_out == source.seen, "what was seen is counted once");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file(std::as_bytes(std::span(data, size)));
    FitOptions options;
    options.files = {file.path()};
    options.fewest = std::numeric_limits<std::uint64_t>::max();
    options.bare = size % 2 == 1;
    FitResults results;
    TrafficMeter meter(options);
    try {
        read_traffic(options.files.front(), options, meter, results);
    } catch (const RunError&) {
        return 0;  // not a capture: a valid outcome
    } catch (const ParseError&) {
        return 0;  // not a log: the same
    }
    for (const FitSource& source : results.sources) {
        expect_counted(source);
    }
    meter.fit(results, [](std::size_t /*place*/, std::size_t /*all*/) { check(false, "no flow has so many packets"); });
    check(results.traffic.empty(), "no flow has so many packets");
    return 0;
}
