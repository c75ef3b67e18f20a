#include "decoder/text_parts.hpp"

#include <fmt/format.h>

#include "common/base/plain_text.hpp"

namespace groma {

std::string count(const std::optional<std::uint64_t>& value) {
    return known(value, [](std::uint64_t number) { return std::to_string(number); });
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? kUnknown : significant(100 * static_cast<double>(part) / static_cast<double>(whole), 3);
}

std::vector<std::string> time_cells(const Spread& spread) {
    if (spread.count == 0) {
        return std::vector<std::string>(8, kUnknown);
    }
    return {human_time(Nanos{spread.min}),  time_of(spread.mean),          time_of(spread.deviation),
            human_time(Nanos{spread.p50}),  human_time(Nanos{spread.p90}), human_time(Nanos{spread.p99}),
            human_time(Nanos{spread.p999}), human_time(Nanos{spread.max})};
}

std::vector<Column> time_columns() {
    return {{"min"}, {"mean"}, {"sd"}, {"p50"}, {"p90"}, {"p99"}, {"p99.9"}, {"max"}};
}

Column left(const char* heading) {
    return {heading, Align::left};
}

std::string label(const FlowResult& flow) {
    const std::string id = std::to_string(flow.spec.id.value);
    return flow.receivers > 1 ? id + " at " + plain_text(flow.receiver, 60) : id;
}

std::string section(const char* heading, const Table& table) {
    return table.rows() == 0 ? std::string() : fmt::format("\n{}\n{}", heading, table.to_string(2));
}

}  // namespace groma
