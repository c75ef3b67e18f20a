// Decides whether a log server has space for more data: a quota for all logs, and a reserve on the file system for
// others. Pure: the caller measures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace groma {

/// The room that logs on hold wait for, where they may have `most` bytes: not each piece may hold them again.
[[nodiscard]] std::uint64_t room_to_spare(std::uint64_t most);

struct RoomLimits {
    std::uint64_t max_disk = std::numeric_limits<std::uint64_t>::max();  ///< bytes of all logs
    std::uint64_t reserve = 0;                                           ///< bytes to leave free on the file system
};

class Room {
public:
    explicit Room(RoomLimits limits) : limits_(limits) {}

    /// Updates the measurement. Requires: `kept_bytes` includes all bytes taken so far.
    void measured(std::uint64_t kept_bytes, std::uint64_t free_bytes);

    /// Returns: whether `bytes` may be written. After a refusal it refuses until a measurement finds spare space, so
    /// that a nearly full disk does not alternate with each piece.
    [[nodiscard]] bool take(std::uint64_t bytes);

    /// The file system reported that it is full.
    void exhausted(const std::string& reason) { shortage_ = reason; }

    [[nodiscard]] std::uint64_t kept() const { return kept_; }
    /// For more logs.
    [[nodiscard]] std::uint64_t left() const { return std::min(left_of_quota(), left_of_disk()); }

    /// Why there is no space; empty: there is.
    [[nodiscard]] const std::string& shortage() const { return shortage_; }

private:
    [[nodiscard]] std::uint64_t left_of_quota() const;
    [[nodiscard]] std::uint64_t left_of_disk() const;
    [[nodiscard]] std::string shortage_for(std::uint64_t bytes) const;

    RoomLimits limits_;
    std::uint64_t kept_ = 0;
    std::uint64_t free_ = 0;
    std::string shortage_;
};

}  // namespace groma
