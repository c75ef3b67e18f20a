#include "common/stats/fidelity/gap_model.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <variant>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/stats/histograms/log_bins.hpp"

namespace groma {

namespace {

/// The longest gap (docs/reference/models.md), in nanoseconds.
constexpr std::int64_t kLongestGap = std::int64_t{1} << 62;
/// Largest share of draws that are raised to 0, or drawn again because they are too long.
constexpr double kMostChanged = 0.5;
/// Above this share of gaps of 0, these have a cell with the shortest of the others.
constexpr double kFewZeros = 0.001;
/// Finer than the clock: gaps are whole nanoseconds.
constexpr double kHalfNanosecond = 0.5;
/// Share of gaps in one nanosecond below which rounding does not matter.
constexpr double kFineShare = 1e-6;
constexpr double kMiddle = 0.5;

/// A probability from both sides, so that it is as exact near 1 as near 0.
struct Split {
    double below = 0;
    double above = 1;
};

/// The law of gaps as they are sent: of draws that are raised to 0, and drawn again beyond kLongestGap.
class SentLaw {
public:
    explicit SentLaw(const Distribution& idt)
        : idt_(idt), beyond_(survival(idt, static_cast<double>(kLongestGap))), kept_(1 - beyond_) {}

    /// P(gap <= x). Requires: x > -1.
    [[nodiscard]] double below(double x) const { return cdf(idt_, std::max(x, 0.0)) / kept_; }
    [[nodiscard]] double above(double x) const { return (survival(idt_, std::max(x, 0.0)) - beyond_) / kept_; }

private:
    const Distribution& idt_;
    double beyond_;
    double kept_;
};

/// The target edges: ascending, symmetrical.
std::vector<Split> aimed_at() {
    constexpr double kPlain = 1.0 / static_cast<double>(GapModel::kPlainCells);
    std::vector<Split> splits;
    splits.reserve(GapModel::kCells - 1);
    for (std::size_t halvings = GapModel::kTailCells; halvings > 0; --halvings) {
        const double below = std::ldexp(kPlain, -static_cast<int>(halvings));
        splits.push_back({below, 1 - below});
    }
    for (std::size_t cell = 1; cell < GapModel::kPlainCells; ++cell) {
        const double below = static_cast<double>(cell) * kPlain;
        splits.push_back({below, 1 - below});
    }
    for (std::size_t halvings = 1; halvings <= GapModel::kTailCells; ++halvings) {
        const double above = std::ldexp(kPlain, -static_cast<int>(halvings));
        splits.push_back({1 - above, above});
    }
    return splits;
}

/// Searches for edges in ascending order.
class EdgeSearch {
public:
    explicit EdgeSearch(const SentLaw& law) : law_(law) {
        const double zeros = law.below(0);
        least_ = zeros > kFewZeros ? zeros + 1.0 / GapModel::kPlainCells : 0;
    }

    /// Returns: a whole number of nanoseconds, not below the last one, that splits the probability approximately so. A
    /// small share of the cell's probability is exact enough: the actual probability is computed from the edge.
    std::int64_t next(Split aim) {
        if (aim.below < least_) {
            // Packets that are due at once may leave a moment apart.
            aim = {least_, 1 - least_};
        }
        if (beyond(edge_, aim) >= 0) {
            return edge_;
        }
        const double cell = std::min({aim.below, aim.above, 1.0 / GapModel::kPlainCells});
        std::int64_t low = edge_;
        std::int64_t step = std::max<std::int64_t>(width_ / 2, 1);
        std::int64_t high = std::min(low + step, kLongestGap);
        double too_far = beyond(high, aim);
        while (high < kLongestGap and too_far < 0) {
            low = high;
            step *= 2;
            high = std::min(low + step, kLongestGap);
            too_far = beyond(high, aim);
        }
        while (high - low > 1 and too_far > kPrecision * cell) {
            const std::int64_t middle = low + (high - low) / 2;
            const double there = beyond(middle, aim);
            (there >= 0 ? high : low) = middle;
            too_far = there >= 0 ? there : too_far;
        }
        // A nanosecond more probable than a cell becomes a cell by itself, with the next edge.
        high -= too_far > cell and high - 1 > edge_ ? 1 : 0;
        width_ = high - edge_;
        edge_ = high;
        return edge_;
    }

private:
    static constexpr double kPrecision = 1.0 / 64;

