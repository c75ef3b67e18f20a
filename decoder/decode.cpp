#include "decoder/decode.hpp"

#include <cstdio>
#include <filesystem>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "decoder/csv_report.hpp"
#include "decoder/json_report.hpp"
#include "decoder/output.hpp"
#include "decoder/progress.hpp"
#include "decoder/run_analysis.hpp"
#include "decoder/sqlite_report.hpp"
#include "decoder/stored_experiment.hpp"
#include "decoder/text_report.hpp"

namespace groma {

namespace {

/// No result may take the place of a log, and none of another result.
void refuse_bad_targets(const DecoderOptions& options) {
    for (const auto* target : {&options.json, &options.csv, &options.sqlite}) {
        if (not *target or **target == "-") {
            continue;
        }
        for (const auto& log : options.logs) {
            std::error_code missing;
            if (std::filesystem::equivalent(log, **target, missing)) {
                throw UsageError("cannot write results to " + **target + ": it is one of the logs to be read");
            }
        }
    }
    if (options.sqlite and not options.force and std::filesystem::exists(*options.sqlite)) {
        throw UsageError("cannot write " + *options.sqlite +
                         ": it is there already; give another name, or --force to replace it");
    }
}

void warn(const std::vector<std::string>& warnings) {
    for (const auto& warning : warnings) {
        std::fprintf(stderr, "groma-dec: warning: %s\n", plain_text(warning).c_str());
    }
}

/// Returns: whether all requirements are met.
bool say_what_is_not_met(const Results& results) {
    bool kept = true;
    for (const RunResult& run : results.runs) {
        for (const CheckedRequirement& one : run.requirements) {
            if (not one.met) {
                kept = false;
                std::fprintf(stderr, "groma-dec: required, and not met: %s\n", plain_text(one.sentence()).c_str());
            }
        }
    }
    return kept;
}

/// Returns: false when standard output was closed.
bool write_results(const DecoderOptions& options, const Results& results) {
    bool read = true;
    if (options.sqlite) {
        write_sqlite_report(results, *options.sqlite);
    }
    if (options.json) {
        read = write_output(*options.json, json_report(results)) and read;
    }
    if (options.csv) {
        read = write_output(*options.csv, csv_report(results)) and read;
    }
    if (options.prints_text()) {
        read = write_output("-", text_report(results)) and read;
    }
    return read;
}

}  // namespace

int decode(const DecoderOptions& given) {
    DecoderOptions options = given;
    const std::vector<std::string> incomplete = put_logs_in_place_of_folders(options.logs);
    refuse_bad_targets(options);
    warn(incomplete);
    std::vector<LogSource> sources;
    std::uint64_t bytes = 0;
    for (const auto& log : options.logs) {
        sources.push_back(open_log_source(log));
        bytes += sources.back().bytes;
    }
    Progress progress(bytes, options.quiet);
    const Results results = analyze(sources, {options.interval, options.flows, progress.callback(), options.required});
    progress.end();
    warn(results.warnings);
    const bool read = write_results(options, results);
    const bool kept = say_what_is_not_met(results);
    return results.damaged or not read or not kept ? kExitFailed : kExitOk;
}

}  // namespace groma
