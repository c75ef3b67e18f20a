// Progress of reading: one line on a terminal, rewritten a few times a second; none in a pipe or for small logs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/time/clock.hpp"
#include "decoder/analysis/log_tally.hpp"
#include "decoder/logs/log_source.hpp"

namespace groma {

/// The text of the line. `done` and `all` in bytes, `elapsed` since the reading began; the time left follows from the
/// rate so far.
[[nodiscard]] std::string progress_line(const std::string& log, std::uint64_t done, std::uint64_t all, Nanos elapsed);

class DecodingProgress {
public:
    /// `all_bytes`: of all logs. Silent when `quiet`, when standard error is not a terminal, or for less than a
    /// second's work. The clock outlives the progress.
    DecodingProgress(std::uint64_t all_bytes, bool quiet, Clock& clock);

    /// For AnalysisOptions; empty when silent. The progress outlives it.
    [[nodiscard]] ReadProgress callback();

    /// Removes the line.
    void end();

private:
    void show(const LogSource& log, std::uint64_t bytes);

    Clock& clock_;
    std::uint64_t all_bytes_;
    bool silent_;
    MonoTime started_;
    MonoTime shown_;
    std::uint64_t finished_bytes_ = 0;  ///< of logs before this one
    const LogSource* log_ = nullptr;
    bool visible_ = false;
};

}  // namespace groma
