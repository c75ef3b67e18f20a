#include "common/shipping/spool/kept_log.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kMarkBytes = 64U << 10U;
/// How often to check whether other logs have made room in the spool.
constexpr Nanos kLookAgain = std::chrono::milliseconds(200);

}  // namespace

KeptLog::KeptLog(std::size_t memory_bytes, std::unique_ptr<Spool> spool)
    : memory_bytes_(memory_bytes), spool_(std::move(spool)) {
    if (spool_ and spool_->end() > 0) {
        spooled_ = spool_->end();
        counts_.handed_pieces = spool_->end();
        counts_.handed_bytes = spool_->bytes();
        counts_.durable_pieces = spool_->first();
        counts_.largest_backlog = spool_->bytes();
    }
}

std::uint64_t KeptLog::append(std::span<const std::byte> piece) {
    const std::uint64_t number = counts_.handed_pieces;  // only this thread changes it
    std::unique_lock lock(mutex_);
    bool spooled = false;
    while (true) {
        if (not let_go_.empty()) {
            throw RunError(let_go_);
        }
        spool_the_rest();
        if (spooled_ == number) {
            // The disk may block this thread, but not the shipping thread.
            lock.unlock();
            spooled = to_spool(number, piece);
            lock.lock();
        }
        if (spooled or make_room(piece.size())) {
            break;
        }
        changed_.wait_for(lock, kLookAgain);
    }
    account_for(piece, spooled);
    if (not spooled or make_room(piece.size())) {
        memory_.push_back({number, {piece.begin(), piece.end()}});
        in_memory_ += piece.size();
    }
    return number + 1;
}

void KeptLog::account_for(std::span<const std::byte> piece, bool spooled) {
    hash_.add(piece);
    ++counts_.handed_pieces;
    counts_.handed_bytes += piece.size();
    counts_.largest_backlog = std::max(counts_.largest_backlog, backlog());
    if (counts_.handed_bytes - (marks_.empty() ? counts_.durable_bytes : marks_.back().bytes) >= kMarkBytes) {
        marks_.push_back({counts_.handed_pieces, counts_.handed_bytes});
    }
    if (spooled) {
        spooled_ = counts_.handed_pieces;
    } else if (spool_) {
        ++counts_.not_spooled;
        counts_.spool_error = spool_->error();
    }
}

bool KeptLog::to_spool(std::uint64_t number, std::span<const std::byte> piece) {
    return spool_ and spool_->append(number, piece);
}

void KeptLog::spool_the_rest() {
    if (not spool_) {
        return;
    }
    for (const Piece& piece : memory_) {
        if (piece.number >= spooled_) {
            if (not to_spool(piece.number, piece.bytes)) {
                return;
            }
            spooled_ = piece.number + 1;
        }
    }
}

bool KeptLog::make_room(std::size_t bytes) {
    // A piece of any size fits an empty memory.
    while (not memory_.empty() and in_memory_ + bytes > memory_bytes_) {
        const std::uint64_t oldest = memory_.front().number;
        if (oldest >= next_ or (oldest >= spooled_ and oldest >= counts_.durable_pieces)) {
            return false;
        }
        in_memory_ -= memory_.front().bytes.size();
        memory_.pop_front();
    }
    return true;
}

CloseLog KeptLog::seal() {
    const std::unique_lock lock(mutex_);
    spool_the_rest();
    const CloseLog totals{0, counts_.handed_pieces, counts_.handed_bytes, hash_.value()};
    if (spool_ and not spool_->seal(totals)) {
        counts_.spool_error = spool_->error();
    }
    return totals;
}

void KeptLog::read(std::uint64_t number, std::vector<std::byte>& piece) {
    {
        const std::scoped_lock lock(mutex_);
        const auto found = std::ranges::lower_bound(memory_, number, {}, &Piece::number);
        if (found != memory_.end() and found->number == number) {
            piece = found->bytes;
            return;
        }
    }
    if (not spool_) {
        throw RunError("piece " + std::to_string(number) + " of the log is not kept any more");
    }
    spool_->read(number, piece);
    const std::scoped_lock lock(mutex_);
    counts_.read_back += piece.size();
}

void KeptLog::sent(std::uint64_t next) {
    const std::scoped_lock lock(mutex_);
    next_ = next;
    changed_.notify_all();
}

void KeptLog::confirmed(std::uint64_t pieces) {
    {
        const std::scoped_lock lock(mutex_);
        counts_.durable_pieces = std::max(counts_.durable_pieces, pieces);
        spooled_ = std::max(spooled_, pieces);
        while (not memory_.empty() and memory_.front().number < pieces) {
            in_memory_ -= memory_.front().bytes.size();
            memory_.pop_front();
        }
        while (not marks_.empty() and marks_.front().pieces <= pieces) {
            counts_.durable_bytes = marks_.front().bytes;
            marks_.pop_front();
        }
        if (pieces >= counts_.handed_pieces) {
            counts_.durable_bytes = counts_.handed_bytes;
        }
    }
    changed_.notify_all();
    if (spool_) {
        spool_->forget(pieces);
    }
}

void KeptLog::let_go(std::string why) {
    const std::scoped_lock lock(mutex_);
    let_go_ = std::move(why);
    changed_.notify_all();
}

std::string KeptLog::spool_shortage() const {
    const std::scoped_lock lock(mutex_);
    return spool_ and spooled_ < counts_.handed_pieces ? counts_.spool_error : std::string();
}

KeptCounts KeptLog::counts() const {
    const std::scoped_lock lock(mutex_);
    return counts_;
}

}  // namespace groma
