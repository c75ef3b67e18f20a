// The database of a calibration: every point as it was measured, so that one that was stopped goes on where it was.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/facts.hpp"
#include "sender/calibration/point_result.hpp"

namespace groma {

/// What the search for the highest rate found.
struct Limit {
    Search search;
    std::optional<double> kept_pps;      ///< the highest rate kept; nothing: none was
    std::optional<double> not_kept_pps;  ///< the lowest above that was not; nothing: all tried were
    bool operator==(const Limit&) const = default;
};

/// A point is in the database as a whole or not at all, whatever ends the program. Thread: its owner's.
class CalibrationStore {
public:
    /// Opens or makes it. Throws: RunError, with words for a file that is something else, of another version, or
    /// cannot be written.
    explicit CalibrationStore(std::filesystem::path file);

    /// What is known of "settings", "sender", "receiver", ...; empty: nothing.
    [[nodiscard]] Facts facts(const std::string& subject) const;
    /// Replaces what was known of them. Throws (these and the following): RunError.
    void keep_facts(const std::string& subject, const Facts& facts);

    /// Nothing: that point is not in it.
    [[nodiscard]] std::optional<PointFigures> figures(const Point& point) const;
    /// Requires: a point that is not in it.
    void add(const PointResult& result);

    /// All points in the order in which they were measured, without their gaps.
    [[nodiscard]] std::vector<PointResult> results() const;

    void keep_limits(const std::vector<Limit>& limits);

private:
    template <typename Work>
    auto in_words(const char* what, Work work) const;

    std::filesystem::path file_;
    mutable std::optional<SQLite::Database> database_;
};

}  // namespace groma
