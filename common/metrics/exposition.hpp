// Writes metrics as text for who scrapes them (docs/reference/openmetrics.md). Source: OpenMetrics 1.0.0; the older
// format is "Exposition formats, text-based format" of Prometheus, version 0.0.4.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "common/metrics/metric_row.hpp"
#include "common/metrics/time_histogram.hpp"

namespace groma {

enum class ExpositionFormat : std::uint8_t {
    open_metrics,
    classic,  ///< for those that do not know the other
};

/// For the field Content-Type.
[[nodiscard]] std::string_view content_type(ExpositionFormat format);

/// The format that suits the field Accept of a request (RFC 9110, 12.5.1): OpenMetrics for who names it and does not
/// prefer plain text. What cannot be read there counts as not there.
[[nodiscard]] ExpositionFormat accepted_format(std::string_view accept);

/// The name of the family's samples: "groma_x_total" of a counter. A histogram's have more at their end.
[[nodiscard]] std::string sample_name(const MetricHead& head);

/// Takes the samples of one family.
class MetricSamples {
public:
    /// All outlive it.
    MetricSamples(std::string& text, const MetricHead& head) : text_(text), head_(head) {}

    /// `labels`: values in the order of MetricHead::labels, in UTF-8. Requires: as many as that has. A counter's value
    /// is not negative.
    void add(std::uint64_t value, std::initializer_list<std::string_view> labels = {});
    void add(double value, std::initializer_list<std::string_view> labels = {});
    void add(const TimeHistogram& times);

private:
    void add_line(std::string_view suffix, std::initializer_list<std::string_view> labels, std::string_view value);

    std::string& text_;
    const MetricHead& head_;
};

class Exposition {
public:
    explicit Exposition(ExpositionFormat format) : format_(format) {}

    /// Requires: no family was added before, here or in another table.
    template <typename Record>
    void add(std::span<const MetricRow<Record>> rows, const Record& record) {
        for (const MetricRow<Record>& row : rows) {
            begin(row.head);
            MetricSamples samples(text_, row.head);
            row.give(record, samples);
        }
    }

    /// The whole text. Call last.
    [[nodiscard]] std::string take();

private:
    void begin(const MetricHead& head);

    ExpositionFormat format_;
    std::string text_;
};

}  // namespace groma
