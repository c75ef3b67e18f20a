#include "common/shipping/spool/spool_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace groma {

SpoolBudget::SpoolBudget(std::uint64_t limit)
    : limit_{.bytes = limit, .why = fmt::format("the spool has reached its limit of {} bytes (--spool-limit)", limit)} {
}

SpoolBudget::SpoolBudget(SpoolLimit limit, std::shared_ptr<SpoolBudget> whole)
    : limit_(std::move(limit)), whole_(std::move(whole)) {}

bool SpoolBudget::take(std::uint64_t bytes) noexcept {
    if (used_.fetch_add(bytes) + bytes + left_ <= limit_.bytes and (whole_ == nullptr or whole_->take(bytes))) {
        return true;
    }
    used_ -= bytes;
    return false;
}

const std::string& SpoolBudget::shortage(std::uint64_t bytes) const noexcept {
    const bool is_of_whole = whole_ != nullptr and used_ + left_ + bytes <= limit_.bytes;
    return is_of_whole ? whole_->shortage(bytes) : limit_.why;
}

void SpoolBudget::give_back(std::uint64_t bytes) noexcept {
    used_ -= bytes;
    if (whole_ != nullptr) {
        whole_->give_back(bytes);
    }
}

void SpoolBudget::leave(std::uint64_t bytes) noexcept {
    left_ += bytes;
    used_ -= bytes;
    if (whole_ != nullptr) {
        whole_->leave(bytes);
    }
}

void SpoolBudget::measured(std::uint64_t on_disk) noexcept {
    const std::uint64_t used = used_;
    left_ = on_disk > used ? on_disk - used : 0;
}

std::uint64_t SpoolBudget::limit() const noexcept {
    return whole_ == nullptr ? limit_.bytes : std::min(limit_.bytes, whole_->limit());
}

}  // namespace groma