    /// How much more probability is below the edge than the target.
    [[nodiscard]] double beyond(std::int64_t edge, const Split& aim) const {
        const double x = static_cast<double>(edge) - kHalfNanosecond;
        return aim.below <= aim.above ? law_.below(x) - aim.below : aim.above - law_.above(x);
    }

    const SentLaw& law_;
    double least_ = 0;  ///< the probability below the first edge is not less
    std::int64_t edge_ = 1;
    std::int64_t width_ = 1;
};

/// How an edge splits gaps. Both departures of a gap are rounded, the first of which may lie anywhere within its
/// nanosecond: P(gap < edge) is the mean of P(X <= x) for x from edge - 1 to edge.
Split split_at(const SentLaw& law, std::int64_t edge) {
    const double to = static_cast<double>(edge);
    const double from = to - 1;
    if (law.below(to) - law.below(from) < kFineShare) {
        const double middle = to - kHalfNanosecond;
        return {law.below(middle), law.above(middle)};
    }
    using Mean = boost::math::quadrature::gauss<double, 7>;
    return {Mean::integrate([&](double x) { return law.below(x); }, from, to),
            Mean::integrate([&](double x) { return law.above(x); }, from, to)};
}

std::size_t components_of(const Distribution& idt) {
    const auto* const mixture = std::get_if<Mixture>(&idt);
    return mixture == nullptr ? 1 : mixture->components.size();
}

}  // namespace

bool GapModel::is_continuous(const Distribution& idt) {
    return std::visit([](const auto& d) { return d.continuous(); }, idt);
}

bool GapModel::fits(const Distribution& idt) {
    return is_continuous(idt) and cdf(idt, 0) <= kMostChanged and
           survival(idt, static_cast<double>(kLongestGap)) <= kMostChanged;
}

GapModel::GapModel(const Distribution& idt) {
    edges_.reserve(kCells - 1);
    probabilities_.reserve(kCells);
    const SentLaw law(idt);
    EdgeSearch search(law);
    Split before;
    for (const Split& aim : aimed_at()) {
        const std::int64_t edge = search.next(aim);
        const Split split = not edges_.empty() and edges_.back() == edge ? before : split_at(law, edge);
        edges_.push_back(edge);
        probabilities_.push_back(
            std::max(split.below < kMiddle ? split.below - before.below : before.above - split.above, 0.0));
        before = split;
    }
    probabilities_.push_back(before.above);
    for (std::size_t cell = 0; cell < kCells; ++cell) {
        too_narrow_ = too_narrow_ or (is_one_ns(cell) and probabilities_[cell] > kLargestShare);
    }

    const std::size_t bins = log_bin(static_cast<std::uint64_t>(edges_.back())) + 1;
    places_.reserve(bins + 1);
    for (std::size_t bin = 0; bin <= bins; ++bin) {
        const auto reached = std::ranges::upper_bound(edges_, lowest_of_bin(bin)) - edges_.begin();
        places_.push_back(static_cast<std::uint16_t>(reached));
    }
}

std::size_t GapModel::cell(std::int64_t gap_ns) const noexcept {
    const std::size_t bin = log_bin(static_cast<std::uint64_t>(std::max<std::int64_t>(gap_ns, 0)));
    if (bin + 1 >= places_.size()) {
        return kCells - 1;
    }
    const auto first = edges_.begin() + places_[bin];
    const auto last = edges_.begin() + places_[bin + 1];
    return static_cast<std::size_t>(std::upper_bound(first, last, gap_ns) - edges_.begin());
}

AskedGaps GapModels::of(const FlowSpec& flow) {
    if (is_greedy(flow.idt)) {
        return {.model = {}, .none = true};
    }
    if (flow.rate_over_time or not GapModel::fits(flow.idt) or (flow.on_off and not OffTimes::are_known(flow))) {
        return {};
    }
    AskedGaps asked{model_of(flow.idt)};
    if (flow.on_off and asked.model != nullptr) {
        asked.off_times = std::make_unique<OffTimes>(flow);
    }
    return asked;
}

std::shared_ptr<const GapModel> GapModels::model_of(const Distribution& idt) {
    const std::string written = idt_to_string(idt);
    if (const auto found = models_.find(written); found != models_.end()) {
        return found->second;
    }
    const std::size_t components = components_of(idt);
    if (models_.size() == kMost or components > kMostComponents - components_) {
        return nullptr;
    }
    components_ += components;
    return models_.emplace(written, std::make_shared<const GapModel>(idt)).first->second;
}

}  // namespace groma
