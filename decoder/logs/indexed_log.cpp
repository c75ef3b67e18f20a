#include "decoder/logs/indexed_log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/log/block_stream.hpp"
#include "common/log/log_bytes.hpp"
#include "common/log/log_json.hpp"
#include "common/log/open_log.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

// A log has a few dozen of each: a file must not decide how much memory is used.
constexpr std::size_t kMostKept = 100'000;

bool holds_records(BlockType type) {
    switch (type) {
        case BlockType::sent:
        case BlockType::received:
        case BlockType::round_trip:
        case BlockType::transmitted:
        case BlockType::connection:
            return true;
        default:
            return false;
    }
}

FileDescriptor open_file(const std::filesystem::path& file) {
    FileDescriptor fd = open_log(file);
    struct stat about {};
    checked("look at " + file.string(), ::fstat(fd.get(), &about));
    if (not S_ISREG(about.st_mode)) {
        throw UsageError("cannot read " + file.string() +
                         " here and there, as this needs: it is not a regular file; give a log as a file");
    }
    return fd;
}

}  // namespace

/// Keeps what a log says, block by block.
class IndexedLog::Index final : public LogVisitor {
public:
    explicit Index(IndexedLog& log) : log_(log) {}

    void on_gap(const LogGap& gap) override {
        log_.gaps_.size() < kMostKept ? log_.gaps_.push_back(gap) : static_cast<void>(++log_.gaps_left_out_);
    }

    void take(const LogBlock& block) {
        std::string error;
        if (holds_records(static_cast<BlockType>(block.header.type))) {
            error = take_records(block);
        } else {
            try {
                error = take_statement(block);
            } catch (const UsageError& unreadable) {
                error = std::string("cannot be understood: ") + unreadable.what();
            }
        }
        if (not error.empty()) {
            on_gap({.offset = block.offset,
                    .bytes = block.size(),
                    .reason = "block " + std::to_string(block.header.number) + " " + error});
        }
    }

private:
    [[nodiscard]] std::string take_records(const LogBlock& block) {
        const BlockHeader& header = block.header;
        const auto type = static_cast<BlockType>(header.type);
        if (not version_is_known(type, header.version) or header.compression != 0) {
            return "is written in a way that this program does not know (a newer version of Groma?)";
        }
        const std::uint32_t most = type == BlockType::connection ? kMaxBlockSamples : kMaxBlockRecords;
        if (header.count == 0 or header.count > most) {
            return "claims " + std::to_string(header.count) + " records, a block holds 1 to " + std::to_string(most);
        }
        log_.blocks_.push_back({.offset = block.offset,
                                .first_seq = header.first_seq,
                                .flow = header.flow,
                                .count = header.count,
                                .stored_length = header.stored_length,
                                .type = type,
                                .version = header.version});
        return {};
    }

    /// Throws: UsageError.
    [[nodiscard]] std::string take_statement(const LogBlock& block) {
        switch (static_cast<BlockType>(block.header.type)) {
            case BlockType::metadata:
                if (auto metadata = from_json<RunMetadata>(parse_log_json(block.payload)); not log_.metadata_) {
                    log_.metadata_ = std::move(metadata);
                }
                return {};
            case BlockType::probe:
                if (log_.probes_.size() < kMostKept) {
                    log_.probes_.push_back(from_json<ClockProbe>(parse_log_json(block.payload)));
                }
                return {};
            case BlockType::totals:
                log_.totals_ = from_json<LogTotals>(parse_log_json(block.payload));
                return {};
            case BlockType::event:
                (void)from_json<LogEvent>(parse_log_json(block.payload));
                return {};
            default:
                return "is of the unknown type " + std::to_string(block.header.type) + " (a newer version of Groma?)";
        }
    }

    IndexedLog& log_;
};

IndexedLog::IndexedLog(const std::filesystem::path& file) : name_(file.string()), fd_(open_file(file)) {
    FileBytes bytes(file);
    Index index(*this);
    const auto start = bytes.peek(kLogHeaderSize);
    const auto header = start.first(std::min(start.size(), kLogHeaderSize));
    LogVisitor nobody;
    read_log(header, name_, nobody);  // refuses what is not a log
    BlockStream blocks(bytes, index);
    if (parse_log_header(header).state == LogHeader::State::damaged) {
        blocks.start_gap(0, "the header of the log is damaged");
    }
    bytes.skip(kLogHeaderSize);
    while (const auto block = blocks.next()) {
        index.take(*block);
    }
}

std::optional<std::span<const std::byte>> IndexedLog::payload_of(const RecordBlock& block) {
    buffer_.resize(kBlockHeaderSize + block.stored_length);
    std::size_t have = 0;
    while (have < buffer_.size()) {
        const ssize_t got =
            ::pread(fd_.get(), buffer_.data() + have, buffer_.size() - have, static_cast<off_t>(block.offset + have));
        if (got < 0 and errno == EINTR) {
            continue;
        }
        if (checked("read " + name_, got) == 0) {
            return std::nullopt;
        }
        have += static_cast<std::size_t>(got);
    }
    const auto header = parse_block_header(buffer_);
    if (not header or header->stored_length != block.stored_length or header->count != block.count or
        header->type != static_cast<std::uint8_t>(block.type) or not block_is_intact(buffer_)) {
        return std::nullopt;
    }
    return std::span<const std::byte>(buffer_).subspan(kBlockHeaderSize);
}

}  // namespace groma
