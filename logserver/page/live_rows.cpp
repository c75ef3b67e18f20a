#include "logserver/page/live_rows.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace groma {

namespace {

constexpr std::size_t kMostLogs = 1024;
constexpr double kLongestRun = 1e9;                    // s
constexpr std::int64_t kMuchYounger = 10'000'000'000;  // ns

std::optional<std::uint64_t> count_in(const nlohmann::json& line, const char* name) {
    const auto found = line.find(name);
    return found != line.end() and found->is_number_unsigned() ? std::optional(found->get<std::uint64_t>())
                                                               : std::nullopt;
}

std::optional<Nanos> span_in(const nlohmann::json& line, const char* name) {
    const auto found = line.find(name);
    return found != line.end() and found->is_number_integer() ? std::optional(Nanos{found->get<std::int64_t>()})
                                                              : std::nullopt;
}

std::optional<Nanos> seconds_in(const nlohmann::json& line, const char* name) {
    const auto found = line.find(name);
    if (found == line.end() or not found->is_number()) {
        return std::nullopt;
    }
    const double seconds = found->get<double>();
    return seconds >= 0 and seconds < kLongestRun ? std::optional(Nanos{std::llround(seconds * 1e9)}) : std::nullopt;
}

std::optional<RowDelays> delays_in(const nlohmann::json& line) {
    const auto min = span_in(line, "delay_min_ns");
    const auto p50 = span_in(line, "delay_p50_ns");
    const auto p90 = span_in(line, "delay_p90_ns");
    const auto p99 = span_in(line, "delay_p99_ns");
    const auto max = span_in(line, "delay_max_ns");
    if (not(min and p50 and p90 and p99 and max)) {
        return std::nullopt;
    }
    return RowDelays{.packets = count_in(line, "received_packets").value_or(0),
                     .min = *min,
                     .p50 = *p50,
                     .p90 = *p90,
                     .p99 = *p99,
                     .max = *max};
}

}  // namespace

void LiveRows::add(std::string_view text) {
    const nlohmann::json line = nlohmann::json::parse(text, nullptr, false);
    if (not line.is_object() or line.value("type", nlohmann::json()) != "live" or not line.contains("log") or
        not line["log"].is_string()) {
        return;
    }
    const auto from = seconds_in(line, "t_s");
    const auto length = seconds_in(line, "interval_s");
    const std::string log = line["log"].get<std::string>();
    if (not from or not length or *length <= Nanos{0} or
        (youngest_.size() >= kMostLogs and not youngest_.contains(log))) {
        return;
    }
    const auto [youngest, first] = youngest_.emplace(log, from->count());
    if (not first and youngest->second >= from->count()) {
        return;
    }
    youngest->second = from->count();
    RowFigures row{.from = *from, .length = *length};
    row.sent_packets = count_in(line, "sent_packets");
    row.sent_bytes = count_in(line, "sent_bytes");
    row.received_packets = count_in(line, "received_packets");
    row.received_bytes = count_in(line, "received_bytes");
    row.delays = delays_in(line);
    if (const auto missing = count_in(line, "missing_packets")) {
        missing_[log] = *missing;
    }
    const std::int64_t place = std::max(from->count(), taken_ < 0 ? 0 : taken_ + length->count());
    const auto [there, added] = rows_.emplace(place, row);
    if (not added) {
        const RowFigures both = joined(there->second, row);
        there->second = both;
    }
    there->second.from = Nanos{place};
    there->second.length = *length;
}

IntervalRow LiveRows::take_first() {
    IntervalRow row;
    row.all = rows_.begin()->second;
    taken_ = rows_.begin()->first;
    rows_.erase(rows_.begin());
    if (row.all.received_packets) {
        row.all.received_over = row.all.length;
    }
    if (not missing_.empty()) {
        std::uint64_t sum = 0;
        for (const auto& [log, missing] : missing_) {
            sum += missing;
        }
        row.all.missing_packets = sum;
    }
    return row;
}

std::vector<IntervalRow> LiveRows::take_settled() {
    std::vector<IntervalRow> taken;
    if (youngest_.empty()) {
        return taken;
    }
    const auto [oldest, latest] =
        std::ranges::minmax_element(youngest_, {}, [](const auto& log) { return log.second; });
    const std::int64_t settled = std::max(oldest->second, latest->second - kMuchYounger);
    while (not rows_.empty() and rows_.begin()->first < settled) {
        taken.push_back(take_first());
    }
    return taken;
}

std::vector<IntervalRow> LiveRows::take_rest() {
    std::vector<IntervalRow> taken;
    while (not rows_.empty()) {
        taken.push_back(take_first());
    }
    return taken;
}

}  // namespace groma
