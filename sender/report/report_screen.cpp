#include "sender/report/report_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/flow_lines.hpp"
#include "common/control/reach.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/human.hpp"
#include "sender/report/connection_report.hpp"
#include "sender/report/network_verdict.hpp"
#include "sender/report/responsiveness.hpp"
#include "sender/report/transactions.hpp"
#include "sender/report/verdict.hpp"
#include "sender/report/worst_flows.hpp"

namespace groma {

namespace {

constexpr double kMedian = 0.5;
constexpr double kP99 = 0.99;

void add_received(FlowLine& line, const ReceivedFlow& received) {
    line.received = received.packets;
    line.pps = arrival_rate(received);
    line.bps = bit_rate(line.pps, received.packets, received.bytes);
    if (received.delays and received.delays->packets > 0) {
        line.p50 = received.delays->min + received.delays->p50;
        line.p99 = received.delays->min + received.delays->p99;
        if (received.delays->jitter_ns) {
            line.jitter = Nanos{std::llround(*received.delays->jitter_ns)};
        }
    }
}

/// Round-trip times take the place of one-way delays.
void add_round_trip(FlowLine& line, const RoundTrip& back) {
    const LogHistogram& rtt = back.rtt_ns;
    line.round_trip = true;
    line.p50 = rtt.count() > 0 ? std::optional(Nanos{rtt.percentile(kMedian)}) : std::nullopt;
    line.p99 = rtt.count() > 0 ? std::optional(Nanos{rtt.percentile(kP99)}) : std::nullopt;
}

FlowLine line_of(const std::string& name, const FlowOutcome& sent, const std::optional<ReceivedFlow>& received,
                 const LostPackets& lost) {
    FlowLine line{.name = name,
                  .sent = sent.fidelity.packets,
                  .lost = lost.number,
                  .lost_at_least = lost.at_least,
                  .retransmitted = sent.counts.retransmitted};
    if (received) {
        add_received(line, *received);
    }
    if (sent.round_trip) {
        add_round_trip(line, *sent.round_trip);
    }
    return line;
}

/// Of more flows than there are lines for.
constexpr std::size_t kFewFlowLines = 6;

struct Total {
    explicit Total(const SendReport& report) : sent(total_outcome(report.flows)) {
        if (not std::ranges::all_of(report.flows,
                                    [](const FlowReport& it) { return it.outcome.round_trip.has_value(); })) {
            sent.round_trip.reset();
        }
        line = line_of("total", sent, total_received(report), total_lost(report.flows));
        line.sent = total_due(report.flows);
        line.replies_lost = total_round_trip_losses(report.flows).backward;
    }

