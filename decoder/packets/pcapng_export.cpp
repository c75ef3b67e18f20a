#include "decoder/packets/pcapng_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/output.hpp"
#include "decoder/logs/record_merge.hpp"
#include "decoder/logs/stored_experiment.hpp"
#include "decoder/packets/logged_packet.hpp"
#include "decoder/packets/pcapng_options.hpp"

namespace groma {

namespace {

constexpr std::size_t kGapsTold = 16;

/// What is wrong with a log, a sentence each.
std::vector<std::string> complaints(const IndexedLog& log) {
    std::vector<std::string> found;
    for (const LogGap& gap : log.gaps()) {
        if (found.size() == kGapsTold) {
            break;
        }
        found.push_back(
            fmt::format("{} unreadable at offset {}: {}", counted(gap.bytes, "byte"), gap.offset, gap.reason));
    }
    const std::uint64_t gaps = log.gaps().size() + log.gaps_left_out();
    if (gaps > kGapsTold) {
        found.push_back("and " + counted(gaps - kGapsTold, "more unreadable piece"));
    }
    if (not log.metadata()) {
        found.emplace_back("its metadata cannot be read: addresses and transports are made up");
    }
    if (not log.totals()) {
        found.emplace_back("log cut short: there may have been more packets");
    }
    return found;
}

/// Runs of the logs, each once.
PcapngSection section_of(const std::vector<IndexedLog*>& logs) {
    PcapngSection section{.program = "groma-dec " GROMA_VERSION, .comments = {}};
    for (const IndexedLog* log : logs) {
        if (log->metadata()) {
            const RunMetadata& run = *log->metadata();
            std::string text =
                plain_text(fmt::format("run {}, experiment {}, seed {}", run.run_id, run.experiment, run.seed));
            if (std::ranges::find(section.comments, text) == section.comments.end()) {
                section.comments.push_back(std::move(text));
            }
        }
    }
    section.comments.emplace_back(
        "made from logs: headers but Groma's are made up around real addresses, ports and lengths");
    return section;
}

PcapngInterface interface_of(const IndexedLog& log) {
    PcapngInterface interface {
        .name = plain_text(log.name()), .description = {}, .comments = complaints(log), .link = LinkType::ethernet
    };
    if (log.metadata()) {
        const RunMetadata& run = *log.metadata();
        interface.name = plain_text(fmt::format("{} {}", to_string(run.role), run.host));
        interface.description =
            plain_text(fmt::format("{}: {}, times: {}, run {}", log.name(), run.program, run.timestamps, run.run_id));
    }
    return interface;
}

std::vector<const RunMetadata*> senders_of_run(const std::vector<IndexedLog*>& logs, const IndexedLog& log) {
    std::vector<const RunMetadata*> senders;
    for (const IndexedLog* other : logs) {
        const auto& run = other->metadata();
        if (run and run->role == LogRole::sender and log.metadata() and run->run_id == log.metadata()->run_id) {
            senders.push_back(&*run);
        }
    }
    return senders;
}

/// A result must not overwrite a log.
void refuse_bad_target(const PcapngOptions& options) {
    for (const auto& log : options.logs) {
        std::error_code missing;
        if (std::filesystem::equivalent(log, options.output, missing)) {
            throw UsageError("cannot write the capture to " + options.output + ": it is one of the logs to be read");
        }
    }
}

void refuse_unknown_flows(const std::vector<IndexedLog*>& logs, const std::set<FlowId>& flows) {
    for (const FlowId flow : flows) {
        const bool known = std::ranges::any_of(logs, [&](const IndexedLog* log) {
            return std::ranges::any_of(log->blocks(), [&](const RecordBlock& block) { return block.flow == flow; });
        });
        if (not known) {
            throw UsageError(fmt::format("--flow {}: none of these logs has a packet of that flow", flow.value));
        }
    }
}

}  // namespace

PcapngSummary export_pcapng(const std::vector<IndexedLog*>& logs, const std::set<FlowId>& flows,
                            const std::function<bool(std::span<const std::byte>)>& write) {
    bool wanted = true;
    PcapngWriter writer([&](std::span<const std::byte> piece) { wanted = write(piece) and wanted; }, section_of(logs));
    std::vector<LoggedPackets> packets;
    PcapngSummary summary;
    for (const IndexedLog* log : logs) {
        (void)writer.add_interface(interface_of(*log));
        packets.emplace_back(log->metadata().value_or(RunMetadata{}), senders_of_run(logs, *log));
        for (const std::string& complaint : complaints(*log)) {
            summary.warnings.push_back(log->name() + ": " + complaint);
        }
    }
    RecordMerge merge(logs, flows);
    std::vector<std::byte> bytes;
    while (wanted) {
        const auto packet = merge.next();
        if (not packet) {
            break;
        }
        const auto image = packets[packet->log].draw(*packet, bytes);
        writer.add({.interface = static_cast<std::uint32_t>(packet->log),
                    .at = packet->at,
                    .direction = image.direction,
                    .length = image.length,
                    .bytes = bytes});
        ++summary.packets;
    }
    writer.finish();
    if (merge.unreadable() > 0) {
        summary.warnings.push_back(
            fmt::format("{} {}: left out", counted(merge.unreadable(), "block"),
                        by_count(merge.unreadable(), "does not hold the records that it announces",
                                 "do not hold the records that they announce")));
    }
    return summary;
}

int pcapng_command(std::span<const std::string> arguments) {
    PcapngOptions options = parse_pcapng_options(arguments);
    if (options.help or options.version) {
        const std::string text = options.help ? help_text(pcapng_option_table()) : "groma-dec " GROMA_VERSION "\n";
        return write_output("-", text) ? kExitOk : kExitFailed;
    }
    std::vector<std::string> warnings = put_logs_in_place_of_folders(options.logs);
    refuse_bad_target(options);
    std::vector<std::unique_ptr<IndexedLog>> opened;
    std::vector<IndexedLog*> logs;
    for (const std::string& log : options.logs) {
        opened.push_back(std::make_unique<IndexedLog>(log));
        logs.push_back(opened.back().get());
    }
    refuse_unknown_flows(logs, options.flows);
    OutputStream out(options.output);
    const PcapngSummary summary = export_pcapng(logs, options.flows, [&out](std::span<const std::byte> piece) {
        out.write(piece);
        return out.wanted();
    });
    out.keep();
    warnings.insert(warnings.end(), summary.warnings.begin(), summary.warnings.end());
    for (const std::string& warning : warnings) {
        std::fprintf(stderr, "groma-dec: warning: %s\n", plain_text(warning).c_str());
    }
    if (not options.quiet and options.output != "-") {
        std::printf("%s: %s of %s\n", plain_text(options.output).c_str(), counted(summary.packets, "packet").c_str(),
                    counted(logs.size(), "log").c_str());
    }
    return warnings.empty() and out.wanted() ? kExitOk : kExitFailed;
}

}  // namespace groma
