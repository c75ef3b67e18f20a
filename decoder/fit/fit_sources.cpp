#include "decoder/fit/fit_sources.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/capture/capture_file.hpp"
#include "common/log/log_reader.hpp"
#include "decoder/logs/log_source.hpp"

namespace groma {

namespace {

Transport transport_of(std::uint8_t protocol) {
    switch (protocol) {
        case ip_protocol::kTcp:
            return Transport::tcp;
        case ip_protocol::kSctp:
            return Transport::sctp;
        case ip_protocol::kDccp:
            return Transport::dccp;
        case ip_protocol::kUdpLite:
            return Transport::udplite;
        case ip_protocol::kIcmp:
        case ip_protocol::kIcmp6:
            return Transport::icmp;
        default:
            return Transport::udp;
    }
}

std::string address_text(const std::array<std::byte, 16>& address, bool ipv6) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(ipv6 ? AF_INET6 : AF_INET, address.data(), text.data(), text.size());
    return text.data();
}

constexpr std::uint16_t kEchoRequest = 8;
constexpr std::uint16_t kEchoReply = 0;
constexpr std::uint16_t kEchoRequest6 = 128;
constexpr std::uint16_t kEchoReply6 = 129;

/// The other direction of the conversation. Of echoes the destination's port is their type, and the source's the
/// identifier of both.
FlowKey turned(FlowKey key) {
    std::swap(key.source, key.destination);
    if (key.protocol == ip_protocol::kIcmp) {
        key.destination_port = key.destination_port == kEchoRequest ? kEchoReply : kEchoRequest;
    } else if (key.protocol == ip_protocol::kIcmp6) {
        key.destination_port = key.destination_port == kEchoRequest6 ? kEchoReply6 : kEchoRequest6;
    } else {
        std::swap(key.source_port, key.destination_port);
    }
    return key;
}

class CaptureReading {
public:
    CaptureReading(const std::string& file, const FitOptions& options, TrafficMeter& meter)
        : options_(options), meter_(meter) {
        source_.name = file == "-" ? "standard input" : file;
        source_.kind = "capture";
    }

    void take(const CapturedFrame& frame) {
        ++source_.seen;
        const FoundFlow found = find_flow(frame.bytes, frame.link, frame.length);
        if (not found.packet) {
            ++source_.left_out[static_cast<std::size_t>(found.instead)];
            return;
        }
        if (found.packet->bare and not options_.bare) {
            ++source_.bare;
            return;
        }
        FlowMeter* const flow = flow_of(found.packet->key);
        if (flow == nullptr) {
            ++source_.flowless;
            return;
        }
        ++source_.used;
        meter_.add(*flow, ns_since_epoch(frame.at), found.packet->size);
    }

    [[nodiscard]] const FitSource& source() const { return source_; }

private:
    FlowMeter* flow_of(const FlowKey& key) {
        if (last_ != nullptr and key == last_key_) {
            return last_;
        }
        auto found = flows_.find(key);
        if (found == flows_.end()) {
            FlowMeter* const flow = meter_.begin_flow(source_.name, flow_name(key), transport_of(key.protocol),
                                                      flows_.contains(turned(key)));
            if (flow == nullptr) {
                return nullptr;
            }
            found = flows_.emplace(key, flow).first;
        }
        last_key_ = key;
        last_ = found->second;
        return last_;
    }

    const FitOptions& options_;
    TrafficMeter& meter_;
    FitSource source_;
    std::map<FlowKey, FlowMeter*> flows_;
    FlowKey last_key_;
    FlowMeter* last_ = nullptr;
};

class LogReading final : public LogVisitor {
public:
    LogReading(const std::string& file, TrafficMeter& meter, FitResults& results) : meter_(meter), results_(results) {
        source_.name = file;
    }

    void on_metadata(const RunMetadata& metadata) override {
        sender_ = metadata.role == LogRole::sender;
        source_.kind = sender_ ? "sender's log" : "receiver's log";
        for (const FlowSetup& setup : metadata.flows) {
            if (not flows_.contains(setup.spec.id)) {
                flows_[setup.spec.id] = {meter_.begin_flow(source_.name, setup.spec.name, setup.spec.transport,
                                                           setup.spec.direction == Direction::reverse),
                                         {}};
            }
        }
    }

