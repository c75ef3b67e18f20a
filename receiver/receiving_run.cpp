#include "receiver/receiving_run.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "common/base/errors.hpp"
#include "common/control/message_limits.hpp"
#include "common/model/flow/flow_spread.hpp"
#include "common/model/flow/sharing.hpp"
#include "common/net/message/sctp_association.hpp"

namespace groma {

namespace {

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) {
        text.append(text.empty() ? "" : "; ").append(sentence);
    }
    return text;
}

std::unordered_map<FlowId, std::uint64_t> packets_of(const std::vector<SentFlow>& sent) {
    std::unordered_map<FlowId, std::uint64_t> packets;
    for (const SentFlow& flow : sent) {
        packets[flow.flow] = flow.packets;
    }
    return packets;
}

Refused refused(const FlowSpec& spec, const std::string& why) {
    return {.reason = "flow " + std::to_string(spec.id.value) + ": " + why, .flow = spec.id};
}

}  // namespace

ReceivingRun::ReceivingRun(const DataPlace& place, const ReceiveWorkers& workers, Clock& clock)
    : inboxes_(place, clock) {
    for (const auto& worker : workers) {
        shares_.push_back(Share{.worker = worker.get(), .flows = {}, .expected_pps = 0});
    }
    check(not shares_.empty(), "flows need a worker");
}

ReceivingRun::~ReceivingRun() {
    stop();
    if (watched_ != nullptr) {
        watched_->give_back(flows_.size());
    }
}

FlowReceiver* ReceivingRun::first_of_association(const FlowSpec& spec) {
    const auto found = associations_.find({spec.transport, spec.options.association.value_or(0)});
    if (found == associations_.end()) {
        return nullptr;
    }
    Association& association = found->second;
    if (spec.header != association.spec.header or spec.seal != association.spec.seal) {
        throw UsageError(
            "flows of one association have one kind of header, all or none of them with a seal, and flow " +
            std::to_string(association.spec.id.value) + " has another");
    }
    if (shares_datagrams(spec) and spec.options != association.spec.options) {
        throw UsageError("flows of one association share a socket and have the same options, and flow " +
                         std::to_string(association.spec.id.value) + " has others");
    }
    if (spec.target.data_port and *spec.target.data_port != association.first->inbox().local_address().port()) {
        throw UsageError("its association is at the port of flow " + std::to_string(association.spec.id.value) +
                         ": ask for the same port, or for none");
    }
    association.streams += sctp_streams(spec.options);
    sources_[association.source].expected_pps += expected_rate(spec);
    if (not shares_datagrams(spec) and association.streams > kMostSctpStreams) {
        throw UsageError("its association would have more than 65535 streams: ask for fewer");
    }
    return association.first;
}

FlowReceiver& ReceivingRun::add(const FlowSpec& spec, const DialTarget* dial, const std::optional<MacKey>& seal) {
    if (const std::vector<std::string> wrong = option_errors(spec.options, spec.transport); not wrong.empty()) {
        throw UsageError(wrong.front());
    }
    if (spec.seal == Sealing::on and spec.header != HeaderLevel::full) {
        throw UsageError("a sealed flow has the full header");
    }
    if (const std::vector<std::string> wrong = sharing_errors(spec); not wrong.empty()) {
        throw UsageError(wrong.front());
    }
    if (FlowReceiver* const first = dial != nullptr ? nullptr : first_of_association(spec)) {
        return *flows_.emplace_back(std::make_unique<FlowReceiver>(spec, *first));
    }
    FlowReceiver& flow = *flows_.emplace_back(std::make_unique<FlowReceiver>(
        spec, dial == nullptr ? inboxes_.open(spec, seal) : inboxes_.dial(spec, dial->port, seal)));
    sources_.push_back({.flow = &flow, .expected_pps = expected_rate(spec)});
    if (spec.options.association and dial == nullptr) {
        associations_[{spec.transport, *spec.options.association}] = {
            .first = &flow, .spec = spec, .streams = sctp_streams(spec.options), .source = sources_.size() - 1};
    }
    return flow;
}

std::variant<FlowsOpened, Refused> ReceivingRun::open(const std::vector<FlowSpec>& flows,
                                                      const std::vector<DialTarget>& dial,
                                                      const std::vector<FlowSecret>& secrets) {
    FlowsOpened opened;
    auto secret = secrets.begin();
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const FlowSpec& spec = flows[i];
        const bool dialled = not dial.empty() and dial[i].port != 0;
        try {
            const bool sealed = secret != secrets.end() and secret->flow == spec.id;
            (void)add(spec, dialled ? &dial[i] : nullptr,
                      sealed ? std::optional(mac_key((secret++)->key)) : std::nullopt);
        } catch (const SystemError& error) {
            return refused(spec, inboxes_.reason(spec, error));
        } catch (const UsageError& error) {
            return refused(spec, error.what());
        }
        FlowReceiver& flow = *flows_.back();
        if (dialled) {
            punchers_.emplace_back(flow.inbox(), spec.transport, inboxes_.listener(dial[i].port), dial[i].token);
        }
        room_.add(spec.stop);
        sampler_.add(spec, [&flow] { return flow.inbox().sample(); });
        const SocketAddress local = flow.inbox().local_address();
        setups_.push_back({.spec = spec,
                           .local_address = local.to_string(),
                           .remote_address = inboxes_.source_of(spec).host_to_string()});
        opened.flows.push_back({.flow = spec.id,
                                .port = local.port(),
                                .warning = flow.shares_an_inbox() ? "" : joined(flow.inbox().warnings())});
    }
    return opened;
}

