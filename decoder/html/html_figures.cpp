#include "decoder/html/html_figures.hpp"

#include <fmt/format.h>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "decoder/html/html.hpp"
#include "decoder/results/run_verdict.hpp"
#include "decoder/results/voice_quality.hpp"
#include "decoder/text/text_measured.hpp"
#include "decoder/text/text_parts.hpp"
#include "decoder/text/text_patterns.hpp"

namespace groma {

namespace {

std::string share(const std::optional<double>& value) {
    return value ? significant(100 * *value, 3) + " %" : kUnknown;
}

std::vector<std::string> rate_cells(const Fidelity& it) {
    return {known(it.scheduled_pps(), human_rate),
            known(it.sent_pps(), human_rate),
            share(it.rate_error()),
            percentile(it.lateness_ns, 0.5),
            percentile(it.lateness_ns, 0.99),
            percentile(it.lateness_ns, 1),
            percentile(it.gap_error_ns, 0.5),
            percentile(it.gap_error_ns, 0.99),
            it.fit ? fmt::format("{:.5f} \u00b1 {:.5f}", it.fit->lambda2, it.fit->lambda2_error) : kUnknown,
            it.fit ? ks_text(*it.fit) : kUnknown,
            it.fit ? significant(it.fit->a2) : kUnknown};
}

std::string rates(const RunResult& run, const ShownFlows& shown) {
    HtmlTable table({"flow", "asked", "sent", "rate error", "late p50", "late p99", "late max", "gap error p50",
                     "gap error p99", "\u03bb\u00b2", "KS", "A\u00b2", "verdict"},
                    {0, 12});
    for (const FlowResult* flow : shown.flows) {
        if (not flow->sent or flow->receiver_number > 1) {
            continue;
        }
        std::vector<std::string> cells = rate_cells(flow->sent->fidelity);
        const auto judgement = judge(*flow);
        cells.insert(cells.begin(), std::to_string(flow->spec.id.value));
        cells.push_back(judgement ? judgement->text : "unknown: its log was cut short");
        table.add_row(cells);
    }
    if (run.flows.size() > 1 and run.total.sent) {
        std::vector<std::string> cells = rate_cells(run.total.sent->fidelity);
        cells.insert(cells.begin(), "total");
        cells.emplace_back();
        table.add_row(cells, true);
    }
    return table.empty() ? std::string() : table.to_string();
}

std::string flow_list(const ShownFlows& shown) {
    HtmlTable table({"flow", "name", "transport", "inter-departure times", "sizes", "profile", "to"},
                    {0, 1, 2, 3, 4, 5, 6});
    for (const FlowResult* flow : shown.flows) {
        const FlowSpec& spec = flow->spec;
        if (flow->receiver_number == 1) {
            table.add_row({std::to_string(spec.id.value), spec.name, std::string(to_string(spec.transport)),
                           gaps_to_string(spec), sizes_to_string(spec), spec.profile, to_string(spec.target)});
        }
    }
    return table.to_string();
}

std::string loss_text(const Loss& loss) {
    if (loss.packets) {
        return std::to_string(*loss.packets);
    }
    return loss.at_least ? fmt::format("\u2265 {}", *loss.at_least) : kUnknown;
}

std::vector<std::string> packet_cells(std::string name, const FlowFigures& it) {
    const auto& received = it.received;
    return {std::move(name),
            it.sent ? std::to_string(it.sent->packets) : kUnknown,
            received ? std::to_string(received->packets) : kUnknown,
            loss_text(it.loss),
            it.lost_ratio() ? percent(it.lost_ratio()) + " %" : kUnknown,
            received ? std::to_string(received->duplicates) : kUnknown,
            received ? std::to_string(received->reordered) : kUnknown,
            received ? human_bytes(received->bytes) : kUnknown,
            received ? known(received->throughput_bps(), human_bits) : kUnknown,
            received ? known(received->packet_rate_pps(), human_rate) : kUnknown};
}

std::string packets(const RunResult& run, const ShownFlows& shown) {
    HtmlTable table({"flow", "sent", "received", "lost", "share lost", "duplicates", "reordered", "payload received",
                     "throughput", "packet rate"});
    for (const FlowResult* flow : shown.flows) {
        table.add_row(packet_cells(label(*flow), *flow));
    }
    if (run.flows.size() > 1) {
        table.add_row(packet_cells("total", run.total), true);
    }
    return table.to_string();
}

std::vector<std::string> delay_cells(std::string name, const FlowFigures& it) {
    std::vector<std::string> cells = time_cells(it.received->delay_ns);
    cells.insert(cells.begin(), std::move(name));
    cells.push_back(known(it.received->jitter_ditg_ns, time_of));
    cells.push_back(known(it.received->jitter_rfc3550_mean_ns, time_of));
    cells.push_back(describe(it.clock));
    return cells;
}

std::string delays(const RunResult& run, const ShownFlows& shown) {
    HtmlTable table({"flow", "n", "min", "mean", "sd", "p50", "p90", "p99", "p99.9", "max", "jitter, D-ITG",
                     "jitter, RFC 3550, mean", "clocks"},
                    {0, 12});
    const auto has_delays = [](const FlowFigures& it) { return it.received and it.received->delay_ns.count > 0; };
    for (const FlowResult* flow : shown.flows) {
        if (has_delays(*flow)) {
            table.add_row(delay_cells(label(*flow), *flow));
        }
    }
    if (run.flows.size() > 1 and has_delays(run.total)) {
        table.add_row(delay_cells("total", run.total), true);
    }
    return table.empty() ? std::string() : "<h3>One-way delay and jitter</h3>\n" + table.to_string();
}

std::string intervals(const RunResult& run, const ShownFlows& shown) {
    HtmlTable table({"flow", "lost [%]", "mean delay", "p50", "p99"});
    const auto add = [&](const std::string& name, const FlowFigures& figures, bool of_a_flow) {
        std::vector<std::string> cells = interval_cells(figures, of_a_flow);
        if (not cells.empty()) {
            cells.insert(cells.begin(), name);
            table.add_row(cells, not of_a_flow);
        }
    };
    for (const FlowResult* flow : shown.flows) {
        add(label(*flow), *flow, true);
    }
    if (run.flows.size() > 1) {
        add("total", run.total, false);
    }
    return table.empty() ? std::string() : "<h3>95 % intervals of loss and delay</h3>\n" + table.to_string();
}

std::string voice(const ShownFlows& shown) {
    HtmlTable table({"flow", "profile", "R", "MOS"}, {0, 1});
    for (const FlowResult* flow : shown.flows) {
        if (const auto rating = voice_rating(*flow)) {
            table.add_row({label(*flow), flow->spec.profile, rating_text(*rating), score_text(*rating)});
        }
    }
    return table.empty() ? std::string() : "<h3>Voice, by the E-model (ITU-T G.107)</h3>\n" + table.to_string();
}

/// Patterns of losses and disorder, and what only some runs have: round trips, transmit stamps, connections, headers.
std::string measured(const RunResult& run) {
    constexpr std::size_t kMostText = 40'000;
    const std::string text =
        run.flows.size() <= kMostShownFlows ? patterns_text(run) + measured_text(run) : std::string();
    return text.empty() ? text : "<pre>" + html_lines(text, kMostText) + "</pre>\n";
}

std::string left_out(const ShownFlows& shown) {
    return shown.left_out.empty() ? std::string() : "<p>" + html_text(shown.left_out) + "</p>\n";
}

}  // namespace

std::string html_fidelity(const RunResult& run, const ShownFlows& shown) {
    std::string required;
    for (const CheckedRequirement& one : run.requirements) {
        required += fmt::format("<li>{}: {}</li>\n", one.met ? "met" : "<b>not met</b>", html_text(one.sentence()));
    }
    const std::string table = rates(run, shown);
    return html_section("What was asked for, and what was sent",
                        left_out(shown) + "<h3>Flows</h3>\n" + flow_list(shown) +
                            (table.empty() ? "<p>Unknown without the sender's log.</p>\n"
                                           : "<h3>The instrument's own error</h3>\n" + table) +
                            (required.empty() ? required : "<h3>Required</h3>\n<ul>\n" + required + "</ul>\n"));
}

std::string html_network(const RunResult& run, const ShownFlows& shown) {
    return html_section("What the network did", left_out(shown) + "<h3>Packets and throughput</h3>\n" +
                                                    packets(run, shown) + delays(run, shown) + intervals(run, shown) +
                                                    voice(shown) + measured(run));
}

}  // namespace groma
