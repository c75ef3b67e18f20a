#include "decoder/svg.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "common/base/utf8.hpp"

namespace groma {

namespace {

// Gnuplot makes none of these, and escapes '<' in text. Names of tags stand behind '<', those of events behind a blank.
constexpr std::array<std::string_view, 9> kForeign = {"<script", "<foreignobject", "<iframe",     "<image", "<!entity",
                                                      "<set",    "<animate",       "javascript:", "<a "};

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
    return lower;
}

bool is_blank(char byte) {
    return byte == ' ' or byte == '\t' or byte == '\n' or byte == '\r' or byte == '/' or byte == '"' or byte == '\'';
}

/// The value of an attribute whose name ends at `at`, with its quotes; nothing when no '=' follows.
std::optional<std::string_view> value_behind(std::string_view tag, std::size_t at) {
    at = tag.find_first_not_of(" \t\r\n", at);
    if (at >= tag.size() or tag[at] != '=') {
        return std::nullopt;
    }
    at = tag.find_first_not_of(" \t\r\n", at + 1);
    return at >= tag.size() ? std::string_view() : tag.substr(at);
}

/// An id of this picture, in quotes.
bool is_local(std::string_view value) {
    return value.starts_with("'#") or value.starts_with("\"#");
}

/// An attribute that a browser obeys: an event (on...=), or a reference to anything but this picture.
bool obeys_something(std::string_view tag) {
    const std::size_t last_value = tag.rfind('=');
    for (std::size_t at = 1; at < tag.size() and last_value != std::string_view::npos and at < last_value; ++at) {
        if (is_blank(tag[at - 1]) and tag.substr(at).starts_with("on")) {
            return true;
        }
        for (const std::string_view name : {"href", "src"}) {
            if (tag.substr(at).starts_with(name)) {
                const auto value = value_behind(tag, at + name.size());
                if (value and not is_local(*value)) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool any_tag_obeys_something(std::string_view lower) {
    for (std::size_t open = 0; (open = lower.find('<', open)) != std::string_view::npos;) {
        const std::size_t close = std::min(lower.find('>', open), lower.size());
        if (obeys_something(lower.substr(open, close - open))) {
            return true;
        }
        open = close;
    }
    return false;
}

void prefix_all(std::string& text, std::string_view before, std::string_view prefix) {
    for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos; at += before.size() + prefix.size()) {
        text.insert(at + before.size(), prefix);
    }
}

}  // namespace

std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix) {
    const std::size_t start = svg.find("<svg");
    const std::size_t end = svg.rfind("</svg>");
    if (start == std::string_view::npos or end == std::string_view::npos or end < start or not is_utf8(svg)) {
        return std::nullopt;
    }
    std::string element(svg.substr(start, end + 6 - start));
    const std::string lower = in_lower_case(element);
    if (std::ranges::any_of(kForeign, [&](std::string_view word) { return lower.find(word) != std::string::npos; }) or
        any_tag_obeys_something(lower)) {
        return std::nullopt;
    }
    for (const char* before : {" id='", " id=\"", "href='#", "href=\"#", "url(#"}) {
        prefix_all(element, before, prefix);
    }
    return element;
}

}  // namespace groma
