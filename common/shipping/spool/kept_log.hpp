// The pieces of one log between two threads: the log thread adds them, the shipping thread sends them and learns what
// the server has. Each piece goes to the log's spool at once, so that it survives the program. A bounded memory keeps
// the pieces to be sent next. Pieces that cannot be spooled stay in memory until the server has them; if the memory is
// full, the log thread waits.
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

/// Counts of a log, for reports.
struct KeptCounts {
    std::uint64_t handed_pieces = 0;
    std::uint64_t handed_bytes = 0;
    std::uint64_t durable_pieces = 0;
    std::uint64_t durable_bytes = 0;    ///< rounded down to about 64 KiB
    std::uint64_t largest_backlog = 0;  ///< largest number of bytes not confirmed by the server; to 64 KiB
    std::uint64_t read_back = 0;        ///< bytes that had left memory and were read from the spool
    std::uint64_t not_spooled = 0;      ///< pieces that stayed in memory for a while
    std::string spool_error;            ///< the last reason for that; empty: never
};

class KeptLog {
public:
    /// Null `spool`: memory only. A spool from another program provides the log's pieces.
    KeptLog(std::size_t memory_bytes, std::unique_ptr<Spool> spool);

    // Thread: log.

    /// Returns: the number of pieces. Blocks while neither the spool nor the memory has room. Throws: RunError after
    /// let_go().
    std::uint64_t append(std::span<const std::byte> piece);
    /// Ends the pieces. Returns: their totals.
    CloseLog seal();

    // Thread: shipping.

    /// Throws: RunError if the piece is no longer available; SystemError.
    void read(std::uint64_t number, std::vector<std::byte>& piece);
    /// Pieces before `next` are sent: memory may drop them if they are spooled.
    void sent(std::uint64_t next);
    /// The server has confirmed the first `pieces` pieces.
    void confirmed(std::uint64_t pieces);
    /// append() stops waiting: its pieces will not be sent.
    void let_go(std::string why);

    // Thread: any.

    /// Why the last piece added is not in the spool; empty: it is, or there is no spool.
    [[nodiscard]] std::string spool_shortage() const;
    [[nodiscard]] KeptCounts counts() const;
    /// Null if there is none. Call only functions that the shipping thread may call.
    [[nodiscard]] Spool* spool() { return spool_.get(); }

private:
    struct Piece {
        std::uint64_t number = 0;
        std::vector<std::byte> bytes;
    };

    /// Number of bytes in the first `pieces` pieces; one mark for each 64 KiB or so.
    struct Mark {
        std::uint64_t pieces = 0;
        std::uint64_t bytes = 0;
    };

    [[nodiscard]] bool to_spool(std::uint64_t number, std::span<const std::byte> piece);
    void spool_the_rest();
    void account_for(std::span<const std::byte> piece, bool spooled);
    /// Drops pieces that are sent and spooled. Returns: whether this number of bytes fits.
    [[nodiscard]] bool make_room(std::size_t bytes);
    [[nodiscard]] std::uint64_t backlog() const { return counts_.handed_bytes - counts_.durable_bytes; }

    const std::size_t memory_bytes_;
    std::unique_ptr<Spool> spool_;
    mutable std::mutex mutex_;  ///< guards all below
    std::condition_variable changed_;
    std::deque<Piece> memory_;  ///< in order, with gaps
    std::size_t in_memory_ = 0;
    std::deque<Mark> marks_;     ///< for data that the server has not confirmed
    std::uint64_t spooled_ = 0;  ///< pieces before this one are in the spool or on the server
    std::uint64_t next_ = 0;     ///< next to send
    std::string let_go_;         ///< the reason; empty: not called
    KeptCounts counts_;
    RunningHash hash_;
};

}  // namespace groma
