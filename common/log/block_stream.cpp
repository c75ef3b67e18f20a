#include "common/log/block_stream.hpp"

#include <algorithm>
#include <utility>

#include "common/base/counted.hpp"
#include "common/wire/record_block.hpp"

namespace groma {

namespace {

/// A forged log can have a header every few bytes, each with a long payload. After this many bytes with wrong checksums
/// the search skips payloads, which keeps the time proportional to the log's size.
constexpr std::uint64_t kMaxHashedInVain = 256 * 1024 * 1024;

bool starts_like_a_block(std::span<const std::byte> bytes) {
    const std::size_t size = std::min(bytes.size(), kBlockMagic.size());
    return std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size), kBlockMagic.begin());
}

std::string missing_blocks(std::uint64_t first, std::uint64_t next) {
    return next - first == 1 ? "block " + std::to_string(first) + " missing"
                             : "blocks " + std::to_string(first) + " to " + std::to_string(next - 1) + " missing";
}

}  // namespace

void BlockStream::start_gap(std::uint64_t offset, std::string reason, bool torn_tail) {
    if (not gap_) {
        gap_ = LogGap{.offset = offset, .bytes = 0, .reason = std::move(reason), .torn_tail = torn_tail};
    }
}

std::optional<LogBlock> BlockStream::next() {
    bytes_.skip(std::exchange(delivered_, 0));
    while (not bytes_.peek(1).empty()) {
        const auto block = try_block();
        if (block and had_totals_) {
            leave_out(*block);
        } else if (block and in_order(*block)) {
            delivered_ = block->size();
            had_totals_ = block->header.type == static_cast<std::uint8_t>(BlockType::totals);
            return block;
        }
    }
    end_gap(true);
    return std::nullopt;
}

std::optional<LogBlock> BlockStream::try_block() {
    const std::uint64_t offset = bytes_.offset();
    const auto start = bytes_.peek(kBlockHeaderSize);
    const auto header = parse_block_header(start);
    if (not header) {
        const bool like_one = starts_like_a_block(start);
        const bool torn = like_one and start.size() < kBlockHeaderSize;
        start_gap(offset,
                  torn       ? "a block is cut short"
                  : like_one ? "the header of a block is damaged"
                             : "no block where one should be",
                  torn);
        skip_to_magic();
        return std::nullopt;
    }
    const std::size_t size = kBlockHeaderSize + header->stored_length;
    const auto bytes = bytes_.peek(size);
    if (bytes.size() < size) {
        start_gap(offset, "block " + std::to_string(header->number) + " is cut short", true);
        skip_to_magic();
        return std::nullopt;
    }
    if (not block_is_intact(bytes.first(size))) {
        start_gap(offset, "the checksum of block " + std::to_string(header->number) + " does not match");
        skip_damaged(size);
        return std::nullopt;
    }
    return LogBlock{*header, offset, bytes.subspan(kBlockHeaderSize, header->stored_length)};
}

bool BlockStream::in_order(const LogBlock& block) {
    const std::uint64_t number = block.header.number;
    if (number > expected_) {
        start_gap(block.offset, "");
        gap_->reason += (gap_->reason.empty() ? "" : "; ") + missing_blocks(expected_, number);
    }
    end_gap(false);
    if (number < expected_) {
        visitor_.on_gap({.offset = block.offset,
                         .bytes = block.size(),
                         .reason = "block " + std::to_string(number) + " comes again"});
        bytes_.skip(block.size());
        return false;
    }
    expected_ = number + 1;
    return true;
}

void BlockStream::leave_out(const LogBlock& block) {
    if (blocks_after_totals_++ == 0) {
        end_gap(false);
        start_gap(block.offset, "");
    }
    if (is_of_records(static_cast<BlockType>(block.header.type))) {
        records_after_totals_ += block.header.count;
    }
    gap_->reason = counted(records_after_totals_, "record") + " in " + counted(blocks_after_totals_, "block") +
                   " after the totals: left out";
    bytes_.skip(block.size());
}

void BlockStream::skip_damaged(std::size_t block_size) {
    hashed_in_vain_ += block_size;
    if (hashed_in_vain_ > kMaxHashedInVain) {
        bytes_.skip(block_size);
    } else {
        skip_to_magic();  // from within the block: bytes may be missing and the next block may start in it
    }
}

void BlockStream::skip_to_magic() {
    bytes_.skip(1);
    for (;;) {
        const auto window = bytes_.peek(kBlockMagic.size());  // and whatever follows: a log may be growing
        const auto found = std::search(window.begin(), window.end(), kBlockMagic.begin(), kBlockMagic.end());
        if (found != window.end()) {
            bytes_.skip(static_cast<std::size_t>(found - window.begin()));
            return;
        }
        if (window.size() < kBlockMagic.size()) {
            bytes_.skip(window.size());
            return;
        }
        bytes_.skip(window.size() - (kBlockMagic.size() - 1));
    }
}

void BlockStream::end_gap(bool at_end) {
    if (not gap_) {
        return;
    }
    LogGap gap = *std::exchange(gap_, std::nullopt);
    gap.bytes = bytes_.offset() - gap.offset;
    gap.torn_tail = gap.torn_tail and at_end;
    if (gap.torn_tail) {
        gap.reason = "the log ends within a block (torn tail)";
    }
    visitor_.on_gap(gap);
}

}  // namespace groma
