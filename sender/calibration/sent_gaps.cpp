#include "sender/calibration/sent_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

constexpr std::size_t kBins = 100;
constexpr double kShareShown = 0.99;
constexpr double kLeastShare = 0.0005;
/// The range of bins on either side of a constant gap, limited by the gap itself.
constexpr double kAroundConstantNs = 10'000;

/// The smallest x with P(X <= x) >= p, to a thousandth.
double quantile(const Distribution& distribution, double p) {
    double high = 1;
    while (cdf(distribution, high) < p) {
        high *= 2;
    }
    double low = 0;
    while (high - low > high / 1000) {
        const double middle = (low + high) / 2;
        (cdf(distribution, middle) >= p ? high : low) = middle;
    }
    return high;
}

struct Span {
    double low;
    double high;
};

Span span_of(const Distribution& asked) {
    if (const auto* constant = std::get_if<Constant>(&asked)) {
        const double around = std::min(kAroundConstantNs, constant->value);
        const double half_a_bin = around / static_cast<double>(kBins);  // puts the gap in the middle of a bin
        return {constant->value - around + half_a_bin, constant->value + around + half_a_bin};
    }
    const double low = quantile(asked, kLeastShare);
    const double high = quantile(asked, kShareShown);
    // Leaves room for deviations on both sides; starts at zero if that is near.
    const double room = (high - low) / 10;
    return {low < high / 10 ? 0 : std::max(0.0, low - room), high + room};
}

/// P(low <= X < high); negative draws count as 0.
double share_between(const Distribution& asked, double low, double high) {
    if (const auto* constant = std::get_if<Constant>(&asked)) {
        return constant->value >= low and constant->value < high ? 1 : 0;
    }
    return cdf(asked, high) - (low <= 0 ? 0 : cdf(asked, low));
}

}  // namespace

SentGaps::SentGaps(const Distribution& asked) {
    const Span span = span_of(asked);
    first_ns_ = span.low;
    width_ns_ = (span.high - span.low) / static_cast<double>(kBins);
    if (first_ns_ > 0) {
        bins_.push_back({0, first_ns_, 0, share_between(asked, 0, first_ns_)});
    }
    for (std::size_t i = 0; i < kBins; ++i) {
        const double low = first_ns_ + width_ns_ * static_cast<double>(i);
        bins_.push_back({low, low + width_ns_, 0, share_between(asked, low, low + width_ns_)});
    }
    const double end = *bins_.back().high_ns;
    bins_.push_back({end, std::nullopt, 0, 1 - share_between(asked, 0, end)});
}

void SentGaps::on_sent(FlowId /*flow*/, std::span<const SentRecord> records) {
    for (const SentRecord& record : records) {
        if (last_ and record.seq == last_->seq + 1) {
            add(static_cast<double>((record.sent_at - last_->sent_at).count()));
        }
        last_ = record;
    }
}

void SentGaps::add(double gap_ns) {
    const std::size_t before = first_ns_ > 0 ? 1 : 0;
    if (gap_ns < first_ns_) {
        ++bins_.front().count;
        return;
    }
    const double place = (gap_ns - first_ns_) / width_ns_;
    const std::size_t bin = place >= static_cast<double>(kBins) ? kBins : static_cast<std::size_t>(place);
    ++bins_[before + bin].count;
}

std::vector<GapBin> gaps_in_log(const std::filesystem::path& file, const Distribution& asked) {
    SentGaps gaps(asked);
    read_log(file, gaps);
    return gaps.bins();
}

}  // namespace groma
