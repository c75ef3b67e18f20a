// Blocks of records of a log, collected to be decoded by several threads: those of one flow by one thread, in their
// order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "common/log/block_stream.hpp"
#include "common/log/log_reader.hpp"

namespace groma {

class LogBatch {
public:
    /// Copies the block.
    void add(const LogBlock& block);

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    /// That it takes, blocks without payload too.
    [[nodiscard]] std::size_t bytes() const { return bytes_.size() + entries_.size() * kBytesOfEntry; }

    /// Nothing more comes. Puts flows with the most bytes first.
    void close();

    /// Takes flows that nobody has taken yet, one after the other, and tells the visitor what their blocks say. Never
    /// throws: what a visitor throws is kept. Thread: any number at a time, after close().
    void work(LogVisitor& visitor) noexcept;

    /// When all have returned from work(): what could not be understood, in the order of the log; and the batch is
    /// empty again. Throws: what a visitor threw.
    [[nodiscard]] std::vector<LogGap> finish();

private:
    static constexpr std::size_t kBytesOfEntry = 256;  // with its share, and the gap that it may turn out to be

    struct Entry {
        BlockHeader header;
        std::uint64_t offset = 0;
        std::size_t begin = 0;  ///< of its payload in bytes_
    };
    /// Entries of one flow.
    struct Share {
        std::size_t first = 0;
        std::size_t count = 0;
        std::size_t bytes = 0;
    };

    void note(std::vector<LogGap> gaps, std::exception_ptr error) noexcept;

    std::vector<std::byte> bytes_;
    std::vector<Entry> entries_;
    std::vector<Share> shares_;
    std::atomic<std::size_t> next_share_{0};
    std::mutex mutex_;
    std::vector<LogGap> gaps_;
    std::exception_ptr error_;
};

}  // namespace groma
