#include "plots/pictures/run_kinds.hpp"

#include "plots/pictures/delay_loss_picture.hpp"
#include "plots/pictures/distribution_pictures.hpp"
#include "plots/pictures/pattern_pictures.hpp"
#include "plots/pictures/series_pictures.hpp"

namespace groma {

namespace {

constexpr const char* kSender = "the sender's log";
constexpr const char* kReceiver = "the receiver's log";

constexpr DistributionMeasure kDelay{"one-way delay", "delay", "packets", false};
constexpr DistributionMeasure kGap{"inter-departure time", "sent_gap", "gaps", true, true};
constexpr DistributionMeasure kArrivalGap{"inter-arrival time", "arrival_gap", "gaps", false, true};
constexpr DistributionMeasure kLateness{"lateness of departures", "lateness", "packets", false};
constexpr DistributionMeasure kRoundTrip{"round-trip time", "rtt", "packets", false};

using Draw = std::optional<Picture> (*)(const RunResults&, const DistributionMeasure&);

struct DistributionKind {
    const char* stem;
    const char* shows;
    const char* needs;
    const DistributionMeasure& measure;
    Draw draw;
};

constexpr DistributionKind kDistributions[] = {
    {"delay-cdf", "distribution of the one-way delay", kReceiver, kDelay, draw_cdf},
    {"delay-ccdf", "tail of the one-way delay", "", kDelay, draw_ccdf},
    {"delay-density", "density of the one-way delay", "", kDelay, draw_density},
    {"gap-cdf", "inter-departure times, asked against sent, with lambda squared", kSender, kGap, draw_cdf},
    {"gap-ccdf", "tail of the inter-departure times, asked against sent", "", kGap, draw_ccdf},
    {"gap-density", "density of the inter-departure times, asked against sent", "", kGap, draw_density},
    {"gap-qq", "quantiles of the gaps sent against those of the gaps asked for", "", kGap, draw_qq},
    {"arrival-gap-cdf", "distribution of the inter-arrival time", "", kArrivalGap, draw_cdf},
    {"arrival-gap-density", "density of the inter-arrival time", "", kArrivalGap, draw_density},
    {"lateness-cdf", "distribution of the lateness of departures", kSender, kLateness, draw_cdf},
    {"lateness-ccdf", "tail of the lateness of departures", "", kLateness, draw_ccdf},
    {"rtt-cdf", "distribution of the round-trip time", "", kRoundTrip, draw_cdf},
    {"rtt-ccdf", "tail of the round-trip time", "", kRoundTrip, draw_ccdf},
};

struct PatternKind {
    const char* stem;
    const char* shows;
    std::optional<Picture> (*draw)(const RunResults&);
};

constexpr PatternKind kPatterns[] = {
    {"loss-periods", "lengths of loss periods, and by the fitted Gilbert model", draw_loss_periods},
    {"loss-free-runs", "lengths of runs without loss, and by the fitted Gilbert model", draw_loss_free_runs},
    {"reordering-extent", "extent of reordering (RFC 4737), tail", draw_reordering_extents},
    {"n-reordering", "share of the packets that are n-reordered (RFC 4737), by n", draw_n_reordering},
};

std::vector<RunKind> all_kinds() {
    std::vector<RunKind> kinds;
    for (const SeriesMeasure& measure : series_measures()) {
        const std::string stem = measure.stem;
        kinds.push_back({stem, std::string(measure.what) + ", over time", measure.needs == nullptr ? "" : measure.needs,
                         stem == "delay", [&measure](const RunResults& run) { return draw_series(run, measure); }});
    }
    kinds.push_back({"delay-loss", "delay against loss, by interval", "", true, draw_delay_against_loss});
    for (const PatternKind& kind : kPatterns) {
        kinds.push_back({kind.stem, kind.shows, "", false, kind.draw});
    }
    for (const DistributionKind& kind : kDistributions) {
        kinds.push_back({kind.stem, kind.shows, kind.needs, &kind.measure == &kDelay,
                         [&kind](const RunResults& run) { return kind.draw(run, kind.measure); }});
    }
    return kinds;
}

}  // namespace

const std::vector<RunKind>& run_kinds() {
    static const std::vector<RunKind> kKinds = all_kinds();
    return kKinds;
}

}  // namespace groma
