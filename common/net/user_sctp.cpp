#include "common/net/user_sctp.hpp"

#include <cerrno>

#include "common/base/errors.hpp"

namespace groma {

std::unique_ptr<Channel> open_user_sctp_channel(const ChannelSpec& spec) {
    throw SystemError("connect to " + spec.to.to_string() + " over SCTP in user space", EPROTONOSUPPORT);
}

std::unique_ptr<Inbox> open_user_sctp_inbox(const InboxSpec& spec) {
    throw SystemError("listen on " + spec.bind_to.to_string() + " over SCTP in user space", EPROTONOSUPPORT);
}

}  // namespace groma
