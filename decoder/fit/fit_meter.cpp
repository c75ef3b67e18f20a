#include "decoder/fit/fit_meter.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "common/base/counted.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/text/human.hpp"
#include "common/time/time_span.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kBetweenLooks = 1U << 16U;  // packets between two looks at the memory

/// `later - earlier` of any two instants; at most 2^62.
std::int64_t gap_between(std::int64_t earlier, std::int64_t later) {
    constexpr std::uint64_t kLongest = std::uint64_t{1} << 62U;
    const std::uint64_t gap = static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
    return static_cast<std::int64_t>(std::min(gap, kLongest));
}

/// Says that a profile has values as seen. `what`: "gaps" or "sizes".
std::string not_kept(const FamilyFit& best, const std::string& what) {
    std::string note = fmt::format(
        "{}, the best family of the {}, {}: a profile has them as seen", family_name(best.distribution), what,
        best.mean_ratio ? fmt::format("has {:.3f} of their mean", *best.mean_ratio) : std::string("has no mean"));
    if (not deviation(best.distribution)) {
        note += ". Its variance is infinite; the tail of the profile ends at about the largest of the fitted " + what;
    }
    return note;
}

}  // namespace

void FlowMeter::begin(std::size_t most_values, std::size_t lags) {
    analyzers_ = std::make_unique<Analyzers>(
        Analyzers{ProcessMeter(most_values, lags), ProcessMeter(most_values, lags), PacketCounts(), 0, false, 0, 0});
    for (const Packet& packet : std::exchange(early_, {})) {
        analyze(packet);
    }
}

void FlowMeter::analyze(const Packet& packet) {
    Analyzers& it = *analyzers_;
    if (it.any and not packet.behind_last) {
        ++it.apart;
    } else if (it.any and packet.time_ns < it.before_ns) {
        ++it.backwards;
    } else if (it.any) {
        it.gaps.add(gap_between(it.before_ns, packet.time_ns));
    }
    it.any = true;
    it.before_ns = packet.time_ns;
    it.sizes.add(packet.size);
    it.counts.add(packet.time_ns);
}

void FlowMeter::hold_to(std::size_t most_values) {
    if (analyzers_ != nullptr) {
        analyzers_->gaps.hold_to(most_values);
        analyzers_->sizes.hold_to(most_values);
    }
}

std::size_t FlowMeter::held() const {
    return analyzers_ == nullptr ? 0 : analyzers_->gaps.held() + analyzers_->sizes.held();
}

TrafficFit FlowMeter::fit(double constant_within) const {
    TrafficFit fit;
    fit.number = number_;
    fit.source = source_;
    fit.name = name_;
    fit.transport = transport_;
    fit.reverse = reverse_;
    fit.packets = packets_;
    fit.bytes = bytes_;
    fit.first_ns = first_ns_;
    const TimeSpan span{Nanos{0}, Nanos{gap_between(first_ns_, last_ns_)}};
    fit.duration_s = to_seconds(span.duration());
    fit.packet_rate_pps = span.rate(packets_);
    fit.bit_rate_bps = bit_rate(fit.packet_rate_pps, packets_, bytes_);
    fit.gaps = analyzers_->gaps.fit(ProcessKind::gaps, constant_within);
    fit.sizes = analyzers_->sizes.fit(ProcessKind::sizes, constant_within);
    fit.counts = analyzers_->counts.figures();
    fit.notes = notes(fit);
    return fit;
}

std::vector<std::string> FlowMeter::notes(const TrafficFit& fit) const {
    std::vector<std::string> all;
    if (reverse_) {
        all.emplace_back("it comes back to who sent another flow: a profile has it in reverse");
    }
    if (analyzers_->backwards > 0) {
        all.push_back(fmt::format("{} {} a time before that of the packet before: {} left out",
                                  counted(analyzers_->backwards, "packet"),
                                  by_count(analyzers_->backwards, "has", "have"),
                                  by_count(analyzers_->backwards, "its gap is", "their gaps are")));
    }
    if (analyzers_->apart > 0) {
        all.push_back(fmt::format("{} {} left out, for records of packets within are missing",
                                  counted(analyzers_->apart, "gap"), by_count(analyzers_->apart, "is", "are")));
    }
    if (fit.gaps.values > fit.gaps.sample.total) {
        all.push_back(fmt::format("families are fitted to {} of {} gaps and {} of {} sizes, chosen by chance",
                                  fit.gaps.sample.total, fit.gaps.values, fit.sizes.sample.total, fit.sizes.values));
    }
    if (fit.gaps.sample.resolution > 1) {
        all.push_back("times were taken to " +
                      human_time(Nanos{static_cast<std::int64_t>(fit.gaps.sample.resolution)}) +
                      ": what is shorter is not known");
    }
    for (const auto* process : {&fit.gaps, &fit.sizes}) {
        if (process->families.empty()) {
            continue;
        }
        const FamilyFit& best = process->families.front();
        if (best.nearly_constant) {
            all.push_back(fmt::format("the {} are constant but for a coefficient of variation of {}",
                                      process == &fit.gaps ? "gaps" : "sizes",
                                      significant(process->deviation / process->mean, 3)));
        }
        if (not keeps_mean(best)) {
            all.push_back(not_kept(best, process == &fit.gaps ? "gaps" : "sizes"));
        }
    }
    return all;
}

FlowMeter* TrafficMeter::begin_flow(const std::string& source, const std::string& name, Transport transport,
                                    bool reverse) {
    if (flows_.size() == kMostFlows) {
        return nullptr;
    }
    const auto number = static_cast<std::uint32_t>(flows_.size() + 1);
    flows_.push_back(std::make_unique<FlowMeter>(number, source, name, transport, reverse));
    return flows_.back().get();
}

void TrafficMeter::add(FlowMeter& flow, std::int64_t time_ns, std::uint32_t size, bool behind_last) {
    if (not is_wanted(flow.number())) {
        return;
    }
    flow.add(time_ns, size, behind_last);
    if (flow.is_due(options_.fewest)) {
        flow.begin(most_values_, options_.lags);
    }
    if (++packets_ % kBetweenLooks == 0) {
        save_memory();
    }
}

void TrafficMeter::save_memory() {
    const auto held = [this] {
        std::size_t all = 0;
        for (const auto& flow : flows_) {
            all += flow->held();
        }
        return all;
    };
    while (most_values_ > kFewestOfProcess and held() > kMostOfAll) {
        most_values_ /= 2;
        for (const auto& flow : flows_) {
            flow->hold_to(most_values_);
        }
    }
}

void TrafficMeter::fit(FitResults& results, const OnFit& on_fit) const {
    std::vector<const FlowMeter*> chosen;
    for (const auto& flow : flows_) {
        if (is_wanted(flow->number())) {
            flow->packets() >= options_.fewest ? chosen.push_back(flow.get()) : static_cast<void>(++results.too_few);
        }
    }
    std::ranges::stable_sort(chosen, std::ranges::greater(), &FlowMeter::packets);
    if (chosen.size() > options_.top) {
        results.beyond_top = chosen.size() - options_.top;
        chosen.resize(options_.top);
    }
    std::ranges::sort(chosen, {}, &FlowMeter::number);
    results.flows = flows_.size();
    results.traffic.reserve(chosen.size());
    for (const FlowMeter* flow : chosen) {
        on_fit(results.traffic.size() + 1, chosen.size());
        results.traffic.push_back(flow->fit(options_.constant_within));
    }
}

}  // namespace groma
