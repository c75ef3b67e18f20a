#include "common/net/stamps/timed_batch.hpp"

#include <algorithm>
#include <cstring>

namespace groma {

TimedBatch::TimedBatch() noexcept {
    cmsghdr head{};
    head.cmsg_level = SOL_SOCKET;
    head.cmsg_type = SCM_TXTIME;
    head.cmsg_len = CMSG_LEN(sizeof(std::uint64_t));
    for (std::size_t i = 0; i < controls_.size(); ++i) {
        std::memcpy(controls_[i].bytes.data(), &head, sizeof head);
        messages_.set_control(i, controls_[i].bytes);
    }
}

std::size_t TimedBatch::send(int fd, std::span<const Frame> frames, std::span<const std::uint64_t> times) noexcept {
    const std::size_t count = std::min({frames.size(), times.size(), controls_.size()});
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(controls_[i].bytes.data() + CMSG_LEN(0), &times[i], sizeof times[i]);
    }
    return messages_.send(fd, frames.first(count));
}

TimedBatch& timed_batch() noexcept {
    thread_local TimedBatch batch;
    return batch;
}

}  // namespace groma
