// The flows of a worker whose sockets are full, or which wait for replies, with what poll(2) is to be asked of each
// socket.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace groma {

/// Packet path, except the constructor. Thread: one.
class BlockedFlows {
public:
    explicit BlockedFlows(std::size_t room) {
        flows_.reserve(room);
        sockets_.reserve(room);
    }

    [[nodiscard]] bool empty() const noexcept { return flows_.empty(); }

    /// Requires: less than `room` flows are blocked.
    void push(std::uint32_t flow, int fd, short events = POLLOUT) noexcept {
        flows_.push_back(flow);
        sockets_.push_back({.fd = fd, .events = events, .revents = 0});
    }

    /// To wait for: one for each flow.
    [[nodiscard]] std::span<pollfd> sockets() noexcept { return sockets_; }

    template <typename Use>
    void for_each(const Use& use) const noexcept {
        for (const std::uint32_t flow : flows_) {
            use(flow);
        }
    }

    /// Removes all flows for which `is_ready(flow, socket)` holds, the last one first; another takes the place of each.
    /// Returns: whether there was one.
    template <typename Predicate>
    bool remove_if(const Predicate& is_ready) noexcept {
        bool any = false;
        for (std::size_t index = flows_.size(); index-- > 0;) {
            if (is_ready(flows_[index], sockets_[index])) {
                flows_[index] = flows_.back();
                flows_.pop_back();
                sockets_[index] = sockets_.back();
                sockets_.pop_back();
                any = true;
            }
        }
        return any;
    }

private:
    std::vector<std::uint32_t> flows_;
    std::vector<pollfd> sockets_;  ///< of flows_, in the same order
};

}  // namespace groma
