#include "common/stats/fit/dyadic_cascade.hpp"

#include <algorithm>

namespace groma {

namespace {

// (1 + s, 3 + s, 3 - s, 1 - s) / (4 sqrt 2) with s = sqrt 3 [Daubechies 1988, table 1].
constexpr double kTap0 = 0.48296291314453414;
constexpr double kTap1 = 0.83651630373780790;
constexpr double kTap2 = 0.22414386804201338;
constexpr double kTap3 = -0.12940952255126038;

/// Number of outputs of a stage after `taken` inputs: one for every two, from the fourth on.
std::uint64_t put_out(std::uint64_t taken) {
    return taken < 4 ? 0 : taken / 2 - 1;
}

}  // namespace

double BlockSums::variance() const {
    if (count_ < 2) {
        return 0;
    }
    const double n = static_cast<double>(count_);
    return std::max(squares_ - sum_ * sum_ / n, 0.0) / (n - 1);
}

std::optional<double> DaubechiesDetails::push(double value) {
    last_ = {last_[1], last_[2], last_[3], value};
    ++taken_;
    if (taken_ < 4 or taken_ % 2 == 1) {
        return std::nullopt;
    }
    const double detail = kTap3 * last_[0] - kTap2 * last_[1] + kTap1 * last_[2] - kTap0 * last_[3];
    const double square = detail * detail;
    ++details_;
    squares_ += square;
    fourths_ += square * square;
    return kTap0 * last_[0] + kTap1 * last_[1] + kTap2 * last_[2] + kTap3 * last_[3];
}

bool DaubechiesDetails::quiet() const {
    return std::ranges::all_of(last_, [](double value) { return value == 0; });
}

std::uint64_t DaubechiesDetails::skip_zeros(std::uint64_t count) {
    const std::uint64_t outputs = put_out(taken_ + count) - put_out(taken_);
    taken_ += count;
    details_ += outputs;
    return outputs;
}

double DaubechiesDetails::energy() const {
    return details_ == 0 ? 0 : squares_ / static_cast<double>(details_);
}

double DaubechiesDetails::fourth_moment() const {
    return details_ == 0 ? 0 : fourths_ / static_cast<double>(details_);
}

}  // namespace groma
