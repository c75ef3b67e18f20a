// Finds the intact blocks of a log, in order. Reports all else to the visitor as gaps: skips damage up to the next
// intact block, names missing numbers, drops repeated blocks and all that comes after the totals.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/log/log_bytes.hpp"
#include "common/log/log_reader.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

/// A block whose checksum matches. Its payload is still untrusted.
struct LogBlock {
    BlockHeader header;
    std::uint64_t offset = 0;  ///< of the header, in the log
    std::span<const std::byte> payload;

    [[nodiscard]] std::uint64_t size() const { return kBlockHeaderSize + payload.size(); }
};

class BlockStream {
public:
    /// Starts at the position of `bytes`, after the file header. Both outlive the stream.
    BlockStream(LogBytes& bytes, LogVisitor& visitor) : bytes_(bytes), visitor_(visitor) {}

    /// Returns: the next block, valid until the next call; empty at the end of the log.
    [[nodiscard]] std::optional<LogBlock> next();

    /// Opens a gap at `offset` unless one is open: bytes are lost from there to the next block. `torn_tail`: they look
    /// like the start of a block, and are one if no block follows.
    void start_gap(std::uint64_t offset, std::string reason, bool torn_tail = false);

private:
    /// The block that starts here, if complete; otherwise opens a gap and skips to where a block may start.
    [[nodiscard]] std::optional<LogBlock> try_block();
    [[nodiscard]] bool in_order(const LogBlock& block);
    void leave_out(const LogBlock& block);
    void skip_to_magic();
    void skip_damaged(std::size_t block_size);
    void end_gap(bool at_end);

    LogBytes& bytes_;
    LogVisitor& visitor_;
    std::size_t delivered_ = 0;  ///< bytes of the block that next() returned last
    std::uint64_t expected_ = 0;
    std::uint64_t hashed_in_vain_ = 0;
    std::optional<LogGap> gap_;
    bool had_totals_ = false;                ///< the last block of a log
    std::uint64_t blocks_after_totals_ = 0;  ///< the gap is open since the first of them
    std::uint64_t records_after_totals_ = 0;
};

}  // namespace groma
