// Room on the disk that spools share. Pure.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace groma {

struct SpoolLimit {
    std::uint64_t bytes = 0;
    std::string why;  ///< where there is no room for more: a sentence with advice
};

/// Bytes that spools may take together: those of one shipper, or all that are in one folder; or that one of them may
/// take. Thread: any.
class SpoolBudget {
public:
    /// --spool-limit.
    explicit SpoolBudget(std::uint64_t limit);
    /// A part of `whole`, from which its bytes are taken as well.
    SpoolBudget(SpoolLimit limit, std::shared_ptr<SpoolBudget> whole);

    [[nodiscard]] bool take(std::uint64_t bytes) noexcept;
    /// Why so many bytes cannot be taken.
    [[nodiscard]] const std::string& shortage(std::uint64_t bytes) const noexcept;
    void give_back(std::uint64_t bytes) noexcept;
    /// This number of bytes stays on the disk, in a spool that this program leaves.
    void leave(std::uint64_t bytes) noexcept;
    /// The spools of the folder have this number of bytes on the disk; bytes that are not of spools in use were left.
    void measured(std::uint64_t on_disk) noexcept;
    /// By spools in use.
    [[nodiscard]] std::uint64_t used() const noexcept { return used_; }
    [[nodiscard]] std::uint64_t limit() const noexcept;

private:
    SpoolLimit limit_;
    std::shared_ptr<SpoolBudget> whole_;  ///< null: none
    std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> left_{0};  ///< in spools that were left, as far as is known
};

}  // namespace groma
