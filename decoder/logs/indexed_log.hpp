// A log whose blocks of records can be read one at a time and in any order: one pass over the file locates them.
// Memory: 32 bytes for each block, and the metadata. The file is untrusted and may change meanwhile: a block is checked
// again when it is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/log/run_metadata.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/record_block.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {

/// A block of records of one flow, as its header announces it.
struct RecordBlock {
    std::uint64_t offset = 0;     ///< of its header, in the log
    std::uint64_t first_seq = 0;  ///< of its first record; ReceivedRecord::kNoSeq: it has none
    FlowId flow{};
    std::uint32_t count = 0;
    std::uint32_t stored_length = 0;
    BlockType type{};
    std::uint8_t version = 0;
};

class IndexedLog {
public:
    /// Throws: SystemError when the file cannot be read; UsageError when it is not a regular file; ParseError when it
    /// is not a log.
    explicit IndexedLog(const std::filesystem::path& file);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Empty: they are damaged.
    [[nodiscard]] const std::optional<RunMetadata>& metadata() const { return metadata_; }
    [[nodiscard]] const std::vector<ClockProbe>& probes() const { return probes_; }
    [[nodiscard]] const std::optional<LogTotals>& totals() const { return totals_; }
    /// Unreadable pieces, in the order of the file; those beyond the first 100,000 are counted only.
    [[nodiscard]] const std::vector<LogGap>& gaps() const { return gaps_; }
    [[nodiscard]] std::uint64_t gaps_left_out() const { return gaps_left_out_; }
    /// In the order of the file.
    [[nodiscard]] const std::vector<RecordBlock>& blocks() const { return blocks_; }

    /// Reads the records of a block. Returns: whether they are there; if not, `records` is empty.
    /// Requires: the block is one of blocks(), and holds records of this kind. Throws: SystemError.
    template <typename Record>
    [[nodiscard]] bool read(const RecordBlock& block, std::vector<Record>& records) {
        records.clear();
        const auto payload = payload_of(block);
        if (not payload) {
            return false;
        }
        records.resize(block.count);
        if (columns_.unpack(*payload, std::span<Record>(records), block.version) and
            first_seq_of(records.front()) == block.first_seq) {
            return true;
        }
        records.clear();
        return false;
    }

private:
    class Index;

    /// Empty: the block is gone or damaged.
    [[nodiscard]] std::optional<std::span<const std::byte>> payload_of(const RecordBlock& block);

    std::string name_;
    FileDescriptor fd_;
    std::optional<RunMetadata> metadata_;
    std::vector<ClockProbe> probes_;
    std::optional<LogTotals> totals_;
    std::vector<LogGap> gaps_;
    std::uint64_t gaps_left_out_ = 0;
    std::vector<RecordBlock> blocks_;
    RecordColumns columns_;
    std::vector<std::byte> buffer_;  ///< of one block
};

}  // namespace groma
