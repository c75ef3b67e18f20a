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
    const std::string replies = returns_ ? fmt::format("  {:>10}", rate_or_dash(figures.returned_pps())) : "";
    const std::string rtt = figures.rtt_transport ? human_time(*figures.rtt_transport) : "-";
    const std::string connection =
        connects_ ? fmt::format("  {:>8}  {:>10}", count_or(figures.retransmitted, "-"), rtt) : "";
    return columns(time, shown, name_width_,
                   {rate_or_dash(figures.sent_pps()), bits_or_dash(figures.sent_bps()),
                    rate_or_dash(figures.packet_rate_pps()), bits_or_dash(figures.throughput_bps()),
                    count_or(figures.missing_packets, "-")}) +
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

std::string row_json(const IntervalRow& row) {
    std::string lines;
    for (const FlowRow& flow : row.flows) {
        add_json(lines, row, flow.flow, flow.name, flow.figures);
    }
    add_json(lines, row, FlowId{0}, "total", row.all);
    return lines;
}

}  // namespace groma
