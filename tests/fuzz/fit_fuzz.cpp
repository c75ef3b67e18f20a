// Untrusted captures and logs, for `groma-dec fit`: the fit of the flow with the most packets can be printed, and sent
// again. The length of the input chooses whether distributions are the observed ones. A flow takes a fifth of a second,
// with sanitizers ten times as much, even with few packets: each family is inverted at the edges of a thousand cells
// (stats/sample_comparison). traffic_fuzz tests how captures and logs are read.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/model/experiment/experiment.hpp"
#include "decoder/fit/fit_json.hpp"
#include "decoder/fit/fit_profile.hpp"
#include "decoder/fit/fit_sources.hpp"
#include "decoder/fit/fit_text.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace groma;  // a program of one file

/// Whether the file was read.
bool read(const FitOptions& options, TrafficMeter& meter, FitResults& results) {
    try {
        read_traffic(options.files.front(), options, meter, results);
        return true;
    } catch (const RunError&) {
        // Not a capture: a valid outcome.
    } catch (const ParseError&) {
        // Not a log: the same.
    }
    return false;
}

void print(const FitResults& results, const FitOptions& options) {
    check(results.traffic.size() <= 1, "one flow is fitted");
    check(nlohmann::json::accept(fit_json(results)), "the report is JSON");
    (void)fit_text(results, options);
    std::string profile;
    try {
        profile = fit_profile(results, options);
    } catch (const RunError&) {
        return;  // nothing to be sent
    }
    (void)parse_experiment(profile, "profile", {}, 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file(std::as_bytes(std::span(data, size)));
    FitOptions options;
    options.files = {file.path()};
    options.fewest = 3;
    options.top = 1;
    options.empirical = size % 2 == 1;
    FitResults results;
    TrafficMeter meter(options);
    if (not read(options, meter, results)) {
        return 0;
    }
    meter.fit(results, [](std::size_t place, std::size_t all) { check(place <= all, "places are among all"); });
    print(results, options);
    return 0;
}