    void on_sent(FlowId id, std::span<const SentRecord> records) override {
        if (not sender_) {
            return;
        }
        for (const SentRecord& record : records) {
            take(id, ns_since_epoch(record.sent_at), record.size, record.seq);
        }
    }

    void on_received(FlowId id, std::span<const ReceivedRecord> records) override {
        if (sender_) {
            return;
        }
        for (const ReceivedRecord& record : records) {
            take(id, ns_since_epoch(record.received_at), record.size, std::nullopt);
        }
    }

    void on_gap(const LogGap& gap) override {
        constexpr std::size_t kMost = 100;
        results_.damaged = true;
        if (++gaps_ <= kMost) {
            results_.warnings.push_back(fmt::format("{}: {} unreadable at offset {}: {}", source_.name,
                                                    counted(gap.bytes, "byte"), gap.offset, gap.reason));
        }
    }

    void on_totals(const LogTotals& /*totals*/) override { whole_ = true; }

    FitSource end() {
        if (not whole_) {
            results_.damaged = true;
            results_.warnings.push_back(source_.name +
                                        ": log cut short: totals missing, figures are from the records that are there");
        }
        return source_;
    }

private:
    struct Flow {
        FlowMeter* meter = nullptr;
        std::optional<std::uint64_t> last_seq;
    };

    /// `seq` shows whether a record before is missing, which is unknown for arrivals.
    void take(FlowId id, std::int64_t time_ns, std::uint32_t size, std::optional<std::uint64_t> seq) {
        ++source_.seen;
        const auto found = flows_.find(id);
        if (found == flows_.end() or found->second.meter == nullptr) {
            ++source_.flowless;
            return;
        }
        Flow& flow = found->second;
        const bool behind_last = not seq or not flow.last_seq or *seq == *flow.last_seq + 1;
        flow.last_seq = seq;
        ++source_.used;
        meter_.add(*flow.meter, time_ns, size, behind_last);
    }

    TrafficMeter& meter_;
    FitResults& results_;
    FitSource source_;
    bool sender_ = false;
    bool whole_ = false;
    std::size_t gaps_ = 0;
    std::unordered_map<FlowId, Flow> flows_;
};

void read_packets(const std::string& file, const FitOptions& options, TrafficMeter& meter, FitResults& results) {
    CaptureReading reading(file, options, meter);
    try {
        read_capture(file, options.filter, [&](const CapturedFrame& frame) {
            reading.take(frame);
            return true;
        });
    } catch (const RunError& error) {
        if (reading.source().seen == 0) {
            throw;
        }
        results.damaged = true;
        results.warnings.push_back(std::string(error.what()) + ": figures are from the frames before");
    }
    results.sources.push_back(reading.source());
}

}  // namespace

std::string flow_name(const FlowKey& key) {
    const std::string from = address_text(key.source, key.ipv6);
    const std::string to = address_text(key.destination, key.ipv6);
    if (key.protocol == ip_protocol::kIcmp or key.protocol == ip_protocol::kIcmp6) {
        const bool request = key.destination_port == kEchoRequest or key.destination_port == kEchoRequest6;
        return fmt::format("{} > {} echo {} {}", from, to, request ? "request" : "reply", key.source_port);
    }
    const auto* const form = key.ipv6 ? "[{}]:{} > [{}]:{}" : "{}:{} > {}:{}";
    return fmt::format(fmt::runtime(form), from, key.source_port, to, key.destination_port);
}

void read_traffic(const std::string& file, const FitOptions& options, TrafficMeter& meter, FitResults& results) {
    if (file == "-" or not begins_as_log(file)) {
        read_packets(file, options, meter, results);
        return;
    }
    if (not options.filter.empty()) {
        throw UsageError("cannot filter the log " + file +
                         ": --filter is for captures; choose flows of a log with --flow");
    }
    LogReading reading(file, meter, results);
    read_log(std::filesystem::path(file), reading);
    results.sources.push_back(reading.end());
}

}  // namespace groma
