#include "decoder/svg.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "common/base/utf8.hpp"

namespace groma {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
/// Gnuplot makes none of these, nor anything that begins with "<!", "<?" or "<animate".
constexpr std::array<std::string_view, 6> kForeign = {"script", "foreignobject", "iframe", "image", "set", "a"};

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
    return lower;
}

std::string_view take_until(std::string_view& rest, std::string_view ends) {
    const std::string_view taken = rest.substr(0, rest.find_first_of(ends));
    rest.remove_prefix(taken.size());
    return taken;
}

bool take(std::string_view& rest, std::string_view what) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const bool there = rest.starts_with(what);
    rest.remove_prefix(there ? what.size() : 0);
    return there;
}

bool is_drawn(std::string_view name) {
    return not name.empty() and name.front() != '!' and name.front() != '?' and not name.starts_with("animate") and
           std::ranges::find(kForeign, name) == kForeign.end();
}

/// Not an event (on...=), nor a reference to anything but this picture.
bool is_looked_at(std::string_view attribute, std::string_view value) {
    const bool refers = attribute.ends_with("href") or attribute.ends_with("src");
    return not attribute.empty() and not attribute.starts_with("on") and (not refers or value.starts_with('#')) and
           value.find('<') == std::string_view::npos and value.find("javascript:") == std::string_view::npos;
}

/// Takes a tag, in lower case, from behind its '<' on. Returns: whether it is a tag of well-formed XML, which no
/// browser reads in another way, and one of a drawing.
bool take_tag(std::string_view& rest) {
    rest.remove_prefix(rest.starts_with('/') ? 1 : 0);
    if (not is_drawn(take_until(rest, " \t\r\n/>"))) {
        return false;
    }
    while (not take(rest, ">") and not take(rest, "/>")) {
        const std::string_view attribute = take_until(rest, " \t\r\n=/><\"'");
        if (not take(rest, "=")) {
            return false;
        }
        const std::string_view quote = take(rest, "'") ? "'" : "\"";
        if (quote == "\"" and not take(rest, quote)) {
            return false;
        }
        const std::string_view value = take_until(rest, quote);
        if (rest.empty() or not is_looked_at(attribute, value)) {
            return false;
        }
        rest.remove_prefix(1);
    }
    return true;
}

/// The tag with `prefix` in front of its ids.
std::string prefixed(std::string_view tag, std::string_view prefix) {
    std::string text(tag);
    for (const std::string_view before : {" id='", " id=\"", "href='#", "href=\"#", "url(#"}) {
        for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos; at += prefix.size()) {
            text.insert(at += before.size(), prefix);
        }
    }
    return text;
}

}  // namespace

std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix) {
    const std::size_t start = svg.find("<svg");
    const std::size_t end = svg.rfind("</svg>");
    if (start == std::string_view::npos or end == std::string_view::npos or end < start or not is_utf8(svg)) {
        return std::nullopt;
    }
    const std::string_view element = svg.substr(start, end + 6 - start);
    const std::string lower = in_lower_case(element);
    std::string out;
    for (std::string_view rest = lower; not rest.empty();) {
        const std::size_t text = take_until(rest, "<").size();
        const std::size_t open = element.size() - rest.size();
        out += element.substr(open - text, text);
        if (rest.empty()) {
            break;
        }
        rest.remove_prefix(1);
        if (not take_tag(rest)) {
            return std::nullopt;
        }
        out += prefixed(element.substr(open, element.size() - rest.size() - open), prefix);
    }
    return out;
}

}  // namespace groma
