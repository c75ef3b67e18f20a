#include "common/base/utf8.hpp"

#include <boost/locale/utf.hpp>

namespace groma {

Utf8Character first_character(std::string_view text) noexcept {
    const char* end = text.data();
    const auto code = boost::locale::utf::utf_traits<char>::decode(end, text.data() + text.size());
    return boost::locale::utf::is_valid_codepoint(code)
               ? Utf8Character{.code = code, .bytes = static_cast<std::size_t>(end - text.data())}
               : Utf8Character{};
}

bool is_utf8(std::string_view text) noexcept {
    while (not text.empty()) {
        const std::size_t bytes = first_character(text).bytes;
        if (bytes == 0) {
            return false;
        }
        text.remove_prefix(bytes);
    }
    return true;
}

}  // namespace groma