    FlowOutcome sent;
    FlowLine line;
};

std::string heading(const SendReport& report) {
    const std::size_t flows = report.flows.size();
    return paragraph(fmt::format(
        "'{}', run {}, seed {}: {} {}, {}{}{}", plain_text(report.experiment), report.run_id, report.seed,
        counted(flows, "flow"), where_flows_go(report), human_time(report.elapsed),
        report.interrupted ? " (interrupted)" : "",
        flows > kMostFlowLines ? " (below: the worst by rate, lateness, gaps and loss, and the first)" : ""));
}

std::string flows_table(const SendReport& report, const FlowLine& total) {
    std::vector<FlowLine> lines;
    for (const FlowReport* flow : shown_flows(report.flows, kMostFlowLines, kFewFlowLines)) {
        lines.push_back(line_of(flow->spec.name, flow->outcome, flow->received, flow->lost()));
        lines.back().replies_lost = flow->lost_on_the_way_back();
    }
    if (report.flows.size() > 1) {
        lines.push_back(total);
    }
    return flow_lines(lines);
}

/// Of the first flow whose draws have another rate than its distributions, and of how many there are.
std::string what_was_drawn(const std::vector<FlowReport>& flows) {
    constexpr double kNoticed = 0.01;
    std::string first;
    std::size_t others = 0;
    for (const FlowReport& flow : flows) {
        if (flow.spec.rate_over_time) {
            continue;  // its mean is of the whole duration, whatever departs first and last
        }
        const auto nominal = nominal_pps(flow.spec);
        const auto asked = flow.outcome.fidelity.scheduled_pps();
        if (not nominal or not asked or std::abs(*asked / *nominal - 1) <= kNoticed) {
            continue;
        }
        if (first.empty()) {
            first = fmt::format("{}: drawn: {}, the model's mean is {}", plain_text(flow.spec.name), human_rate(*asked),
                                human_rate(*nominal));
        } else {
            ++others;
        }
    }
    return others == 0 ? first
                       : fmt::format("{}; {} more flow{} too (--verbose)", first, others,
                                     others == 1 ? " drew another rate" : "s drew other rates");
}

/// What kernels made of the options of flows; what was drawn; and which receivers the lines of the table are of.
std::vector<std::string> warnings(const SendReport& report) {
    std::set<std::string> sentences;
    std::vector<std::string> others;
    for (const FlowReport& flow : report.flows) {
        for (const std::string& warning : flow.warnings) {
            sentences.insert(fmt::format("{}: {}", plain_text(flow.spec.name), plain_text(warning)));
        }
        if (not flow.receivers.empty()) {
            others.push_back(fmt::format("{}: at the one of its {} receivers that got least; the result is of all",
                                         plain_text(flow.spec.name), flow.receivers.size()));
        }
    }
    if (std::string drawn = what_was_drawn(report.flows); not drawn.empty()) {
        others.push_back(std::move(drawn));
    }
    for (const std::string& warning : report.pacing.warnings) {
        others.push_back(plain_text(warning));
    }
    for (const std::string& warning : open_programs(report)) {
        others.push_back(warning);
    }
    std::vector<std::string> all(sentences.begin(), sentences.end());
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::string how_it_was_sent(const SendReport& report, const Fidelity& fidelity) {
    const Verdict verdict = judge(report);
    const bool says_p99 = verdict.result != Faithfulness::not_as_asked and fidelity.lateness_ns.count() > 0;
    const Nanos p99{says_p99 ? std::max<std::int64_t>(fidelity.lateness_ns.percentile(kP99), 0) : 0};
    return fmt::format("Sent {}{}.", verdict.text,
                       says_p99 ? ": 99 % of the packets left within " + human_time(p99) + " of their time" : "");
}

/// Where it is more than a tenth of the median.
std::string error_of_delays(const SendReport& report, const FlowLine& total) {
    constexpr double kNoticed = 0.1;
    const auto bound = total.round_trip ? std::nullopt : largest_delay_bound(report.flows);
    const bool noticed = bound and total.p50 and to_seconds(*bound) > kNoticed * std::abs(to_seconds(*total.p50));
    return noticed ? fmt::format(" The clocks leave {} open in every delay.", human_time(*bound)) : "";
}

std::string result_of(const SendReport& report, const FlowLine& total) {
    const Faithfulness sent = judge(report).result;
    if (sent == Faithfulness::as_asked and all_greedy(report.flows)) {
        return fmt::format("{}; sent {}", result_of(total), how_unpaced(report.flows));
    }
    return result_of(total) + (sent == Faithfulness::as_asked ? "; sent as asked"
                               : sent == Faithfulness::within ? "; sent nearly as asked"
                                                              : "; NOT sent as asked");
}

std::string conclusion(const SendReport& report, const Total& total) {
    const auto sentence = [](const std::string& text) { return text.empty() ? "" : fmt::format(" {}.", text); };
    return paragraph(how_it_was_sent(report, total.sent.fidelity)) +
           paragraph(fmt::format("Network: {}.{}{}{}{}", judge_network(report).text,
                                 sentence(transactions_text(report)), sentence(responsiveness_text(report)),
                                 sentence(bulk_limits_text(report)), error_of_delays(report, total.line))) +
           paragraph("Result: " + result_of(report, total.line));
}

}  // namespace

std::string where_flows_go(const SendReport& report) {
    std::set<std::string> senders;
    bool forward = false;
    for (const FlowReport& flow : report.flows) {
        if (flow.spec.direction == Direction::reverse) {
            senders.insert(to_string(flow.spec.target));
        } else {
            forward = true;
        }
    }
    if (senders.empty()) {
        std::set<std::string> receivers;  // one may have a session with each of several senders
        for (const ReceiverReport& receiver : report.receivers) {
            receivers.insert(receiver.address);
        }
        return "to " +
               (receivers.size() == 1 ? plain_text(*receivers.begin()) : fmt::format("{} receivers", receivers.size()));
    }
    return (forward ? "to and from " : "from ") +
           (senders.size() == 1 ? plain_text(*senders.begin()) : fmt::format("{} hosts", senders.size()));
}

std::string result_line(const SendReport& report) {
    return result_of(report, Total(report).line);
}

std::string conclusion_text(const SendReport& report) {
    return conclusion(report, Total(report));
}

std::vector<std::string> open_programs(const SendReport& report) {
    std::vector<std::string> open;
    for (const ReceiverReport& receiver : report.receivers) {
        if (receiver.serves() == kServesAnyone) {
            open.push_back(receiver.address);
        }
    }
    std::vector<std::string> who;
    if (report.serves == kServesAnyone) {
        who.push_back("the sender on " + plain_text(report.host) + " serves");
    }
    if (not open.empty()) {
        who.push_back(open.size() == 1 ? "the receiver " + open.front() + " serves"
                                       : std::to_string(open.size()) + " receivers serve");
    }
    for (std::string& one : who) {
        one += " anyone (--open-to-anyone): strangers can have had a hand in this run";
    }
    return who;
}

std::string report_screen(const SendReport& report) {
    const Total total(report);
    return fitted_screen(heading(report), flows_table(report, total.line), warnings(report), "warnings",
                         conclusion(report, total));
}

}  // namespace groma
