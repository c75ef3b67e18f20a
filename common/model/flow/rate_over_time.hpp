// A flow's rate that changes with time (docs/reference/models.md#rates-over-time), as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/text/named_files.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// The rate goes from one value to the other in a straight line.
struct RatePiece {
    Nanos lasts{0};
    double from = 0;
    double to = 0;
    bool operator==(const RatePiece&) const = default;
};

enum class RateUnit : std::uint8_t { packets, payload_bits };

/// The pieces follow each other from the flow's start. The rate at the end of the last one stays.
struct RateOverTime {
    /// In a text; more only from a file.
    static constexpr std::size_t kMostWritten = 256;

    RateUnit unit = RateUnit::packets;
    std::vector<RatePiece> pieces;  ///< rates in packets or payload bits per second
    std::string file{};             ///< the path that they were read from, or empty
    bool operator==(const RateOverTime&) const = default;

    /// Whether the text is one of a rate over time: "ramp:...", "steps:...", "file:...".
    [[nodiscard]] static bool is_meant(std::string_view text);
    /// "ramp:FROM:TO:TIME", "steps:RATE:TIME,RATE:TIME,...", "file:PATH" with a line "SECONDS RATE" for each step.
    /// Throws: UsageError; SystemError if the file cannot be read.
    [[nodiscard]] static RateOverTime parse(std::string_view text, const NamedFiles& files = {});

    /// What is wrong with values from elsewhere; empty: nothing.
    [[nodiscard]] std::string error() const;
    /// The highest rate, in which the inter-departure times of the flow are given.
    [[nodiscard]] Rate peak() const;
    /// The mean rate until then, as a share of the peak. Requires: duration > 0, and error() is empty.
    [[nodiscard]] double mean_share(Nanos duration) const;
    [[nodiscard]] std::size_t value_bytes() const { return pieces.size() * sizeof(RatePiece); }
};

/// Text that parse() reads back to the same value, with the same file.
[[nodiscard]] std::string to_string(const RateOverTime& rates);

}  // namespace groma
