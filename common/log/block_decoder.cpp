#include "common/log/block_decoder.hpp"

#include <variant>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/log/log_json.hpp"
#include "common/wire/record_block.hpp"

namespace groma {

namespace {

/// The contents of a JSON block.
using Statement = std::variant<RunMetadata, ClockProbe, LogEvent, LogTotals>;

/// Throws: UsageError.
Statement statement_of(BlockType type, std::span<const std::byte> text) {
    const nlohmann::json object = parse_log_json(text);
    switch (type) {
        case BlockType::metadata:
            return from_json<RunMetadata>(object);
        case BlockType::probe:
            return from_json<ClockProbe>(object);
        case BlockType::event:
            return from_json<LogEvent>(object);
        default:
            return from_json<LogTotals>(object);
    }
}

/// Calls the visitor for records and for statements by one name.
struct Teller {
    LogVisitor& visitor;
    FlowId flow{};

    void operator()(const std::vector<SentRecord>& records) const { visitor.on_sent(flow, records); }
    void operator()(const std::vector<ReceivedRecord>& records) const { visitor.on_received(flow, records); }
    void operator()(const SentColumns& records) const { visitor.on_sent_columns(flow, records); }
    void operator()(const ReceivedColumns& records) const { visitor.on_received_columns(flow, records); }
    void operator()(const std::vector<RoundTripRecord>& records) const { visitor.on_returned(flow, records); }
    void operator()(const std::vector<TransmitRecord>& records) const { visitor.on_transmitted(flow, records); }
    void operator()(const std::vector<ConnectionSample>& samples) const { visitor.on_connection(flow, samples); }
    void operator()(const RunMetadata& metadata) const { visitor.on_metadata(metadata); }
    void operator()(const ClockProbe& probe) const { visitor.on_probe(probe); }
    void operator()(const LogEvent& event) const { visitor.on_event(event); }
    void operator()(const LogTotals& totals) const { visitor.on_totals(totals); }
};

constexpr const char* kOtherRecords = "does not hold the records that its header announces";

/// What is wrong with the number of records that a block claims; empty if it is right.
std::string wrong_count(std::uint32_t count, std::uint32_t most) {
    if (count > 0 and count <= most) {
        return {};
    }
    return "claims " + std::to_string(count) + " records, a block holds 1 to " + std::to_string(most);
}

std::string decode_json(const LogBlock& block, LogVisitor& visitor) {
    std::optional<Statement> statement;
    try {
        statement = statement_of(static_cast<BlockType>(block.header.type), block.payload);
    } catch (const UsageError& error) {
        return std::string("cannot be understood: ") + error.what();
    }
    // Outside of the try: an error of the visitor's own is not an error of the log.
    std::visit(Teller{visitor}, *statement);
    return {};
}

}  // namespace

std::optional<LogGap> BlockDecoder::decode(const LogBlock& block, LogVisitor& visitor) {
    const std::string error = try_decode(block, visitor);
    if (error.empty()) {
        return std::nullopt;
    }
    return LogGap{.offset = block.offset,
                  .bytes = block.size(),
                  .reason = "block " + std::to_string(block.header.number) + " " + error};
}

std::string BlockDecoder::try_decode(const LogBlock& block, LogVisitor& visitor) {
    const BlockHeader& header = block.header;
    const auto type = static_cast<BlockType>(header.type);
    if (not version_is_known(type, header.version) or header.compression != 0) {
        return "is written in a way that this program does not know (a newer version of Groma?)";
    }
    switch (type) {
        case BlockType::sent:
            return visitor.takes_columns() ? decode_columns<SentColumns>(block, visitor)
                                           : decode_records<SentRecord>(block, visitor);
        case BlockType::received:
            return visitor.takes_columns() ? decode_columns<ReceivedColumns>(block, visitor)
                                           : decode_records<ReceivedRecord>(block, visitor);
        case BlockType::round_trip:
            return decode_records<RoundTripRecord>(block, visitor);
        case BlockType::transmitted:
            return decode_records<TransmitRecord>(block, visitor);
        case BlockType::connection:
            return decode_records<ConnectionSample>(block, visitor);
        case BlockType::metadata:
            return visitor.takes_metadata() ? decode_json(block, visitor) : std::string();
        case BlockType::probe:
        case BlockType::event:
        case BlockType::totals:
            return decode_json(block, visitor);
    }
    return "is of the unknown type " + std::to_string(header.type) + " (a newer version of Groma?)";
}

template <typename Columns>
std::string BlockDecoder::decode_columns(const LogBlock& block, LogVisitor& visitor) {
    const BlockHeader& header = block.header;
    if (std::string error = wrong_count(header.count, kMaxBlockRecords); not error.empty()) {
        return error;
    }
    Columns columns;
    if (not columns_.unpack(block.payload, header.count, columns, header.version) or
        columns.seq.front() != header.first_seq) {
        return kOtherRecords;
    }
    Teller{visitor, header.flow}(columns);
    return {};
}

template <typename Record>
std::string BlockDecoder::decode_records(const LogBlock& block, LogVisitor& visitor) {
    const BlockHeader& header = block.header;
    if (std::string error = wrong_count(header.count, kMostInBlock<Record>); not error.empty()) {
        return error;
    }
    auto& records = std::get<std::vector<Record>>(records_);
    records.resize(header.count);
    if (not columns_.unpack(block.payload, std::span<Record>(records), header.version) or
        first_seq_of(records.front()) != header.first_seq) {
        return kOtherRecords;
    }
    Teller{visitor, header.flow}(records);
    return {};
}

}  // namespace groma
