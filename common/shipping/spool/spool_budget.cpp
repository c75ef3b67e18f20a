#include "common/shipping/spool/spool_budget.hpp"

namespace groma {

bool SpoolBudget::take(std::uint64_t bytes) noexcept {
    if (used_.fetch_add(bytes) + bytes + left_ <= limit_) {
        return true;
    }
    used_ -= bytes;
    return false;
}

void SpoolBudget::leave(std::uint64_t bytes) noexcept {
    left_ += bytes;
    used_ -= bytes;
}

void SpoolBudget::measured(std::uint64_t on_disk) noexcept {
    const std::uint64_t used = used_;
    left_ = on_disk > used ? on_disk - used : 0;
}

}  // namespace groma
