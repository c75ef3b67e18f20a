#include "common/model/flow/rate_over_time.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/value_file.hpp"

namespace groma {

namespace {

constexpr std::string_view kRamp = "ramp:";
constexpr std::string_view kSteps = "steps:";
constexpr std::string_view kFile = "file:";
constexpr double kLargestRate = 1e18;
constexpr double kLeastRate = 1e-9;
constexpr Nanos kLongest{std::int64_t{1} << 62U};

/// Takes rates of one unit, and pieces of them.
class PieceList {
public:
    [[nodiscard]] double rate(std::string_view text) {
        const Rate rate = parse_rate_from_0(text);
        const bool bits = std::holds_alternative<BitRate>(rate);
        const RateUnit unit = bits ? RateUnit::payload_bits : RateUnit::packets;
        if (unit_.value_or(unit) != unit) {
            throw UsageError("rates of packets (pps) and of payload bits (bps) cannot be mixed");
        }
        unit_ = unit;
        return bits ? std::get<BitRate>(rate).bps : std::get<PacketRate>(rate).pps;
    }

    void add(RatePiece piece) { rates_.pieces.push_back(piece); }
    [[nodiscard]] std::vector<RatePiece>& pieces() { return rates_.pieces; }

    /// Throws: UsageError for what RateOverTime::error() finds.
    [[nodiscard]] RateOverTime take(std::string file = {}) && {
        rates_.unit = unit_.value_or(RateUnit::packets);
        rates_.file = std::move(file);
        if (const std::string error = rates_.error(); not error.empty()) {
            throw UsageError(error);
        }
        return std::move(rates_);
    }

private:
    RateOverTime rates_;
    std::optional<RateUnit> unit_;
};

Nanos time_of_piece(std::string_view text) {
    const Nanos time = parse_duration(text);
    if (time <= Nanos{0}) {
        throw UsageError("a time of 0 is not possible in a rate over time");
    }
    return time;
}

RateOverTime parse_ramp(std::string_view text) {
    const std::size_t first = text.find(':');
    const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
    if (second == std::string_view::npos) {
        throw UsageError("write ramp:FROM:TO:TIME, such as ramp:10Mbps:100Mbps:30s");
    }
    PieceList list;
    const double from = list.rate(text.substr(0, first));
    const double to = list.rate(text.substr(first + 1, second - first - 1));
    list.add({time_of_piece(text.substr(second + 1)), from, to});
    return std::move(list).take();
}

RateOverTime parse_steps(std::string_view text) {
    PieceList list;
    for (const std::string_view step : split_list(text)) {
        const std::size_t colon = step.find(':');
        if (colon == std::string_view::npos) {
            throw UsageError("write steps:RATE:TIME,RATE:TIME,..., such as steps:10Mbps:5s,50Mbps:5s");
        }
        const double rate = list.rate(step.substr(0, colon));
        list.add({time_of_piece(step.substr(colon + 1)), rate, rate});
    }
    return std::move(list).take();
}

/// "SECONDS RATE": the rate from then on.
void take_line(PieceList& list, Nanos& before, std::string_view line) {
    constexpr std::string_view kBlanks = " \t,;";
    const std::size_t end = line.find_first_of(kBlanks);
    const std::size_t rest = line.find_first_not_of(kBlanks, std::min(end, line.size()));
    if (rest == std::string_view::npos) {
        throw UsageError("write a time in seconds and a rate, such as: 2.5 10Mbps");
    }
    const Nanos at = parse_duration(std::string(line.substr(0, end)) + "s");
    if (list.pieces().empty() ? at != Nanos{0} : at <= before) {
        throw UsageError(list.pieces().empty() ? "the first rate must be that of second 0" : "the times must ascend");
    }
    if (not list.pieces().empty()) {
        list.pieces().back().lasts = at - before;
    }
    before = at;
    const double rate = list.rate(line.substr(rest));
    list.add({Nanos{1}, rate, rate});
}

RateOverTime parse_file(std::string_view path, const NamedFiles& files) {
    if (path.empty()) {
        throw UsageError("'file' needs a path: file:PATH");
    }
    PieceList list;
    Nanos before{0};
    read_value_lines(files, path, [&](std::string_view line) { take_line(list, before, line); });
    return std::move(list).take(std::string(path));
}

bool is_rate_value(double rate) {
    return rate == 0 or (rate >= kLeastRate and rate <= kLargestRate);
}

double peak_of(const std::vector<RatePiece>& pieces) {
    double peak = 0;
    for (const RatePiece& piece : pieces) {
        peak = std::max({peak, piece.from, piece.to});
    }
    return peak;
}

Rate in_unit(double rate, RateUnit unit) {
    return unit == RateUnit::packets ? Rate(PacketRate{rate}) : Rate(BitRate{rate});
}

}  // namespace

bool RateOverTime::is_meant(std::string_view text) {
    return text.starts_with(kRamp) or text.starts_with(kSteps) or text.starts_with(kFile);
}

RateOverTime RateOverTime::parse(std::string_view text, const NamedFiles& files) {
    constexpr std::size_t kMaxText = 16384;
    try {
        if (text.size() > kMaxText) {
            throw UsageError("it is too long: put the rates in a file, file:PATH");
        }
        if (text.starts_with(kRamp)) {
            return parse_ramp(text.substr(kRamp.size()));
        }
        if (text.starts_with(kSteps)) {
            return parse_steps(text.substr(kSteps.size()));
        }
        return parse_file(text.substr(std::min(kFile.size(), text.size())), files);
    } catch (const UsageError& error) {
        throw UsageError("cannot use '" + plain_text(text, 100) + "' as a rate over time: " + error.what());
    }
}

std::string RateOverTime::error() const {
    const std::size_t most = file.empty() ? kMostWritten : kMaxFileValues;
    if (pieces.empty() or pieces.size() > most) {
        return "there must be between 1 and " + std::to_string(most) + " rates" +
               (file.empty() ? ": put more in a file, file:PATH" : "");
    }
    Nanos left = kLongest;
    for (const RatePiece& piece : pieces) {
        if (not is_rate_value(piece.from) or not is_rate_value(piece.to)) {
            return "a rate is out of range";
        }
        if (piece.lasts <= Nanos{0} or piece.lasts > left) {
            return "its times are out of range: at most 146 years together";
        }
        left -= piece.lasts;
        if (piece.from != piece.to and pieces.size() > 1) {
            return "only a ramp by itself has a rate that rises or falls within a piece";
        }
    }
    if (not(peak_of(pieces) > 0)) {
        return "it never sends: one of the rates must be above 0";
    }
    const bool bad_path = file.size() > kMaxPathBytes or
                          std::ranges::any_of(file, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    return bad_path ? "the path must have at most 1024 characters, no control characters among them" : "";
}

Rate RateOverTime::peak() const {
    return in_unit(peak_of(pieces), unit);
}

double RateOverTime::mean_share(Nanos duration) const {
    const auto ns = [](Nanos time) { return static_cast<double>(time.count()); };
    double sum = 0;
    Nanos left = duration;
    for (const RatePiece& piece : pieces) {
        const Nanos part = std::min(piece.lasts, left);
        const double reached = piece.from + (piece.to - piece.from) * (ns(part) / ns(piece.lasts));
        sum += ns(part) * (piece.from + reached) / 2;
        left -= part;
    }
    sum += ns(left) * pieces.back().to;
    return sum / ns(duration) / peak_of(pieces);
}

std::string to_string(const RateOverTime& rates) {
    if (not rates.file.empty()) {
        return std::string(kFile) + rates.file;
    }
    const auto text = [&rates](double rate) { return to_string(in_unit(rate, rates.unit)); };
    const RatePiece& first = rates.pieces.front();
    if (first.from != first.to) {
        return std::string(kRamp) + text(first.from) + ":" + text(first.to) + ":" + duration_to_string(first.lasts);
    }
    std::string steps(kSteps);
    for (const RatePiece& piece : rates.pieces) {
        steps.append(&piece == &first ? "" : ",").append(text(piece.from)).append(":");
        steps.append(duration_to_string(piece.lasts));
    }
    return steps;
}

}  // namespace groma
