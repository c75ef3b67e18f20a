#include "common/net/channel/receive_batch.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr std::size_t kLongestDatagram = 65536;
/// Not a multiple of a page: the starts of all messages would share the same few lines of the processor's caches.
constexpr std::size_t kWholeStride = kLongestDatagram + 576;

thread_local std::array<std::unique_ptr<ReceiveBatch>, 2> batches;

}  // namespace

ReceiveBatch& ReceiveBatch::of_this_thread(Reading reading) {
    make_for_this_thread();
    return *batches[reading == Reading::start ? 0 : 1];
}

void ReceiveBatch::make_for_this_thread() {
    if (not batches[1]) {
        batches[0] = std::make_unique<ReceiveBatch>(Reading::start);
        batches[1] = std::make_unique<ReceiveBatch>(Reading::to_the_end);
    }
}

ReceiveBatch::ReceiveBatch(Reading reading)
    : kept_(reading == Reading::start ? kStart : kLongestDatagram),
      stride_(reading == Reading::start ? kStart : kWholeStride),
      bytes_(std::make_unique_for_overwrite<std::byte[]>(stride_ * kMost)) {
    for (std::size_t i = 0; i < kMost; ++i) {
        slots_[i].piece = {.iov_base = bytes_.get() + i * stride_, .iov_len = kept_};
        msghdr& message = header(i);
        message.msg_name = &slots_[i].source;
        message.msg_iov = &slots_[i].piece;
        message.msg_iovlen = 1;
        message.msg_control = slots_[i].control.data();
    }
}

std::size_t ReceiveBatch::receive(int fd, std::size_t most) noexcept {
    for (std::size_t i = 0; i < used_; ++i) {
        header(i).msg_namelen = sizeof(sockaddr_storage);
        header(i).msg_controllen = kExtrasControlSize;
    }
    const auto room = static_cast<unsigned>(std::min(most, kMost));
    const int count = ::recvmmsg(fd, messages_.data(), room, MSG_DONTWAIT | MSG_TRUNC, nullptr);
    const std::size_t received = count > 0 ? static_cast<std::size_t>(count) : 0;
    used_ = std::min(received + 1, kMost);  // one more: the kernel may have begun with one and found an error
    return received;
}

}  // namespace groma
