#include "common/log/log_writer.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "common/base/errors.hpp"
#include "common/log/log_json.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/record_block.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {

namespace {

/// Pending records by flow, fewer than a block. A flow's memory keeps the size of its largest number pending.
template <typename Record>
using Pending = std::map<FlowId, std::vector<Record>>;

using AllPending = std::tuple<Pending<SentRecord>, Pending<ReceivedRecord>, Pending<RoundTripRecord>,
                              Pending<TransmitRecord>, Pending<ConnectionSample>>;

}  // namespace

struct LogWriter::State {
    State(LogSink& where, std::size_t most_in_block)
        : sink(where), block_records(std::clamp<std::size_t>(most_in_block, 1, kMaxBlockRecords)) {}

    void start_block() { block.assign(kBlockHeaderSize, std::byte{0}); }

    /// Passes on the block whose payload is in place. Uses up the number even if the sink throws, so that readers see
    /// the gap.
    void finish_block(BlockHeader header) {
        header.number = next_number++;
        seal_block(header, block);
        sink.append(block);
        bytes += block.size();
    }

    /// Writes the object into the block. Throws: RunError if it is too large; then nothing was written.
    template <typename Object>
    void make_json(const Object& object) {
        check(not closed, "nothing is added to a log that was closed");
        start_block();
        append_json(object, block);
        if (const std::size_t size = block.size() - kBlockHeaderSize; size > kMaxJsonPayload) {
            throw RunError("cannot write " + sink.describe() + ": what it says about its flows takes " +
                           std::to_string(size) + " bytes and a log takes " + std::to_string(kMaxJsonPayload) +
                           " (use fewer flows)");
        }
    }

    void finish_json(BlockType type) {
        finish_block({.type = static_cast<std::uint8_t>(type)});
        if (block.size() - kBlockHeaderSize > kMaxRecordPayload) {
            block = std::vector<std::byte>();  // later blocks are smaller
        }
    }

    template <typename Object>
    void write_json(BlockType type, const Object& object) {
        make_json(object);
        finish_json(type);
    }

    template <typename Record>
    void write_records(FlowId flow, std::span<const Record> records) {
        start_block();
        const std::uint8_t version = columns.pack(records, block);
        finish_block({.type = static_cast<std::uint8_t>(kBlockType<Record>),
                      .version = version,
                      .flow = flow,
                      .first_seq = first_seq_of(records.front()),
                      .count = static_cast<std::uint32_t>(records.size())});
    }

    /// Requires: room for them.
    template <typename Record>
    void hold(FlowId flow, std::vector<Record>& held, std::span<const Record> more) {
        held.insert(held.end(), more.begin(), more.end());
        if (held.size() == most_in_block<Record>()) {
            write_held(flow, held);
        }
    }

    template <typename Record>
    void write_held(FlowId flow, std::vector<Record>& held) {
        if (held.empty()) {
            return;
        }
        try {
            write_records(flow, std::span<const Record>(held));
        } catch (...) {
            held.clear();  // lost with the block
            throw;
        }
        held.clear();
    }

    template <typename Record>
    [[nodiscard]] std::size_t most_in_block() const {
        return std::min<std::size_t>(block_records, kMostInBlock<Record>);
    }

    template <typename Record>
    void add(FlowId flow, std::span<const Record> more) {
        check(not closed, "nothing is added to a log that was closed");
        std::vector<Record>& held = std::get<Pending<Record>>(pending)[flow];
        while (not more.empty()) {
            const auto part = more.first(std::min(more.size(), most_in_block<Record>() - held.size()));
            more = more.subspan(part.size());
            taken += part.size();
            hold(flow, held, part);
        }
    }

    template <typename Record>
    void flush_kind() {
        for (auto& [flow, held] : std::get<Pending<Record>>(pending)) {
            write_held(flow, held);
        }
    }

    void flush() {
        flush_kind<SentRecord>();
        flush_kind<ReceivedRecord>();
        flush_kind<RoundTripRecord>();
        flush_kind<TransmitRecord>();
        flush_kind<ConnectionSample>();
    }

    LogSink& sink;
    std::size_t block_records;
    std::vector<std::byte> block;  ///< the one being made
    RecordColumns columns;
    AllPending pending;
    std::uint64_t next_number = 0;
    std::uint64_t taken = 0;  ///< records
    std::uint64_t bytes = 0;
    bool closed = false;
};

LogWriter::LogWriter(LogSink& sink, const RunMetadata& metadata, std::size_t block_records)
    : state_(std::make_unique<State>(sink, block_records)) {
    state_->make_json(metadata);  // before any write: a log that cannot begin leaves no bytes
    const auto header = make_log_header();
    sink.append(header);
    state_->bytes += header.size();
    state_->finish_json(BlockType::metadata);
}

LogWriter::~LogWriter() = default;

void LogWriter::add(FlowId flow, std::span<const SentRecord> records) {
    state_->add(flow, records);
}

void LogWriter::add(FlowId flow, std::span<const ReceivedRecord> records) {
    state_->add(flow, records);
}

void LogWriter::add(FlowId flow, std::span<const RoundTripRecord> records) {
    state_->add(flow, records);
}

void LogWriter::add(FlowId flow, std::span<const TransmitRecord> records) {
    state_->add(flow, records);
}

void LogWriter::add(FlowId flow, std::span<const ConnectionSample> samples) {
    state_->add(flow, samples);
}

void LogWriter::add(const ClockProbe& probe) {
    state_->write_json(BlockType::probe, probe);
}

void LogWriter::add(const LogEvent& event) {
    state_->write_json(BlockType::event, event);
}

void LogWriter::flush() {
    state_->flush();
}

void LogWriter::close(const LogTotals& totals) {
    check(not state_->closed, "a log is closed once");
    flush();
    state_->write_json(BlockType::totals, totals);
    state_->closed = true;
    state_->sink.close();
}

std::uint64_t LogWriter::records() const {
    return state_->taken;
}

std::uint64_t LogWriter::bytes() const {
    return state_->bytes;
}

}  // namespace groma
