// The database of a calibration. It holds every measured point, so that a stopped calibration can resume.
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

/// The result of the search for the highest rate.
struct Limit {
    Search search;
    std::optional<double> kept_pps;      ///< the highest rate kept; empty: none
    std::optional<double> not_kept_pps;  ///< the lowest higher rate missed; empty: none
    bool operator==(const Limit&) const = default;
};

/// Points are written atomically, even if the program is killed. Thread: its owner's.
class CalibrationStore {
public:
    /// Opens or creates the file. Throws: RunError if it is another kind of file, has another version, or is not
    /// writable.
    explicit CalibrationStore(std::filesystem::path file);

    /// The stored facts about "settings", "sender", "receiver", ...; empty: none.
    [[nodiscard]] Facts facts(const std::string& subject) const;
    /// Replaces the facts about `subject`. Throws (this and all below): RunError.
    void keep_facts(const std::string& subject, const Facts& facts);

    /// Empty: the point is not stored.
    [[nodiscard]] std::optional<PointFigures> figures(const Point& point) const;
    /// Requires: the point is not stored yet.
    void add(const PointResult& result);

    /// All points in order of measurement, without their gaps.
    [[nodiscard]] std::vector<PointResult> results() const;

    void keep_limits(const std::vector<Limit>& limits);

private:
    template <typename Work>
    auto in_words(const char* what, Work work) const;

    std::filesystem::path file_;
    mutable std::optional<SQLite::Database> database_;
};

}  // namespace groma
