#include "decoder/analysis/log_tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"
#include "common/log/cpu_counters.hpp"

namespace groma {

namespace {

// A log has a few dozen of each. Further ones are counted, not kept: a file must not decide how much memory is used.
constexpr std::size_t kMostKept = 100'000;

std::string describe(const LogGap& gap) {
    return counted(gap.bytes, "byte") + " unreadable at offset " + std::to_string(gap.offset) + ": " + gap.reason;
}

}  // namespace

LogTally::LogTally(const CataloguedLog& log, FlowAnalyses& flows, const ReadProgress& progress)
    : source_(*log.source), flows_(flows), progress_(progress) {
    result_.path = log.source->name;
    result_.metadata = log.metadata;
    for (const auto& flow : log.metadata.flows) {
        own_flows_.insert(flow.spec.id);
    }
}

void LogTally::read(unsigned threads) {
    // Threads analyse different flows; to move one flow between threads costs more than it saves.
    source_.read_by(own_flows_.size() > 1 ? threads : 1, *this);
}

LogResult LogTally::take_result() {
    result_.records = records_;
    std::uint64_t packets = 0;
    for (const FlowTotals& flow : result_.totals ? result_.totals->flows : std::vector<FlowTotals>{}) {
        add_count(packets, flow.packets);
    }
    result_.packets_missing = packets - std::min<std::uint64_t>(packets, packet_records_);
    place_in_totals_.clear();
    return std::exchange(result_, {});
}

const FlowTotals* LogTally::totals(FlowId flow) const {
    if (not result_.totals) {
        return nullptr;
    }
    const auto found = place_in_totals_.find(flow);
    return found == place_in_totals_.end() ? nullptr : &result_.totals->flows[found->second];
}

std::vector<std::string> LogTally::complaints() const {
    std::vector<std::string> complaints;
    complaints.reserve(result_.gaps.size());
    for (const LogGap& gap : result_.gaps) {
        complaints.push_back(result_.path + ": " + describe(gap));
    }
    if (not result_.totals) {
        complaints.push_back(result_.path +
                             ": log cut short: totals missing, figures are from the records that are there");
    }
    if (misplaced_ > 0) {
        complaints.push_back(result_.path + ": " +
                             fmt::format("{} {} of flows or of a kind that its metadata does not name: left out",
                                         counted(misplaced_, "record"), by_count(misplaced_, "is", "are")));
    }
    if (left_out_ > 0) {
        complaints.push_back(
            result_.path + ": " +
            fmt::format("{} of round trips or transmit stamps {} of flows that were not to have any: left out",
                        counted(left_out_, "record"), by_count(left_out_, "is", "are")));
    }
    if (repeated_ > 0) {
        complaints.push_back(result_.path + ": its totals have several entries of a flow or a counter, or are there " +
                             "several times (" + std::to_string(repeated_) +
                             " too many): the last totals count, and in them the first entry of each");
    }
    if (unkept_ > 0) {
        complaints.push_back(result_.path + ": " + std::to_string(unkept_) +
                             " probes, events or gaps beyond the first " + std::to_string(kMostKept) +
                             " of each are left out");
    }
    return complaints;
}

void LogTally::count(FlowId flow, std::uint64_t records, LogRole role) {
    if (role != result_.metadata.role or not own_flows_.contains(flow)) {
        misplaced_ += records;
    }
    records_ += records;
}

FlowAnalysis* LogTally::sent_flow(FlowId flow) const {
    const auto found = flows_.find(flow);
    return found == flows_.end() or found->second->sender_log != this ? nullptr : found->second.get();
}

FlowAnalysis* LogTally::received_flow(FlowId flow) const {
    const auto found = flows_.find(flow);
    return found == flows_.end() ? nullptr : found->second->at(*this);
}

void LogTally::on_sent(FlowId id, std::span<const SentRecord> records) {
    by_column(records, [&](const SentColumns& some) { on_sent_columns(id, some); });
}

void LogTally::on_sent_columns(FlowId id, const SentColumns& records) {
    count(id, records.count(), LogRole::sender);
    packet_records_ += records.count();
    FlowAnalysis* flow = sent_flow(id);
    if (flow == nullptr) {
        return;
    }
    if (flow->transmitted == nullptr) {
        flow->sent->add(records);
        return;
    }
    for (std::size_t i = 0; i < records.count(); ++i) {
        const SentRecord record = records[i];
        if (flow->sent->add(record)) {
            flow->transmitted->add_sent(record);
        }
    }
}

void LogTally::on_received(FlowId id, std::span<const ReceivedRecord> records) {
    by_column(records, [&](const ReceivedColumns& some) { on_received_columns(id, some); });
}

void LogTally::on_received_columns(FlowId id, const ReceivedColumns& records) {
    count(id, records.count(), LogRole::receiver);
    packet_records_ += records.count();
    FlowAnalysis* flow = received_flow(id);
    if (flow == nullptr) {
        return;
    }
    const bool alone = flow->returned == nullptr and flow->transmitted == nullptr;
    if (alone and std::ranges::all_of(records.ttl, [](std::uint64_t ttl) { return ttl == 0; })) {
        flow->received->add(records);
        return;
    }
    for (std::size_t i = 0; i < records.count(); ++i) {
        add_received(*flow, records[i]);
    }
}

void LogTally::add_received(FlowAnalysis& flow, const ReceivedRecord& record) {
    const ReceivedAnalyzer::Taken taken = flow.received->add(record);
    if (taken == ReceivedAnalyzer::Taken::left_out) {
        return;
    }
    if (record.ttl != 0) {
        ++flow.arrival_header.ttl[record.ttl];
        ++flow.arrival_header.ds_byte[record.ds_byte];
    }
    if (flow.returned != nullptr) {
        flow.returned->add_reached(record);
    }
    if (taken == ReceivedAnalyzer::Taken::first_copy and flow.transmitted != nullptr) {
        flow.transmitted->add_arrival(record, flow.clock);
    }
}

void LogTally::on_returned(FlowId id, std::span<const RoundTripRecord> records) {
    count(id, records.size(), LogRole::sender);
    FlowAnalysis* flow = sent_flow(id);
    if (flow == nullptr) {
        return;
    }
    if (flow->returned == nullptr) {
        left_out_ += records.size();
        return;
    }
    for (const RoundTripRecord& record : records) {
        flow->returned->add(record);
    }
}

void LogTally::on_transmitted(FlowId id, std::span<const TransmitRecord> records) {
    count(id, records.size(), LogRole::sender);
    FlowAnalysis* flow = sent_flow(id);
    if (flow == nullptr) {
        return;
    }
    if (flow->transmitted == nullptr) {
        left_out_ += records.size();
        return;
    }
    for (const TransmitRecord& record : records) {
        flow->transmitted->add(record);
    }
}

void LogTally::on_connection(FlowId id, std::span<const ConnectionSample> samples) {
    const LogRole role = result_.metadata.role;
    count(id, samples.size(), role);
    FlowAnalysis* flow = role == LogRole::sender ? sent_flow(id) : received_flow(id);
    if (flow == nullptr) {
        return;
    }
    auto& connection = role == LogRole::sender ? flow->sender_connection : flow->receiver_connection;
    if (connection == nullptr) {
        connection = std::make_unique<ConnectionAnalyzer>(
            role, role == LogRole::sender ? result_.metadata.started_at : flow->receiver_start);
        connection->only(flow->selection);
    }
    for (const ConnectionSample& sample : samples) {
        connection->add(sample);
    }
}

void LogTally::on_probe(const ClockProbe& probe) {
    probes_.size() < kMostKept ? probes_.push_back(probe) : static_cast<void>(++unkept_);
}

void LogTally::on_event(const LogEvent& event) {
    result_.events.size() < kMostKept ? result_.events.push_back(event) : static_cast<void>(++unkept_);
}

void LogTally::on_totals(const LogTotals& totals) {
    repeated_ += result_.totals ? 1 : 0;
    result_.totals = totals;
    result_.cpu = cpu_usage_of(totals);
    place_in_totals_.clear();
    std::size_t place = 0;
    repeated_ += std::erase_if(result_.totals->flows, [&](const FlowTotals& flow) {
        const bool is_new = place_in_totals_.emplace(flow.flow, place).second;
        place += is_new ? 1 : 0;
        return not is_new;
    });
    for (FlowTotals& flow : result_.totals->flows) {
        std::set<std::string> names;
        repeated_ += std::erase_if(flow.counters, [&](const auto& it) { return not names.insert(it.first).second; });
        // These belong to no flow.
        std::erase_if(flow.counters, [](const auto& counter) { return counter.first.starts_with("process_"); });
    }
}

void LogTally::on_progress(std::uint64_t offset) {
    if (progress_) {
        progress_(source_, offset);
    }
}

bool LogTally::has_holes() const {
    return not std::ranges::all_of(result_.gaps, &LogGap::torn_tail);
}

bool LogTally::clock_was_set() const {
    return std::ranges::find(result_.events, kClockStepped, &LogEvent::kind) != result_.events.end();
}

void LogTally::on_gap(const LogGap& gap) {
    result_.gaps.size() < kMostKept ? result_.gaps.push_back(gap) : static_cast<void>(++unkept_);
}

}  // namespace groma
