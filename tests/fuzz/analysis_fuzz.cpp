// The complete analysis of two untrusted logs: figures or an error message, and every report is complete. The first
// byte chooses the options, the rest is blocks of both logs (sealed_logs.hpp).
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "decoder/analysis/run_analysis.hpp"
#include "decoder/files/csv_report.hpp"
#include "decoder/files/json_lines.hpp"
#include "decoder/files/octave_report.hpp"
#include "decoder/text/text_report.hpp"
#include "decoder/text/text_screen.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/fuzz/sealed_logs.hpp"

namespace {

using namespace groma;  // a program of one file

AnalysisOptions options_of(unsigned choice) {
    AnalysisOptions options;
    options.interval = (choice & 1U) != 0 ? Nanos{1'000'000} : Nanos{1'000'000'000};
    if ((choice & 2U) != 0) {
        options.group_by = {GroupKey::hosts, GroupKey::transport, GroupKey::profile, GroupKey::label};
    }
    if ((choice & 4U) != 0) {
        options.cut.from = Nanos{2'000'000};
    }
    if ((choice & 8U) != 0) {
        options.cut.skip_end = Nanos{3'000'000};
    }
    if ((choice & 16U) != 0) {
        options.cut.sizes = SizeRange{.least = 40, .most = 400};
    }
    return options;
}

LogSource source_of(const SealedLog& log, const std::string& name) {
    return {name, log.size(), [&log, name](LogVisitor& visitor) { read_log(log, name, visitor); }};
}

void expect_sound(const FlowResult& flow) {
    check(not flow.loss.packets or not flow.sent or *flow.loss.packets <= flow.sent->packets,
          "no more is lost than was sent");
    check(flow.loss.packets or not flow.loss.unknown_because.empty(), "unknown loss has a reason");
    if (flow.received) {
        check(flow.received->duplicates <= flow.received->packets, "a copy is a packet");
        check(std::isfinite(flow.received->delay_ns.mean), "figures are numbers");
    }
}

/// Reports of long series take long, and their rows are alike.
bool is_short(const Results& results) {
    constexpr std::size_t kMostRows = 5000;
    std::size_t rows = 0;
    for (const RunResult& run : results.runs) {
        rows += run.total.series.rows().size();
        for (const FlowResult& flow : run.flows) {
            rows += flow.series.rows().size();
        }
    }
    return rows <= kMostRows;
}

void print(const Results& results) {
    (void)text_report(results);
    (void)text_screen(results);
    (void)csv_report(results);
    check(nlohmann::json::accept(json_report(results)), "the report is JSON");
    write_json_lines(results, [](std::string_view line) { check(nlohmann::json::accept(line), "so is each line"); });
    write_octave_report(results, [](std::string_view statement) { check(not statement.empty(), "a statement"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto logs = sealed_logs(std::as_bytes(std::span(data, size)).subspan(1));
    std::vector<LogSource> sources{source_of(logs[0], "first.glog")};
    if ((data[0] & 32U) == 0) {
        sources.push_back(source_of(logs[1], "second.glog"));
    }
    try {
        const Results results = analyze(sources, options_of(data[0]));
        for (const RunResult& run : results.runs) {
            for (const FlowResult& flow : run.flows) {
                expect_sound(flow);
            }
        }
        if (is_short(results)) {
            print(results);
        }
    } catch (const UsageError&) {
        // Logs that do not belong together: refused with a message.
    } catch (const ParseError&) {
        // Not a log: the same.
    }
    return 0;
}
