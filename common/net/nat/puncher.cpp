#include "common/net/nat/puncher.hpp"

#include <sys/socket.h>

namespace groma {

Puncher::Puncher(const Inbox& inbox, Transport transport, const SocketAddress& to, const PunchToken& token)
    : inbox_(inbox),
      connects_(traits(transport).connects),
      once_(connects_ and transport != Transport::dccp),
      to_(to),
      bytes_(serialize_punch(token)) {}

void Puncher::punch() noexcept {
    if (once_ and shown_ == bytes_.size()) {
        return;
    }
    const std::size_t done = once_ ? shown_ : 0;
    const sockaddr* const to = connects_ ? nullptr : to_.data();
    const ssize_t count = ::sendto(inbox_.fd(), bytes_.data() + done, bytes_.size() - done, MSG_DONTWAIT | MSG_NOSIGNAL,
                                   to, connects_ ? 0 : to_.size());
    if (count > 0) {
        shown_ += static_cast<std::size_t>(count);
        taken_ += done + static_cast<std::size_t>(count) == bytes_.size() ? 1 : 0;
    }
}

}  // namespace groma
