#include "decoder/results/selection.hpp"

#include <charconv>
#include <limits>

#include "common/base/errors.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

std::optional<std::uint32_t> whole_number(std::string_view text) {
    std::uint32_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    return error == std::errc() and end == last ? std::optional(number) : std::nullopt;
}

}  // namespace

SizeRange parse_size_range(std::string_view text) {
    constexpr std::string_view kTo = "..";
    const std::size_t between = text.find(kTo);
    const bool open = between != std::string_view::npos and between + kTo.size() == text.size();
    const auto least = whole_number(text.substr(0, between));
    const auto most = between == std::string_view::npos ? least
                      : open                            ? std::optional(std::numeric_limits<std::uint32_t>::max())
                                                        : whole_number(text.substr(between + kTo.size()));
    if (not least or not most or *least > *most) {
        throw UsageError("'" + std::string(text) +
                         "' is not a range of payload sizes in bytes (use 64..512, 64.. or 512)");
    }
    return {*least, *most};
}

Selection Cut::selection(std::optional<Nanos> last) const {
    Selection selection{.from = from, .until = until, .sizes = sizes};
    if (skip_end and last) {
        selection.until = *last - *skip_end;
    }
    return selection;
}

std::string describe(const Selection& selection) {
    std::string text;
    if (selection.by_time()) {
        text = "packets that left";
        text += selection.from ? " from " + human_time(*selection.from) : std::string();
        text += selection.until ? " until " + human_time(*selection.until) : std::string();
        text += " of the run";
    }
    if (selection.sizes) {
        text += text.empty() ? "packets" : ",";
        text +=
            " of " + std::to_string(selection.sizes->least) + " to " + std::to_string(selection.sizes->most) + " bytes";
    }
    return text;
}

}  // namespace groma
