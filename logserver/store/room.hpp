// Decides whether a log server has room for more: a quota for all logs, and a reserve of the file system that is left
// to others. Pure: it is told what was measured.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace groma {

struct RoomLimits {
    std::uint64_t max_disk = std::numeric_limits<std::uint64_t>::max();  ///< bytes of all logs together
    std::uint64_t reserve = 0;                                           ///< bytes to leave free on the file system
};

class Room {
public:
    explicit Room(RoomLimits limits) : limits_(limits) {}

    /// Requires: `kept_bytes` with what has been taken since.
    void measured(std::uint64_t kept_bytes, std::uint64_t free_bytes);

    /// Returns: true when so many bytes may be written. From a refusal on there is none until a measurement finds room
    /// to spare, so that a full disk does not stop and go with each piece.
    [[nodiscard]] bool take(std::uint64_t bytes);

    /// The file system said that it is full, whatever was measured.
    void exhausted(const std::string& reason) { shortage_ = reason; }

    /// Why there is no room; empty while there is.
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
