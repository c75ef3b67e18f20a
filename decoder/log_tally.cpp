#include "decoder/log_tally.hpp"

#include <algorithm>

namespace groma {

namespace {

// A log has some dozens of each. More are counted, not kept: memory must not depend on what a file says.
constexpr std::size_t kMostKept = 100'000;

std::string describe(const LogGap& gap) {
    return std::to_string(gap.bytes) + " bytes unreadable at offset " + std::to_string(gap.offset) + ": " + gap.reason;
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

void LogTally::read() {
    source_.read(*this);
}

const FlowTotals* LogTally::totals(FlowId flow) const {
    if (not result_.totals) {
        return nullptr;
    }
    const auto& flows = result_.totals->flows;
    const auto found = std::find_if(flows.begin(), flows.end(), [&](const auto& it) { return it.flow == flow; });
    return found == flows.end() ? nullptr : &*found;
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
        complaints.push_back(result_.path + ": " + std::to_string(misplaced_) +
                             " records are of flows or of a kind that its metadata does not name: left out");
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
    result_.records += records;
}

void LogTally::on_sent(FlowId flow, std::span<const SentRecord> records) {
    count(flow, records.size(), LogRole::sender);
    const auto found = flows_.find(flow);
    if (found == flows_.end() or found->second->sender_log != this) {
        return;
    }
    for (const SentRecord& record : records) {
        found->second->sent->add(record);
    }
}

void LogTally::on_received(FlowId flow, std::span<const ReceivedRecord> records) {
    count(flow, records.size(), LogRole::receiver);
    const auto found = flows_.find(flow);
    if (found == flows_.end() or found->second->receiver_log != this) {
        return;
    }
    for (const ReceivedRecord& record : records) {
        found->second->received->add(record);
    }
}

void LogTally::on_probe(const ClockProbe& probe) {
    probes_.size() < kMostKept ? probes_.push_back(probe) : static_cast<void>(++unkept_);
}

void LogTally::on_event(const LogEvent& event) {
    result_.events.size() < kMostKept ? result_.events.push_back(event) : static_cast<void>(++unkept_);
}

void LogTally::on_totals(const LogTotals& totals) {
    result_.totals = totals;
}

void LogTally::on_progress(std::uint64_t offset) {
    if (progress_) {
        progress_(source_, offset);
    }
}

void LogTally::on_gap(const LogGap& gap) {
    result_.gaps.size() < kMostKept ? result_.gaps.push_back(gap) : static_cast<void>(++unkept_);
}

}  // namespace groma
