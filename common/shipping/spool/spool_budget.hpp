// Room on the disk that spools share. Pure.
#pragma once

#include <atomic>
#include <cstdint>

namespace groma {

/// Bytes that spools may take together: those of one shipper, or all that are in one folder. Thread: any.
class SpoolBudget {
public:
    explicit SpoolBudget(std::uint64_t limit) : limit_(limit) {}

    [[nodiscard]] bool take(std::uint64_t bytes) noexcept;
    void give_back(std::uint64_t bytes) noexcept { used_ -= bytes; }
    /// This number of bytes stays on the disk, in a spool that this program leaves.
    void leave(std::uint64_t bytes) noexcept;
    /// The spools of the folder have this number of bytes on the disk; bytes that are not of spools in use were left.
    void measured(std::uint64_t on_disk) noexcept;
    /// By spools in use.
    [[nodiscard]] std::uint64_t used() const noexcept { return used_; }
    [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

private:
    std::uint64_t limit_;
    std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> left_{0};  ///< in spools that were left, as far as is known
};

}  // namespace groma
