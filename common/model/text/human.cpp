#include "common/model/text/human.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string_view>

namespace groma {

namespace {

constexpr std::array<std::string_view, 5> kDecimal{"", "k", "M", "G", "T"};

/// Rounds to `digits` significant digits first, so that 999.96 becomes "1 k" and not "1000".
double rounded(double value, int digits) {
    if (value == 0) {
        return 0;
    }
    // Only powers of ten above one are exact: multiply or divide, as needed.
    const double shift = digits - 1 - std::floor(std::log10(std::abs(value)));
    const double scale = std::pow(10.0, std::abs(shift));
    if (not std::isfinite(scale)) {
        return value;
    }
    return shift >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

std::string with_prefix(double value, std::string_view unit, int digits) {
    if (not std::isfinite(value)) {
        return "-";
    }
    double scaled = rounded(value, digits);
    std::size_t prefix = 0;
    while (std::abs(scaled) >= 1000 and prefix + 1 < kDecimal.size()) {
        scaled /= 1000;
        ++prefix;
    }
    return fmt::format("{} {}{}", significant(scaled, digits), kDecimal[prefix], unit);
}

}  // namespace

std::string significant(double value, int digits) {
    if (not std::isfinite(value)) {
        return "-";
    }
    const double shown = rounded(value, digits);
    if (shown == 0) {
        return "0";
    }
    const double magnitude = std::floor(std::log10(std::abs(shown)));
    if (magnitude < -6 or magnitude >= 15) {
        return fmt::format("{:.{}g}", shown, digits);
    }
    const int decimals = digits - 1 - static_cast<int>(magnitude);
    std::string text = fmt::format("{:.{}f}", shown, decimals > 0 ? decimals : 0);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') {
            text.pop_back();
        }
    }
    return text;
}

std::string exact_rate(double pps, int digits) {
    return with_prefix(pps, "pps", digits);
}

std::string exact_bits(double bps, int digits) {
    return with_prefix(bps, "bit/s", digits);
}

std::string human_rate(double pps) {
    return exact_rate(pps, kHumanDigits);
}

std::string human_bits(double bps) {
    return exact_bits(bps, kHumanDigits);
}

std::string human_bytes(std::uint64_t bytes) {
    return with_prefix(static_cast<double>(bytes), "B", kHumanDigits);
}

std::string exact_time(double ns, int digits) {
    constexpr std::array<std::string_view, 4> kUnits{"ns", "us", "ms", "s"};
    if (not std::isfinite(ns)) {
        return "-";
    }
    double scaled = rounded(ns, digits);
    std::size_t unit = 0;
    while (std::abs(scaled) >= 1000 and unit + 1 < kUnits.size()) {
        scaled /= 1000;
        ++unit;
    }
    return fmt::format("{} {}", significant(scaled, digits), kUnits[unit]);
}

std::string human_time(Nanos span) {
    const double ns = static_cast<double>(span.count());
    const auto seconds = static_cast<long long>(std::llround(std::abs(ns) / 1e9));
    const std::string_view sign = ns < 0 ? "-" : "";
    if (seconds < 120) {
        return exact_time(ns, kHumanDigits);
    }
    if (seconds < 3600) {
        return fmt::format("{}{} min {} s", sign, seconds / 60, seconds % 60);
    }
    const long long minutes = (seconds + 30) / 60;
    return fmt::format("{}{} h {} min", sign, minutes / 60, minutes % 60);
}

std::string human_nanos(double ns) {
    constexpr double kBeyondTime = 9.2e18;
    return std::abs(ns) < kBeyondTime ? human_time(Nanos(static_cast<std::int64_t>(ns))) : "-";
}

}  // namespace groma
