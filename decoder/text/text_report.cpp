#include "decoder/text/text_report.hpp"

#include <fmt/format.h>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "decoder/results/voice_quality.hpp"
#include "decoder/text/text_fidelity.hpp"
#include "decoder/text/text_measured.hpp"
#include "decoder/text/text_parts.hpp"
#include "decoder/text/text_patterns.hpp"

namespace groma {

namespace {

std::string lost(const Loss& loss) {
    if (loss.packets) {
        return std::to_string(*loss.packets);
    }
    return loss.at_least ? fmt::format(">= {}", *loss.at_least) : kUnknown;
}

std::string cpu_text(const LogResult& log) {
    if (not log.cpu) {
        return {};
    }
    const auto demand = log.cpu_ns_per_packet();
    return fmt::format(
        "    its process took {} user and {} system time{}, {} voluntary and {} involuntary context switches\n",
        human_time(log.cpu->user), human_time(log.cpu->system),
        demand ? ", " + time_of(*demand) + " a packet" : std::string(), log.cpu->voluntary_switches,
        log.cpu->involuntary_switches);
}

std::string log_line(const LogResult& log) {
    const bool sender = log.metadata.role == LogRole::sender;
    return fmt::format("  {} ({} on {}, {} timestamps): {}, {}\n", plain_text(log.path), sender ? "sender" : "receiver",
                       plain_text(log.metadata.host, 100), plain_text(log.metadata.timestamps, 100),
                       counted(log.records, "record"), plain_text(log.describe_end())) +
           clock_health_text(log.metadata.clock) + cpu_text(log);
}

std::string heading(const RunResult& run) {
    std::string text = fmt::format("run {}, experiment '{}', started {}, seed {}\n", plain_text(run.run_id, 100),
                                   plain_text(run.experiment, 200), utc_text(run.started_at), run.seed);
    if (run.selection.any()) {
        text += "  only " + describe(run.selection) + "\n";
    }
    for (const LogResult& log : run.logs) {
        text += log_line(log);
    }
    return text;
}

std::string flow_list(const RunResult& run) {
    Table table({{"flow"}, left("name"), left("transport"), left("inter-departure times"), left("sizes"), left("to")});
    for (const FlowResult& flow : run.flows) {
        const FlowSpec& spec = flow.spec;
        if (flow.receiver_number > 1) {
            continue;
        }
        table.add_row({std::to_string(spec.id.value), spec.name, std::string(to_string(spec.transport)),
                       gaps_to_string(spec), sizes_to_string(spec), to_string(spec.target)});
    }
    return section("Flows", table);
}

std::string packets(const RunResult& run) {
    Table table({{"flow"}, {"sent"}, {"received"}, {"lost"}, {"lost [%]"}, {"duplicates"}, {"reordered"}});
    for (const auto& [name, it] : named_figures(run)) {
        std::vector<std::string> cells{name, it->sent ? std::to_string(it->sent->packets) : kUnknown};
        const auto& received = it->received;
        cells.push_back(received ? std::to_string(received->packets) : kUnknown);
        cells.push_back(lost(it->loss));
        cells.push_back(percent(it->lost_ratio()));
        cells.push_back(received ? std::to_string(received->duplicates) : kUnknown);
        cells.push_back(received ? std::to_string(received->reordered) : kUnknown);
        table.add_row(std::move(cells));
    }
    return section("Packets", table);
}

std::string throughput(const RunResult& run) {
    Table table({{"flow"},
                 {"payload received"},
                 {"first to last arrival"},
                 {"throughput"},
                 {"goodput"},
                 {"packet rate"},
                 {"as IP"},
                 {"on Ethernet"}});
    for (const auto& [name, figures] : named_figures(run)) {
        if (const auto& it = figures->received) {
            table.add_row({name, human_bytes(it->bytes), known(it->duration(), human_time),
                           known(it->throughput_bps(), human_bits), known(it->goodput_bps(), human_bits),
                           known(it->packet_rate_pps(), human_rate), known(it->throughput_ip_bps(), human_bits),
                           known(it->throughput_ethernet_bps(), human_bits)});
        }
    }
    return section("Throughput", table);
}

std::string delays(const RunResult& run) {
    std::vector<Column> columns = with_times({{"flow"}});
    columns.push_back(left("clocks"));
    Table table(std::move(columns));
    for (const auto& [name, it] : named_figures(run)) {
        if (it->received and it->received->delay_ns.count > 0) {
            std::vector<std::string> cells = time_cells(it->received->delay_ns);
            cells.insert(cells.begin(), name);
            cells.push_back(describe(it->clock));
            table.add_row(std::move(cells));
        }
    }
    return section("One-way delay of packets that arrived", table);
}

std::string jitters(const RunResult& run) {
    Table table({{"flow"}, {"D-ITG: mean |D|"}, {"RFC 3550: last"}, {"mean"}, {"max"}});
    for (const auto& [name, it] : named_figures(run)) {
        if (it->received and it->received->jitter_ditg_ns) {
            table.add_row({name, known(it->received->jitter_ditg_ns, time_of),
                           known(it->received->jitter_rfc3550_ns, time_of),
                           known(it->received->jitter_rfc3550_mean_ns, time_of),
                           known(it->received->jitter_rfc3550_max_ns, time_of)});
        }
    }
    return section("Jitter", table);
}

std::string uncertainty(const RunResult& run) {
    Table table({{"flow"}, {"lost [%]"}, {"mean delay"}, {"p50"}, {"p99"}});
    std::size_t place = 0;
    for (const auto& [name, figures] : named_figures(run)) {
        std::vector<std::string> cells = interval_cells(*figures, place++ < run.flows.size());
        if (not cells.empty()) {
            cells.insert(cells.begin(), name);
            table.add_row(std::move(cells));
        }
    }
    return section("95 % intervals of loss and delay (docs/reference/metrics.md says what they assume)", table);
}

std::string voice(const RunResult& run) {
    Table table({{"flow"}, left("profile"), {"R"}, {"MOS"}});
    for (const FlowResult& flow : run.flows) {
        if (const auto rating = voice_rating(flow)) {
            table.add_row({label(flow), plain_text(flow.spec.profile), rating_text(*rating), score_text(*rating)});
        }
    }
    return section("Voice, by the E-model (ITU-T G.107)", table);
}

std::string notes(const RunResult& run) {
    std::string text;
    for (const FlowResult& flow : run.flows) {
        for (const std::string& note : flow.notes) {
            text += fmt::format("  flow {}: {}\n", label(flow), plain_text(note));
        }
    }
    return text.empty() ? text : "\nTo know\n" + text;
}

std::string events(const RunResult& run) {
    std::string text;
    for (const LogResult& log : run.logs) {
        for (const LogEvent& event : log.events) {
            text += fmt::format("  {} {}{}: {}: {}\n", utc_text(event.at), plain_text(log.path),
                                event.flow ? fmt::format(", flow {}", event.flow->value) : "",
                                plain_text(event.kind, 100), plain_text(event.text));
        }
    }
    return text.empty() ? text : "\nEvents\n" + text;
}

}  // namespace

std::string text_report(const Results& results) {
    std::string text;
    for (const RunResult& run : results.runs) {
        if (not text.empty()) {
            text += '\n';
        }
        for (const auto section_of :
             {heading, flow_list, fidelity_text, packets, throughput, delays, jitters, uncertainty, voice,
              patterns_text, measured_text, notes, events, requirements_text}) {
            text += section_of(run);
        }
    }
    return text;
}

}  // namespace groma