void ReceivingRun::punch() noexcept {
    std::ranges::for_each(punchers_, &Puncher::punch);
}

std::string ReceivingRun::timestamps() const {
    std::set<std::string_view> kinds;
    for (const auto& flow : flows_) {
        kinds.insert(flow->inbox().timestamps());
    }
    std::string text;
    for (const std::string_view kind : kinds) {
        text += (text.empty() ? "" : ", ") + std::string(kind);
    }
    return text;
}

void ReceivingRun::spread() {
    std::vector<double> rates;
    rates.reserve(sources_.size());
    std::ranges::transform(sources_, std::back_inserter(rates), &Source::expected_pps);
    std::vector<double> load;
    std::ranges::transform(shares_, std::back_inserter(load),
                           [](const Share& share) { return share.worker->expected_pps(); });
    const auto places = spread_flows(rates, std::move(load));
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (const std::uint32_t place : places[i]) {
            shares_[i].flows.push_back(sources_[place].flow);
            shares_[i].expected_pps += sources_[place].expected_pps;
        }
    }
}

void ReceivingRun::watch_delays(WatchedFlows& room) {
    if (flows_.size() <= kMaxFlowsPerMessage and room.take(flows_.size())) {
        watched_ = &room;
        std::ranges::for_each(flows_, [](const auto& flow) { flow->watch_delays(); });
    }
}

void ReceivingRun::start(SessionLog* log, std::size_t queue_records) {
    spread();
    if (flows_.size() > kMaxFlowsWithDelays) {
        std::ranges::for_each(flows_, [](const auto& flow) { flow->skip_delays(); });
    }
    for (Share& share : shares_) {
        if (share.flows.empty()) {
            continue;
        }
        if (log != nullptr) {
            ArrivalQueue& queue = log->add_queue(room_.records(queue_records));
            std::ranges::for_each(share.flows, [&queue](FlowReceiver* flow) { flow->log_to(queue); });
        }
        share.worker->add(share.flows);
        share.worker->expect(share.expected_pps);
        started_.push_back(&share);
    }
}

void ReceivingRun::stop() noexcept {
    for (const Share* share : std::exchange(started_, {})) {
        share->worker->remove(share->flows);
        share->worker->expect(-share->expected_pps);
    }
}

FlowCounts ReceivingRun::counts() const noexcept {
    FlowCounts sum{.open = false};
    for (const auto& flow : flows_) {
        const FlowCounts one = flow->counts();
        sum.packets += one.packets;
        sum.bytes += one.bytes;
        sum.unique += one.unique;
        sum.missing += one.missing;
        sum.open = sum.open or one.open;
    }
    return sum;
}

ProgressReply ReceivingRun::progress(bool each_flow) const {
    const auto arrived = [](const FlowCounts& counts) {
        return ArrivedSoFar{.packets = counts.packets, .bytes = counts.bytes, .missing = counts.missing};
    };
    if (not each_flow or flows_.size() > kMaxFlowsPerMessage) {
        return {.all = arrived(counts())};
    }
    ProgressReply reply;
    reply.flows.reserve(flows_.size());
    for (const auto& flow : flows_) {
        const ArrivedSoFar& one = reply.flows.emplace_back(flow->id(), arrived(flow->counts())).arrived;
        reply.all.packets += one.packets;
        reply.all.bytes += one.bytes;
        reply.all.missing += one.missing;
    }
    return reply;
}

bool ReceivingRun::all_arrived(const std::vector<SentFlow>& sent) const {
    const std::unordered_map<FlowId, std::uint64_t> packets = packets_of(sent);
    return std::ranges::all_of(flows_, [&packets](const auto& flow) {
        const auto awaited = packets.find(flow->id());
        const FlowCounts counts = flow->counts();
        const bool arrived = awaited == packets.end() or counts.unique >= awaited->second or not counts.open;
        return arrived and not counts.replying;
    });
}

void ReceivingRun::add_delays_to(TimeHistogram& times) const {
    for (const auto& flow : flows_) {
        if (const DelayMeter* const meter = flow->delays()) {
            const CentredHistogram::Around delays = meter->delays().around();
            times.add(delays.histogram, delays.base);
        }
    }
}

bool ReceivingRun::numbered() const {
    return std::ranges::all_of(flows_, [](const auto& flow) { return flow->numbered(); });
}

std::vector<FlowLoss> ReceivingRun::losses(const std::vector<SentFlow>& sent) const {
    const std::unordered_map<FlowId, std::uint64_t> packets = packets_of(sent);
    std::vector<FlowLoss> losses;
    for (const auto& flow : flows_) {
        if (const auto found = packets.find(flow->id()); found != packets.end()) {
            losses.push_back({.flow = flow->id(),
                              .sent = found->second,
                              .lost = found->second - std::min(found->second, flow->counts().unique),
                              .at_least = not flow->tells_copies()});
        }
    }
    return losses;
}

ReceiverResults ReceivingRun::results() const {
    ReceiverResults results;
    results.flows.reserve(flows_.size());
    DelaySum delays;
    bool all_known = true;
    for (const auto& flow : flows_) {
        const ReceivedFlow& result = results.flows.emplace_back(flow->result());
        if (const DelayMeter* const meter = flow->delays()) {
            delays.add(*meter);
        } else {
            all_known = all_known and result.packets == 0;
        }
    }
    if (const ArrivalDelays all = delays.figures(); all_known and all.packets > 0) {
        results.delays = all;
    }
    return results;
}

}  // namespace groma
