#include "common/log/parallel_log_reader.hpp"

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <cstddef>
#include <future>
#include <vector>

#include "common/log/block_decoder.hpp"
#include "common/log/block_stream.hpp"
#include "common/log/log_batch.hpp"
#include "common/log/log_bytes.hpp"
#include "common/log/log_header.hpp"
#include "common/wire/record_block.hpp"

namespace groma {

namespace {

constexpr std::size_t kBatchBytes = std::size_t{4} << 20U;

/// Works on one batch at a time.
class Crew {
public:
    Crew(LogVisitor& visitor, unsigned threads) : visitor_(visitor), threads_(threads), pool_(threads) {}
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew() { pool_.join(); }

    void start(LogBatch& batch) {
        for (unsigned i = 0; i < threads_; ++i) {
            at_work_.push_back(
                boost::asio::post(pool_, boost::asio::use_future([this, &batch] { batch.work(visitor_); })));
        }
    }

    void wait() {
        for (std::future<void>& each : at_work_) {
            each.get();
        }
        at_work_.clear();
    }

private:
    LogVisitor& visitor_;
    unsigned threads_;
    boost::asio::thread_pool pool_;
    std::vector<std::future<void>> at_work_;
};

class ParallelReading {
public:
    ParallelReading(LogVisitor& visitor, unsigned threads) : visitor_(visitor), crew_(visitor, threads) {}

    void read(BlockStream& blocks) {
        while (const auto block = blocks.next()) {
            if (is_of_records(static_cast<BlockType>(block->header.type))) {
                filling().add(*block);
            } else if (const auto gap = decoder_.decode(*block, visitor_)) {
                visitor_.on_gap(*gap);
            }
            read_so_far_ = block->offset + block->size();
            if (filling().bytes() >= kBatchBytes) {
                hand_over();
            }
        }
        hand_over();
        finish_other();
    }

private:
    [[nodiscard]] LogBatch& filling() { return batches_[number_ % batches_.size()]; }
    [[nodiscard]] LogBatch& other() { return batches_[(number_ + 1) % batches_.size()]; }

    /// What was collected goes to the crew when it has finished what it had.
    void hand_over() {
        finish_other();
        filling().close();
        crew_.start(filling());
        handed_over_ = read_so_far_;
        ++number_;
    }

    void finish_other() {
        crew_.wait();
        for (const LogGap& gap : other().finish()) {
            visitor_.on_gap(gap);
        }
        if (handed_over_ > 0) {
            visitor_.on_progress(handed_over_);
        }
    }

    LogVisitor& visitor_;
    BlockDecoder decoder_;
    std::array<LogBatch, 2> batches_;
    Crew crew_;  // before the batches it works on are gone, it has ended
    std::size_t number_ = 0;
    std::uint64_t read_so_far_ = 0;
    std::uint64_t handed_over_ = 0;
};

void read_in_parallel(LogBytes& bytes, const std::string& name, LogVisitor& visitor, unsigned threads) {
    BlockStream blocks(bytes, visitor);
    pass_log_header(bytes, name, blocks);
    ParallelReading(visitor, threads).read(blocks);
}

}  // namespace

void read_log_in_parallel(const std::filesystem::path& file, LogVisitor& visitor, unsigned threads) {
    if (threads < 2) {
        read_log(file, visitor);
        return;
    }
    FileBytes bytes(file);
    read_in_parallel(bytes, file.string(), visitor, threads);
}

void read_log_in_parallel(std::span<const std::byte> bytes, const std::string& name, LogVisitor& visitor,
                          unsigned threads) {
    if (threads < 2) {
        read_log(bytes, name, visitor);
        return;
    }
    MemoryBytes memory(bytes);
    read_in_parallel(memory, name, visitor, threads);
}

}  // namespace groma
