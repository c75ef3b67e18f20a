#include "decoder/fit/fit_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <variant>

#include <fmt/format.h>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/stats/fit/empirical.hpp"

namespace groma {

namespace {

/// A basic string of TOML; names have no control characters.
std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : plain_text(text, kMaxExperimentBytes)) {
        if (c == '"' or c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return fmt::format("\"{}\"", out);
}

/// Sizes as they are written, limited to what the transport can send.
class PossibleSizes {
public:
    explicit PossibleSizes(SizeLimits limits) : least_(limits.smallest), most_(limits.largest) {}

    Distribution operator()(const Constant& d) const { return Constant{held(std::round(d.value))}; }
    Distribution operator()(const Discrete& d) const {
        Discrete possible;
        for (std::size_t i = 0; i < d.values.size(); ++i) {
            const double value = held(d.values[i]);
            if (not possible.values.empty() and possible.values.back() == value) {
                possible.weights.back() += d.weights[i];
            } else {
                possible.values.push_back(value);
                possible.weights.push_back(d.weights[i]);
            }
        }
        return possible;
    }
    Distribution operator()(const Uniform& d) const {
        // Half a byte beyond the smallest and the largest (docs/reference/models.md).
        return Uniform{std::max(d.low, least_ - 0.5), std::min(d.high, most_ + 0.5)};
    }
    Distribution operator()(const Mixture& d) const {
        Mixture possible{d.weights, {}};
        possible.components.reserve(d.components.size());
        for (const SimpleDistribution& part : d.components) {
            possible.components.push_back(whole(part));
        }
        return possible;
    }
    template <typename Unbounded>
    Distribution operator()(const Unbounded& d) const {
        return d;
    }

private:
    [[nodiscard]] double held(double size) const { return std::clamp(size, least_, most_); }

    /// A piece of an empirical mixture, with ends that are whole sizes.
    [[nodiscard]] SimpleDistribution whole(const SimpleDistribution& part) const {
        if (const auto* const piece = std::get_if<Uniform>(&part)) {
            const double low = held(std::round(piece->low));
            const double high = held(std::round(piece->high));
            return low < high ? SimpleDistribution(Uniform{low - 0.5, high + 0.5}) : SimpleDistribution(Constant{low});
        }
        const auto* const constant = std::get_if<Constant>(&part);
        return constant == nullptr ? part : SimpleDistribution(Constant{held(std::round(constant->value))});
    }

    double least_;
    double most_;
};

std::string quality(const FamilyFit& fit) {
    if (fit.nearly_constant) {
        return "constant, nearly";
    }
    if (not fit.lambda2) {
        return "the only one";
    }
    return fmt::format("lambda2 {:.5f} +- {:.5f}, KS {:.4f}", *fit.lambda2, fit.lambda2_error.value_or(0),
                       fit.ks.value_or(0));
}

struct Chosen {
    Distribution distribution;
    std::string why;
};

/// Gaps have the mean of all gaps, and so the flow its rate. Sizes are not moved: each is possible as it is.
Distribution as_seen(const ProcessFit& process, ProcessKind kind) {
    return empirical_distribution(process.sample,
                                  kind == ProcessKind::gaps ? process.mean_beyond_sample() : std::nullopt);
}

Chosen chosen(const ProcessFit& process, ProcessKind kind, bool empirical) {
    if (empirical) {
        return {as_seen(process, kind), "as seen, " + counted(process.sample.total, "value")};
    }
    const FamilyFit& best = process.families.front();
    if (not keeps_mean(best)) {
        const std::string why =
            best.mean_ratio ? fmt::format("has {:.3f} of its mean", *best.mean_ratio) : std::string("has no mean");
        return {as_seen(process, kind),
                fmt::format("as seen, {}: {}, the best family, {}", counted(process.sample.total, "value"),
                            family_name(best.distribution), why)};
    }
    return {best.distribution, quality(best)};
}

/// Flows need different names: "calls", "calls 2".
std::string unused(const std::string& name, std::set<std::string>& used) {
    constexpr std::size_t kLongest = 200;
    const std::string base = plain_text(name.empty() ? "flow" : name, kLongest);
    std::string candidate = base;
    for (int number = 2; not used.insert(candidate).second; ++number) {
        candidate = fmt::format("{} {}", base, number);
    }
    return candidate;
}

/// To the millisecond where that changes less than a thousandth; never 0.
Nanos for_people(double ns) {
    constexpr double kMillisecond = 1e6;
    const double held = std::clamp(ns, 1.0, 4e18);
    return Nanos{held >= 1000 * kMillisecond ? std::llround(held / kMillisecond) * 1'000'000 : std::llround(held)};
}

std::string flow_table(const TrafficFit& fit, const std::string& name, std::int64_t start_ns, bool empirical) {
    const Chosen gaps = chosen(fit.gaps, ProcessKind::gaps, empirical);
    const Chosen sizes = chosen(fit.sizes, ProcessKind::sizes, empirical);
    const Distribution size = std::visit(PossibleSizes(size_limits(fit.transport)), sizes.distribution);
    // As long as it was, and one gap more: the last packet is still within it.
    const double packets = static_cast<double>(fit.packets);
    const double duration = fit.duration_s * packets / (packets - 1) * 1e9;
    std::string text = fmt::format("\n[[flow]]\nname = {}\n", quoted(name));
    text += fmt::format("transport = \"{}\"\n", to_string(fit.transport));
    text += fit.reverse ? "direction = \"reverse\"\n" : "";
    text += fmt::format("idt = {}    # {}\n", quoted(idt_to_string(gaps.distribution)), gaps.why);
    text += fmt::format("size = {}    # {}\n", quoted(size_to_string(size)), sizes.why);
    text += fmt::format("duration = \"{}\"\n", duration_to_string(for_people(duration)));
    if (start_ns > 0) {
        text += fmt::format("start = \"{}\"\n", duration_to_string(for_people(static_cast<double>(start_ns))));
    }
    return text;
}

bool can_be_made(const TrafficFit& fit) {
    return not fit.gaps.families.empty() and not fit.sizes.families.empty() and fit.gaps.sample.values.back() > 0 and
           fit.sizes.sample.values.back() > 0;
}

/// From the earliest of the flows of its own file.
std::int64_t start_of(const TrafficFit& fit, const FitResults& results) {
    std::int64_t earliest = fit.first_ns;
    for (const TrafficFit& other : results.traffic) {
        if (other.source == fit.source) {
            earliest = std::min(earliest, other.first_ns);
        }
    }
    constexpr std::uint64_t kLongest = std::uint64_t{1} << 61U;
    const auto start = static_cast<std::uint64_t>(fit.first_ns) - static_cast<std::uint64_t>(earliest);
    return static_cast<std::int64_t>(std::min(start, kLongest));
}

}  // namespace

std::string fit_profile(const FitResults& results, const FitOptions& options) {
    std::string text = "# Flows as groma-dec fit found them in";
    for (const FitSource& source : results.sources) {
        text.append(" ").append(plain_text(source.name, 100));
    }
    text += fmt::format(
        ".\n# groma-send runs this file; who receives is said once, below.\n\n[hosts]\nreceiver = {}\n\n[defaults]\nto "
        "= "
        "\"receiver\"\n",
        quoted(options.to));
    std::set<std::string> used;
    for (const TrafficFit& fit : results.traffic) {
        if (can_be_made(fit)) {
            text += flow_table(fit, unused(fit.name, used), start_of(fit, results), options.empirical);
        }
    }
    if (used.empty()) {
        throw RunError("cannot write a profile: no flow has gaps and sizes above 0 to be made of");
    }
    try {
        static_cast<void>(parse_experiment(text, "the profile", {}, 1));
    } catch (const ParseError& error) {
        throw RunError(std::string("cannot write a profile that groma-send would take: ") + error.what());
    }
    return text;
}

}  // namespace groma
