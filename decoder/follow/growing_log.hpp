// A log's file while it is being written: which one it is, and whether more may come when its end is reached.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/time/clock.hpp"

namespace groma {

/// The file in which a log is now: while it is being written, its name with ".part" appended.
[[nodiscard]] std::string current_file(const std::string& log);

/// What to do at the end of a file.
enum class AtEnd : std::uint8_t {
    stop,        ///< no more will come
    give_up,     ///< it did not grow for as long as the patience is
    read_again,  ///< at once: all is there now, and was perhaps not before
    wait,        ///< and read again
};

/// Asked each time that the end of a file is reached. One thread at a time.
class GrowingLog {
public:
    /// `patience`: as of Following. The clock outlives the log.
    GrowingLog(std::string file, std::optional<Nanos> patience, Clock& clock);

    /// `bytes`: of the file so far; `complete`: the log has its end.
    [[nodiscard]] AtEnd at_end(std::uint64_t bytes, bool complete);

private:
    [[nodiscard]] bool being_written() const;

    std::string file_;
    std::optional<Nanos> patience_;
    Clock& clock_;
    std::uint64_t size_ = 0;
    MonoTime grew_at_;
    bool closed_ = false;
};

}  // namespace groma
