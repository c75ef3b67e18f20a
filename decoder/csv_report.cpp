#include "decoder/csv_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <system_error>

namespace groma {

namespace {

constexpr std::string_view kHeading =
    "run_id,flow,name,t_s,sent_packets,received_packets,received_bytes,throughput_bps,packet_rate_pps,"
    "delay_mean_ns,delay_min_ns,delay_max_ns,jitter_ns,lost,receiver,returned_packets,rtt_mean_ns,rtt_min_ns,"
    "rtt_max_ns\r\n";

template <typename Number>
void append(std::string& out, const std::optional<Number>& number) {
    out += ',';
    if (number) {
        fmt::format_to(std::back_inserter(out), "{}", *number);
    }
}

void append_rows(std::string& out, const std::string& start, const std::string& receiver,
                 const std::vector<SeriesRow>& rows) {
    for (const SeriesRow& row : rows) {
        out += start;
        fmt::format_to(std::back_inserter(out), ",{}", row.t_s);
        append(out, row.sent_packets);
        append(out, row.received_packets);
        append(out, row.received_bytes);
        append(out, row.throughput_bps);
        append(out, row.packet_rate_pps);
        append(out, row.delay_mean_ns);
        append(out, row.delay_min_ns);
        append(out, row.delay_max_ns);
        append(out, row.jitter_ns);
        append(out, row.lost);
        out += ',' + receiver;
        append(out, row.returned_packets);
        append(out, row.rtt_mean_ns);
        append(out, row.rtt_min_ns);
        append(out, row.rtt_max_ns);
        out += "\r\n";
    }
}

/// Spreadsheets work out what begins so, after blanks that some of them skip, unless it is a number.
bool is_formula(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of("\t\r\n"), text.size()));
    if (text.empty() or std::string_view("=+-@").find(text.front()) == std::string_view::npos) {
        return false;
    }
    const std::string_view digits = text.substr(text.front() == '+' ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error != std::errc() or end != digits.data() + digits.size();
}

}  // namespace

std::string csv_field(std::string_view text) {
    std::string field = is_formula(text) ? "'" : "";
    field += text;
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    for (std::size_t at = 0; (at = field.find('"', at)) != std::string::npos; at += 2) {
        field.insert(at, 1, '"');
    }
    return '"' + field + '"';
}

std::string csv_report(const Results& results) {
    std::string out(kHeading);
    for (const auto& run : results.runs) {
        const std::string run_id = csv_field(run.run_id);
        for (const auto& flow : run.flows) {
            append_rows(out, fmt::format("{},{},{}", run_id, flow.spec.id.value, csv_field(flow.spec.name)),
                        csv_field(flow.receiver), flow.series.rows());
        }
        for (const auto& [name, total] : named_totals(run)) {
            append_rows(out, run_id + ",0," + csv_field(name), {}, total->series);
        }
    }
    return out;
}

}  // namespace groma
