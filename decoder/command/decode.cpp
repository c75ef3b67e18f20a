#include "decoder/command/decode.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <thread>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/log/file_sink.hpp"
#include "common/model/text/human.hpp"
#include "common/os/output.hpp"
#include "decoder/analysis/decoding_progress.hpp"
#include "decoder/analysis/run_analysis.hpp"
#include "decoder/files/csv_report.hpp"
#include "decoder/files/hdr_log.hpp"
#include "decoder/files/json_lines.hpp"
#include "decoder/files/json_report.hpp"
#include "decoder/files/octave_report.hpp"
#include "decoder/files/sqlite_report.hpp"
#include "decoder/follow/follow.hpp"
#include "decoder/follow/growing_log.hpp"
#include "decoder/logs/stored_experiment.hpp"
#include "decoder/text/text_report.hpp"
#include "decoder/text/text_screen.hpp"

namespace groma {

namespace {

bool same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
    std::error_code unknown;
    const auto where = [&](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
    };
    return std::filesystem::equivalent(one, other, unknown) or where(one) == where(other);
}

void refuse_values_in_place_of_logs(const DecoderOptions& options) {
    const auto may_be_log = [](const std::string& word) {
        const std::string file = current_file(word);
        std::error_code unknown;
        const bool holds_something =
            std::filesystem::is_regular_file(file, unknown) and std::filesystem::file_size(file, unknown) > 0;
        return std::filesystem::exists(file, unknown) and (not holds_something or begins_as_log(file));
    };
    refuse_detached_values(options.perhaps_values, "not a log", may_be_log);
}

/// A log that is being written has another name, and so has a result (PendingFile).
bool would_replace(const std::string& log, const std::string& target) {
    const std::string name = log_of_part(log);
    return same_file(name, target) or same_file(part_of_log(name), target) or same_file(log, target + ".part");
}

/// No result may take the place of a log, and none of another result.
void refuse_bad_targets(const DecoderOptions& options) {
    std::vector<DecoderOptions::Target> targets = options.targets();
    if (options.sqlite) {
        targets.push_back({"--sqlite", *options.sqlite});
    }
    for (const auto& [option, target] : targets) {
        if (target == "-") {
            continue;
        }
        for (const auto& log : options.logs) {
            if (would_replace(log, target)) {
                throw UsageError("cannot write results to " + target + ": it is one of the logs to be read");
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

/// Both names of a log that is followed mean the same.
std::vector<std::string> each_once(const std::vector<std::string>& logs) {
    std::vector<std::string> kept;
    std::set<std::string> names;
    std::ranges::copy_if(logs, std::back_inserter(kept),
                         [&names](const std::string& log) { return names.insert(log_of_part(log)).second; });
    return kept;
}

/// Shows how the logs grow until they have their end. Returns: where they are then.
std::vector<std::string> look_on(const DecoderOptions& options, Clock& clock) {
    const bool json = options.jsonl == "-";
    std::FILE* const out = json or options.prints_text() ? stdout : stderr;
    const auto show = [&](std::string_view text) {
        return (options.quiet and not json) or
               (std::fwrite(text.data(), 1, text.size(), out) == text.size() and std::fflush(out) == 0);
    };
    const Followed end = follow({.logs = options.logs,
                                 .interval = options.interval,
                                 .flows = options.flows,
                                 .patience = options.patience,
                                 .json = json},
                                show, clock);
    for (const std::string& log : end.given_up) {
        std::fprintf(stderr, "groma-dec: warning: %s did not grow for %s and does not have its end yet\n",
                     plain_text(log).c_str(), human_time(*options.patience).c_str());
    }
    if (end.interrupted) {
        std::fprintf(stderr, "groma-dec: interrupted: figures of what the logs hold so far\n");
    }
    if (not json) {
        static_cast<void>(show("\n"));
    }
    std::vector<std::string> files;
    std::ranges::transform(options.logs, std::back_inserter(files), current_file);
    return files;
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

/// Has `make` write the result piece by piece. Returns: false when standard output was closed.
bool write_stream(const std::string& target,
                  const std::function<void(const std::function<void(std::string_view)>&)>& make) {
    constexpr std::size_t kEnough = std::size_t{1} << 16U;
    OutputStream out(target);
    std::string pieces;
    const auto write_pieces = [&] {
        out.write(std::as_bytes(std::span(pieces)));
        pieces.clear();
    };
    make([&](std::string_view piece) {
        pieces += piece;
        if (pieces.size() >= kEnough) {
            write_pieces();
        }
    });
    write_pieces();
    out.keep();
    return out.wanted();
}

/// Returns: false when standard output was closed.
bool write_delays(const DecoderOptions& options) {
    std::vector<std::unique_ptr<IndexedLog>> opened;
    std::vector<IndexedLog*> logs;
    for (const std::string& log : options.logs) {
        opened.push_back(std::make_unique<IndexedLog>(log));
        logs.push_back(opened.back().get());
    }
    return write_stream(*options.hdr, [&](const auto& write) {
        warn(write_hdr_log(logs, {.interval = options.interval, .flows = options.flows}, write));
    });
}

/// Returns: false when standard output was closed.
bool write_results(const DecoderOptions& options, const Results& results) {
    bool read = true;
    if (options.sqlite) {
        write_sqlite_report(results, *options.sqlite);
    }
    if (options.json) {
        read = write_stream(*options.json, [&](const auto& write) { write_json_report(results, write); }) and read;
    }
    if (options.csv) {
        read = write_output(*options.csv, csv_report(results)) and read;
    }
    if (options.jsonl) {
        read = write_stream(*options.jsonl, [&](const auto& write) { write_json_lines(results, write); }) and read;
    }
    if (options.octave) {
        read = write_stream(*options.octave, [&](const auto& write) { write_octave_report(results, write); }) and read;
    }
    if (options.hdr) {
        read = write_delays(options) and read;
    }
    if (options.prints_text()) {
        read = write_output("-", options.verbose or options.thorough ? text_report(results) : text_screen(results)) and
               read;
    }
    return read;
}

/// `bytes`: of all logs. For few of them it takes longer to begin with threads than to read.
unsigned threads_of(const DecoderOptions& options, std::uint64_t bytes) {
    constexpr std::uint64_t kWorthIt = std::uint64_t{1} << 20U;
    if (options.threads > 0) {
        return options.threads;
    }
    return bytes < kWorthIt ? 1 : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

int decode(const DecoderOptions& given, Clock& clock) {
    DecoderOptions options = given;
    refuse_values_in_place_of_logs(options);
    const std::vector<std::string> incomplete = put_logs_in_place_of_folders(options.logs);
    refuse_bad_targets(options);
    if (options.follow) {
        options.logs = each_once(options.logs);
        options.logs = look_on(options, clock);
        refuse_bad_targets(options);  // a log has another name now
    } else {
        warn(incomplete);
    }
    std::vector<LogSource> sources;
    std::uint64_t bytes = 0;
    for (const auto& log : options.logs) {
        sources.push_back(open_log_source(log));
        bytes += sources.back().bytes;
    }
    DecodingProgress progress(bytes, options.quiet, clock);
    const Results results = analyze(sources, {.interval = options.interval,
                                              .flows = options.flows,
                                              .progress = progress.callback(),
                                              .required = options.required,
                                              .group_by = options.group_by,
                                              .cut = options.cut,
                                              .bottleneck_bps = options.bottleneck_bps,
                                              .thorough = options.thorough,
                                              .threads = threads_of(options, bytes)});
    progress.end();
    warn(results.warnings);
    const bool read = write_results(options, results);
    const bool kept = say_what_is_not_met(results);
    return results.damaged or not read or not kept ? kExitFailed : kExitOk;
}

}  // namespace groma
