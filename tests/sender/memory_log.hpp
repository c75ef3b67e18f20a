// A log in memory that can fail on request, and its contents for a reader.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/log/log_sink.hpp"
#include "common/log/log_writer.hpp"

namespace groma {

class BoundedSink final : public LogSink {
public:
    void append(std::span<const std::byte> piece) override {
        if (bytes.size() >= room) {
            throw std::runtime_error("the disk is full");
        }
        ++pieces;
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
    void close() override {}
    std::string describe() const override { return "memory"; }

    std::vector<std::byte> bytes;
    std::size_t room = std::size_t{1} << 40U;
    int pieces = 0;
};

/// The records of a log by flow, in the order of the log.
struct SentRecords final : LogVisitor {
    void on_sent(FlowId flow, std::span<const SentRecord> records) override {
        by_flow[flow].insert(by_flow[flow].end(), records.begin(), records.end());
    }
    void on_gap(const LogGap& /*gap*/) override { ++gaps; }

    std::map<FlowId, std::vector<SentRecord>> by_flow;
    int gaps = 0;
};

/// Closes the log and reads it back.
inline SentRecords read_back(LogWriter& writer, const BoundedSink& sink) {
    writer.close({});
    SentRecords found;
    read_log(sink.bytes, "memory", found);
    return found;
}

}  // namespace groma
