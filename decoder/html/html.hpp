// Pieces of HTML. Everything that is text goes through html_text(), wherever it comes from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

/// `text` so that a browser shows it and interprets nothing: markup and quotes escaped, control characters shown, UTF-8
/// only.
[[nodiscard]] std::string html_text(std::string_view text, std::size_t limit = 2000);

/// The same; line breaks stay.
[[nodiscard]] std::string html_lines(std::string_view text, std::size_t limit);

/// A table of text.
class HtmlTable {
public:
    /// Columns in `text_columns` are aligned left, the others, numbers, right.
    explicit HtmlTable(std::vector<std::string> headings, std::vector<std::size_t> text_columns = {0});

    /// Requires: as many cells as headings.
    void add_row(const std::vector<std::string>& cells, bool is_total = false);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] std::string to_string() const;

private:
    [[nodiscard]] const char* style_of(std::size_t column) const;

    std::vector<std::string> headings_;
    std::vector<std::size_t> text_columns_;
    std::string rows_;
};

/// A heading and `body`; empty if `body` is empty.
[[nodiscard]] std::string html_section(std::string_view heading, const std::string& body);

}  // namespace groma
