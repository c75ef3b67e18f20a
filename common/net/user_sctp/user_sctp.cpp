#include "common/net/user_sctp/user_sctp.hpp"

#ifdef GROMA_USRSCTP

namespace groma {

std::string user_sctp_error() {
    return {};
}

}  // namespace groma

#else

#include <cerrno>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr const char* kAdvice = "this groma was built without libusrsctp: install libusrsctp-dev and build again";

}  // namespace

std::string user_sctp_error() {
    return std::string("cannot use SCTP in user space: ") + kAdvice;
}

std::unique_ptr<Channel> open_user_sctp_channel(const ChannelSpec& spec, Clock&) {
    throw SystemError("connect to " + spec.to.to_string() + " over SCTP in user space", EPROTONOSUPPORT, kAdvice);
}

std::unique_ptr<Inbox> open_user_sctp_inbox(const InboxSpec& spec, Clock&) {
    throw SystemError("listen on " + spec.bind_to.to_string() + " over SCTP in user space", EPROTONOSUPPORT, kAdvice);
}

}  // namespace groma

#endif
