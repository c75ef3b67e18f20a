#include "common/shipping/spool/spool_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace groma {

namespace {

/// All folders are looked into.
constexpr Nanos kBetweenMeasures = std::chrono::seconds(2);

}  // namespace

SpoolBudget::SpoolBudget(std::uint64_t limit)
    : limit_{.key = {},
             .bytes = limit,
             .why = fmt::format("the spool has reached its limit of {} bytes (--spool-limit)", limit)},
      bytes_(std::make_shared<Count>()) {}

SpoolBudget::SpoolBudget(SpoolLimit limit, std::shared_ptr<SpoolBudget> whole)
    : limit_(std::move(limit)), whole_(std::move(whole)), bytes_(whole_->count_of(limit_.key)) {}

std::shared_ptr<SpoolBudget::Count> SpoolBudget::count_of(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<Count>& count = keys_[key];
    if (count == nullptr) {
        count = std::make_shared<Count>();
    }
    return count;
}

bool SpoolBudget::take(std::uint64_t bytes) noexcept {
    bytes_->used += bytes;
    if (not bytes_->exceeds(limit_.bytes, 0) and (whole_ == nullptr or whole_->take(bytes))) {
        return true;
    }
    bytes_->used -= bytes;
    return false;
}

const std::string& SpoolBudget::shortage(std::uint64_t bytes) const noexcept {
    const bool is_of_whole = whole_ != nullptr and not bytes_->exceeds(limit_.bytes, bytes);
    return is_of_whole ? whole_->shortage(bytes) : limit_.why;
}

void SpoolBudget::give_back(std::uint64_t bytes) noexcept {
    bytes_->used -= bytes;
    if (whole_ != nullptr) {
        whole_->give_back(bytes);
    }
}

void SpoolBudget::leave(std::uint64_t bytes) noexcept {
    const std::scoped_lock lock(whole_ == nullptr ? mutex_ : whole_->mutex_);
    bytes_->leave(bytes);
    if (whole_ != nullptr) {
        whole_->bytes_->leave(bytes);
    }
}

void SpoolBudget::Count::leave(std::uint64_t bytes) noexcept {
    left += bytes;
    used -= bytes;
}

bool SpoolBudget::is_to_be_measured(MonoTime now) const {
    const std::scoped_lock lock(mutex_);
    return not measured_at_ or (bytes_->left > 0 and now - *measured_at_ >= kBetweenMeasures);
}

void SpoolBudget::Count::measured(std::uint64_t on_disk) noexcept {
    const std::uint64_t in_use = used;
    left = on_disk > in_use ? on_disk - in_use : 0;
}

void SpoolBudget::measured(const SpooledBytes& on_disk, MonoTime now) {
    const std::scoped_lock lock(mutex_);
    std::uint64_t all = 0;
    for (const auto& [key, bytes] : on_disk) {
        all += bytes;
    }
    bytes_->measured(all);
    for (const auto& [key, count] : keys_) {
        const auto found = on_disk.find(key);
        count->measured(found == on_disk.end() ? 0 : found->second);
    }
    measured_at_ = now;
}

std::uint64_t SpoolBudget::limit() const noexcept {
    return whole_ == nullptr ? limit_.bytes : std::min(limit_.bytes, whole_->limit());
}

}  // namespace groma
