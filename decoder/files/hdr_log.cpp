#include "decoder/files/hdr_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "common/base/counted.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/sequence/sequence_tracker.hpp"
#include "common/time/difference.hpp"
#include "decoder/analysis/clock_relation.hpp"
#include "decoder/files/hdr_histogram.hpp"
#include "decoder/logs/record_merge.hpp"

namespace groma {

namespace {

constexpr double kNanosPerMilli = 1e6;
constexpr std::size_t kLongestTag = 200;

/// A flow at one receiver.
struct HdrFlow {
    ClockState clock{};
    WallTime start{};                        ///< of the run, on the receiver's clock
    std::optional<WallTime> sender_start{};  ///< on its clock
    std::optional<Nanos> smallest{};         ///< of delays that are relative to it
    std::string tag{};
    SequenceTracker seen{};
    std::int64_t interval = 0;  ///< of the delays below
    LogHistogram delays{};
};

using LoggedFlow = std::pair<std::size_t, FlowId>;  ///< index of the receiver's log

/// The log of the flow's sender, of the same run.
const IndexedLog* sender_of(const std::vector<IndexedLog*>& logs, const RunMetadata& receiver, FlowId flow) {
    for (const IndexedLog* log : logs) {
        const auto& run = log->metadata();
        if (run and run->role == LogRole::sender and run->run_id == receiver.run_id and
            std::ranges::any_of(run->flows, [&](const FlowSetup& it) { return it.spec.id == flow; })) {
            return log;
        }
    }
    return nullptr;
}

/// Null: the log was cut short, or lacks the flow.
const FlowTotals* totals_of(const IndexedLog& log, FlowId flow) {
    if (not log.totals()) {
        return nullptr;
    }
    const auto found = std::ranges::find(log.totals()->flows, flow, &FlowTotals::flow);
    return found == log.totals()->flows.end() ? nullptr : &*found;
}

/// Without characters that end a tag.
std::string tag_text(const std::string& text) {
    std::string tag = text.substr(0, kLongestTag);
    std::ranges::replace_if(
        tag, [](unsigned char c) { return c <= ' ' or c == ',' or c == 0x7f; }, '_');
    return tag;
}

class HdrLog {
public:
    HdrLog(const std::vector<IndexedLog*>& logs, const HdrLogOptions& options,
           const std::function<void(std::string_view)>& write)
        : options_(options), write_(write) {
        for (IndexedLog* log : logs) {
            if (log->metadata() and log->metadata()->role == LogRole::receiver) {
                receivers_.push_back(log);
            }
        }
        for (std::size_t i = 0; i < receivers_.size(); ++i) {
            expect_flows(logs, i);
        }
        find_smallest();
    }

    std::vector<std::string> run() {
        write_head();
        RecordMerge merge(receivers_, options_.flows);
        while (const auto packet = merge.next()) {
            const auto* record = std::get_if<ReceivedRecord>(&packet->record);
            const auto flow = flows_.find({packet->log, packet->flow});
            if (record != nullptr and flow != flows_.end()) {
                add(*flow->second, *record);
            }
        }
        flush_before(std::numeric_limits<std::int64_t>::max());
        return warnings();
    }

private:
    void expect_flows(const std::vector<IndexedLog*>& logs, std::size_t index) {
        const IndexedLog& receiver = *receivers_[index];
        std::map<const IndexedLog*, ClockState> clocks;
        for (const FlowSetup& setup : receiver.metadata()->flows) {
            auto flow = std::make_unique<HdrFlow>();
            flow->start = receiver.metadata()->started_at;
            const IndexedLog* sender = sender_of(logs, *receiver.metadata(), setup.spec.id);
            if (sender != nullptr) {
                const auto [clock, fresh] = clocks.try_emplace(sender);
                if (fresh) {
                    clock->second = relate_clocks(*sender->metadata(), sender->probes(), *receiver.metadata());
                }
                flow->clock = clock->second;
                flow->sender_start = sender->metadata()->started_at;
            }
            flow->clock = clock_of_arrivals(setup.spec, *receiver.metadata(), flow->clock);
            if (flow->clock.absolute()) {
                flow->start = moved(sender->metadata()->started_at, flow->clock.offset);
            }
            if (const std::string why = why_clocks_are_mixed(flow->clock, totals_of(receiver, setup.spec.id));
                not why.empty()) {
                left_out_.push_back(fmt::format("flow {} is left out: {}", setup.spec.id.value, why));
                continue;
            }
            if (not first_start_) {
                first_start_ = sender != nullptr ? sender->metadata()->started_at : flow->start;
            }
            flow->tag = tag_of(setup.spec, receiver);
            flows_[{index, setup.spec.id}] = std::move(flow);
        }
    }

    /// Differs for each flow, receiver and run.
    std::string tag_of(const FlowSpec& spec, const IndexedLog& receiver) {
        const std::string number = std::to_string(spec.id.value);
        std::string tag = tag_text(spec.name.empty() ? fmt::format("flow-{}", number) : spec.name);
        for (const std::string& more : {receiver.metadata()->host, number, receiver.metadata()->run_id}) {
            if (tags_.insert(tag).second) {
                return tag;
            }
            tag = fmt::format("{}@{}", tag, tag_text(more));
        }
        tags_.insert(tag);
        return tag;
    }

