// A family of metrics, described once: its name, type, unit and meaning, and how its samples come from a record.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace groma {

class MetricSamples;

enum class MetricType : std::uint8_t {
    counter,    ///< only grows while the program runs
    gauge,      ///< as it is now
    histogram,  ///< a TimeHistogram
    info,       ///< says something by its labels; its value is 1
};

/// What describes a family without a record.
struct MetricHead {
    /// "groma_...", with the unit at its end if it has one, and without the "_total" or "_info" of its samples.
    std::string_view name;
    MetricType type = MetricType::gauge;
    std::string_view unit;                     ///< "seconds", "bytes"; empty: none
    std::string_view help;                     ///< a sentence, for people
    std::array<std::string_view, 2> labels{};  ///< names of those that every sample has; empty: no label
};

template <typename Record>
struct MetricRow {
    MetricHead head;
    void (*give)(const Record&, MetricSamples&);  ///< never null
};

}  // namespace groma
