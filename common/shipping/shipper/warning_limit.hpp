// Limits warnings about a log server: the first ten, then at most one a minute with the number of omitted ones. A
// misbehaving server cannot fill a disk with them. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "common/time/instant.hpp"

namespace groma {

class WarningLimit {
public:
    /// Returns: the sentence if it is to be shown now; otherwise empty, and the sentence is kept until the next one is
    /// taken.
    [[nodiscard]] std::string take(std::string sentence, MonoTime now) {
        if (told_ >= kAtOnce and now - last_ < kBetween) {
            left_out_ += kept_.empty() ? 0 : 1;
            kept_ = std::move(sentence);
            return {};
        }
        left_out_ += kept_.empty() ? 0 : 1;
        kept_.clear();
        return tell(std::move(sentence), now);
    }
    /// Returns: the kept sentence once a minute has passed; otherwise empty.
    [[nodiscard]] std::string due(MonoTime now) { return now - last_ < kBetween ? std::string() : rest(now); }
    /// Returns: the kept sentence, at the end of all warnings.
    [[nodiscard]] std::string rest(MonoTime now) {
        return kept_.empty() ? std::string() : tell(std::exchange(kept_, {}), now);
    }

private:
    static constexpr std::uint64_t kAtOnce = 10;
    static constexpr Nanos kBetween = std::chrono::minutes(1);

    [[nodiscard]] std::string tell(std::string sentence, MonoTime now) {
        ++told_;
        last_ = now;
        if (const std::uint64_t left_out = std::exchange(left_out_, 0); left_out > 0) {
            sentence += " (earlier warnings left out: " + std::to_string(left_out) + ")";
        }
        return sentence;
    }

    std::uint64_t told_ = 0;
    std::uint64_t left_out_ = 0;
    MonoTime last_{};
    std::string kept_;  ///< the last omitted one; empty: none
};

}  // namespace groma
