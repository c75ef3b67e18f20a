#include "common/metrics/exposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/time/instant.hpp"

namespace groma {

namespace {

std::string_view type_in_text(MetricType type, ExpositionFormat format) {
    switch (type) {
        case MetricType::counter:
            return "counter";
        case MetricType::histogram:
            return "histogram";
        case MetricType::info:
            return format == ExpositionFormat::open_metrics ? "info" : "gauge";
        case MetricType::gauge:
            break;
    }
    return "gauge";
}

/// `quotes`: they are escaped as well, as in values of labels.
std::string escaped(std::string_view text, bool quotes) {
    std::string made;
    for (const char c : text) {
        if (c == '\n') {
            made += "\\n";
        } else {
            made += c == '\\' or (c == '"' and quotes) ? "\\" : "";
            made += c;
        }
    }
    return made;
}

/// In the form that the specification calls canonical: always with a point or an exponent.
std::string real_in_text(double value) {
    if (not std::isfinite(value)) {
        return std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    }
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Takes the part before the separator, or all, off the beginning.
std::string_view take_part(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return trimmed(part);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' and c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

/// A media range of Accept.
struct MediaRange {
    std::string type;
    std::string version;  ///< empty: any
    double weight = 1;
};

std::optional<MediaRange> parse_range(std::string_view text) {
    MediaRange range{.type = lower_case(take_part(text, ';')), .version = {}};
    while (not text.empty()) {
        std::string_view value = take_part(text, ';');
        const std::string name = lower_case(take_part(value, '='));
        if (name == "version") {
            range.version = value;
        } else if (name == "q") {
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), range.weight);
            if (error != std::errc() or end != value.data() + value.size() or not(range.weight >= 0) or
                range.weight > 1) {
                return std::nullopt;
            }
        }
    }
    return range;
}

}  // namespace

std::string_view content_type(ExpositionFormat format) {
    return format == ExpositionFormat::open_metrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                                    : "text/plain; version=0.0.4; charset=utf-8";
}

ExpositionFormat accepted_format(std::string_view accept) {
    double open_metrics = 0;
    double plain = 0;
    while (not accept.empty()) {
        const std::optional<MediaRange> range = parse_range(take_part(accept, ','));
        if (not range) {
            continue;
        }
        if (range->type == "application/openmetrics-text" and (range->version.empty() or range->version == "1.0.0")) {
            open_metrics = std::max(open_metrics, range->weight);
        } else if (range->type == "text/plain") {
            plain = std::max(plain, range->weight);
        }
    }
    return open_metrics > 0 and open_metrics >= plain ? ExpositionFormat::open_metrics : ExpositionFormat::classic;
}

std::string sample_name(const MetricHead& head) {
    return std::string(head.name) + (head.type == MetricType::counter ? "_total"
                                     : head.type == MetricType::info  ? "_info"
                                                                      : "");
}

void MetricSamples::add_line(std::string_view suffix, std::initializer_list<std::string_view> labels,
                             std::string_view value) {
    text_ += sample_name(head_);
    text_ += suffix;
    const bool bucket = suffix == "_bucket";  // its only label is its bound
    char before = '{';
    std::size_t number = 0;
    for (const std::string_view label : labels) {
        check(bucket or number < head_.labels.size(), "a sample has no more labels than its family");
        fmt::format_to(std::back_inserter(text_), "{}{}=\"{}\"", before, bucket ? "le" : head_.labels[number],
                       escaped(label, true));
        before = ',';
        ++number;
    }
    check(bucket or number == head_.labels.size() or head_.labels[number].empty(),
          "a sample has all labels of its family");
    fmt::format_to(std::back_inserter(text_), "{} {}\n", number > 0 ? "}" : "", value);
}

void MetricSamples::add(std::uint64_t value, std::initializer_list<std::string_view> labels) {
    add_line("", labels, fmt::format("{}", value));
}

void MetricSamples::add(double value, std::initializer_list<std::string_view> labels) {
    add_line("", labels, real_in_text(value));
}

void MetricSamples::add(const TimeHistogram& times) {
    std::uint64_t up_to = 0;
    for (std::size_t i = 0; i < times.buckets().size(); ++i) {
        up_to += times.buckets()[i];
        const std::string bound =
            i < TimeHistogram::kBounds ? real_in_text(to_seconds(Nanos(TimeHistogram::kBoundsNs[i]))) : "+Inf";
        add_line("_bucket", {bound}, fmt::format("{}", up_to));
    }
    add_line("_sum", {}, real_in_text(times.sum_seconds()));
    add_line("_count", {}, fmt::format("{}", up_to));
}

void Exposition::begin(const MetricHead& head) {
    const bool open_metrics = format_ == ExpositionFormat::open_metrics;
    const std::string name = open_metrics ? std::string(head.name) : sample_name(head);
    fmt::format_to(std::back_inserter(text_), "# TYPE {} {}\n", name, type_in_text(head.type, format_));
    if (open_metrics and not head.unit.empty()) {
        fmt::format_to(std::back_inserter(text_), "# UNIT {} {}\n", name, head.unit);
    }
    fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n", name, escaped(head.help, open_metrics));
}

std::string Exposition::take() {
    text_ += format_ == ExpositionFormat::open_metrics ? "# EOF\n" : "";
    return std::exchange(text_, {});
}

}  // namespace groma
