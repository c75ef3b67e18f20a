#include "python/extension/log_packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "decoder/analysis/clock_relation.hpp"
#include "decoder/logs/catalogue.hpp"
#include "decoder/logs/log_source.hpp"
#include "decoder/logs/stored_experiment.hpp"
#include "python/extension/packet_match.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kBlocksBetweenLooks = 256;

/// What all logs of a run have, of the kinds that were wished for.
struct Tables {
    SentPackets sent;
    ReceivedPackets received;
    ReturnedPackets returned;
    TransmittedPackets transmitted;

    [[nodiscard]] std::uint64_t bytes() const {
        return sent.count() * SentPackets::kBytes + received.count() * ReceivedPackets::kBytes +
               returned.count() * ReturnedPackets::kBytes + transmitted.count() * TransmittedPackets::kBytes;
    }
};

/// Takes the packets of one log.
class PacketCollector final : public LogVisitor {
public:
    PacketCollector(const PacketWish& wish, PacketTable kind, Tables& tables, ReadLog& log)
        : wish_(wish), kind_(kind), tables_(tables), log_(log) {}

    [[nodiscard]] bool takes_metadata() const override { return false; }
    [[nodiscard]] bool takes_columns() const override { return true; }
    void on_sent_columns(FlowId flow, const SentColumns& records) override {
        if (is_wished(flow, PacketTable::sent)) {
            tables_.sent.add(flow, records);
        }
    }
    void on_received_columns(FlowId flow, const ReceivedColumns& records) override {
        if (is_wished(flow, PacketTable::received)) {
            tables_.received.add(flow, records);
        }
    }
    void on_returned(FlowId flow, std::span<const RoundTripRecord> records) override {
        if (is_wished(flow, PacketTable::returned)) {
            tables_.returned.add(flow, records);
        }
    }
    void on_transmitted(FlowId flow, std::span<const TransmitRecord> records) override {
        if (is_wished(flow, PacketTable::transmitted)) {
            tables_.transmitted.add(flow, records);
        }
    }
    void on_probe(const ClockProbe& probe) override { probes_.push_back(probe); }
    void on_totals(const LogTotals& totals) override { log_.totals = totals; }
    void on_gap(const LogGap& gap) override {
        if (log_.gaps.size() < ReadLog::kMostGaps) {
            log_.gaps.push_back(gap);
        } else {
            ++log_.more_gaps;
        }
    }
    void on_progress(std::uint64_t /*offset*/) override {
        if (++blocks_ % kBlocksBetweenLooks != 0) {
            return;
        }
        wish_.look_around();
        if (tables_.bytes() > wish_.most_bytes) {
            throw RunError(fmt::format(
                "the packets of {} take more than the {} MiB of memory that this machine has: read some flows only "
                "(flows=), or have groma-dec compute what you need",
                log_.name, wish_.most_bytes >> 20U));
        }
    }

    [[nodiscard]] const std::vector<ClockProbe>& probes() const { return probes_; }

private:
    [[nodiscard]] bool is_wished(FlowId flow, PacketTable kind) const {
        const bool of_kind = kind == kind_ or (kind_ == PacketTable::matched and
                                               (kind == PacketTable::sent or kind == PacketTable::received));
        return of_kind and (not wish_.flows or wish_.flows->contains(flow));
    }

    const PacketWish& wish_;
    PacketTable kind_;
    Tables& tables_;
    ReadLog& log_;
    std::vector<ClockProbe> probes_;
    std::uint64_t blocks_ = 0;
};

/// A sender's log, with what is needed to relate the clocks of its flows.
struct SenderSide {
    RunMetadata metadata;
    std::vector<ClockProbe> probes;
};

RunLogs the_run(Catalogue found) {
    if (not found.unusable.empty()) {
        throw RunError(found.unusable.front());
    }
    if (found.runs.size() != 1) {
        throw UsageError(found.runs.empty()
                             ? std::string("no log is named")
                             : fmt::format("the logs are of {} runs ({} and {}): read one run at a time",
                                           found.runs.size(), found.runs[0].run_id, found.runs[1].run_id));
    }
    return std::move(found.runs.front());
}

PacketTable kind_of(const PacketWish& wish, const RunLogs& run) {
    if (not wish.kind) {
        return run.receivers.empty() ? PacketTable::sent
               : run.senders.empty() ? PacketTable::received
                                     : PacketTable::matched;
    }
    if (*wish.kind != PacketTable::received and run.senders.empty()) {
        throw UsageError("no sender's log is among them, and packets of that kind are in no other: name it as well");
    }
    if ((*wish.kind == PacketTable::received or *wish.kind == PacketTable::matched) and run.receivers.empty()) {
        throw UsageError("no receiver's log is among them, and arrivals are in no other: name it as well");
    }
    return *wish.kind;
}

