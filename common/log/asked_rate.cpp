#include "common/log/asked_rate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/plain_text.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/human.hpp"
#include "common/time/difference.hpp"

namespace groma {

namespace {

constexpr double kNoted = 0.01;            // relative difference
constexpr double kMeanGapsOfSilence = 10;  // at the ends of a flow: more than chance leaves there

std::string time_text(double ns) {
    return human_time(Nanos{static_cast<Nanos::rep>(std::min(ns, static_cast<double>(kLongestSpan.count())))});
}

}  // namespace

std::optional<double> nominal_pps(const FlowSpec& flow) {
    const auto gap = mean_from_0(flow.idt);
    if (not gap or not(*gap > 0)) {
        return std::nullopt;
    }
    const double pps = 1e9 / *gap;
    if (flow.rate_over_time) {
        const auto& duration = flow.stop.duration;
        return duration and *duration > Nanos{0} ? std::optional(pps * flow.rate_over_time->mean_share(*duration))
                                                 : std::nullopt;
    }
    if (not flow.on_off) {
        return pps;
    }
    const auto on = mean_from_0(flow.on_off->on);
    const auto off = mean_from_0(flow.on_off->off);
    return on and off and *on + *off > 0 ? std::optional(pps * *on / (*on + *off)) : std::nullopt;
}

std::optional<double> realised_pps(const FlowSpec& flow, std::uint64_t packets) {
    const StopRule& stop = flow.stop;
    if (not stop.duration or stop.packets or stop.bytes or *stop.duration <= Nanos{0}) {
        return std::nullopt;
    }
    return static_cast<double>(packets) / to_seconds(*stop.duration);
}

std::vector<std::string> notes_on_rate(const FlowSpec& flow, const Fidelity& sent, const FlowCourse& course) {
    std::vector<std::string> notes;
    const auto written = mean(flow.idt);
    const auto drawn = mean_from_0(flow.idt);
    if (flow.in_flight > 0) {
        notes.push_back("asked: " + gaps_to_string(flow));
    } else if (sent.greedy) {
        const auto bytes = sent.bytes_per_send();
        notes.push_back("asked: as fast as possible" + (bytes ? fmt::format("; {:.0f} B a send call", *bytes) : ""));
    } else if (not drawn) {
        notes.emplace_back("the distribution of its gaps has no mean: the rate asked for is that of this run's draws");
    } else if (flow.rate_over_time) {
        notes.push_back("asked: the rate " + plain_text(to_string(*flow.rate_over_time), 200) +
                        "; the rates of this report are means over the flow");
    } else if (written and *drawn > *written * (1 + kNoted)) {
        notes.push_back(fmt::format("gaps drawn below 0 are raised to 0, so that the mean gap is {} and not {}",
                                    time_text(*drawn), time_text(*written)));
    }
    if (const auto size = mean(flow.size); size and course.sizes_changed > 0 and sent.packets > 0) {
        const double sent_size = static_cast<double>(sent.bytes) / static_cast<double>(sent.packets);
        if (std::abs(sent_size - *size) > *size * kNoted) {
            notes.push_back(
                fmt::format("{} sizes were raised or lowered to what can be sent: the mean size is {} B, "
                            "and {} B by the distribution; the bit rate asked for is that of this run",
                            course.sizes_changed, significant(sent_size, 4), significant(*size, 4)));
        }
    }
    const auto realised = realised_pps(flow, sent.packets);
    const auto asked = sent.scheduled_pps();
    if (course.whole and realised and asked) {
        const Nanos silent = *flow.stop.duration - sent.scheduled.duration();
        if (to_seconds(silent) > kMeanGapsOfSilence / *asked and
            to_seconds(silent) > kNoted * to_seconds(*flow.stop.duration)) {
            notes.push_back(fmt::format(
                "its rates are of the {} from the first packet to the last; over the {} that were "
                "asked for, it sent {}",
                human_time(sent.scheduled.duration()), human_time(*flow.stop.duration), human_rate(*realised)));
        }
    }
    return notes;
}

}  // namespace groma
