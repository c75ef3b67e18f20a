// Statistics of repetitions (groma-dec batch --sqlite), as values. Unknown values are absent; all others are finite.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace groma {

/// A figure over the runs of a group.
struct BatchFigure {
    double mean = 0;
    std::optional<double> low;  ///< ends of the confidence interval of the mean
    std::optional<double> high;
    std::vector<double> values;  ///< one of each run
};

/// The value of a key.
struct BatchValue {
    std::string text;
    std::optional<double> number;
    auto operator<=>(const BatchValue&) const = default;
};

/// Runs that differ in nothing but the repetition.
struct BatchGroup {
    std::map<std::string, BatchValue> keys;
    std::map<std::string, BatchFigure> figures;
};

struct BatchResults {
    std::string title;
    double confidence = 0.95;
    std::vector<std::string> keys;  ///< in the order in which they are written
    std::vector<BatchGroup> groups;

    /// Keys of which there is more than one value.
    [[nodiscard]] std::vector<std::string> varied_keys() const;
};

/// Whether the file is of this kind; false if it cannot be read.
[[nodiscard]] bool is_batch(const std::filesystem::path& file) noexcept;

/// Throws: RunError when the file cannot be read or is of another version.
[[nodiscard]] BatchResults read_batch_results(const std::filesystem::path& file);

}  // namespace groma
