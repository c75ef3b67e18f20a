#include "common/cli/wrapped_text.hpp"

#include <algorithm>

namespace groma {

void append_wrapped(std::string& out, std::size_t column, std::size_t indent, std::string_view text) {
    while (not text.empty()) {
        std::size_t end = std::min(text.find(' '), text.size());
        bool whole = true;
        if (end > kLineWidth - indent) {
            const std::size_t cut = text.substr(0, kLineWidth - indent).find_last_of(",+");
            whole = cut == std::string_view::npos;
            end = whole ? end : cut + 1;
        }
        if (column + 1 + end > kLineWidth) {
            out += '\n' + std::string(indent - 1, ' ');
            column = indent - 1;
        }
        out += ' ';
        out += text.substr(0, end);
        column += 1 + end;
        text.remove_prefix(std::min(end + (whole ? 1 : 0), text.size()));
    }
    out += '\n';
}

}  // namespace groma
