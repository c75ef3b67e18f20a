// A table of text with aligned columns, for reports on a terminal or in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace groma {

enum class Align : std::uint8_t { left, right };

struct Column {
    std::string heading;  ///< with the unit: "sent [pps]"
    Align align = Align::right;
};

/// Headings and cells may hold text from a peer or a file; plain_text() makes it safe to show. Widths count UTF-8
/// characters, not bytes.
class Table {
public:
    explicit Table(std::vector<Column> columns);

    /// Requires: one cell per column.
    void add_row(std::vector<std::string> cells);

    [[nodiscard]] std::size_t rows() const { return rows_.size(); }

    /// The headings and all rows, each line indented by `indent` spaces, ended by '\n' and without trailing spaces.
    [[nodiscard]] std::string to_string(std::size_t indent = 0) const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace groma
