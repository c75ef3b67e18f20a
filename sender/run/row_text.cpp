#include "sender/run/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/figures/figure_json.hpp"
#include "common/json/json_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostFlowsInText = 10;
constexpr std::size_t kWidestName = 20;
constexpr std::string_view kAllFlows = "all";

/// Unknown over no time.
std::optional<double> per_second(std::optional<std::uint64_t> count, std::optional<Nanos> over) {
    return count and over and *over > Nanos{0} ? std::optional(static_cast<double>(*count) / to_seconds(*over))
                                               : std::nullopt;
}

std::optional<double> bits(std::optional<double> bytes) {
    return bytes ? std::optional(8 * *bytes) : std::nullopt;
}

std::optional<double> sent_pps(const RowFigures& row) {
    return per_second(row.sent_packets, row.length);
}
std::optional<double> sent_bps(const RowFigures& row) {
    return bits(per_second(row.sent_bytes, row.length));
}
std::optional<double> received_pps(const RowFigures& row) {
    return per_second(row.received_packets, row.received_over);
}
std::optional<double> received_bps(const RowFigures& row) {
    return bits(per_second(row.received_bytes, row.received_over));
}

std::string rate_or_dash(std::optional<double> pps) {
    return pps ? human_rate(*pps) : "-";
}
std::string bits_or_dash(std::optional<double> bps) {
    return bps ? human_bits(*bps) : "-";
}
std::string count_or(std::optional<std::uint64_t> count, std::string_view unknown) {
    return count ? std::to_string(*count) : std::string(unknown);
}

std::string columns(std::string_view time, std::string_view name, std::size_t name_width,
                    const std::array<std::string, 5>& cells) {
    const std::string flow = name_width > 0 ? fmt::format("  {:<{}}", name, name_width) : "";
    return fmt::format("{:>10}{}  {:>10} {:>12}  {:>10} {:>12}  {:>8}", time, flow, cells[0], cells[1], cells[2],
                       cells[3], cells[4]);
}

std::string last_line(const IntervalRow& row) {
    return fmt::format("after the end: {} received, {} lost in all\n",
                       row.all.received_packets ? counted(*row.all.received_packets, "packet") : "unknown packets",
                       count_or(row.all.lost, "unknown"));
}

void add_json(std::string& lines, const IntervalRow& row, FlowId flow, const std::string& name,
              const RowFigures& figures) {
    nlohmann::ordered_json line{{"type", row.last ? "last" : "interval"}, {"flow", flow.value}, {"name", name}};
    line.update(figures_json(row_figures(), figures));
    lines.append(json_text(line)) += '\n';
}

}  // namespace

std::string RowText::heading(const IntervalRow& row) {
    if (row.flows.size() > 1 and row.flows.size() <= kMostFlowsInText) {
        name_width_ = std::string_view("flow").size();
        for (const FlowRow& flow : row.flows) {
            name_width_ = std::max(name_width_, std::min(flow.name.size(), kWidestName));
        }
    }
    returns_ = row.all.returned_packets.has_value();
    connects_ = row.all.retransmitted.has_value();
    return columns("time", "flow", name_width_, {"sent", "", "received", "", "missing"}) +
           (returns_ ? "     replies" : "") + (connects_ ? "    resent         RTT\n" : "\n");
}

std::string RowText::line(std::string_view name, const RowFigures& figures) const {
    const std::string time = fmt::format("{:.2f} s", to_seconds(figures.from + figures.length));
    const std::string shown = plain_text(name, kWidestName);
    const std::string replies =
        returns_ ? fmt::format("  {:>10}", rate_or_dash(per_second(figures.returned_packets, figures.length))) : "";
    const std::string rtt = figures.rtt_transport ? human_time(*figures.rtt_transport) : "-";
    const std::string connection =
        connects_ ? fmt::format("  {:>8}  {:>10}", count_or(figures.retransmitted, "-"), rtt) : "";
    return columns(
               time, shown, name_width_,
               {rate_or_dash(sent_pps(figures)), bits_or_dash(sent_bps(figures)), rate_or_dash(received_pps(figures)),
                bits_or_dash(received_bps(figures)), count_or(figures.missing_packets, "-")}) +
           replies + connection + '\n';
}

std::string RowText::lines(const IntervalRow& row) {
    if (row.last) {
        return last_line(row);
    }
    std::string text = begun_ ? "" : heading(row);
    begun_ = true;
    for (std::size_t i = 0; name_width_ > 0 and i < row.flows.size(); ++i) {
        text += line(row.flows[i].name, row.flows[i].figures);
    }
    return text + line(kAllFlows, row.all);
}

const FigureTable<RowFigures>& row_figures() {
    using Row = RowFigures;
    static const FigureTable<Row> table =
        FigureTable<Row>()
            .add("t_s", "start of the interval, from the start of the run",
                 [](const Row& row) { return to_seconds(row.from); })
            .add("interval_s", "its length", [](const Row& row) { return to_seconds(row.length); })
            .add("sent_packets", "packets that left in the interval", &Row::sent_packets)
            .add("sent_bytes", "their payload, bytes", &Row::sent_bytes)
            .add("sent_pps", "sent_packets per second", sent_pps)
            .add("sent_bps", "sent_bytes per second, bits", sent_bps)
            .add("received_packets",
                 "packets that arrived since the receivers told last, every copy; unknown where one has not told",
                 &Row::received_packets)
            .add("received_bytes", "their payload, bytes", &Row::received_bytes)
            .add("packet_rate_pps", "received_packets per second, over the time by the receivers' clocks", received_pps)
            .add("throughput_bps", "received_bytes per second, bits, likewise", received_bps)
            .add("missing_packets",
                 "sequence numbers below the highest that have not arrived since the start of the run: some may be on "
                 "their way; unknown with `header = \"none\"` and in the last row",
                 &Row::missing_packets)
            .add("lost", "as in the report; only in the last row", &Row::lost)
            .add("returned_packets", "replies that came back in the interval; unknown without the round-trip meter",
                 &Row::returned_packets)
            .add("retransmitted", "segments or chunks that the transport sent again in the interval (TCP, MPTCP, SCTP)",
                 &Row::retransmitted)
            .add("rtt_transport_ns",
                 "smoothed round-trip time of the transport at the end of the interval, of one flow",
                 &Row::rtt_transport);
    return table;
}

std::string row_json(const IntervalRow& row) {
    std::string lines;
    for (const FlowRow& flow : row.flows) {
        add_json(lines, row, flow.flow, flow.name, flow.figures);
    }
    add_json(lines, row, FlowId{0}, "total", row.all);
    return lines;
}

}  // namespace groma
