#include "common/shipping/shipment_queue.hpp"

#include <utility>

#include "common/base/errors.hpp"
#include "common/shipping/log_frames.hpp"

namespace groma {

ShipmentQueue::ShipmentQueue(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

void ShipmentQueue::push(std::span<const std::byte> bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock,
                  [&] { return over_locked() or frames_.empty() or waiting_bytes_ + bytes.size() <= limit_bytes_; });
    if (end_ == End::failed) {
        std::rethrow_exception(failure_);
    }
    check(end_ == End::open, "a log took a piece after its end");
    frames_.push_back(serialize(LogPiece{0, first_ + frames_.size(), bytes}));
    waiting_bytes_ += frames_.back().size();
    hash_.add(bytes);
    bytes_ += bytes.size();
    changed_.notify_all();
    wake_.notify();
}

void ShipmentQueue::close() {
    std::unique_lock lock(mutex_);
    if (end_ == End::open) {
        close_frame_ = serialize(CloseLog{0, first_ + frames_.size(), bytes_, hash_.value()});
        end_ = End::closing;
        changed_.notify_all();
        wake_.notify();
    }
    changed_.wait(lock, [&] { return over_locked(); });
    if (end_ == End::failed) {
        std::rethrow_exception(failure_);
    }
}

void ShipmentQueue::abandon() {
    conclude(End::abandoned);
}

std::optional<std::span<const std::byte>> ShipmentQueue::next_to_send() {
    const std::lock_guard lock(mutex_);
    if (unsent_ < first_ + frames_.size()) {
        return frames_[static_cast<std::size_t>(unsent_ - first_)];
    }
    if (end_ == End::closing and not close_sent_) {
        return close_frame_;
    }
    return std::nullopt;
}

void ShipmentQueue::sent() {
    const std::lock_guard lock(mutex_);
    if (unsent_ < first_ + frames_.size()) {
        ++unsent_;
    } else {
        close_sent_ = true;
    }
}

bool ShipmentQueue::acknowledge(std::uint64_t pieces) {
    const std::lock_guard lock(mutex_);
    return drop_until(pieces, unsent_);
}

bool ShipmentQueue::resume_at(std::uint64_t pieces) {
    const std::lock_guard lock(mutex_);
    if (not drop_until(pieces, first_ + frames_.size())) {
        return false;
    }
    unsent_ = first_;
    close_sent_ = false;
    return true;
}

bool ShipmentQueue::drop_until(std::uint64_t pieces, std::uint64_t most) {
    if (pieces < first_ or pieces > most) {
        return false;
    }
    for (; first_ < pieces; ++first_) {
        waiting_bytes_ -= frames_.front().size();
        frames_.pop_front();
    }
    changed_.notify_all();
    return true;
}

void ShipmentQueue::finish() {
    conclude(End::finished);
}

void ShipmentQueue::fail(std::exception_ptr why) {
    {
        const std::lock_guard lock(mutex_);
        failure_ = std::move(why);
    }
    conclude(End::failed);
}

void ShipmentQueue::conclude(End end) {
    const std::lock_guard lock(mutex_);
    if (not over_locked()) {
        end_ = end;
    }
    changed_.notify_all();
    wake_.notify();
}

bool ShipmentQueue::unconfirmed() {
    const std::lock_guard lock(mutex_);
    return not frames_.empty() or end_ == End::closing;
}

bool ShipmentQueue::over() {
    const std::lock_guard lock(mutex_);
    return over_locked();
}

void ShipmentQueue::wait_for_work() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_locked() or not frames_.empty() or end_ == End::closing; });
}

void ShipmentQueue::pause(Nanos span) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, span, [&] { return over_locked(); });
}

std::size_t ShipmentQueue::waiting_bytes() {
    const std::lock_guard lock(mutex_);
    return waiting_bytes_;
}

}  // namespace groma
