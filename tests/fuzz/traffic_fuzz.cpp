// Captures and logs from anybody, as `groma-dec fit` reads them: what is in them is counted once, in sources and in
// flows. What is fitted to it is fit_fuzz's, which takes a thousand times as long.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>

#include "common/base/errors.hpp"
#include "common/os/file_descriptor.hpp"
#include "decoder/fit_sources.hpp"

namespace {

using namespace groma;  // a program of one file

void expect_counted(const FitSource& source) {
    const std::uint64_t left_out = std::accumulate(source.left_out.begin(), source.left_out.end(), std::uint64_t{0});
    check(source.used + source.bare + source.flowless + left_out == source.seen, "what was seen is counted once");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FileDescriptor file(::memfd_create("traffic", MFD_CLOEXEC));
    check(::write(file.get(), data, size) == static_cast<ssize_t>(size), "there is memory");
    FitOptions options;
    options.files = {"/proc/self/fd/" + std::to_string(file.get())};
    options.fewest = std::numeric_limits<std::uint64_t>::max();
    options.bare = size % 2 == 1;
    FitResults results;
    TrafficMeter meter(options);
    try {
        read_traffic(options.files.front(), options, meter, results);
    } catch (const RunError&) {
        return 0;  // no capture: that is an answer
    } catch (const ParseError&) {
        return 0;  // no log: likewise
    }
    for (const FitSource& source : results.sources) {
        expect_counted(source);
    }
    meter.fit(results, [](std::size_t /*place*/, std::size_t /*all*/) { check(false, "no flow has so many packets"); });
    check(results.traffic.empty(), "no flow has so many packets");
    return 0;
}
