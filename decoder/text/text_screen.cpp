#include "decoder/text/text_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/flow_lines.hpp"
#include "decoder/results/run_verdict.hpp"
#include "decoder/text/shown_flows.hpp"
#include "decoder/text/text_parts.hpp"

namespace groma {

namespace {

constexpr std::size_t kWorstOfEach = 2;

void add_times(FlowLine& line, const Spread& times) {
    line.p50 = times.count > 0 ? std::optional(Nanos{times.p50}) : std::nullopt;
    line.p99 = times.count > 0 ? std::optional(Nanos{times.p99}) : std::nullopt;
}

/// Relative delays are no delays: they begin at 0.
FlowLine line_of(const std::string& name, const FlowFigures& figures) {
    FlowLine line{.name = name,
                  .sent = figures.due_packets,
                  .lost = figures.loss.packets,
                  .lost_at_least = figures.loss.at_least};
    if (figures.received) {
        const ReceivedFigures& received = *figures.received;
        line.received = received.packets;
        line.bps = received.throughput_bps();
        line.pps = received.packet_rate_pps();
        if (figures.clock.kind == ClockState::Kind::several or figures.clock.absolute()) {
            add_times(line, received.delay_ns);
        }
        if (received.jitter_rfc3550_mean_ns) {
            line.jitter = Nanos{std::llround(*received.jitter_rfc3550_mean_ns)};
        }
    }
    return line;
}

FlowLine line_of(const FlowResult& flow) {
    FlowLine line = line_of(flow.receivers > 1 ? label(flow) + ' ' + flow.spec.name : flow.spec.name, flow);
    if (flow.round_trip) {
        line.round_trip = true;
        line.replies_lost = flow.round_trip->backward_lost;
        add_times(line, flow.round_trip->rtt_ns);
    }
    for (const ConnectionFigures& connection : flow.connections) {
        if (connection.side == LogRole::sender) {
            line.retransmitted = connection.retransmitted;
        }
    }
    return line;
}

/// Of all flows that are sent back; unknown unless known of each.
std::optional<std::uint64_t> replies_lost(const std::vector<FlowResult>& flows) {
    std::uint64_t sum = 0;
    for (const FlowResult& flow : flows) {
        if (flow.round_trip and not flow.round_trip->backward_lost) {
            return std::nullopt;
        }
        add_count(sum, flow.round_trip ? *flow.round_trip->backward_lost : 0);
    }
    return sum;
}

FlowLine total_line(const RunResult& run) {
    if (run.flows.size() == 1) {
        return line_of(run.flows.front());
    }
    FlowLine line = line_of("total", run.total);
    line.replies_lost = replies_lost(run.flows);
    return line;
}

std::string log_states(const RunResult& run) {
    std::string out;
    for (const LogResult& log : run.logs) {
        const std::string end = log.describe_end();
        out += fmt::format("{}{}{}", out.empty() ? "" : ", ", plain_text(log.path, 40),
                           end == "complete" ? "" : " (" + plain_text(end) + ")");
    }
    return out;
}

std::string heading(const RunResult& run) {
    const std::size_t flows = run.flows.size();
    return paragraph(fmt::format(
        "'{}', run {}, seed {}, {}: {} of {}{}{}", plain_text(run.experiment, 200), plain_text(run.run_id, 100),
        run.seed, utc_text(run.started_at), counted(flows, "flow"), log_states(run),
        run.selection.any() ? "; only " + describe(run.selection) : "",
        run.groups.empty() and flows > kMostFlowLines ? " (below: the worst by verdict, loss, delay and lateness)"
                                                      : ""));
}

std::string lines_of(const RunResult& run) {
    std::vector<FlowLine> lines;
    if (run.groups.empty()) {
        for (const FlowResult* flow : shown_flows(run, kMostFlowLines, kWorstOfEach).flows) {
            lines.push_back(line_of(*flow));
        }
    }
    for (const GroupResult& group : run.groups) {
        if (lines.size() < kMostFlowLines) {
            lines.push_back(line_of(group.name, group.total));
        }
    }
    if (run.flows.size() > 1) {
        lines.push_back(total_line(run));
    }
    return flow_lines(lines);
}

std::vector<std::string> notes(const RunResult& run) {
    std::vector<std::string> sentences;
    for (const FlowResult& flow : run.flows) {
        for (const std::string& note : flow.notes) {
            sentences.push_back(fmt::format("flow {}: {}", label(flow), plain_text(note)));
        }
    }
    return sentences;
}

std::string how_it_was_sent(const RunResult& run, const RunVerdict& verdict) {
    const bool known = verdict.worst.has_value();
    const bool good = known and verdict.worst->result != Faithfulness::not_as_asked;
    const Spread* const lateness = run.total.sent ? &run.total.sent->lateness_ns : nullptr;
    const std::string p99 = good and lateness != nullptr and lateness->count > 0
                                ? fmt::format(": 99 % of the packets left within {} of their time",
                                              human_time(Nanos{std::max<std::int64_t>(lateness->p99, 0)}))
                                : "";
    return paragraph(fmt::format("{} {}{}.", known ? "Sent" : "How it was sent is", verdict.text, p99));
}

std::string dropped(const RunResult& run) {
    std::uint64_t drops = 0;
    bool coalesced = false;
    for (const FlowResult& flow : run.flows) {
        add_count(drops, flow.received ? flow.received->counter("kernel_drops").value_or(0) : 0);
        coalesced = coalesced or (flow.received and flow.received->counter("coalesced_packets"));
    }
    return drops == 0 ? ""
                      : fmt::format("; the receiver's kernel dropped {}{} because a socket's buffer was full",
                                    coalesced ? "at least " : "", drops);
}

std::string network(const RunResult& run, const FlowLine& all) {
    std::string text;
    if (not all.received) {
        text = "unknown without the receivers' logs";
    } else if (all.received == 0U and all.sent.value_or(0) > 0) {
        text = "NOTHING ARRIVED";
    } else if (all.lost == 0U) {
        text = all.sent != 0U        ? "all arrived"
               : run.selection.any() ? "unknown, because no packet was selected"
                                     : "unknown, because nothing was sent";
    } else if (all.lost or all.lost_at_least.value_or(0) > 0) {
        text = (all.sent ? describe_loss(all) : fmt::format("lost at least {}", *all.lost_at_least)) + dropped(run);
    } else {
        text = "what was lost is unknown: " + plain_text(run.total.loss.unknown_because);
    }
    return paragraph("Network: " + text + describe_lost_replies(all.replies_lost) + '.');
}

std::string result_line(const RunVerdict& verdict, const FlowLine& all) {
    std::string sent = "; how it was sent is unknown";
    if (verdict.worst) {
        const std::string& text = verdict.worst->text;
        sent = text == kAsFastAsPossible or text == kAsRepliesCame ? "; sent " + text
               : verdict.worst->result == Faithfulness::as_asked   ? "; sent as asked"
               : verdict.worst->result == Faithfulness::within     ? "; sent nearly as asked"
                                                                   : "; NOT sent as asked";
    }
    return paragraph("Result: " + result_of(all) + sent);
}

std::string screen_of(const RunResult& run) {
    const RunVerdict verdict = judge(run);
    const FlowLine all = total_line(run);
    return fitted_screen(heading(run), lines_of(run), notes(run), "notes",
                         how_it_was_sent(run, verdict) + network(run, all) + result_line(verdict, all));
}

}  // namespace

std::string text_screen(const Results& results) {
    std::string text;
    for (const RunResult& run : results.runs) {
        text.append(text.empty() ? "" : "\n").append(screen_of(run));
    }
    return text;
}

}  // namespace groma