    [[nodiscard]] static bool usable(const ReceivedRecord& record) {
        return record.sent_at != ReceivedRecord::kNoTime and
               not is_limited(difference(record.received_at, record.sent_at));
    }

    void find_smallest() {
        std::vector<ReceivedRecord> records;
        for (const auto& [key, flow] : flows_) {
            if (flow->clock.absolute()) {
                continue;
            }
            IndexedLog& log = *receivers_[key.first];
            std::optional<WallTime> first_arrival;
            Nanos left_after{0};
            for (const RecordBlock& block : log.blocks()) {
                if (block.flow != key.second or block.type != BlockType::received or not log.read(block, records)) {
                    continue;
                }
                for (const ReceivedRecord& record : records) {
                    if (usable(record)) {
                        const Nanos delay = difference(record.received_at, record.sent_at);
                        flow->smallest = std::min(flow->smallest.value_or(delay), delay);
                        if (not first_arrival or record.received_at < *first_arrival) {
                            first_arrival = record.received_at;
                            left_after =
                                flow->sender_start ? difference(record.sent_at, *flow->sender_start) : Nanos{0};
                        }
                    }
                }
            }
            if (flow->clock.kind == ClockState::Kind::interface) {
                flow->start =
                    first_arrival ? moved(*first_arrival, -left_after) : flow->start;  // as if it took no time
            }
        }
    }

    void write_head() {
        const double start = to_seconds(first_start_.value_or(WallTime{}).time_since_epoch());
        write_(
            fmt::format("#[One-way delays in ns, by groma-dec {}]\n#[Histogram log format version 1.3]\n"
                        "#[StartTime: {:.3f} (seconds since epoch)]\n#[BaseTime: {:.3f} (seconds since epoch)]\n"
                        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n",
                        GROMA_VERSION, start, start));
    }

    void add(HdrFlow& flow, const ReceivedRecord& record) {
        if (record.seq != ReceivedRecord::kNoSeq and flow.seen.add(record.seq) == SequenceTracker::Kind::duplicate) {
            return;
        }
        if (not usable(record)) {
            ++undated_;
            return;
        }
        const Nanos since = difference(flow.clock.steady(record.received_at, record.sent_at), flow.start);
        const std::int64_t interval = since / options_.interval - (since % options_.interval < Nanos{0} ? 1 : 0);
        if (interval > latest_) {
            flush_before(interval);
            latest_ = interval;
        }
        if (interval != flow.interval) {
            flush(flow);
            flow.interval = interval;
        }
        const Nanos shift =
            flow.smallest ? *flow.smallest : flow.clock.offset_of_arrival(record.received_at, record.sent_at);
        const Nanos delay = difference(record.received_at, record.sent_at, shift);
        negative_ += delay < Nanos{0} ? 1 : 0;
        flow.delays.add(std::max(delay, Nanos{0}).count());
    }

    void flush_before(std::int64_t interval) {
        for (const auto& [key, flow] : flows_) {
            if (flow->interval < interval) {
                flush(*flow);
            }
        }
    }

    void flush(HdrFlow& flow) {
        if (flow.delays.count() == 0) {
            return;
        }
        write_(fmt::format("Tag={},{:.3f},{:.3f},{:.3f},{}\n", flow.tag, to_seconds(flow.interval * options_.interval),
                           to_seconds(options_.interval), static_cast<double>(flow.delays.max()) / kNanosPerMilli,
                           hdr_histogram_text(flow.delays)));
        flow.delays = {};
    }

    [[nodiscard]] std::vector<std::string> warnings() const {
        std::vector<std::string> said = left_out_;
        if (receivers_.empty()) {
            said.emplace_back("no histograms of delay: none of the logs is a receiver's");
        }
        if (undated_ > 0) {
            said.push_back(
                fmt::format("{} {} in no histogram: without a time of departure, or more than 73 years from it",
                            counted(undated_, "packet"), by_count(undated_, "is", "are")));
        }
        if (negative_ > 0) {
            said.push_back(
                fmt::format("{} delays are below 0, which HdrHistogram does not know: they count as 0", negative_));
        }
        return said;
    }

    HdrLogOptions options_;
    const std::function<void(std::string_view)>& write_;
    std::vector<IndexedLog*> receivers_;
    std::map<LoggedFlow, std::unique_ptr<HdrFlow>> flows_;
    std::set<std::string> tags_;
    std::vector<std::string> left_out_;
    std::optional<WallTime> first_start_;
    std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();
    std::uint64_t undated_ = 0;
    std::uint64_t negative_ = 0;
};

}  // namespace

std::vector<std::string> write_hdr_log(const std::vector<IndexedLog*>& logs, const HdrLogOptions& options,
                                       const std::function<void(std::string_view)>& write) {
    return HdrLog(logs, options, write).run();
}

}  // namespace groma
