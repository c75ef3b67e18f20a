// Room on a file system that is kept for what has to be written though the file system is full: a file that is given up
// then. What was given up is to be left free until it can be had again, or others would fill it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace groma {

class KeptRoom {
public:
    KeptRoom(std::filesystem::path file, std::uint64_t bytes);

    /// Has the room again if that much is free. Returns: how much of `free_bytes` others are not to use; nothing when
    /// it was there already.
    [[nodiscard]] std::uint64_t keep(std::uint64_t free_bytes) const noexcept;
    void give_up() const noexcept;

private:
    [[nodiscard]] bool is_there() const noexcept;
    void make() const noexcept;

    std::filesystem::path file_;
    std::uint64_t bytes_;
};

}  // namespace groma
