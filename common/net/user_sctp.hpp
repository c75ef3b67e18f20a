// SCTP in user space (libusrsctp), over UDP (RFC 6951) or IP: the same protocol as the kernel's, for hosts whose kernel
// has none.
#pragma once

#include <memory>

#include "common/net/channel.hpp"
#include "common/net/inbox.hpp"

namespace groma {

/// Throws: SystemError, with what to do.
[[nodiscard]] std::unique_ptr<Channel> open_user_sctp_channel(const ChannelSpec& spec);
[[nodiscard]] std::unique_ptr<Inbox> open_user_sctp_inbox(const InboxSpec& spec);

}  // namespace groma
