// Room on the disk that spools share. Pure.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "common/time/instant.hpp"

namespace groma {

/// By the name of the key that their logs were asked for under; "": none.
using SpooledBytes = std::map<std::string, std::uint64_t, std::less<>>;

struct SpoolLimit {
    std::string key;  ///< of whose spools
    std::uint64_t bytes = 0;
    std::string why;  ///< where there is no room for more: a sentence with advice
};

/// Bytes that spools may take together: those of one shipper, or all that are in one folder; or of these, those under
/// one key. Thread: any.
class SpoolBudget {
public:
    /// --spool-limit.
    explicit SpoolBudget(std::uint64_t limit);
    /// A part of `whole`, from which its bytes are taken as well. Parts for one key count the bytes of all of them,
    /// each with its own limit. What was left under the key is known after the next measured(). Requires: `whole` is no
    /// part.
    SpoolBudget(SpoolLimit limit, std::shared_ptr<SpoolBudget> whole);

    [[nodiscard]] bool take(std::uint64_t bytes) noexcept;
    /// Why so many bytes cannot be taken.
    [[nodiscard]] const std::string& shortage(std::uint64_t bytes) const noexcept;
    void give_back(std::uint64_t bytes) noexcept;
    /// This number of bytes stays on the disk, in a spool that this program leaves.
    void leave(std::uint64_t bytes) noexcept;
    /// The spools of the folder have these bytes on the disk; bytes that are not of spools in use were left. Requires:
    /// it is no part.
    void measured(const SpooledBytes& on_disk, MonoTime now);
    /// Whether it was not measured yet, or not just now, and others may have delivered since what was left.
    [[nodiscard]] bool is_to_be_measured(MonoTime now) const;
    /// By spools in use.
    [[nodiscard]] std::uint64_t used() const noexcept { return bytes_->used; }
    [[nodiscard]] std::uint64_t limit() const noexcept;

private:
    struct Count {
        std::atomic<std::uint64_t> used{0};
        std::atomic<std::uint64_t> left{0};  ///< in spools that were left, as far as is known

        void measured(std::uint64_t on_disk) noexcept;
        [[nodiscard]] bool exceeds(std::uint64_t limit, std::uint64_t bytes) const noexcept {
            return used + left + bytes > limit;
        }
        void leave(std::uint64_t bytes) noexcept;
    };

    [[nodiscard]] std::shared_ptr<Count> count_of(const std::string& key);

    SpoolLimit limit_;
    std::shared_ptr<SpoolBudget> whole_;                  ///< null: none
    mutable std::mutex mutex_;                            ///< guards the next two, and leave() against measured()
    std::optional<MonoTime> measured_at_;                 ///< nothing: never
    std::map<std::string, std::shared_ptr<Count>> keys_;  ///< of parts
    std::shared_ptr<Count> bytes_;
};

}  // namespace groma
