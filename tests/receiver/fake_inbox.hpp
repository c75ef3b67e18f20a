// An inbox without a network: a test puts arrivals in, and an eventfd shows whether there are any, as a socket would.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "common/net/channel/inbox.hpp"
#include "common/os/wakeup.hpp"

namespace groma {

class FakeInbox final : public Inbox {
public:
    /// Whether the descriptor shows what is left after a drain; that of a stream's inbox that has read ahead does not.
    enum class Descriptor : std::uint8_t { shows_rest, hides_rest };

    explicit FakeInbox(Descriptor descriptor = Descriptor::shows_rest) : descriptor_(descriptor) {}

    void put(const std::vector<Arrival>& arrivals) {
        const std::lock_guard lock(mutex_);
        waiting_.insert(waiting_.end(), arrivals.begin(), arrivals.end());
        readable_.notify();
    }

    void end(InboxState state) {
        const std::lock_guard lock(mutex_);
        state_ = state;
        readable_.notify();
    }

    std::size_t drain(std::span<Arrival> out) noexcept override {
        const std::lock_guard lock(mutex_);
        ++polls_;
        if (cannot_accept_) {
            return 0;
        }
        const std::size_t count = std::min(out.size(), waiting_.size());
        std::copy_n(waiting_.begin(), count, out.begin());
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
        if (waiting_.empty() or descriptor_ == Descriptor::hides_rest) {
            readable_.clear();
        }
        return count;
    }

    /// Sends back, or holds if the test says so.
    ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept override {
        const std::lock_guard lock(mutex_);
        held_ += arrivals.size();
        std::ranges::transform(arrivals, std::back_inserter(reply_sizes_), &Arrival::size);
        if (holding_) {
            return {};
        }
        reflected_ += held_;
        return {.sent = held_.exchange(0), .lost = 0};
    }
    [[nodiscard]] bool holding() const noexcept override { return holding_ and held_ > 0; }
    void hold(bool holding) { holding_ = holding; }
    /// No connection can be accepted, although the descriptor shows one.
    [[nodiscard]] bool cannot_accept() const noexcept override { return cannot_accept_; }
    void refuse(bool refuses) { cannot_accept_ = refuses; }
    [[nodiscard]] std::size_t looks() const { return polls_; }
    [[nodiscard]] std::size_t reflected() const { return reflected_; }

    [[nodiscard]] InboxState state() const noexcept override { return state_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return timestamps_; }
    [[nodiscard]] int fd() const noexcept override { return readable_.fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return SocketAddress::from_literal("127.0.0.1", 1); }
    [[nodiscard]] SocketAddress remote_address() const override { return SocketAddress::from_literal("127.0.0.1", 2); }

    [[nodiscard]] std::optional<GroStart> gro() const noexcept override { return gro_; }

    std::vector<std::uint32_t> reply_sizes_;
    std::string timestamps_ = "fake";
    InboxCounts counts_;
    std::optional<GroStart> gro_;

private:
    Descriptor descriptor_;
    std::mutex mutex_;
    std::deque<Arrival> waiting_;  ///< guarded by mutex_
    std::atomic<InboxState> state_{InboxState::open};
    std::atomic<bool> holding_{false};
    std::atomic<bool> cannot_accept_{false};
    std::atomic<std::size_t> polls_{0};  ///< calls of drain()
    std::atomic<std::size_t> held_{0};
    std::atomic<std::size_t> reflected_{0};
    Wakeup readable_;
};

/// An arrival of 100 bytes with this number, and one without any.
inline Arrival numbered(std::uint32_t seq) {
    return {.received_at = wall_time_from_ns(2'000 + seq),
            .header = {.seq = seq, .sent_at = wall_time_from_ns(1'000 + seq), .flow = FlowId{1}},
            .size = 100};
}
inline Arrival unnumbered() {
    return {.received_at = wall_time_from_ns(2'000), .header = {}, .size = 3};
}

}  // namespace groma
