#include "common/model/text/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <system_error>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/base/units.hpp"
#include "common/model/text/numeral.hpp"

namespace groma {

namespace {

constexpr std::array kTimeUnits = {TextUnit{"ns", 0, 1}, TextUnit{"us", 3, 1},   TextUnit{"ms", 6, 1},
                                   TextUnit{"s", 9, 1},  TextUnit{"min", 9, 60}, TextUnit{"h", 9, 3600}};
constexpr std::array kRateUnits = {TextUnit{"pps", 0, 1}, TextUnit{"kpps", 3, 1}, TextUnit{"Mpps", 6, 1}};
constexpr std::array kBitRateUnits = {TextUnit{"bps", 0, 1}, TextUnit{"kbps", 3, 1}, TextUnit{"Mbps", 6, 1},
                                      TextUnit{"Gbps", 9, 1}};
constexpr std::array kByteUnits = {TextUnit{"", 0, 1},          TextUnit{"B", 0, 1},           TextUnit{"kB", 3, 1},
                                   TextUnit{"MB", 6, 1},        TextUnit{"GB", 9, 1},          TextUnit{"KiB", 0, 1024},
                                   TextUnit{"MiB", 0, 1048576}, TextUnit{"GiB", 0, 1073741824}};

double time_value(const Numeral& numeral, const TextUnit& unit, std::string_view text) {
    const double ns = numeral_value(numeral, unit, text);
    if (ns > kLargestValue) {
        throw UsageError(in_quotes(text) + " is too long: at most 146 years");
    }
    return ns;
}

/// Those of `units` that begin with `written`, upper or lower case.
std::vector<std::string_view> meant_units(std::string_view written,
                                          std::initializer_list<std::span<const TextUnit>> units) {
    const auto lower = [](char c) { return c >= 'A' and c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const auto begins = [&](std::string_view unit) {
        return std::ranges::equal(written, unit.substr(0, written.size()), {}, lower, lower);
    };
    std::vector<std::string_view> meant;
    for (const std::span<const TextUnit> some : units) {
        for (const TextUnit& unit : some) {
            if (not written.empty() and begins(unit.suffix)) {
                meant.push_back(unit.suffix);
            }
        }
    }
    return meant;
}

/// "write 1kB or 1KiB" for "1k"; `otherwise` where no unit begins like that.
std::string unit_advice(const Numeral& numeral, std::string_view text, std::string_view otherwise,
                        std::initializer_list<std::span<const TextUnit>> units) {
    const std::vector<std::string_view> meant = meant_units(numeral.rest, units);
    if (meant.empty()) {
        return "use " + std::string(otherwise);
    }
    const std::string number = plain_text(text.substr(0, text.size() - numeral.rest.size()), 60);
    std::string advice = "write ";
    for (std::size_t i = 0; i < meant.size(); ++i) {
        const std::string_view between = i == 0 ? "" : i + 1 == meant.size() ? " or " : ", ";
        advice.append(between).append(number).append(meant[i]);
    }
    return advice;
}

[[noreturn]] void refuse_unit(const Numeral& numeral, std::string_view text, std::string_view prefix, bool rates) {
    const std::string start = std::string(prefix) + plain_text(text, 60);
    if (numeral.rest.empty()) {
        throw UsageError(in_quotes(start) + " has no unit: write " +
                         (rates ? start + "pps" : start + "s, " + start + "ms") + " or " + start + "us");
    }
    const std::string what = "'" + plain_text(numeral.rest, 30) + "' in " + in_quotes(text) + " is not a unit of time";
    if (rates) {
        throw UsageError(what + " or rate: " +
                         unit_advice(numeral, text, "ns us ms s min h pps kpps Mpps", {kTimeUnits, kRateUnits}));
    }
    throw UsageError(what + ": " + unit_advice(numeral, text, "ns us ms s min h", {kTimeUnits}) +
                     (find_unit(kRateUnits, numeral.rest) != nullptr ? " (a rate is not possible here)" : ""));
}

std::string to_text(double value, int precision = 0) {
    std::array<char, 64> buffer{};
    const auto result = precision > 0
                            ? std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::general, precision)
                            : std::to_chars(buffer.begin(), buffer.end(), value);
    return {buffer.begin(), result.ptr};
}

/// The shortest text with one of the units, the first of which is 1, that reads back to the value. `replaces`: whether
/// a text of this size takes the place of that of a smaller unit.
template <typename Replaces>
std::string shortest_text(double value, std::span<const TextUnit> units, Replaces replaces) {
    std::string best = to_text(value) + std::string(units.front().suffix);
    for (const TextUnit& unit : units) {
        const std::string digits = to_text(value / unit.factor / std::pow(10.0, unit.exponent));
        const std::size_t size = digits.size() + unit.suffix.size();
        if (replaces(size, best.size()) and numeral_value(split_numeral(digits), unit, digits) == value) {
            best = digits;
            best += unit.suffix;
        }
    }
    return best;
}

/// The shortest "RATEpps" that parses to exactly this gap; empty if there is none.
std::string rate_to_string(double ns) {
    // Rates beyond these are not shorter, and rounding could leave the range that the parser takes.
    if (ns < 1e-6 or ns > 1e18) {
        return {};
    }
    for (const int precision : {12, 15, 16, 17}) {
        std::string text = to_text(1e9 / ns, precision) + "pps";
        if (parse_gap_ns(text) == ns) {
            return text;
        }
    }
    return {};
}

}  // namespace

double parse_number(std::string_view text) {
    const Numeral numeral = split_numeral(text);
    if (not numeral.rest.empty()) {
        throw UsageError(in_quotes(text) + " is not a plain number: " + in_quotes(numeral.rest) + " is too much");
    }
    return numeral_value(numeral, TextUnit{"", 0, 1}, text);
}

double parse_share(std::string_view text) {
    const bool percent = text.ends_with('%');
    return parse_number(text.substr(0, text.size() - (percent ? 1 : 0))) / (percent ? 100 : 1);
}

std::uint64_t parse_whole_number(std::string_view text, std::uint64_t least, std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() or end != text.data() + text.size() or value < least or value > most) {
        throw UsageError("'" + std::string(text) + "' is not a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most));
    }
    return value;
}

double parse_time_ns(std::string_view text, std::string_view prefix) {
    const Numeral numeral = split_numeral(text);
    const TextUnit* unit = find_unit(kTimeUnits, numeral.rest);
    if (unit == nullptr) {
        refuse_unit(numeral, text, prefix, false);
    }
    return time_value(numeral, *unit, text);
}

double parse_gap_ns(std::string_view text, std::string_view prefix) {
    const Numeral numeral = split_numeral(text);
    if (const TextUnit* unit = find_unit(kTimeUnits, numeral.rest)) {
        return time_value(numeral, *unit, text);
    }
    const TextUnit* unit = find_unit(kRateUnits, numeral.rest);
    if (unit == nullptr) {
        refuse_unit(numeral, text, prefix, true);
    }
    const double rate = numeral_value(numeral, *unit, text);
    const double gap = 1e9 / rate;
    if (not(rate > 0) or not(gap <= kLargestValue) or not(gap > 0)) {
        throw UsageError(in_quotes(text) + (rate > 0 ? " is out of range" : " never sends: the rate must be above 0"));
    }
    return gap;
}

std::string number_to_string(double value) {
    return to_text(value);
}

std::string time_to_string(double ns) {
    return shortest_text(ns, kTimeUnits, std::less_equal<>());
}

std::string gap_to_string(double ns) {
    std::string time = time_to_string(ns);
    std::string rate = rate_to_string(ns);
    const bool whole = not rate.empty() and rate.find_first_of(".e") == std::string::npos;
    return whole or (not rate.empty() and rate.size() < time.size()) ? rate : time;
}

bool is_rate(std::string_view text) {
    return text.ends_with("pps");
}

Rate parse_rate_from_0(std::string_view text) {
    const Numeral numeral = split_numeral(text);
    if (const TextUnit* bits = find_unit(kBitRateUnits, numeral.rest)) {
        return BitRate{numeral_value(numeral, *bits, text)};
    }
    const TextUnit* packets = find_unit(kRateUnits, numeral.rest);
    if (packets == nullptr) {
        constexpr std::string_view kForm = "a number with pps kpps Mpps (packets) or bps kbps Mbps Gbps (payload)";
        throw UsageError(in_quotes(text) +
                         " is not a rate: " + unit_advice(numeral, text, kForm, {kRateUnits, kBitRateUnits}));
    }
    const PacketRate rate{numeral_value(numeral, *packets, text)};
    if (rate.pps > 0) {
        static_cast<void>(parse_gap_ns(text));  // checks its bounds
    }
    return rate;
}

Rate parse_rate(std::string_view text) {
    const Rate rate = parse_rate_from_0(text);
    if (rate == Rate(BitRate{0}) or rate == Rate(PacketRate{0})) {
        throw UsageError(in_quotes(text) + " never sends: the rate must be above 0");
    }
    return rate;
}

std::string to_string(const Rate& rate) {
    const auto* packets = std::get_if<PacketRate>(&rate);
    return packets != nullptr ? shortest_text(packets->pps, kRateUnits, std::less<>())
                              : shortest_text(std::get<BitRate>(rate).bps, kBitRateUnits, std::less<>());
}

Nanos parse_duration(std::string_view text) {
    const double ns = parse_time_ns(text);
    if (ns > 0 and ns < 1) {
        throw UsageError(in_quotes(text) + " is shorter than a nanosecond");
    }
    const Numeral numeral = split_numeral(text);
    const auto whole = whole_numeral_value(numeral, *find_unit(kTimeUnits, numeral.rest));
    return Nanos{whole.value_or(static_cast<std::int64_t>(std::round(ns)))};
}

double parse_byte_value(std::string_view text) {
    const Numeral numeral = split_numeral(text);
    const TextUnit* unit = find_unit(kByteUnits, numeral.rest);
    if (unit == nullptr) {
        throw UsageError("'" + plain_text(numeral.rest, 30) + "' in " + in_quotes(text) + " is not a unit of bytes: " +
                         unit_advice(numeral, text, "B kB MB GB KiB MiB GiB", {kByteUnits}));
    }
    return numeral_value(numeral, *unit, text);
}

Bytes parse_bytes(std::string_view text) {
    const double bytes = parse_byte_value(text);
    if (bytes > kLargestValue) {
        throw UsageError(in_quotes(text) + " is too large");
    }
    if (bytes != std::floor(bytes)) {
        throw UsageError(in_quotes(text) + " is not a whole number of bytes");
    }
    const Numeral numeral = split_numeral(text);
    const auto whole =
        whole_numeral_value(numeral, *find_unit(kByteUnits, numeral.rest)).value_or(static_cast<std::int64_t>(bytes));
    return Bytes{static_cast<std::uint64_t>(whole)};
}

std::string to_string(Bytes bytes) {
    std::string best = std::to_string(bytes.count);
    for (const TextUnit& unit : kByteUnits) {
        const auto size = static_cast<std::uint64_t>(unit.factor * std::pow(10.0, unit.exponent));
        std::string text = std::to_string(bytes.count / size).append(unit.suffix);
        if (bytes.count % size == 0 and text.size() <= best.size()) {
            best = std::move(text);
        }
    }
    return best;
}

std::string duration_to_string(Nanos span) {
    const std::int64_t ns = span.count();
    constexpr std::array kDivisors = {std::pair{std::int64_t{1'000'000'000}, "s"},
                                      std::pair{std::int64_t{1'000'000}, "ms"}, std::pair{std::int64_t{1'000}, "us"}};
    for (const auto& [divisor, suffix] : kDivisors) {
        if (ns % divisor == 0) {
            return std::to_string(ns / divisor) + suffix;
        }
    }
    return std::to_string(ns) + "ns";
}

std::vector<std::string_view> split_list(std::string_view text) {
    std::vector<std::string_view> pieces;
    for (bool more = true; more;) {
        const std::size_t comma = text.find(',');
        std::string_view piece = text.substr(0, comma);
        piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
        pieces.push_back(piece.substr(0, piece.find_last_not_of(' ') + 1));
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : text.size());
    }
    return pieces;
}

}  // namespace groma
