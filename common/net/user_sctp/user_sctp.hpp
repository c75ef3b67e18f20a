// SCTP in user space (libusrsctp), over UDP (RFC 6951) or IP: the same protocol as the kernel's, for hosts whose kernel
// has none.
#pragma once

#include <memory>
#include <string>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"

namespace groma {

/// Returns: why it cannot be used here, with what to do; empty when it can.
[[nodiscard]] std::string user_sctp_error();

/// The clock outlives what is returned. Throw: SystemError, with what to do; UsageError when the process's stack runs
/// in another way already.
[[nodiscard]] std::unique_ptr<Channel> open_user_sctp_channel(const ChannelSpec& spec, Clock& clock);
[[nodiscard]] std::unique_ptr<Inbox> open_user_sctp_inbox(const InboxSpec& spec, Clock& clock);

}  // namespace groma
