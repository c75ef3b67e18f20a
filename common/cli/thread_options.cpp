#include "common/cli/thread_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr unsigned kLastCore = 8191;
constexpr unsigned kMostThreads = 256;
/// In the order of Realtime.
constexpr std::array<std::string_view, 3> kRealtimes{"off", "auto", "on"};

std::optional<unsigned> number(std::string_view text, unsigned lowest, unsigned highest) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() and end == text.data() + text.size();
    return whole and value >= lowest and value <= highest ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse(std::string_view text) {
    throw UsageError("'" + plain_text(text, 40) + "' is not a list of cores: use numbers from 0 to " +
                     std::to_string(kLastCore) + ", such as 1 or 0,2-3");
}

}  // namespace

std::vector<unsigned> parse_cores(std::string_view text) {
    std::vector<unsigned> cores;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view piece = rest.substr(0, comma);
        const std::size_t dash = piece.find('-');
        const auto first = number(piece.substr(0, dash), 0, kLastCore);
        const auto last = dash == std::string_view::npos ? first : number(piece.substr(dash + 1), 0, kLastCore);
        if (not first or not last or *last < *first) {
            refuse(text);
        }
        for (unsigned core = *first; core <= *last; ++core) {
            cores.push_back(core);
        }
        if (comma == std::string_view::npos) {
            break;
        }
        rest.remove_prefix(comma + 1);
    }
    std::sort(cores.begin(), cores.end());
    cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
    return cores;
}

std::string cores_to_string(const std::vector<unsigned>& cores) {
    std::string text;
    for (std::size_t i = 0; i < cores.size();) {
        std::size_t last = i;
        while (last + 1 < cores.size() and cores[last + 1] == cores[last] + 1) {
            ++last;
        }
        text.append(text.empty() ? "" : ",").append(std::to_string(cores[i]));
        if (last > i) {
            text.append("-").append(std::to_string(cores[last]));
        }
        i = last + 1;
    }
    return text;
}

unsigned parse_threads(std::string_view text) {
    if (text == "auto") {
        return 0;
    }
    const auto threads = number(text, 1, kMostThreads);
    if (not threads) {
        throw UsageError("'" + plain_text(text, 40) + "' is not a whole number from 1 to " +
                         std::to_string(kMostThreads) + ", nor auto");
    }
    return *threads;
}

Realtime parse_realtime(std::string_view text) {
    const auto* const found = std::ranges::find(kRealtimes, text);
    if (found == kRealtimes.end()) {
        throw UsageError("'" + plain_text(text, 40) + "' is not auto, on or off");
    }
    return static_cast<Realtime>(found - kRealtimes.begin());
}

std::string_view to_string(Realtime realtime) {
    return kRealtimes.at(static_cast<std::size_t>(realtime));
}

}  // namespace groma
