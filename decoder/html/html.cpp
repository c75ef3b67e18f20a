#include "decoder/html/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

std::string html_text(std::string_view text, std::size_t limit) {
    std::string out;
    for (const char byte : plain_text(text, limit)) {
        switch (byte) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += byte;
        }
    }
    return out;
}

std::string html_lines(std::string_view text, std::size_t limit) {
    const bool is_cut = text.size() > limit;
    text = text.substr(0, limit);
    std::string out;
    while (not text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out += html_text(text.substr(0, end), limit) + '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return is_cut ? out + "...\n" : out;
}

HtmlTable::HtmlTable(std::vector<std::string> headings, std::vector<std::size_t> text_columns)
    : headings_(std::move(headings)), text_columns_(std::move(text_columns)) {}

const char* HtmlTable::style_of(std::size_t column) const {
    return std::ranges::find(text_columns_, column) != text_columns_.end() ? " class=\"text\"" : "";
}

void HtmlTable::add_row(const std::vector<std::string>& cells, bool is_total) {
    check(cells.size() == headings_.size(), "a row of a table has as many cells as the table has columns");
    rows_ += is_total ? "<tr class=\"total\">" : "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        rows_ += fmt::format("<td{}>{}</td>", style_of(i), html_text(cells[i], 300));
    }
    rows_ += "</tr>\n";
}

std::string HtmlTable::to_string() const {
    std::string head;
    for (std::size_t i = 0; i < headings_.size(); ++i) {
        head += fmt::format("<th{}>{}</th>", style_of(i), html_text(headings_[i]));
    }
    return fmt::format("<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
                       head, rows_);
}

std::string html_section(std::string_view heading, const std::string& body) {
    return body.empty() ? std::string()
                        : fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", html_text(heading), body);
}

}  // namespace groma
