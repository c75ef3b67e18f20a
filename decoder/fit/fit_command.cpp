#include "decoder/fit/fit_command.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/output.hpp"
#include "decoder/fit/fit_json.hpp"
#include "decoder/fit/fit_options.hpp"
#include "decoder/fit/fit_profile.hpp"
#include "decoder/fit/fit_sources.hpp"
#include "decoder/fit/fit_sqlite.hpp"
#include "decoder/fit/fit_text.hpp"

namespace groma {

namespace {

void refuse_bad_targets(const FitOptions& options) {
    for (const auto* target : {&options.json, &options.sqlite, &options.profile}) {
        if (not *target or **target == "-") {
            continue;
        }
        for (const auto& file : options.files) {
            std::error_code missing;
            if (std::filesystem::equivalent(file, **target, missing)) {
                throw UsageError("cannot write results to " + **target + ": it is one of the files to be read");
            }
        }
        if (not options.force and std::filesystem::exists(**target)) {
            throw UsageError("cannot write " + **target +
                             ": it is there already; give another name, or --force to replace it");
        }
    }
}

/// A line on a terminal, rewritten for each flow.
void show_place(std::size_t place, std::size_t all) {
    std::fprintf(stderr, "\r\033[Kfitting flow %zu of %zu", place, all);
}

FitResults fitted(const FitOptions& options) {
    FitResults results;
    TrafficMeter meter(options);
    for (const std::string& file : options.files) {
        read_traffic(file, options, meter, results);
    }
    const bool shown = not options.quiet and ::isatty(STDERR_FILENO) != 0;
    meter.fit(results, [shown](std::size_t place, std::size_t all) {
        if (shown) {
            show_place(place, all);
        }
    });
    if (shown) {
        std::fputs("\r\033[K", stderr);
    }
    return results;
}

/// Returns: false when standard output was closed.
bool write_results(const FitOptions& options, const FitResults& results) {
    bool read = true;
    if (options.sqlite) {
        write_fit_sqlite(results, *options.sqlite);
    }
    if (options.json) {
        read = write_output(*options.json, fit_json(results)) and read;
    }
    if (options.prints_text()) {
        read = write_output("-", fit_text(results, options)) and read;
    }
    if (options.profile) {
        read = write_output(*options.profile, fit_profile(results, options)) and read;
    }
    return read;
}

}  // namespace

int fit_command(std::span<const std::string> arguments) {
    const FitOptions options = parse_fit_options(arguments);
    if (options.help or options.version) {
        const std::string text = options.help ? help_text(fit_option_table()) : "groma-dec " GROMA_VERSION "\n";
        return write_output("-", text) ? kExitOk : kExitFailed;
    }
    refuse_detached_values(options.perhaps_values, "no file that can be read");
    refuse_bad_targets(options);
    const FitResults results = fitted(options);
    for (const std::string& warning : results.warnings) {
        std::fprintf(stderr, "groma-dec fit: warning: %s\n", plain_text(warning).c_str());
    }
    const bool read = write_results(options, results);
    if (results.traffic.empty()) {
        std::fprintf(
            stderr, "groma-dec fit: no flow has %llu packets: there is nothing to fit (--fewest N, --flow, --filter)\n",
            static_cast<unsigned long long>(options.fewest));
    }
    return results.damaged or results.traffic.empty() or not read ? kExitFailed : kExitOk;
}

}  // namespace groma
