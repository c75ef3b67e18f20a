// Finds the intact blocks of a log, in order. What lies between them goes to the visitor as gaps: damage is skipped up
// to the next block that is whole, numbers that are missing are named, blocks that come again are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/log/log_bytes.hpp"
#include "common/log/log_reader.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

/// A block whose checksum matches. What its payload says is still hostile.
struct LogBlock {
    BlockHeader header;
    std::uint64_t offset = 0;  ///< of the header, in the log
    std::span<const std::byte> payload;

    [[nodiscard]] std::uint64_t size() const { return kBlockHeaderSize + payload.size(); }
};

class BlockStream {
public:
    /// Starts where `bytes` is, behind the file header. Both outlive the stream.
    BlockStream(LogBytes& bytes, LogVisitor& visitor) : bytes_(bytes), visitor_(visitor) {}

    /// Returns: the next block, valid until the next call; nothing at the end of the log.
    [[nodiscard]] std::optional<LogBlock> next();

    /// Opens a gap at `offset`, unless one is open: bytes are lost from there to the next block. `torn_tail` when they
    /// look like the beginning of a block, which they are if no block follows.
    void start_gap(std::uint64_t offset, std::string reason, bool torn_tail = false);

private:
    /// What starts here, if it is a whole block; otherwise opens a gap and goes on to where one may start.
    [[nodiscard]] std::optional<LogBlock> try_block();
    [[nodiscard]] bool in_order(const LogBlock& block);
    void skip_to_magic();
    void skip_damaged(std::size_t block_size);
    void end_gap(bool at_end);

    LogBytes& bytes_;
    LogVisitor& visitor_;
    std::size_t delivered_ = 0;  ///< bytes of the block that next() gave out last
    std::uint64_t expected_ = 0;
    std::uint64_t hashed_in_vain_ = 0;
    std::optional<LogGap> gap_;
};

}  // namespace groma
