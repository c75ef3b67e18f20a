#include "common/log/log_batch.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/log/block_decoder.hpp"

namespace groma {

void LogBatch::add(const LogBlock& block) {
    entries_.push_back({block.header, block.offset, bytes_.size()});
    bytes_.insert(bytes_.end(), block.payload.begin(), block.payload.end());
}

void LogBatch::close() {
    std::ranges::stable_sort(entries_, {}, [](const Entry& entry) { return entry.header.flow; });
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (i == 0 or entries_[i].header.flow != entries_[i - 1].header.flow) {
            shares_.push_back({.first = i});
        }
        ++shares_.back().count;
        shares_.back().bytes += entries_[i].header.stored_length;
    }
    std::ranges::stable_sort(shares_, std::ranges::greater{}, &Share::bytes);
}

void LogBatch::work(LogVisitor& visitor) noexcept {
    std::vector<LogGap> gaps;
    try {
        BlockDecoder decoder;
        for (std::size_t i = next_share_++; i < shares_.size(); i = next_share_++) {
            for (const Entry& entry : std::span(entries_).subspan(shares_[i].first, shares_[i].count)) {
                const auto payload =
                    std::span<const std::byte>(bytes_).subspan(entry.begin, entry.header.stored_length);
                if (auto gap = decoder.decode({entry.header, entry.offset, payload}, visitor)) {
                    gaps.push_back(std::move(*gap));
                }
            }
        }
        note(std::move(gaps), nullptr);
    } catch (...) {
        note({}, std::current_exception());
    }
}

void LogBatch::note(std::vector<LogGap> gaps, std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (error != nullptr) {
        error_ = error;
        next_share_ = shares_.size();
    }
    try {
        std::ranges::move(gaps, std::back_inserter(gaps_));
    } catch (...) {
        error_ = std::current_exception();
    }
}

std::vector<LogGap> LogBatch::finish() {
    bytes_.clear();
    entries_.clear();
    shares_.clear();
    next_share_ = 0;
    std::vector<LogGap> gaps = std::exchange(gaps_, {});
    if (const std::exception_ptr error = std::exchange(error_, nullptr)) {
        std::rethrow_exception(error);
    }
    std::ranges::sort(gaps, {}, &LogGap::offset);
    return gaps;
}

}  // namespace groma
