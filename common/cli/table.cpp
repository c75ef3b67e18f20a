#include "common/cli/table.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kGap = 2;  ///< spaces between columns

std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

void append_line(std::string& out, const std::vector<std::string>& cells, const std::vector<Column>& columns,
                 const std::vector<std::size_t>& widths, std::size_t indent) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string padding(widths[i] - characters(cells[i]), ' ');
        line += columns[i].align == Align::left ? cells[i] + padding : padding + cells[i];
        line.append(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
    for (Column& column : columns_) {
        column.heading = plain_text(column.heading);
    }
}

void Table::add_row(std::vector<std::string> cells) {
    check(cells.size() == columns_.size(), "a table's row has a cell for each column");
    for (std::string& cell : cells) {
        cell = plain_text(cell);
    }
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths;
    widths.reserve(columns_.size());
    for (const Column& column : columns_) {
        widths.push_back(characters(column.heading));
    }
    for (const std::vector<std::string>& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], characters(row[i]));
        }
    }
    return widths;
}

std::string Table::to_string(std::size_t indent) const {
    const std::vector<std::size_t> wide = widths();
    std::vector<std::string> headings;
    headings.reserve(columns_.size());
    for (const Column& column : columns_) {
        headings.push_back(column.heading);
    }
    std::string out;
    append_line(out, headings, columns_, wide, indent);
    for (const std::vector<std::string>& row : rows_) {
        append_line(out, row, columns_, wide, indent);
    }
    return out;
}

}  // namespace groma
