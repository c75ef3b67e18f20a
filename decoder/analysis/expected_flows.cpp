#include "decoder/analysis/expected_flows.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "common/time/difference.hpp"
#include "decoder/analysis/clock_relation.hpp"
#include "decoder/results/voice_quality.hpp"

namespace groma {

namespace {

bool wanted(FlowId flow, const AnalysisOptions& options) {
    return options.flows.empty() or options.flows.contains(flow);
}

FlowAnalysis& analysis_of(const FlowSpec& spec, const Expected& expected, FlowAnalyses& flows) {
    auto& flow = flows[spec.id];
    if (flow == nullptr) {
        flow = std::make_unique<FlowAnalysis>(spec, expected.interval);
        flow->bottleneck_bps = expected.options.bottleneck_bps;
    }
    return *flow;
}

std::optional<Selection> unless_all(const Selection& selection) {
    return selection.any() ? std::optional(selection) : std::nullopt;
}

/// Round trips need the clocks' relation while the sender's log is read, and its probes stand all over it.
class ProbeVisitor final : public LogVisitor {
public:
    [[nodiscard]] bool takes_metadata() const override { return false; }
    void on_probe(const ClockProbe& probe) override {
        constexpr std::size_t kMostProbes = 100'000;
        if (probes_.size() < kMostProbes) {
            probes_.push_back(probe);
        }
    }
    [[nodiscard]] const std::vector<ClockProbe>& probes() const { return probes_; }

private:
    std::vector<ClockProbe> probes_;
};

/// What all probes say of whom they went to, for want of the receiver's log.
std::optional<RunMetadata> receiver_of(const std::vector<ClockProbe>& probes) {
    const auto another = [&](const ClockProbe& probe) {
        return probe.peer_boot_id != probes.front().peer_boot_id or probe.peer_host != probes.front().peer_host;
    };
    if (probes.empty() or std::ranges::any_of(probes, another)) {
        return std::nullopt;
    }
    RunMetadata receiver;
    receiver.host = probes.front().peer_host;
    receiver.boot_id = probes.front().peer_boot_id;
    return receiver;
}

bool has_transmit_stamps(const FlowSpec& spec) {
    return spec.options.sent_stamps.value_or(StampSource::user) != StampSource::user;
}

/// Who made them: the kernel, where the interface that was asked for them has none.
StampSource transmit_stamps(const FlowSpec& spec, const RunMetadata& sender) {
    const auto names = [&](std::string_view source) { return sender.timestamps.find(source) != std::string::npos; };
    return names("kernel software") and not names("hardware") ? StampSource::kernel : *spec.options.sent_stamps;
}

/// Every packet that left has its record.
bool departures_are_whole(const FlowAnalysis& flow, const SentAnalyzer& sent) {
    const FlowTotals* totals = flow.sender_log->totals(flow.spec.id);
    return totals != nullptr and totals->packets == sent.records() and sent.holes().complete();
}

/// `sent`: the sender's side of the flow; null without its log.
ArrivalTimes arrival_times(const FlowAnalysis& flow, const SentAnalyzer* sent, const RunMetadata& receiver) {
    ArrivalTimes times;
    times.start = receiver.started_at;
    times.clock = &flow.clock;
    times.thorough = flow.thorough;
    times.voice = voice_codec(flow.spec.profile) != nullptr;
    times.selection = unless_all(flow.selection);
    if (flow.sender_log != nullptr) {
        times.sender_start = flow.sender_log->metadata().started_at;
        times.sent_times = &sent->times();
        times.lateness = flow.thorough ? &sent->lateness() : nullptr;
        if (departures_are_whole(flow, *sent)) {
            times.first_seq = sent->first_seq();
            times.holes = &sent->holes();
        }
    }
    if (flow.clock.absolute()) {
        // The sender's clock is the run's; what the receiver knew of its start was an estimate from fewer probes.
        times.start = moved(*times.sender_start, flow.clock.offset);
    }
    return times;
}

/// Where a receiver's records of the flow go: to the flow itself, or to one more of its receivers.
FlowAnalysis& next_receiver(FlowAnalysis& flow, const std::shared_ptr<SeriesInterval>& interval) {
    if (flow.receiver_log == nullptr) {
        return flow;
    }
    flow.further.push_back(std::make_unique<FlowAnalysis>(flow.spec, interval));
    flow.further.back()->sender_log = flow.sender_log;
    return *flow.further.back();
}

}  // namespace

void expect_departures(const LogTally& log, const Expected& expected, FlowAnalyses& flows) {
    const RunMetadata& metadata = log.metadata();
    const AnalysisOptions& options = expected.options;
    GapModels models;
    const auto room = std::make_shared<DepartureLateness::Room>(DepartureLateness::kMost);
    for (const auto& setup : metadata.flows) {
        if (wanted(setup.spec.id, options)) {
            FlowAnalysis& flow = analysis_of(setup.spec, expected, flows);
            flow.sender_log = &log;
            const bool keep_times = not expected.logs.receivers.empty() or setup.spec.meter == Meter::round_trip;
            flow.sent = std::make_unique<SentAnalyzer>(setup.spec, metadata.started_at, keep_times, flow.series,
                                                       models.of(setup.spec));
            if (options.thorough) {
                flow.sent->be_thorough(keep_times ? room : nullptr);
            }
            flow.selection = expected.selection;
            if (expected.selection.any()) {
                flow.sent->only(expected.selection);
            }
            if (has_transmit_stamps(setup.spec)) {
                flow.transmitted = std::make_unique<TransmitAnalyzer>(transmit_stamps(setup.spec, metadata));
                if (expected.selection.any()) {
                    flow.transmitted->only_of_sent();
                }
            }
        }
    }
}

void expect_returns(const CataloguedLog& log, const Expected& expected, FlowAnalyses& flows) {
    ProbeVisitor visitor;
    const auto sent_back = [](const FlowSetup& setup) { return setup.spec.meter == Meter::round_trip; };
    if (std::ranges::any_of(log.metadata.flows, sent_back)) {
        log.source->read(visitor);
    }
    std::map<FlowId, const RunMetadata*> receivers;
    for (const auto& other : expected.logs.receivers) {
        for (const auto& setup : other.metadata.flows) {
            receivers.emplace(setup.spec.id, &other.metadata);
        }
    }
    const std::optional<RunMetadata> unlogged = receiver_of(visitor.probes());
    std::map<const RunMetadata*, ClockState> related;
    for (const auto& setup : log.metadata.flows) {
        if (not sent_back(setup) or not wanted(setup.spec.id, expected.options)) {
            continue;
        }
        FlowAnalysis& flow = *flows.at(setup.spec.id);
        ReturnTimes times{.start = log.metadata.started_at,
                          .clock = {},
                          .sent_times = &flow.sent->times(),
                          .lateness = expected.options.thorough ? &flow.sent->lateness() : nullptr,
                          .selection = unless_all(expected.selection)};
        const auto found = receivers.find(setup.spec.id);
        const RunMetadata* const receiver = found != receivers.end() ? found->second : unlogged ? &*unlogged : nullptr;
        if (receiver != nullptr and not related.contains(receiver)) {
            related[receiver] = relate_clocks(log.metadata, visitor.probes(), *receiver);
        }
        times.clock = clock_of_arrivals(setup.spec, receiver != nullptr ? *receiver : RunMetadata{}, related[receiver]);
        flow.returned = std::make_unique<RoundTripAnalyzer>(times, flow.series);
    }
}

void expect_arrivals(const LogTally& log, const Expected& expected, FlowAnalyses& flows) {
    const RunMetadata& metadata = log.metadata();
    const AnalysisOptions& options = expected.options;
    std::map<const LogTally*, std::optional<ClockState>> clocks;  // of each sender against this receiver
    std::map<std::pair<Transport, std::string>, unsigned> sockets;
    for (const auto& setup : metadata.flows) {
        ++sockets[{setup.spec.transport, setup.local_address}];
    }
    for (const auto& setup : metadata.flows) {
        if (not wanted(setup.spec.id, options)) {
            continue;
        }
        const FlowAnalysis& sent = analysis_of(setup.spec, expected, flows);
        FlowAnalysis& flow = next_receiver(*flows.at(setup.spec.id), expected.interval);
        flow.selection = expected.selection;
        flow.thorough = options.thorough;
        flow.receiver_log = &log;
        flow.receiver_address = setup.local_address;
        flow.shares_a_socket = sockets[{setup.spec.transport, setup.local_address}] > 1;
        flow.data_address = setup.remote_address;
        ClockState of_host{.kind = ClockState::Kind::relative, .without_sender_log = true};
        if (flow.sender_log != nullptr) {
            auto& clock = clocks[flow.sender_log];
            if (not clock) {
                clock = relate_clocks(flow.sender_log->metadata(), flow.sender_log->probes(), metadata);
            }
            of_host = *clock;
        }
        flow.clock = clock_of_arrivals(setup.spec, metadata, std::move(of_host));
        const ArrivalTimes times = arrival_times(flow, sent.sent.get(), metadata);
        flow.receiver_start = times.start;
        flow.received = std::make_unique<ReceivedAnalyzer>(times, flow.series);
    }
}

}  // namespace groma
