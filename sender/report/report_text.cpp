#include "sender/report/report_text.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/log/asked_rate.hpp"
#include "common/log/kernel_clock_health.hpp"
#include "common/model/text/human.hpp"
#include "sender/report/connection_report.hpp"
#include "sender/report/fidelity_tables.hpp"
#include "sender/report/pacing_report.hpp"
#include "sender/report/report_arrivals.hpp"
#include "sender/report/report_requirements.hpp"
#include "sender/report/report_round_trip.hpp"
#include "sender/report/report_screen.hpp"
#include "sender/report/worst_flows.hpp"

namespace groma {

namespace {

constexpr std::size_t kIndent = 2;

struct Row {
    std::string name;
    const FlowOutcome* sent = nullptr;
    const ReceivedFlow* received = nullptr;
    LostPackets lost{};
    std::uint64_t due = 0;  ///< packets that were to arrive
    std::optional<double> nominal_pps{};
};

/// The rows of a table: the flows that are shown, and the total of all, if they are several.
/// Points into the report.
class Rows {
public:
    explicit Rows(const SendReport& report)
        : total_sent_(total_outcome(report.flows)), total_received_(total_received(report)) {
        for (const FlowReport* flow : shown_flows(report.flows)) {
            rows_.push_back({flow->spec.name, &flow->outcome, flow->received ? &*flow->received : nullptr, flow->lost(),
                             flow->outcome.fidelity.packets, nominal_pps(flow->spec)});
        }
        if (report.flows.size() > 1) {
            rows_.push_back({"total", &total_sent_, total_received_ ? &*total_received_ : nullptr,
                             total_lost(report.flows), total_due(report.flows)});
        }
    }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    [[nodiscard]] const std::vector<Row>& all() const { return rows_; }
    [[nodiscard]] const FlowOutcome& total() const { return total_sent_; }

private:
    FlowOutcome total_sent_;
    std::optional<ReceivedFlow> total_received_;
    std::vector<Row> rows_;
};

std::vector<FidelityRow> fidelity_rows(const Rows& rows) {
    std::vector<FidelityRow> out;
    out.reserve(rows.all().size());
    for (const Row& row : rows.all()) {
        out.push_back({row.name, &row.sent->fidelity, row.nominal_pps});
    }
    return out;
}

/// Counters of what went wrong on the way out, or how often a draw was changed: only those that are not zero.
std::string oddities(const FlowOutcome& total) {
    const std::pair<std::uint64_t, std::string_view> counters[] = {
        {total.fidelity.late_packets, "packets were late by more than a tenth of the gap before them"},
        {total.counts.missed_slots,
         "departures missed: their slots were over before they could leave (--lateness skip)"},
        {total.counts.dropped,
         "packets dropped by this host's kernel (no memory, no route, interface down, own firewall)"},
        {total.counts.too_big, "packets too big for the path"},
        {total.counts.refused, "reports that no program listens on the data port (ICMP port unreachable)"},
        {total.counts.missed_in_queue,
         "packets that a queue of this host threw away because their departure times were over"},
        {total.counts.given_up, "packets not sent because of such reports"},
        {total.counts.blocked, "times that a socket's buffer was full"},
        {total.counts.records_lost, "packets sent without a record in the log"},
        {total.counts.unstamped, "packets sent whose time of departure the kernel did not tell"},
        {total.counts.unnumbered, "packets sent without a sequence number (too small for one, or --header none)"},
        {total.draws.gaps_raised, "negative times between departures raised to 0"},
        {total.draws.gaps_redrawn, "times between departures drawn again (not finite or beyond bounds)"},
        {total.draws.sizes_raised, "sizes raised to the smallest that can be sent"},
        {total.draws.sizes_lowered, "sizes lowered to the largest that can be sent"},
    };
    std::string out;
    for (const auto& [count, what] : counters) {
        if (count > 0) {
            out += fmt::format("  {} {}\n", count, what);
        }
    }
    if (total.counts.shifted > Nanos{0}) {
        out += fmt::format("  {} is the most that a schedule was shifted (--lateness shift)\n",
                           human_time(total.counts.shifted));
    }
    return out;
}

std::string percent(const LostPackets& lost, std::uint64_t sent) {
    return sent == 0 or not lost.number
               ? "-"
               : significant(100.0 * static_cast<double>(*lost.number) / static_cast<double>(sent), 3);
}

std::string both_sides(const Rows& rows) {
    Table table({{"flow", Align::left},
                 {"sent"},
                 {"received"},
                 {"lost"},
                 {"lost [%]"},
                 {"duplicates"},
                 {"reordered"},
                 {"kernel drops"},
                 {"bytes sent"},
                 {"bytes received"}});
    for (const Row& row : rows.all()) {
        const Fidelity& f = row.sent->fidelity;
        if (row.received == nullptr) {
            table.add_row({row.name, std::to_string(f.packets), "unknown", "unknown", "-", "-", "-", "-",
                           std::to_string(f.bytes), "-"});
            continue;
        }
        const ReceivedFlow& r = *row.received;
        table.add_row({row.name, std::to_string(f.packets), std::to_string(r.packets), to_string(row.lost),
                       percent(row.lost, row.due), std::to_string(r.duplicates), std::to_string(r.reordered),
                       std::to_string(r.kernel_drops), std::to_string(f.bytes), std::to_string(r.bytes)});
    }
    return table.to_string(kIndent);
}

/// Of flows to several receivers, what each got: a line for each.
std::string by_receiver(const std::vector<FlowReport>& flows) {
    Table table({{"flow", Align::left},
                 {"receiver", Align::left},
                 {"received"},
                 {"lost"},
                 {"lost [%]"},
                 {"duplicates"},
                 {"reordered"},
                 {"foreign"}});
    bool any = false;
    for (const FlowReport& flow : flows) {
        for (const ReceivedBy& each : flow.receivers) {
            any = true;
            if (not each.received) {
                table.add_row({flow.spec.name, each.address, "unknown", "unknown", "-", "-", "-", "-"});
                continue;
            }
            const ReceivedFlow& r = *each.received;
            const LostPackets lost = flow.lost_by(each.received);
            table.add_row({flow.spec.name, each.address, std::to_string(r.packets), to_string(lost),
                           percent(lost, flow.outcome.fidelity.packets), std::to_string(r.duplicates),
                           std::to_string(r.reordered), std::to_string(r.foreign)});
        }
    }
    return any ? "\nEach receiver (above: the one that got least)\n" + table.to_string(kIndent) : "";
}

std::string strangers(const std::optional<ReceivedFlow>& received) {
    std::string out;
    if (received and received->foreign > 0) {
        out += fmt::format("  {} from other hosts came in on the data ports\n", counted(received->foreign, "packet"));
    }
    if (received and received->malformed > 0) {
        out += fmt::format("  {} came in that {} none of these flows'\n", counted(received->malformed, "packet"),
                           by_count(received->malformed, "is", "are"));
    }
    if (received and received->forged > 0) {
        out += fmt::format("  {} came in: the seal was wrong, and none was measured\n",
                           counted(received->forged, "forged packet"));
    }
    if (received and received->coalescing and received->coalescing->packets > 0) {
        out += fmt::format("  {} {} times of arrival: the receiver's kernel coalesced them (GRO), because {}\n",
                           counted(received->coalescing->packets, "packet"),
                           by_count(received->coalescing->packets, "shares", "share"),
                           in_words(received->coalescing->why));
    }
    return out;
}

/// Sentences on flows: each once, with the flows that it is about.
template <typename Sentences>
std::string on_flows(const std::vector<FlowReport>& flows, Sentences sentences) {
    std::map<std::string, std::vector<std::string>> flows_of;
    for (const FlowReport& flow : flows) {
        for (const std::string& sentence : sentences(flow)) {
            flows_of[sentence].push_back(flow.spec.name);
        }
    }
    std::string out;
    for (const auto& [sentence, names] : flows_of) {
        const std::string who = names.size() == 1 ? plain_text(names.front()) : fmt::format("{} flows", names.size());
        out += fmt::format("  {}: {}\n", who, plain_text(sentence));
    }
    return out;
}

std::string notes_on_rates(const std::vector<FlowReport>& flows) {
    return on_flows(
        flows, [](const FlowReport& it) { return notes_on_rate(it.spec, it.outcome.fidelity, course_of(it.outcome)); });
}

/// What kernels made of the options of flows, and which programs serve anyone.
std::string warnings(const SendReport& report) {
    std::string out = on_flows(report.flows, [](const FlowReport& it) { return it.warnings; });
    for (const std::string& sentence : open_programs(report)) {
        out += "  " + sentence + '\n';
    }
    return out;
}

std::string clocks(const SendReport& report) {
    std::string out;
    if (report.clock) {
        out += fmt::format("  this host: clock {}\n", describe(*report.clock));
    }
    for (const OwnStep& step : report.own_steps) {
        out += fmt::format("  {}\n", describe_step(step.size));
    }
    for (const ReceiverReport& receiver : report.receivers) {
        const std::string health = receiver.clock ? "; by itself " + describe(*receiver.clock) : "";
        if (receiver.same_clock) {
            out += fmt::format("  receiver {}: on this host's kernel, one clock, offset 0\n", receiver.address);
        } else if (receiver.offset) {
            out += fmt::format("  receiver {}: {}{}\n", receiver.address, describe(*receiver.offset), health);
        }
    }
    return out;
}

std::string shipment(const LogShipment& shipment) {
    std::string out =
        fmt::format("    shipped to the {}: {}, at most {} not confirmed\n", plain_text(shipment.to),
                    counted(shipment.reconnections, "reconnection"), human_bytes(shipment.largest_backlog));
    if (shipment.not_spooled > 0) {
        out += fmt::format("    {} had no room in the spool and waited in memory\n",
                           counted(shipment.not_spooled, "block"));
    }
    return shipment.error.empty() ? out : out + fmt::format("    {}\n", plain_text(shipment.error));
}

std::string sender_log(const LogReport& log) {
    const std::string line =
        fmt::format("  {}: {}, {}\n", plain_text(log.name), counted(log.records, "record"), human_bytes(log.bytes));
    return log.shipment.to.empty() ? line : line + shipment(log.shipment);
}

std::string logs(const SendReport& report) {
    std::string out = report.log ? sender_log(*report.log) : "";
    for (const LogReport& log : report.remote_logs) {
        out += sender_log(log);
    }
    for (const ReceiverReport& receiver : report.receivers) {
        if (not receiver.log_file.empty()) {
            out += fmt::format("  {} (receiver {})\n", plain_text(receiver.log_file), receiver.address);
        }
        if (not receiver.shipment.to.empty()) {
            out += fmt::format("  log of the receiver {}\n", receiver.address) + shipment(receiver.shipment);
        }
    }
    return out.empty() ? "  no logs were asked for\n" : out;
}

std::string seals(const std::vector<FlowReport>& flows) {
    const auto sealed = static_cast<std::size_t>(
        std::ranges::count(flows, Sealing::on, [](const FlowReport& flow) { return flow.spec.seal; }));
    return sealed == 0              ? ""
           : sealed == flows.size() ? "  packets are sealed: others can forge none\n"
                                    : fmt::format("  packets of {} of {} flows are sealed\n", sealed, flows.size());
}

std::string heading(const SendReport& report) {
    return fmt::format("experiment '{}', run {}, seed {}: {} {}, {}{}\n", plain_text(report.experiment), report.run_id,
                       report.seed, counted(report.flows.size(), "flow"), where_flows_go(report),
                       human_time(report.elapsed), report.interrupted ? " (interrupted)" : "");
}

}  // namespace

std::string figures_text(const SendReport& report) {
    const Rows rows(report);
    const std::string which =
        all_are_shown(report.flows)
            ? ""
            : fmt::format(" (of {} flows, those worst by rate, lateness, gaps and loss)", report.flows.size());
    std::string out = "\nThe sender's own error" + which + "\n" + fidelity_tables(fidelity_rows(rows)) +
                      oddities(rows.total()) + notes_on_rates(report.flows);
    out += pacing_text(report);
    out += "\nSent and received (packets; bytes of payload)\n" + both_sides(rows) + by_receiver(report.flows) +
           arrivals_text(report) + seals(report.flows) + strangers(total_received(report)) + warnings(report) +
           connections_text(report);
    return out + round_trips_text(report);
}

std::string clocks_and_logs_text(const SendReport& report) {
    return clocks(report) + logs(report);
}

std::string report_tables(const SendReport& report) {
    return heading(report) + figures_text(report) + "\nClocks and logs\n" + clocks_and_logs_text(report) +
           requirements_text(report) + '\n' + conclusion_text(report);
}

std::string report_text(const SendReport& report, bool verbose) {
    return verbose ? report_tables(report) : report_screen(report);
}

}  // namespace groma