/// Packets of a flow to several receivers have several arrivals each, which are of different receivers.
void refuse_several_receivers(const std::vector<CataloguedLog>& receivers) {
    std::map<FlowId, const LogSource*> first;
    for (const CataloguedLog& log : receivers) {
        for (const FlowSetup& setup : log.metadata.flows) {
            const auto [owner, fresh] = first.emplace(setup.spec.id, log.source);
            if (not fresh) {
                throw UsageError(
                    fmt::format("flow {} has several receivers, {} and {}: match one receiver's log at a time",
                                setup.spec.id.value, owner->second->name, log.source->name));
            }
        }
    }
}

void refuse_damage(const ReadLog& log) {
    if (log.gaps.empty() and log.totals) {
        return;
    }
    const std::string what = log.gaps.empty() ? std::string("log cut short: totals missing")
                                              : fmt::format("{} bytes at {}: {}", log.gaps.front().bytes,
                                                            log.gaps.front().offset, log.gaps.front().reason);
    const std::uint64_t more = log.gaps.empty() ? 0 : log.gaps.size() - 1 + log.more_gaps;
    throw RunError(fmt::format("{} is damaged ({}{}): allow_damage=True reads the rest", log.name, what,
                               more == 0 ? std::string() : fmt::format("; and {} more", more)));
}

void note_lost_records(const ReadLog& log, std::vector<std::string>& notes) {
    std::uint64_t lost = 0;
    for (const FlowTotals& flow : log.totals ? log.totals->flows : std::vector<FlowTotals>()) {
        lost += flow.records_lost;
    }
    if (lost > 0) {
        notes.push_back(
            fmt::format("{} lacks {} packets: their records were lost when it was written", log.name, lost));
    }
}

/// The clocks of the arrivals of each flow that both sides' logs name.
std::map<FlowId, ClockState> clocks_of(const std::vector<SenderSide>& senders,
                                       const std::vector<CataloguedLog>& receivers, std::vector<std::string>& notes) {
    std::map<FlowId, ClockState> clocks;
    for (const CataloguedLog& receiver : receivers) {
        for (const SenderSide& sender : senders) {
            const ClockState of_host = relate_clocks(sender.metadata, sender.probes, receiver.metadata);
            bool unknown = false;
            for (const FlowSetup& setup : sender.metadata.flows) {
                const bool theirs = std::ranges::any_of(
                    receiver.metadata.flows, [&](const FlowSetup& other) { return other.spec.id == setup.spec.id; });
                if (theirs) {
                    const ClockState clock = clock_of_arrivals(setup.spec, receiver.metadata, of_host);
                    unknown = unknown or not clock.absolute();
                    clocks[setup.spec.id] = clock;
                }
            }
            if (unknown) {
                notes.push_back(
                    fmt::format("delays of flows in {} are unknown: its clock cannot be related to the sender's",
                                receiver.source->name));
            }
        }
    }
    return clocks;
}

}  // namespace

LogPackets read_packets(PacketWish wish) {
    LogPackets made;
    made.notes = put_logs_in_place_of_folders(wish.paths);
    std::vector<LogSource> sources;
    sources.reserve(wish.paths.size());
    for (const std::string& path : wish.paths) {
        sources.push_back(open_log_source(path == "-" ? "./-" : path));  // a file, not standard input
    }
    const RunLogs run = the_run(catalogue(sources));
    made.kind = kind_of(wish, run);
    if (made.kind == PacketTable::matched) {
        refuse_several_receivers(run.receivers);
    }
    Tables tables;
    std::vector<SenderSide> senders;
    const auto read = [&](const CataloguedLog& log) {
        ReadLog& said = made.logs.emplace_back(ReadLog{.name = log.source->name, .metadata = log.metadata});
        PacketCollector collector(wish, made.kind, tables, said);
        log.source->read(collector);
        if (not wish.allow_damage) {
            refuse_damage(said);
        }
        note_lost_records(said, made.notes);
        return collector.probes();
    };
    if (made.kind != PacketTable::received) {
        for (const CataloguedLog& log : run.senders) {
            senders.push_back({log.metadata, read(log)});
        }
    }
    if (made.kind == PacketTable::received or made.kind == PacketTable::matched) {
        std::ranges::for_each(run.receivers, read);
    }
    switch (made.kind) {
        case PacketTable::sent:
            made.packets = std::move(tables.sent);
            break;
        case PacketTable::received:
            made.packets = std::move(tables.received);
            break;
        case PacketTable::returned:
            made.packets = std::move(tables.returned);
            break;
        case PacketTable::transmitted:
            made.packets = std::move(tables.transmitted);
            break;
        case PacketTable::matched:
            made.packets = match(tables.sent, tables.received, clocks_of(senders, run.receivers, made.notes));
            break;
    }
    return made;
}

}  // namespace groma
