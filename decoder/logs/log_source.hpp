// A log to be decoded, wherever its bytes are: a file, standard input, or a test's memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/log/log_reader.hpp"

namespace groma {

struct LogSource {
    std::string name;         ///< as the user wrote it
    std::uint64_t bytes = 0;  ///< its size; 0: unknown
    /// Hands the log to a visitor, from its start; may be called again. Throws: as read_log().
    std::function<void(LogVisitor&)> read;
    /// The same with several threads and a visitor for read_log_in_parallel(); may be empty.
    std::function<void(LogVisitor&, unsigned threads)> read_in_parallel{};

    /// With several threads where possible.
    void read_by(unsigned threads, LogVisitor& visitor) const;
};

/// Whether a file begins as logs do; false when it is shorter than that or cannot be read.
[[nodiscard]] bool begins_as_log(const std::string& file);

/// `path`: a file; "-" is standard input, which is read to its end now. Throws: SystemError.
[[nodiscard]] LogSource open_log_source(const std::string& path);

}  // namespace groma
