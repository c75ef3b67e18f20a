// The pieces of one log between two threads: the log thread hands them over, the shipping thread sends them and learns
// what the server has. Each piece goes to the log's spool at once, so that it survives the program; memory, bounded,
// keeps those that are to be sent next. What cannot be spooled stays in memory until the server has it, and when that
// is full the log thread waits.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "common/log/running_hash.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "common/shipping/spool/spool.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// What a log has kept, for reports.
struct KeptCounts {
    std::uint64_t handed_pieces = 0;
    std::uint64_t handed_bytes = 0;
    std::uint64_t durable_pieces = 0;
    std::uint64_t durable_bytes = 0;    ///< rounded down to 64 KiB or so
    std::uint64_t largest_backlog = 0;  ///< bytes that the server had not confirmed, at most; to 64 KiB
    std::uint64_t read_back = 0;        ///< bytes that had fallen out of memory and came from the spool
    std::uint64_t not_spooled = 0;      ///< pieces that had to stay in memory for a while
    std::string spool_error;            ///< why, the last time; empty: never
};

class KeptLog {
public:
    /// `spool` may be null: then memory is all there is. With a spool that was left by another program, its pieces are
    /// those of the log.
    KeptLog(std::size_t memory_bytes, std::unique_ptr<Spool> spool);

    // Thread: log.

    /// Returns: how many pieces there are. Blocks while there is room neither in the spool nor in memory.
    /// Throws: RunError when let_go() was called.
    std::uint64_t append(std::span<const std::byte> piece);
    /// There will be no more pieces. Returns: their totals.
    CloseLog seal();

    // Thread: shipping.

    /// Throws: RunError when the piece cannot be had any more; SystemError.
    void read(std::uint64_t number, std::vector<std::byte>& piece);
    /// The pieces before `next` have been sent: memory may forget them if they are spooled.
    void sent(std::uint64_t next);
    /// The server has the first `pieces` pieces.
    void confirmed(std::uint64_t pieces);
    /// append() is not to wait any more: nobody takes what it keeps.
    void let_go(std::string why);

    // Thread: any.

    /// Why the piece that was handed over last is not in the spool; empty: it is, or there is no spool.
    [[nodiscard]] std::string spool_shortage() const;
    [[nodiscard]] KeptCounts counts() const;
    /// Null if there is none; what is asked of it is what a shipping thread may ask.
    [[nodiscard]] Spool* spool() { return spool_.get(); }

private:
    struct Piece {
        std::uint64_t number = 0;
        std::vector<std::byte> bytes;
    };

    /// So many bytes are in so many pieces; one for each 64 KiB or so.
    struct Mark {
        std::uint64_t pieces = 0;
        std::uint64_t bytes = 0;
    };

    [[nodiscard]] bool to_spool(std::uint64_t number, std::span<const std::byte> piece);
    void spool_the_rest();
    void account_for(std::span<const std::byte> piece, bool spooled);
    /// Forgets pieces that are sent and spooled. Returns: whether so many bytes fit.
    [[nodiscard]] bool make_room(std::size_t bytes);
    [[nodiscard]] std::uint64_t backlog() const { return counts_.handed_bytes - counts_.durable_bytes; }

    const std::size_t memory_bytes_;
    std::unique_ptr<Spool> spool_;
    mutable std::mutex mutex_;  ///< guards all below
    std::condition_variable changed_;
    std::deque<Piece> memory_;  ///< in order, not all
    std::size_t in_memory_ = 0;
    std::deque<Mark> marks_;     ///< of what the server has not confirmed
    std::uint64_t spooled_ = 0;  ///< the pieces before this one are in the spool or with the server
    std::uint64_t next_ = 0;     ///< to be sent
    std::string let_go_;         ///< why; empty: not
    KeptCounts counts_;
    RunningHash hash_;
};

}  // namespace groma
