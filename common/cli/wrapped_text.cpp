#include "common/cli/wrapped_text.hpp"

#include <algorithm>

namespace groma {

void append_wrapped(std::string& out, std::size_t column, std::size_t indent, std::string_view text) {
    while (not text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (column + 1 + end > kLineWidth) {
            out += '\n' + std::string(indent - 1, ' ');
            column = indent - 1;
        }
        out += ' ';
        out += text.substr(0, end);
        column += 1 + end;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    out += '\n';
}

}  // namespace groma
