#include "common/log/log_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/block_stream.hpp"
#include "common/log/log_bytes.hpp"
#include "common/log/log_json.hpp"
#include "common/wire/record_block.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw ParseError(name, {TextMistake{.line = 0, .column = 0, .what = what}});
}

std::string beginning_of(std::span<const std::byte> bytes) {
    constexpr std::size_t kShown = 8;
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    return plain_text(std::string_view(text, std::min(bytes.size(), kShown)));
}

/// Goes past the file header. Throws: ParseError when this is no log that this program can read.
void read_log_header(LogBytes& bytes, const std::string& name, BlockStream& blocks) {
    const auto start = bytes.peek(kLogHeaderSize);
    if (start.empty()) {
        refuse(name, "is empty: whatever should have written this log did not start");
    }
    const LogHeader header = parse_log_header(start);
    switch (header.state) {
        case LogHeader::State::foreign:
            refuse(name, "is not a Groma log (starts with \"" + beginning_of(start) + "\")");
        case LogHeader::State::cut:
            refuse(name, "ends within the header of a Groma log: it holds no records");
        case LogHeader::State::damaged:
            blocks.start_gap(0, "the header of the log is damaged");
            break;
        case LogHeader::State::whole:
            break;
    }
    if (header.state == LogHeader::State::whole and header.version != kLogVersion) {
        refuse(name, std::string("was written by ") + (header.version > kLogVersion ? "a newer" : "another") +
                         " version of Groma (log format " + std::to_string(header.version) +
                         "; this program reads format " + std::to_string(kLogVersion) + ")");
    }
    bytes.skip(kLogHeaderSize);
}

/// What a block of JSON says.
using Statement = std::variant<RunMetadata, ClockProbe, LogEvent, LogTotals>;

/// Throws: UsageError.
Statement statement_of(BlockType type, std::span<const std::byte> text) {
    const nlohmann::json object = parse_log_json(text);
    switch (type) {
        case BlockType::metadata:
            return run_metadata_from_json(object);
        case BlockType::probe:
            return clock_probe_from_json(object);
        case BlockType::event:
            return log_event_from_json(object);
        default:
            return log_totals_from_json(object);
    }
}

/// Tells a visitor what blocks say.
class BlockDecoder {
public:
    explicit BlockDecoder(LogVisitor& visitor) : visitor_(visitor) {}

    void decode(const LogBlock& block) {
        const std::string mistake = try_decode(block);
        if (not mistake.empty()) {
            visitor_.on_gap({.offset = block.offset,
                             .bytes = block.size(),
                             .reason = "block " + std::to_string(block.header.number) + " " + mistake});
        }
    }

private:
    /// Returns: what is wrong with the block, or nothing.
    std::string try_decode(const LogBlock& block) {
        const BlockHeader& header = block.header;
        const auto type = static_cast<BlockType>(header.type);
        if (not version_is_known(type, header.version) or header.compression != 0) {
            return "is written in a way that this program does not know (a newer version of Groma?)";
        }
        switch (type) {
            case BlockType::sent:
                return decode_records<SentRecord>(block);
            case BlockType::received:
                return decode_records<ReceivedRecord>(block);
            case BlockType::round_trip:
                return decode_records<RoundTripRecord>(block);
            case BlockType::transmitted:
                return decode_records<TransmitRecord>(block);
            case BlockType::connection:
                return decode_records<ConnectionSample>(block);
            case BlockType::metadata:
            case BlockType::probe:
            case BlockType::event:
            case BlockType::totals:
                return decode_json(block);
        }
        return "is of the unknown type " + std::to_string(header.type) + " (a newer version of Groma?)";
    }

    template <typename Record>
    std::string decode_records(const LogBlock& block) {
        const BlockHeader& header = block.header;
        if (header.count == 0 or header.count > kMostInBlock<Record>) {
            return "claims " + std::to_string(header.count) + " records, a block holds 1 to " +
                   std::to_string(kMostInBlock<Record>);
        }
        auto& records = std::get<std::vector<Record>>(records_);
        records.resize(header.count);
        if (not columns_.unpack(block.payload, std::span<Record>(records), header.version) or
            first_seq_of(records.front()) != header.first_seq) {
            return "does not hold the records that its header announces";
        }
        tell(header.flow, records);
        return {};
    }

    std::string decode_json(const LogBlock& block) {
        std::optional<Statement> statement;
        try {
            statement = statement_of(static_cast<BlockType>(block.header.type), block.payload);
        } catch (const UsageError& error) {
            return std::string("cannot be understood: ") + error.what();
        }
        // Outside of the try: an error of the visitor's own is not the log's.
        std::visit([this](const auto& what) { tell(what); }, *statement);
        return {};
    }

    void tell(FlowId flow, const std::vector<SentRecord>& records) { visitor_.on_sent(flow, records); }
    void tell(FlowId flow, const std::vector<ReceivedRecord>& records) { visitor_.on_received(flow, records); }
    void tell(FlowId flow, const std::vector<RoundTripRecord>& records) { visitor_.on_returned(flow, records); }
    void tell(FlowId flow, const std::vector<TransmitRecord>& records) { visitor_.on_transmitted(flow, records); }
    void tell(FlowId flow, const std::vector<ConnectionSample>& samples) { visitor_.on_connection(flow, samples); }
    void tell(const RunMetadata& metadata) { visitor_.on_metadata(metadata); }
    void tell(const ClockProbe& probe) { visitor_.on_probe(probe); }
    void tell(const LogEvent& event) { visitor_.on_event(event); }
    void tell(const LogTotals& totals) { visitor_.on_totals(totals); }

    LogVisitor& visitor_;
    RecordColumns columns_;
    std::tuple<std::vector<SentRecord>, std::vector<ReceivedRecord>, std::vector<RoundTripRecord>,
               std::vector<TransmitRecord>, std::vector<ConnectionSample>>
        records_;  ///< of one block at a time
};

void read_log(LogBytes& bytes, const std::string& name, LogVisitor& visitor) {
    BlockStream blocks(bytes, visitor);
    read_log_header(bytes, name, blocks);
    BlockDecoder decoder(visitor);
    while (const auto block = blocks.next()) {
        decoder.decode(*block);
        visitor.on_progress(block->offset + block->size());
    }
}

}  // namespace

void read_log(const std::filesystem::path& file, LogVisitor& visitor) {
    FileBytes bytes(file);
    read_log(bytes, file.string(), visitor);
}

void read_log(std::span<const std::byte> bytes, const std::string& name, LogVisitor& visitor) {
    MemoryBytes memory(bytes);
    read_log(memory, name, visitor);
}

}  // namespace groma
