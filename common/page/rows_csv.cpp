#include "common/page/rows_csv.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "common/base/plain_text.hpp"
#include "common/figures/figure_json.hpp"

namespace groma {

namespace {

std::string cell_of(std::string_view text) {
    std::string cell = "\"";
    if (text.find_first_of("=+-@") == 0) {
        cell += '\'';
    }
    for (const char c : plain_text(text)) {
        cell += c == '"' ? "\"\"" : std::string(1, c);
    }
    return cell + '"';
}

std::string heading() {
    std::string line = "flow,name";
    for (const FigureHead& figure : live_figures()) {
        line += ',' + figure.name;
    }
    return line + '\n';
}

std::string line_of(const std::string& begin, const RowFigures& row) {
    std::string line = begin;
    for (const Figure<RowFigures>& figure : live_figures()) {
        const FigureValue value = figure.of(row);
        line += ',';
        line += std::holds_alternative<std::monostate>(value) ? std::string() : to_json(value).dump();
    }
    return line + '\n';
}

}  // namespace

std::optional<std::string> RowsCsv::operator()() {
    const std::vector<BoardFlow>& flows = entry_.run->flows;
    std::string piece;
    for (; piece.empty() and next_ <= flows.size(); ++next_) {
        const bool all = next_ == 0;
        const FlowId flow = all ? FlowId{0} : flows[next_ - 1].id;
        const std::string begin = std::to_string(flow.value) + ',' + cell_of(all ? "total" : flows[next_ - 1].name);
        piece = all ? heading() : "";
        for (const RowFigures& row : board_->history(entry_.number, flow).rows) {
            piece += line_of(begin, row);
        }
    }
    return piece.empty() ? std::nullopt : std::optional(piece);
}

}  // namespace groma
