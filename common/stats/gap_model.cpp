#include "common/stats/gap_model.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "common/model/flow_text.hpp"
#include "common/model/reference.hpp"
#include "common/stats/log_bins.hpp"

namespace groma {

namespace {

/// No gap that is sent is longer (docs/models.md), in nanoseconds.
constexpr std::int64_t kLongestGap = std::int64_t{1} << 62;
/// Draws that are raised to 0, or drawn again because they are too long: at most this share.
constexpr double kMostChanged = 0.001;
/// Finer than the clock: gaps are whole nanoseconds.
constexpr double kHalfNanosecond = 0.5;

struct IsContinuous {
    bool operator()(const Mixture& d) const {
        return std::ranges::all_of(d.components, [](const auto& part) { return std::visit(IsContinuous{}, part); });
    }
    template <typename Family>
    bool operator()(const Family&) const {
        return not(std::is_same_v<Family, Constant> or std::is_same_v<Family, Poisson> or
                   std::is_same_v<Family, Discrete> or std::is_same_v<Family, FromFile>);
    }
};

/// The probability below each edge as it is aimed at: rising, symmetrical.
std::vector<double> aimed_at() {
    constexpr double kPlain = 1.0 / static_cast<double>(GapModel::kPlainCells);
    std::vector<double> below;
    below.reserve(GapModel::kCells - 1);
    for (std::size_t halvings = GapModel::kTailCells; halvings > 0; --halvings) {
        below.push_back(std::ldexp(kPlain, -static_cast<int>(halvings)));
    }
    for (std::size_t cell = 1; cell < GapModel::kPlainCells; ++cell) {
        below.push_back(static_cast<double>(cell) * kPlain);
    }
    for (std::size_t halvings = 1; halvings <= GapModel::kTailCells; ++halvings) {
        below.push_back(1 - std::ldexp(kPlain, -static_cast<int>(halvings)));
    }
    return below;
}

/// Looks for edges one behind the other, in rising order.
class EdgeSearch {
public:
    explicit EdgeSearch(const Distribution& idt) : idt_(idt) {}

    /// Returns: a whole number of nanoseconds, not below the last one, below which the probability is about `p`. To a
    /// small share of the cell that it ends is enough, for the cell's probability is computed from it.
    std::int64_t next(double p) {
        if (below(edge_) >= p) {
            return edge_;
        }
        std::int64_t low = edge_;
        std::int64_t step = std::max<std::int64_t>(width_ / 2, 1);
        std::int64_t high = std::min(low + step, kLongestGap);
        while (high < kLongestGap and below(high) < p) {
            low = high;
            step *= 2;
            high = std::min(low + step, kLongestGap);
        }
        while (high - low > std::max<std::int64_t>((high - edge_) / kPrecision, 1)) {
            const std::int64_t middle = low + (high - low) / 2;
            (below(middle) >= p ? high : low) = middle;
        }
        width_ = high - edge_;
        edge_ = high;
        return edge_;
    }

    /// P(gap < edge), gaps being rounded to nanoseconds.
    [[nodiscard]] double below(std::int64_t edge) const {
        return cdf(idt_, static_cast<double>(edge) - kHalfNanosecond);
    }

private:
    static constexpr std::int64_t kPrecision = 64;

    const Distribution& idt_;
    std::int64_t edge_ = 1;
    std::int64_t width_ = 1;
};

}  // namespace

bool GapModel::fits(const Distribution& idt) {
    return std::visit(IsContinuous{}, idt) and cdf(idt, 0) <= kMostChanged and
           cdf(idt, static_cast<double>(kLongestGap)) >= 1 - kMostChanged;
}

GapModel::GapModel(const Distribution& idt) {
    edges_.reserve(kCells - 1);
    probabilities_.reserve(kCells);
    EdgeSearch search(idt);
    double before = 0;
    for (const double p : aimed_at()) {
        edges_.push_back(search.next(p));
        const double below = search.below(edges_.back());
        probabilities_.push_back(std::max(below - before, 0.0));
        before = below;
    }
    probabilities_.push_back(std::max(1 - before, 0.0));

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

std::shared_ptr<const GapModel> GapModels::of(const FlowSpec& flow) {
    if (flow.on_off or not GapModel::fits(flow.idt)) {
        return nullptr;
    }
    const std::string written = idt_to_string(flow.idt);
    if (const auto found = models_.find(written); found != models_.end()) {
        return found->second;
    }
    if (models_.size() == kMost) {
        return nullptr;
    }
    return models_.emplace(written, std::make_shared<const GapModel>(flow.idt)).first->second;
}

}  // namespace groma
